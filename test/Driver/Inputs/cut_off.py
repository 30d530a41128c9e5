"""cut_off.py LIBRARY COPY STATUS MESSAGE COMMAND...: at many lengths shorter than
LIBRARY, and as other things than a library, COPY makes COMMAND end with STATUS and
one message, which matches MESSAGE.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

library, copy, status, message, *command = sys.argv[1:]
data = pathlib.Path(library).read_bytes()
place = pathlib.Path(copy)


def remove():
    if place.is_dir():
        place.rmdir()
    else:
        place.unlink(missing_ok=True)


def refused(what):
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    if done.returncode != int(status) or len(errors) != 1 or not re.search(message, errors[0]):
        sys.exit(f"{what}: status {done.returncode}, {done.stderr}")


def written(what, contents):
    remove()
    place.write_bytes(contents)
    refused(what)


few = {0, 1, 3, 4, 15, 16, 17, 51, 52, 63, 64, 65, 119, 120, 121, len(data) - 1, len(data) - 63}
pages = range(4096, len(data), 4096)
step = max(len(pages) // 12, 1)
for length in sorted(few | set(pages[::step]) | {len(data) * part // 16 for part in range(16)}):
    written(f"{length} bytes of {len(data)}", data[:length])
written("another machine", data[:18] + bytes([data[18] ^ 0x55]) + data[19:])
written("another word size", data[:4] + bytes([3 - data[4]]) + data[5:])
written("an executable", data[:16] + bytes([2]) + data[17:])
written("a text", b"#!/bin/sh\n" * 1000)
written("zeros", bytes(len(data)))
remove()
place.mkdir()
refused("a folder")
remove()
os.mkfifo(place)
refused("a FIFO")
remove()
if os.geteuid() != 0:
    written("a file that may not be read", data)
    place.chmod(0)
    refused("a file that may not be read")
    remove()
shutil.copyfile(library, place)
