#!/usr/bin/env bash
# Makes the package for Debian and its relatives: the command, its manual pages and completions.
# Needs cargo-deb (cargo install cargo-deb). The package is in target/debian/.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --locked --bin oware
release=${CARGO_TARGET_DIR:-target}/release
made=$release/deb
rm -rf "$made"
mkdir -p "$made/man"
oware=$release/oware
"$oware" man --to "$made/man"
"$oware" completions bash > "$made/oware.bash"
"$oware" completions fish > "$made/oware.fish"
"$oware" completions zsh > "$made/_oware"
cargo deb --no-build --locked
