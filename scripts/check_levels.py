#!/usr/bin/env python3
"""Builds levels and holds them to the counts and digests under data/.

    cargo build --release
    scripts/check_levels.py --seeds 16                  awari, against published and golden results
    scripts/check_levels.py --rules all --seeds 10      every rule set, against the oracle's too
    scripts/check_levels.py --seeds 24 --record         adds levels that data/golden_levels.csv lacks
    scripts/check_levels.py --seeds 16 --deep           also with distance tables and `verify --deep`

Levels that are in the folder already are not built again. Exit status 1 at the first difference.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
GOLDEN = DATA / "golden_levels.csv"
GOLDEN_COLUMNS = ["rules", "seeds", "boards", "values_digest", "values", "all_values"]
RULE_SETS = ["awari", "abapa", "wari", "leave-first", "leave-last", "opponent-takes-rest", "two-lap"]


def rows(name):
    with open(DATA / name, encoding="utf-8", newline="") as file:
        yield from csv.DictReader(line for line in file if not line.startswith("#"))


def counts(entries):
    """A histogram without its empty values: {value: boards}."""
    return {int(value): int(boards) for value, boards in entries if int(boards)}


def expected_histograms():
    """{(rules, seeds, "values" or "all_values"): [(source, histogram), ...]}"""
    found = {}

    def add(source, rules, seeds, kind, value, boards):
        by_source = found.setdefault((rules, int(seeds), kind), {})
        by_source.setdefault(source, []).append((value, boards))

    for row in rows("lincke_histograms.csv"):
        add("published", "awari", row["seeds"], "all_values", row["value"], row["boards"])
    for row in rows("oracle_histograms.csv"):
        key = (row["rules"], row["seeds"])
        add("oracle", *key, "all_values", row["value"], row["all_boards"])
        add("oracle", *key, "values", row["value"], row["reachable_boards"])
    return {key: [(source, counts(entries)) for source, entries in by_source.items()]
            for key, by_source in found.items()}


def golden_row(rules, level):
    """A level of `info --json` as a row of data/golden_levels.csv."""
    def text(histogram):
        if histogram is None:
            return ""
        return " ".join(f"{value}:{boards}" for value, boards in sorted(counts(histogram.items()).items()))
    return {"rules": rules, "seeds": str(level["seeds"]), "boards": str(level["boards"]),
            "values_digest": level["values_digest"],
            "values": text(level["values"]), "all_values": text(level["all_values"])}


def check_level(rules, level, histograms, golden):
    """The names of what the level was held to."""
    seeds, held = level["seeds"], []
    for kind in ("values", "all_values"):
        for source, expected in histograms.get((rules, seeds, kind), []):
            found = counts(level[kind].items())
            for value in sorted(expected.keys() | found.keys()):
                if expected.get(value, 0) != found.get(value, 0):
                    sys.exit(f"{rules}, {seeds} seeds, {kind} {value}: {source} says "
                             f"{expected.get(value, 0)} boards, the table {found.get(value, 0)}")
            held.append(f"{source} {kind}")
    row = golden.get((rules, str(seeds)))
    if row is not None:
        found = golden_row(rules, level)
        for column in GOLDEN_COLUMNS:
            if row[column] != found[column]:
                sys.exit(f"{rules}, {seeds} seeds, {column}: the golden record says "
                         f"{row[column]}, the table {found[column]}")
        held.append("golden record")
    return held


def verify_deep(oware, common):
    """Has every level proved by its distance table; the lines that say so."""
    start = time.monotonic()
    run = subprocess.run([oware, "verify", "--deep", "--json", *common], stdout=subprocess.PIPE, text=True)
    report = json.loads(run.stdout)
    if run.returncode or report["findings"] or report["assumptions"]:
        sys.exit(f"verify --deep found something: {run.stdout}")
    for level in report["levels"]:
        if level["proof"] != "distances":
            sys.exit(f"level {level['seeds']} was verified by {level['proof']}, not by its distances")
    boards = sum(level["boards"] for level in report["levels"])
    last = report["levels"][-1]["seeds"]
    return (f"verify --deep: levels 0 to {last}, {boards} boards, nothing assumed, nothing wrong: "
            f"{time.monotonic() - start:.1f} s")


def write_golden(golden):
    order = sorted(golden.values(), key=lambda row: (RULE_SETS.index(row["rules"]), int(row["seeds"])))
    with open(GOLDEN, "w", encoding="utf-8", newline="") as file:
        file.write(",".join(GOLDEN_COLUMNS) + "\n")
        file.write("# written by scripts/check_levels.py --record; values count reachable boards\n")
        csv.DictWriter(file, GOLDEN_COLUMNS, lineterminator="\n").writerows(order)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rules", default="awari", help="a rule set, or all")
    options.add_argument("--seeds", type=int, default=16)
    options.add_argument("--tables", type=pathlib.Path, help="folder of tables (default: a passing one)")
    options.add_argument("--oware", default=ROOT / "target/release/oware", help="the program")
    options.add_argument("--deep", action="store_true", help="with distances, and `verify --deep`")
    options.add_argument("--record", action="store_true", help="add levels to the golden record")
    options = options.parse_args()
    histograms = expected_histograms()
    golden = {}
    if GOLDEN.exists():
        golden = {(row["rules"], row["seeds"]): row for row in rows(GOLDEN.name)}
    with tempfile.TemporaryDirectory() as passing:
        tables = options.tables or passing
        for rules in RULE_SETS if options.rules == "all" else [options.rules]:
            common = ["--rules", rules, "--tables", str(tables)]
            more = ["--distances"] if options.deep else []
            subprocess.run([options.oware, "build", "--seeds", str(options.seeds), *more, *common], check=True)
            info = subprocess.run([options.oware, "info", "--json", *common],
                                  check=True, stdout=subprocess.PIPE, text=True)
            for level in json.loads(info.stdout)["levels"]:
                if level["seeds"] > options.seeds:
                    continue
                held = check_level(rules, level, histograms, golden)
                print(f"{rules}, {level['seeds']} seeds: {', '.join(held) or 'nothing to hold it to'}")
                if options.record:
                    golden.setdefault((rules, str(level["seeds"])), golden_row(rules, level))
            if options.deep:
                print(f"{rules}, {verify_deep(options.oware, common)}")
    if options.record:
        write_golden(golden)


if __name__ == "__main__":
    main()
