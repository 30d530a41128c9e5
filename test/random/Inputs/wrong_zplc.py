#!/usr/bin/env python3
"""A compiler for tests of run.py: its programs print a line for every `writeln`
of the source, but a wrong one above -O0 where the source has a scan with `-`."""
import os
import re
import sys

source = next(word for word in sys.argv if word.endswith(".z"))
with open(source, encoding="utf-8") as file:
    text = file.read()
lines = text.count("writeln")
if "-O0" not in sys.argv and re.search(r"\|\|(<[^>]*>)?\[[^]]*-", text):
    lines += 1
target = sys.argv[sys.argv.index("-o") + 1]
with open(target, "w", encoding="utf-8") as file:
    file.write("#!/bin/sh\n" + "echo line\n" * lines)
os.chmod(target, 0o755)
