#!/usr/bin/env bash
# Fuzzes the table reader: any bytes, opened and decoded, give numbers in range or an error.
# Needs a nightly compiler and cargo-fuzz (cargo install cargo-fuzz).
#
#     scripts/fuzz.sh [SECONDS]          a minute unless told otherwise
#
# A crasher is left in tools/fuzz/artifacts/open_and_probe/; keep it as a case of
# tests/hostile_tables.rs.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}

if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "fuzz.sh: cargo-fuzz is not installed: cargo install cargo-fuzz" >&2
    exit 1
fi

# Real tables of each rule set to start from.
corpus=tools/fuzz/corpus/open_and_probe
tables=$(mktemp -d)
trap 'rm -rf "$tables"' EXIT
mkdir -p "$corpus"
for rules in awari abapa two-lap; do
    cargo run --quiet --release -- build --seeds 4 --rules "$rules" --tables "$tables/t" --progress never >&2
done
cp "$tables"/t/*.oware "$corpus"/

cargo +nightly fuzz run --fuzz-dir tools/fuzz open_and_probe -- -max_total_time="$seconds" -max_len=65536
