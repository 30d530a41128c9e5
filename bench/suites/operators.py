"""Array operators against the loops of a C programmer: operators/kernels.z and
kernels.c, floods, sums, scans, the product of matrices, dynamic regions.

Of the C programs (gcc and clang, two orders of the product's loops) the fastest
median of each kernel counts; the ratio is ours to that. `-freproducible` is
compared with ourselves without it. For the dynamic regions the table also has
the nanoseconds per statement beyond C's, and the microseconds on two processors.
"""
import os
import sys

from common import HERE, Program, c_compilers, compile_peer, interleave, median_ratio, sh

STATEMENTS = {"dynamic": 1000000, "dynamic-flood": 100000}
SUMS = ("row-sums", "column-sums", "full-sum", "scan", "scan-rows", "scan-columns")


def peers(work):
    programs = []
    for compiler in c_compilers():
        for label, flags in (("", []), (", kij", ["-DKIJ"])):
            exe = compile_peer("operators/kernels.c",
                               f"{work}/kernels-{compiler}{len(flags)}", *flags,
                               compiler=compiler)
            programs.append(Program(f"C {compiler}{label}", [exe]))
    return programs


def compiled(options, work, *flags):
    exe = os.path.join(work, "kernels" + "".join(flags))
    sh([options.zplc, "-O3", *flags, os.path.join(HERE, "operators/kernels.z"),
        "-o", exe])
    return exe


def run(options, work, table):
    strict = peers(work)
    exe = compiled(options, work)
    ours = Program("zplc, p=1", [exe])
    two = Program("zplc, p=2 shm", [exe, "-p2"])
    exact = Program("zplc -freproducible, p=1",
                    [compiled(options, work, "-freproducible")])
    interleave(options.rounds, "operators",
               [p.run for p in [*strict, ours, two, exact]])
    for kernel, times in ours.times.items():
        show(table, kernel, times, strict, two, exact)


def show(table, kernel, times, strict, two, exact):
    best = min(strict, key=lambda p: p.times[kernel].median)
    for program in (two, exact, *strict):
        if program.results[kernel] != best.results[kernel]:
            sys.exit(f"bench: {kernel}: {program.label} has another result")
    case = ("operators", kernel)
    table.add(*case, best.label, best.times[kernel], 1.0)
    count = STATEMENTS.get(kernel)
    for program, measured in (("zplc, p=1", times), (two.label, two.times[kernel])):
        note = ""
        if count:
            beyond = (measured.median - best.times[kernel].median) / count
            note = f"{beyond * 1e9:.0f} ns per statement beyond C"
        table.add(*case, program, measured,
                  median_ratio(measured, best.times[kernel]), note)
    if kernel in SUMS:
        table.add(*case, exact.label, exact.times[kernel],
                  median_ratio(exact.times[kernel], times), "by p=1 without it")
    table.show(f"Operators, {kernel}", case)
