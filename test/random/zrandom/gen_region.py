"""Makes directions and regions for scopes and operators."""
from . import geometry as g
from . import model as m
from . import scope
from .facts import Illegal
from .gen_base import Base


class Regions(Base):
    def direction(self, c, rank, far=2):
        """A direction of that rank; components mostly small, many zero."""
        named = [n for n, d in c.env.dirs.items() if len(d) == rank]
        if named and self.chance(0.45):
            return m.DirName(self.pick(named))
        parts = [self.int(-far, far) if self.chance(0.6) else 0 for _ in range(rank)]
        if self.chance(0.1):
            parts[self.int(0, rank - 1)] = self.pick((-9, -5, 4, 7, 12))
        return m.DirLit(tuple(self.offset(c, p) for p in parts))

    def offset_direction(self, c, rank, far=2):
        """One for `@`, which may be a variable."""
        named = [n for n, d in c.env.dirvars.items() if len(d) == rank]
        if named and self.chance(0.3):
            return m.DirName(self.pick(named))
        return self.direction(c, rank, far)

    def offset(self, c, value):
        """A component, sometimes a loop variable."""
        if c.loops != () and self.chance(0.0):
            return m.Name(self.pick(c.loops))
        return self.static(c, value) if self.chance(0.3) else m.lit(value)

    def axis(self, rank):
        """A direction along one axis."""
        parts = [0] * rank
        parts[self.int(0, rank - 1)] = self.pick((-2, -1, -1, 1, 1, 2))
        return m.DirLit(tuple(map(m.lit, parts)))

    def value(self, c, r, rank):
        """The region in the first state, or None."""
        try:
            return [scope.region(env, r, rank) for env in c.envs][0]
        except Illegal:
            return None

    def homes(self, c, rank):
        return [n for n, r in c.env.regions.items() if len(r) == rank]

    def part(self, c, dim, blank):
        """One dimension of a region literal within dim."""
        if dim.kind == g.FLOOD:
            return m.Star()
        ids = list(dim.ids())
        if blank and self.chance(0.35):
            return m.Blank()
        if not ids:
            return m.Span(self.static(c, dim.l), self.static(c, dim.h))
        if self.has("single") and self.chance(0.3):
            return m.One(self.inside(c, ids))
        if self.chance(0.5):
            return m.Span(self.static(c, ids[0]), self.static(c, ids[-1]))
        lo, hi = self.pick(ids), self.pick(ids)
        if lo > hi and self.chance(0.95):
            lo, hi = hi, lo
        return m.Span(self.static(c, lo), self.static(c, hi))

    def inside(self, c, ids):
        """An index of a dimension; a loop variable where one fits."""
        loops = [n for n in c.env.statics if n in c.env.scalars or n == "k"]
        if loops and self.chance(0.6):
            return m.Name(self.pick(loops))
        return self.static(c, self.pick(ids))

    def within(self, c, declared, home):
        """A region near the declared one of an array, by some way of writing it."""
        rank = len(declared)
        covered = rank in c.env.cover
        named = [n for n in self.homes(c, rank) if g.can_read(c.env.regions[n], declared)]
        way = self.weighted([
            (4, "name"), (3 if self.has("dynamic") else 0, "literal"),
            (2 if self.has("regionops") else 0, "op"),
            (1.5 if self.has("strided") else 0, "by"),
            (1 if self.has("dynamic") and self.has("regionops") and covered else 0, "quote")])
        if way == "literal":
            return m.RegLit(tuple(self.part(c, d, covered) for d in declared))
        base = m.RegName(self.pick(named)) if named else m.RegName(home) if home else None
        if way == "quote":
            base = m.Quote()
        if base is None:
            return m.RegLit(tuple(self.part(c, d, covered) for d in declared))
        if way == "name":
            return base
        ops = ["by"] if way == "by" else ["in", "in", "at", "of"]
        for _ in range(1 if self.chance(0.8) else 2):
            base = m.RegOp(self.pick(ops), self.short(rank, way == "by", declared), base)
        return base

    def short(self, rank, stride, declared):
        parts = []
        for i in range(rank):
            if declared[i].kind == g.FLOOD or self.chance(0.4):
                parts.append(0)
            elif stride:
                parts.append(self.pick((-3, -2, 1, 2, 2, 3)))
            else:
                parts.append(self.pick((-2, -1, 1, 2)))
        return m.DirLit(tuple(map(m.lit, parts)))

    def writing_region(self, c, name):
        """A region where the array can be written, or None."""
        info = c.env.arrays[name]

        def good(r):
            try:
                return all(scope.writable(scope.region(env, r, len(info.region)),
                                          env.arrays[name]) for env in c.envs)
            except Illegal:
                return False
        key = ("region", len(info.region))
        r = self.repeated(key, 0.4)
        if r is None or not good(r):
            r = self.attempt(8, lambda: self.within(c, info.region, info.home), good)
        return r and self.remember(key, r)

    # Sources of floods and partial reductions.

    def flood_source(self, c, rank, like):
        """The region of `>>[...]` under the current cover; like: an array's."""
        named = [n for n in self.homes(c, rank) if self.chance(0.5)
                 and g.can_flood(c.env.regions[n], c.env.region(rank))
                 and g.can_read(c.env.regions[n], like)]
        if named:
            return m.RegName(self.pick(named))
        dims = []
        for d, own in zip(c.env.region(rank), like):
            if d.kind == g.RANGE and self.chance(0.5):
                dims.append(m.Blank())
            elif own.kind == g.FLOOD:
                dims.append(m.Star())
            elif not own.ids():
                return None
            else:
                dims.append(m.One(self.inside(c, list(own.ids()))))
        return m.RegLit(tuple(dims))

    def reduce_source(self, c, rank, like):
        """The region of `op<<[...]`."""
        dims = []
        for d, own in zip(c.env.region(rank), like):
            if d.kind == g.RANGE:
                dims.append(m.Star() if own.kind == g.FLOOD and self.chance(0.5) else m.Blank())
            elif own.kind == g.FLOOD:
                dims.append(m.Star())
            else:
                ids = list(own.ids())
                if not ids:
                    return None
                lo, hi = sorted((self.pick(ids), self.pick(ids)))
                if self.chance(0.5):
                    lo, hi = ids[0], ids[-1]
                dims.append(m.One(self.static(c, lo)) if self.chance(0.15)
                            else m.Span(self.static(c, lo), self.static(c, hi)))
        named = [n for n in self.homes(c, rank) if self.chance(0.3)]
        if named:
            r = m.RegName(self.pick(named))
            if self.value(c, r, rank) and g.can_reduce(c.env.regions[r.name],
                                                       c.env.region(rank)):
                return r
        return m.RegLit(tuple(dims))
