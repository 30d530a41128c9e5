"""Kills one process of a running program and watches the end of the run.

    kill_one.py [--supervisor] COMMAND...

Starts COMMAND, waits until its processes run, sends SIGKILL to the youngest of
them that has no child and is a processor (with --supervisor: to the first), and
prints the status, the error lines, and how many processes are left.
"""
import os
import signal
import subprocess
import sys
import time

MARK = f"ZPL_KILL_TEST={os.getpid()}"


def marked():
    """Process id -> parent's, of those that carry the mark."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if MARK.encode() not in file.read().split(b"\0"):
                    continue
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                words = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if words[0] != "Z":
            found[int(pid)] = int(words[1])
    return found


def is_guardian(pid):
    with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
        return file.read().strip() == "zrt-guardian"


def left(seconds):
    end = time.monotonic() + seconds
    while marked() and time.monotonic() < end:
        time.sleep(0.1)
    return marked()


def main():
    supervisor = sys.argv[1] == "--supervisor"
    name, _, value = MARK.partition("=")
    run = subprocess.Popen(sys.argv[1 + supervisor:], text=True,
                           env=dict(os.environ, **{name: value}),
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(1)  # until all of them compute
    processes = marked()
    leaves = [pid for pid in set(processes) - set(processes.values())
              if not is_guardian(pid)]
    os.kill(run.pid if supervisor else max(leaves), signal.SIGKILL)
    try:
        _, errors = run.communicate(timeout=20)
        print("status", "nonzero" if run.returncode else "zero")
        print("\n".join(line for line in errors.splitlines() if "error" in line))
    except subprocess.TimeoutExpired:
        print("still running")
    remaining = left(5)
    print("left:", len(remaining))
    for pid in remaining:
        os.kill(pid, signal.SIGKILL)


main()
