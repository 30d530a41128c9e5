"""Each optional pass, and each option that leaves something out, alone left out.

A pass serves an idea; left out, nothing may become faster. The kernels of the other
suites, small enough to run often, are compiled with everything and with each single
thing left out. Variants with the same assembly text as another one are not run.
Variants and default run in random order in each round. The ratio is that of the
default's time to the variant's, by the least and, in the note, by the median over the
rounds: above 1 the variant is faster. It counts as faster if both say so by more than
3 %.
"""
import os
import random
import re
import sys

from common import HERE, NOISE, ROOT, Program, median_ratio, sh

SMALL = {
    "jacobi": ("jacobi/jacobi.z", ["-sn=1000"]),
    "operators": ("operators/kernels.z", ["-sn=1000"]),
    "matmul": ("matmul/matmul.z", ["-sn=640"]),
    "psp": ("matmul/psp.z", ["-sn=640"]),
    "wavefront": ("wavefront/wavefront.z", ["-sn=1000"]),
    "alignment": ("alignment/alignment.z", ["-sn=1000"]),
    "scans": ("scans/scans.z", ["-sn=1000"]),
    "stencils": ("stencils/kernels.z", ["-sn=96"]),
    "star": ("stencils/star.z", ["-sn=1000"]),
    "heat": ("programs/heat.z", ["-sn=100", "-ssteps=40"]),
    "life": ("programs/life.z", ["-sn=1000", "-sgenerations=50"]),
    "lattice": ("programs/lattice.z", ["-sn=500", "-ssteps=20"]),
    "mandelbrot": ("programs/mandelbrot.z", ["-sn=500", "-slimit=200"]),
    "pairs": ("programs/pairs.z", ["-sn=1500", "-ssteps=4"]),
    "sor": ("programs/sor.z", ["-sn=1000", "-ssweeps=20", "-smasked=true"]),
    "sor-strided": ("programs/sor.z", ["-sn=1000", "-ssweeps=20"]),
    "julia": ("lanes/julia.z", ["-sn=500"]),
    "functions": ("functions/kernels.z", []),
    "transpose": ("remap/transpose.z", []),
    "gather": ("remap/gather.z", ["-sn=500000"]),
    "particles": ("remap/particles.z", ["-sn=200000"]),
    "sparse": ("sparse/kernels.z", ["-sn=250000"]),
}

OPTIONS = ["lanes", "vector-math", "unroll-loops"]


def optional_passes():
    """The names of the passes that only make programs faster."""
    path = os.path.join(ROOT, "include/zpl/Transforms/Passes.def")
    with open(path, encoding="utf-8") as text:
        found = re.findall(r'^PASS\("([^"]+)",[^"]*?\b(Optional|Required)\b', text.read(),
                           re.M | re.S)
    return [name for name, need in found if need == "Optional"]


class Kernel(Program):
    """One that prints its times in any of the suites' ways."""

    OTHER = [re.compile(r"^(?P<case>\S+) (?P<result>\S+) (?P<seconds>\d+\.\d+)$", re.M),
             re.compile(r"^(?P<case>iterations) \d+ +delta (?P<result>\S+) +"
                        r"seconds (?P<seconds>\S+)$", re.M)]

    def run(self):
        text = sh(self.command)
        lines = self.LINE.findall(text) or [
            found.group("case", "seconds", "result")
            for pattern in self.OTHER for found in pattern.finditer(text)]
        if not lines:
            sys.exit(f"bench: {self.label} printed no case:\n{text}")
        for case, seconds, result in lines:
            self.add(case, seconds, result)


def build(options, work, name, source):
    """The default, and the variants that are other programs."""
    source = os.path.join(HERE, source)
    programs, known = [], {}
    for left_out in [None, *optional_passes(), *OPTIONS]:
        flags = [f"-fno-{left_out}"] if left_out else []
        text = sh([options.zplc, "-O3", "-S", *flags, source, "-o", "-"])
        if text in known:
            continue
        label = f"without {left_out}" if left_out else "zplc -O3"
        known[text] = label
        exe = os.path.join(work, f"{name}-{left_out}")
        sh([options.zplc, "-O3", *flags, source, "-o", exe])
        programs.append(Kernel(label, [exe, *SMALL[name][1]]))
    return programs


def run_shuffled(rounds, name, programs):
    """Runs all of them once in each round, in another order."""
    order = random.Random(name)
    for number in range(rounds):
        print(f"\r{name}: round {number + 1} of {rounds}", end="", file=sys.stderr,
              flush=True)
        for program in order.sample(programs, len(programs)):
            program.run()
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)


def compare(table, name, programs):
    """A row for each variant in each case; returns what is faster without."""
    default, *variants = programs
    faster = []
    for case in default.times:
        ours = default.times[case]
        title = name if len(default.times) == 1 else f"{name}, {case}"
        table.add("ablation", title, default.label, ours, 1.0)
        for variant in variants:
            theirs = variant.times[case]
            least, median = ours.least / theirs.least, median_ratio(ours, theirs)
            wins = least > NOISE and median > NOISE
            note = f"by medians {median:.3f}" + (", faster" if wins else "")
            table.add("ablation", title, variant.label, theirs, least, note)
            if wins:
                faster.append(f"{title} {variant.label}: {least:.3f}, {median:.3f}")
        table.show(title, ("ablation", title))
    return faster


def run(options, work, table):
    names = options.only.split(",") if options.only else SMALL
    faster = []
    for name in (n for n in names if n in SMALL):
        programs = build(options, work, name, SMALL[name][0])
        run_shuffled(options.rounds, name, programs)
        faster += compare(table, name, programs)
    print("\nFaster by more than 3 % with something left out: "
          + ("nothing" if not faster else ""))
    for line in faster:
        print(f"  {line}")
