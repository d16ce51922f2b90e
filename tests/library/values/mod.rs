//! The values of boards: the library's solver against a slow one of its own kind and against
//! published counts.

mod documents;
mod histograms;
mod solver;
