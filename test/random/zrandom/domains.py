"""Distributes the regions of a program at random, which changes nothing it prints.

Of each rank all regions are bound to one distribution variable, so all
statements have one domain. In the midst of the program it is given another
distribution, and its arrays move.
"""
import random

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


class Domains:
    """The words that are added to the text of a program."""

    def __init__(self, program, ranks):
        self.rng = random.Random(f"domains {program.seed}")
        # Region variables of `effects` are in no domain.
        self.ranks = [r for r in ranks if not (program.effects and r == 1)]

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
