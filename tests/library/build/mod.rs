//! Building tables: the same bytes whatever the threads, the memory and the interruptions, and
//! distances that mean what they say.

mod distances;
mod same_bytes;
