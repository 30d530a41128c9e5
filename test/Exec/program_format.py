"""The lit format of test/Exec: every test is a program for run_matrix.py.

Besides the folders programs/, errors/ and long/ (only with -Dfull=1; always the
quick choice of configurations) here, it finds the programs of examples/ with
nas/, irregular/ and sparse/, and those of suites that lie beside the checkout
(../shared/conformance, ../shared/acceptance) as far as conformance.txt names them. A test in another folder has a name as if it lay here:
Exec/examples/jacobi.z.
"""
import os

import lit.formats
import lit.Test
import lit.util

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SHARED = os.path.join(os.path.dirname(ROOT), "shared")
# Suites whose programs are listed, and where they are.
SUITES = {
    "conformance": os.path.join(SHARED, "conformance"),
    "distribution": os.path.join(SHARED, "acceptance", "distribution"),
    "sparse": os.path.join(SHARED, "acceptance", "sparse"),
}

# The test folder and where it is.
FOLDERS = {
    "programs": os.path.join(HERE, "programs"),
    "long": os.path.join(HERE, "long"),
    "errors": os.path.join(HERE, "errors"),
    "examples": os.path.join(ROOT, "examples"),
    "nas": os.path.join(ROOT, "examples", "nas"),
    "irregular": os.path.join(ROOT, "examples", "irregular"),
    "examples-sparse": os.path.join(ROOT, "examples", "sparse"),
}
for suite, place in SUITES.items():
    FOLDERS[suite + "-programs"] = os.path.join(place, "programs")
    FOLDERS[suite + "-errors"] = os.path.join(place, "runtime-errors")
    FOLDERS[suite + "-negative"] = os.path.join(place, "negative")


def programs(folder):
    """The names of a folder's programs: all, or those that are listed."""
    path = FOLDERS[folder]
    if not os.path.isdir(path):
        return []
    if folder.split("-")[0] not in SUITES:
        return sorted(name for name in os.listdir(path) if name.endswith(".z"))
    with open(os.path.join(HERE, "conformance.txt"), encoding="utf-8") as file:
        words = [line.split() for line in file if not line.startswith("#")]
    return [name + ".z" for kind, name in filter(None, words) if kind == folder]


class ProgramFormat(lit.formats.base.TestFormat):
    def getTestsInDirectory(self, testSuite, path_in_suite, litConfig, localConfig):
        if path_in_suite != ("Exec",):
            return
        for folder in FOLDERS:
            if folder == "long" and not localConfig.full:
                continue
            for name in programs(folder):
                yield lit.Test.Test(testSuite, ("Exec", folder, name), localConfig)

    def execute(self, test, litConfig):
        config = test.config
        _, folder, name = test.path_in_suite
        command = [config.python, os.path.join(HERE, "run_matrix.py"),
                   "--build", config.zpl_binary_root,
                   "--filecheck", os.path.join(config.llvm_tools_dir, "FileCheck")]
        if config.has_mpi:
            command += ["--mpiexec", config.mpiexec]
        if config.has_shmem:
            command += ["--oshrun", config.oshrun]
        if config.full and folder != "long":
            command += ["--every" if folder == "conformance-programs" else "--full"]
        if folder.endswith("errors"):
            command += ["--expect-error"]
        if folder.endswith("negative"):
            command += ["--expect-reject"]
        out, err, status = lit.util.executeCommand(
            command + [os.path.join(FOLDERS[folder], name)],
            env=config.environment)
        results = {0: lit.Test.PASS, 77: lit.Test.UNSUPPORTED}
        return results.get(status, lit.Test.FAIL), out + err
