"""Prefix sums along rows, columns and through all of a square, of integers,
running maxima, segmented ones, and what uses them at once: against C as loops
one after the other, and as one sweep that is fused by hand. In a cache and
beyond the caches.

The values must agree to the bit. The ratio is that of the least times to the
fastest of the C programs, which is wanted to be at most 1; a note says that to
the fastest of those whose loops are not fused.
"""
import os
import sys

from common import Samples, c_compilers, compile_peer, interleave, sh

SHAPES = ((100, 2000), (2000, 20)) # elements per side, sweeps


class Variant:
    def __init__(self, label, command):
        self.label, self.command = label, command
        self.samples, self.values = {}, {}

    def run(self):
        for line in sh(self.command).splitlines():
            kernel, value, seconds = line.split()
            self.values[kernel] = value
            self.samples.setdefault(kernel, Samples()).add(seconds)

    def least(self, kernel):
        return self.samples[kernel].least


def measure(options, work, table, exe, size, sweeps):
    plain, fused = [], []
    for compiler in c_compilers():
        for label, flags, peers in (("", [], plain), (", fused by hand", ["-DFUSED"], fused)):
            peer = compile_peer("scans/scans.c", f"{work}/scans-{compiler}{len(flags)}-{size}",
                                f"-DN={size}", f"-DSWEEPS={sweeps}", *flags,
                                compiler=compiler)
            peers.append(Variant(f"C {compiler}{label}", [peer]))
    sizes = [f"-sn={size}", f"-ssweeps={sweeps}"]
    ours = [Variant("zplc, p=1", [exe, *sizes]), Variant("zplc, p=2", [exe, "-p2", *sizes])]
    variants = plain + fused + ours
    interleave(options.rounds, f"scans {size}", [v.run for v in variants])
    for kernel in variants[0].samples:
        if options.only and kernel not in options.only.split(","):
            continue
        if len({v.values[kernel] for v in variants}) != 1:
            for v in variants:
                print(f"  {v.label}: {kernel} {v.values[kernel]}")
            sys.exit(f"bench: {kernel}: the programs disagree")
        best_plain = min(v.least(kernel) for v in plain)
        best = min(best_plain, *(v.least(kernel) for v in fused))
        for v in variants:
            note = f"{v.least(kernel) / best_plain:.3f} of C, not fused" if v in ours else ""
            table.add("scans", f"{kernel}-{size}", v.label, v.samples[kernel],
                      v.least(kernel) / best, note)
        table.show(f"Scans, {kernel}, {size} x {size}, {sweeps} sweeps",
                   ("scans", f"{kernel}-{size}"))


def run(options, work, table):
    exe = os.path.join(work, "scans")
    sh([options.zplc, "-O3", os.path.join(os.path.dirname(__file__), "../scans/scans.z"),
        "-o", exe])
    for size, sweeps in SHAPES:
        measure(options, work, table, exe, size, sweeps)
