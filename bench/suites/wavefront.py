"""Wavefronts: scan blocks against loop nests in strict C, and against C+MPI that
is pipelined by hand; five kernels over a square of doubles.

sum     x(i-1,j) + x(i,j-1) - x(i-1,j-1)
corner  each element from those above and to the left of it
align   the best of three, as in aligning two sequences; max of ZPL skips NaN, that
        of the C program does not
relax   a sweep of Gauss and Seidel
down    a recurrence along columns; rows are independent

The values must agree to the bit, but for `down`: there C may fuse the product
and the sum, or not. The ratio is that to the fastest C program; with two
processes, the note is that to the fastest of C+MPI, whose tiles have one of
MPI_WIDTHS.
"""
import os
import sys

from common import Memory, Samples, compile_peer, first_program, interleave, mpi_launcher, sh

# So many sweeps that what a run begins with does not show in its time.
SIZE, SWEEPS = 2000, 50
MPI_WIDTHS = (64, 200, 500)
FUSES = {"down"}


class Variant:
    def __init__(self, label, command):
        self.label, self.command = label, command
        self.samples, self.values = {}, {}

    def run(self):
        for line in sh(self.command).splitlines():
            kernel, value, seconds = line.split()
            self.values[kernel] = value
            self.samples.setdefault(kernel, Samples()).add(seconds)


def run(options, work, table):
    exe = os.path.join(work, "wavefront")
    sh([options.zplc, "-O3",
        os.path.join(os.path.dirname(__file__), "../wavefront/wavefront.z"), "-o", exe])
    sizes = [f"-sn={SIZE}", f"-ssweeps={SWEEPS}"]
    strict = []
    for compiler in filter(None, (first_program("gcc"), first_program("clang-19", "clang"))):
        peer = compile_peer("wavefront/wavefront.c", f"{work}/c-{compiler}",
                            f"-DN={SIZE}", f"-DSWEEPS={SWEEPS}", compiler=compiler)
        strict.append(Variant(f"C {compiler}", [peer]))
    mpicc = first_program("mpicc.mpich", "mpicc")
    pipelined = []
    for width in MPI_WIDTHS if mpicc and mpi_launcher() else ():
        peer = compile_peer("wavefront/wavefront_mpi.c", f"{work}/c-mpi-{width}",
                            f"-DN={SIZE}", f"-DSWEEPS={SWEEPS}", f"-DWIDTH={width}",
                            compiler=mpicc)
        pipelined.append(Variant(f"C+MPI, p=2, tiles of {width}",
                                 [mpi_launcher(), "-n", "2", peer]))
    ours = [Variant("zplc, p=1", [exe, *sizes])]
    ours += [Variant(f"zplc, p=2 {grid}", [exe, "-p2", *flags, *sizes])
             for grid, flags in (("shm", []), ("shm, rows", ["-r2"]))]
    if mpi_launcher():
        ours.append(Variant("zplc, p=2 mpi", [mpi_launcher(), "-n", "2", exe, *sizes]))
    variants = strict + pipelined + ours
    interleave(options.rounds, "wavefront", [v.run for v in variants])
    for kernel in variants[0].samples:
        compared = ours if kernel in FUSES else variants
        if len({v.values[kernel] for v in compared}) != 1:
            for v in compared:
                print(f"  {v.label}: {kernel} {v.values[kernel]}")
            sys.exit(f"bench: {kernel}: the programs disagree")
        best = min(v.samples[kernel].median for v in strict)
        best_mpi = min((v.samples[kernel].median for v in pipelined), default=None)
        for v in variants:
            median = v.samples[kernel].median
            note = (f"{median / best_mpi:.3f} of C+MPI"
                    if best_mpi and "zplc, p=2" in v.label else "")
            table.add("wavefront", kernel, v.label, v.samples[kernel],
                      median / best, note)
        table.show(f"Wavefront, {kernel}, {SIZE} x {SIZE}, {SWEEPS} sweeps",
                   ("wavefront", kernel))
    Memory(options, work).add(table, "wavefront", "all", ours[0], strict[0])
    table.show("Wavefronts: all kernels", ("wavefront", "all"))
