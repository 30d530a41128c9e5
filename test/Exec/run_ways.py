#!/usr/bin/env python3
"""No way of executing loops changes what programs print.

    run_ways.py --build build/dev [--least N] PROGRAM.z ...

Each program is compiled at -O3 with --tune=run, and runs on 1 and 4 processors
with each way forced (--tune=force:0 to 3), and measuring. Its output must be
PROGRAM.out. All programs together must have at least N ways besides the models'.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

MODES = ["force:0", "force:1", "force:2", "force:3", "run"]
WAYS = re.compile(r"as the models say, or (.*?) \[keep-ways\]")


def words(stem, kind):
    if not os.path.exists(f"{stem}.{kind}"):
        return []
    with open(f"{stem}.{kind}", encoding="utf-8") as file:
        return shlex.split(file.read())


def check(zplc, source, folder):
    """The number of ways, and what differs, for people."""
    stem, program = source.removesuffix(".z"), os.path.join(folder, "p")
    made = subprocess.run(
        [zplc, "-O3", "--tune=run", "--remarks=keep-ways", source, "-o",
         program, *words(stem, "zplc")], capture_output=True, text=True)
    if made.returncode:
        return 0, [f"compiling: {made.stderr.splitlines()[-1]}"]
    ways = sum(len(found.split(", ")) for found in WAYS.findall(made.stderr))
    with open(stem + ".out", "rb") as file:
        expected = file.read()
    wrong = []
    for mode in MODES:
        for processors in ("-p1", "-p4"):
            run = subprocess.run(
                [program, processors, f"--tune={mode}", *words(stem, "args")],
                capture_output=True, cwd=folder, timeout=120)
            if run.returncode or run.stdout != expected:
                wrong.append(f"{mode} {processors}: status {run.returncode} "
                             f"{run.stderr.decode()}")
    return ways, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    zplc = os.path.join(os.path.abspath(options.build), "bin", "zplc")
    all_ways, failures = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for source in options.programs:
            ways, wrong = check(zplc, os.path.abspath(source), folder)
            all_ways += ways
            failures += len(wrong)
            for why in wrong:
                print(f"{os.path.basename(source)}: {why}")
    print(f"{all_ways} ways, {failures} failures")
    return failures != 0 or all_ways < options.least


sys.exit(main())
