"""The product of matrices: SUMMA, a loop of rank-1 updates, by flood operators and
by flood arrays, and PSP, a partial
reduction over a box, against triple loops in C, in two orders by two compilers,
and against OpenBLAS on one thread if that is installed (libopenblas-dev). `paths`
is the step of all shortest paths of the same shape.

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


def triple_loops(work):
    programs = []
    for compiler in c_compilers():
        for order, flags in (("ikj", []), ("kij", ["-DKIJ"])):
            exe = compile_peer("matmul/matmul.c", f"{work}/matmul-{compiler}-{order}",
                               f"-DSIZE={SIZE}", *flags, compiler=compiler)
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


def library(work):
    """The program with OpenBLAS, by kernels; none if that is not installed."""
    exe = f"{work}/matmul-blas"
    probe = subprocess.run(["gcc", "-xc", "-", "-o", exe, "-lopenblas"], text=True,
                           input="#include <cblas.h>\nint main(void) { return 0; }\n",
                           capture_output=True, check=False)
    if probe.returncode != 0:
        return []
    compile_peer("matmul/matmul.c", exe, f"-DSIZE={SIZE}", "-DBLAS",
                 "-Wl,--no-as-needed", "-lopenblas", compiler="gcc")
    return [Program(f"OpenBLAS, 1 thread, {kernel or 'its choice'}",
                    ["env", "OPENBLAS_NUM_THREADS=1",
                     *([f"OPENBLAS_CORETYPE={kernel}"] if kernel else []), exe])
            for kernel in blas_kernels()]


def run(options, work, table):
    cases = chosen(options, CASES)
    if not cases:
        return
    loops, blas = triple_loops(work), library(work)
    ours = {}
    for name in ("matmul", "psp"):
        exe = os.path.join(work, name)
        sh([options.zplc, "-O3", os.path.join(HERE, f"matmul/{name}.z"), "-o", exe])
        ours[name] = [Program("zplc, p=1", [exe, f"-sn={SIZE}"]),
                      Program("zplc, p=2 shm", [exe, "-p2", f"-sn={SIZE}"])]
    interleave(options.rounds, "matmul",
               [p.run for p in [*loops, *blas, *ours["matmul"], *ours["psp"]]])
    memory = Memory(options, work)
    for case in cases:
        one, two = ours["psp" if case == "psp" else "matmul"]
        programs = [*loops, *blas, one, two]
        require_equal(case, programs)
        fastest = best_of(case, loops)
        best = fastest.times[case].median
        for program in programs:
            if program in blas and case == "paths":
                continue    # the library has no such product
            times = program.times[case]
            wanted = 0.5 if program is one and case != "paths" else None
            table.add("matmul", case, program.label, times, times.median / best,
                      wanted=wanted)
        if blas and case != "paths":
            table.add("matmul", case, "zplc, p=1, to OpenBLAS", one.times[case],
                      one.times[case].median / best_of(case, blas).times[case].median,
                      wanted=2.0)
            memory.add(table, "matmul", case, one, fastest)
        table.show(f"Matrices, {case}, {SIZE} x {SIZE}", ("matmul", case))
