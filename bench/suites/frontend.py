"""The front end: lines per second of lexing, parsing and checking.

The program is made by generate.py. The times of the phases are what zplc
measures. The whole process starts, loads LLVM and ends besides; its processor
time, unlike the others, means something on a machine that others use too.
"""
import os
import re
import resource
import subprocess
import sys
import time

import generate
from common import Samples, interleave

LINES = 120_000
PHASE = re.compile(r"^ *([0-9.]+) +(?:[0-9.]+%)? +(\w+)$", re.M)


def run(options, work, table):
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
