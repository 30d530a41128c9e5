"""kill_checkpoints.py EXE FILE ROUNDS: kills a run that writes one checkpoint after the other, each time a little
later; the next one goes on from a whole one, which is no older than the last."""
import os
import signal
import subprocess
import sys
import time

program, path, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
unfinished = path + ".new"
for name in (path, unfinished):
    if os.path.exists(name):
        os.unlink(name)
last, torn = 0, 0
for k in range(rounds):
    restart = [f"--restart={path}"] if os.path.exists(path) else []
    run = subprocess.Popen([program, "-p2", f"-sname={path}", *restart], start_new_session=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 20
    while not (os.path.exists(path) and os.path.exists(unfinished)) and time.monotonic() < end:
        time.sleep(0.001)
    time.sleep(0.003 * k)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    torn += os.path.exists(unfinished)
    found = subprocess.run([program, "-p3", f"--restart={path}", "-ssteps=0"], capture_output=True,
                           text=True, timeout=30, check=False)
    if found.returncode or not found.stdout.endswith(": 0, 0\n"):
        sys.exit(f"round {k}: status {found.returncode}: {found.stdout}{found.stderr}")
    step = int(found.stdout.split(":")[0])
    if step < last:
        sys.exit(f"round {k}: step {step} after {last}")
    last = step
if not torn:
    sys.exit("no run was killed while it wrote")
print(f"whole after {last and 'every'} kill")
