#!/usr/bin/env python3
"""complete_in_zsh.py BIN LINE: what an interactive zsh shows after LINE and Tab.

Starts zsh on a terminal of its own, with the folder `functions` for completions
and BIN on the PATH, types the line and Tab, and prints what appears.
"""
import os
import pty
import re
import select
import sys
import time


def read(end, seconds):
    """What comes until nothing came for a while."""
    text, last = b"", time.monotonic()
    while time.monotonic() - last < seconds:
        if select.select([end], [], [], 0.1)[0]:
            try:
                part = os.read(end, 65536)
            except OSError:
                break
            if not part:
                break
            text, last = text + part, time.monotonic()
    return text


def main():
    folder, line = sys.argv[1:]
    pid, end = pty.fork()
    if pid == 0:
        os.environ.update(PATH=folder + ":" + os.environ["PATH"], TERM="dumb", COLUMNS="200",
                          LINES="60", PS1="> ")
        os.execvp("zsh", ["zsh", "-f", "-i"])
    os.write(end, b"stty cols 200 rows 60; fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D; "
                  b"LISTMAX=1000; echo rea''dy\n")
    seen = b""
    for _ in range(100):
        seen += read(end, 0.2)
        if b"ready" in seen.split(b"rea''dy")[-1]:
            break
    os.write(end, line.encode())
    read(end, 0.5)
    os.write(end, b"\t")
    text = read(end, 1.5) + b"\n"
    os.write(end, b"\t")
    text += read(end, 1.5)
    text = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]|\x07|\r", b"", text)
    # Only what was added is shown, behind what was typed.
    sys.stdout.buffer.write(line.encode() + text + b"\n")
    os.close(end)


main()
