#!/usr/bin/env python3
"""Every error and warning has a test, and tests name only those that exist.

A test covers a diagnostic by its id in brackets: {{operands have rank 2 and 3
[rank-mismatch]}}. Notes have no id in the output and are not counted.
"""
import os
import re
import sys

DIAG = re.compile(r'^DIAG\(\s*\w+,\s*(\w+),\s*"([^"]+)"', re.M)
WARNING = re.compile(r'^WARNING(?:_OFF)?\(\s*\w+,\s*"[^"]*",\s*"([^"]+)"', re.M)
PASS = re.compile(r'^PASS\(\s*"([^"]+)"', re.M)
EXPECTED = re.compile(r"expected-(?:error|warning)\S*\s*\{\{(.*?)\}\}")
BRACKETED = re.compile(r"\[([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\]")


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def declared(root):
    """id -> severity, from the .def files."""
    folder = os.path.join(root, "include/zpl/Support")
    ids = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".def"):
            text = read(os.path.join(folder, name))
            ids.update((diagnostic, severity) for severity, diagnostic in DIAG.findall(text))
            ids.update((diagnostic, "Warning") for diagnostic in WARNING.findall(text))
    return ids


def tested(root):
    """id -> a file that names it."""
    ids = {}
    for path, _, files in os.walk(os.path.join(root, "test")):
        for name in files:
            file = os.path.join(path, name)
            if not name.endswith((".z", ".test", ".cpp")):
                continue
            text = read(file)
            lines = [found for found in EXPECTED.findall(text)]
            # Unit tests compare with whole messages.
            lines += [line for line in text.splitlines()
                      if "CHECK" in line or name.endswith(".cpp")]
            for diagnostic in BRACKETED.findall("\n".join(lines)):
                ids.setdefault(diagnostic, os.path.relpath(file, root))
    return ids


def main():
    known, seen = declared(sys.argv[1]), tested(sys.argv[1])
    wrong = [f"no test expects [{name}]" for name, severity in known.items()
             if severity != "Note" and name not in seen]
    # Remarks name their pass in brackets; one word may as well be a region.
    passes = set(PASS.findall(read(os.path.join(
        sys.argv[1], "include/zpl/Transforms/Passes.def"))))
    wrong += [f"{file}: there is no diagnostic [{name}]"
              for name, file in seen.items()
              if "-" in name and name not in known and name not in passes]
    print("\n".join(wrong) or f"{len(known)} diagnostics, all tested")
    return 1 if wrong else 0


sys.exit(main())
