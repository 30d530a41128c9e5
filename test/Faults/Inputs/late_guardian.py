"""Has the guardian of a processor run last, as it may on a busy machine.

    late_guardian.py LATE COMMAND...

The command starts processors under MPICH's launcher, of which one writes "ready PID"
and waits. The guardian of number LATE is stopped, and that processor killed.
If they belong together, then, as the launcher would, all other processors are killed;
a moment later the guardian may go on. Else it may when the launcher has ended.
Prints how the command ended and what it wrote, and whether the guardian ended soon.
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


def launched(late, command):
    """The command, the processor that is ready, and the guardian of `late`."""
    run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True,
                           env=dict(os.environ, ZPL_LATE_TEST=str(os.getpid())))
    processor = int(re.fullmatch(r"ready (\d+)\n", run.stderr.readline())[1])
    time.sleep(0.3)
    return run, processor, guardians(os.getpid())[late]


def rank(processor):
    with open(f"/proc/{processor}/environ", "rb") as file:
        return int(re.search(rb"PMI_RANK=(\d+)", file.read())[1])


def has_ended(process, milliseconds):
    end = select.poll()
    end.register(process, select.POLLIN)
    return bool(end.poll(milliseconds))


def main():
    late, *command = sys.argv[1:]
    run, processor, guardian = launched(int(late), command)
    is_own, others = rank(processor) == int(late), siblings(processor)
    ends = os.pidfd_open(processor), os.pidfd_open(guardian)
    os.kill(guardian, signal.SIGSTOP)
    os.kill(processor, signal.SIGKILL)
    if is_own:
        has_ended(ends[0], 10000)  # The launcher, too, sees the end before it kills.
        for pid in others:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.5)
    else:
        run.wait(timeout=30)
    os.kill(guardian, signal.SIGCONT)
    is_soon = has_ended(ends[1], 1500)
    out, errors = run.communicate(timeout=30)
    print(f"{len(others)} others, status {run.returncode}\n{out}{errors}"
          f"guardian {'ended' if is_soon else 'stayed'}")


if __name__ == "__main__":
    main()
