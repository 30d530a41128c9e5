#!/usr/bin/env python3
"""No figure of a machine changes what programs print.

    run_figures.py --build build/dev [--seeds N] PROGRAM.z ...

Each program is compiled at -O3 with machine files that give all figures their
least values, all their largest ones, and N files of values by chance, and runs
on 1 and 4 processors. Its output must be PROGRAM.out. The figures and their
limits are read from Figures.def and RunFigures.def, so none can be forgotten.
"""
import argparse
import json
import math
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FILES = ["include/zpl/Support/Figures.def", "runtime/include/zrt/RunFigures.def"]
LINE = re.compile(r"^Z[PR][LT]_FIGURE\((.*?)\)$", re.S | re.M)


def number(text):
    """The value of an expression of the .def files: 1LL << 40, 100e-9."""
    return eval(re.sub(r"LL\b", "", text).strip(), {"__builtins__": {}})


def figures():
    """Tuples (name, least, most, isWhole)."""
    found = []
    for file in FILES:
        with open(os.path.join(ROOT, file), encoding="utf-8") as source:
            text = re.sub(r"//.*", "", source.read())
        for line in LINE.findall(text):
            before, name, after = line.split('"', 2)
            values = [number(v) for v in after.lstrip(",").split(",")[:3]]
            found.append((name, values[1], values[2], "int64_t" in before))
    return found


def chosen(least, most, is_whole, chance):
    """A value between the limits, uniform in the logarithm."""
    low = max(least, 1 if is_whole else 1e-12)
    value = math.exp(chance.uniform(math.log(low), math.log(max(most, low))))
    return min(most, max(least, int(value) if is_whole else value))


def machines(seeds):
    """Names of machines with their constants."""
    all_figures = figures()
    yield "least", {name: least for name, least, _, _ in all_figures}
    yield "most", {name: most for name, _, most, _ in all_figures}
    for seed in range(seeds):
        chance = random.Random(seed)
        yield f"seed {seed}", {name: chosen(least, most, whole, chance)
                               for name, least, most, whole in all_figures}


def expected(stem):
    with open(stem + ".out", "rb") as file:
        return file.read()


def words(stem, kind):
    if not os.path.exists(f"{stem}.{kind}"):
        return []
    with open(f"{stem}.{kind}", encoding="utf-8") as file:
        return shlex.split(file.read())


def check(zplc, source, name, constants, folder):
    """What differs, for people; empty: nothing."""
    stem = source.removesuffix(".z")
    machine, program = os.path.join(folder, "m.json"), os.path.join(folder, "p")
    with open(machine, "w", encoding="utf-8") as file:
        json.dump({"format": "zpl-machine", "version": 1, "name": name,
                   "source": "chance", "constants": constants}, file)
    made = subprocess.run([zplc, "-O3", f"-mmachine={machine}", source, "-o",
                           program, *words(stem, "zplc")], capture_output=True)
    if made.returncode:
        return f"compiling: {made.stderr.decode().splitlines()[-1]}"
    for processors in ("-p1", "-p4"):
        run = subprocess.run([program, processors, *words(stem, "args")],
                             capture_output=True, cwd=folder, timeout=120)
        if run.returncode or run.stdout != expected(stem):
            return f"{processors}: status {run.returncode} {run.stderr.decode()}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    zplc = os.path.join(os.path.abspath(options.build), "bin", "zplc")
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, constants in machines(options.seeds):
            for source in options.programs:
                source = os.path.abspath(source)
                why = check(zplc, source, name, constants, folder)
                if why:
                    failures += 1
                    print(f"{os.path.basename(source)} with {name}: {why}")
    print(f"{len(figures())} figures, {failures} failures")
    return failures != 0


sys.exit(main())
