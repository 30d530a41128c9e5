"""The product of matrices: SUMMA, a loop of rank-1 updates, by flood operators and
by flood arrays, and PSP, a partial
reduction over a box, against triple loops in C, in two orders by two compilers,
and against OpenBLAS on one thread if that is installed (libopenblas-dev). `paths`
is the step of all shortest paths of the same shape. Other spellings: `masked`,
`integers` and `booleans` (by & and |) are products by flood operators, `cannon` is
Cannon's algorithm, whose peers are the triple loops.

The ratios are those to the fastest triple loop; a line of its own has the ratio to
the fastest kernels of OpenBLAS that the processor can run: a library that is older
than the processor takes it for an old one, and is told. The values must agree to the bit: they are small whole numbers.
"""
import os
import subprocess

from common import (HERE, Memory, Program, best_of, c_compilers, chosen, compile_peer,
                    interleave, require_equal, sh)

SIZE = 1280
CASES = ["summa", "arrays", "psp", "paths"]
SPELLINGS = ["masked", "integers", "booleans", "cannon"]
PRODUCTS = ["summa", "arrays", "psp", "cannon"]     # that the library has


def triple_loops(work, *more):
    programs = []
    for compiler in c_compilers():
        for order, flags in (("ikj", []), ("kij", ["-DKIJ"])):
            exe = compile_peer("matmul/matmul.c", f"{work}/matmul-{compiler}-{order}{''.join(more)}",
                               f"-DSIZE={SIZE}", *flags, *more, compiler=compiler)
            programs.append(Program(f"C {compiler}, {order}", [exe]))
    return programs


def blas_kernels():
    """The library's own choice, and those that go with what Linux says of the
    processor."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        words = set(file.read().split())
    return [None] + [kernel for kernel, needs in
                     (("Haswell", {"avx2", "fma"}),
                      ("SkylakeX", {"avx512f", "avx512dq", "avx512bw", "avx512vl"}))
                     if needs <= words]


def library(work, *more):
    """The program with OpenBLAS, by kernels; none if that is not installed."""
    exe = f"{work}/matmul-blas{''.join(more)}"
    probe = subprocess.run(["gcc", "-xc", "-", "-o", exe, "-lopenblas"], text=True,
                           input="#include <cblas.h>\nint main(void) { return 0; }\n",
                           capture_output=True, check=False)
    if probe.returncode != 0:
        return []
    compile_peer("matmul/matmul.c", exe, f"-DSIZE={SIZE}", "-DBLAS", *more,
                 "-Wl,--no-as-needed", "-lopenblas", compiler="gcc")
    return [Program(f"OpenBLAS, 1 thread, {kernel or 'its choice'}",
                    ["env", "OPENBLAS_NUM_THREADS=1",
                     *([f"OPENBLAS_CORETYPE={kernel}"] if kernel else []), exe])
            for kernel in blas_kernels()]


def ours(options, work, name):
    exe = os.path.join(work, name)
    sh([options.zplc, "-O3", os.path.join(HERE, f"matmul/{name}.z"), "-o", exe])
    return [Program("zplc, p=1", [exe, f"-sn={SIZE}"]),
            Program("zplc, p=2 shm", [exe, "-p2", f"-sn={SIZE}"])]


def show(case, loops, blas, one, two, table):
    """The lines of a case; the fastest triple loop."""
    require_equal(case, [*loops, *blas, one, two])
    fastest = best_of(case, loops)
    best = fastest.times[case].median
    is_product = case in PRODUCTS
    for program in [*loops, *(blas if is_product else []), one, two]:
        times = program.times[case]
        wanted = 0.5 if program is one and is_product else None
        table.add("matmul", case, program.label, times, times.median / best,
                  wanted=wanted)
    if blas and is_product:
        table.add("matmul", case, "zplc, p=1, to OpenBLAS", one.times[case],
                  one.times[case].median / best_of(case, blas).times[case].median,
                  wanted=2.0)
    return fastest


def run_spellings(options, work, table):
    cases = chosen(options, SPELLINGS)
    if not cases:
        return
    loops, blas = triple_loops(work, "-DSPELLINGS"), library(work, "-DSPELLINGS")
    one, two = ours(options, work, "spellings")
    interleave(options.rounds, "matmul, spellings",
               [p.run for p in [*loops, *blas, one, two]])
    for case in cases:
        show(case, loops, blas, one, two, table)
        table.show(f"Matrices, {case}, {SIZE} x {SIZE}", ("matmul", case))


def run(options, work, table):
    run_spellings(options, work, table)
    cases = chosen(options, CASES)
    if not cases:
        return
    loops, blas = triple_loops(work), library(work)
    programs = {name: ours(options, work, name) for name in ("matmul", "psp")}
    interleave(options.rounds, "matmul",
               [p.run for p in [*loops, *blas, *programs["matmul"], *programs["psp"]]])
    memory = Memory(options, work)
    for case in cases:
        one, two = programs["psp" if case == "psp" else "matmul"]
        fastest = show(case, loops, blas, one, two, table)
        if blas and case in PRODUCTS:
            memory.add(table, "matmul", case, one, fastest)
        table.show(f"Matrices, {case}, {SIZE} x {SIZE}", ("matmul", case))
