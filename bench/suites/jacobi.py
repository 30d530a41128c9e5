"""Jacobi iteration: zplc against strict C and C+MPI.

All programs of one size must agree in the number of iterations and in the last
change, to the bit; a difference ends the run with status 1. The ratio is that to
the fastest strict C program.
"""
import os
import re
import sys

from common import (Samples, compile_peer, first_program, interleave, mpi_launcher,
                    sh)

LINE = re.compile(r"iterations (\d+) delta (\S+) seconds (\S+)")
EPSILON = "1e-3"


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


def peers(size, work):
    """The strict C programs, and those with MPI."""
    defines = [f"-DN={size}", f"-DEPSILON={EPSILON}"]
    strict, parallel = [], []
    for compiler in filter(None, (first_program("gcc"), first_program("clang-19", "clang"))):
        for name, extra in (("", []), (", fused loops", ["-DFUSED"])):
            exe = compile_peer("jacobi/jacobi.c",
                               f"{work}/c-{compiler}-{len(extra)}-{size}",
                               *defines, *extra, compiler=compiler)
            strict.append(Variant(f"C {compiler}{name}", [exe]))
    mpicc = first_program("mpicc.mpich", "mpicc")
    if mpicc and mpi_launcher():
        exe = compile_peer("jacobi/jacobi_mpi.c", f"{work}/c-mpi-{size}", *defines,
                           compiler=mpicc)
        for p in (1, 2):
            parallel.append(Variant(f"C+MPI, p={p}",
                                    [mpi_launcher(), "-n", str(p), exe]))
    return strict, parallel


def ours(size, exe):
    options = [f"-sn={size}", f"-sepsilon={EPSILON}"]
    variants = [Variant("zplc, p=1", [exe, *options]),
                Variant("zplc, p=2 shm", [exe, "-p2", *options]),
                Variant("zplc, p=6 shm", [exe, "-p6", *options])]
    if mpi_launcher():
        for p in (1, 2):
            variants.append(Variant(f"zplc, p={p} mpi",
                                    [mpi_launcher(), "-n", str(p), exe, *options]))
    return variants


def run(options, work, table):
    exe = os.path.join(work, "jacobi")
    sh([options.zplc, "-O3", os.path.join(os.path.dirname(__file__), "../jacobi/jacobi.z"),
        "-o", exe])
    for size in (int(s) for s in options.sizes.split(",")):
        strict, parallel = peers(size, work)
        variants = strict + parallel + ours(size, exe)
        interleave(options.rounds, f"jacobi n={size}", [v.run for v in variants])
        if len({v.result for v in variants}) != 1:
            for v in variants:
                print(f"  {v.label}: iterations {v.result[0]} delta {v.result[1]}")
            sys.exit(f"bench: n={size}: the programs disagree")
        iterations, delta = variants[0].result
        best = min(v.samples.median for v in strict)
        for v in variants:
            table.add("jacobi", size, v.label, v.samples, v.samples.median / best)
        table.show(f"Jacobi n={size}: {iterations} iterations, last change {delta} in all; "
                   "ratio to the best strict C", ("jacobi", size))
