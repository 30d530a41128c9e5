"""Two sequences are aligned (alignment/): wavefronts over integers and floating
numbers, against plain loops in C, and against C+MPI that is pipelined by hand.

sw      Smith and Waterman: the score by a procedure with `if`
lcs     the longest common subsequence: all of it in a procedure with `if`
nw      Needleman and Wunsch with affine gaps, three arrays; also floats and doubles

-expression: without `if`, by comparisons that are numbers; -masked: under a mask
that leaves three quarters. The ratio is that to the faster one of gcc and clang; the
note of two processes that to the fastest of C+MPI, whose tiles have one of MPI_WIDTHS.
"""
import os

from common import (HERE, Program, best_of, c_compilers, chosen, compile_peer,
                    first_program, interleave, mpi_launcher, require_equal, sh)

SIZE, SWEEPS = 3000, 10
MPI_WIDTHS = (200, 500)
CASES = ["sw", "sw-expression", "sw-masked", "lcs", "lcs-expression", "nw",
         "nw-float", "nw-double"]
SIZES = [f"-DN={SIZE}", f"-DSWEEPS={SWEEPS}"]


def pipelined(work):
    mpicc = first_program("mpicc.mpich", "mpicc")
    if not mpicc or not mpi_launcher():
        return []
    return [Program(f"C+MPI, p=2, tiles of {width}",
                    [mpi_launcher(), "-n", "2",
                     compile_peer("alignment/alignment_mpi.c", f"{work}/mpi-{width}",
                                  *SIZES, f"-DWIDTH={width}", compiler=mpicc)])
            for width in MPI_WIDTHS]


def run(options, work, table):
    cases = chosen(options, CASES)
    if not cases:
        return
    exe = os.path.join(work, "alignment")
    sh([options.zplc, "-O3", os.path.join(HERE, "alignment/alignment.z"), "-o", exe])
    words = [f"-sn={SIZE}", f"-ssweeps={SWEEPS}"]
    plain = [Program(f"C {compiler}",
                     [compile_peer("alignment/alignment.c", f"{work}/c-{compiler}", *SIZES,
                                   compiler=compiler)]) for compiler in c_compilers()]
    mpi = pipelined(work)
    one = Program("zplc, p=1", [exe, *words])
    two = [Program("zplc, p=2 shm", [exe, "-p2", *words])]
    if mpi:
        two.append(Program("zplc, p=2 mpi", [mpi_launcher(), "-n", "2", exe, *words]))
    programs = [*plain, *mpi, one, *two]
    interleave(options.rounds, "alignment", [p.run for p in programs])
    for case in cases:
        require_equal(case, programs)
        best = best_of(case, plain).times[case].median
        for p in programs:
            times = p.times[case]
            table.add("alignment", case, p.label, times, times.median / best,
                      wanted=0.4 if p is one else None)
        for p in two if mpi else ():
            least = best_of(case, mpi).times[case].median
            table.add("alignment", case, f"{p.label}, of C+MPI", p.times[case],
                      p.times[case].median / least, wanted=0.6)
        table.show(f"Alignment, {case}, {SIZE} x {SIZE}, {SWEEPS} sweeps",
                   ("alignment", case))
