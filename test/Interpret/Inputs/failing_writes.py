"""Runs a program whose writes fail in several ways, and prints the status and the
message of each, without what stands before the name of the source.

    failing_writes.py COMMAND...      of test/Faults/Inputs/output.z
"""
import re
import subprocess
import sys

COMMAND = sys.argv[1:]


def run(name, options, output):
    """`output` is given to the command's shell."""
    done = subprocess.run(["bash", "-c", f'"$@" {output}', "bash", *COMMAND, *options],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    message = re.sub(r".*(?=output\.z:\d)", "", done.stderr.strip())
    print(f"{name}: status {done.returncode}, {message}")


run("full", [], "> /dev/full")
run("closed", [], ">&-")
run("pipe", ["--steps=100"], "| head -c 10; exit ${PIPESTATUS[0]}")
run("small", ["--n=2"], "> /dev/full")
run("file", ["--name=/dev/full"], "")
run("small file", ["--name=/dev/full", "--n=2"], "")
