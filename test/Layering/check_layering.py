#!/usr/bin/env python3
"""Holds the #include graph to the layers of docs/Architecture.md.

A folder includes its own headers and those of the folders in its line of the
table, nothing else of ours; LLVM's headers as its line says, and Clang's in one
folder only. Headers do not include each other in a circle. Prints each breach as
`file:line: ...` and ends with status 1 if there is one.
"""
import os
import re
import sys

# Folder of include/zpl and lib: what it may include of the others.
COMPILER = {
    "Support": "",
    "Cost": "Support",
    "Lex": "Support",
    "AST": "Support Lex",
    "Format": "Support Lex",
    "Parse": "Support Lex AST",
    "Sema": "Support AST Interop ArrayIR/Ops.def",
    "ArrayIR": "Support",
    "Analysis": "Support ArrayIR",
    "Interop": "Support",
    "Interop/Clang": "Support Interop",  # libzplInterop.so
    "StatementCosts": "Support Sema",
    "Editor": "Support Lex AST Format Parse Sema StatementCosts",
    "ArrayGen": "Support Sema ArrayIR",
    "Interpret": "Support Sema ArrayIR/Ops.def",
    "Transforms": "Support ArrayIR Analysis",
    "CostModel": "Support ArrayIR",
    "CodeGen": "Support ArrayIR Analysis",
    "Backend": "Support",
    "Driver": "Support Cost Lex AST Parse Interop Sema StatementCosts ArrayIR Analysis ArrayGen "
              "Interpret Transforms CostModel CodeGen Backend",
}
# Folders of llvm/ beside ADT, Support and Config.
LLVM = {
    "Cost": "TargetParser",
    "Interop": "BinaryFormat Object TargetParser",
    "Interop/Clang": "Bitcode IR",
    "CodeGen": "Analysis IR BinaryFormat TargetParser",
    "Backend": "Analysis Bitcode CodeGen IR Linker MC Passes Target "
               "TargetParser Transforms",
    "Driver": "IR/LLVMContext.h IR/Module.h Option TargetParser",
}
# Folder of runtime/lib: in this order, each uses only those before it (Memory
# and Grid stand beside each other).
RUNTIME = ["Formats", "Report", "Support", "Machine", "Layout", "Transport", "Memory Grid", "Transfer",
           "Collective", "Remap", "Sort", "Sparse", "IO", "Entry"]

# Folders of runtime/plugins and tools.
PLUGINS = {"watch": "Support Transport", "onesided": "Support Transport",
           "mpi": "Support Machine Transport watch", "put": "Support Transport mpi onesided",
           "shmem": "Support Transport watch onesided",
           "hdf5": "Formats", "netcdf": "Formats hdf5"}
TOOLS = {"zplc": "Support Driver", "zpl-calibrate": "Support Cost", "zpl-predict": "Support Cost",
         "zpl-opt": "Support ArrayIR Transforms", "zpl-lsp": "Editor",
         "zpl-format": "Format"}

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
    if "/" in header and header.split("/")[0] in runtime_table():
        shared = {"Interpret": "Formats/", "Driver": "Report/"}
        return folder not in shared or not header.startswith(shared[folder])
    if header.startswith("Eigen/"):
        return folder != "Cost"
    return header.startswith("zrt/") and folder not in ("CodeGen", "Cost")


def runtime_breach(folder, header, table):
    if header.startswith(("llvm/", "zpl/")):
        return True
    target = header.split("/")[0]
    return target in table and not allows(f"{folder} {table[folder]}", header)


def plugin_breach(folder, header):
    header = header.removeprefix("../")
    if header.startswith(("llvm/", "zpl/")):
        return True
    known = header.split("/")[0] in {**PLUGINS, **runtime_table()}
    return known and not allows(f"{folder} {PLUGINS[folder]}", header)


def tool_breach(folder, header):
    if header.startswith("zpl/"):
        return not allows(TOOLS[folder], header[4:])
    return header.startswith(("llvm/IR", "clang/", "zrt/"))


def sources(root):
    for path, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            if name.endswith((".h", ".cpp", ".def")):
                yield os.path.join(path, name)


def is_own(root, folder, header):
    """Whether a folder has a header of that name, as a layer of others may have."""
    return os.path.isfile(os.path.join(root, folder, header))


def breaches(root, is_breach):
    """Lines `file:line: ...` for the tree whose sub-folders are the layers."""
    for path in sources(root):
        folder = os.path.relpath(os.path.dirname(path), root)
        if folder not in COMPILER:
            folder = folder.split(os.sep)[0]
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                found = INCLUDE.match(line)
                if (found and not is_own(root, folder, found[1])
                        and is_breach(folder, found[1])):
                    yield f"{path}:{number}: {folder} must not include {found[1]}"


def included(root, path, header):
    """The file of ours that an #include in path names; None: of others."""
    places = [os.path.dirname(path)] + [
        os.path.join(root, place) for place in
        ("include", "lib", "runtime/include", "runtime/lib", "runtime/plugins")]
    found = (os.path.normpath(os.path.join(place, header)) for place in places)
    return next(filter(os.path.isfile, found), None)


def circles(root):
    """Lines `file: ...` for headers that come back to themselves."""
    graph = {}
    for tree in ("include", "lib", "runtime", "tools"):
        for path in sources(os.path.join(root, tree)):
            with open(path, encoding="utf-8") as file:
                names = filter(None, map(INCLUDE.match, file))
                graph[os.path.normpath(path)] = list(filter(None, (
                    included(root, path, name[1]) for name in names)))
    state = {}

    def visit(path):
        state[path] = "open"
        for header in graph.get(path, []):
            if state.get(header) == "open":
                yield f"{path}: includes {header} in a circle"
            elif header not in state:
                yield from visit(header)
        state[path] = "done"
    for path in graph:
        if path not in state:
            yield from visit(path)


def main():
    root, table = sys.argv[1], runtime_table()
    lines = []
    for tree in ("include/zpl", "lib"):
        lines += breaches(os.path.join(root, tree), compiler_breach)
    lines += breaches(os.path.join(root, "runtime/lib"),
                      lambda folder, header: runtime_breach(folder, header, table))
    lines += breaches(os.path.join(root, "runtime/plugins"), plugin_breach)
    lines += breaches(os.path.join(root, "tools"), tool_breach)
    lines += circles(root)
    print("\n".join(lines) or "the layers hold")
    return 1 if lines else 0


sys.exit(main())
