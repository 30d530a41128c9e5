"""Ends a launched run at many moments of its start, and counts what goes wrong.

    sweep.py --moments N --until SECONDS --to VICTIM COMMAND...

Runs the command N times. The K-th time, K * SECONDS / N after its start:
    --to group      SIGINT goes to all processes of its group, as from a terminal
    --to first      SIGTERM goes to the command's process
    --to killed     SIGKILL goes to the command's process
    --to processor  SIGKILL goes to one of the processes whose program is the one
                    that the command's first word with a '.exe' names; while
                    there is none, nothing is sent

Prints how many runs did not end within 10 s, how many that were hit after all
looked successful, and what was left of any: processes and names in /dev/shm.
"""
import argparse
import ctypes
import os
import signal
import subprocess
import time

LIMIT = 10
MARK = "ZPL_SWEEP_TEST"
VALUE = str(os.getpid())


def processes(program=None):
    """Of the sweep, those that still run; of \\p program only, if it is named."""
    found = []
    mark = f"{MARK}={VALUE}".encode()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if mark not in file.read().split(b"\0"):
                    continue
            if not program or os.readlink(f"/proc/{pid}/exe") == program:
                found.append(int(pid))
        except OSError:
            continue
    return sorted(found)


def names():
    """Names in /dev/shm that begin as those of MPI's libraries do."""
    return {name for name in os.listdir("/dev/shm")
            if name.startswith(("mpich", "ucx_shm", "vader", "sem.", "psm"))}


def send(to, run, program):
    """Whether somebody was hit."""
    if run.poll() is not None:
        return False
    if to == "group":
        os.killpg(run.pid, signal.SIGINT)
    elif to == "first":
        os.kill(run.pid, signal.SIGTERM)
    elif to == "killed":
        os.kill(run.pid, signal.SIGKILL)
    else:
        victims = processes(program)
        if not victims:
            return False
        try:
            os.kill(victims[0], signal.SIGKILL)
        except ProcessLookupError:
            return False
    return True


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def settle(before):
    """What is left when all that can go has had time for it."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end and (processes() or names() - before):
        reap()
        time.sleep(0.02)
    left, named = processes(), names() - before
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    reap()
    return len(left), len(named)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--moments", type=int, required=True)
    parser.add_argument("--until", type=float, required=True)
    parser.add_argument("--to", required=True)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    program = next(os.path.realpath(word) for word in options.command if ".exe" in word)

    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    late = good = left = named = hit = 0
    for k in range(options.moments):
        before = names()
        run = subprocess.Popen(options.command, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True,
                               env=dict(os.environ, **{MARK: VALUE}))
        time.sleep(k * options.until / options.moments)
        was_hit = send(options.to, run, program)
        hit += was_hit
        try:
            status = run.wait(timeout=LIMIT)
            good += was_hit and status == 0
        except subprocess.TimeoutExpired:
            late += 1
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        processes_left, names_left = settle(before)
        left += processes_left
        named += names_left
    print("hit:", "most" if 2 * hit > options.moments else hit)
    print(f"late: {late}, successful: {good}, left: {left}, names: {named}")


main()
