"""Makes files of Matrix Market, right ones and others, and has each read by a program.

    matrix_market.py ZPLC SOURCE PROGRAM

SOURCE compiled is PROGRAM. Prints of each file what the program prints, which must be the
same on one processor, on three, and in the interpreter. Ends with status 1 if it is not.
"""
import os
import re
import subprocess
import sys

HEAD = "%%MatrixMarket matrix "
FILES = [
    ("general", "real", HEAD + "coordinate real general\n% a comment\n\n 3 4 4\n3 4 -2.5e0\n1 1 1\n\n% more\n2 3 +7\n1 4 .5\n"),
    ("dos", "real", HEAD + "coordinate real general\r\n2 2 1\r\n2 1 0.25\r\n"),
    ("cased", "real", "%%matrixmarket MATRIX Coordinate Double General\n1 2 1\n1 2 3"),
    ("symmetric", "integer", HEAD + "coordinate integer symmetric\n3 3 3\n3 1 5\n2 2 -4\n3 2 6\n"),
    ("skew", "real", HEAD + "coordinate real skew-symmetric\n3 3 2\n2 1 1.5\n3 2 -2\n"),
    ("hermitian", "complex", HEAD + "coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 1 -2\n"),
    ("pattern", "pattern", HEAD + "coordinate pattern symmetric\n3 3 2\n3 1\n2 2\n"),
    ("ones", "real", HEAD + "coordinate pattern general\n2 2 2\n1 2\n2 1\n"),
    ("array", "real", HEAD + "array real general\n2 3\n11\n21\n12\n22\n13\n23\n"),
    ("lower", "integer", HEAD + "array integer symmetric\n3 3\n11\n21\n31\n22\n32\n33\n"),
    ("strict", "real", HEAD + "array real skew-symmetric\n3 3\n21\n31\n32\n"),
    ("tiny", "real", HEAD + "coordinate real general\n1 3 3\n1 1 1e-400\n1 2 inf\n1 3 4.9e-324\n"),
    ("nothing", "real", HEAD + "coordinate real general\n2 2 0\n"),
    ("empty", "real", ""),
    ("garbage", "real", bytes(range(256)) * 40),
    ("text", "real", "1 1 1\n"),
    ("words", "real", HEAD + "coordinate real\n1 1 0\n"),
    ("format", "real", HEAD + "sparse real general\n1 1 0\n"),
    ("field", "real", HEAD + "coordinate rational general\n1 1 0\n"),
    ("symmetry", "real", HEAD + "coordinate real diagonal\n1 1 0\n"),
    ("patterns", "real", HEAD + "array pattern general\n1 1\n"),
    ("real-hermitian", "real", HEAD + "coordinate real hermitian\n1 1 0\n"),
    ("no-sizes", "real", HEAD + "coordinate real general\n% nothing else\n"),
    ("sizes", "real", HEAD + "coordinate real general\n1 1\n"),
    ("negative", "real", HEAD + "coordinate real general\n-1 1 0\n"),
    ("rectangle", "real", HEAD + "coordinate real symmetric\n2 3 0\n"),
    ("large", "real", HEAD + "coordinate real general\n3000000000 1 1\n2999999999 1 1\n"),
    ("overflow", "real", HEAD + "coordinate real general\n99999999999999999999 1 1\n1 1 1\n"),
    ("too-many", "real", HEAD + "coordinate real general\n2 2 5\n1 1 1\n"),
    ("short", "real", HEAD + "coordinate real general\n2 2 3\n1 1 1\n2 2 2\n"),
    ("long", "real", HEAD + "coordinate real general\n2 2 1\n1 1 1\n2 2 2\n"),
    ("long-array", "real", HEAD + "array real general\n1 2\n1\n2\n3\n"),
    ("outside", "real", HEAD + "coordinate real general\n2 2 1\n\n3 1 1\n"),
    ("zero", "real", HEAD + "coordinate real general\n2 2 1\n1 0 1\n"),
    ("far", "real", HEAD + "coordinate real general\n2 2 1\n1 18446744073709551617 1\n"),
    ("word", "real", HEAD + "coordinate real general\n2 2 1\none 1 1\n"),
    ("number", "real", HEAD + "coordinate real general\n2 2 1\n1 1 1.5x\n"),
    ("huge", "real", HEAD + "coordinate real general\n2 2 1\n1 1 1e400\n"),
    ("no-value", "real", HEAD + "coordinate real general\n2 2 1\n1 1\n"),
    ("one-part", "complex", HEAD + "coordinate complex general\n2 2 1\n1 1 3\n"),
    ("twice", "real", HEAD + "coordinate real general\n2 2 3\n1 1 1\n2 2 1\n1 1 4\n"),
    ("upper", "real", HEAD + "coordinate real symmetric\n2 2 1\n1 2 1\n"),
    ("diagonal", "real", HEAD + "coordinate real skew-symmetric\n2 2 1\n2 2 0\n"),
    ("fraction", "integer", HEAD + "coordinate integer general\n1 1 1\n1 1 1.5\n"),
    ("wide", "integer", HEAD + "coordinate integer general\n1 1 1\n1 1 3000000000\n"),
    ("small", "small", HEAD + "coordinate integer skew-symmetric\n2 2 1\n2 1 -128\n"),
    ("reals", "integer", HEAD + "coordinate real general\n1 1 1\n1 1 1\n"),
    ("complex", "real", HEAD + "coordinate complex general\n1 1 1\n1 1 1 0\n"),
    ("line", "real", HEAD + "coordinate real general\n1 1 1\n1 1 " + "1" * 2000 + "\n"),
    ("folder", "real", None),
    ("missing", "real", None),
]


def run(command):
    done = subprocess.run(["timeout", "-k5", "60", *command], capture_output=True, check=False,
                          encoding="utf-8", errors="replace")
    # The name of the executable begins its messages, a path those of the interpreter.
    errors = re.sub(r"^(\S+: )?\S*matrix_market\.z:", "matrix_market.z:", done.stderr, flags=re.M)
    return f"{done.stdout}{errors}status {done.returncode}\n"


def main():
    zplc, source, program = sys.argv[1:]
    for name, kind, data in FILES:
        path = f"{name}.mtx"
        if data is not None:
            with open(path, "wb") as file:
                file.write(data if isinstance(data, bytes) else data.encode())
        elif name == "folder":
            os.mkdir(path)
        options = [f"-sname={path}", f"-skind={kind}"]
        ways = [[program, "-p1", *options], [program, "-p3", *options],
                [zplc, "--interpret", source, "--", *options]]
        said = [run(way) for way in ways]
        print(f"{path} {kind}\n{said[0]}")
        if any(other != said[0] for other in said):
            print("differs:", *said[1:], sep="\n")
            sys.exit(1)


main()
