"""Runs a program with --bind=core -v and looks where its processors are.

    check_binding.py COMMAND...

Each says which hardware threads it may use, as the system told it afterwards: some
of one core, of those that this process may use; as many cores as there can be.
"""
import os
import re
import subprocess
import sys


def threads(text):
    """The numbers of a list such as 0-3,8."""
    found = set()
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def core(thread):
    """All threads of its core."""
    name = f"/sys/devices/system/cpu/cpu{thread}/topology/thread_siblings_list"
    if not os.path.exists(name):
        return frozenset([thread])
    with open(name) as file:
        return frozenset(threads(file.read()))


done = subprocess.run(sys.argv[1:], text=True, capture_output=True)
lines = re.findall(r"processor (\d+) on \S+, hardware threads (\S+)", done.stderr)
usable = os.sched_getaffinity(0)
places = [threads(text) for _, text in lines]
cores = {core(min(place)) for place in places}
most = len({core(thread) for thread in usable})
if (done.returncode or not places or [int(number) for number, _ in lines] != list(range(len(lines)))
        or any(place != core(min(place)) & usable for place in places)
        or len(cores) != min(len(places), most)):
    sys.exit(f"status {done.returncode}, usable {usable}:\n{done.stderr}")
print(len(places), "processors bound")
