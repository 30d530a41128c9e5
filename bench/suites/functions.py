"""Functions of the library on arrays in the cache (functions/), on one processor.

exp, sin, log, pow   one function per element
black-scholes        prices of options: two logarithms and exponentials, a root, a
                     polynomial

The peers are C with the C library's functions, one element at a time (of gcc and
clang the faster one counts), and C of gcc with -ffast-math, whose loops call the C
library's functions on vectors, of up to four units in the last place. Results must
agree to ten digits.
"""
import os

from common import (HERE, Program, best_of, c_compilers, chosen, compile_peer,
                    first_program, interleave, require_equal, sh)

CASES = ["exp", "sin", "log", "pow", "black-scholes"]
SIZE, STEPS = 2000, 5000


def build(options, work):
    """Our program, the peers of libm and the one with functions on vectors."""
    exe = os.path.join(work, "functions")
    sh([options.zplc, "-O3", os.path.join(HERE, "functions/kernels.z"), "-o", exe])
    macros = [f"-DSIZE={SIZE}", f"-DSTEPS={STEPS}"]

    def peer(label, compiler, *flags):
        target = compile_peer("functions/kernels.c", f"{work}/{label.replace(' ', '-')}",
                              *macros, *flags, compiler=compiler)
        return Program(label, [target])

    plain = [peer(f"C {compiler}", compiler) for compiler in c_compilers()]
    gcc = first_program("gcc")
    vectors = peer("C gcc, -ffast-math", gcc, "-ffast-math") if gcc else None
    ours = Program("zplc, p=1", [exe, f"-sn={SIZE}", f"-ssteps={STEPS}"])
    return ours, plain, vectors


def run(options, work, table):
    ours, plain, vectors = build(options, work)
    programs = [*plain, *filter(None, [vectors]), ours]
    interleave(options.rounds, "functions", [p.run for p in programs])
    for case in chosen(options, CASES):
        require_equal(case, programs, 1e-10)
        best = best_of(case, plain)
        for p in programs:
            table.add("functions", case, p.label, p.times[case],
                      p.times[case].median / best.times[case].median,
                      wanted=0.35 if p is ours else None)
        if vectors:
            table.add("functions", case, "zplc by C with functions on vectors", None,
                      ours.times[case].median / vectors.times[case].median, wanted=1.0)
        table.show(f"{case}: {SIZE} doubles, {STEPS} times", ("functions", case))
