"""truncated.py LIBRARY COPY STATUS WORD COMMAND...: cuts LIBRARY short at many lengths.

Runs COMMAND with each such COPY. Each run ends with STATUS and one line on
standard error with "error: ", which has WORD; nothing is written to standard
output. Lengths: around the header and the segments' ends, and 40 between.
"""
import os
import struct
import subprocess
import sys


def ends(data):
    """Where the header, the table of segments and each segment end."""
    table, size, count = struct.unpack_from("<Q", data, 32) + struct.unpack_from("<HH", data, 54)
    yield from (4, 16, 64, table + size * count)
    for k in range(count):
        offset, _, _, length = struct.unpack_from("<QQQQ", data, table + size * k + 8)
        yield offset + length


def lengths(data):
    whole = len(data)
    found = {k * whole // 40 for k in range(40)} | {whole - 1}
    for end in ends(data):
        found |= {end - 1, end, end + 1}
    return sorted(n for n in found if 0 <= n < whole)


def main():
    library, copy, status, word = sys.argv[1:5]
    with open(library, "rb") as file:
        data = file.read()
    for length in lengths(data):
        with open(copy, "wb") as file:
            file.write(data[:length])
        run = subprocess.run(sys.argv[5:], capture_output=True, text=True, timeout=60, check=False)
        errors = [line for line in run.stderr.splitlines() if "error: " in line]
        if run.returncode != int(status) or len(errors) != 1 or word not in errors[0] or run.stdout:
            sys.exit(f"{length} of {len(data)} bytes: status {run.returncode}\n{run.stdout}{run.stderr}")
    os.remove(copy)
    print(f"{len(lengths(data))} lengths refused")


main()
