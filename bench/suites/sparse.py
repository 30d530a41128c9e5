"""Sparse regions against the loops of a C programmer: sparse/kernels.z and kernels.c.

five-point   y = A x of the five-point star on a square, a million rows
random       the same with 20 elements per row, anywhere
tridiagonal  three elements per row; in C by diagonals, without columns
shared       C := A * B + 0.5 * C over one pattern; in C over the vectors of values
merged       C := A + B of the first two matrices, over the union of their patterns, which
             is made before; in C rows are merged

build        the pattern and values of the five-point star, added one by one; in C++ by
             Eigen's triplets, if Eigen is installed (libeigen3-dev)
where        the same pattern as a condition on indices, by diagonals
neighbours   the condition by neighbours, `Index2 = Index1 - 1 & Index1 % n != 1`
distance     the condition by the distance of two cells in the square

union        the patterns of five-point stars on two squares, by `S |= B`; in C rows are merged
intersection the same by `S &= B`
random-union, random-intersection    of patterns with five columns of each row at random

In C matrices are compressed sparse rows with columns of 32 bits. Of gcc and clang the
faster median counts. All numbers are small, so the results must agree to the bit, but
those of `shared`, whose sums of rows have another order, to 12 digits.
"""
import os

from common import (HERE, Program, best_of, c_compilers, chosen, compile_peer, interleave,
                    median_ratio, require_equal, sh)

ROWS, WIDTH, ROUNDS = 1000000, 20, 20
# By case: the ratio that is wanted, if one is.
CASES = {"five-point": 1.0, "random": 1.0, "tridiagonal": 1.3, "shared": 1.0,
         "merged": None}
# The same of patterns that are made.
BUILDS = {"build": 1.0, "where": 0.7, "neighbours": 0.7, "distance": None}
# The program of these is sparse/where.z: how it spells the condition.
WAYS = {"where": 1, "neighbours": 2, "distance": 3}
# Patterns that are merged, by the way that sparse/merge.z makes them.
MERGES = {"union": 1, "intersection": 1, "random-union": 2, "random-intersection": 2}
MERGE_WANTED = 1.2
SIDE = 1000
EIGEN = "/usr/include/eigen3"


def run_kernels(cases, options, work, table):
    peers = [Program(f"C {compiler}",
                     [compile_peer("sparse/kernels.c", f"{work}/sparse-{compiler}",
                                   f"-DN={ROWS}", f"-DWIDTH={WIDTH}", f"-DROUNDS={ROUNDS}",
                                   compiler=compiler)])
             for compiler in c_compilers()]
    exe = os.path.join(work, "sparse")
    sh([options.zplc, "-O3", "-march=native", os.path.join(HERE, "sparse/kernels.z"),
        "-o", exe])
    command = [exe, f"-sn={ROWS}", f"-swidth={WIDTH}", f"-srounds={ROUNDS}"]
    ours = [Program("zplc, p=1", command), Program("zplc, p=2 shm", [*command, "-p2"])]
    programs = [*peers, *ours]
    interleave(options.rounds, "sparse", [p.run for p in programs])
    for case in cases:
        require_equal(case, programs, 1e-12)
        best = best_of(case, peers)
        for p in programs:
            table.add("sparse", case, p.label, p.times[case],
                      median_ratio(p.times[case], best.times[case]),
                      wanted=CASES[case] if p.label == "zplc, p=1" else None)
        table.show(f"Sparse regions, {case}", ("sparse", case))


def run_build(case, wanted, options, work, table):
    """The programs sparse/build.z or where.z and build.cpp; all print the seconds as `build`."""
    peer = os.path.join(work, "build-eigen")
    sh(["g++", "-O3", "-march=native", f"-I{EIGEN}", f"-DSIDE={SIDE}",
        os.path.join(HERE, "sparse/build.cpp"), "-o", peer])
    source = "where" if case in WAYS else case
    exe = os.path.join(work, source)
    sh([options.zplc, "-O3", "-march=native", os.path.join(HERE, f"sparse/{source}.z"), "-o", exe])
    command = [exe, f"-sside={SIDE}"] + ([f"-sway={WAYS[case]}"] if case in WAYS else [])
    programs = [Program("Eigen g++", [peer]), Program("zplc, p=1", command),
                Program("zplc, p=2 shm", [*command, "-p2"])]
    interleave(options.rounds, f"sparse, {case}", [p.run for p in programs])
    require_equal("build", programs)
    for p in programs:
        table.add("sparse", case, p.label, p.times["build"],
                  median_ratio(p.times["build"], programs[0].times["build"]),
                  wanted=wanted if p.label == "zplc, p=1" else None)
    table.show(f"Sparse regions, {case}", ("sparse", case))


def run_merges(way, cases, options, work, table):
    """The programs sparse/merge.z and merge.c; of random patterns cases have a prefix."""
    peers = [Program(f"C {compiler}",
                     [compile_peer("sparse/merge.c", f"{work}/merge-{way}-{compiler}",
                                   f"-DSIDE={SIDE}", f"-DWAY={way}", compiler=compiler)])
             for compiler in c_compilers()]
    exe = os.path.join(work, "merge")
    sh([options.zplc, "-O3", "-march=native", os.path.join(HERE, "sparse/merge.z"), "-o", exe])
    command = [exe, f"-sside={SIDE}", f"-sway={way}"]
    ours = [Program("zplc, p=1", command), Program("zplc, p=2 shm", [*command, "-p2"])]
    programs = [*peers, *ours]
    interleave(options.rounds, "sparse, merges", [p.run for p in programs])
    for case in cases:
        name = case.removeprefix("random-")
        require_equal(name, programs)
        best = best_of(name, peers)
        for p in programs:
            table.add("sparse", case, p.label, p.times[name],
                      median_ratio(p.times[name], best.times[name]),
                      wanted=MERGE_WANTED if p.label == "zplc, p=1" else None)
        table.show(f"Sparse regions, {case}", ("sparse", case))


def run(options, work, table):
    cases = list(chosen(options, [*CASES, *BUILDS, *MERGES]))
    if set(cases) & set(CASES):
        run_kernels([case for case in cases if case in CASES], options, work, table)
    for case in BUILDS:
        if case in cases and os.path.isdir(EIGEN):
            run_build(case, BUILDS[case], options, work, table)
    for way in (1, 2):
        merges = [case for case in cases if MERGES.get(case) == way]
        if merges:
            run_merges(way, merges, options, work, table)
