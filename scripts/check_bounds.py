#!/usr/bin/env python3
"""Builds tables of bounds and holds their digests to data/golden_bounds.csv.

    cargo build --release
    scripts/check_bounds.py --seeds 16                  awari
    scripts/check_bounds.py --rules all --seeds 12      every rule set
    scripts/check_bounds.py --seeds 20 --record         adds levels that data/golden_bounds.csv lacks

Levels that are in the folder already are not built again. Exit status 1 at the first difference.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "data" / "golden_bounds.csv"
HEADER = "rules,seeds,boards,bounds_digest,exact_boards"
RULE_SETS = ["awari", "abapa", "wari", "leave-first", "leave-last", "opponent-takes-rest", "two-lap"]


def oware(program, folder, *arguments):
    command = [program, *arguments, "--tables", folder]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def levels(program, folder, rules, seeds):
    """The rows of the levels of a rule set, as data/golden_bounds.csv has them."""
    oware(program, folder, "build", "--bounds", "--seeds", str(seeds), "--rules", rules)
    info = json.loads(oware(program, folder, "info", "--json", "--rules", rules))
    for level in info["levels"]:
        bounds = level["bounds"]
        yield [rules, str(level["seeds"]), str(level["boards"]), bounds["digest"],
               str(bounds["exact_boards"])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="awari", help="a rule set, or all")
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--tables", help="folder to build in [default: a temporary one]")
    parser.add_argument("--program", default=str(ROOT / "target/release/oware"))
    parser.add_argument("--record", action="store_true", help="add levels that are not recorded yet")
    arguments = parser.parse_args()
    lines = GOLDEN.read_text().splitlines() if GOLDEN.exists() else [HEADER]
    recorded = {tuple(line.split(",")[:2]): line for line in lines[1:]}
    rule_sets = RULE_SETS if arguments.rules == "all" else [arguments.rules]
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.tables or temporary
        for rules in rule_sets:
            for row in levels(arguments.program, folder, rules, arguments.seeds):
                key, line = (row[0], row[1]), ",".join(row)
                if key not in recorded and arguments.record:
                    recorded[key] = line
                if recorded.get(key) != line:
                    sys.exit(f"differs: {line}\nrecorded: {recorded.get(key)}")
            print(f"{rules}: bounds to {arguments.seeds} seeds are as recorded")
    if arguments.record:
        order = sorted(recorded, key=lambda key: (RULE_SETS.index(key[0]), int(key[1])))
        GOLDEN.write_text("\n".join([HEADER, *(recorded[key] for key in order)]) + "\n")


if __name__ == "__main__":
    main()
