//! The library, from boards to games: everything that needs no command line.

mod bounds;
mod build;
mod counts;
mod database;
mod database_files;
mod drawings;
mod format;
mod game;
mod game_files;
mod game_ogn;
mod game_perft;
mod grade;
mod header_bits;
mod hostile_tables;
mod layout;
mod match_play;
mod naive;
mod notation;
mod play_perfect;
mod quick_disk;
mod read_table;
mod rules;
mod search;
mod spliced_levels;
mod values;
mod verify;
