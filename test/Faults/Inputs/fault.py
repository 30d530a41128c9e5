"""Runs a program to which something happens, and says how the run ends.

    fault.py [OPTION...] COMMAND...

    --signal NAME     once a processor has written "ready PID" to standard error,
                      sends it the signal
    --to first        ... to the command's process instead
    --to group        ... to all of them, as a terminal does
    --to all-but      ... to every process but that processor and the first
    --to NAME         ... to a process of that name
    --after SECONDS   ... that much later
    --runs-on SECONDS the run should not end: after so long it is ended here, and
                      "still running" printed
    --input           standard input is a pipe that stays open

In the command, 60% stands for the number of pieces of 8000 bytes that make up 60 %
of the machine's memory.

Prints how the command ended, whether in time (10 s from the signal, or from the
start), its output and its errors, and what is left: processes that carry its
mark, zombies among them, and segments of shared memory with names.
"""
import argparse
import contextlib
import ctypes
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

LIMIT = 10
MARK = f"ZPL_FAULT_TEST={os.getpid()}"


def processes():
    """Process id -> (name, state) of those that carry the mark, or have died and
    wait for somebody to notice."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                text = file.read()
            name = text[text.index("(") + 1:text.rindex(")")]
            state, parent = text[text.rindex(")") + 1:].split()[:2]
            with open(f"/proc/{pid}/environ", "rb") as file:
                marked = MARK.encode() in file.read().split(b"\0")
        except OSError:
            continue
        if marked or (state == "Z" and int(parent) == os.getpid()):
            found[int(pid)] = (name, state)
    return found


def segments(pids):
    """Named shared memory that processes have mapped: paths in /dev/shm, and ids
    of System V."""
    found = set()
    for pid in pids:
        try:
            with open(f"/proc/{pid}/maps", encoding="utf-8") as file:
                for line in file:
                    _, _, _, _, inode, *path = line.split(maxsplit=5)
                    if path and path[0].startswith("/dev/shm/"):
                        found.add(path[0].strip())
                    elif path and path[0].startswith("/SYSV"):
                        found.add(int(inode))
        except OSError:
            pass
    return found


def remaining(names):
    """Those of the segments that are still there."""
    with open("/proc/sysvipc/shm", encoding="utf-8") as file:
        ids = {line.split()[1] for line in file}
    return [name for name in names
            if (str(name) in ids if isinstance(name, int) else os.path.exists(name))]


def reap():
    """Orphans of the run are children of this process; who has died is gone."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def wait_ready(errors):
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with open(errors, encoding="utf-8", errors="replace") as file:
            if found := re.search(r"^(?:\[\d+\] )?ready (\d+)$", file.read(), re.M):
                return int(found[1])
        time.sleep(0.02)
    sys.exit("no processor is ready")


def send(options, run, processor):
    number = signal.Signals[options.signal]
    if options.to == "processor":
        os.kill(processor, number)
    elif options.to == "first":
        os.kill(run.pid, number)
    elif options.to == "group":
        os.killpg(run.pid, number)
    else:
        for pid, (name, _) in processes().items():
            if pid == run.pid or not (name == options.to or
                                      options.to == "all-but" and pid != processor):
                continue
            with contextlib.suppress(ProcessLookupError):  # already ended by another
                os.kill(pid, number)


def with_share(word):
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return re.sub(r"\b(\d+)%", lambda share: str(int(share[1]) * pages * size // 100
                                                // 8000), word)


def status_text(status):
    return f"signal {-status}" if status < 0 else f"status {status}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--signal")
    parser.add_argument("--to", default="processor")
    parser.add_argument("--after", type=float, default=0.3)
    parser.add_argument("--runs-on", type=float)
    parser.add_argument("--input", action="store_true")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    names = set()
    name, _, value = MARK.partition("=")
    with tempfile.TemporaryDirectory() as folder:
        out, err = os.path.join(folder, "out"), os.path.join(folder, "err")
        with open(out, "wb") as output, open(err, "wb") as errors:
            run = subprocess.Popen([with_share(word) for word in options.command],
                                   stdin=subprocess.PIPE if options.input
                                   else subprocess.DEVNULL,
                                   stdout=output, stderr=errors,
                                   start_new_session=True,
                                   env=dict(os.environ, **{name: value}))
        start = time.monotonic()
        if options.signal:
            processor = wait_ready(err)
            time.sleep(options.after)
            names = segments(processes())
            start = time.monotonic()
            send(options, run, processor)
        try:
            run.wait(timeout=options.runs_on or 2 * LIMIT)
            print(status_text(run.returncode))
            print("in time" if time.monotonic() - start < LIMIT else "late")
        except subprocess.TimeoutExpired:
            print("still running")
        with open(out, encoding="utf-8", errors="replace") as file:
            print(file.read(), end="")
        with open(err, encoding="utf-8", errors="replace") as file:
            print(re.sub(r"^ready \d+\n", "", file.read(), flags=re.M), end="")
    if run.returncode is None:
        os.killpg(run.pid, signal.SIGKILL)
    end = time.monotonic() + LIMIT
    while time.monotonic() < end and (processes() or remaining(names)):
        # Zombies of the run that are nobody's children yet are ours to reap; a
        # live parent that does not reap is a fault.
        reap()
        time.sleep(0.05)
    left = processes()
    print("left:", len(left), *[f"{name} ({state})" for name, state in left.values()])
    print("segments:", len(remaining(names)))
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    reap()


main()
