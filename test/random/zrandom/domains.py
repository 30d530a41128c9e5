"""Distributes the regions of a program at random, which changes nothing it prints.

Of each rank all regions are bound to one distribution variable, so all
statements have one domain. In the midst of the program it is given another
distribution, and its arrays move.
"""
import random

from . import model as m

# Below and above all indices.
FAR = 300

HELPERS = [
    "procedure dealt(i, lo, hi, p: integer): integer;",
    "begin return ((hi - i) * (i - lo + 3)) % p; end;",
    f"const points: array [0..PROCESSORS] of integer = {2 * FAR} * index1 / PROCESSORS - {FAR};",
]


def rule(rng, rank):
    """How one dimension is distributed."""
    kinds = ["block", f"block {-FAR}..{FAR}", "cyclic", "cyclic", "nondist", "dealt",
             f"blockcyclic({rng.randint(1, 4)})"]
    return rng.choice(kinds + ["cut(points)"] * (rank == 1))


def distribution(rng, rank):
    return f"[{', '.join(rule(rng, rank) for _ in range(rank))}]"


def is_literal(region):
    """Whether a region says no domain itself."""
    while isinstance(region, (m.RegOp, m.Where)):
        region = region.base
    return isinstance(region, m.RegLit)


def inherits(program, name, rank, seen):
    """Whether a procedure, or one that it calls, has arrays over the region of its call."""
    if name in seen:
        return False
    seen.add(name)
    for proc in program.procs:
        if proc.name == name:
            return any(isinstance(d, m.ArrDecl) and not d.region and d.rank == rank
                       for d in proc.locals) or \
                any(inherits(program, n.name, rank, seen) for n in m.walk(proc.body)
                    if isinstance(n, (m.Call, m.CallS)))
    return False


def meets_default(program, rank):
    """Whether such arrays are made in the scope of a literal: in no statement with them there
    is a hint of what domain is meant, so they are in the default one."""
    for scope in m.walk(program):
        if isinstance(scope, m.Scope) and is_literal(scope.region):
            for n in m.walk(scope.body):
                if isinstance(n, (m.Call, m.CallS)) and inherits(program, n.name, rank, set()):
                    return True
    return False


class Domains:
    """The words that are added to the text of a program."""

    def __init__(self, program, ranks):
        self.rng = random.Random(f"domains {program.seed}")
        # Region variables of `effects` are in no domain.
        self.ranks = [r for r in ranks if not (program.effects and r == 1)
                      and not (program.domains and meets_default(program, r))]

    def declarations(self):
        if not self.ranks:
            return []
        lines = list(HELPERS)
        for rank in self.ranks:
            first, second = distribution(self.rng, rank), distribution(self.rng, rank)
            lines.append(f"distribution First{rank} = {first}; Second{rank} = {second};")
            lines.append(f"var Dist{rank}: distribution = First{rank};")
        return lines

    def binding(self, rank):
        """What stands behind the name of a region of the rank."""
        return f": Dist{rank}" if rank in self.ranks else ""

    def moves(self):
        return [f"  Dist{rank} <=# Second{rank};" for rank in self.ranks]
