//! `build` leaves whole tables, whatever happens to it, and comes to the same bytes in the end.

use crate::program::{Run, left_out, oware, run_on, tables_to_9, tables_to_16};
use oware::folder::FolderLock;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// The tables of a folder by name.
fn tables_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries
        .filter_map(|entry| {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("UTF-8");
            name.ends_with(".oware").then(|| (name, fs::read(entry.path()).expect("a table")))
        })
        .collect()
}

/// When each table was written.
fn times_in(folder: &Path) -> BTreeMap<String, SystemTime> {
    let names = tables_in(folder).into_keys();
    names
        .map(|name| {
            let time = fs::metadata(folder.join(&name)).and_then(|data| data.modified());
            (name, time.expect("a time"))
        })
        .collect()
}

/// A copy of the tables up to 9 seeds that may be changed.
fn copy_of_tables() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in tables_in(tables_to_9()) {
        fs::write(folder.path().join(name), bytes).expect("a copy");
    }
    folder
}

#[test]
fn a_build_ends_with_a_query_that_works() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = folder.path().join("new");
    let built = run_on(&tables, &["build", "--seeds", "6"]).succeeded();
    let line = built.stdout.lines().find(|line| line.contains("oware query ")).expect("a query");
    let query = &line[line.find("oware query ").expect("just found") + "oware ".len()..];
    let words = shlex::split(query).expect("words");
    let answer = Run::of(oware().args(words).output().expect("the program starts")).succeeded();
    assert!(answer.stdout.contains("value"), "{answer:?}");
}

#[test]
fn a_second_build_changes_nothing_and_a_larger_one_adds() {
    let folder = copy_of_tables();
    let before = times_in(folder.path());
    let again = run_on(folder.path(), &["build", "--seeds", "9"]).succeeded();
    assert_eq!(before, times_in(folder.path()), "{again:?}");
    run_on(folder.path(), &["build", "--seeds", "10"]).succeeded();
    let mut after = times_in(folder.path());
    assert!(after.remove("awari-10.oware").is_some());
    assert_eq!(before, after);
}

#[test]
fn threads_and_memory_do_not_change_a_byte() {
    for options in [["--threads", "1"], ["--threads", "3"], ["--memory", "400M"]] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let arguments = [&["build", "--seeds", "9"], &options[..]].concat();
        run_on(folder.path(), &arguments).succeeded();
        assert!(tables_in(folder.path()) == tables_in(tables_to_9()), "{options:?}");
    }
}

#[test]
fn damaged_tables_stop_a_build_and_force_replaces_just_them() {
    let folder = copy_of_tables();
    let table = folder.path().join("awari-07.oware");
    let whole = tables_in(folder.path());
    let truncated = &whole["awari-07.oware"][..whole["awari-07.oware"].len() - 1];
    let mut flipped = whole["awari-07.oware"].clone();
    flipped[100] ^= 4;
    for bad in [truncated, &flipped, b"", b"something else"] {
        fs::write(&table, bad).expect("a damaged table");
        let before = times_in(folder.path());
        run_on(folder.path(), &["build", "--seeds", "9"]).failed(1, &["awari-07.oware", "--force"]);
        assert_eq!(before, times_in(folder.path()), "nothing is touched without --force");
        run_on(folder.path(), &["build", "--seeds", "9", "--force"]).succeeded();
        let mut others = before;
        let mut after = times_in(folder.path());
        others.remove("awari-07.oware");
        after.remove("awari-07.oware");
        assert_eq!(others, after);
        assert!(tables_in(folder.path()) == whole);
    }
    let before = times_in(folder.path());
    run_on(folder.path(), &["build", "--seeds", "9", "--force=all"]).succeeded();
    assert!(tables_in(folder.path()) == whole);
    assert!(times_in(folder.path()).iter().all(|(name, time)| *time > before[name]));
}

#[test]
fn a_second_build_at_once_is_refused() {
    let folder = copy_of_tables();
    let held = FolderLock::acquire(folder.path()).expect("the folder");
    run_on(folder.path(), &["build", "--seeds", "10"])
        .failed(1, &["another build", folder.path().to_str().expect("UTF-8")]);
    drop(held);
    run_on(folder.path(), &["build", "--seeds", "10"]).succeeded();
}

#[test]
fn a_folder_that_cannot_be_one_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("file");
    fs::write(&file, "mine").expect("a file");
    run_on(&file, &["build", "--seeds", "3"]).failed(1, &[file.to_str().expect("UTF-8")]);
    run_on(&file, &["info"]).failed(1, &[file.to_str().expect("UTF-8")]);
    assert_eq!(fs::read(&file).expect("still there"), b"mine");
}

/// The arguments of a build that saves its state at every occasion.
const SAVING_BUILD: [&str; 5] = ["build", "--seeds", "13", "--checkpoint-every", "0"];

/// Starts a build and waits until it is at work, when it also listens to signals.
fn start_build(folder: &Path) -> Child {
    let lock = folder.join(".oware-lock");
    let _ = fs::remove_file(&lock);
    let build = Command::new(assert_cmd::cargo::cargo_bin!("oware"))
        .args(SAVING_BUILD)
        .arg("--tables")
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while !lock.exists() {
        sleep(Duration::from_millis(1));
    }
    build
}

fn send(signal: &str, process: &Child) {
    let kill = format!("kill -{signal} {} 2>/dev/null", process.id());
    Command::new("sh").args(["-c", &kill]).status().expect("a shell");
}

#[test]
fn builds_ended_at_any_moment_go_on_to_the_same_bytes() {
    let whole = tempfile::tempdir().expect("a temporary folder");
    let start = Instant::now();
    run_on(whole.path(), &SAVING_BUILD).succeeded();
    let uninterrupted = start.elapsed();
    let expected = tables_in(whole.path());
    let mut random = Pcg64Mcg::seed_from_u64(13);
    let mut stopped = 0;
    for signal in ["KILL", "TERM", "INT", "HUP", "KILL"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for _ in 0..3 {
            let mut build = start_build(folder.path());
            sleep(uninterrupted.mul_f64(random.random_range(0.0..0.6)));
            send(signal, &build);
            let status = wait_at_most(&mut build, Duration::from_secs(60));
            stopped += usize::from(!status.success());
            if signal != "KILL" && !status.success() {
                assert_eq!(status.code(), Some(130), "{signal} ends in good order");
            }
            for (name, bytes) in tables_in(folder.path()) {
                assert!(expected[&name] == bytes, "{name} is whole after {signal}");
            }
        }
        run_on(folder.path(), &SAVING_BUILD).succeeded();
        assert!(tables_in(folder.path()) == expected, "after {signal}");
        let left_over = fs::read_dir(folder.path()).expect("a folder").filter(|entry| {
            let name = entry.as_ref().expect("an entry").file_name();
            name.to_string_lossy().ends_with(".tmp") || name.to_string_lossy().ends_with(".resume")
        });
        assert_eq!(left_over.count(), 0, "left-overs are swept");
    }
    assert!(stopped > 0, "no build was stopped in time");
}

#[test]
fn a_level_ended_half_way_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut build = start_build(folder.path());
    let checkpoint = folder.path().join("awari-13.resume");
    while !checkpoint.exists() {
        assert!(build.try_wait().expect("a child").is_none(), "level 13 takes some time");
        sleep(Duration::from_millis(1));
    }
    send("KILL", &build);
    build.wait().expect("it ends");
    let last = run_on(folder.path(), &SAVING_BUILD).succeeded();
    assert!(last.stderr.contains("level 13: going on from the checkpoint"), "{last:?}");
    let found = tables_in(folder.path());
    assert_eq!(found.len(), 14);
    for (name, bytes) in found {
        let whole = fs::read(tables_to_16().join(&name)).expect("a table");
        assert!(bytes == whole, "{name}");
    }
}

/// Interrupts a build when level 13 has a checkpoint.
fn interrupted_at_13() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut build = start_build(folder.path());
    while !folder.path().join("awari-13.resume").exists() {
        assert!(build.try_wait().expect("a child").is_none(), "level 13 takes some time");
        sleep(Duration::from_millis(1));
    }
    send("KILL", &build);
    build.wait().expect("it ends");
    folder
}

/// The level goes on from its checkpoint, which then is gone.
fn goes_on_at_13(folder: &Path) {
    let last = run_on(folder, &SAVING_BUILD).succeeded();
    assert!(last.stderr.contains("level 13: going on from the checkpoint"), "{last:?}");
    assert!(!folder.join("awari-13.resume").exists());
    let whole = fs::read(tables_to_16().join("awari-13.oware")).expect("a table");
    assert!(fs::read(folder.join("awari-13.oware")).expect("a table") == whole);
}

#[test]
fn a_level_that_is_killed_while_its_table_is_written_keeps_its_checkpoint() {
    let mut killed = 0;
    for _ in 0..10 {
        let folder = interrupted_at_13();
        let mut build = start_build(folder.path());
        let draft = folder.path().join("awari-13.oware.tmp");
        while !draft.exists() && build.try_wait().expect("a child").is_none() {
            sleep(Duration::from_micros(200));
        }
        send("KILL", &build);
        build.wait().expect("it ends");
        if folder.path().join("awari-13.oware").exists() {
            continue;
        }
        assert!(draft.exists() && folder.path().join("awari-13.resume").exists());
        goes_on_at_13(folder.path());
        killed += 1;
        if killed == 2 {
            return;
        }
    }
    assert!(killed > 0, "no build was killed while it wrote level 13");
}

#[test]
fn a_level_whose_table_finds_no_room_keeps_its_checkpoint() {
    // Blocks of 512 bytes: level 13 does not fit, and no checkpoint is written.
    const SCRIPT: &str = r#"ulimit -f 800; exec "$1" build --seeds 13 --tables "$2""#;
    let folder = interrupted_at_13();
    let shell = Command::new("sh")
        .args(["-c", SCRIPT, "sh"])
        .arg(assert_cmd::cargo::cargo_bin!("oware"))
        .arg(folder.path())
        .output();
    let run = Run::of(shell.expect("a shell"));
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stderr.contains("cannot write") && run.stderr.contains("13.oware.tmp"), "{run:?}");
    goes_on_at_13(folder.path());
}

/// A kill between the publication of a level and the end of its checkpoint.
#[test]
fn the_checkpoint_of_a_level_that_is_there_is_removed() {
    let folder = interrupted_at_13();
    let checkpoint = folder.path().join("awari-13.resume");
    let saved = fs::read(&checkpoint).expect("a checkpoint");
    goes_on_at_13(folder.path());
    fs::write(&checkpoint, &saved).expect("written");
    run_on(folder.path(), &["build", "--seeds", "13"]).succeeded();
    assert!(!checkpoint.exists());
}

/// Working copies that find no room are removed, and the tables are whole.
#[test]
fn half_a_working_copy_is_removed() {
    const SCRIPT: &str =
        r#"ulimit -f 2000; exec "$1" build --seeds 14 --memory 114M --tables "$2""#;
    let folder = tempfile::tempdir().expect("a temporary folder");
    run_on(folder.path(), &["build", "--seeds", "9"]).succeeded();
    let shell = Command::new("sh")
        .args(["-c", SCRIPT, "sh"])
        .arg(assert_cmd::cargo::cargo_bin!("oware"))
        .arg(folder.path())
        .output();
    let run = Run::of(shell.expect("a shell"));
    let run = run.failed(1, &["working copy", "too large"]);
    for entry in fs::read_dir(folder.path()).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        assert!(!name.to_string_lossy().ends_with(".tmp"), "{name:?} is left: {run:?}");
    }
}

#[test]
fn a_limit_of_file_sizes_stops_a_build_with_a_message() {
    // Blocks of 512 bytes; the tables of 9 seeds are longer, those of 6 are not.
    const SCRIPT: &str = r#"ulimit -f 20; exec "$1" build --seeds 9 --tables "$2""#;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let shell = Command::new("sh")
        .args(["-c", SCRIPT, "sh"])
        .arg(assert_cmd::cargo::cargo_bin!("oware"))
        .arg(folder.path())
        .output();
    Run::of(shell.expect("a shell")).failed(1, &["cannot write", ".oware", "too large"]);
    for (name, bytes) in tables_in(folder.path()) {
        assert!(tables_in(tables_to_9())[&name] == bytes, "{name} is whole");
    }
    run_on(folder.path(), &["build", "--seeds", "9"]).succeeded();
    assert!(tables_in(folder.path()) == tables_in(tables_to_9()));
}

#[test]
fn a_hang_up_that_is_ignored_stays_ignored() {
    const SCRIPT: &str = r#"trap '' HUP; exec "$1" build --seeds 13 --tables "$2""#;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut build = Command::new("sh")
        .args(["-c", SCRIPT, "sh"])
        .arg(assert_cmd::cargo::cargo_bin!("oware"))
        .arg(folder.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("a shell");
    sleep(Duration::from_millis(150));
    send("HUP", &build);
    assert!(wait_at_most(&mut build, Duration::from_secs(120)).success());
    assert_eq!(tables_in(folder.path()).len(), 14);
}

fn wait_at_most(child: &mut Child, most: Duration) -> std::process::ExitStatus {
    let steps = most.as_millis() / 10;
    for _ in 0..steps {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        sleep(Duration::from_millis(10));
    }
    child.kill().expect("it can be ended");
    panic!("the build did not stop within {most:?}");
}

/// Fills a file system of its own, in a mount namespace that goes with the shell; where the system
/// allows none, there is nothing to try. Too few bytes are noticed beforehand; a file system that
/// runs out of files fails in the middle of a write as one out of bytes does.
#[test]
fn a_full_disk_stops_a_build_which_goes_on_when_there_is_room() {
    const SCRIPT: &str = r#"
        mount -t tmpfs -o size=200k oware "$1" 2>/dev/null || { echo unsupported; exit; }
        "$2" build --seeds 11 --tables "$1" >/dev/null; echo "build $?"
        mount -o remount,size=30m,nr_inodes=9 "$1"
        "$2" build --seeds 11 --tables "$1" >/dev/null; echo "build $?"
        "$2" verify --quick --tables "$1" >/dev/null; echo "verify $?"
        mount -o remount,nr_inodes=900 "$1"
        "$2" build --seeds 11 --tables "$1" >/dev/null; echo "build $?"
        "$2" verify --quick --tables "$1" >/dev/null; echo "verify $?"
    "#;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let shell = Command::new("unshare")
        .args(["-rm", "sh", "-c", SCRIPT, "sh"])
        .arg(folder.path())
        .arg(assert_cmd::cargo::cargo_bin!("oware"))
        .output();
    const LEFT_OUT: &str = "a build on a full disk: no file system can be mounted";
    let Ok(output) = shell else { return left_out(LEFT_OUT) };
    let run = Run::of(output);
    if run.status != 0 || run.stdout == "unsupported\n" {
        return left_out(LEFT_OUT);
    }
    assert_eq!(run.stdout, "build 1\nbuild 1\nverify 0\nbuild 0\nverify 0\n", "{run:?}");
    let messages: Vec<_> = run.stderr.lines().collect();
    assert_eq!(messages.len(), 2, "{run:?}");
    assert!(messages[0].contains("make room"), "{run:?}");
    assert!(messages[1].contains("No space left"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn memory_that_the_system_refuses_is_an_error_that_names_the_need() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let tables = folder.path().to_str().expect("a plain path");
    let limited = |kibibytes: u32, arguments: &str| {
        let program = env!("CARGO_BIN_EXE_oware");
        let command =
            format!("ulimit -v {kibibytes}; exec '{program}' {arguments} --tables '{tables}'");
        let output = std::process::Command::new("sh").args(["-c", &command]).output();
        let output = output.expect("sh");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(limited(3_000_000, "build --seeds 11").0, Some(0));
    // Whatever the limit, the work is done or refused, and never aborted.
    for kibibytes in [100_000, 150_000, 250_000, 400_000, 3_000_000] {
        for arguments in ["build --seeds 12", "build --seeds 11 --distances", "verify --deep"] {
            let (code, errors) = limited(kibibytes, arguments);
            let is_done = code == Some(0);
            let is_refused = code == Some(1)
                && ["needs ", " of memory", "which the system does not give"]
                    .iter()
                    .all(|words| errors.contains(words));
            assert!(is_done || is_refused, "{kibibytes}, {arguments}: {code:?}, {errors}");
        }
    }
    let (code, errors) = limited(150_000, "build --seeds 17");
    assert_eq!(code, Some(1));
    assert!(errors.contains("awari level 17 needs ") && errors.contains("ulimit -v"), "{errors}");
    let (code, errors) = limited(3_000_000, "verify --deep");
    assert_eq!(code, Some(0), "{errors}");
}
