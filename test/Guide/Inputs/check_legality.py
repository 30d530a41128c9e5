#!/usr/bin/env python3
"""Compares the tables of docs/Guide/legality.md with the rows of Legality.def.

    check_legality.py Legality.def legality.md

Each section of the page is one operation, in the order of the file; its table
has the rows of that operation, in their order, in the words of the page.
"""
import re
import sys

ROW = re.compile(r'^LEGALITY\((\w+), (\w+), (\w+), (\w+), "(.*)"\)$', re.M)
KINDS = {"Range": "range", "Singleton": "single index", "Flood": "flooded", "Grid": "grid"}
VERDICTS = {"Never": "no", "Always": "yes", "Inside": "inside",
            "InsideShifted": "inside, shifted", "Unshifted": "unshifted", "Equal": "equal",
            "MapsInside": "maps inside"}
OPERATIONS = {"Writing": "Write", "Reading": "Read", "Writing shifted": "WriteAt",
              "Reading shifted": "ReadAt", "Floods": "Flood",
              "Partial reductions": "Reduce", "Remaps": "Remap"}


def declared(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert text.count("\nLEGALITY(") == len(ROW.findall(text)), "a row in another form"
    return [(operation, f"| {KINDS[first]} | {KINDS[second]} | {VERDICTS[verdict]} | {why} |")
            for operation, first, second, verdict, why in ROW.findall(text)]


def written(path):
    rows, operation = [], None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("## "):
                operation = OPERATIONS[line[3:].strip()]
            elif re.match(r"\| (range|single index|flooded|grid) \|", line):
                rows.append((operation, line.rstrip()))
    return rows


def main():
    rows, page = declared(sys.argv[1]), written(sys.argv[2])
    cells = {(operation, line.split(" | ")[0], line.split(" | ")[1]) for operation, line in rows}
    wrong = [f"{what} {row}" for what, of, other in (("only in the .def:", rows, page),
                                                     ("only on the page:", page, rows))
             for row in of if row not in other]
    if len(cells) != len(OPERATIONS) * len(KINDS) ** 2 or len(rows) != len(cells):
        wrong.append(f"{len(cells)} cells in {len(rows)} rows")
    if not wrong and rows != page:
        wrong.append("the page has another order")
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main())
