#!/usr/bin/env python3
"""make_page.py PAGE.in PAGE.gz VERSION [PROGRAM]: makes a manual page.

@VERSION@ becomes the version, and @OPTIONS@ the options that PROGRAM lists for
--help, so that page and program never differ. The output is compressed, and the
same for the same input.
"""
import gzip
import re
import subprocess
import sys


def escape(text):
    """Text as troff prints it: backslashes, hyphens of options, first dots."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def options(program):
    """(option, description) of each line of LLVM's help, also of two."""
    text = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    found = []
    for line in text.split("OPTIONS:\n")[1].splitlines():
        new = re.match(r"  (-\S+(?: <\S+)?)(?: +(.*))?$", line)
        if new:
            found.append([new[1], new[2] or ""])
        elif line.strip() and found:
            found[-1][1] += (" " if found[-1][1] else "") + line.strip()
    return found


def main():
    source, target, version = sys.argv[1:4]
    with open(source, encoding="utf-8") as file:
        page = file.read().replace("@VERSION@", version)
    if "@OPTIONS@" in page:
        items = "".join(f".TP\n.B {escape(name)}\n{escape(text)}.\n"
                        for name, text in options(sys.argv[4]))
        page = page.replace("@OPTIONS@\n", items)
    with open(target, "wb") as file, \
            gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(page.encode())


main()
