"""Distributions: where they pay, and that nothing is paid without them (distributions/).

lu        LU decomposition with partial pivoting, n = 1000, on two processors: with rows and
          columns in blocks it should take 1.2 times as long as with them dealt out in turn
jacobi    a distribution that says what holds without it, against none
before    with `--before ZPLC`, programs without distributions (programs/, jacobi/) by
          this compiler and by a former one: seconds, and bytes of code without the runtime

Compilers that do not know distributions yet are told so, and only `before` is run.
"""
import os
import re
import subprocess

from common import (HERE, Program, Samples, chosen, interleave, require_equal, sh)

CASES = ("lu", "jacobi", "before")
BEFORE = {"sor": ["-sn=2000", "-ssweeps=50"], "heat": ["-sn=200", "-ssteps=40"],
          "life": ["-sn=2000", "-sgenerations=100"]}
PROBE = "program probe; distribution D = [cyclic]; region R: D = [1..4]; " \
        "procedure probe(); begin end;\n"


def compiled(zplc, work, source, name):
    exe = os.path.join(work, name)
    sh([zplc, "-O3", os.path.join(HERE, source), "-o", exe])
    return exe


def knows_distributions(zplc, work):
    source = os.path.join(work, "probe.z")
    with open(source, "w", encoding="ascii") as file:
        file.write(PROBE)
    return subprocess.run([zplc, "-O0", source, "-o", source + ".exe"],
                          capture_output=True, check=False).returncode == 0


class Jacobi(Program):
    """bench/jacobi prints a line of its own."""

    LINE = re.compile(r"iterations \d+ delta (\S+) seconds (\S+)")

    def run(self):
        result, seconds = self.LINE.search(sh(self.command)).groups()
        self.times.setdefault("jacobi", Samples()).add(seconds)
        self.results["jacobi"] = result


def compare(options, table, case, title, pairs, limit):
    """Rows for pairs of programs, each with the ratio of the second to the first."""
    programs = sum(pairs, [])
    interleave(options.rounds, case, [p.run for p in programs])
    line = case.split("-")[-1]
    require_equal(line, programs, 1e-8)
    for base, other in pairs:
        times = base.times[line]
        table.add("distributions", case, base.label, times, 1.0)
        table.add("distributions", case, other.label, other.times[line],
                  other.times[line].median / times.median, wanted=limit)
    table.show(title, ("distributions", case))


def run_lu(options, work, table):
    block, cyclic = (compiled(options.zplc, work, f"distributions/lu_{way}.z", way)
                     for way in ("block", "cyclic"))
    compare(options, table, "lu", "lu: n = 1000, cyclic against block",
            [[Program("block, p=2", [block, "-p2"]),
              Program("cyclic, p=2", [cyclic, "-p2"])]], 1 / 1.2)


def run_jacobi(options, work, table):
    none = compiled(options.zplc, work, "jacobi/jacobi.z", "none")
    blocks = compiled(options.zplc, work, "distributions/jacobi_block.z", "blocks")
    compare(options, table, "jacobi", "jacobi: a block distribution against none, n = 1000",
            [[Jacobi(f"none, p={p}", [none, f"-p{p}"]),
              Program(f"block, p={p}", [blocks, f"-p{p}"])] for p in (1, 2)], 1.0)


def code_bytes(zplc, work, source):
    """Of what the compiler makes of the program, without the runtime."""
    target = os.path.join(work, "code.o")
    sh([zplc, "-O3", "-c", os.path.join(HERE, source), "-o", target])
    return int(sh(["size", target]).splitlines()[1].split()[0])


def run_before(options, work, table):
    if not options.before:
        print("\nbefore: skipped; --before names a former compiler")
        return
    for name, words in BEFORE.items():
        source = f"programs/{name}.z"
        then, now = (compiled(zplc, work, source, f"{name}-{age}") for age, zplc in
                     (("then", options.before), ("now", options.zplc)))
        case = f"before-{name}"
        then_bytes, now_bytes = (code_bytes(zplc, work, source)
                                 for zplc in (options.before, options.zplc))
        table.add("distributions", case, "code", None, now_bytes / then_bytes,
                  f"{now_bytes} bytes by {then_bytes}", 1.0)
        compare(options, table, case, f"{case}: now against before",
                [[Program(f"before, p={p}", [then, f"-p{p}", *words]),
                  Program(f"now, p={p}", [now, f"-p{p}", *words])] for p in (1, 2)], 1.0)


def run(options, work, table):
    known = knows_distributions(options.zplc, work)
    if not known:
        print("\nlu, jacobi: skipped; this compiler does not know distributions")
    for case in chosen(options, CASES):
        if case == "before":
            run_before(options, work, table)
        elif known:
            {"lu": run_lu, "jacobi": run_jacobi}[case](options, work, table)
