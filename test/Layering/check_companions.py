#!/usr/bin/env python3
"""Beside the programs of test/Exec stands what run_matrix.py reads, and nothing that
a run has left: each file is NAME.z, or a companion of one.

    check_companions.py ROOT
"""
import pathlib
import sys

COMPANIONS = {".z", ".out", ".args", ".in", ".c", ".h", ".zplc", ".needs", ".files", ".line"}


def main():
    root = pathlib.Path(sys.argv[1]) / "test" / "Exec" / "programs"
    bad = []
    for path in sorted(filter(pathlib.Path.is_file, root.iterdir())):
        # what a program includes or links may have a name of its own
        alone = path.suffix in (".h", ".c")
        if path.suffix not in COMPANIONS or not (alone or path.with_suffix(".z").exists()):
            bad.append(f"{path.name} belongs to no program")
    print("\n".join(bad))
    return bool(bad)


sys.exit(main())
