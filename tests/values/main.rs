//! The values of boards: a slow solver of their own kind, published histograms, and the library.

mod histograms;
#[path = "../rules/naive.rs"]
mod naive;
mod sweeps;
