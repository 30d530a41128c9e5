#!/usr/bin/env python3
"""check_recipes.py ROOT: compares packaging/spack and Containerfile with the rest.

Spack and container tools need a network and are not run. What they would trip
over first is looked at: syntax, the version of LLVM, options of CMake, presets
and targets, packages of Debian, files of an installation.
"""
import ast
import json
import os
import re
import sys


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def problems(root):
    recipe = read(root, "packaging/spack/package.py")
    tree = ast.parse(recipe)
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    if classes != ["Zplc"]:
        yield f"the recipe defines {classes}"
    wanted = re.search(r"find_package\(LLVM ([\d.]+)", read(root, "cmake/ZplLLVM.cmake"))[1]
    if f"llvm@{wanted} " not in recipe:
        yield f"the recipe has another LLVM than {wanted}"
    least = re.search(r"VERSION (3[\d.]+)", read(root, "CMakeLists.txt"))[1]
    if f"cmake@{least}:" not in recipe:
        yield f"the recipe has another CMake than {least}"
    cmake = "".join(read(root, "cmake", name) for name in os.listdir(root + "/cmake"))
    for option in re.findall(r'define\("(\w+)"', recipe):
        if option not in cmake and not option.startswith("CMAKE_"):
            yield f"the recipe sets {option}, which CMake does not know"

    container = read(root, "packaging/Containerfile")
    known = set(re.findall(r"[a-z0-9.+-]+", read(root, "scripts/setup.sh"))) | {
        "dpkg-dev", "file"}
    install = re.search(r"no-install-recommends \\\n(.*?) &&", container, re.S)[1]
    for package in install.replace("\\\n", " ").split():
        if package not in known:
            yield f"the Containerfile installs {package}, which scripts/setup.sh does not name"
    preset = re.search(r"--preset (\w+)", container)[1]
    presets = json.loads(read(root, "CMakePresets.json"))["configurePresets"]
    if preset not in {one["name"] for one in presets}:
        yield f"the Containerfile uses the preset {preset}"
    if f"build/{preset}/packages/" not in container:
        yield "the Containerfile looks for packages elsewhere"
    target = re.search(r"--target (\w+)", container)[1]
    if f"add_custom_target({target} " not in read(root, "tools/CMakeLists.txt"):
        yield f"there is no target {target}"
    example = re.search(r'"examples", "(\w+\.z)"', recipe)[1]
    if f"examples/{example}" not in read(root, "packaging/CMakeLists.txt"):
        yield f"{example} is not installed"


def main():
    found = list(problems(sys.argv[1]))
    print("\n".join(found) or "nothing")
    sys.exit(bool(found))


main()
