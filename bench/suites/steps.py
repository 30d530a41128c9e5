"""Time steps of stencils over arrays beyond the caches (steps/steps.z):

jacobi nine life shallow   five and nine points, the game of Life, shallow water in
                           three arrays, on squares
heat                       seven points on a cube

against C (steps/steps.c) from one array into the other, in place with rows that
wait, and time-skewed by hand, 4 to 16 steps in one sweep. zplc also one step at a
time (-ftime-steps=1). Ratios are of least times: to the best of the C programs that
take one step at a time, wanted to be at most 0.6, and to the best time-skewed one, 1.1.
The results must agree to nine digits.
"""
import os

from common import (HERE, Memory, Program, c_compilers, chosen, compile_peer, interleave,
                    require_equal, sh)

KERNELS = ("jacobi", "nine", "life", "shallow", "heat")
SIDES = {"jacobi": 4000, "nine": 4000, "life": 5000, "shallow": 2500, "heat": 256}
STEPS = 100
SKEWED = (4, 8, 16)


def peers_of(case, side, work):
    plain, skewed = [], []
    kernel = KERNELS.index(case)
    for compiler in c_compilers():
        kinds = [(plain, "two arrays", []), (plain, "in place", ["-DFUSED"])]
        kinds += [(skewed, f"{k} steps skewed", [f"-DTILED={k}"]) for k in SKEWED]
        for kind, label, flags in kinds:
            exe = compile_peer("steps/steps.c", f"{work}/{case}-{compiler}-{label}".replace(" ", "-"),
                               f"-DN={side}", f"-DSTEPS={STEPS}", f"-DKERNEL={kernel}", *flags,
                               compiler=compiler)
            kind.append(Program(f"C {compiler}, {label}", [exe]))
    return plain, skewed


def measure(options, work, table, case):
    side = SIDES[case]
    plain, skewed = peers_of(case, side, work)
    words = [f"-skernel={KERNELS.index(case)}", f"-sn={side}", f"-scount={STEPS}"]
    ours = Program("zplc, p=1", [os.path.join(work, "steps"), *words])
    single = Program("zplc, one step at a time", [os.path.join(work, "single"), *words])
    programs = [*plain, *skewed, single, ours]
    interleave(options.rounds, case, [p.run for p in programs])
    require_equal(case, programs, 1e-9)

    def least(program):
        return program.times[case].least

    best = min(map(least, plain))
    for peer in [*plain, *skewed, single]:
        table.add("steps", case, peer.label, peer.times[case], least(peer) / best, "by one step")
    mine = ours.times[case]
    table.add("steps", case, ours.label, mine, mine.least / best, "by one step", 0.6)
    table.add("steps", case, ours.label, mine, mine.least / min(map(least, skewed)),
              "by skewed", 1.1)
    Memory(options, work).add(table, "steps", case, ours,
                              min(plain, key=least))
    table.show(f"Time steps: {case}, side {side}, {STEPS} steps", ("steps", case))


def run(options, work, table):
    for name, flags in (("steps", []), ("single", ["-ftime-steps=1"])):
        sh([options.zplc, "-O3", *flags, os.path.join(HERE, "steps/steps.z"),
            "-o", os.path.join(work, name)])
    for case in chosen(options, KERNELS):
        measure(options, work, table, case)
