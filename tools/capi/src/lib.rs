//! The database from C: `include/oware.h` says what each function does.
//!
//! Pointers are turned into references, slices and text at the top of each function and nowhere
//! else; the work is done by safe code that returns a `Result`. A failure's text is kept for the
//! thread that asked. A panic, which would be a mistake in the library, is a failure as well.
#![expect(unsafe_code, reason = "C hands over pointers and looks functions up by name")]

use oware::database::{Backend, Database, MoveValue};
use oware::rules::{BOARD_PITS, Board, Rules, Seeds};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// In place of a value that could not be found.
const NO_VALUE: i8 = 127;

const DEFAULT_CACHE_BYTES: u64 = 64 << 20;

/// A legal move, as in the header.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OwareMove {
    pit: u8,
    captured: u8,
    value: i8,
}

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

/// Runs a function's work; a failure or a panic becomes `failed` and a text.
fn guard<R>(failed: R, work: impl FnOnce() -> Result<R, String>) -> R {
    let result = catch_unwind(AssertUnwindSafe(work));
    let text = match result {
        Ok(Ok(result)) => return result,
        Ok(Err(text)) => text,
        Err(_) => "the library failed; please report what was asked".to_owned(),
    };
    remember(&text);
    failed
}

fn remember(text: &str) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    ERROR.with_borrow_mut(|error| *error = text);
}

fn board_of(pits: &[u8; BOARD_PITS]) -> Result<Board, String> {
    Board::new(*pits).ok_or_else(|| "a board has at most 48 seeds".to_owned())
}

/// # Safety
/// `text` is null or a C string.
unsafe fn text_of<'a>(text: *const c_char, what: &str) -> Result<&'a str, String> {
    if text.is_null() {
        return Err(format!("no {what} given"));
    }
    // SAFETY: not null, and so a C string by this function's contract.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| format!("the {what} is not UTF-8"))
}

/// # Safety
/// `pointer` is null or points to a `T` that nobody changes for as long as `'a`.
unsafe fn reference<'a, T>(pointer: *const T, what: &str) -> Result<&'a T, String> {
    // SAFETY: this function's contract.
    unsafe { pointer.as_ref() }.ok_or_else(|| format!("no {what} given"))
}

/// Opens the tables of a rule set.
///
/// # Safety
/// `folder` and `rules` are null or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_open(
    folder: *const c_char,
    rules: *const c_char,
    cache_bytes: u64,
) -> *mut Database {
    guard(std::ptr::null_mut(), || {
        // SAFETY: this function's contract.
        unsafe { open(folder, rules, cache_bytes, Backend::default()) }
    })
}

/// Opens the tables of a rule set, as [`oware_open`] does, with a way to read files: 0 mapped, 1 read
/// on demand, 2 whole files in memory.
///
/// # Safety
/// As [`oware_open`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_open_with(
    folder: *const c_char,
    rules: *const c_char,
    cache_bytes: u64,
    backend: c_int,
) -> *mut Database {
    guard(std::ptr::null_mut(), || {
        let backend = match backend {
            0 => Backend::Mapped,
            1 => Backend::Read,
            2 => Backend::Memory,
            other => return Err(format!("{other} is not a way to read files: 0, 1 or 2")),
        };
        // SAFETY: this function's contract.
        unsafe { open(folder, rules, cache_bytes, backend) }
    })
}

/// # Safety
/// As [`oware_open`].
unsafe fn open(
    folder: *const c_char,
    rules: *const c_char,
    cache_bytes: u64,
    backend: Backend,
) -> Result<*mut Database, String> {
    // SAFETY: this function's contract.
    let (folder, rules) = unsafe { (text_of(folder, "folder")?, text_of(rules, "rule set")?) };
    let rules: Rules = rules.parse().map_err(|error| format!("{error}"))?;
    let cache_bytes = if cache_bytes == 0 { DEFAULT_CACHE_BYTES } else { cache_bytes };
    let options = Database::options().cache_bytes(cache_bytes).backend(backend);
    let database = options.open(folder, rules).map_err(|error| error.to_string())?;
    Ok(Box::into_raw(Box::new(database)))
}

/// Closes a database.
///
/// # Safety
/// `database` is null or came from [`oware_open`], was not closed, and is in use by no thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_close(database: *mut Database) {
    guard((), || {
        if !database.is_null() {
            // SAFETY: it was made by `Box::into_raw` in `oware_open`, and is not used any more.
            drop(unsafe { Box::from_raw(database) });
        }
        Ok(())
    });
}

/// Whether boards of so many seeds can be answered.
///
/// # Safety
/// `database` is null or an open database.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_has_level(database: *const Database, seeds: u8) -> c_int {
    guard(0, || {
        // SAFETY: this function's contract.
        let database = unsafe { reference(database, "database")? };
        Ok(c_int::from(Seeds::new(seeds).is_some_and(|seeds| database.has_level(seeds))))
    })
}

/// The value of a board.
///
/// # Safety
/// `database` is null or an open database, `board` null or 12 bytes, `value` null or a byte to
/// write to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_value(
    database: *const Database,
    board: *const [u8; BOARD_PITS],
    value: *mut i8,
) -> c_int {
    guard(-1, || {
        // SAFETY: this function's contract.
        let (database, board) =
            unsafe { (reference(database, "database")?, reference(board, "board")?) };
        let found = database.value(board_of(board)?).map_err(|error| error.to_string())?;
        // SAFETY: this function's contract.
        let value = unsafe { value.as_mut() }.ok_or("no place for the value given")?;
        *value = found.get();
        Ok(0)
    })
}

/// The bounds of a board: what its mover secures, and the most that it can hope for, whatever settles
/// endless play.
///
/// # Safety
/// `database` is null or an open database, `board` null or 12 bytes, `low` and `high` null or a byte
/// each to write to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_bounds(
    database: *const Database,
    board: *const [u8; BOARD_PITS],
    low: *mut i8,
    high: *mut i8,
) -> c_int {
    guard(-1, || {
        // SAFETY: this function's contract.
        let (database, board) =
            unsafe { (reference(database, "database")?, reference(board, "board")?) };
        let found = database.bounds(board_of(board)?).map_err(|error| error.to_string())?;
        // SAFETY: this function's contract.
        let places = unsafe { (low.as_mut(), high.as_mut()) };
        let (Some(low), Some(high)) = places else {
            return Err("no place for the bounds given".to_owned());
        };
        (*low, *high) = (found.low().get(), found.high().get());
        Ok(0)
    })
}

/// The legal moves of a board.
///
/// # Safety
/// `database` is null or an open database, `board` null or 12 bytes, `moves` null or room for six.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_moves(
    database: *const Database,
    board: *const [u8; BOARD_PITS],
    moves: *mut [OwareMove; 6],
) -> c_int {
    guard(-1, || {
        // SAFETY: this function's contract.
        let (database, board) =
            unsafe { (reference(database, "database")?, reference(board, "board")?) };
        let found = database.moves(board_of(board)?).map_err(|error| error.to_string())?;
        if moves.is_null() {
            return Err("no place for the moves given".to_owned());
        }
        for (place, &MoveValue { pit, captured, value, .. }) in found.iter().enumerate() {
            let pit = u8::try_from(pit.place()).unwrap_or(u8::MAX);
            // SAFETY: not null, and by this function's contract room for six moves; a board has no
            // more. The room need not be initialised.
            unsafe {
                moves.cast::<OwareMove>().add(place).write(OwareMove {
                    pit,
                    captured,
                    value: value.get(),
                });
            }
        }
        Ok(c_int::try_from(found.len()).unwrap_or(-1))
    })
}

/// The values of many boards.
///
/// # Safety
/// `database` is null or an open database, `boards` null or 12 bytes for each of `count` boards,
/// `values` null or room for `count` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_values(
    database: *const Database,
    boards: *const [u8; BOARD_PITS],
    count: usize,
    values: *mut i8,
) -> i64 {
    guard(-1, || {
        // SAFETY: this function's contract.
        let database = unsafe { reference(database, "database")? };
        if count == 0 {
            return Ok(0);
        }
        if boards.is_null() || values.is_null() {
            return Err("no boards or no place for the values given".to_owned());
        }
        // SAFETY: not null, and by this function's contract `count` boards.
        let pits = unsafe { std::slice::from_raw_parts(boards, count) };
        let mut asked = Vec::with_capacity(count);
        let mut found = vec![NO_VALUE; count];
        let mut failed = 0;
        let mut fail = |text: &str| {
            if failed == 0 {
                remember(text);
            }
            failed += 1;
        };
        for (place, pits) in pits.iter().enumerate() {
            match board_of(pits) {
                Ok(board) => asked.push((place, board)),
                Err(text) => fail(&text),
            }
        }
        let boards: Vec<Board> = asked.iter().map(|&(_, board)| board).collect();
        for ((place, _), value) in asked.into_iter().zip(database.values(&boards)) {
            match value {
                Ok(value) => found[place] = value.get(),
                Err(error) => fail(&error.to_string()),
            }
        }
        // SAFETY: not null, by this function's contract room for `count` bytes, and `found` is
        // memory of our own.
        unsafe { std::ptr::copy_nonoverlapping(found.as_ptr(), values, count) };
        Ok(failed)
    })
}

/// Why the last call in this thread failed.
#[unsafe(no_mangle)]
pub extern "C" fn oware_error() -> *const c_char {
    ERROR.with_borrow(|error| error.as_ptr())
}
