#!/usr/bin/env python3
"""check_manual.py BUILD PROGRAM: compares manual pages with what programs say.

Every option of `--help` (of PROGRAM: of `-h`) is in the page, every option that
begins an item of the page is in the help, and man finds nothing to warn of.
"""
import gzip
import re
import shutil
import subprocess
import sys

OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z#][\w-]*)")
# What LLVM's command lines list and nobody looks for.
IGNORED = {"--help-list", "--help-hidden", "--help-list-hidden"}


def in_page(path):
    """The options that begin items."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        text = file.read().replace("\\-", "-")
    lines = text.split(".SH EXAMPLES")[0].splitlines()
    found = set()
    for before, line in zip(lines, lines[1:]):
        if before == ".TP" and line.startswith((".B", ".BI", ".BR")) and "-" in line:
            words = re.sub(r"^\.\w+ ", "", line).replace('" "', " ").replace('", "', " ")
            found |= {option.rstrip("-") for option in OPTION.findall(words)}
    return found


def in_help(text):
    """The options that begin lines of a help, each with those behind a comma."""
    found = set()
    for line in text.splitlines():
        begin = re.match(r"  (-\S+(?:,? -\S+)*)", line)
        if begin:
            found |= {option.rstrip("-") for option in OPTION.findall(begin[1])}
    return found - IGNORED


def short(options):
    """-pN and -p N are one option: upper case after one letter is a value."""
    return {re.sub(r"^(-[a-z])(?:N|NAME|FILE|AxB)$", r"\1", o) for o in options}


def main():
    build, program = sys.argv[1:]
    good = True
    for page, command in [("man1/zplc.1", [build + "/bin/zplc", "--help"]),
                          ("man1/zpl-format.1", [build + "/bin/zpl-format", "--help"]),
                          ("man1/zpl-lsp.1", [build + "/bin/zpl-lsp", "--help"]),
                          ("man1/zpl-calibrate.1", [build + "/bin/zpl-calibrate", "--help"]),
                          ("man7/zpl-programs.7", [program, "-h"])]:
        path = f"{build}/share/man/{page}.gz"
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        told, listed = short(in_page(path)), short(in_help(text))
        told.discard("--"), listed.discard("--")
        if page.endswith("zpl-programs.7"):
            told.discard("--NAME"), listed.discard("--NAME")
        for option in sorted(listed ^ told):
            where = "the help" if option in told else "the page"
            print(f"{page}: {option} is not in {where}")
            good = False
        if shutil.which("man"):
            warned = subprocess.run(["man", "--warnings", "-l", path], capture_output=True,
                                    text=True, env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100"})
            if warned.stderr or warned.returncode:
                print(f"{page}: {warned.stderr}")
                good = False
    sys.exit(not good)


main()
