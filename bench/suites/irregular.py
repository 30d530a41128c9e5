"""The programs of examples/irregular against C programs that compute the same (irregular/).

relaxation  a mesh whose nodes are numbered row by row, then at random, and that slides
equalize    the histogram of a picture, and its grey levels looked up
eigen       Jacobi's rotations: rows and columns permuted by a map
roads       a front that spreads; in C a list of its points
julia       a mask that shrinks; in C a loop that each point leaves
coprime     Euclid's algorithm for all pairs
shallow     shifts to eight neighbours on a torus
sieve       dynamic strided regions and a reduction between them
gauss       elimination whose pivot rows stay where they are
uneven      the Mandelbrot set, a coarse and a fine picture

Both print the same, byte for byte, or the run ends. The seconds are those of whole
programs, their start included. Of gcc and clang the faster median counts.
"""
import os
import subprocess
import sys
import time

from common import (HERE, ROOT, Samples, c_compilers, chosen, compile_peer, interleave,
                    median_ratio, sh)

# The sizes of each case, by our names of the config variables.
CASES = {
    "relaxation": {"m": 500, "sweeps": 40, "every": 20},
    "equalize": {"rows": 3000, "columns": 4000},
    "eigen": {"n": 128},
    "roads": {"rows": 3000, "columns": 3000, "most": 20},
    "julia": {"n": 2000, "steps": 100},
    "coprime": {"n": 2500},
    "shallow": {"m": 500, "n": 500, "steps": 300},
    "sieve": {"n": 50000000},
    "gauss": {"n": 1000},
    "uneven": {"n": 1200, "limit": 300},
}


class WholeProgram:
    """A command that is timed from its start to its end."""

    def __init__(self, label, command):
        self.label, self.command = label, command
        self.times, self.output = Samples(), None

    def run(self):
        start = time.perf_counter()
        done = subprocess.run(self.command, capture_output=True, text=True, check=False)
        self.times.add(time.perf_counter() - start)
        if done.returncode != 0 or self.output not in (None, done.stdout):
            sys.exit(f"bench: {' '.join(self.command)} failed:\n{done.stdout}{done.stderr}")
        self.output = done.stdout


def build(options, work, name, sizes):
    """The peers, and ours on one and on two processors."""
    exe = os.path.join(work, name)
    sh([options.zplc, "-O3", "-march=native",
        os.path.join(ROOT, f"examples/irregular/{name}.z"), "-o", exe])
    ours = [exe, *(f"-s{key}={value}" for key, value in sizes.items())]
    macros = [f"-D{key.upper()}={value}" for key, value in sizes.items()]
    peers = [WholeProgram(f"C {compiler}",
                          [compile_peer(f"irregular/{name}.c", f"{exe}-{compiler}", *macros,
                                        compiler=compiler)])
             for compiler in c_compilers()]
    return peers, WholeProgram("zplc, p=1", ours), WholeProgram("zplc, p=2 shm", [*ours, "-p2"])


def run(options, work, table):
    for name in chosen(options, CASES):
        sizes = CASES[name]
        peers, one, two = build(options, work, name, sizes)
        programs = [*peers, one, two]
        interleave(options.rounds, name, [p.run for p in programs])
        for p in programs:
            if p.output != peers[0].output:
                sys.exit(f"bench: {name}: {p.label} prints\n{p.output}"
                         f"{peers[0].label} prints\n{peers[0].output}")
        best = min(peers, key=lambda p: p.times.median)
        for p in programs:
            table.add("irregular", name, p.label, p.times, median_ratio(p.times, best.times))
        table.show(f"Irregular, {name}: " + ", ".join(f"{k} = {v}" for k, v in sizes.items()),
                   ("irregular", name))
