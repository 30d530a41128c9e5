"""ended_again.py TIMES FOLDER COMMAND...: starts COMMAND, sends it SIGTERM again and again
from when a file with bytes is in FOLDER until it has ended, and says if something is left
there.
"""
import contextlib
import os
import signal
import subprocess
import sys
import time

times, folder, *command = sys.argv[1:]
for run in range(int(times)):
    with subprocess.Popen(command, start_new_session=True) as process:
        end = time.monotonic() + 30
        while not any(entry.stat().st_size for entry in os.scandir(folder)):
            if time.monotonic() > end or process.poll() is not None:
                sys.exit(f"run {run}: no file, status {process.poll()}")
            time.sleep(0.001)
        while process.poll() is None:
            process.terminate()
        if process.returncode != -signal.SIGTERM:
            sys.exit(f"run {run}: status {process.returncode}")
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)    # the linker, if it has been started
    if os.listdir(folder):
        sys.exit(f"run {run}: {os.listdir(folder)} is left")
