#!/usr/bin/env python3
"""Does what a chapter of docs/Guide says.

    check_guide.py [--write] [--once] ZPLC CHAPTER.md

With --once programs are compiled with -O3 only, which takes half of the time. With --write the outputs
in the chapter that differ are replaced by what programs print, and its pictures by
those they make: to be looked at before it is committed.
Works on the fenced blocks of the chapter, in their order, in a folder of its own:

    ```zpl           a program, if it starts with `program`; else a fragment:
                     paragraphs of declarations, then paragraphs of statements
    ```zpl prelude   declarations that stand before all fragments that follow
    ```zpl-error     as zpl, but it must not compile
    ```message       lines that the compiler says about the block before; without
                     this block it must say nothing
    ```output        what the program prints, compiled with -O0 and -O3, on 1 and
                     on 3 processors
    ```file NAME     a file
    ```console       commands behind `$ `, each with its output and errors; a
                     line `...` stands for any lines. One that starts MPI is left
                     out where MPI's launcher is not installed.
    ![...](f.png)    a picture, also .apng: byte for byte the file f.png that the
                     programs have made (its folder does not count)

Rows of tables with a column `ZPL` and a last one `shows` are one program, in their
order, after the prelude: in backticks a statement, of which is shown what is in
the target afterwards, or an expression, over [R] if no scope stands before it. `/`
stands for the end of a line. A column `sends` has what the operators of the row say.
other_languages.py tries the other column.

Other blocks are for the eye only. A program NAME is in NAME.z, ./NAME is it with
-O3. A fragment without output is compiled only.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

DECLARES = re.compile(
    r"(\s*--.*\n)*\s*(#include|config|const|constant|var|free|type|direction|region|regionop|prototype"
    r"|procedure|extern)\b")


def blocks(text):
    """Yields (line, info, content) of every fenced block."""
    info, start, lines = None, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("```"):
            lines.append(line)
        elif info is None:
            info, start, lines = line[3:].strip(), number, []
        else:
            yield start, info, "".join(one + "\n" for one in lines)
            info = None


def cells(line):
    """Of a row of a table; `\\|` is a bar that does not end a cell."""
    found = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [cell.strip().replace("\\|", "|") for cell in found]


def sends(code):
    """What a processor gets from others in a statement, by its operators."""
    words = []
    if "||" in code:
        words.append("a value a line")
    if ">>" in code or "<<[" in code:
        words.append("a line")
    elif "<<" in code:
        words.append("a value")
    if "@" in code:
        words.append("borders")
    if "#" in code:
        words.append("anything")
    return ", ".join(words) or "nothing"


def tables(text):
    """Yields (line, rows) of every table of idioms, a row as (ZPL, shows, sends)."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("|") and cells(line)[-1] == "shows":
            column, rows = cells(line).index("ZPL"), []
            sent = cells(line).index("sends") if "sends" in cells(line) else None
            for row in lines[number + 1:]:
                if not row.startswith("|"):
                    break
                rows.append((cells(row)[column].strip("`"), cells(row)[-1].strip("`"),
                             sent and cells(row)[sent]))
            yield number, rows


def shown(code):
    """The statement, and what prints what is shown of it."""
    scope, rest = re.fullmatch(r"(\[.*?\] )?(.*)", code).groups()
    if ":=" in rest:
        target = re.match(r"\w+(?:\[[^]]*\])?", rest)[0]
        return f"{code}; {scope or ''}writeln(\"%g \": 1.0 * {target});"
    if rest.startswith("write"):
        return code + ";"
    return f"{scope or '[R] '}writeln(\"%g \": 1.0 * ({rest}));"


def whole(text, prelude):
    """The name and the text of the program that a block is or stands for."""
    found = re.match(r"program (\w+);", text)
    if found:
        return found[1], text
    declarations, statements = [], []
    for paragraph in re.split(r"\n\s*\n", text):
        is_global = not statements and DECLARES.match(paragraph)
        (declarations if is_global else statements).append(paragraph)
    return "snippet", "\n".join(
        ["program snippet;", prelude, *declarations, "procedure snippet();",
         "begin", *statements, "end;", ""])


def is_missing(command):
    """Whether a command needs a launcher of MPI that is not there."""
    found = re.match(r"(mpiexec\S*|mpirun\S*|oshrun)\s", command)
    return found and not shutil.which(found[1])


def content(path):
    """The bytes of a file; None if there is none."""
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


class Chapter:
    def __init__(self, zplc, path, folder, options=()):
        self.path, self.folder, self.writes = path, folder, "--write" in options
        self.levels = ["-O3"] if "--once" in options else ["-O3", "-O0"]
        self.changes = {}  # The line of a block, and the text that it should have.
        self.zplc, self.name, self.said = zplc, None, ""
        self.failures = self.checked = 0
        environment = dict(os.environ, LC_ALL="C")
        environment["PATH"] = os.path.dirname(zplc) + os.pathsep + environment["PATH"]
        self.environment = environment

    def fail(self, line, what, text):
        self.failures += 1
        print(f"{self.path}:{line}: {what}\n{text}")

    def shell(self, command):
        """The output, errors among it, and the status of a command."""
        done = subprocess.run(command, shell=True, cwd=self.folder, timeout=60,
                              env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout.decode("latin-1"), done.returncode

    def compile(self, options):
        return self.shell(f"{self.zplc} {self.name}.z {options}")

    def program(self, line, text, prelude, followers, must_fail):
        self.name, source = whole(text, prelude)
        with open(os.path.join(self.folder, self.name + ".z"), "w") as file:
            file.write(source)
        runs = self.name != "snippet" or "output" in followers
        self.said, status = self.compile(f"-O3 -o {self.name}" if runs and not must_fail
                                         else "-fsyntax-only")
        if (status != 0) != must_fail or (self.said and "message" not in followers):
            self.fail(line, "compiles" if must_fail and not status else "does not compile so",
                      self.said + source)

    def message(self, line, text):
        for wanted in text.splitlines():
            if wanted not in self.said:
                self.fail(line, f"the compiler does not say '{wanted}' but", self.said)

    def output(self, line, text):
        for options in self.levels:
            if options == "-O0":
                self.compile(f"-O0 -o {self.name}.O0")
            binary = f"./{self.name}" + ("" if options == "-O3" else ".O0")
            for count in [1, 3]:
                got, status = self.shell(f"{binary} -p{count}")
                if got != text and self.writes:
                    self.changes[line] = got
                elif got != text or status:
                    self.fail(line, f"{options} -p{count} ends with {status} and prints", got)
                    return

    def console(self, line, text):
        seen = ""
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, wanted = part.split("\n", 1)
            if is_missing(command):
                seen += "$ " + part
                continue
            got, _ = self.shell(command)
            pattern = r"(.*\n)*?".join(map(re.escape, wanted.split("...\n")))
            matches = re.fullmatch(pattern, got)
            seen += f"$ {command}\n{wanted if matches else got}"
            if not matches and not self.writes:
                self.fail(line, f"{command} prints", got)
        if self.writes and seen != text:
            self.changes[line] = seen

    def pictures(self, text):
        """Compares the pictures of the chapter with those that were made."""
        for number, line in enumerate(text.splitlines(), 1):
            for link in re.findall(r"!\[[^]]*\]\(([^):]*\.a?png)\)", line):
                self.checked += 1
                kept = os.path.join(os.path.dirname(self.path), link)
                made = os.path.join(self.folder, os.path.basename(link))
                if content(made) is None:
                    self.fail(number, f"no program makes {os.path.basename(link)}", "")
                elif content(made) != content(kept) and self.writes:
                    os.makedirs(os.path.dirname(kept), exist_ok=True)
                    shutil.copy(made, kept)
                elif content(made) != content(kept):
                    self.fail(number, f"{link} is not what the programs make", "")

    def write(self, text):
        """Puts what programs have printed in the place of what the blocks say."""
        lines = text.splitlines(keepends=True)
        for line, new in sorted(self.changes.items(), reverse=True):
            end = next(at for at in range(line, len(lines)) if lines[at].startswith("```"))
            lines[line:end] = [new]
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("".join(lines))

    def table(self, line, rows, prelude):
        """Compiles and runs the rows of a table, and compares what they show."""
        self.checked += len(rows)
        for code, _, sent in rows:
            if sent not in (None, sends(code)):
                self.fail(line, f"{code} sends", sends(code))
        statements = "\n".join(f'{shown(code)} writeln("=");' for code, _, _ in rows)
        self.name = "rows"
        with open(os.path.join(self.folder, "rows.z"), "w") as file:
            file.write(f"program rows;\n{prelude}\nprocedure rows();\nbegin\n"
                       f"{statements}\nend;\n")
        for options in self.levels:
            said, status = self.compile(f"{options} -o rows")
            if status or said:
                self.fail(line, "the table does not compile so", said)
                return
            for count in [1, 3]:
                got, _ = self.shell(f"./rows -p{count}")
                for (code, wanted, _), part in zip(rows, got.split("=\n") + [""] * len(rows)):
                    told = " / ".join(" ".join(one.split()) for one in part.splitlines()
                                      if one.strip())
                    if told != wanted:
                        self.fail(line, f"{options} -p{count}: {code} shows", told)

    def check(self):
        with open(self.path, encoding="utf-8") as file:
            whole_text = file.read()
        parts = list(blocks(whole_text))
        for line, rows in tables(whole_text):
            preludes = [part for start, info, part in parts
                        if info == "zpl prelude" and start < line]
            self.table(line, rows, preludes[-1] if preludes else "")
        prelude = ""
        for at, (line, info, text) in enumerate(parts):
            kind = info.split(" ")[0]
            self.checked += kind in ("zpl", "zpl-error", "console")
            if info == "zpl prelude":
                prelude = text
                self.program(line, text, "", [], False)
            elif kind in ("zpl", "zpl-error"):
                followers = []
                for _, following, _ in parts[at + 1:]:
                    if following.startswith("zpl"):
                        break
                    followers.append(following)
                self.program(line, text, prelude, followers, kind == "zpl-error")
            elif kind == "file":
                with open(os.path.join(self.folder, info.split()[1]), "w") as file:
                    file.write(text)
            elif kind in ("message", "output", "console"):
                getattr(self, kind)(line, text)
        self.pictures(whole_text)
        if self.changes:
            self.write(whole_text)
        print(f"{self.path}: {self.checked} checked, {self.failures} failed")
        return self.checked == 0 or self.failures > 0


if __name__ == "__main__":
    *choices, compiler, chapter = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(Chapter(os.path.abspath(compiler), chapter, scratch, choices).check())
