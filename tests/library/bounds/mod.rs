//! The bounds of boards: the library's solver against a slow one of its own kind, and against the
//! counts and boards under `data/`.

mod hostile;
mod play;
mod slow;
mod solver;
mod verify;
