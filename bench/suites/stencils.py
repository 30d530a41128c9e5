"""Stencils against loops that are written by hand for speed.

resid psinv rprj3 interp  the 27-point kernels of multigrid at 256^3
                          (stencils/kernels.z), against Fortran that keeps the sums
                          that neighbours share in small arrays (kernels.F90)
star                      two points far in each direction over 2000 x 2000 doubles,
                          its input updated in each step (star.z), against C (star.c):
                          two loops; one loop, in place behind the stencil or from one
                          array into the other

The results must agree to nine digits: the sums are associated in different ways. Of
the peers of one kind the fastest median counts.
"""
import os
import sys

from common import (HERE, PEER_FLAGS, Memory, Program, best_of, c_compilers, chosen,
                    compile_peer, first_program, interleave, require_equal, sh)

CUBE = ("resid", "psinv", "rprj3", "interp")
SIDE, ITERATIONS = 256, 6
SQUARE, STEPS = 2000, 50


def compiled(options, work, name, *words):
    exe = os.path.join(work, name)
    sh([options.zplc, "-O3", os.path.join(HERE, f"stencils/{name}.z"), "-o", exe])
    return Program("zplc, p=1", [exe, *words])


def cubes(options, work, table, cases):
    compiler = first_program("gfortran")
    if not compiler:
        sys.exit("bench: gfortran, the peer of stencils, is not installed")
    exe = os.path.join(work, "kernels-fortran")
    sh([compiler, *PEER_FLAGS, f"-DSIDE={SIDE}", f"-DITERATIONS={ITERATIONS}", "-J", work,
        os.path.join(HERE, "stencils/kernels.F90"), "-o", exe])
    peer = Program("Fortran", [exe])
    ours = compiled(options, work, "kernels", f"-sn={SIDE}", f"-siterations={ITERATIONS}")
    interleave(options.rounds, "27 points", [peer.run, ours.run])
    for case in cases:
        require_equal(case, [peer, ours], 1e-9)
        table.add("stencils", case, peer.label, peer.times[case], 1.0)
        table.add("stencils", case, ours.label, ours.times[case],
                  ours.times[case].median / peer.times[case].median, "", 0.75)
        table.show(f"27 points, {case}, {SIDE}^3, {ITERATIONS} times", ("stencils", case))
    memory = Memory(options, work)
    memory.add(table, "stencils", "all", ours, peer)
    table.show("27 points: all kernels", ("stencils", "all"))


def star(options, work, table):
    kinds = {"separate": [], "fused": []}
    for compiler in c_compilers():
        for kind, label, flags in (("separate", "two loops", []),
                                   ("fused", "one loop in place", ["-DFUSED"]),
                                   ("fused", "two arrays", ["-DSWAP"])):
            exe = compile_peer("stencils/star.c", f"{work}/star-{compiler}{label}",
                               f"-DN={SQUARE}", f"-DSTEPS={STEPS}", *flags,
                               compiler=compiler)
            kinds[kind].append(Program(f"C {compiler}, {label}", [exe]))
    peers = kinds["separate"] + kinds["fused"]
    ours = compiled(options, work, "star", f"-sn={SQUARE}", f"-ssteps={STEPS}")
    interleave(options.rounds, "star", [p.run for p in [*peers, ours]])
    require_equal("star", [*peers, ours], 1e-9)
    mine = ours.times["star"]
    for peer in peers:
        table.add("stencils", "star", peer.label, peer.times["star"],
                  peer.times["star"].median / mine.median, "by zplc")
    for kind, wanted in (("separate", 0.85), ("fused", 1.0)):
        best = best_of("star", kinds[kind])
        table.add("stencils", "star", ours.label, mine,
                  mine.median / best.times["star"].median, f"by {kind}", wanted)
    Memory(options, work).add(table, "stencils", "star", ours, best_of("star", peers))
    table.show(f"Star, radius 2, {SQUARE} x {SQUARE}, {STEPS} steps", ("stencils", "star"))


def run(options, work, table):
    cases = chosen(options, CUBE)
    if cases:
        cubes(options, work, table, cases)
    if chosen(options, ["star"]):
        star(options, work, table)
