#!/usr/bin/env python3
"""Runs all tests of build/dev and ends in the line `N passed, N failed`.

    scripts/run-tests.py [--full]

Counted are the cases of every GoogleTest program in build/dev/unit, the clauses
of the transport conformance suite, the tests of lit, and the run of the fuzzer as
one. Unit tests, conformance and fuzzing, which mostly wait or use one processor, run
beside lit. --full adds the long tests of GoogleTest and lit, clang-tidy (one test per
source file) and the unit tests of build/asan, and the fuzzer and the conformance
suite run longer.
"""
import concurrent.futures
import json
import multiprocessing.pool
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORES = min(2, os.cpu_count() or 1)
SELF_STARTED = re.compile("--mistakes|--transport=(self|shm|simulated)")


class Totals:
    """Of several threads."""

    def __init__(self):
        self.passed = self.failed = 0
        self.lock = threading.Lock()

    def add(self, title, passed, failed, report=""):
        """Prints the report and counts."""
        with self.lock:
            print(f"{report}== {title}: {passed} passed, {failed} failed", flush=True)
            self.passed += passed
            self.failed += failed


def run_gtest(totals, program, title, options):
    """A crash counts as one failure more than what failed before it. What
    allocators of LLVM's headers poison, its libraries, which were built without
    a sanitizer, do not know of."""
    done = subprocess.run([program, "--gtest_brief=1", *options],
                          capture_output=True, text=True, check=False,
                          env={**os.environ, "ASAN_OPTIONS": "allow_user_poisoning=0"})
    passed = sum(map(int, re.findall(r"\[  PASSED  \] (\d+) test", done.stdout)))
    failed = len(set(re.findall(r"^\[  FAILED  \] (\S+)", done.stdout, re.M)))
    report = ""
    if done.returncode:
        report = f"{done.stdout}{done.stderr}\n"
        failed = max(failed, 1)
    totals.add(title, passed, failed, report)


def run_unit_tests(totals, build, *options):
    folder = os.path.join(ROOT, "build", build, "unit")
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            run_gtest(totals, path, f"{build}/unit/{name}", options)


def conformance_runs(full):
    """(build, arguments): every transport against the clauses of its contract,
    some within one that delays, reorders and splits; the proof that each
    clause bites; and the sanitizers."""
    def has(plugin):
        return os.path.exists(
            os.path.join(ROOT, f"build/dev/lib/zpl/plugins/libzrt_{plugin}.so"))

    launched = [name for name, plugin in (("mpi", "mpi"), ("hybrid", "mpi"), ("put", "put"),
                                          ("shmem", "shmem")) if has(plugin)]
    runs = [("dev", run) for run in (
        "--transport=self -p1", "--transport=shm -p2", "--transport=shm -p5",
        "--transport=shm -p3 --faults=1", "--transport=simulated -p4",
        "--mistakes" if full else "--mistakes --short")]
    for name in launched:
        runs += [("dev", f"--transport={name} -p2"), ("dev", f"--transport={name} -p3")]
    threads = "--transport=shm --threads"
    if not full:
        return runs + [
            ("transports-asan", "--transport=self -p1 --short"),
            ("transports-asan", "--transport=shm -p3 --short"),
            ("transports-asan", f"{threads} -p3 --faults=1 --short"),
            ("transports-tsan", f"{threads} -p3 --short"),
            ("transports-tsan", f"{threads} -p3 --faults=1 --short")]
    for seed in range(1, 4):
        runs += [("transports-asan", f"--transport=shm -p5 --seed={seed}"),
                 ("transports-asan", f"--transport=shm -p3 --seed={seed} --faults={seed}"),
                 ("transports-tsan", f"{threads} -p5 --seed={seed}"),
                 ("transports-tsan", f"{threads} -p4 --seed={seed} --faults={seed}"),
                 ("dev", f"--transport=shm -p6 --seed={seed} --faults={seed}"),
                 ("dev", f"--transport=simulated -p7 --seed={seed}")]
        runs += [("dev", f"--transport={name} -p3 --seed={seed} --faults={seed}")
                 for name in launched]
    return runs


def run_conformance(totals, full):
    nodes = dict(os.environ, ZRT_NODE_SIZE="2")    # for hybrid
    for build, run in conformance_runs(full):
        program = os.path.join(ROOT, "build", build, "test/unit/Runtime/zrt-conformance")
        # Runs under a launcher have the processors, as in lit's tests.
        alone = [] if SELF_STARTED.search(run) else \
            ["flock", os.path.join(ROOT, "build/dev/mpi.lock")]
        done = subprocess.run([*alone, program, *run.split()], env=nodes,
                              capture_output=True, text=True, check=False)
        found = re.search(r"^(\d+) passed, (\d+) failed", done.stdout, re.M)
        passed, failed = map(int, found.groups()) if found else (0, 0)
        report = ""
        if done.returncode:
            report = f"{done.stdout}{done.stderr}\n"
            failed = max(failed, 1)
        totals.add(f"conformance in {build}: {run}", passed, failed, report)


def order_slow_tests():
    """Lit begins with the tests that took longest last time. Where there was no last
    time, test/slow-tests.txt says which those are."""
    times = os.path.join(ROOT, "build/dev/test/.lit_test_times.txt")
    if not os.path.exists(times):
        with open(os.path.join(ROOT, "test/slow-tests.txt"), encoding="utf-8") as known, \
                open(times, "w", encoding="utf-8") as file:
            file.writelines(line for line in known if not line.startswith("#"))


def run_lit(totals, full):
    order_slow_tests()
    with open(os.path.join(ROOT, "build/dev/CMakeCache.txt"), encoding="utf-8") as file:
        lit = re.search(r"^ZPL_LIT:\w+=(.*)$", file.read(), re.M)[1]
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        # One more than cores: some tests wait for processes to end, or for a lock.
        command = [sys.executable, lit, "-v", "-j", str(CORES + 1), "-o", report.name,
                   os.path.join(ROOT, "build/dev/test")]
        if full:
            command.insert(3, "-Dfull=1")
        subprocess.run(command, check=False)
        text = report.read()
    codes = [test["code"] for test in json.loads(text)["tests"]] if text else []
    passed = sum(code in ("PASS", "FLAKYPASS", "XFAIL") for code in codes)
    skipped = sum(code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED") for code in codes)
    totals.add("lit", passed, len(codes) - passed - skipped if codes else 1)


def run_fuzzer(totals, full):
    """The short run is the same every time; the long one looks for new things."""
    options = ["300"] if full else ["30", "-seed=1"]
    done = subprocess.run([os.path.join(ROOT, "scripts/fuzz"), *options],
                          capture_output=True, text=True, check=False)
    report = f"{done.stdout}{done.stderr}\n" if done.returncode else ""
    totals.add("fuzzing", int(done.returncode == 0), int(done.returncode != 0), report)


def compile_commands(path):
    """The command of each source file, also of those that are compiled together."""
    entries = {}
    with open(path, encoding="utf-8") as file:
        for entry in json.load(file):
            together, sources = entry["file"], [entry["file"]]
            if "/Unity/" in together:
                with open(together, encoding="utf-8") as unit:
                    sources = re.findall(r'^#include "(.*)"$', unit.read(), re.M)
            for source in sources:
                command = entry["command"].replace(f" -c {together}", f" -c {source}")
                entries[source] = {**entry, "file": source, "command": command}
    return entries


def run_clang_tidy(totals):
    """Files of one folder and one command go through clang-tidy as one unit, since
    most of its time is for the headers; where it finds something, or they do not go
    together, in halves, down to the file."""
    entries = compile_commands(os.path.join(ROOT, "build/dev/compile_commands.json"))
    with open(os.path.join(ROOT, ".clang-tidy"), encoding="utf-8") as file:
        headers = re.search("HeaderFilterRegex: '(.*)'", file.read())[1]
    alike = {}
    for source, entry in sorted(entries.items()):
        options = re.sub(r" -o \S+ -c \S+$", "", entry["command"])
        alike.setdefault((os.path.dirname(source), options), []).append(source)
    units = [sources[i:i + 8] for sources in alike.values()
             for i in range(0, len(sources), 8)]

    def tidy(sources):
        entry = entries[sources[0]]
        with tempfile.TemporaryDirectory() as folder:
            unit = os.path.join(folder, "unit.cpp")
            with open(unit, "w", encoding="utf-8") as file:
                file.writelines(f'#include "{source}"\n' for source in sources)
            command = entry["command"].replace(sources[0], unit)
            with open(os.path.join(folder, "compile_commands.json"), "w",
                      encoding="utf-8") as file:
                json.dump([{**entry, "file": unit, "command": command}], file)
            return subprocess.run(
                ["clang-tidy-19", "--quiet", "--warnings-as-errors=*", "-p", folder,
                 f"--config-file={ROOT}/.clang-tidy",
                 f"--header-filter={headers}|\\.cpp$",
                 "--checks=-bugprone-suspicious-include", unit],
                capture_output=True, text=True, check=False)

    def count_clean(sources):
        done = tidy(sources)
        if done.returncode == 0:
            return len(sources)
        if len(sources) == 1:
            print(done.stdout, flush=True)
            return 0
        half = len(sources) // 2
        return count_clean(sources[:half]) + count_clean(sources[half:])

    with multiprocessing.pool.ThreadPool(CORES) as pool:
        passed = sum(pool.map(count_clean, units, chunksize=1))
    totals.add("clang-tidy", passed, len(entries) - passed)


def main():
    # A shell that starts this in the background has interrupts ignored, and
    # children inherit that; some tests interrupt a program.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    full = sys.argv[1:] == ["--full"]
    totals = Totals()

    def run_beside_lit():
        run_unit_tests(totals, "dev", *["--gtest_also_run_disabled_tests"] * full)
        run_conformance(totals, full)
        run_fuzzer(totals, full)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        beside = pool.submit(run_beside_lit)
        run_lit(totals, full)
        beside.result()
    if full:
        run_unit_tests(totals, "asan")
        run_clang_tidy(totals)
    print(f"{totals.passed} passed, {totals.failed} failed", flush=True)
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
