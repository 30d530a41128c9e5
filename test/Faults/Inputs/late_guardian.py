"""Has the guardian of a killed processor run last, as it may on a busy machine.

    late_guardian.py LATE COMMAND...

The command starts processors under MPICH's launcher, of which one, number LATE,
writes "ready PID" and waits. Its guardian is stopped, it is killed, and then, as the
launcher would, all other processors are; a moment later the guardian may go on.
Prints how the command ended and what it wrote.
"""
import os
import re
import select
import signal
import subprocess
import sys
import time


def guardians(launcher):
    """Rank -> process id, of those that the descendants of a launcher have."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                if file.read().strip() != "zrt-guardian":
                    continue
            with open(f"/proc/{pid}/environ", "rb") as file:
                words = dict(word.partition(b"=")[::2] for word in file.read().split(b"\0"))
        except OSError:
            continue
        if words.get(b"ZPL_LATE_TEST") == str(launcher).encode():
            found[int(words[b"PMI_RANK"])] = int(pid)
    return found


def siblings(process):
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        parent = file.read().rpartition(")")[2].split()[1]
    with open(f"/proc/{parent}/task/{parent}/children", encoding="utf-8") as file:
        return [int(pid) for pid in file.read().split() if int(pid) != process]


def main():
    late, *command = sys.argv[1:]
    run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True,
                           env=dict(os.environ, ZPL_LATE_TEST=str(os.getpid())))
    processor = int(re.fullmatch(r"ready (\d+)\n", run.stderr.readline())[1])
    time.sleep(0.3)
    guardian = guardians(os.getpid())[int(late)]
    os.kill(guardian, signal.SIGSTOP)
    others = siblings(processor)
    end = select.poll()
    end.register(os.pidfd_open(processor), select.POLLIN)
    os.kill(processor, signal.SIGKILL)
    end.poll(10000)  # The launcher, too, sees the end before it kills.
    for pid in others:
        os.kill(pid, signal.SIGKILL)
    time.sleep(0.5)
    os.kill(guardian, signal.SIGCONT)
    out, errors = run.communicate(timeout=30)
    print(f"{len(others)} others, status {run.returncode}\n{out}{errors}", end="")


main()
