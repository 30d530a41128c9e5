#!/usr/bin/env python3
"""What is found in one place can be kept in mind: no folder of sources has more than 30
files, no class has more than 40 functions or is written in more than three files, but
for visitors over our node kinds, and no class has friends.

    check_rooms.py ROOT
"""
import collections
import pathlib
import re
import sys

LARGEST_FOLDER, LARGEST_CLASS, MOST_FILES = 30, 40, 3
VISITORS = {"Printer", "TreePrinter"}
FUNCTION = re.compile(r"^(?![\s/#])[^\n;{}()=]*?\b([A-Z]\w+)::(~?\w+)\(", re.M)
FRIEND = re.compile(r"(?:^|[;{}])\s*friend\b(?!.*\boperator\b)", re.M)


def main():
    root = pathlib.Path(sys.argv[1])
    bad = []
    folders = collections.Counter()
    functions = collections.defaultdict(set)
    for top in ("include", "lib", "runtime", "tools"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".def"):
                continue
            folders[path.parent] += 1
            text = path.read_text(encoding="utf-8")
            if FRIEND.search(text):
                bad.append(f"{path.relative_to(root)} has a friend")
            part = path.relative_to(root).parts[:2]
            for name, function in FUNCTION.findall(text):
                if name not in VISITORS:
                    functions[part, name].add((function, path))
    for folder, count in folders.items():
        if count > LARGEST_FOLDER:
            bad.append(f"{folder.relative_to(root)} has {count} files")
    for (part, name), found in functions.items():
        files = {path for _, path in found}
        if len(found) > LARGEST_CLASS:
            bad.append(f"{'/'.join(part)}: class {name} has {len(found)} functions")
        if len(files) > MOST_FILES:
            bad.append(f"{'/'.join(part)}: class {name} is in {len(files)} files")
    print("\n".join(bad))
    return bool(bad)


sys.exit(main())
