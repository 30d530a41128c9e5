#!/usr/bin/env python3
"""Runs gdb on a program with the commands that stand in its source.

    run-gdb.py GDB ROOT SOURCE PROGRAM [ARGUMENT...]

`-- GDB: command` lines of SOURCE are the commands, in order; `@name` in them is
the place `file:line` of the line that ends in `-- @name`. ROOT is the folder
whose scripts gdb may load. The user's gdb settings are left out. Where a
command fails, gdb says why and goes on with the next one.
"""
import os
import re
import subprocess
import sys

gdb, root, source, program, *arguments = sys.argv[1:]
with open(source) as text:
    lines = text.read().splitlines()
places = {}
for number, line in enumerate(lines, 1):
    found = re.search(r"-- (@\w+)$", line)
    if found:
        places[found[1]] = f"{os.path.basename(source)}:{number}"
script = []
for line in lines:
    if line.startswith("-- GDB: "):
        command = re.sub(r"@\w+", lambda m: places.get(m[0], m[0]), line[8:])
        script += ["-ex", command]
result = subprocess.run(
    [gdb, "-nx", "-batch", "-iex", "set debuginfod enabled off",
     "-iex", f"add-auto-load-safe-path {root}", "-ex", "set width 0",
     "-ex", "set startup-with-shell off", *script, "--args", program,
     *arguments],
    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    text=True, timeout=60)
print(result.stdout, end="")
