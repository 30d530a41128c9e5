"""The product of two tridiagonal matrices of which the diagonals are stored, after
listings 2.22 and 2.23 of Chamberlain's dissertation, against one loop in C.

compact  the diagonals are columns, one statement for each of five of the result
shard    the diagonals are rows, one shattered `if` over the five
C        the diagonals are columns, one loop over the rows

All numbers are small integers, so the sums must agree to the bit. The ratio is
that to the fastest C program.
"""
import os
import sys

from common import Memory, Samples, compile_peer, first_program, interleave, sh

ROWS, SWEEPS = 1000000, 20
GRIDS = {"compact": "-r2", "shard": "-r1"}  # each of two has half of the matrix


class Variant:
    def __init__(self, label, command):
        self.label, self.command = label, command
        self.samples, self.value = Samples(), None

    def run(self):
        _, self.value, seconds = sh(self.command).split()
        self.samples.add(seconds)


def run(options, work, table):
    folder = os.path.join(os.path.dirname(__file__), "../tridiagonal")
    peers, ours = [], []
    for compiler in filter(None, (first_program("gcc"), first_program("clang-19", "clang"))):
        peer = compile_peer("tridiagonal/tridiagonal.c", f"{work}/c-{compiler}",
                            f"-DN={ROWS}", f"-DSWEEPS={SWEEPS}", compiler=compiler)
        peers.append(Variant(f"C {compiler}, fused", [peer]))
    for name, grid in GRIDS.items():
        exe = os.path.join(work, name)
        sh([options.zplc, "-O3", f"{folder}/{name}.z", "-o", exe])
        sizes = [f"-sn={ROWS}", f"-ssweeps={SWEEPS}"]
        ours += [Variant(f"zplc {name}, p=1", [exe, *sizes]),
                 Variant(f"zplc {name}, p=2", [exe, "-p2", grid, *sizes])]
    variants = peers + ours
    interleave(options.rounds, "tridiagonal", [v.run for v in variants])
    if len({v.value for v in variants}) != 1:
        for v in variants:
            print(f"  {v.label}: {v.value}")
        sys.exit("bench: the programs disagree")
    fastest = min(peers, key=lambda v: v.samples.median)
    best = fastest.samples.median
    for v in variants:
        table.add("tridiagonal", "product", v.label, v.samples, v.samples.median / best)
    memory = Memory(options, work)
    for v in ours:
        if "p=1" in v.label:
            memory.add(table, "tridiagonal", "product", v, fastest)
    table.show(f"Tridiagonal matrices, {ROWS} rows, {SWEEPS} products",
               ("tridiagonal", "product"))
