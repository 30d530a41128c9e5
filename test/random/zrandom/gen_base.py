"""What all parts of the generator share: dice, context, try and check."""
import random
from dataclasses import dataclass, replace
from typing import List, Optional

from . import check, check_expr, model as m
from .facts import Illegal
from .scope import Env


@dataclass
class Context:
    """Where a statement or expression is made: all states it may run in."""
    envs: List[Env]
    proc: Optional[m.Proc] = None
    nest: int = 0            # scopes and control flow around
    loops: tuple = ()        # names of free loop variables

    @property
    def env(self):
        return self.envs[0]

    def mapped(self, change):
        """The context whose states are changed; Illegal where one cannot be."""
        return replace(self, envs=[change(e) for e in self.envs], nest=self.nest + 1)


class Base:
    def __init__(self, seed, features, dice):
        self.seed, self.features = seed, features
        self.rng = random.Random(dice)
        self.ways = random.Random(f"{dice} ways")    # how calls are written
        self.recent = {}     # what was made lately, by kind and rank

    # Dice.

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, values):
        return self.rng.choice(list(values))

    def int(self, lo, hi):
        return self.rng.randint(lo, hi)

    def has(self, feature):
        return feature in self.features

    def weighted(self, options):
        """One of (weight, value), or None if there is none."""
        options = [(w, v) for w, v in options if w > 0]
        if not options:
            return None
        weights, values = zip(*options)
        return self.rng.choices(values, weights)[0]

    # Trying.

    def facts(self, c, e, rank):
        """What is known of e in each state, or None if it is not legal."""
        if e is None:
            return None
        try:
            return [check_expr.fact(env, e, rank) for env in c.envs]
        except Illegal:
            return None

    def legal(self, c, s):
        if s is None:
            return False
        try:
            for env in c.envs:
                check.stmt(env, s)
            return True
        except Illegal:
            return False

    def attempt(self, times, make, good):
        """The first of so many values that is good, or None."""
        for _ in range(times):
            value = make()
            if value is not None and good(value):
                return value
        return None

    # What was made lately is made again: only then optimizations meet.

    def remember(self, key, value):
        self.recent[key] = self.recent.get(key, [])[-2:] + [value]
        return value

    def repeated(self, key, p):
        """Something lately remembered under the key, with probability p."""
        values = self.recent.get(key)
        return self.pick(values) if values and self.chance(p) else None

    # What is there.

    def arrays(self, c, rank=None, types=None):
        return [n for n, a in c.env.arrays.items()
                if rank in (None, len(a.region)) and (types is None or a.type in types)]

    def static(self, c, value):
        """An expression for an integer, sometimes with names in it."""
        if self.chance(0.5):
            return m.lit(value)
        names = [n for n, v in c.env.statics.items() if abs(v - value) <= 4]
        if not names:
            return m.lit(value)
        name = self.pick(names)
        return shift(m.Name(name), value - c.env.statics[name])


def shift(e, by):
    """e + by"""
    if by == 0:
        return e
    return m.Bin("+" if by > 0 else "-", e, m.lit(abs(by)))
