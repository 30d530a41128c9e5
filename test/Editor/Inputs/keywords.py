#!/usr/bin/env python3
"""Compares the words in the editors' files with those of Tokens.def.

    keywords.py ROOT
"""
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
words = set(re.findall(r'^KEYWORD\(\w+, "(\w+)"\)',
                       (root / "include/zpl/Lex/Tokens.def").read_text(), re.M))
vim = (root / "editors/vim/syntax/zpl.vim").read_text()
emacs = (root / "editors/emacs/zpl-mode.el").read_text()
grammar = json.loads((root / "editors/vscode/syntaxes/zpl.tmLanguage.json").read_text())
kinds = grammar["repository"]
lists = [kinds[kind]["match"] for kind in ("constants", "types", "keywords")]
known = {"vim": {word for line in re.findall(r"^syntax keyword \w+ (.*)$", vim, re.M)
                 for word in line.split()},
         "emacs": set(re.findall(r'(?<=[ (])"([a-z]\w*)"', emacs)),
         "vscode": {word for text in lists
                    for word in re.search(r"\((?:\?:)?([a-z|]+)\)\\b$", text)[1].split("|")}}
for editor, found in known.items():
    print(f"{editor}:", "the same" if found == words else sorted(found ^ words))
