"""Ends a run at many moments of its start, and says what became of each.

    sweep.py --signal NAME [--to command|group|rank] [--last SECONDS]
             [--steps N] COMMAND...

In the k-th run the signal is sent k * SECONDS / N after the start: to the
command's process, to its group, as a terminal does, or to one of the processes
that the launcher has started, if there is one by then. A run in which the signal
found a process must end within ten seconds, with a status that is not 0. Prints
how many runs did not, and whether segments of shared memory and processes were
left. (Each run carries a mark of its own in its environment.)
"""
import argparse
import os
import signal
import subprocess
import time

LIMIT = 10


def marked(mark):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                environment = file.read().split(b"\0")
        except OSError:
            continue
        if mark.encode() in environment:
            found.append((int(pid), any(word.startswith((b"PMI_RANK=",
                                                         b"OMPI_COMM_WORLD_RANK="))
                                        for word in environment)))
    return found


def segments():
    return {name for name in os.listdir("/dev/shm")
            if name.startswith(("mpich_shar_tmp", "ucx_shm_posix_",
                                "vader_segment."))}


def send(options, run, mark):
    number = signal.Signals[options.signal]
    if options.to == "group":
        os.killpg(run.pid, number)
    elif options.to == "command":
        os.kill(run.pid, number)
    else:
        ranks = [pid for pid, is_rank in marked(mark) if is_rank]
        if not ranks:
            return False
        os.kill(ranks[0], number)
    return True


def once(options, k):
    """What was wrong with the run; nothing is right."""
    mark = f"ZPL_SWEEP_TEST={os.getpid()}.{k}"
    name, _, value = mark.partition("=")
    run = subprocess.Popen(options.command, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           start_new_session=True,
                           env=dict(os.environ, **{name: value}))
    time.sleep(k * options.last / options.steps)
    wrong = []
    try:
        if run.poll() is not None or not send(options, run, mark):
            os.killpg(run.pid, signal.SIGTERM)
        if run.wait(timeout=LIMIT) == 0:
            wrong.append("looks good")
    except subprocess.TimeoutExpired:
        wrong.append("hangs")
        os.killpg(run.pid, signal.SIGKILL)
    except ProcessLookupError:
        wrong.append("ended early")
    end = time.monotonic() + LIMIT
    while marked(mark) and time.monotonic() < end:
        time.sleep(0.02)
    for pid, _ in marked(mark):
        wrong.append("leaves a process")
        os.kill(pid, signal.SIGKILL)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--signal", required=True)
    parser.add_argument("--to", default="command")
    parser.add_argument("--last", type=float, default=0.6)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    before = segments()
    bad = 0
    for k in range(1, options.steps + 1):
        if wrong := once(options, k):
            bad += 1
            print(f"after {k * options.last / options.steps:.2f} s:", *wrong)
    print("bad:", bad)
    print("segments:", len(segments() - before))


main()
