//! Running the real binary, and what every run is held to.

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::Output;
use std::sync::LazyLock;
use tempfile::TempDir;

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Self {
            status: output.status.code().expect("the program is not ended by a signal"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// The lines of standard output, each of which is JSON.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).expect("a line of JSON");
        self.stdout.lines().map(parse).collect()
    }

    /// The only line of standard output.
    pub(crate) fn json(&self) -> Value {
        let mut lines = self.json_lines();
        assert_eq!(lines.len(), 1, "{self:?}");
        lines.remove(0)
    }

    pub(crate) fn succeeded(self) -> Self {
        assert_eq!(self.status, 0, "{self:?}");
        self
    }

    /// The run failed with this status and one line on standard error, which holds each of
    /// `words`.
    pub(crate) fn failed(self, status: i32, words: &[&str]) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        assert!(self.stderr.starts_with("oware: "), "{self:?}");
        for word in words {
            assert!(self.stderr.contains(word), "no '{word}' in {self:?}");
        }
        self
    }

    /// A verification found something about this file.
    pub(crate) fn found_wrong(self, file: &str) -> Self {
        let run = self.failed(1, &["verification found"]);
        let findings = run.stdout.lines().filter(|line| line.starts_with("wrong: "));
        assert!(findings.clone().any(|line| line.contains(file)), "no {file} in {run:?}");
        run
    }
}

/// The variables of a user who has no data, and so no tables by default.
pub(crate) const NO_DATA: [(&str, &str); 2] = [
    ("XDG_DATA_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-data")),
    ("HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-home")),
];

/// The program with an environment of its own.
pub(crate) fn oware() -> assert_cmd::Command {
    let mut command = cargo_bin_cmd!("oware");
    command.env_remove("OWARE_TABLES").envs(NO_DATA);
    command
}

/// Says that a test, or a part of one, is left out here. Past the harness, which shows nothing of
/// tests that pass.
pub(crate) fn left_out(what: &str) {
    let _ = writeln!(std::io::stderr(), "left out: {what}");
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &[&str]) -> Run {
    Run::of(oware().args(arguments).output().expect("the program starts"))
}

/// Runs the program on tables in a folder.
pub(crate) fn run_on(tables: &Path, arguments: &[&str]) -> Run {
    run_on_with_input(tables, arguments, "")
}

/// Runs the program on tables in a folder, with this on standard input.
pub(crate) fn run_on_with_input(tables: &Path, arguments: &[&str], input: &str) -> Run {
    let mut command = oware();
    command.args(arguments).arg("--tables").arg(tables).write_stdin(input);
    Run::of(command.output().expect("the program starts"))
}

/// A folder with `awari` tables of 0 to 9 seeds, built once a test run and not to be changed.
pub(crate) fn tables_to_9() -> &'static Path {
    static TABLES: LazyLock<TempDir> = LazyLock::new(|| built(&["--seeds", "9"]));
    TABLES.path()
}

/// The same to 16 seeds.
pub(crate) fn tables_to_16() -> &'static Path {
    static TABLES: LazyLock<TempDir> = LazyLock::new(|| built(&["--seeds", "16"]));
    TABLES.path()
}

/// The same to 8 seeds, with distances.
pub(crate) fn tables_with_distances() -> &'static Path {
    static TABLES: LazyLock<TempDir> = LazyLock::new(|| built(&["--seeds", "8", "--distances"]));
    TABLES.path()
}

fn built(options: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    run_on(folder.path(), &[&["build"], options].concat()).succeeded();
    folder
}

/// Whether this process ignores a signal, as those that a shell starts in the background ignore INT.
/// The programs that it starts then ignore it too.
pub(crate) fn ignores(signal: &str) -> bool {
    let bit = match signal {
        "HUP" => 0,
        "INT" => 1,
        _ => return false,
    };
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.unwrap_or_default() >> bit & 1 == 1
}
