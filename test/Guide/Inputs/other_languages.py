#!/usr/bin/env python3
"""Tries what a chapter of docs/Guide says of another language.

    other_languages.py NumPy CHAPTER.md
    other_languages.py Fortran CHAPTER.md FORTRAN-COMPILER

Rows of the table with a column of that name: its first piece of code, in the order
of the rows and after the first block of the language, gives the numbers that the
last column `shows`; an assignment gives what is in its target afterwards. A block

    ```python prints      or      ```fortran prints

is a program that prints what the next ```output has.
"""
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile

from check_guide import blocks, cells


def table(text, name):
    """Yields (code, numbers) of the rows of tables that have a column `name`."""
    column = None
    for line in text.splitlines():
        if not line.startswith("|"):
            column = None
        elif name in cells(line) and cells(line)[-1] == "shows":
            column = cells(line).index(name)
        elif column is not None and (found := re.match(r"`(.*?)`", cells(line)[column])):
            shows = cells(line)[-1].strip("`").replace("/", " ").split()
            yield found[1], [float(number) for number in shows]


def target(code):
    """What is assigned to; None if the code is an expression."""
    found = re.match(r"(\w+(?:[\[(].*?[\])])?) = ", code)
    return found and found[1]


def programs(text, language):
    """Yields (program, output) of every block that prints."""
    kept = None
    for _, info, content in blocks(text):
        if info == f"{language} prints":
            kept = content
        elif info == "output" and kept is not None:
            yield kept, content
            kept = None


def numpy_values(prelude, codes):
    """The values of each code, row by row."""
    import numpy as np

    names = {}
    exec(prelude, names)
    for code in codes:
        place = target(code)
        if place:
            exec(code, names)
            # A[A > 20] is all of A, as a scope with a mask shows it.
            code = place.split("[")[0] if ">" in place else place
        yield np.ravel(np.asarray(eval(code, names), dtype=float)).tolist()


def numpy_prints(prelude, program):
    """What a program prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(prelude + program, {})
    return printed.getvalue()


SHOW = """
module showing
  interface show
    procedure show0, show1, show2, showi0, showi1, showi2, showl
  end interface
contains
  subroutine show0(x); real(8) :: x; print *, x; end
  subroutine show1(x); real(8) :: x(:); print *, x; end
  subroutine show2(x); real(8) :: x(:, :); print *, transpose(x); end
  subroutine showi0(x); integer :: x; print *, x; end
  subroutine showi1(x); integer :: x(:); print *, x; end
  subroutine showi2(x); integer :: x(:, :); print *, transpose(x); end
  subroutine showl(x); logical :: x; print *, merge(1, 0, x); end
end module
"""


def fortran_prints(compiler, program):
    """What a program prints, or what its compiler says."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "p.f90"), "w") as file:
            file.write(program)
        for command in ([compiler, "-O1", "p.f90", "-o", "p"], ["./p"]):
            done = subprocess.run(command, cwd=folder, text=True, timeout=60,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode:
                break
        return done.stdout


def fortran_values(compiler, prelude, codes):
    """The values of each code, row by row."""
    lines = [SHOW, "program rows", "use showing", prelude,
             "do i = 0, n + 1; do j = 0, n + 1; A(i, j) = 10 * i + j; end do; end do", "B = 0"]
    for code in codes:
        place = target(code)
        if found := re.match(r"(?:where|forall) \(.*\) (\w+)(?:\(.*\))? = ", code):
            place = found[1]
        lines += [code] if place else []
        lines += [f"call show({place or code})", "print '(a)', '='"]
    printed = fortran_prints(compiler, "\n".join(lines + ["end program", ""]))
    parts = printed.split("=\n")
    if len(parts) != len(codes) + 1:
        sys.exit(printed)
    return [[float(number) for number in part.split()] for part in parts[:-1]]


def near(values, numbers):
    """Whether they are equal as far as %g shows them."""
    return len(values) == len(numbers) and all(
        f"{value:g}" == f"{number:g}" for value, number in zip(values, numbers))


def main(name, path, compiler=None):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    language = "python" if name == "NumPy" else "fortran"
    prelude = next(content for _, info, content in blocks(text) if info == language)
    rows = list(table(text, name))
    codes = [code for code, _ in rows]
    values = list(numpy_values(prelude, codes) if name == "NumPy"
                  else fortran_values(compiler, prelude, codes))
    failures = 0
    for (code, numbers), got in zip(rows, values):
        if not near(got, numbers):
            failures += 1
            print(f"{path}: {code} shows {got}")
    tried = list(programs(text, language))
    for program, output in tried:
        got = (numpy_prints(prelude, program) if name == "NumPy"
               else fortran_prints(compiler, f"program p\n{program}end program\n"))
        if got.strip() != output.strip():
            failures += 1
            print(f"{path}: a program prints\n{got}not\n{output}")
    print(f"{path}: {len(rows)} rows and {len(tried)} programs tried, {failures} failed")
    return failures > 0 or not rows or not tried


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
