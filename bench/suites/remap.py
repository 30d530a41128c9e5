"""Remap, `A#[..]`, against the loops of a C programmer (remap/).

transpose-doubles   B := B + A#[Index2, Index1]; A += 1; 3000 x 3000, in C plain and in
                    tiles, with MPI an exchange of all with all
transpose-...       elements of other types, 4096 x 4096; a rectangle; three dimensions
gather              B := A#[P] and, as scatter, A#[P] := B, P a random permutation of 5
                    million; with MPI by a schedule that is made once
relax, relax-all    100 sweeps over an unstructured mesh of a million nodes on two
                    processors, numbered at random in groups of 1000, or all; with MPI the
                    ghosts are listed by hand. The inspector's time is given in sweeps
particles           particles in cells: deposit, solve, gather; sequential C on one core
coo, ell            sparse matrices times vectors, a million rows of eight elements
histogram-...       of 10^8 keys into 256 and 10^6 bins; with MPI each process counts by
                    itself
rows                B := A#[P, Index2] against one memcpy per row
matvec              with vectors of one dimension against our own with those of two
ft                  NAS FT, class A, against the same in Fortran in the style of NPB

What can be said in several ways in ZPL is there in each of them, and all have the same
limit. Of gcc, clang and the ways to write it in C the fastest median counts. Results
must agree, those of `particles` and `relax`, whose sums have another order, to 9 digits.
`--only` chooses cases.
"""
import os

from common import (HERE, ROOT, PEER_FLAGS, Program, best_of, c_compilers, chosen,
                    compile_peer, first_program, interleave, mpi_launcher, require_equal,
                    sh)


class Case:
    """A program in ZPL, with its options, and its peers.

    lines      the cases that the programs print
    ways       in C: labels and macros; `parallel` with MPI
    spellings  in ZPL: labels and options
    limits     the greatest ratios wanted: of p=1 to C, of p=2 to MPI, or to C where that
               is the peer of both; None does not run it"""

    def __init__(self, title, source, ours, macros, lines, limits, ways=None,
                 parallel=None, spellings=None, tolerance=0.0):
        self.title, self.source, self.ours, self.macros = title, source, ours, macros
        self.lines, self.limits, self.tolerance = lines, limits, tolerance
        self.ways, self.parallel = ways or {}, parallel or {}
        self.spellings = spellings or {"": []}


def transpose(kind, title, ours, macros, limits=(1.1, None), parallel=None):
    """A case of transpose.z."""
    ways = {"": [], ", by columns": ["-DBY_COLUMNS"],
            **{f", tiles of {t}": [f"-DTILE={t}"] for t in (8, 16, 32, 64)}}
    return Case(title, "transpose", [f"-skind={kind}", *ours, "-srounds=10"],
                [f'-DNAME="{kind}"', *macros, "-DROUNDS=10"], [f"transpose-{kind}"],
                limits, {way: ("transpose.c", flags) for way, flags in ways.items()},
                parallel, {"": [], ", scatter": ["-sway=scatter"]})


def square(kind, element, **more):
    """A case of transpose.z with 4096 x 4096 elements of this type in C."""
    size = ["-DROWS=4096", "-DCOLUMNS=4096"]
    return transpose(kind, f"transpose, 4096 x 4096 {kind}", ["-sn=4096"],
                     [*size, element], **more)


def histogram(bins):
    return Case(f"10^8 keys counted in {bins} bins", "histogram", [f"-sbins={bins}"],
                ["-DN=100000000", f"-DBINS={bins}", "-DROUNDS=3"], [f"histogram-{bins}"],
                (1.1, 1.0), {"": ("histogram.c", [])},
                {"": ("histogram.c", ["-DMPI"])})


def relax(group, title):
    return Case(title, "relax", [f"-sgroup={group}"],
                ["-DSIDE=1000", f"-DGROUP={group}", "-DSWEEPS=100"], [f"relax-{group}"],
                (None, 1.05), {}, {"": ("relax_mpi.c", []),
                                   ", by lists": ("relax_mpi.c", ["-DLISTS"])},
                {"": [], ", loop": ["-sway=loop"]}, 1e-9)


MATRIX = dict(ours=[], macros=["-DN=1000000", "-DREACH=1000", "-DROUNDS=10"],
              limits=(1.05, 1.0),
              ways={"": ("sparse.c", []), ", slices": ("sparse.c", ["-DSLICES"])},
              parallel={"": ("sparse.c", ["-DMPI"]),
                        ", slices": ("sparse.c", ["-DMPI", "-DSLICES"])})
CASES = {
    "transpose-doubles": transpose(
        "doubles", "transpose, 3000 x 3000 doubles", ["-sn=3000"],
        ["-DROWS=3000", "-DCOLUMNS=3000", "-DTYPE=double"], (1.0, 0.9),
        {"": ("transpose_mpi.c", ["-DN=3000"]),
         ", overlapped": ("transpose_mpi.c", ["-DN=3000", "-DOVERLAP"])}),
    "transpose-floats": square("floats", "-DTYPE=float"),
    "transpose-integers": square("integers", "-DTYPE=int"),
    "transpose-complexes": square("complexes", "-DCOMPLEX"),
    "transpose-rectangle": transpose(
        "rectangle", "transpose, 6000 x 2000 doubles", ["-sn=2000"],
        ["-DROWS=6000", "-DCOLUMNS=2000", "-DTYPE=double"]),
    "transpose-cube": transpose(
        "cube", "permuted dimensions, 250^3 doubles", ["-sn=250"],
        ["-DROWS=250", "-DCUBE", "-DTYPE=double"]),
    "gather": Case("B := A#[P] and A#[P] := B, 5 million doubles", "gather", [],
                   ["-DN=5000000", "-DROUNDS=10"], ["gather", "scatter"], (1.05, 1.0),
                   {"": ("gather.c", [])}, {"": ("gather_mpi.c", [])},
                   {"": [], ", offset map": ["-sway=offset"]}),
    "relax": relax(1000, "relaxation, 10^6 nodes shuffled in groups of 1000, 100 sweeps"),
    "relax-all": relax(1000000, "relaxation, 10^6 nodes shuffled, 100 sweeps"),
    "particles": Case(
        "10^6 particles, 10000 points, 10 steps", "particles", [],
        ["-DCOUNT=1000000", "-DPOINTS=10000", "-DSTEPS=10"], ["particles"], (1.0, 0.6),
        {"": ("particles.c", []), ", stored": ("particles.c", ["-DSTORED"])},
        spellings={"": [], ", maps": ["-sway=maps"]}, tolerance=1e-9),
    "coo": Case("coordinates, 10^6 rows of 8", "sparse", lines=["coo"], **MATRIX),
    "ell": Case("equal rows, 10^6 of 8", "sparse", lines=["ell"],
                spellings={", loop over slices": ["-sway=slices"],
                           ", sum of slices": ["-sway=expression"],
                           ", plane": ["-sway=plane"]}, **MATRIX),
    "histogram-256": histogram(256),
    "histogram-1000000": histogram(1000000),
    "rows": Case("B := A#[P, Index2], 4000 x 4000 doubles", "rows", [],
                 ["-DN=4000", "-DROUNDS=10"], ["rows"], (1.0, None),
                 {"": ("rows.c", [])}, spellings={"": [], ", blank": ["-sway=blank"]}),
}
EXTRA = ("matvec", "ft")


def peers(work, name, case, chosen_ways, compilers, label):
    """The case's programs in C, by compilers and ways."""
    programs = []
    for compiler in compilers:
        for way, (source, flags) in chosen_ways.items():
            exe = compile_peer(f"remap/{source}", f"{work}/{name}-{compiler}{way}-{label}",
                               *case.macros, *flags, compiler=compiler)
            programs.append((f"{compiler}{way}", exe))
    return programs


def compiled(options, work, source):
    """Our program."""
    exe = os.path.join(work, os.path.basename(source) + "-zpl")
    sh([options.zplc, "-O3", os.path.join(ROOT, source), "-o", exe])
    return exe


def on_two(work, name, case, serial):
    """The peers of two processors: with MPI, or else the sequential ones."""
    mpicc = first_program("mpicc.mpich", "mpicc")
    if not case.parallel:
        return serial
    if not mpicc or not mpi_launcher():
        return []
    return [Program(f"C+MPI{label.removeprefix(mpicc)}, p=2",
                    [mpi_launcher(), "-n", "2", exe])
            for label, exe in peers(work, name, case, case.parallel, [mpicc], "mpi")]


def run_case(options, work, table, name, case):
    exe = compiled(options, work, f"bench/remap/{case.source}.z")
    serial = [Program(f"C {label}", [program]) for label, program in
              peers(work, name, case, case.ways, c_compilers(), "c")]
    sides = [(1, serial, case.limits[0], [])]
    if case.limits[1] is not None:
        sides.append((2, on_two(work, name, case, serial), case.limits[1], ["-p2"]))
    compared = []
    for count, others, limit, flags in sides:
        mine = [Program(f"zplc, p={count}{way}", [exe, *flags, *case.ours, *more])
                for way, more in case.spellings.items()]
        if limit is not None and others:
            compared.append((others, mine, limit))
    programs = list(dict.fromkeys(p for others, mine, _ in compared
                                  for p in [*others, *mine]))
    interleave(options.rounds, name, [p.run for p in programs])
    for line in case.lines:
        require_equal(line, programs, case.tolerance)
        for others, mine, limit in compared:
            best = best_of(line, others).times[line].median
            title = f"{line}: " if len(case.lines) > 1 else ""
            for p in [*others, *mine]:
                table.add("remap", name, title + p.label, p.times[line],
                          p.times[line].median / best,
                          wanted=limit if p in mine else None)
            for p in [*others, *mine]:
                add_inspector(table, name, p, line, 2.0 if p in mine else None)
    table.show(f"{name}: {case.title}", ("remap", name))


def add_inspector(table, name, program, line, wanted):
    """The time that a relaxation's analysis of maps takes, in sweeps of the 100 that
    were timed."""
    inspector = line.replace("relax", "inspector")
    if inspector != line:
        times = program.times[inspector]
        table.add("remap", name, program.label + ", inspector", times,
                  times.median / (program.times[line].median / 100), "in sweeps", wanted)


def run_matvec(options, work, table):
    exe = compiled(options, work, "bench/remap/matvec.z")
    pairs = [[Program(f"zplc, p={count}, {ways}", [exe, *flags, f"-sway={way}"])
              for way, ways in (("two", "2-D"), ("one", "1-D"))]
             for count, flags in ((1, []), (2, ["-p2"]))]
    programs = sum(pairs, [])
    interleave(options.rounds, "matvec", [p.run for p in programs])
    require_equal("matvec", programs)
    for flat, line in pairs:
        base = flat.times["matvec"]
        table.add("remap", "matvec", flat.label, base, 1.0)
        table.add("remap", "matvec", line.label, line.times["matvec"],
                  line.times["matvec"].median / base.median, wanted=1.3)
    table.show("matvec: 4000 x 4000, vectors of one and of two dimensions",
               ("remap", "matvec"))


def run_ft(options, work, table):
    exe = compiled(options, work, "examples/nas/ft.z")
    words = ["-sClass=A", "-stiming=true"]
    programs = [Program("zplc, p=1", [exe, *words]),
                Program("zplc, p=2 shm", [exe, "-p2", *words])]
    if first_program("gfortran"):
        peer = os.path.join(work, "ft-fortran")
        sh(["gfortran", *PEER_FLAGS, os.path.join(HERE, "remap/ft.f90"), "-J", work,
            "-o", peer])
        programs.insert(0, Program("Fortran", [peer, "A"]))
    interleave(options.rounds, "ft", [p.run for p in programs])
    require_equal("ft", programs, 1e-10)
    base = programs[0].times["ft"].median
    for p in programs:
        wanted = 1.0 if "p=1" in p.label and p is not programs[0] else None
        table.add("remap", "ft", p.label, p.times["ft"], p.times["ft"].median / base,
                  wanted=wanted)
    table.show("ft: NAS FT, class A", ("remap", "ft"))


def run(options, work, table):
    for name in chosen(options, [*CASES, *EXTRA]):
        if name in CASES:
            run_case(options, work, table, name, CASES[name])
        elif name == "matvec":
            run_matvec(options, work, table)
        else:
            run_ft(options, work, table)
