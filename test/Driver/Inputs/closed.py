"""Runs a command without a standard file, or with a limit on the size of files.

    closed.py 0|1|2|limit COMMAND...

Prints the command's status at the end.
"""
import os
import resource
import subprocess
import sys

what, *command = sys.argv[1:]


def prepare():
    if what == "limit":
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    else:
        os.close(int(what))


done = subprocess.run(command, preexec_fn=prepare, timeout=60, check=False)
print(f"status {done.returncode}")
