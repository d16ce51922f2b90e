//! What the system refuses is one line and an exit status: no panic, no hang, and no table is lost.

use crate::program::{Run, left_out, oware, run_on, tables_to_9};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

fn copy_of_tables() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for entry in fs::read_dir(tables_to_9()).expect("the tables") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, folder.path().join(path.file_name().expect("a name"))).expect("a copy");
    }
    folder
}

fn bytes_in(folder: &Path) -> Vec<Vec<u8>> {
    (0..=9)
        .map(|seeds| fs::read(folder.join(format!("awari-{seeds:02}.oware"))).expect("a table"))
        .collect()
}

/// Runs a script of the shell, with the program as `$1` and a folder as `$2`, as somebody without
/// rights. `None` where that is not possible.
fn as_nobody(script: &str, folder: &Path) -> Option<Run> {
    let program = assert_cmd::cargo::cargo_bin!("oware");
    let drop_rights = format!(
        "if [ $(id -u) = 0 ]; then exec setpriv --reuid=65534 --clear-groups sh -c '{script}' sh \"$1\" \"$2\"; fi; {script}"
    );
    let mut command = Command::new("sh");
    command.args(["-c", &drop_rights, "sh"]).arg(program).arg(folder).env_remove("OWARE_TABLES");
    let run = Run::of(command.output().ok()?);
    let is_left_out = run.status == 126 || run.status == 127;
    (!is_left_out).then_some(run)
}

/// Everybody may look into the folder.
#[cfg(unix)]
fn open_to_all(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("permissions");
}

#[cfg(unix)]
#[test]
fn a_complete_folder_that_is_read_only_needs_no_build() {
    let folder = copy_of_tables();
    open_to_all(folder.path());
    let build = |seeds, more| format!(r#"exec "$1" build --seeds {seeds} {more} --tables "$2""#);
    let Some(run) = as_nobody(&build(9, ""), folder.path()) else {
        return left_out("a folder that is read-only: no rights can be dropped");
    };
    let run = run.succeeded();
    assert!(run.stdout.starts_with("all awari tables of 0 to 9 seeds are in"), "{run:?}");
    let run = as_nobody(&build(9, "--force"), folder.path()).expect("as before");
    run.succeeded();
    let run = as_nobody(&build(10, ""), folder.path()).expect("as before");
    run.failed(1, &["cannot write in"]);
}

#[cfg(unix)]
#[test]
fn threads_that_cannot_be_started_are_told() {
    let folder = copy_of_tables();
    open_to_all(folder.path());
    let script = r#"exec prlimit --nproc=0 "$1" build --seeds 10 --tables "$2""#;
    match as_nobody(script, folder.path()) {
        Some(run) if run.stderr.contains("cannot start") => {
            run.failed(1, &["cannot start a thread", "--threads"]);
        }
        other => left_out(&format!("a limit on threads: it has no effect here ({other:?})")),
    }
}

#[cfg(unix)]
#[test]
fn too_many_open_files_are_told_and_force_replaces_nothing_for_them() {
    let folder = copy_of_tables();
    let before = bytes_in(folder.path());
    let mut refused = 0;
    for files in 3..24 {
        for command in ["build --seeds 9 --force", "build --seeds 10 --force=3", "verify", "doctor"]
        {
            let script = format!(r#"ulimit -n {files}; exec "$1" {command} --tables "$2""#);
            let run = Command::new("sh")
                .args(["-c", &script, "sh"])
                .arg(assert_cmd::cargo::cargo_bin!("oware"))
                .arg(folder.path())
                .output();
            let run = run.expect("a shell");
            // With too few files the program itself cannot be loaded.
            if run.status.code() == Some(127) {
                continue;
            }
            let run = Run::of(run);
            assert!(run.status == 0 || run.status == 1, "{files}, {command}: {run:?}");
            assert!(!run.stderr.contains("panicked"), "{files}, {command}: {run:?}");
            refused += run.status;
            assert!(bytes_in(folder.path()) == before, "{files}, {command}: {run:?}");
        }
    }
    assert!(refused > 0);
}

/// Pipes, folders and devices under every name that a build uses.
#[cfg(unix)]
#[test]
fn what_is_no_file_keeps_nobody_waiting_under_any_name() {
    let makers: [(&str, &[&str]); 3] =
        [("mkfifo", &[]), ("mkdir", &[]), ("ln", &["-s", "/dev/zero"])];
    let names = [
        "awari-09.oware",
        "awari-10.oware",
        "awari-10.resume",
        "awari-10.oware.tmp",
        "awari-10.resume.oware.tmp",
        "awari-08.plain.oware.tmp",
        "awari-09.distance.oware",
        ".oware-lock",
    ];
    for name in names {
        for (program, arguments) in makers {
            let folder = copy_of_tables();
            let path = folder.path().join(name);
            let _none = fs::remove_file(&path);
            let made =
                Command::new(program).args(arguments).arg(&path).status().expect("it starts");
            assert!(made.success());
            for command in [
                &["build", "--seeds", "10", "--checkpoint-every", "0"][..],
                &["build", "--seeds", "10", "--force"],
                &["build", "--seeds", "10", "--distances"],
                &["verify"],
                &["doctor"],
                &["plan", "--seeds", "10"],
                &["info"],
                &["query", "0 0 0 0 0 9 0 0 0 0 0 1"],
            ] {
                let mut run = oware();
                run.args(command).arg("--tables").arg(folder.path());
                let output = run.timeout(Duration::from_secs(60)).output();
                let output = output
                    .unwrap_or_else(|error| panic!("{name}, {program}, {command:?}: {error}"));
                let run = Run::of(output);
                assert!(
                    run.status == 0 || run.status == 1,
                    "{name}, {program}, {command:?}: {run:?}"
                );
                assert!(!run.stderr.contains("panicked"), "{name}, {program}: {run:?}");
                if run.status == 1 && command[0] == "build" {
                    assert!(run.stderr.contains(name), "{name}, {program}, {command:?}: {run:?}");
                }
            }
        }
    }
    let folder = copy_of_tables();
    let pipe = folder.path().join("scores.9");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("it starts").success());
    run_on(folder.path(), &["verify", "--against", pipe.to_str().expect("UTF-8")])
        .failed(1, &["scores.9"]);
}
