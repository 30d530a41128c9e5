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
`--only` chooses cases; `--quick` takes small sizes, to see whether results agree.
"""
import os

from common import (HERE, ROOT, PEER_FLAGS, Program, best_of, c_compilers, chosen,
                    compile_peer, first_program, interleave, mpi_launcher, require_equal,
                    sh)


class Case:
    """A program in ZPL, and its peers.

    sizes      config variables with their values, and those for `--quick`
    macros     what the peers are told of them
    lines      the cases that the programs print
    ways       in C: labels, and a source with macros; `parallel` with MPI
    spellings  in ZPL: labels and options
    limits     the greatest ratios wanted: of p=1 to C, of p=2 to MPI, or to C where that
               is the peer of both; None does not run it"""

    def __init__(self, title, source, sizes, quick, macros, limits, *, lines,
                 ways=None, parallel=None, spellings=None, tolerance=0.0):
        self.title, self.source, self.sizes, self.quick = title, source, sizes, quick
        self.macros, self.limits, self.tolerance = macros, limits, tolerance
        self.lines, self.ways, self.parallel = lines, ways or {}, parallel or {}
        self.spellings = spellings or {"": []}

    def size(self, options):
        return {**self.sizes, **self.quick} if options.quick else self.sizes

    def ours(self, options):
        return [f"-s{name}={value}" for name, value in self.size(options).items()]

    def theirs(self, options):
        return [f"-D{name}" if value is None else f"-D{name}={value}"
                for name, value in self.macros(self.size(options)).items()]


def transpose(kind, title, n, macros, limits=(1.1, None), parallel=None):
    """A case of transpose.z; the macros depend on n."""
    ways = {"": [], ", by columns": ["-DBY_COLUMNS"],
            **{f", tiles of {t}": [f"-DTILE={t}"] for t in (8, 16, 32, 64)}}
    return Case(title, "transpose", {"kind": kind, "n": n, "rounds": 10},
                {"n": 70, "rounds": 1},
                lambda s: {"NAME": f'"{kind}"', **macros(s["n"]), "ROUNDS": s["rounds"]},
                limits, lines=[f"transpose-{kind}"],
                ways={way: ("transpose.c", flags) for way, flags in ways.items()},
                parallel=parallel, spellings={"": [], ", scatter": ["-sway=scatter"]})


def square(kind, **element):
    """A case of transpose.z with 4096 x 4096 elements, of this type in C."""
    return transpose(kind, f"transpose, 4096 x 4096 {kind}", 4096,
                     lambda n: {"ROWS": n, "COLUMNS": n, **element})


def histogram(bins):
    return Case(f"10^8 keys counted in {bins} bins", "histogram",
                {"bins": bins, "n": 100000000, "rounds": 3}, {"n": 10000, "rounds": 1},
                lambda s: {"N": s["n"], "BINS": s["bins"], "ROUNDS": s["rounds"]},
                (1.1, 1.0), lines=[f"histogram-{bins}"],
                ways={"": ("histogram.c", [])},
                parallel={"": ("histogram.c", ["-DMPI"])})


def relax(group, quick, title):
    return Case(title, "relax", {"side": 1000, "group": group, "changes": 5, "pairs": 10},
                {"side": 30, "group": quick, "changes": 2, "pairs": 2},
                lambda s: {"SIDE": s["side"], "GROUP": s["group"],
                           "SWEEPS": 2 * s["changes"] * s["pairs"]},
                (None, 1.05), lines=["relax"],
                parallel={"": ("relax_mpi.c", []),
                          ", by lists": ("relax_mpi.c", ["-DLISTS"])},
                spellings={"": [], ", loop": ["-sway=loop"]}, tolerance=1e-9)


def sparse(line, title, spellings):
    return Case(title, "sparse", {"n": 1000000, "reach": 1000, "rounds": 10},
                {"n": 1000, "reach": 20, "rounds": 1},
                lambda s: {"N": s["n"], "REACH": s["reach"], "ROUNDS": s["rounds"]},
                (1.05, 1.0), lines=[line],
                ways={"": ("sparse.c", []), ", slices": ("sparse.c", ["-DSLICES"])},
                parallel={"": ("sparse.c", ["-DMPI"]),
                          ", slices": ("sparse.c", ["-DMPI", "-DSLICES"])},
                spellings=spellings)


CASES = {
    "transpose-doubles": transpose(
        "doubles", "transpose, 3000 x 3000 doubles", 3000,
        lambda n: {"ROWS": n, "COLUMNS": n, "N": n, "TYPE": "double"}, (1.0, 0.9),
        {"": ("transpose_mpi.c", []),
         ", overlapped": ("transpose_mpi.c", ["-DOVERLAP"])}),
    "transpose-floats": square("floats", TYPE="float"),
    "transpose-integers": square("integers", TYPE="int"),
    "transpose-complexes": square("complexes", COMPLEX=None),
    "transpose-rectangle": transpose(
        "rectangle", "transpose, 6000 x 2000 doubles", 2000,
        lambda n: {"ROWS": 3 * n, "COLUMNS": n, "TYPE": "double"}),
    "transpose-cube": transpose(
        "cube", "permuted dimensions, 250^3 doubles", 250,
        lambda n: {"ROWS": n, "CUBE": None, "TYPE": "double"}),
    "gather": Case("B := A#[P] and A#[P] := B, 5 million doubles", "gather",
                   {"n": 5000000, "rounds": 10}, {"n": 1000, "rounds": 1},
                   lambda s: {"N": s["n"], "ROUNDS": s["rounds"]}, (1.05, 1.0),
                   lines=["gather", "scatter"], ways={"": ("gather.c", [])},
                   parallel={"": ("gather_mpi.c", [])},
                   spellings={"": [], ", offset map": ["-sway=offset"]}),
    "relax": relax(1000, 30,
                   "relaxation, 10^6 nodes shuffled in groups of 1000, 100 sweeps"),
    "relax-all": relax(1000000, 900, "relaxation, 10^6 nodes shuffled, 100 sweeps"),
    "particles": Case(
        "10^6 particles, 10000 points, 10 steps", "particles",
        {"n": 1000000, "m": 10000, "steps": 10}, {"n": 1000, "m": 10, "steps": 2},
        lambda s: {"COUNT": s["n"], "POINTS": s["m"], "STEPS": s["steps"]}, (1.0, 0.6),
        lines=["particles"],
        ways={"": ("particles.c", []), ", stored": ("particles.c", ["-DSTORED"])},
        spellings={"": [], ", maps": ["-sway=maps"]}, tolerance=1e-9),
    "coo": sparse("coo", "coordinates, 10^6 rows of 8",
                  {"": [], ", computed rows": ["-sway=computed"]}),
    "ell": sparse("ell", "equal rows, 10^6 of 8",
                  {", loop over slices": ["-sway=slices"],
                   ", sum of slices": ["-sway=expression"],
                   ", plane": ["-sway=plane"]}),
    "histogram-256": histogram(256),
    "histogram-1000000": histogram(1000000),
    "rows": Case("B := A#[P, Index2], 4000 x 4000 doubles", "rows",
                 {"n": 4000, "rounds": 10}, {"n": 50, "rounds": 1},
                 lambda s: {"N": s["n"], "ROUNDS": s["rounds"]}, (1.0, None),
                 lines=["rows"], ways={"": ("rows.c", [])},
                 spellings={"": [], ", blank": ["-sway=blank"]}),
}
EXTRA = ("matvec", "ft")


def peers(options, work, name, case, ways, compilers):
    """Labels and executables of the case's programs in C."""
    programs = []
    for compiler in compilers:
        for way, (source, flags) in ways.items():
            exe = compile_peer(f"remap/{source}", f"{work}/{name}-{compiler}{way}",
                               *case.theirs(options), *flags, compiler=compiler)
            programs.append((f"{compiler}{way}", exe))
    return programs


def compiled(options, work, source):
    """Our program."""
    exe = os.path.join(work, os.path.basename(source) + "-zpl")
    sh([options.zplc, "-O3", os.path.join(ROOT, source), "-o", exe])
    return exe


def sequential(options, work, name, case):
    compilers = c_compilers()[:1] if options.quick else c_compilers()
    return [Program(f"C {label}", [exe])
            for label, exe in peers(options, work, name, case, case.ways, compilers)]


def on_two(options, work, name, case, serial):
    """The peers of two processors: with MPI, or else the sequential ones."""
    mpicc = first_program("mpicc.mpich", "mpicc")
    if not case.parallel:
        return serial
    if not mpicc or not mpi_launcher():
        return []
    return [Program(f"C+MPI{label.removeprefix(mpicc)}, p=2",
                    [mpi_launcher(), "-n", "2", exe])
            for label, exe in peers(options, work, name, case, case.parallel, [mpicc])]


def sides(options, work, name, case):
    """For one and for two processors: the peers, our programs, the limit."""
    exe = compiled(options, work, f"bench/remap/{case.source}.z")
    serial = sequential(options, work, name, case)
    parts = []
    for count, flags, limit in ((1, [], case.limits[0]), (2, ["-p2"], case.limits[1])):
        if limit is None:
            continue
        others = serial if count == 1 else on_two(options, work, name, case, serial)
        if others:
            words = [exe, *flags, *case.ours(options)]
            parts.append((others, [Program(f"zplc, p={count}{way}", [*words, *more])
                                   for way, more in case.spellings.items()], limit))
    return parts


def run_case(options, work, table, name, case):
    parts = sides(options, work, name, case)
    programs = list(dict.fromkeys(p for others, mine, _ in parts
                                  for p in [*others, *mine]))
    if not programs:
        return
    interleave(options.rounds, name, [p.run for p in programs])
    for line in case.lines:
        require_equal(line, programs, case.tolerance)
    if options.quick:
        print(f"{name}: the results agree")
        return
    for line in case.lines:
        title = f"{line}: " if len(case.lines) > 1 else ""
        for others, mine, limit in parts:
            best = best_of(line, others).times[line].median
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
    times = program.times.get("inspector")
    if times:
        table.add("remap", name, program.label + ", inspector", times,
                  times.median / (program.times[line].median / 100), "in sweeps", wanted)


def run_matvec(options, work, table):
    exe = compiled(options, work, "bench/remap/matvec.z")
    words = ["-sn=50", "-srounds=1"] if options.quick else ["-sn=4000", "-srounds=10"]
    pairs = [[Program(f"zplc, p={count}, {ways}", [exe, *flags, *words, f"-sway={way}"])
              for way, ways in (("two", "2-D"), ("one", "1-D"))]
             for count, flags in ((1, []), (2, ["-p2"]))]
    programs = sum(pairs, [])
    interleave(options.rounds, "matvec", [p.run for p in programs])
    require_equal("matvec", programs)
    if options.quick:
        print("matvec: the results agree")
        return
    for flat, line in pairs:
        base = flat.times["matvec"]
        table.add("remap", "matvec", flat.label, base, 1.0)
        table.add("remap", "matvec", line.label, line.times["matvec"],
                  line.times["matvec"].median / base.median, wanted=1.3)
    table.show("matvec: 4000 x 4000, vectors of one and of two dimensions",
               ("remap", "matvec"))


def run_ft(options, work, table):
    exe = compiled(options, work, "examples/nas/ft.z")
    letter = "S" if options.quick else "A"
    words = [f"-sClass={letter}", "-stiming=true"]
    programs = [Program("zplc, p=1", [exe, *words]),
                Program("zplc, p=2 shm", [exe, "-p2", *words])]
    if first_program("gfortran"):
        peer = os.path.join(work, "ft-fortran")
        sh(["gfortran", *PEER_FLAGS, os.path.join(HERE, "remap/ft.f90"), "-J", work,
            "-o", peer])
        programs.insert(0, Program("Fortran", [peer, letter]))
    interleave(options.rounds, "ft", [p.run for p in programs])
    require_equal("ft", programs, 1e-10)
    if options.quick:
        print("ft: the results agree")
        return
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
