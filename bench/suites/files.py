"""Files: a program of zplc against C, on the file system of --folder.

Binary: 1 GB of doubles (11585 x 11585), against calls of fwrite and fread with
1 MiB each. Text: 10^7 doubles (3163 x 3163) against a loop of fprintf. Both
measure from opening to closing; the bytes are compared once. Checkpoint: the
array of 1 GB in a checkpoint, against `dd conv=fsync` of as many bytes. The ratio is the
median over the rounds of the peer's time by ours: at 1 and above we are as fast.
The note is the largest resident size of a process, less that of the array.
"""
import filecmp
import os
import re
import subprocess
import sys

from common import HERE, Samples, compile_peer, interleave, median_ratio, sh

MEBI = 1024 * 1024


class Program:
    """A program that prints the seconds of writing, and of reading if it reads."""

    def __init__(self, label, command, path, array_bytes):
        self.label, self.command, self.path = label, command, path
        self.array_bytes, self.extra = array_bytes, 0
        self.times = {"write": Samples(), "read": Samples()}

    def call(self):
        timed = ["/usr/bin/time", "-f", "rss %M"] + self.command
        done = subprocess.run(timed, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"bench: {' '.join(self.command)} failed:\n{done.stderr}")
        self.extra = int(re.search(r"rss (\d+)", done.stderr)[1]) * 1024 - self.array_bytes
        return re.findall(r"(write|read) (\S+)", done.stdout)

    def remove(self):
        if os.path.exists(self.path):
            os.remove(self.path)

    def run(self):
        # Nothing that was written before waits in memory for the disk.
        os.sync()
        for what, seconds in self.call():
            self.times[what].add(seconds)
        self.remove()


def compare(case, programs):
    """All programs must write the same bytes as the first, the peer."""
    for p in programs:
        p.call()
    for p in programs[1:]:
        if not filecmp.cmp(programs[0].path, p.path, shallow=False):
            sys.exit(f"bench: {case}: {p.label} wrote other bytes than the peer")
    for p in programs:
        p.remove()


def measure(options, table, case, programs, whats, are_equal=True):
    try:
        if are_equal:
            compare(case, programs)
        interleave(options.rounds, case, [p.run for p in programs])
    finally:
        for p in programs:
            p.remove()
    for what in whats:
        for p in programs:
            table.add("io", f"{case} {what}", p.label, p.times[what],
                      median_ratio(programs[0].times[what], p.times[what]),
                      f"{p.extra / MEBI:.0f} MiB besides the array")
        table.show(f"I/O, {case} {what}", ("io", f"{case} {what}"))


# Seconds of dd with as many bytes.
DD = """import subprocess, sys, time
start = time.monotonic()
subprocess.run(["dd", "if=/dev/zero", "of=" + sys.argv[1], "bs=1M", "count=" + sys.argv[2],
                "conv=fsync"], check=True, stderr=subprocess.DEVNULL)
print("write", time.monotonic() - start)
"""


def checkpoints(options, work, table, folder):
    exe = os.path.join(work, "checkpoint")
    sh([options.zplc, "-O3", os.path.join(HERE, "io/checkpoint.z"), "-o", exe])
    n = 11585
    path = os.path.join(folder, "bench-checkpoint.tmp")
    programs = [Program("dd conv=fsync", [sys.executable, "-c", DD, path, str(n * n * 8 // MEBI)],
                        path, 0)]
    for p in ("1", "2"):
        programs.append(Program(f"zplc, p={p}", [exe, f"-p{p}", f"--n={n}", f"--path={path}"],
                                path, n * n * 8 / int(p)))
    measure(options, table, "checkpoint", programs, ("write",), are_equal=False)


def run(options, work, table):
    exe = os.path.join(work, "files")
    sh([options.zplc, "-O3", os.path.join(HERE, "io/files.z"), "-o", exe])
    folder = options.folder or work
    for case, n, whats in (("binary", 11585, ("write", "read")), ("text", 3163, ("write",))):
        peer = compile_peer(f"io/{case}.c", os.path.join(work, case))
        path = {name: os.path.join(folder, f"bench-{case}-{name}.tmp")
                for name in ("c", "1", "2")}
        programs = [Program(f"C, {case}", [peer, str(n), path["c"]], path["c"], n * n * 8)]
        for p in ("1", "2"):
            command = [exe, f"-p{p}", f"--n={n}", f"--task={case}", f"--path={path[p]}"]
            programs.append(Program(f"zplc, p={p}", command, path[p], n * n * 8 / int(p)))
        measure(options, table, case, programs, whats)
    checkpoints(options, work, table, folder)
