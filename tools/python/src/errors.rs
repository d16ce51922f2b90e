//! Errors of the library as exceptions. The classes are in `oware/_errors.py`, the messages are the
//! library's.

use oware::build::BuildError;
use oware::database::{BatchError, DatabaseError};
use oware::table::{TableError, TableErrorKind};
use pyo3::exceptions::{
    PyFileNotFoundError, PyMemoryError, PyOSError, PyPermissionError, PyValueError,
};
use pyo3::{PyErr, import_exception};
use std::io;

import_exception!(oware._errors, BoardError);
import_exception!(oware._errors, BuildStopped);
import_exception!(oware._errors, IllegalMoveError);
import_exception!(oware._errors, MissingTableError);
mod classes {
    pyo3::import_exception!(oware._errors, TableError);
}

pub(crate) fn of_database(error: &DatabaseError) -> PyErr {
    database_exception(error, error.to_string())
}

pub(crate) fn of_batch(error: &BatchError) -> PyErr {
    match error {
        BatchError::NotABoard { .. } => BoardError::new_err(error.to_string()),
        BatchError::Database { source, .. } => database_exception(source, error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

pub(crate) fn of_build(error: &BuildError) -> PyErr {
    let message = error.to_string();
    match error {
        BuildError::Table(source) => table_exception(source, message),
        BuildError::NoMemory { .. } | BuildError::MemoryRefused { .. } => {
            PyMemoryError::new_err(message)
        }
        BuildError::Io { source, .. } => io_exception(source.kind(), message),
        BuildError::NoDisk { .. } | BuildError::UnknownMemory => PyOSError::new_err(message),
        BuildError::Stopped => BuildStopped::new_err(message),
        _ => classes::TableError::new_err(message),
    }
}

pub(crate) fn of_memory(error: &io::Error) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

fn database_exception(error: &DatabaseError, message: String) -> PyErr {
    match error {
        DatabaseError::MissingLevel { .. }
        | DatabaseError::MissingDistances { .. }
        | DatabaseError::MissingBounds { .. }
        | DatabaseError::MissingRanks { .. } => MissingTableError::new_err(message),
        DatabaseError::Table(source) => table_exception(source, message),
        _ => classes::TableError::new_err(message),
    }
}

fn table_exception(error: &TableError, message: String) -> PyErr {
    match &error.kind {
        TableErrorKind::NoFolder => PyFileNotFoundError::new_err(message),
        TableErrorKind::FolderInUse => PyOSError::new_err(message),
        TableErrorKind::Io { source, .. } => io_exception(source.kind(), message),
        _ => classes::TableError::new_err(message),
    }
}

fn io_exception(kind: io::ErrorKind, message: String) -> PyErr {
    match kind {
        io::ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
        io::ErrorKind::PermissionDenied => PyPermissionError::new_err(message),
        io::ErrorKind::OutOfMemory => PyMemoryError::new_err(message),
        _ => PyOSError::new_err(message),
    }
}
