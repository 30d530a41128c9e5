"""Index sets: the sequence descriptors of the language and its region operators.

A dimension is (kind, l, h, s, a): the indices x with l <= x <= h and x = a
(mod s), and how it was written: RANGE, ONE (a singleton) or FLOOD. A region is
a tuple of dimensions. The sets are small, so they are compared as sets.
"""
from typing import NamedTuple

RANGE, ONE, FLOOD = "range", "one", "flood"


class Dim(NamedTuple):
    kind: str
    l: int = 0
    h: int = 0
    s: int = 1
    a: int = 0

    def ids(self):
        """The indices; none for a flooded dimension."""
        if self.kind == FLOOD:
            return range(0)
        first = self.l + (self.a - self.l) % self.s
        return range(first, self.h + 1, self.s)


def span(l, h):
    return Dim(RANGE, l, h)


def one(x):
    return Dim(ONE, x, x)


FLOODED = Dim(FLOOD)


def is_empty(region):
    return any(d.kind != FLOOD and not d.ids() for d in region)


def count(region):
    """The number of indices; a flooded dimension counts as one."""
    result = 1
    for d in region:
        result *= 1 if d.kind == FLOOD else len(d.ids())
    return result


def within(inner, outer):
    """Whether the indices of one dimension are indices of the other."""
    return set(inner.ids()) <= set(outer.ids())


def apply(op, d, dim):
    """The operator `of`, `in`, `at` or `by` with component d on a dimension."""
    if d == 0:
        return dim
    if dim.kind == FLOOD:
        raise ValueError("a flooded dimension takes only component 0")
    l, h, s, a = dim.l, dim.h, dim.s, dim.a
    if op == "of":
        l, h = (l + d, l - 1) if d < 0 else (h + 1, h + d)
    elif op == "in":
        l, h = (l, l - d - 1) if d < 0 else (h - d + 1, h)
    elif op == "at":
        l, h, a = l + d, h + d, a + d
    elif d < 0:
        s, a = s * -d, h - (h - a) % s
    else:
        s, a = s * d, l + (a - l) % s
    kind = RANGE
    if dim.kind == ONE and (op == "at" or op == "by"):
        kind = ONE
    return Dim(kind, l, h, s, a % s)


def shifted(region, offsets):
    """R at d, which keeps the kinds."""
    return tuple(apply("at", d, dim) for d, dim in zip(offsets, region))


def can_read(region, declared):
    """Appendix B, reading; both have one rank."""
    empty = is_empty(region)
    for r, a in zip(region, declared):
        if r.kind == FLOOD:
            if a.kind != FLOOD:
                return False
        elif a.kind != FLOOD and not empty and not within(r, a):
            return False
    return True


def can_write(region, declared):
    """Appendix B, writing."""
    empty = is_empty(region)
    for r, a in zip(region, declared):
        if (r.kind == FLOOD) != (a.kind == FLOOD):
            return False
        if r.kind != FLOOD and not empty and not within(r, a):
            return False
    return True


def can_flood(source, target):
    """Appendix B: `>>[source]` into a statement over target."""
    for s, d in zip(source, target):
        if s.kind == RANGE and (d.kind != RANGE or set(s.ids()) != set(d.ids())):
            return False
    return True


def can_reduce(source, target):
    """Appendix B: `op<<[source]` into a statement over target."""
    for s, d in zip(source, target):
        if s.kind == RANGE and d.kind == RANGE and set(s.ids()) != set(d.ids()):
            return False
        if s.kind == ONE and d.kind == RANGE:
            return False
    return True


def reduced_count(source, target):
    """How many values one result of such a reduction combines."""
    result = 1
    for s, d in zip(source, target):
        if s.kind == RANGE and d.kind != RANGE:
            result *= len(s.ids())
    return result
