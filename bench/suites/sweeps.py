"""Steps of several sweeps over arrays beyond the caches (sweeps/sweeps.z):

staggered curls    Yee's grid in two dimensions, in two spellings
redblack           relaxation in two colours by masks
chain              the Laplacian of a Laplacian
borders            Jacobi's relaxation between borders that each step sets
euler              Euler's equations by Rusanov's fluxes

against C (sweeps/sweeps.c), one loop nest after the other, strict and with
-ffast-math. zplc also without strips (-fno-strip-loops) and with one step at a time
(-ftime-steps=1). Ratios are of least times to the best C, wanted to be at most 0.8.
The results must agree to nine digits.
"""
import os

from common import (HERE, Program, c_compilers, chosen, compile_peer, interleave,
                    require_equal, sh)

KERNELS = ("staggered", "curls", "redblack", "chain", "borders", "euler")
SIDES = {"euler": 1000}
STEPS = 40
WAYS = (("zplc, p=1", []), ("zplc, without strips", ["-fno-strip-loops"]),
        ("zplc, one step at a time", ["-ftime-steps=1"]))


def measure(options, work, table, case):
    side = SIDES.get(case, 3000)
    kernel = KERNELS.index(case)
    peers = []
    for compiler in c_compilers():
        for label, flags in (("", []), (" -ffast-math", ["-ffast-math"])):
            exe = compile_peer("sweeps/sweeps.c", f"{work}/{case}-{compiler}{label.strip()}",
                               f"-DN={side}", f"-DSTEPS={STEPS}", f"-DKERNEL={kernel}", *flags,
                               compiler=compiler)
            peers.append(Program(f"C {compiler}{label}", [exe]))
    words = [f"-skernel={kernel}", f"-sn={side}", f"-scount={STEPS}"]
    ours = [Program(label, [os.path.join(work, f"sweeps{i}"), *words])
            for i, (label, _) in enumerate(WAYS)]
    programs = [*peers, *ours]
    interleave(options.rounds, case, [p.run for p in programs])
    require_equal(case, programs, 1e-9)
    best = min(p.times[case].least for p in peers)
    for program in programs:
        time = program.times[case]
        goal = [0.8] if program is ours[0] else []
        table.add("sweeps", case, program.label, time, time.least / best, "by C", *goal)
    table.show(f"Sweeps: {case}, side {side}, {STEPS} steps", ("sweeps", case))


def run(options, work, table):
    for i, (_, flags) in enumerate(WAYS):
        sh([options.zplc, "-O3", *flags, os.path.join(HERE, "sweeps/sweeps.z"),
            "-o", os.path.join(work, f"sweeps{i}")])
    for case in chosen(options, KERNELS):
        measure(options, work, table, case)
