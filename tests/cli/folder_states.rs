//! One judgement of what a folder holds: whatever the state of a table, `build`, `plan`, the
//! database, `verify`, `doctor` and `info` name the same file and the same fault.

use crate::program::{Run, run_on};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

/// What a build does with a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    Keeps,
    Makes,
    Refuses,
}

struct Case {
    state: &'static str,
    level: usize,
    file: &'static str,
    make: fn(&Path),
    /// Words of the fault; empty for a table without one.
    fault: &'static str,
    build: Build,
    forced: Build,
}

const VALUES: &str = "awari-04.oware";
const DISTANCES: &str = "awari-04.distance.oware";

const CASES: [Case; 13] = [
    Case {
        state: "whole",
        level: 4,
        file: VALUES,
        make: |_| {},
        fault: "",
        build: Build::Keeps,
        forced: Build::Keeps,
    },
    Case {
        state: "missing, a gap in the middle",
        level: 4,
        file: VALUES,
        make: |path| fs::remove_file(path).expect("removed"),
        fault: "",
        build: Build::Makes,
        forced: Build::Makes,
    },
    Case {
        state: "missing distances",
        level: 4,
        file: DISTANCES,
        make: |path| fs::remove_file(path).expect("removed"),
        fault: "",
        build: Build::Makes,
        forced: Build::Makes,
    },
    Case {
        state: "truncated",
        level: 4,
        file: VALUES,
        make: |path| change(path, |bytes| bytes.truncate(bytes.len() - 1)),
        fault: "bytes where",
        build: Build::Refuses,
        forced: Build::Makes,
    },
    Case {
        state: "cut inside the header",
        level: 4,
        file: VALUES,
        make: |path| change(path, |bytes| bytes.truncate(100)),
        fault: "bytes where",
        build: Build::Refuses,
        forced: Build::Makes,
    },
    Case {
        state: "a flipped bit in the header",
        level: 4,
        file: VALUES,
        make: |path| change(path, |bytes| bytes[40] ^= 1),
        fault: "is damaged (its header)",
        build: Build::Refuses,
        forced: Build::Makes,
    },
    Case {
        state: "a flipped bit in the header of distances",
        level: 4,
        file: DISTANCES,
        make: |path| change(path, |bytes| bytes[40] ^= 1),
        fault: "is damaged (its header)",
        build: Build::Refuses,
        forced: Build::Makes,
    },
    Case {
        state: "another level's table under this name",
        level: 4,
        file: VALUES,
        make: |path| {
            fs::copy(path.with_file_name("awari-03.oware"), path).expect("copied");
        },
        fault: "holds values of awari at 3 seeds, not values of awari at 4 seeds",
        build: Build::Refuses,
        forced: Build::Makes,
    },
    Case {
        state: "foreign values",
        level: 4,
        file: VALUES,
        make: |path| {
            change(path, |bytes| {
                let digest_of_level_2 = header_bytes(bytes) - 8 - 16 * 2;
                bytes[digest_of_level_2] ^= 1;
                repair_header(bytes);
            });
        },
        fault: "was computed from another level of 2 seeds than the one beside it",
        build: Build::Refuses,
        forced: Build::Makes,
    },
    Case {
        state: "foreign distances with a sound header",
        level: 4,
        file: DISTANCES,
        make: |path| {
            change(path, |bytes| {
                bytes[32] ^= 1;
                repair_header(bytes);
            });
        },
        fault: "was computed from another level of 4 seeds than the one beside it",
        build: Build::Refuses,
        forced: Build::Makes,
    },
    Case {
        state: "an older format version",
        level: 5,
        file: "awari-05.oware",
        make: |path| {
            let kept = concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/library/format/version-1/awari-05.oware"
            );
            fs::copy(kept, path).expect("copied");
        },
        fault: "has format version 1, this program reads version 2",
        build: Build::Refuses,
        forced: Build::Makes,
    },
    Case {
        state: "a folder in its place",
        level: 4,
        file: VALUES,
        make: |path| {
            fs::remove_file(path).expect("removed");
            fs::create_dir(path).expect("a folder");
        },
        fault: "is not a file",
        build: Build::Refuses,
        forced: Build::Refuses,
    },
    // Root reads files whatever their permissions; nobody reads a link to itself.
    Case {
        state: "unreadable",
        level: 4,
        file: VALUES,
        make: |path| {
            fs::remove_file(path).expect("removed");
            #[cfg(unix)]
            std::os::unix::fs::symlink(path, path).expect("a link");
        },
        fault: "cannot open",
        build: Build::Refuses,
        forced: Build::Refuses,
    },
];

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).expect("a table");
    change(&mut bytes);
    fs::write(path, bytes).expect("written");
}

fn header_bytes(bytes: &[u8]) -> usize {
    u32::from_le_bytes(bytes[72..76].try_into().expect("4 bytes")) as usize
}

fn repair_header(bytes: &mut [u8]) {
    let end = header_bytes(bytes) - 8;
    let checksum = xxh3_64(&bytes[..end]).to_le_bytes();
    bytes[end..end + 8].copy_from_slice(&checksum);
}

/// A copy of a folder with values and distances of 0 to 6 seeds.
fn copy_of_tables() -> TempDir {
    static TABLES: LazyLock<TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        run_on(folder.path(), &["build", "--seeds", "6", "--distances"]).succeeded();
        folder
    });
    let folder = tempfile::tempdir().expect("a temporary folder");
    for entry in fs::read_dir(TABLES.path()).expect("the tables") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, folder.path().join(path.file_name().expect("a name"))).expect("a copy");
    }
    folder
}

impl Case {
    fn is_faulty(&self) -> bool {
        !self.fault.is_empty()
    }

    fn is_missing(&self) -> bool {
        self.build == Build::Makes
    }

    fn is_of_values(&self) -> bool {
        !self.file.contains("distance")
    }

    /// The run refuses the folder because of this table.
    fn refuses(&self, run: Run) {
        run.failed(1, &[self.file, self.fault]);
    }

    fn check_build(&self, build: Build, arguments: &[&str]) {
        let folder = self.folder();
        let run = run_on(folder.path(), arguments);
        match build {
            Build::Keeps => {
                assert!(run.succeeded().stdout.starts_with("all awari tables"), "{}", self.state);
            }
            Build::Makes => {
                assert!(run.succeeded().stdout.starts_with("built 1 awari"), "{}", self.state);
                run_on(folder.path(), &["verify"]).succeeded();
            }
            Build::Refuses => self.refuses(run),
        }
    }

    fn folder(&self) -> TempDir {
        let folder = copy_of_tables();
        (self.make)(&folder.path().join(self.file));
        folder
    }

    fn check_plan(&self, folder: &Path) {
        let run = run_on(folder, &["plan", "--seeds", "6", "--distances", "--json"]);
        if self.build == Build::Refuses {
            return self.refuses(run);
        }
        let plan = run.succeeded().json();
        for (level, planned) in plan["levels"].as_array().expect("levels").iter().enumerate() {
            let is_made = level == self.level && self.is_missing();
            assert_eq!(planned["exists"], !is_made, "{}", self.state);
        }
    }

    /// Probes a board of the level: an answer, or the same fault.
    fn check_database(&self, folder: &Path) {
        let board = ["0 0 0 0 1 1 1 0 0 1 0 0", "0 0 0 0 1 1 1 0 0 1 1 0"][self.level - 4];
        let run = run_on(folder, &["query", board, "--json"]);
        if !self.is_of_values() {
            // Values need no distances.
            assert!(run.succeeded().json()["value"].is_number(), "{}", self.state);
        } else if self.is_faulty() {
            self.refuses(run);
        } else if self.is_missing() {
            run.failed(1, &["no awari table of 4 seeds", "oware build --seeds 4"]);
        } else {
            assert!(run.succeeded().json()["value"].is_number(), "{}", self.state);
        }
    }

    fn check_verify(&self, folder: &Path) {
        let run = run_on(folder, &["verify", "--quick"]);
        if self.is_faulty() {
            let wrong = format!("{}: {run:?}", self.state);
            assert!(run.stdout.contains(self.fault), "{wrong}");
            run.found_wrong(self.file);
        } else if self.is_missing() && self.is_of_values() {
            run.found_wrong(self.file);
        } else {
            run.succeeded();
        }
    }

    fn check_doctor(&self, folder: &Path) {
        let run = run_on(folder, &["doctor", "--headers"]);
        if self.is_faulty() {
            assert_eq!(run.status, 1, "{}: {run:?}", self.state);
            assert!(run.stdout.contains(self.file), "{}: {run:?}", self.state);
            assert!(run.stdout.contains(self.fault), "{}: {run:?}", self.state);
        } else if self.is_missing() && self.is_of_values() {
            assert_eq!(run.status, 1, "{}: {run:?}", self.state);
            assert!(run.stdout.contains("missing: levels 4"), "{}: {run:?}", self.state);
        } else {
            run.succeeded();
        }
    }

    fn check_info(&self, folder: &Path) {
        let run = run_on(folder, &["info"]);
        if self.is_faulty() {
            self.refuses(run);
        } else {
            run.succeeded();
        }
    }
}

#[test]
fn every_command_judges_every_state_of_a_table_alike() {
    for case in CASES {
        case.check_build(case.build, &["build", "--seeds", "6", "--distances"]);
        case.check_build(case.forced, &["build", "--seeds", "6", "--distances", "--force"]);
        let folder = case.folder();
        case.check_plan(folder.path());
        case.check_database(folder.path());
        case.check_verify(folder.path());
        case.check_doctor(folder.path());
        case.check_info(folder.path());
    }
}
