"""What the suites share: peers, interleaved rounds, tables."""
import csv
import os
import re
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PEER_FLAGS = ["-O3", "-march=native"]


def first_program(*names):
    """The first of the programs that is installed, or None."""
    return next((n for n in names if shutil.which(n)), None)


def sh(command, **options):
    """What the command writes to standard output; ends the run if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          **options)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def compile_peer(source, target, *flags, compiler=None):
    """Compiles a peer in C with the options that all peers have."""
    compiler = compiler or first_program("gcc", "clang-19", "clang")
    sh([compiler, *PEER_FLAGS, *flags, os.path.join(HERE, source), "-o", target, "-lm"])
    return target


def c_compilers():
    """Those for peers of which the best counts."""
    return list(filter(None, (first_program("gcc"), first_program("clang-19", "clang"))))


def mpi_launcher():
    return first_program("mpiexec.mpich", "mpiexec")


def interleave(rounds, what, runs):
    """Calls all of `runs` once in each round, each round beginning with another
    one, so that whatever else the machine does hits all alike."""
    for number in range(rounds):
        print(f"\r{what}: round {number + 1} of {rounds}", end="", file=sys.stderr,
              flush=True)
        first = number % len(runs)
        for run in runs[first:] + runs[:first]:
            run()
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)


class Samples:
    """The times of one program, in seconds."""

    def __init__(self):
        self.seconds = []

    def add(self, seconds):
        self.seconds.append(float(seconds))

    median = property(lambda self: statistics.median(self.seconds))
    least = property(lambda self: min(self.seconds))
    most = property(lambda self: max(self.seconds))


class Program:
    """A command that prints a line `CASE seconds S result R` for each of its cases."""

    LINE = re.compile(r"^(\S+) seconds +(\S+) result +(\S+)$", re.M)

    def __init__(self, label, command):
        self.label, self.command = label, command
        self.times, self.results = {}, {}

    def run(self):
        lines = self.LINE.findall(sh(self.command))
        if not lines:
            sys.exit(f"bench: {self.label} printed no case")
        for case, seconds, result in lines:
            self.add(case, seconds, result)

    def add(self, case, seconds, result):
        self.times.setdefault(case, Samples()).add(seconds)
        self.results[case] = result


def require_equal(case, programs, tolerance=0.0):
    """Ends the run if the results of the case differ by more than this part."""
    values = [float(p.results[case]) for p in programs]
    for program, value in zip(programs, values):
        if not abs(value - values[0]) <= tolerance * abs(values[0]):
            sys.exit(f"bench: {case}: {program.label} has the result {value}, "
                     f"{programs[0].label} {values[0]}")


def best_of(case, programs):
    """The program with the least median."""
    return min(programs, key=lambda p: p.times[case].median)


def chosen(options, cases):
    """Those of a suite's cases that --only names; all without it."""
    return [c for c in cases if not options.only or c in options.only.split(",")]


class Memory:
    """How much memory programs have at most, above an empty one."""

    def __init__(self, options, work):
        self.meter = compile_peer("peak.c", os.path.join(work, "peak"))
        empty = os.path.join(work, "empty")
        sh([options.zplc, "-O3", os.path.join(ROOT, "examples/empty.z"), "-o", empty])
        self.ours = self.peak([empty])
        self.peers = self.peak([compile_peer("empty.c", empty + "-c")])

    def peak(self, command):
        return 1024 * int(sh([self.meter, *command]))

    def add(self, table, suite, case, ours, peer, wanted=1.05):
        """A row with the ratio of two programs' memory."""
        mine = self.peak(ours.command) - self.ours
        other = self.peak(peer.command) - self.peers
        table.add(suite, case, ours.label + ", memory", None, mine / other,
                  f"{mine / 1e6:.1f} MB by {other / 1e6:.1f} MB", wanted)


def median_ratio(ones, others):
    """The median over the rounds of one program's time by another's: the noise of
    a shared machine, which changes slowly, cancels out."""
    return statistics.median(a / b for a, b in zip(ones.seconds, others.seconds))


NOISE = 1.03  # what a ratio may be above the wanted one


class Table:
    """Rows for people on standard output, and for programs in a CSV file."""

    def __init__(self, path):
        self.path, self.rows = path, []

    def add(self, suite, case, program, samples, ratio, note="", wanted=None):
        """A ratio may come with the greatest that is wanted."""
        times = ((samples.median, samples.least, samples.most) if samples
                 else (None, None, None))
        self.rows.append([suite, case, program, *times, ratio, note, wanted])

    def show(self, title, wanted):
        """Prints the rows whose suite and case are `wanted`."""
        print(f"\n{title}")
        print(f"  {'':38}{'median s':>10}{'min s':>10}{'max s':>10}{'ratio':>8}")
        for suite, case, program, *times, ratio, note, limit in self.rows:
            if (suite, case) == wanted:
                numbers = "".join(" " * 10 if t is None else f"{t:10.4f}" for t in times)
                shown = f"{ratio:8.3f}" if ratio is not None else " " * 8
                if limit is not None:
                    verdict = "reached" if ratio <= limit * NOISE else "missed"
                    note = f"{note:24}  wanted <= {limit:.2f}: {verdict}"
                print(f"  {program:38}{numbers}{shown}  {note}".rstrip())

    def save(self):
        if not self.path:
            return
        with open(self.path, "w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out)
            writer.writerow(["suite", "case", "program", "median_s", "min_s", "max_s",
                             "ratio", "note", "wanted"])
            writer.writerows(self.rows)
