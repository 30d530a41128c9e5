"""What run-time checks cost: each kernel of checks/kernels.z without any, with those
that are always on, and with all of -fcheck, at -O3.

The ratio is that of the least times over the rounds: a machine that has other work
makes times longer, never shorter. What is always on must cost below 3 %.
"""
import os
import re
import sys

from common import HERE, Samples, interleave, sh

LINE = re.compile(r"^(\S+) seconds (\S+) result (\S+)$", re.M)


class Build:
    def __init__(self, label, words, options, work):
        self.label, self.times, self.results = label, {}, set()
        self.exe = os.path.join(work, "kernels" + "".join(words))
        sh([options.zplc, "-O3", *words, os.path.join(HERE, "checks/kernels.z"),
            "-o", self.exe])

    def run(self):
        for kernel, seconds, result in LINE.findall(sh([self.exe])):
            self.times.setdefault(kernel, Samples()).add(seconds)
            self.results.add((kernel, result))


def run(options, work, table):
    builds = [Build("without checks", ["-fno-check"], options, work),
              Build("those always on", [], options, work),
              Build("with -fcheck", ["-fcheck"], options, work)]
    interleave(options.rounds, "checks", [build.run for build in builds])
    without = builds[0]
    if any(build.results != without.results for build in builds):
        sys.exit("bench: the kernels' results differ with checks")
    for kernel, times in without.times.items():
        for build in builds:
            least = build.times[kernel]
            table.add("checks", kernel, build.label, least, least.least / times.least,
                      wanted=1.0 if build is builds[1] else None)
        table.show(f"Checks, {kernel}", ("checks", kernel))
