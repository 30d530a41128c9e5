"""Loops that each index leaves when it likes, against C (lanes/).

julia    a promoted procedure that returns from a loop
newton   shattered control flow, with a division in each step
collatz  integers of 64 bits, and an `if` in the loop
march    rays through a scene: a promoted procedure that calls another one, with two
         ways out of its loop

C is the plain loops, and the same on vectors of lanes by hand, with the extensions that
gcc and clang have (not for march). Of gcc, clang and fast-math the fastest median
counts, for each of the two; results must be equal, but for fast-math.
"""
import os

from common import (HERE, Program, best_of, c_compilers, chosen, compile_peer, interleave,
                    require_equal, sh)

# Name: our options, macros of the peers, whether there is one with lanes, most of the
# time of the plain loops and of the lanes by hand.
CASES = {
    "julia": (["-sn=1000", "-slimit=255"], ["-DN=1000", "-DLIMIT=255"], True, 0.25, 1.1),
    "newton": (["-sn=1000", "-slimit=255"], ["-DN=1000", "-DLIMIT=255"], True, 0.25, 1.1),
    "collatz": (["-sn=1000000"], ["-DN=1000000"], True, 0.3, 1.1),
    "march": (["-sn=800", "-slimit=200"], ["-DN=800", "-DLIMIT=200"], False, 0.3, None),
}


def peers_of(work, name, macros, kind, flags):
    return [Program(f"{kind}, {compiler}{' -ffast-math' if fast else ''}",
                    [compile_peer(f"lanes/{name}.c",
                                  f"{work}/{name}-{compiler}{len(flags)}{len(fast)}",
                                  *macros, *flags, *fast, compiler=compiler)])
            for compiler in c_compilers() for fast in ([], ["-ffast-math"])]


def run(options, work, table):
    for name in chosen(options, CASES):
        ours, macros, has_lanes, wanted, wanted_lanes = CASES[name]
        exe = os.path.join(work, name)
        sh([options.zplc, "-O3", os.path.join(HERE, f"lanes/{name}.z"), "-o", exe])
        mine = Program("zplc, p=1", [exe, *ours])
        plain = peers_of(work, name, macros, "C", [])
        lanes = peers_of(work, name, macros, "C with lanes", ["-DLANES"]) if has_lanes else []
        programs = [*plain, *lanes, mine]
        interleave(options.rounds, name, [p.run for p in programs])
        require_equal(name, programs, 1e-6)
        best = best_of(name, plain).times[name].median
        for p in programs:
            times = p.times[name]
            table.add("lanes", name, p.label, times, times.median / best,
                      wanted=wanted if p is mine else None)
        if lanes:
            least = best_of(name, lanes).times[name].median
            times = mine.times[name]
            table.add("lanes", name, "zplc, of C with lanes", times,
                      times.median / least, wanted=wanted_lanes)
        table.show(f"{name}: each index leaves its loop when it likes", ("lanes", name))
