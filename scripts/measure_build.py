#!/usr/bin/env python3
"""Builds levels and prints, as each is written: time and peak memory so far, and what it took.

    cargo build --release
    scripts/measure_build.py --seeds 20
    scripts/measure_build.py --seeds 20 --rules abapa -- --memory 1G --threads 1

What follows -- is handed to `oware build`.
"""
import argparse
import contextlib
import math
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--rules", default="awari")
    parser.add_argument("--oware", default=str(ROOT / "target/release/oware"))
    parser.add_argument("--tables", help="folder that stays (default: a passing one)")
    parser.add_argument("more", nargs="*")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() if not arguments.tables else contextlib.nullcontext(arguments.tables) as folder:
        command = [arguments.oware, "build", "--seeds", str(arguments.seeds), "--rules", arguments.rules,
                   "--tables", folder, "--progress", "always", *arguments.more]
        print("$", " ".join(command).replace(folder, "FOLDER"))
        start = time.monotonic()
        run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        lines = []
        for line in run.stderr:
            lines.append(line)
            if "solved in" in line:
                print(f"{time.monotonic() - start:7.1f} s {peak_mebibytes(run.pid):6.0f} MiB  {line.strip()}", flush=True)
        run.wait()
        wall = time.monotonic() - start
        tables = [path.stat().st_size for path in pathlib.Path(folder).glob("*.oware")]
    if run.returncode:
        print("".join(lines))
        return run.returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    boards = sum(boards_of(seeds) for seeds in range(arguments.seeds + 1))
    print(f"{boards} boards in {wall:.1f} s: {boards / wall / 1e6:.1f} million boards/s; "
          f"processor time {used.ru_utime + used.ru_stime:.1f} s, peak memory {used.ru_maxrss / 1024:.0f} MiB, "
          f"{sum(tables)} bytes of tables, {8 * sum(tables) / boards:.3f} bits a board")
    return 0


def boards_of(seeds):
    """Boards of a level that a table holds."""
    return math.comb(seeds + 11, 11) - math.comb(seeds + 5, 11)


def peak_mebibytes(process):
    """Most memory that a process has held at once so far."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except FileNotFoundError:
        return 0.0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found.group(1)) / 1024 if found else 0.0


if __name__ == "__main__":
    sys.exit(main())
