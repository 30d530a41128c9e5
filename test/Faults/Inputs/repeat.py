"""Runs a command again and again, and counts the ways in which the runs ended.

    repeat.py [--lock FILE] TIMES [--reader] COMMAND...

Prints, for each way, how often it came, the status, standard output, and then
standard error, of which pids and what Open MPI's launcher says of its own event loop
are left out. With --reader the output is a pipe,
else a file. With --lock, each run holds that lock, and none is held between them. If the ways differ, standard error has the command, and how each differs
from the most common one, with the number of the first run that ended so.
"""
import collections
import difflib
import fcntl
import os
import re
import subprocess
import sys
import tempfile

LIMIT = 30


def once(command, by_pipe):
    with tempfile.TemporaryFile() as file:
        try:
            run = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=LIMIT,
                                 stdout=subprocess.PIPE if by_pipe else file,
                                 stderr=subprocess.PIPE, check=False)
        except subprocess.TimeoutExpired as end:
            file.seek(0)
            out = (end.stdout or b"") if by_pipe else file.read()
            return f"not ended after {LIMIT} s", out.decode(), (end.stderr or b"").decode()
        file.seek(0)
        out = run.stdout if by_pipe else file.read()
    errors = re.sub(rb"ready \d+\n|\[warn\] Epoll .*\n", b"", run.stderr)
    status = (f"signal {-run.returncode}" if run.returncode < 0
              else f"status {run.returncode}")
    return status, out.decode(), errors.decode()


def lines(way):
    status, out, errors = way
    return [status, "-- output", *out.splitlines(), "-- errors", *errors.splitlines()]


def tell_differences(command, ways, first):
    (usual, _), *others = ways.most_common()
    print(f"The ways of {' '.join(command)} differ:", file=sys.stderr)
    for way, count in others:
        print(f"{count} of {ways.total()}, the first in run {first[way]}:", file=sys.stderr)
        for line in difflib.ndiff(lines(usual), lines(way)):
            print(line.rstrip("\n"), file=sys.stderr)


def main():
    arguments, lock = sys.argv[1:], os.devnull
    if arguments[0] == "--lock":
        _, lock, *arguments = arguments
    times, *command = arguments
    by_pipe = command[0] == "--reader"
    command = command[by_pipe:]
    ways, first = collections.Counter(), {}
    for number in range(1, int(times) + 1):
        with open(lock, "w", encoding="utf-8") as held:
            if lock != os.devnull:
                fcntl.flock(held, fcntl.LOCK_EX)
            way = once(command, by_pipe)
        ways[way] += 1
        first.setdefault(way, number)
    for (status, out, errors), count in ways.most_common():
        print(f"{count} times {status}\n{out.rstrip()}\n{errors.rstrip()}")
    if len(ways) > 1:
        tell_differences(command, ways, first)


main()
