"""Runs a command again and again, and counts the ways in which the runs ended.

    repeat.py TIMES [--reader] COMMAND...

Prints, for each way, how often it came, the status, standard output, and then
standard error, of which pids and what Open MPI's launcher says of its own event loop
are left out. With --reader the output is a pipe,
else a file.
"""
import collections
import re
import subprocess
import sys
import tempfile


def once(command, by_pipe):
    with tempfile.TemporaryFile() as file:
        run = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=30,
                             stdout=subprocess.PIPE if by_pipe else file,
                             stderr=subprocess.PIPE, check=False)
        file.seek(0)
        out = run.stdout if by_pipe else file.read()
    errors = re.sub(rb"ready \d+\n|\[warn\] Epoll .*\n", b"", run.stderr)
    status = (f"signal {-run.returncode}" if run.returncode < 0
              else f"status {run.returncode}")
    return status, out.decode(), errors.decode()


def main():
    times, *command = sys.argv[1:]
    by_pipe = command[0] == "--reader"
    command = command[by_pipe:]
    ways = collections.Counter(once(command, by_pipe) for _ in range(int(times)))
    for (status, out, errors), count in ways.most_common():
        print(f"{count} times {status}\n{out.rstrip()}\n{errors.rstrip()}")


main()
