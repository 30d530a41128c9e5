#!/usr/bin/env python3
"""The first line of a source file is its label, 80 columns wide: `//===- Walk.h - What a
tree is made of ... -===//`, with the file's own name and what it is about.
"""
import pathlib
import re
import sys

LABEL = re.compile(r"//===- (\S+) - \S.* -*(?:-\*- C(?:\+\+)? -\*-)?-*===//$")

root, bad = pathlib.Path(sys.argv[1]), 0
for folder in ("include", "lib", "runtime", "tools", "test/unit"):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in (".h", ".cpp", ".def"):
            continue
        line = path.read_text(encoding="utf-8").split("\n", 1)[0]
        found = LABEL.match(line)
        if not found or found[1].split("/")[-1] != path.name or len(line) != 80:
            print(f"{path.relative_to(root)}: {line}")
            bad += 1
sys.exit(bad != 0)
