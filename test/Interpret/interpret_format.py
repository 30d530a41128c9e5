"""The lit format of test/Interpret/programs: programs run by `zplc --interpret`.

What the interpreter prints must be what compiled programs print, byte by byte.
The programs, their expected output and arguments are those of test/Exec (see
program_format.py there), of examples/ with nas/, irregular/ and sparse/, and of
the suites beside the checkout; a test is called Interpret/programs/examples/jacobi.z. Programs of errors/ must end with
status 1 and, where their CHECK lines name a place, one message for that line.
"""
import os
import re
import shlex
import tempfile

import lit.formats
import lit.Test
import lit.util
from program_format import FOLDERS, programs
from run_matrix import copy_files

KINDS = ["programs", "errors", "examples", "nas", "irregular", "examples-sparse",
         "conformance-programs", "conformance-errors", "distribution-programs", "distribution-errors",
         "sparse-programs", "sparse-errors"]
# They take long, or much memory.
SKIPPED = {"nas/ep", "nas/ft", "nas/cg", "programs/sparse-added"}


def companion(stem, suffix):
    path = f"{stem}.{suffix}"
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def is_interpreted(folder, name):
    """Programs that call C are not."""
    stem = os.path.join(FOLDERS[folder], name[:-2])
    calls_c = any(os.path.exists(f"{stem}.{suffix}") for suffix in ("c", "zplc"))
    return not calls_c and f"{folder}/{name[:-2]}" not in SKIPPED


class InterpretFormat(lit.formats.base.TestFormat):
    def getTestsInDirectory(self, testSuite, path_in_suite, litConfig, localConfig):
        for folder in KINDS:
            for name in programs(folder):
                if is_interpreted(folder, name):
                    path = (*path_in_suite, folder, name)
                    yield lit.Test.Test(testSuite, path, localConfig)

    def execute(self, test, litConfig):
        folder, name = test.path_in_suite[-2:]
        source = os.path.join(FOLDERS[folder], name)
        stem = source[:-2]
        zplc = os.path.join(test.config.zpl_binary_root, "bin/zplc")
        command = ["timeout", "100", zplc, "--interpret", source, "--",
                   *shlex.split(companion(stem, "args") or "")]
        with tempfile.TemporaryDirectory() as own:
            copy_files(stem, own)
            out, err, status = lit.util.executeCommand(
                command, cwd=own, env=test.config.environment,
                input=companion(stem, "in") or "")
        if folder.endswith("errors"):
            return self.judge_error(test, source, status, out, err)
        if status == 0 and out == companion(stem, "out"):
            return lit.Test.PASS, ""
        return lit.Test.FAIL, f"status {status}\n{out}{err}"

    @staticmethod
    def judge_error(test, source, status, out, err):
        if status != 1:
            return lit.Test.FAIL, f"status {status}\n{out}{err}"
        with open(source, encoding="utf-8") as file:
            checks = "".join(line for line in file if "CHECK" in line)
        # The interpreter sees the error at the same place and has its own words.
        place = re.compile(re.escape(os.path.basename(source)) + r":(\d+):\d+: error:")
        wanted, got = set(place.findall(checks)), place.findall(err)
        if wanted and (len(got) != 1 or got[0] not in wanted):
            return lit.Test.FAIL, f"line {wanted} expected\n{err}"
        return lit.Test.PASS, ""
