"""The front end: lines per second of lexing, parsing and checking.

The program is made by generate.py. The times of the phases are what zplc
measures. The whole process starts, loads LLVM and ends besides; its processor
time, unlike the others, means something on a machine that others use too.

Then programs of one shape (shapes.py), compiled to objects at -O0 and -O2: the
processor time of the whole process.
"""
import os
import re
import resource
import subprocess
import sys
import time

import generate
from common import Samples, interleave
from . import shapes

LINES = 120_000
PHASE = re.compile(r"^ *([0-9.]+) +(?:[0-9.]+%)? +(\w+)$", re.M)


def compiled(options, path, level):
    """Seconds of processor time to compile a program, in threads of the compiler too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([options.zplc, "-c", f"-O{level}", path, "-o", path + ".o"],
                          capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"bench: {path} does not compile:\n{done.stderr[:2000]}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def run_shapes(options, work, table):
    samples = {}

    def measure(shape, path, level):
        samples.setdefault((shape, level), Samples()).add(compiled(options, path, level))

    programs = []
    for shape, size in shapes.SIZES.items():
        path = os.path.join(work, shape.replace(" ", "-") + ".z")
        with open(path, "w", encoding="utf-8") as file:
            file.write(shapes.source(shape, size))
        programs += [lambda shape=shape, path=path, level=level: measure(shape, path, level)
                     for level in (0, 2)]
    interleave(options.rounds, "shapes", programs)
    for (shape, level), times in samples.items():
        base = samples[shape, 0].median
        table.add("shapes", f"{shape} {shapes.SIZES[shape]}", f"-O{level}", times, None,
                  f"{times.median / base:.1f} times -O0")
        if level == 2:
            table.show(f"{shape}, {shapes.SIZES[shape]}",
                       ("shapes", f"{shape} {shapes.SIZES[shape]}"))


def run(options, work, table):
    run_program(options, work, table)
    run_shapes(options, work, table)


def run_program(options, work, table):
    path = os.path.join(work, "large.z")
    text = generate.program(LINES)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    lines = text.count("\n")
    samples = {}

    def processor_time():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def once():
        start, used = time.perf_counter(), processor_time()
        done = subprocess.run([options.zplc, "--time-phases", "-fsyntax-only", path],
                              capture_output=True, text=True, check=False)
        samples.setdefault("whole process", Samples()).add(time.perf_counter() - start)
        samples.setdefault("its processor time", Samples()).add(processor_time() - used)
        if done.returncode != 0:
            sys.exit(f"bench: the generated program does not compile:\n{done.stderr[:2000]}")
        for seconds, phase in PHASE.findall(done.stderr):
            samples.setdefault(phase, Samples()).add(seconds)

    interleave(options.rounds, "frontend", [once])
    for phase, times in samples.items():
        table.add("frontend", lines, phase, times, None,
                  f"{lines / times.median:,.0f} lines/s")
    table.show(f"Front end: {lines} lines, {len(text)} bytes", ("frontend", lines))
