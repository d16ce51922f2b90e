#!/usr/bin/env python3
"""Batches in Python against batches in Rust, on the same boards of the same tables, alternating.

    oware build --seeds 12
    python benchmarks/batch.py tables

Rust's side is the example `probe` of the library (`examples/probe.rs`), which this compiles. Printed are
the rates and the median of the ratios of each round; `--min-ratio` makes it a test.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import time

import numpy as np

import oware

ROOT = pathlib.Path(__file__).resolve().parents[3]
BOARDS = 1_000_000


def spread_boards(database, seeds):
    """A million boards of a level, in no order."""
    chunks = list(database.iter_level(seeds))
    boards = np.concatenate([boards for boards, _ in chunks])
    values = np.concatenate([values for _, values in chunks])
    order = np.random.default_rng(1).integers(0, len(boards), BOARDS)
    return boards[order], values[order]


def python_rate(tables, rules, boards, values):
    with oware.Database.open(tables, rules) as database:
        start = time.perf_counter()
        found = database.values(boards)
        rate = len(boards) / (time.perf_counter() - start)
    assert (found == values).all()
    return rate


def rust_rates(tables):
    command = ["cargo", "run", "--release", "--quiet", "--example", "probe", "--", str(tables)]
    text = subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout
    rate = lambda name: float(re.search(rf"{name} +(\d+)", text)[1])
    return rate("batch"), rate("from arrays")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("tables", type=pathlib.Path)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--min-ratio", type=float, default=0.0)
    options = options.parse_args()
    tables = options.tables.resolve()
    with oware.Database.open(tables) as database:
        boards, values = spread_boards(database, database.levels()[-1])
    rounds = []
    for _ in range(options.rounds):
        python = python_rate(tables, "awari", boards, values)
        rounds.append((python, *rust_rates(tables)))
    for name, column in (("python", 0), ("rust, boards", 1), ("rust, arrays", 2)):
        print(f"{name:13} {statistics.median(row[column] for row in rounds):>10.0f} boards/s")
    ratio = statistics.median(row[0] / row[1] for row in rounds)
    arrays = statistics.median(row[0] / row[2] for row in rounds)
    print(f"python takes {BOARDS / statistics.median(row[0] for row in rounds):.2f} s for a million boards")
    print(f"ratio to lists of boards {ratio:.2f}, to arrays {arrays:.2f}")
    if arrays < options.min_ratio:
        raise SystemExit(f"the ratio {arrays:.2f} is below {options.min_ratio}")


if __name__ == "__main__":
    main()
