"""NAS CG: examples/nas/cg.z against compressed sparse rows in C (sparse/cg.c); and NAS MG with
sparse input against the dense one.

cg-a        class A, all 15 iterations
cg-b        class B, 3 of its 75 iterations
mg          class A: examples/nas/mg_sparse.z by mg.z

Only the iterations are timed, after one that touches everything. With two processors the peer is
C with MPI, whose product begins by an allgather. Of gcc and clang the faster median counts. The
memory is the most that the program has at a time, its making of the matrix included, above an empty
one, and wanted is that of the rows and vectors.
"""
import os
import re

from common import (HERE, ROOT, Memory, Program, best_of, c_compilers, chosen, compile_peer,
                    first_program, interleave, median_ratio, mpi_launcher, require_equal, sh)

ELEMENTS = {"A": 1853104, "B": 13708072}
ROWS = {"A": 14000, "B": 75000}
# By case: the class, its number for the peer, and the iterations.
CASES = {"cg-a": ("A", 2, 15), "cg-b": ("B", 3, 3)}
LINE = re.compile(r"zeta +(\S+).*?iterations +(\S+) s", re.S)
NORM = re.compile(r"norm +(\S+).*?seconds +(\S+)", re.S)


class Timed(Program):
    """A program of examples/nas."""

    def __init__(self, label, command, case, pattern):
        super().__init__(label, command)
        self.case, self.pattern = case, pattern

    def run(self):
        result, seconds = self.pattern.search(sh(self.command)).groups()
        self.add(self.case, seconds, result)


def bytes_of(name):
    """Values, columns and starts of the rows; the vectors, and one of them flooded."""
    return 12 * ELEMENTS[name] + 4 * ROWS[name] + 6 * 8 * ROWS[name]


def compile_mpi(source, target, *flags):
    """The peer for two processors; None without MPI."""
    compiler = first_program("mpicc.mpich", "mpicc")
    if not compiler or not mpi_launcher():
        return None
    sh([compiler, "-O3", "-march=native", *flags, "-DMPI", os.path.join(HERE, source),
        "-o", target, "-lm"])
    return [mpi_launcher(), "-n", "2", target]


def run_cg(case, exe, options, work, table):
    name, number, rounds = CASES[case]
    macros = (f"-DCLASS={number}", f"-DROUNDS={rounds}")
    peers = [Program(f"C {compiler}",
                     [compile_peer("sparse/cg.c", f"{work}/{case}-{compiler}", *macros,
                                   compiler=compiler)])
             for compiler in c_compilers()]
    parallel = compile_mpi("sparse/cg.c", f"{work}/{case}-mpi", *macros)
    if parallel:
        parallel = Program("C and MPI, p=2", parallel)
    words = [exe, f"-sClass={name}", f"-siterations={rounds}", "-stiming=true"]
    one = Timed("zplc, p=1", words, "cg", LINE)
    two = Timed("zplc, p=2 shm", [*words, "-p2"], "cg", LINE)
    programs = [p for p in (*peers, parallel, one, two) if p]
    interleave(options.rounds, case, [p.run for p in programs])
    require_equal("cg", programs, 1e-10)
    best = best_of("cg", peers)
    for p in programs:
        by = parallel if p is two and parallel else best
        table.add("cg", case, p.label, p.times["cg"],
                  median_ratio(p.times["cg"], by.times["cg"]), f"by {by.label}",
                  wanted=1.0 if p in (one, two) else None)
    memory = Memory(options, work)
    taken = memory.peak(one.command) - memory.ours
    table.add("cg", case, "zplc, p=1, memory", None, taken / bytes_of(name),
              f"{taken / 1e6:.1f} MB by {bytes_of(name) / 1e6:.1f} MB", 1.05)
    table.show(f"NAS CG, class {name}, {rounds} iterations", ("cg", case))


def run_mg(options, work, table):
    programs = []
    for name in ("mg", "mg_sparse"):
        exe = os.path.join(work, name)
        sh([options.zplc, "-O3", "-march=native",
            os.path.join(ROOT, f"examples/nas/{name}.z"), "-o", exe])
        programs.append(Timed(name + ".z", [exe, "-sClass=A", "-stiming=true"], "mg", NORM))
    interleave(options.rounds, "mg", [p.run for p in programs])
    require_equal("mg", programs, 1e-9)
    dense, sparse = programs
    for p in programs:
        table.add("cg", "mg", p.label, p.times["mg"],
                  median_ratio(p.times["mg"], dense.times["mg"]),
                  wanted=1.0 if p is sparse else None)
    memory = Memory(options, work)
    ours, other = (memory.peak(p.command) - memory.ours for p in (sparse, dense))
    table.add("cg", "mg", "mg_sparse.z, memory", None, ours / other,
              f"{ours / 1e6:.1f} MB by {other / 1e6:.1f} MB", 0.7)
    table.show("NAS MG, class A, with sparse input", ("cg", "mg"))


def run(options, work, table):
    cases = list(chosen(options, [*CASES, "mg"]))
    if set(cases) & set(CASES):
        exe = os.path.join(work, "cg")
        sh([options.zplc, "-O3", "-march=native", os.path.join(ROOT, "examples/nas/cg.z"),
            "-o", exe])
        for case in CASES:
            if case in cases:
                run_cg(case, exe, options, work, table)
    if "mg" in cases:
        run_mg(options, work, table)
