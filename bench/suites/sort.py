"""Ten million numbers put into order on one and two processors, against std::sort and
a radix sort on one core (sort/sort.cpp), and NAS IS of class A against C in the style
of NPB's sequential version (sort/is.c), with and without its buckets. The ratio of
the sorts is that to std::sort, that of IS to the faster one in C.
"""
import os

from common import (HERE, ROOT, Program, Samples, best_of, compile_peer, first_program,
                    interleave, require_equal, sh)

WANTED = {"integers": (0.7, 0.4), "doubles": (None, None), "places": (None, None),
          "isA": (1.0, None)}


class NasIs(Program):
    """The ZPL program, whose lines are those of the example."""

    def run(self):
        lines = sh(self.command).split()
        seconds = lines[lines.index("seconds") + 1]
        self.results["isA"] = lines[lines.index("ranks") + 1]
        self.times.setdefault("isA", Samples()).add(seconds)


def compare(table, case, peers, ours, base):
    require_equal(case, [*peers, *ours])
    for program in [*peers, *ours]:
        times = program.times[case]
        wanted = WANTED[case][ours.index(program)] if program in ours else None
        table.add("sort", case, program.label, times,
                  times.median / base.times[case].median, wanted=wanted)
    table.show(f"Sort, {case}", ("sort", case))


def run(options, work, table):
    exe = os.path.join(work, "sort")
    sh([options.zplc, "-O3", os.path.join(HERE, "sort/sort.z"), "-o", exe])
    ours = [Program(f"zplc, p={p}", [exe, f"-p{p}"]) for p in (1, 2)]
    peer = compile_peer("sort/sort.cpp", f"{work}/sort-peer",
                        compiler=first_program("g++", "clang++-19"))
    peers = [Program("std::sort", [peer]), Program("radix sort", [peer, "-r"])]
    interleave(options.rounds, "sort", [p.run for p in [*peers, *ours]])
    for case in ours[0].times:
        compare(table, case, peers, ours, peers[0])

    exe = os.path.join(work, "is")
    sh([options.zplc, "-O3", os.path.join(ROOT, "examples/nas/is.z"), "-o", exe])
    ours = [NasIs(f"zplc, p={p}", [exe, f"-p{p}", "-sClass=A", "-stiming=true"])
            for p in (1, 2)]
    peer = compile_peer("sort/is.c", f"{work}/is-peer")
    peers = [Program("C, buckets", [peer, "A"]), Program("C, one table", [peer, "-d", "A"])]
    interleave(options.rounds, "is", [p.run for p in [*peers, *ours]])
    compare(table, "isA", peers, ours, best_of("isA", peers))
