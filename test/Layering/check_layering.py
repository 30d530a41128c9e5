#!/usr/bin/env python3
"""Holds the #include graph to the layers of docs/Architecture.md.

A folder includes its own headers and those of the folders in its line of the
table, nothing else of ours; LLVM's headers as its line says, and Clang's in one
folder only. Prints each breach as `file:line: ...` and ends with status 1 if
there is one.
"""
import os
import re
import sys

# Folder of include/zpl and lib: what it may include of the others.
COMPILER = {
    "Support": "",
    "Lex": "Support",
    "AST": "Support Lex",
    "Parse": "Support Lex AST",
    "Sema": "Support AST Interop ArrayIR/Ops.def",
    "ArrayIR": "Support",
    "Interop": "Support",
    "Interop/Clang": "Support Interop",  # libzplInterop.so
    "ArrayGen": "Support Sema ArrayIR",
    "Interpret": "Support Sema",
    "Transforms": "Support ArrayIR",
    "CodeGen": "Support ArrayIR",
    "Backend": "Support",
    "Driver": "Support Lex AST Parse Interop Sema ArrayIR ArrayGen Interpret "
              "Transforms CodeGen Backend",
}
# Folders of llvm/ beside ADT, Support and Config.
LLVM = {
    "Interop": "BinaryFormat Object TargetParser",
    "Interop/Clang": "Bitcode IR",
    "CodeGen": "Analysis IR BinaryFormat TargetParser",
    "Backend": "Analysis Bitcode CodeGen IR Linker MC Passes Target "
               "TargetParser Transforms",
    "Driver": "IR/LLVMContext.h IR/Module.h Option TargetParser",
}
# Folder of runtime/lib: in this order, each uses only those before it (Memory
# and Grid stand beside each other).
RUNTIME = ["Support", "Layout", "Transport", "Memory Grid", "Transfer",
           "Collective", "Remap", "IO", "Entry"]

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]')


def allows(entries, header):
    """Whether header is one of the entries or lies in one that is a folder."""
    return any(header == e or header.startswith(e + "/") for e in entries.split())


def runtime_table():
    table, below = {}, ""
    for layer in RUNTIME:
        for folder in layer.split():
            table[folder] = below
        below += " " + layer
    return table


def compiler_breach(folder, header):
    if header.startswith("zpl/"):
        return not allows(f"{folder} {COMPILER[folder]}", header[4:])
    if header.startswith("clang/"):
        return folder != "Interop/Clang"
    if header.startswith("llvm/"):
        allowed = "ADT Support Config " + LLVM.get(folder, "")
        return not allows(allowed, header[5:])
    return header.startswith("zrt/") and folder != "CodeGen"


def runtime_breach(folder, header, table):
    if header.startswith(("llvm/", "zpl/")):
        return True
    target = header.split("/")[0]
    return target in table and not allows(f"{folder} {table[folder]}", header)


def sources(root):
    for path, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            if name.endswith((".h", ".cpp", ".def")):
                yield os.path.join(path, name)


def breaches(root, is_breach):
    """Lines `file:line: ...` for the tree whose sub-folders are the layers."""
    for path in sources(root):
        folder = os.path.relpath(os.path.dirname(path), root)
        if folder not in COMPILER:
            folder = folder.split(os.sep)[0]
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                found = INCLUDE.match(line)
                if found and is_breach(folder, found[1]):
                    yield f"{path}:{number}: {folder} must not include {found[1]}"


def main():
    root, table = sys.argv[1], runtime_table()
    lines = []
    for tree in ("include/zpl", "lib"):
        lines += breaches(os.path.join(root, tree), compiler_breach)
    lines += breaches(os.path.join(root, "runtime/lib"),
                      lambda folder, header: runtime_breach(folder, header, table))
    print("\n".join(lines) or "the layers hold")
    return 1 if lines else 0


sys.exit(main())
