#!/usr/bin/env bash
# Fuzzes the table reader: any bytes, opened and decoded, give numbers in range or an error.
# Needs cargo-fuzz (cargo install cargo-fuzz); the installed compiler will do, whatever its channel.
#
#     scripts/fuzz.sh [SECONDS]          a minute unless told otherwise
#
# A crasher is left in tools/fuzz/artifacts/open_and_probe/; keep it as a case of
# tests/library/hostile_tables.rs. The summary of a run without one is kept in data/fuzz.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}

if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "fuzz.sh: cargo-fuzz is not installed: cargo install cargo-fuzz" >&2
    exit 1
fi

# Real tables to start from: rule sets, codecs, distances.
corpus=tools/fuzz/corpus/open_and_probe
tables=$(mktemp -d)
log=$(mktemp)
trap 'rm -rf "$tables" "$log"' EXIT
mkdir -p "$corpus"
cargo build --quiet --release
for rules in awari abapa two-lap; do
    target/release/oware build --seeds 4 --rules "$rules" --tables "$tables" --distances --progress never
    for table in "$tables"/*.oware; do mv "$table" "$corpus/fast-$(basename "$table")"; done
    target/release/oware build --seeds 4 --rules "$rules" --tables "$tables" --compact --progress never
    for table in "$tables"/*.oware; do mv "$table" "$corpus/compact-$(basename "$table")"; done
done

# Fuzzing asks for unstable compiler flags, which a stable compiler takes when told that it may.
export RUSTC_BOOTSTRAP=1
cargo fuzz run --fuzz-dir tools/fuzz open_and_probe -- \
    -max_total_time="$seconds" -max_len=65536 -timeout=10 2>&1 | tee "$log"
{
    echo "scripts/fuzz.sh $seconds, $(rustc --version), cargo-fuzz $(cargo fuzz --version | cut -d' ' -f2)"
    echo "inputs to begin with, features of the code reached, runs, crashes:"
    grep -E 'INITED' "$log" | tail -1
    grep -E 'DONE' "$log" | tail -1
    grep -E '^Done ' "$log"
    echo "crashes: $(find tools/fuzz/artifacts/open_and_probe -type f 2>/dev/null | wc -l)"
} >data/fuzz.txt
