"""Whole programs against the loops that a C programmer writes (programs/).

sor         red-black over-relaxation, the colours as masks (sor) and as strided
            regions (sor-strided)
heat        seven points in three dimensions; in C the arrays exchange their parts, or
            the new values are copied
life        cells of eight bits on a torus
mandelbrot  a loop that each point leaves when it likes
lattice     lattice Boltzmann, nine directions on a torus, as loops over families of
            arrays; in C one sweep, with and without tests at each point, or a sweep
            per statement
pairs       forces between all pairs of bodies, with arrays of pairs that are summed
            along rows; in C one loop, its sums in order or in lanes

The results must agree to eight digits: C fuses products and sums as it likes. Of gcc,
clang and the ways to write it the fastest median counts. Memory is compared with that
of the fastest.
"""
import os

from common import (HERE, Memory, Program, best_of, c_compilers, chosen, compile_peer,
                    interleave, require_equal, sh)


class Case:
    """A program in ZPL with its options, and in C with macros; `ways` are the macros
    for other ways to write it in C."""

    def __init__(self, source, ours, peers, ways=(), title=""):
        self.source, self.ours, self.peers, self.title = source, ours, peers, title
        self.ways = {"": [], **{f", {way.lower()}": [f"-D{way}"] for way in ways}}


SOR = (["-sn=2000", "-ssweeps=50"], ["-DN=2000", "-DSWEEPS=50"])
CASES = {
    "sor": Case("sor", [*SOR[0], "-smasked=true"], SOR[1],
                title="2000 x 2000 doubles, 50 sweeps, by masks"),
    "sor-strided": Case("sor", SOR[0], SOR[1],
                        title="2000 x 2000 doubles, 50 sweeps, by strided regions"),
    "heat": Case("heat", ["-sn=200", "-ssteps=40"], ["-DN=200", "-DSTEPS=40"], ["COPY"],
                 "200^3 doubles, 40 steps"),
    "life": Case("life", ["-sn=2000", "-sgenerations=100"],
                 ["-DN=2000", "-DGENERATIONS=100"],
                 title="2000 x 2000 cells, 100 generations"),
    "mandelbrot": Case("mandelbrot", ["-sn=1000", "-slimit=200"],
                       ["-DN=1000", "-DLIMIT=200"],
                       title="1000 x 1000 points, at most 200 steps"),
    "lattice": Case("lattice", ["-sn=1000", "-ssteps=50"], ["-DN=1000", "-DSTEPS=50"],
                    ["INNER", "SWEEPS"], "1000 x 1000 points, nine directions, 50 steps"),
    "pairs": Case("pairs", ["-sn=3000", "-ssteps=4"],
                  ["-DN=3000", "-DSTEPS=4", "-fopenmp-simd"], ["LANES"],
                  "3000^2 pairs, 4 steps"),
}


def build(options, work, name, case):
    """Our program and its peers."""
    exe = os.path.join(work, name)
    sh([options.zplc, "-O3", os.path.join(HERE, f"programs/{case.source}.z"), "-o", exe])
    peers = []
    for compiler in c_compilers():
        for way, flags in case.ways.items():
            peer = compile_peer(f"programs/{case.source}.c",
                                f"{work}/{name}-{compiler}{way}", *case.peers, *flags,
                                compiler=compiler)
            peers.append(Program(f"C {compiler}{way}", [peer]))
    return Program("zplc, p=1", [exe, *case.ours]), peers


def run(options, work, table):
    memory = Memory(options, work)
    for name in chosen(options, CASES):
        case = CASES[name]
        ours, peers = build(options, work, name, case)
        programs = [*peers, ours]
        interleave(options.rounds, name, [p.run for p in programs])
        require_equal(case.source, programs, 1e-8)
        best = best_of(case.source, peers)
        for p in programs:
            times = p.times[case.source]
            table.add("programs", name, p.label, times,
                      times.median / best.times[case.source].median,
                      wanted=1.0 if p is ours else None)
        memory.add(table, "programs", name, ours, best)
        table.show(f"{name}: {case.title}", ("programs", name))
