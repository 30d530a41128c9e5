#!/usr/bin/env python3
"""Formats all programs of some folders: the same text but for blanks, and twice is once.

    every-program.py ZPL-FORMAT FOLDER ...
"""
import pathlib
import subprocess
import sys

formatter, *folders = sys.argv[1:]
count = failed = 0


def run(text):
    return subprocess.run([formatter], input=text, capture_output=True, check=False)


for folder in folders:
    for path in sorted(pathlib.Path(folder).rglob("*.z")):
        text = path.read_bytes()
        once = run(text)
        twice = run(once.stdout)
        same = text.split() == once.stdout.split() or \
            b"".join(text.split()) == b"".join(once.stdout.split())
        count += 1
        if once.returncode or once.stdout != twice.stdout or not same:
            failed += 1
            print(f"{path}: {once.stderr.decode(errors='replace')}")
print(f"{count} programs, {failed} failed")
