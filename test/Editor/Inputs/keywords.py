#!/usr/bin/env python3
"""Compares the words in the editors' files with those of Tokens.def.

    keywords.py ROOT
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
words = set(re.findall(r'^KEYWORD\(\w+, "(\w+)"\)',
                       (root / "include/zpl/Lex/Tokens.def").read_text(), re.M))
vim = (root / "editors/vim/syntax/zpl.vim").read_text()
emacs = (root / "editors/emacs/zpl-mode.el").read_text()
known = {"vim": {word for line in re.findall(r"^syntax keyword \w+ (.*)$", vim, re.M)
                 for word in line.split()},
         "emacs": set(re.findall(r'(?<=[ (])"([a-z]\w*)"', emacs))}
for editor, found in known.items():
    print(f"{editor}:", "the same" if found == words else sorted(found ^ words))
