"""Ten million strings put together and as many formatted, against std::string and
snprintf (strings/strings.cpp). The ratio is that to the faster of g++ and clang++.
"""
import os

from common import (HERE, Memory, Program, best_of, compile_peer, first_program,
                    interleave, require_equal, sh)

WANTED = 1.2


def run(options, work, table):
    exe = os.path.join(work, "strings")
    sh([options.zplc, "-O3", os.path.join(HERE, "strings/strings.z"), "-o", exe])
    ours = Program("zplc, p=1", [exe])
    peers = []
    for compiler in filter(None, (first_program("g++"), first_program("clang++-19"))):
        peer = compile_peer("strings/strings.cpp", f"{work}/strings-{compiler}",
                            compiler=compiler)
        peers.append(Program(f"C++ {compiler}", [peer]))
    interleave(options.rounds, "strings", [p.run for p in [*peers, ours]])
    for case in ours.times:
        require_equal(case, [*peers, ours])
        best = best_of(case, peers)
        for program in [*peers, ours]:
            times = program.times[case]
            table.add("strings", case, program.label, times,
                      times.median / best.times[case].median,
                      wanted=WANTED if program is ours else None)
        table.show(f"Strings, 10^7 {case}", ("strings", case))
    Memory(options, work).add(table, "strings", "memory", ours, peers[0], wanted=None)
    table.show("Strings", ("strings", "memory"))
