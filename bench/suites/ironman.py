"""The runtime's transfers and reductions against MPICH's own calls.

halo       two processors give each other a piece of contiguous memory: by the four
           points (DR SR DN SV) of one exchange, by MPI_Sendrecv, by persistent
           requests, and by MPI_Put between two fences
fresh      the same, and as in programs what is sent is written before, and what has
           come is read after, each time, by both peers within the time
column     the same with a column of 2000 x 2000 doubles; MPI's as a vector datatype
allreduce  the sum of a double over all processors, more of them than cores included
start      a program that says hello, by itself and under mpiexec, on four processors

Ratios are named in each table. `calls` of a peer are in bench/ironman/peer.c, ours in
ours.cpp, which uses the runtime without the compiler.
"""
import os
import shutil
import sys
import time

from common import HERE, ROOT, Samples, compile_peer, interleave, sh

MPICC, MPIEXEC = "/usr/bin/mpicc.mpich", "/usr/bin/mpiexec.mpich"
HALOS = [f"{what}:{n}" for what in ("halo", "fresh") for n in (8, 1024, 65536, 1 << 20)]
COLUMN, REDUCE = "column:2000", "allreduce"


class Variant:
    """A command that prints `WHAT seconds` lines."""

    def __init__(self, label, command):
        self.label, self.command, self.samples = label, command, {}

    def run(self):
        for line in sh(self.command).splitlines():
            what, seconds = line.split()
            self.samples.setdefault(what, Samples()).add(seconds)


class Start:
    """A command whose own time counts."""

    def __init__(self, label, command):
        self.label, self.command, self.samples = label, command, {"start": Samples()}

    def run(self):
        begin = time.perf_counter()
        sh(self.command)
        self.samples["start"].add(time.perf_counter() - begin)


def build_ours(build, work):
    exe = os.path.join(work, "ours")
    runtime = os.path.join(ROOT, "runtime")
    sh(["g++", "-std=c++20", "-O3", "-march=native", f"-I{runtime}/lib",
        f"-I{runtime}/include", os.path.join(HERE, "ironman/ours.cpp"),
        os.path.join(build, "lib/zpl/libzrt.a"), "-ldl", "-pthread", "-o", exe])
    return exe


def show(table, case, title, variants, against):
    """`against` names the variant that the ratios refer to."""
    least = next(v for v in variants if v.label == against).samples[case].median
    for v in variants:
        if case in v.samples:
            samples = v.samples[case]
            note = f"{samples.median * 1e6:12.3f} us"
            table.add("ironman", case + against, v.label, samples,
                      samples.median / least, note)
    table.show(f"{title}; ratio to {against}", ("ironman", case + against))


def two_processors(options, ours, peer, plugins, table):
    what = HALOS + [COLUMN]
    run = [MPIEXEC, "-n", "2"]
    variants = [Variant("MPI_Sendrecv", [*run, peer, "sendrecv", *what]),
                Variant("MPI persistent", [*run, peer, "persistent", *what]),
                Variant("MPI_Put, fences", [*run, peer, "fence", *what]),
                Variant("zplc shm", [ours, plugins, "shm", "2", *what]),
                Variant("zplc mpi", [*run, ours, plugins, "mpi", "2", *what])]
    if os.path.exists(os.path.join(plugins, "libzrt_put.so")):
        variants.append(Variant("zplc put", [*run, ours, plugins, "put", "2", *what]))
    interleave(options.rounds, "halo", [v.run for v in variants])
    for case in what:
        show(table, case, f"{case.replace(':', ' of ')}, 2 processors", variants,
             "MPI_Sendrecv")


def reductions(options, ours, peer, plugins, table):
    for p in (2, 4, 8):
        run = [MPIEXEC, "-n", str(p)]
        variants = [Variant("MPI_Allreduce", [*run, peer, "sendrecv", REDUCE]),
                    Variant("zplc shm", [ours, plugins, "shm", str(p), REDUCE]),
                    Variant("zplc mpi", [*run, ours, plugins, "mpi", str(p), REDUCE])]
        interleave(options.rounds, f"allreduce, {p} processors", [v.run for v in variants])
        for v in variants:
            v.samples = {f"{REDUCE}:{p}": v.samples[REDUCE]}
        show(table, f"{REDUCE}:{p}", f"allreduce of 8 bytes, {p} processors", variants,
             "MPI_Allreduce")


def start(options, work, table):
    exe = os.path.join(work, "hello")
    sh([options.zplc, "-O3", os.path.join(HERE, "ironman/hello.z"), "-o", exe])
    variants = [Start("mpiexec -n 4", [MPIEXEC, "-n", "4", exe]),
                Start("shm -p4", [exe, "-p4"])]
    interleave(options.rounds, "start", [v.run for v in variants])
    show(table, "start", "Start and end of a program on 4 processors", variants,
         "mpiexec -n 4")


def run(options, work, table):
    if not all(map(shutil.which, (MPICC, MPIEXEC))):
        sys.exit("bench: the peers of this suite need MPICH")
    build = os.path.dirname(os.path.dirname(os.path.abspath(options.zplc)))
    plugins = os.path.join(build, "lib/zpl/plugins")
    ours = build_ours(build, work)
    peer = compile_peer("ironman/peer.c", os.path.join(work, "peer"), compiler=MPICC)
    two_processors(options, ours, peer, plugins, table)
    reductions(options, ours, peer, plugins, table)
    start(options, work, table)
