#!/usr/bin/env python3
"""Random legal programs, each run in many ways that must print the same.

    run.py --zplc build/dev/bin/zplc --count 50 --seed 1
    run.py --zplc build/dev/bin/zplc --seed 17 --count 1 --show        the program
    run.py --zplc build/dev/bin/zplc --features all,-scan              without scans

Seed S makes the program S, whatever the count is. The status is 1 if one fails;
the first of each kind is made small and shown with the commands. README.md says
what the programs are like.
"""
import argparse
import multiprocessing.pool
import os
import shlex
import sys
import threading
import time

from zrandom import driver, features, generate, shrink, text

sys.setrecursionlimit(10000)


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zplc", required=True, help="the compiler")
    parser.add_argument("--count", type=int, default=50, help="how many programs")
    parser.add_argument("--seed", type=int, default=1, help="of the first one")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--ways", type=int, default=6, help="runs of each program")
    parser.add_argument("--mpiexec", default="", help="MPI launcher; none: no MPI")
    parser.add_argument("--interpret", action=argparse.BooleanOptionalAction, default=True,
                        help="compare with zplc --interpret")
    parser.add_argument("--features", default="all", help="all, basic, NAME, -NAME, with commas")
    parser.add_argument("--seconds", type=int, default=60, help="for making one failure small")
    parser.add_argument("--keep", default="", help="folder for what fails, whole and small")
    parser.add_argument("--show", action="store_true", help="print the programs, run nothing")
    parser.add_argument("flags", nargs="*", help="after --: more words for zplc")
    return parser.parse_args()


class Session:
    def __init__(self, chosen):
        self.options = chosen
        self.features = features.parse(chosen.features)
        self.tools = driver.Tools(os.path.abspath(chosen.zplc), tuple(shlex.split(chosen.mpiexec)),
                                  chosen.interpret, ("-Wno-narrowing", *chosen.flags))
        self.lock = threading.Lock()
        self.kinds = {}

    def one(self, seed):
        program = generate.program(seed, self.features)
        if self.options.show:
            print(text.program(program))
            return
        failure = driver.find(program, self.tools,
                              driver.plan(program, self.tools, self.options.ways))
        if failure is None:
            return
        with self.lock:
            seeds = self.kinds.setdefault(failure.kind, [])
            seeds.append(seed)
        small = program
        if len(seeds) == 1 and self.options.seconds:
            small = shrink.shrink(program, lambda p: self.same(p, failure), self.options.seconds)
        with self.lock:
            self.report(seed, program, small, failure, len(seeds) == 1)

    def same(self, program, failure):
        """Whether a smaller program fails in the same way."""
        found = driver.find(program, self.tools, failure.plan)
        return found is not None and found.kind == failure.kind

    def report(self, seed, program, small, failure, whole):
        arguments = " ".join(text.arguments(small))
        print(f"\n== seed {seed}: {failure.kind}")
        if whole:
            again = driver.find(small, self.tools, failure.plan) or failure
            print(again.report.rstrip())
            print(f"-- the small program{', run with ' + arguments if arguments else ''}:")
            print(text.program(small), flush=True)
        if self.options.keep:
            os.makedirs(self.options.keep, exist_ok=True)
            for name, p in (("", program), ("-small", small)):
                path = os.path.join(self.options.keep, f"random{seed}{name}.z")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text.program(p, f"{failure.kind} {arguments}"))

    def summary(self, seconds):
        failed = sum(map(len, self.kinds.values()))
        for kind, seeds in sorted(self.kinds.items(), key=lambda pair: -len(pair[1])):
            print(f"{len(seeds):5} {kind}: seeds {' '.join(map(str, sorted(seeds)[:8]))}")
        print(f"{self.options.count} programs, {failed} failed, {seconds:.0f} s")
        return 1 if failed else 0


def main():
    session = Session(options())
    began = time.monotonic()
    first, count = session.options.seed, session.options.count
    with multiprocessing.pool.ThreadPool(session.options.jobs) as pool:
        pool.map(session.one, range(first, first + count), chunksize=1)
    if session.options.show:
        return 0
    return session.summary(time.monotonic() - began)


if __name__ == "__main__":
    sys.exit(main())
