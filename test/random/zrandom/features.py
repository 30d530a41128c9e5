"""What programs may contain, by name; run.py --features chooses.

Everything else (regions of ranges, element-wise assignments, scalars, control
flow, output) is in every program.
"""
FEATURES = {
    "at": "A@d with named, literal, computed and far directions",
    "atleft": "A@d := e",
    "wrapat": "A@^d",
    "single": "singleton dimensions",
    "dynamic": "regions written in scopes, blank dimensions, quotes",
    "regionops": "of, in, at",
    "strided": "by, with positive and negative components",
    "floodreg": "flooded dimensions and arrays",
    "flood": ">>[...] A",
    "masks": "with, without, with \", masks in reductions",
    "reduce": "full reductions",
    "preduce": "partial reductions",
    "scan": "scans: dims, inclusive, segment",
    "user": "user-defined reductions and scans",
    "gather": "A#[...]",
    "scatter": "A#[...] := e and combining scatters",
    "edges": "wrap, reflect",
    "implicit": "borders that arrays get by being written there",
    "shattered": "if, for, while, repeat over arrays",
    "waves": "scan blocks with primed references",
    "dirvars": "directions that are variables",
    "families": "indexed arrays of parallel arrays",
    "promoted": "scalar procedures called with arrays",
    "passed": "scalar functions as arguments, arguments by name",
    "parallel": "parallel procedures and functions",
    "parts": "fields of records by reference to array parameters",
    "aliases": "the same array for two parameters",
    "recursion": "procedures that call themselves",
    "types": "more element types than integer, double and boolean",
    "records": "arrays of records",
    "strings": "texts: made, measured, compared, as scalars, in arrays, fields and procedures",
    "lists": "indexed arrays: of computed bounds in procedures, growable ones, pieces of texts",
    "foreign": "booleans from files with other bytes than 0 and 1",
    "ranks": "ranks above 3",
    "effects": "calls with side effects in regions and directions, regions assigned in functions",
    "inexact": "arbitrary floating values, under -freproducible",
    "configs": "config variables set on the command line",
}

# What only programs have that ask for it by name.
ASKED = {
    "domains": "distributions of all regions, and redistribution",
    "sparse": "patterns of regions and scopes",
    "kernels": "loops that passes have special forms for",
    "remaps": "remaps while maps and distributions change",
    "checkpoints": "a checkpoint in the midst, from which each way goes on, too",
}

# What the first language of the compiler had.
BASIC = ["at", "single", "dynamic", "regionops", "reduce", "promoted", "parallel",
         "recursion", "types", "records", "ranks", "configs"]


def parse(text):
    """`all`, `basic`, or names with commas; a name with - in front is left out."""
    chosen = set()
    for word in text.split(","):
        names = {"all": list(FEATURES), "basic": BASIC}.get(word.lstrip("-"), [word.lstrip("-")])
        unknown = [n for n in names if n not in FEATURES and n not in ASKED]
        if unknown:
            raise ValueError(f"unknown feature '{unknown[0]}'; there are {', '.join(FEATURES)}")
        chosen = chosen - set(names) if word.startswith("-") else chosen | set(names)
    return frozenset(chosen)
