#!/usr/bin/env python3
"""Runs one ZPL program in many ways that must all print the same.

    run_matrix.py --build build/dev examples/jacobi.z          the quick choice
    run_matrix.py --build build/dev --full examples/jacobi.z   every transport
    run_matrix.py --build build/dev --every examples/jacobi.z  in every way

The program NAME.z is compiled at -O0 and -O3 and run on 1, 2, 3, 4 and 6
processors of shared memory, on the grids 1x4, 4x1, 2x2 and 3x2, at -O3 also on MPI, and on one of
the other transports that were built (hybrid on nodes of two); on 4 simulated processors in any case. With --full MPI has as many
processors and grids as shared memory at -O3, and all other transports run; with --every
all run on as many processors at both levels. On grids that are given, loops compute
their interiors first (ZRT_INTERIOR). Its standard output must be NAME.out, byte by byte, and its status 0. NAME.args holds
arguments for the run, NAME.in its standard input. Every run has a folder of its
own as working directory, empty but for copies of the files beside the source
that NAME.files names. A file NAME.c is compiled with the program;
NAME.zplc holds more words for zplc (`-lz`). If the C headers that NAME.needs
lists are not installed, nothing runs and the status is 77.

With --expect-error, NAME.z must stop by itself with status 1 on shared memory
and MPI, must leave no process behind, and must write what the CHECK lines of NAME.z
say to standard error, with at most one `error:` line. With --expect-reject, NAME.z must not compile: an error on line NAME.line.
"""
import argparse
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

LEVELS = ["-O0", "-O3"]
SHM = ["-p1", "-p2", "-p3", "-p4", "-p6",
       "-p4 -g1x4", "-p4 -g4x1", "-p4 -g2x2", "-p6 -g3x2"]
MPI_FULL = [(1, ""), (2, ""), (3, ""), (4, ""), (6, ""),
            (4, "-g1x4"), (4, "-g4x1"), (4, "-g2x2"), (6, "-g3x2")]
TIME_LIMIT = 60
SKIPPED = 77


class Failure(Exception):
    """What went wrong, for people."""


def copy_files(stem, folder):
    """Copies the files that STEM.files names into the folder."""
    if os.path.exists(f"{stem}.files"):
        with open(f"{stem}.files", encoding="utf-8") as names:
            for name in names.read().split():
                shutil.copy(os.path.join(os.path.dirname(stem), name), folder)


class Program:
    """A source with its companions, and the folder where it is built."""

    def __init__(self, source, options, folder):
        self.source, self.options, self.folder = source, options, folder
        self.stem = os.path.splitext(source)[0]
        self.name = os.path.basename(self.stem)
        self.args = shlex.split(self.companion("args") or "")
        self.input = self.companion("in") or ""
        self.words = shlex.split(self.companion("zplc") or "")
        if os.path.exists(f"{self.stem}.c"):
            self.words.append(f"{self.stem}.c")

    def companion(self, suffix):
        path = f"{self.stem}.{suffix}"
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()

    def zplc(self, *arguments):
        command = [os.path.join(self.options.build, "bin/zplc"), *arguments]
        return subprocess.run(command, capture_output=True, text=True,
                              timeout=TIME_LIMIT, check=False)

    def compile(self, level):
        executable = os.path.join(self.folder, self.name + level)
        done = self.zplc(self.source, *self.words, level, "-o", executable)
        if done.returncode:
            raise Failure(f"zplc {level}: status {done.returncode}\n{done.stderr}")
        return executable

    def missing(self):
        """The headers of NAME.needs that a C compiler does not find."""
        def is_there(header):
            return subprocess.run(["cc", "-E", "-x", "c", "-"], check=False,
                                  input=f"#include <{header}>\n", text=True,
                                  capture_output=True).returncode == 0
        return [header for header in (self.companion("needs") or "").split()
                if not is_there(header)]

    def run(self, executable, launcher, flags):
        """Gives the finished process; `left` are ids of processes it left."""
        command = launcher + [executable, *flags.split(), *self.args]
        mark = f"ZPL_TEST_RUN={os.getpid()}.{time.monotonic_ns()}"
        environment = dict(os.environ, **dict([mark.split("=")]))
        if "-g" in flags:
            environment["ZRT_INTERIOR"] = "always"
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            copy_files(self.stem, folder)
            done = subprocess.run(
                ["timeout", "-k5", str(TIME_LIMIT), *command], cwd=folder,
                env=environment, input=self.input, capture_output=True,
                encoding="utf-8", errors="surrogateescape", check=False)
        done.shown = shlex.join([os.path.basename(word) for word in command])
        done.left = leftovers(mark) if self.options.expect_error else []
        if done.returncode == 124:
            raise Failure(f"{done.shown}: still running after {TIME_LIMIT} s")
        return done


def processes_with(mark):
    """Ids of the processes that have `mark` in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if mark.encode() in file.read().split(b"\0"):
                    found.append(pid)
        except OSError:
            pass  # has ended, or is not ours
    return found


def leftovers(mark):
    """Those that are still there after a moment."""
    for _ in range(20):
        found = processes_with(mark)
        if not found:
            break
        time.sleep(0.1)
    return found


def launched(options, transport, count):
    """How so many processes of a transport that needs a launcher are started."""
    command = ["flock", os.path.join(options.build, "mpi.lock"), "env"]
    if transport == "shmem":
        return command + ["OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                          "OMPI_MCA_odls_base_sigkill_timeout=0",
                          options.oshrun, "--oversubscribe", "-n", str(count)]
    if transport == "hybrid":
        command += ["ZRT_NODE_SIZE=2"]
    return command + [f"ZRT_TRANSPORT={transport}", options.mpiexec, "-n", str(count)]


def other_transports(options):
    """Those that are there, besides shm and mpi."""
    launchers = {"hybrid": ("mpi", options.mpiexec), "put": ("put", options.mpiexec),
                 "shmem": ("shmem", options.oshrun)}
    plugins = os.path.join(options.build, "lib/zpl/plugins")
    return [name for name, (plugin, launcher) in launchers.items()
            if launcher and os.path.exists(f"{plugins}/libzrt_{plugin}.so")]


def others(program, level):
    """Pairs of a transport and a number of processes. Transports do not see how
    code was optimized, so one level is enough for most programs."""
    options, dice = program.options, zlib.crc32(program.name.encode())
    names = other_transports(options)
    if options.every:
        return [(name, count) for name in names for count in (1, 2, 3, 4, 6)]
    if level != LEVELS[-1] or not names:
        return []
    if not options.full:
        names = [names[dice // 2 % len(names)]]
    return [(name, 2 + dice % 3 if name != "hybrid" else 3 + dice % 2) for name in names]


def configurations(program, level):
    """All ways to start: pairs of a launcher and the program's flags."""
    options = program.options
    if options.expect_error:
        shm, mpi = ["-p1", "-p4"], [(2, "")]
    elif options.every or options.full and level == LEVELS[-1]:
        shm, mpi = SHM, MPI_FULL
    else:
        second = 3 + zlib.crc32(program.name.encode()) % 2
        shm, mpi = SHM, [(2, ""), (second, "")]
    for flags in shm:
        yield [], flags
    if not options.expect_error:
        yield [], "-p4 --transport=sim"
    # What is said of other transports holds for MPI, too, whose launcher takes long.
    if options.mpiexec and (level == LEVELS[-1] or options.full or options.every):
        for count, flags in mpi:
            yield launched(options, "mpi", count), flags
    for transport, count in others(program, level):
        yield launched(options, transport, count), ""


def difference(expected, found):
    lines = list(difflib.unified_diff(
        expected.splitlines(keepends=True), found.splitlines(keepends=True),
        "expected", "printed", n=1))
    text = "".join(line if line.endswith("\n") else line + " <no line end>\n"
                   for line in lines[:20])
    return text + ("...\n" if len(lines) > 20 else "")


def check_output(program, done):
    expected = program.companion("out")
    if done.returncode == 0 and done.stdout == expected:
        return
    text = f"{done.shown}: status {done.returncode}\n"
    if done.stdout != expected:
        text += difference(expected, done.stdout)
    raise Failure(text + done.stderr[:2000])


def check_error(program, done):
    errors = [line for line in done.stderr.splitlines() if " error: " in line]
    text = f"{done.shown}: status {done.returncode}\n{done.stderr[:2000]}"
    if done.returncode != 1:
        raise Failure(text + "expected status 1")
    if len(errors) > 1:
        raise Failure(text + f"expected one error line, there are {len(errors)}")
    if done.left:
        raise Failure(text + f"left the processes {' '.join(done.left)}")
    with open(program.source, encoding="utf-8") as file:
        if "CHECK" not in file.read():
            return
    found = subprocess.run(
        [program.options.filecheck, program.source], input=done.stderr,
        capture_output=True, text=True, check=False)
    if found.returncode:
        raise Failure(text + found.stderr)


def check_rejected(program):
    done = program.zplc("--stop-after=sema", program.source)
    first = int(program.companion("line"))
    # A missing `end` shows only on the line after.
    lines = [first, first + 1] if program.name.startswith("missing") else [first]
    places = re.findall(r"^[^\n:]+:(\d+):\d+: error: ", done.stderr, re.M)
    if done.returncode != 1 or not places or int(places[0]) not in lines:
        raise Failure(f"status {done.returncode}, expected an error on line "
                      f"{first}\n{done.stderr}")


def check(program):
    """Every configuration that differs, as one text; empty: none."""
    failures = []
    for level in LEVELS:
        executable = program.compile(level)
        for launcher, flags in configurations(program, level):
            try:
                done = program.run(executable, launcher, flags)
                judge = check_error if program.options.expect_error else check_output
                judge(program, done)
            except Failure as failure:
                failures.append(str(failure))
    return "\n".join(failures)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="the build folder")
    parser.add_argument("--mpiexec", default="", help="MPI launcher; none: no MPI")
    parser.add_argument("--oshrun", default="", help="OpenSHMEM launcher; none: no shmem")
    parser.add_argument("--filecheck", default="FileCheck")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--expect-error", action="store_true")
    parser.add_argument("--expect-reject", action="store_true")
    parser.add_argument("source", help="NAME.z")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    with tempfile.TemporaryDirectory(prefix="zpl-run-") as folder:
        program = Program(os.path.abspath(options.source), options, folder)
        missing = program.missing()
        if missing:
            print(f"{options.source}: skipped, not installed: {' '.join(missing)}")
            return SKIPPED
        try:
            if options.expect_reject:
                check_rejected(program)
                return 0
            text = check(program)
        except Failure as failure:
            text = str(failure)
    if text:
        print(f"{options.source}\n{text}")
    return 1 if text else 0


if __name__ == "__main__":
    sys.exit(main())
