//! The values of boards: the library's solver against a slow one of its own kind and against
//! published counts.

mod command;
mod documents;
#[path = "../rules/drawings.rs"]
mod drawings;
mod histograms;
#[path = "../naive/mod.rs"]
mod naive;
mod solver;
