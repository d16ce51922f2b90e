//! Folders with one table that cannot be used: single probes and batches give the same answers and
//! the same errors, which name what is wrong.

use crate::layout::{layout, repair_header};
use crate::quick_disk::write_levels;
use oware::database::{Backend, Database, DatabaseError};
use oware::index::LevelIndex;
use oware::rules::{Board, Rules, Seeds};
use oware::solve::solve_in_memory;
use oware::table::{TableErrorKind, TableId};
use std::fs;
use std::path::Path;

const RULES: Rules = Rules::Awari;
const MOST: Seeds = Seeds::of(7);

/// A way to spoil a table, and whether an error names it.
struct Kind {
    name: &'static str,
    spoil: fn(&Path),
    names_it: fn(&DatabaseError) -> bool,
}

fn table_error(error: &DatabaseError) -> Option<&TableErrorKind> {
    match error {
        DatabaseError::Table(error) => Some(&error.kind),
        _ => None,
    }
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).expect("a table");
    change(&mut bytes);
    fs::write(path, bytes).expect("written");
}

fn is_damaged(error: &DatabaseError) -> bool {
    matches!(table_error(error), Some(TableErrorKind::Damaged(_)))
}

const KINDS: [Kind; 10] = [
    Kind {
        name: "missing",
        spoil: |path| fs::remove_file(path).expect("removed"),
        names_it: |error| matches!(error, DatabaseError::MissingLevel { .. }),
    },
    Kind {
        name: "header damaged",
        spoil: |path| change(path, |bytes| bytes[140] ^= 1),
        names_it: is_damaged,
    },
    Kind {
        name: "a block damaged",
        spoil: |path| {
            change(path, |bytes| {
                let starts = layout(bytes).block_starts;
                let at = starts[starts.len() / 2] + 5;
                bytes[at] ^= 1;
            });
        },
        names_it: is_damaged,
    },
    Kind {
        name: "every block damaged",
        spoil: |path| {
            change(path, |bytes| {
                let starts = layout(bytes).block_starts;
                starts[..starts.len() - 1].iter().for_each(|&at| bytes[at] ^= 1);
            });
        },
        names_it: is_damaged,
    },
    Kind {
        name: "model or index damaged",
        spoil: |path| {
            change(path, |bytes| {
                let at = bytes.len() - 20;
                bytes[at] ^= 1;
            });
        },
        names_it: is_damaged,
    },
    Kind {
        name: "cut",
        spoil: |path| change(path, |bytes| bytes.truncate(bytes.len() - 1)),
        names_it: |error| matches!(table_error(error), Some(TableErrorKind::WrongLength { .. })),
    },
    Kind {
        name: "with bytes after its end",
        spoil: |path| change(path, |bytes| bytes.push(0)),
        names_it: |error| matches!(table_error(error), Some(TableErrorKind::WrongLength { .. })),
    },
    Kind {
        name: "of an older version",
        spoil: |path| {
            change(path, |bytes| {
                bytes[8] = 1;
                repair_header(bytes);
            });
        },
        names_it: |error| matches!(table_error(error), Some(TableErrorKind::OtherVersion { .. })),
    },
    Kind {
        name: "computed from another level",
        spoil: |path| {
            change(path, |bytes| {
                let digest_of_level_0 =
                    layout(bytes).header_bytes - 8 - 16 * usize::from(bytes[12]);
                bytes[digest_of_level_0] ^= 1;
                repair_header(bytes);
            });
        },
        names_it: |error| matches!(table_error(error), Some(TableErrorKind::ForeignLevel { .. })),
    },
    Kind {
        name: "a folder",
        spoil: |path| {
            fs::remove_file(path).expect("removed");
            fs::create_dir(path).expect("a folder");
        },
        names_it: |error| matches!(table_error(error), Some(TableErrorKind::NotAFile)),
    },
];

#[test]
fn single_probes_and_batches_say_the_same_of_every_damaged_folder() {
    let levels = solve_in_memory(RULES, MOST).expect("memory");
    let whole = Database::from_levels(RULES, solve_in_memory(RULES, MOST).expect("memory"));
    let mut boards: Vec<Board> = vec!["0 0 0 0 0 2 1 1 0 1 0 0".parse().expect("a board")];
    for seeds in MOST.up_to() {
        let some = LevelIndex::new(seeds).boards_from(0).step_by(3 + 4 * seeds.index());
        boards.extend(some.flat_map(|board| [board, board.flipped()]));
    }
    let asked = Asked { whole, boards };
    for kind in KINDS {
        for spoilt in [3, 5, 7].map(Seeds::of) {
            for also_missing in [None, Some(Seeds::of(1)), Some(Seeds::of(3))] {
                let place = tempfile::tempdir().expect("a temporary folder");
                let path = |seeds| place.path().join(TableId::values(RULES, seeds).file_name());
                write_levels(place.path(), RULES, &levels);
                (kind.spoil)(&path(spoilt));
                if let Some(seeds) = also_missing.filter(|&seeds| seeds != spoilt) {
                    fs::remove_file(path(seeds)).expect("removed");
                }
                let what = format!("{} at {spoilt}, {also_missing:?} missing", kind.name);
                asked.compare(place.path(), &kind, &what);
            }
        }
    }
}

/// The boards that every folder is asked for, and where their values are known.
struct Asked {
    whole: Database,
    boards: Vec<Board>,
}

impl Asked {
    fn compare(&self, folder: &Path, kind: &Kind, what: &str) {
        let names_it = |error: &DatabaseError| {
            (kind.names_it)(error) || matches!(error, DatabaseError::MissingLevel { .. })
        };
        for (backend, cache) in [(Backend::Mapped, 1 << 20), (Backend::Read, 0)] {
            let options = Database::options().backend(backend).cache_bytes(cache);
            let database = options.open(folder, RULES).expect("opens");
            let batch = (database.values(&self.boards), database.moves_batch(&self.boards));
            let mut named = 0;
            for ((&board, value), moves) in self.boards.iter().zip(&batch.0).zip(&batch.1) {
                let what = format!("{what}, {backend:?}: {board}");
                let single = (database.value(board), database.moves(board));
                assert_eq!(format!("{:?}", single.0), format!("{value:?}"), "{what}");
                assert_eq!(format!("{:?}", single.1), format!("{moves:?}"), "{what}");
                if let Ok(value) = single.0 {
                    assert_eq!(value, self.whole.value(board).expect("held"), "{what}");
                }
                for error in single.0.err().iter().chain(&single.1.err()) {
                    assert!(names_it(error), "{what}: {error}");
                    named += usize::from((kind.names_it)(error));
                }
            }
            assert!(named > 0, "{what}");
        }
    }
}
