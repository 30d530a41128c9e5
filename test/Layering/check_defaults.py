#!/usr/bin/env python3
"""A switch over our own kinds lists them, so that the compiler finds where a new one
is missing: a `default:` stands only over numbers, letters and other projects'
enumerations, and a comment beside it says what else there is.
"""
import pathlib
import re
import sys

LABEL = re.compile(r"^\s*default:(?!\s*// \S)", re.M)

root, bad = pathlib.Path(sys.argv[1]), 0
for folder in ("include", "lib", "runtime", "tools"):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        text = path.read_text(encoding="utf-8")
        for found in LABEL.finditer(text):
            line = text.count("\n", 0, found.end()) + 1
            print(f"{path.relative_to(root)}:{line}: a default without a reason beside it")
            bad += 1
sys.exit(bad != 0)
