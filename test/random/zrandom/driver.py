"""Compiles and runs a program in several ways that must print the same.

The reference is -O0 on one processor. `find` gives the first way that differs,
with a plan that holds just that way, for the shrinker.
"""
import os
import random
import re
import shlex
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import List, Tuple

from . import text

PASSES = os.path.join(os.path.dirname(__file__),
                      "../../../include/zpl/Transforms/Passes.def")
COMPILE_LIMIT, RUN_LIMIT = 60, 20
LEVELS = ["-O1", "-O2", "-O3", "-O3"]
PROCESSORS = [1, 2, 2, 3, 4, 4, 5, 6, 8]


@dataclass(frozen=True)
class Way:
    level: str               # -O, and perhaps -fno-PASS
    flags: Tuple[str, ...]   # of the program
    launcher: Tuple[str, ...] = ()


@dataclass
class Plan:
    ways: List[Way]
    interpret: bool


@dataclass
class Failure:
    kind: str                # what happened, without names and places
    report: str              # for people
    plan: Plan


@dataclass
class Tools:
    zplc: str
    mpiexec: Tuple[str, ...] = ()
    interpret: bool = False
    flags: Tuple[str, ...] = field(default=())


def factors(rng, p, rank):
    """p as a product of so many numbers, at random."""
    parts = [1] * rank
    for prime in (2, 3, 5, 7):
        while p % prime == 0:
            parts[rng.randrange(rank)] *= prime
            p //= prime
    return "x".join(map(str, parts))


def plan(program, tools, count):
    """Random ways to compile and run; the same for the same program's seed."""
    rng = random.Random(f"plan {program.seed}")
    ranks = sorted({a.rank for a in program.arrays}) or [1]
    levels = [rng.choice(LEVELS) + without_pass(program)]
    chance = random.Random(f"tune {program.seed}")
    if chance.random() < 0.33:
        levels[0] += " --tune=off"
    levels += ["-O0"] if rng.random() < 0.5 else []
    ways = []
    for _ in range(count):
        level, p = rng.choice(levels), rng.choice(PROCESSORS)
        grid = (f"-g{factors(rng, p, rng.choice(ranks))}",) if rng.random() < 0.5 else ()
        # Loops take the one or other of their ways.
        tuned = (f"--tune=force:{chance.randrange(4)}",) if "--tune" in level else ()
        if tools.mpiexec and rng.random() < 0.12 and p <= 4:
            transport = rng.choice(launched_transports(tools))
            nodes = ("env", "ZRT_NODE_SIZE=2")   # of hybrid
            ways.append(Way(level, (f"--transport={transport}", *grid, *tuned),
                            (*nodes, *tools.mpiexec, "-n", str(p))))
        else:  # on grids that are given, loops compute their interiors first
            interior = ("timeout", "-k1", str(RUN_LIMIT), "env",
                        "ZRT_INTERIOR=always") if grid else ()
            ways.append(Way(level, (f"-p{p}", *grid, *tuned), interior))
    return Plan(ways, tools.interpret)


def without_pass(program):
    """For every third program, the option that leaves out one of the passes."""
    rng = random.Random(f"pass {program.seed}")
    with open(PASSES, encoding="utf-8") as file:
        optional = re.findall(r'^PASS\("([\w-]+)".*\n? *Optional', file.read(), re.M)
    return f" -fno-{rng.choice(optional)}" if rng.random() < 0.33 else ""


def launched_transports(tools):
    """Those that MPI's launcher starts."""
    plugins = os.path.join(os.path.dirname(tools.zplc), "../lib/zpl/plugins")
    has_put = os.path.exists(os.path.join(plugins, "libzrt_put.so"))
    return ["mpi", "hybrid"] + ["put"] * has_put


def anonymous(message, program):
    """The first error of a message without names and places."""
    lines = [line for line in message.splitlines() if "error:" in line] or \
        [line for line in message.splitlines() if line.strip()][:1] or [""]
    failed = re.search(r"(\w+)\.(?:cpp|h):\d+:.*Assertion `(.*)' failed", message)
    if failed:
        return f"{failed[1]}: {failed[2][:70]}"
    line = re.sub(r"^.*?error: ", "", lines[0])
    ident = re.search(r"\[([\w-]+)\]$", line)
    if ident:
        return ident[1]
    line = re.sub(rf"random{program.seed}\b", "", line)
    line = re.sub(r"'[^']*'|\b[A-Z]\w{0,5}\b|[-\d]+|\[.*\]|0x\w+", "_", line)
    return re.sub(r"\s+", " ", line)[:90]


class Attempt:
    """One program in a folder of its own."""

    def __init__(self, program, tools, folder):
        self.program, self.tools, self.folder = program, tools, folder
        self.name = f"random{program.seed}"
        self.source = os.path.join(folder, self.name + ".z")
        with open(self.source, "w", encoding="utf-8") as file:
            file.write(text.program(program))
        self.arguments = text.arguments(program)
        self.flags = tools.flags + (() if program.exact else ("-freproducible",))
        self.made = {}

    def fail(self, kind, command, detail, ways, interpret=False):
        shown = shlex.join([c.replace(self.folder + "/", "") for c in command])
        raise Found(Failure(kind, f"{shown}\n{detail}", Plan(ways, interpret)))

    def start(self, command, limit):
        try:
            return subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=limit, check=False,
                                  errors="replace")
        except subprocess.TimeoutExpired:
            return None

    def executable(self, level, way):
        if level in self.made:
            return self.made[level]
        path = os.path.join(self.folder, self.name + level.replace(" ", "").replace("=", ""))
        command = [self.tools.zplc, *self.flags, *level.split(), self.source, "-o", path]
        done = self.start(command, COMPILE_LIMIT)
        if done is None:
            self.fail("the compiler takes too long", command, "", [way])
        if done.returncode == 1 and " error: " in done.stderr and "LLVM ERROR" not in done.stderr:
            self.fail("rejected: " + anonymous(done.stderr, self.program), command,
                      done.stderr[:1500], [way])
        if done.returncode:
            self.fail(f"the compiler dies: {anonymous(done.stderr, self.program)}", command,
                      f"status {done.returncode}\n{done.stderr[:2500]}", [way])
        self.made[level] = path
        return path

    def run(self, way):
        path = self.executable(way.level, way)
        if way.launcher:
            command = [*way.launcher, path, *way.flags, *self.arguments]
        else:
            command = ["timeout", "-k1", str(RUN_LIMIT), path, *way.flags, *self.arguments]
        done = self.start(command, RUN_LIMIT + 30)
        if done is None or done.returncode in (124, 137):
            self.fail("a run does not end", command, "", [way])
        if done.returncode:
            self.fail("a run fails: " + anonymous(done.stderr, self.program), command,
                      f"status {done.returncode}\n{done.stderr[-2000:]}", [way])
        return done.stdout, command

    def interpreted(self, expected):
        command = [self.tools.zplc, "--interpret", *self.flags, self.source, "--",
                   *self.arguments]
        done = self.start(command, COMPILE_LIMIT)
        if done is None:
            self.fail("the interpreter does not end", command, "", [], True)
        if done.returncode:
            self.fail("the interpreter fails: " + anonymous(done.stderr, self.program), command,
                      f"status {done.returncode}\n{done.stderr[-1500:]}", [], True)
        if done.stdout != expected:
            self.fail("the interpreter differs", command,
                      difference(done.stdout, expected, "interpreted", "compiled"), [], True)

    def all(self, todo):
        expected, _ = self.run(Way("-O0", ("-p1",)))
        if todo.interpret:
            self.interpreted(expected)
        for way in todo.ways:
            if self.program.checkpoints:
                self.resumed(way, expected)
            printed, command = self.run(way)
            if printed != expected:
                self.fail("outputs differ", command,
                          difference(expected, printed, "-O0 -p1", "this"), [way])

    def resumed(self, way, expected):
        """Goes on from the checkpoint that the run before has written."""
        again = Way(way.level, (*way.flags, f"--restart={text.CHECKPOINT}"), way.launcher)
        printed, command = self.run(again)
        wanted = expected[expected.index(text.MIDST):]
        if printed != wanted:
            self.fail("a restart differs", command,
                      difference(wanted, printed, "not stopped", "this"), [way])


class Found(Exception):
    def __init__(self, failure):
        super().__init__(failure.kind)
        self.failure = failure


def difference(a, b, left, right):
    """The first lines that differ."""
    shown = []
    rows = list(zip(a.splitlines() + ["<end>"], b.splitlines() + ["<end>"]))
    for number, (x, y) in enumerate(rows, 1):
        if x != y and len(shown) < 9:
            shown += [f"line {number}", f"  {left}: {x[:160]}", f"  {right}: {y[:160]}"]
    return "\n".join(shown)


def find(program, tools, todo):
    """The first failure, or None."""
    with tempfile.TemporaryDirectory(prefix="zpl-random-") as folder:
        try:
            Attempt(program, tools, folder).all(todo)
        except Found as found:
            return found.failure
    return None


