#!/usr/bin/env python3
"""A function that a header of lib/ or include/ declares has a comment above it, `///`, or
beside it, `///<`, that says what it takes, gives, requires and reports: 85 of 100 in each
folder. One stands for overloads that follow each other. Constructors count, destructors,
overrides, `classof`, comparisons and the constructors of nodes, which take a range, do not.

    check_contracts.py ROOT [--list]
"""
import collections
import pathlib
import re
import sys

LEAST = 0.85
NO_FUNCTION = (r"(?!return|else|if|for|while|switch|case|using|typedef|#|class|struct|enum|"
               r"namespace|friend|static_assert|public|private|default)")
FUNCTION = re.compile(NO_FUNCTION + r"[\w:<>\*&,\s~\[\]]+?\b(?:\w+|operator\S+)\s*\(.*\)\s*"
                      r"(?:const)?\s*(?:noexcept)?\s*(?:;|\{|= 0;|= default;)")
UNCOUNTED = re.compile(r"SourceRange range\).*: |\bclassof\(|^~|\boperator(==|=)\(")
COMPLETE = re.compile(r"[;{}]\s*(?:///<.*|//.*)?$")


def functions(lines):
    """(text, whether it has a contract) of each function that is declared."""
    number, has_contract = 0, False
    before, before_has = "", False  # the function above, and whether it has one
    while number < len(lines):
        line = lines[number]
        stripped = line.strip()
        if stripped.startswith("///"):
            has_contract = True
            number += 1
            continue
        if not stripped or stripped.startswith(("#", "//")):
            has_contract = has_contract and bool(stripped)
            number += 1
            continue
        text, end = stripped, number
        while not COMPLETE.search(text) and end + 1 < len(lines):
            end += 1
            text += " " + lines[end].strip()
        is_function = (FUNCTION.match(text) and len(line) - len(line.lstrip()) <= 2
                       and "= " not in text.split("(")[0] and "override" not in text)
        if is_function:
            name = re.split(r"\(", text)[0].split()[-1].lstrip("*&")
            has_contract = has_contract or name == before and before_has
            before, before_has = name, has_contract or "///<" in text
            if not UNCOUNTED.search(text):
                yield text, before_has
        depth = text.count("{") - text.count("}")
        while is_function and depth > 0 and end + 1 < len(lines):
            end += 1
            depth += lines[end].count("{") - lines[end].count("}")
        has_contract = False
        number = end + 1


def main():
    root = pathlib.Path(sys.argv[1])
    declared, missing = collections.Counter(), collections.defaultdict(list)
    headers = [*(root / "lib").rglob("*.h"), *(root / "include" / "zpl").rglob("*.h")]
    for path in sorted(headers):
        parts = path.relative_to(root).parts
        folder = parts[2] if parts[0] == "include" else parts[1]
        for text, has_contract in functions(path.read_text(encoding="utf-8").split("\n")):
            declared[folder] += 1
            if not has_contract:
                missing[folder].append(f"{path.relative_to(root)}: {text[:90]}")
    bad = False
    for folder, count in sorted(declared.items()):
        share = 1 - len(missing[folder]) / count
        if share < LEAST or "--list" in sys.argv:
            print(f"{folder}: {count - len(missing[folder])} of {count} have a contract")
            print("\n".join(missing[folder]))
        bad |= share < LEAST
    return bad


sys.exit(main())
