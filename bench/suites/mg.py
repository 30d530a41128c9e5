"""NAS MG: examples/nas/mg.z against plain loops in Fortran (mg/mg.f90), class A.

Both time their initialization, of which the search for the charges is the work, and
the V-cycles, each by itself. All norms must agree to ten digits. The table has the
ratios that were aimed at: p=1 by Fortran at most 1.1, p=2 by p=1 at most 0.6, the
initialization by the timed part at most 1, the memory beyond an empty program's by
that of the arrays without borders at most 1.1, compilation in a second.
"""
import os
import re
import subprocess
import sys
import time

from common import (HERE, PEER_FLAGS, ROOT, Samples, first_program, interleave,
                    median_ratio, sh)

SIDE = {"S": 32, "W": 128, "A": 256, "B": 256, "C": 512}
CLASS = "A"
NORM = re.compile(r"norm +(\S+)")
TIMES = re.compile(r"initialization +(\S+) +seconds +(\S+)")
SOURCE = os.path.join(ROOT, "examples/nas/mg.z")


class Variant:
    """A program, its samples of both parts, and its norm."""

    def __init__(self, label, command):
        self.label, self.command = label, command
        self.first, self.cycles, self.norm = Samples(), Samples(), None

    def run(self):
        text = sh(self.command)
        self.norm = float(NORM.search(text).group(1))
        first, cycles = TIMES.search(text).groups()
        self.first.add(first)
        self.cycles.add(cycles)


def fortran(work):
    """The peer, or None where there is no Fortran compiler."""
    compiler = first_program("gfortran")
    if not compiler:
        return None
    exe = os.path.join(work, "mg-fortran")
    sh([compiler, *PEER_FLAGS, os.path.join(HERE, "mg/mg.f90"), "-J", work, "-o", exe])
    return Variant("Fortran", [exe, CLASS])


def proportional_bytes(session):
    """The memory of the session's processes: of what several share, each has a part."""
    total = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getsid(int(pid)) != session:
                continue
            with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
                for line in file:
                    if line.startswith("Pss:"):
                        total += int(line.split()[1]) * 1024
        except OSError:
            pass  # has ended
    return total


def peak_bytes(command):
    """The most memory that the command's processes have at a time."""
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    peak = 0
    while running.poll() is None:
        peak = max(peak, proportional_bytes(running.pid))
        time.sleep(0.005)
    if running.returncode:
        sys.exit(f"bench: {' '.join(command)} failed")
    return peak


def array_bytes():
    """Charges, and solution and residual on all levels, without borders; where the
    lines start, and the jumps in a line."""
    side = SIDE[CLASS]
    levels = [side >> level for level in range(side.bit_length() - 1)]
    return 8 * (side**3 + 2 * sum(edge**3 for edge in levels) + side**2 + side)


def compile_timed(options, exe):
    """Seconds of a compilation of the program, linked."""
    start = time.perf_counter()
    sh([options.zplc, "-O3", SOURCE, "-o", exe])
    return time.perf_counter() - start


def show_memory(options, work, exe):
    empty = os.path.join(work, "empty")
    sh([options.zplc, "-O3", os.path.join(ROOT, "examples/empty.z"), "-o", empty])
    wanted = array_bytes()
    print(f"\nNAS MG, class {CLASS}: memory; the arrays have {wanted / 1e6:.1f} MB")
    for label, flags in (("p=1", []), ("p=2 shm", ["-p2"])):
        beyond = (peak_bytes([exe, *flags, f"-sClass={CLASS}"])
                  - peak_bytes([empty, *flags]))
        print(f"  {'zplc, ' + label:38}{beyond / 1e6:10.1f} MB{beyond / wanted:15.3f}")


def run(options, work, table):
    exe = os.path.join(work, "mg")
    compilation = Samples()
    words = [f"-sClass={CLASS}", "-stiming=true"]
    one = Variant("zplc, p=1", [exe, *words])
    two = Variant("zplc, p=2 shm", [exe, "-p2", *words])
    peer = fortran(work)
    variants = [v for v in (peer, one, two) if v]
    compilation.add(compile_timed(options, exe))
    interleave(options.rounds, "mg", [v.run for v in variants] +
               [lambda: compilation.add(compile_timed(options, exe))])
    for v in variants:
        if abs(v.norm - one.norm) > 1e-9 * one.norm:
            sys.exit(f"bench: {v.label} has the norm {v.norm}, p=1 {one.norm}")
    add_rows(table, peer, one, two, compilation)
    show_memory(options, work, exe)


def add_rows(table, peer, one, two, compilation):
    case = ("mg", CLASS)
    if peer:
        table.add(*case, "Fortran", peer.cycles, 1.0)
        table.add(*case, one.label, one.cycles, median_ratio(one.cycles, peer.cycles),
                  "by Fortran")
    table.add(*case, two.label, two.cycles, median_ratio(two.cycles, one.cycles),
              "by p=1")
    if peer:
        table.add(*case, "Fortran, initialization", peer.first,
                  median_ratio(peer.first, peer.cycles), "by its cycles")
    for v in (one, two):
        table.add(*case, v.label + ", initialization", v.first,
                  median_ratio(v.first, v.cycles), "by its cycles")
    table.add(*case, "compiling mg.z", compilation, None)
    table.show(f"NAS MG, class {CLASS}: norm {one.norm:.9e} in all", case)
