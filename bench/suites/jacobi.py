"""Jacobi iteration: zplc against C, C with OpenMP and C with MPI.

All programs of one size must agree in the number of iterations and in the last
change, to the bit, but those with -ffast-math: these must agree in the iterations,
and to six digits in the change. Ours on one processor is compared with the best C
program that copies the new values back; on two, with the better of OpenMP and MPI.
What programs gain whose arrays exchange their parts instead is shown by itself.
"""
import os
import re
import sys

from common import (HERE, Memory, Samples, c_compilers, compile_peer, first_program,
                    interleave, mpi_launcher, sh)

LINE = re.compile(r"iterations (\d+) delta (\S+) seconds (\S+)")
EPSILON = "1e-3"
WAYS = {"": [], ", fused": ["-DFUSED"], ", exchanged": ["-DFUSED", "-DSWAP"]}


class Variant:
    """One row of the table: a label and the command that runs it for a size."""

    def __init__(self, label, command):
        self.label, self.command = label, command
        self.samples, self.result = Samples(), None

    def run(self):
        match = LINE.search(sh(self.command))
        if not match:
            sys.exit(f"bench: no result from {' '.join(self.command)}")
        self.result = match.group(1, 2)
        self.samples.add(match.group(3))


def serial(size, work):
    """The C programs by the way they are written."""
    programs = {way: [] for way in WAYS}
    for compiler in c_compilers():
        for way, flags in WAYS.items():
            for fast in ([], ["-ffast-math"]):
                label = f"C {compiler}{way}{', fast-math' if fast else ''}"
                exe = compile_peer("jacobi/jacobi.c", f"{work}/{label}-{size}",
                                   f"-DN={size}", f"-DEPSILON={EPSILON}", *flags, *fast,
                                   compiler=compiler)
                programs[way].append(Variant(label, [exe]))
    return programs


def parallel(size, work):
    """C on two processors."""
    words = [f"-DN={size}", f"-DEPSILON={EPSILON}"]
    variants = []
    mpicc = first_program("mpicc.mpich", "mpicc")
    for way in ("", ", fused"):
        exe = compile_peer("jacobi/jacobi.c", f"{work}/c-omp{way}-{size}", *words,
                           *WAYS[way], "-fopenmp")
        variants.append(Variant(f"C+OpenMP, 2 threads{way}",
                                ["env", "OMP_NUM_THREADS=2", exe]))
        if mpicc and mpi_launcher():
            exe = compile_peer("jacobi/jacobi_mpi.c", f"{work}/c-mpi{way}-{size}", *words,
                               *WAYS[way], compiler=mpicc)
            variants.append(Variant(f"C+MPI, p=2{way}", [mpi_launcher(), "-n", "2", exe]))
    return variants


def ours(size, exe):
    options = [f"-sn={size}", f"-sepsilon={EPSILON}"]
    variants = [Variant("zplc, p=1", [exe, *options]),
                Variant("zplc, p=2 shm", [exe, "-p2", *options])]
    if mpi_launcher():
        variants.append(Variant("zplc, p=2 mpi",
                                [mpi_launcher(), "-n", "2", exe, *options]))
    return variants


def require_agreement(size, variants):
    count, change = variants[0].result
    for v in variants:
        same = v.result == (count, change)
        if "fast-math" in v.label:
            same = (v.result[0] == count
                    and abs(float(v.result[1]) - float(change)) < 1e-6 * float(change))
        if not same:
            sys.exit(f"bench: n={size}: {v.label} has iterations {v.result[0]} delta "
                     f"{v.result[1]}, {variants[0].label} {count} and {change}")


def run(options, work, table):
    exe = os.path.join(work, "jacobi")
    sh([options.zplc, "-O3", os.path.join(HERE, "jacobi/jacobi.z"), "-o", exe])
    for size in (int(s) for s in options.sizes.split(",")):
        one, two, mine = serial(size, work), parallel(size, work), ours(size, exe)
        variants = [*sum(one.values(), []), *two, *mine]
        interleave(options.rounds, f"jacobi n={size}", [v.run for v in variants])
        require_agreement(size, variants)
        add_rows(table, size, one, two, mine)
        best = min(one[""] + one[", fused"], key=lambda v: v.samples.median)
        Memory(options, work).add(table, "jacobi", size, mine[0], best)
        iterations, delta = variants[0].result
        table.show(f"Jacobi n={size}: {iterations} iterations, last change {delta}; "
                   "ratios to the best C that copies", ("jacobi", size))


def add_rows(table, size, one, two, mine):
    def least(variants):
        return min(v.samples.median for v in variants)

    copying = least(one[""] + one[", fused"])
    for v in [*sum(one.values(), []), *two]:
        table.add("jacobi", size, v.label, v.samples, v.samples.median / copying)
    single, shm, *rest = mine
    table.add("jacobi", size, single.label, single.samples,
              single.samples.median / copying, "by C", 1.0)
    table.add("jacobi", size, single.label, single.samples,
              single.samples.median / least(one[", exchanged"]), "by exchanged C")
    table.add("jacobi", size, shm.label, shm.samples, shm.samples.median / least(two),
              "by OpenMP and MPI", 0.95)
    for v in rest:
        table.add("jacobi", size, v.label, v.samples, v.samples.median / least(two),
                  "by OpenMP and MPI")
