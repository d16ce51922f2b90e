#!/usr/bin/env python3
"""Builds levels in an empty folder and prints boards/s a level, time and peak memory.

    cargo build --release
    scripts/measure_build.py --seeds 20
    scripts/measure_build.py --seeds 20 --rules abapa -- --memory 1G --threads 1

What follows -- is handed to `oware build`.
"""
import argparse
import pathlib
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
    parser.add_argument("more", nargs="*")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [arguments.oware, "build", "--seeds", str(arguments.seeds), "--rules", arguments.rules,
                   "--tables", folder, "--progress", "always", *arguments.more]
        start = time.monotonic()
        run = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        wall = time.monotonic() - start
    for line in run.stderr.splitlines():
        if "solved in" in line or run.returncode:
            print(line)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{wall:.1f} s, processor time {used.ru_utime + used.ru_stime:.1f} s, "
          f"peak memory {used.ru_maxrss / 1024:.0f} MiB")
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
