"""Matrices that are updated by their own rows and columns: LU without and with
pivots, the elimination of Gauss and Jordan, Warshall and Floyd, in the caches and
beyond, against plain loops in C and loops in blocks by hand (of LU and Floyd), by
two compilers. Pivots and columns make no difference to the text: what waits is
the compiler's (delay-updates).
"""
import os

from common import (HERE, Program, best_of, c_compilers, chosen, compile_peer,
                    interleave, require_equal, sh)

SIZES = [1280, 2500]
CASES = ["lu", "pivots", "jordan", "warshall", "floyd"]


def peers(work, size):
    programs = []
    for compiler in c_compilers():
        for label, flags in (("plain", []), ("in blocks", ["-DBLOCKED"])):
            exe = compile_peer("matmul/updates.c",
                               f"{work}/updates-{compiler}{''.join(flags)}", *flags,
                               compiler=compiler)
            programs.append(Program(f"C {compiler}, {label}", [exe, str(size)]))
    return programs


def run(options, work, table):
    cases = chosen(options, CASES)
    if not cases:
        return
    exe = os.path.join(work, "updates")
    sh([options.zplc, "-O3", os.path.join(HERE, "matmul/updates.z"), "-o", exe])
    for size in SIZES:
        loops = peers(work, size)
        one = Program("zplc, p=1", [exe, f"-sn={size}"])
        two = Program("zplc, p=2 shm", [exe, "-p2", f"-sn={size}"])
        interleave(options.rounds, f"updates, {size}",
                   [p.run for p in [*loops, one, two]])
        for case in cases:
            require_equal(case, [*loops, one, two], tolerance=1e-7)
            best = best_of(case, loops).times[case].median
            name = f"{case} {size}"
            for program in [*loops, one, two]:
                times = program.times[case]
                table.add("updates", name, program.label, times, times.median / best,
                          wanted=0.5 if program is one else None)
            table.show(f"Updates, {case}, {size} x {size}", ("updates", name))
