"""What the suites share: peers, interleaved rounds, tables."""
import csv
import os
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


def median_ratio(ones, others):
    """The median over the rounds of one program's time by another's: the noise of
    a shared machine, which changes slowly, cancels out."""
    return statistics.median(a / b for a, b in zip(ones.seconds, others.seconds))


class Table:
    """Rows for people on standard output, and for programs in a CSV file."""

    def __init__(self, path):
        self.path, self.rows = path, []

    def add(self, suite, case, program, samples, ratio, note=""):
        self.rows.append([suite, case, program, samples.median, samples.least,
                          samples.most, ratio, note])

    def show(self, title, wanted):
        """Prints the rows whose suite and case are `wanted`."""
        print(f"\n{title}")
        print(f"  {'':38}{'median s':>10}{'min s':>10}{'max s':>10}{'ratio':>8}")
        for suite, case, program, *times, ratio, note in self.rows:
            if (suite, case) == wanted:
                numbers = "".join(f"{t:10.4f}" for t in times)
                shown = f"{ratio:8.3f}" if ratio is not None else " " * 8
                print(f"  {program:38}{numbers}{shown}  {note}".rstrip())

    def save(self):
        if not self.path:
            return
        with open(self.path, "w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out)
            writer.writerow(["suite", "case", "program", "median_s", "min_s", "max_s",
                             "ratio", "note"])
            writer.writerows(self.rows)
