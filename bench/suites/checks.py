"""What -fcheck costs: each kernel of checks/kernels.z with it and without, at -O3.

The ratio is the median over the rounds of the time with checks by that without.
"""
import os
import re
import sys

from common import HERE, Samples, interleave, median_ratio, sh

LINE = re.compile(r"^(\S+) seconds (\S+) result (\S+)$", re.M)


class Build:
    def __init__(self, label, option, options, work):
        self.label, self.times, self.results = label, {}, set()
        self.exe = os.path.join(work, "kernels" + option)
        sh([options.zplc, "-O3", option, os.path.join(HERE, "checks/kernels.z"),
            "-o", self.exe])

    def run(self):
        for kernel, seconds, result in LINE.findall(sh([self.exe])):
            self.times.setdefault(kernel, Samples()).add(seconds)
            self.results.add((kernel, result))


def run(options, work, table):
    without = Build("without checks", "-fno-check", options, work)
    checked = Build("with -fcheck", "-fcheck", options, work)
    interleave(options.rounds, "checks", [without.run, checked.run])
    if without.results != checked.results:
        sys.exit("bench: the kernels' results differ with -fcheck")
    for kernel, times in without.times.items():
        table.add("checks", kernel, without.label, times, 1.0)
        table.add("checks", kernel, checked.label, checked.times[kernel],
                  median_ratio(checked.times[kernel], times))
        table.show(f"Checks, {kernel}", ("checks", kernel))
