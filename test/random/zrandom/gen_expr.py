"""Makes expressions: integers, floating values, booleans, for a rank.

Rank 0 makes scalars. Every array operator is checked when it is made; where it
is not legal something simpler takes its place, so the result always is.
"""
from dataclasses import replace

from . import check_expr as ce
from . import geometry as g
from . import model as m
from . import scope
from .facts import BITS, FLOATS, LIMIT, RANGES, USER, assignable
from .gen_region import Regions
from .gen_text import WORDS, Texts

INTS = ("integer", "ubyte", "longint", "shortint", "sbyte")
REDUCTIONS = ["+", "+", "max", "min", "*", "band", "bor", "bxor"]


class Expressions(Regions, Texts):
    # ---- by kind -------------------------------------------------------------

    def number(self, c, rank, depth):
        """An integer expression."""
        if depth <= 0 or self.chance(0.15):
            return self.leaf(c, rank, "int")
        way = self.weighted([
            (6, "bin"), (1, "div"), (1, "extreme"), (1, "bits"), (0.6, "compare"),
            (0.5, "minus"), (0.4, "power"), (0.5, "convert"), (0.8 if self.has("strings") else 0, "text"),
            *self.operators(c, rank, depth)])
        a = lambda: self.number(c, rank, depth - 1)
        if way == "bin":
            return m.Bin(self.pick("++-*"), a(), a())
        if way == "div":
            return m.Bin(self.pick("/%%"), a(), self.divisor(c, rank))
        if way == "extreme":
            return m.Call(self.pick(("min", "max")), (a(), a()))
        if way == "bits":
            return self.bits(a)
        if way == "compare":
            return m.Bin("*", self.truth(c, rank, 1), a())
        if way == "minus":
            return self.pick((m.Un("-", a()), m.Call("abs", (a(),))))
        if way == "power":
            return m.Bin("^", a(), m.lit(self.int(2, 3)))
        if way == "convert":
            e = m.Call("to_integer", (self.real(c, rank, depth - 1),))
            return e if self.facts(c, e, rank) else a()
        if way == "text":
            return self.measured(c, rank, depth - 1) or self.leaf(c, rank, "int")
        return self.operator(c, rank, depth, way, "int") or self.leaf(c, rank, "int")

    def divisor(self, c, rank):
        if self.chance(0.8):
            return m.lit(self.int(2, 9))
        inner = m.Bin("%", self.leaf(c, rank, "int"), m.lit(5))
        return m.Bin("+", m.lit(1), m.Call("abs", (inner,)))

    def bits(self, a):
        name = self.pick(("band", "bor", "bxor", "bnot", "bsl", "bsr"))
        if name == "bnot":
            return m.Call(name, (a(),))
        return m.Call(name, (a(), m.lit(self.int(0, 5)) if name in ("bsl", "bsr") else a()))

    def real(self, c, rank, depth):
        """A floating expression, with values that stay exact if they have to."""
        if depth <= 0 or self.chance(0.15):
            return self.leaf(c, rank, "real")
        way = self.weighted([
            (6, "bin"), (1, "half"), (1, "extreme"), (0.6, "round"), (1, "mixed"),
            (0.5, "minus"), (0 if self.exact else 2, "function"),
            (0.3 if self.has("strings") else 0, "text"),
            *self.operators(c, rank, depth)])
        a = lambda: self.real(c, rank, depth - 1)
        if way == "bin":
            e = m.Bin(self.pick("++-*"), a(), a())
        elif way == "half":
            e = m.Bin("/", a(), m.Lit("double", self.pick((2.0, 4.0, 0.5))))
        elif way == "extreme":
            e = m.Call(self.pick(("min", "max", "minnan", "maxnan")), (a(), a()))
        elif way == "round":
            e = m.Call(self.pick(("floor", "ceil", "trunc", "round")), (a(),))
        elif way == "mixed":
            small = m.Bin("%", self.number(c, rank, depth - 1), m.lit(self.int(2, 15)))
            e = m.Bin(self.pick("+-*"), a(), small)
        elif way == "minus":
            e = self.pick((m.Un("-", a()), m.Call("abs", (a(),))))
        elif way == "function":
            e = self.function(a)
        elif way == "text":
            e = m.Call("to_double", (m.Call("to_string", (a(),)),))
        else:
            e = self.operator(c, rank, depth, way, "real")
        return e if self.facts(c, e, rank) else self.leaf(c, rank, "real")

    def function(self, a):
        return self.pick((
            m.Call("sqrt", (m.Call("abs", (a(),)),)), m.Call("sin", (a(),)),
            m.Call("cos", (a(),)),
            m.Bin("/", a(), m.Bin("+", m.Lit("double", 1.5), m.Call("abs", (a(),)))),
            m.Bin("*", a(), m.Lit("double", 0.3))))

    def truth(self, c, rank, depth):
        """A boolean expression."""
        if depth <= 0 and self.chance(0.5):
            return self.leaf(c, rank, "bool")
        way = self.weighted([(4, "compare"), (1.5, "real"), (1.5, "logic"), (0.6, "not"),
                             (1, "leaf"), (1.2 if self.has("strings") else 0, "text"),
                             *self.operators(c, rank, depth)])
        if way == "logic":
            return m.Bin(self.pick("&|"), self.truth(c, rank, depth - 1),
                         self.truth(c, rank, depth - 1))
        if way == "not":
            return m.Un("!", self.truth(c, rank, depth - 1))
        if way == "leaf":
            return self.leaf(c, rank, "bool")
        if way == "real":
            return m.Bin(self.pick(("<", ">", "<=", ">=")), self.real(c, rank, depth - 1),
                         self.real(c, rank, depth - 1))
        e = None
        if way == "text":
            e = self.asked(c, rank, depth - 1)
        elif way != "compare":
            e = self.operator(c, rank, depth, way, "bool")
        if e is None:
            op = self.pick(("<", "<=", ">", ">=", "=", "!="))
            small = m.Bin("%", self.number(c, rank, depth - 1), m.lit(self.int(2, 5)))
            e = m.Bin(op, small, m.lit(self.int(0, 3)))
        return e

    def of_kind(self, c, rank, depth, kind):
        make = {"int": self.number, "real": self.real, "bool": self.truth,
                "str": self.string}[kind]
        return make(c, rank, depth)

    # ---- leaves --------------------------------------------------------------

    def types(self, kind):
        return {"int": INTS, "real": FLOATS, "bool": ("boolean",),
                "str": ("string",)}[kind]

    def leaf(self, c, rank, kind):
        way = self.weighted([(7 if rank else 0, "array"), (1.5, "scalar"), (1.5, "literal"),
                             (2 if rank and kind == "int" else 0, "index"),
                             (1.5 if c.env.lists else 0, "element"),
                             (2 if c.env.sweep and kind == "int" else 0, "position")])
        e = None
        if way == "array":
            e = self.reference(c, rank, kind)
        elif way == "scalar":
            e = self.scalar(c, kind)
        elif way == "index":
            e = m.Index(self.int(1, rank))
        elif way == "element":
            e = self.element(c, rank, kind)
        elif way == "position":
            e = m.Pos(self.int(1, c.env.lists[c.env.sweep].rank))
        if e is None or not self.facts(c, e, rank):
            e = self.literal(kind)
        return e

    def literal(self, kind):
        if kind == "int":
            return m.lit(self.int(0, 9) if self.chance(0.9) else self.int(10, 1000))
        if kind == "bool":
            return m.Lit("boolean", self.chance(0.5))
        if kind == "str":
            return m.Lit("string", self.pick(WORDS))
        if not self.exact:
            return m.Lit("double", round(self.rng.uniform(0.1, 3), 2))
        return m.Lit("double", self.int(1, 24) / self.pick((1, 2, 8)))

    def scalar(self, c, kind):
        names = [n for n, s in c.env.scalars.items() if s.type in self.types(kind)]
        if kind == "int":
            names += list(c.env.statics)
        return m.Name(self.pick(names)) if names else None

    def part_of(self, kind):
        """The field of records that has values of the kind."""
        return {"int": "k", "real": "x", "str": "s"}.get(kind)

    def reference(self, c, rank, kind, shifted=0.4):
        """An array that can be read here, perhaps shifted; or None."""
        refs = [m.Arr(n) for n in self.arrays(c, rank, self.types(kind))]
        part = self.part_of(kind)
        if part:
            refs += [m.Arr(n, part) for n in self.arrays(c, rank, ("rec",))]
        if not refs:
            return None

        def make():
            again = self.repeated(("at", rank), 0.35)
            if again is not None and again.ref in refs:
                return again
            ref = self.pick(refs)
            if self.has("at") and self.chance(shifted):
                if c.env.written is None or ref.name not in c.env.written:
                    return m.At(ref, self.offset_direction(c, rank))
            if self.has("wrapat") and c.env.written is None and self.chance(shifted / 3):
                return m.At(ref, self.offset_direction(c, rank, 4), True)
            return ref
        e = self.attempt(6, make, lambda e: self.facts(c, e, rank))
        if isinstance(e, m.At):
            self.remember(("at", rank), e)
        return e

    # ---- array operators -------------------------------------------------------

    def operators(self, c, rank, depth):
        """The ways that operator() knows here, with weights."""
        if c.env.written is not None or depth < 1:
            return [(1.0 if self.can_promote(c) else 0, "promoted")]
        inside = getattr(self, "inside_operator", 0)
        less = 1.0 if not inside else 0.3
        ranked = less if rank else 0
        ways = [(1.2 * ranked, "flood"), (1.5 * ranked, "preduce"), (1.2 * ranked, "scan"),
                (1.5 * ranked, "gather"), (0.8 if not inside else 0, "reduce")]
        ways = [(w, way) for w, way in ways if self.has(way)]
        return ways + [(0.8 if self.can_promote(c) else 0, "promoted"),
                       (0.6 * ranked if self.has("parallel") else 0, "function")]

    def can_promote(self, c):
        return self.has("promoted") and not c.env.looping

    def operator(self, c, rank, depth, way, kind):
        make = {"flood": self.flood, "preduce": self.partial, "scan": self.scan,
                "gather": self.gather, "reduce": self.full, "promoted": self.promoted,
                "function": self.parallel_call}[way]
        self.inside_operator = getattr(self, "inside_operator", 0) + 1
        try:
            e = make(c, rank, depth - 1, kind)
        finally:
            self.inside_operator -= 1
        return e if self.facts(c, e, rank) else None

    def operand(self, c, rank, depth, kind):
        """An expression with at least one array of the rank."""
        e = self.reference(c, rank, kind)
        if e is not None and depth > 0 and self.chance(0.4):
            op = "&" if kind == "bool" else "+" if kind == "str" else self.pick("+-*")
            whole = m.Bin(op, e, self.of_kind(c, rank, depth - 1, kind))
            if self.facts(c, whole, rank):
                return whole
        return e

    def under(self, c, rank, r):
        try:
            return c.mapped(lambda env: env.under(rank, scope.Cover(scope.region(env, r, rank))))
        except ce.Illegal:
            return None

    def model_region(self, c, rank):
        """The region of some array of the rank, to choose indices from."""
        names = self.arrays(c, rank)
        return c.env.arrays[self.pick(names)].region if names else None

    def flood(self, c, rank, depth, kind):
        like = self.model_region(c, rank)
        source = like and self.flood_source(c, rank, like)
        inner = source and self.under(c, rank, source)
        e = inner and self.operand(inner, rank, depth, kind)
        return m.Flood(source, e) if e else None

    def partial(self, c, rank, depth, kind):
        like = self.model_region(c, rank)
        source = like and self.reduce_source(c, rank, like)
        inner = source and self.under(c, rank, source)
        e = inner and self.operand(inner, rank, depth, kind)
        if not e:
            return None
        mask = None
        if self.has("masks") and self.chance(0.2):
            mask = self.mask(inner, rank)
        return self.clamped(c, m.Reduce(self.reduction(kind), e, source, mask), rank, kind)

    def reduction(self, kind, scans=False):
        if kind == "int" and self.has("user") and self.chance(0.2):
            return self.pick(USER) if scans else USER[0]
        if kind == "bool":
            return self.pick(("&", "|", "max", "min"))
        if kind == "str":
            return self.pick(("max", "min"))
        if kind == "real":
            return self.pick(("+", "+", "max", "min", "maxnan", "minnan", "*"))
        return self.pick(REDUCTIONS)

    def clamped(self, c, e, rank, kind):
        """max and min of floating values may be infinite."""
        if kind == "str":
            return self.finite(c, e, rank)
        facts = self.facts(c, e, rank)
        if kind == "real" and facts and any(f.size > 1e9 for f in facts):
            e = m.Call("min", (m.Lit("double", LIMIT), e))
            e = m.Call("max", (m.Lit("double", -LIMIT), e))
        return e

    def full(self, c, rank, depth, kind):
        ranks = [r for r in c.env.cover if self.arrays(c, r)]
        if not ranks:
            return None
        inner = self.pick(ranks)
        if inner != rank and rank and self.chance(0.7):
            inner = rank if rank in ranks else inner
        e = self.operand(c, inner, depth, kind)
        return e and self.clamped(c, m.Reduce(self.reduction(kind), e), rank, kind)

    def scan(self, c, rank, depth, kind):
        e = self.operand(c, rank, depth, kind)
        if not e:
            return None
        dims = ()
        if self.chance(0.6):
            dims = self.rng.sample(range(1, rank + 1), self.int(1, rank))
            dims = tuple(-d if self.chance(0.25) else d for d in dims)
        segment = None
        if self.chance(0.3):
            segment = self.segment(c, rank)
        op = self.reduction(kind, scans=True)
        inclusive = self.chance(0.4)
        scan = m.Scan(op, e, inclusive, segment, dims)
        return self.clamped(c, scan, rank, kind)

    def segment(self, c, rank):
        names = [n for n in self.arrays(c, rank, ("boolean",)) if "[" not in n]
        e = m.Arr(self.pick(names)) if names else None
        return e if self.facts(c, e, rank) else None

    def gather(self, c, rank, depth, kind):
        refs = [m.Arr(n) for n in self.arrays(c, None, self.types(kind))]
        part = self.part_of(kind)
        if part:
            refs += [m.Arr(n, part) for n in self.arrays(c, None, ("rec",))]
        if not refs:
            return None
        ref = self.pick(refs)
        maps = self.maps(c, rank, depth, c.env.arrays[ref.name].region)
        return maps and m.Remap(ref, maps)

    def maps(self, c, rank, depth, declared):
        """Maps in statements of that rank into an array's declared region."""
        maps = []
        for i, dim in enumerate(declared):
            way = self.weighted([(3, "fit"), (2, "index"), (1, "blank"), (1, "scalar")])
            e = None
            if way == "blank" and i < rank:
                e = m.Blank()
            elif way == "index":
                e = m.Index(self.int(1, rank))
            if e is None or not self.fits_map(c, e, rank, i, dim):
                e = self.fitted(c, 0 if way == "scalar" else rank, depth, dim)
            if e is None:
                return None
            maps.append(e)
        return tuple(maps)

    def fits_map(self, c, e, rank, i, dim):
        """Whether a map works as the i-th of an array."""
        padded = [m.lit(0)] * i + [e]
        flooded = [g.FLOODED] * i + [dim]
        try:
            for env in c.envs:
                ce.check_maps(env, padded, flooded, rank)
            return True
        except ce.Illegal:
            return False

    def fitted(self, c, rank, depth, dim):
        ids = dim.ids()
        if dim.kind == g.FLOOD:
            return self.number(c, rank, 0)
        if not ids:
            return None
        if not rank and self.chance(0.5):
            return m.lit(self.pick(ids))
        e = self.number(c, rank, min(depth, 1))
        if self.chance(0.5) and rank:
            e = m.Bin("+", m.Bin("*", m.Index(self.int(1, rank)), m.lit(self.int(1, 5))), e)
        fit = m.MapFit(ids[0], len(ids), dim.s, e)
        return fit if self.facts(c, fit, rank) else None

    # ---- calls -----------------------------------------------------------------

    def promoted(self, c, rank, depth, kind):
        """A call of a scalar function."""
        names = [n for n, p in c.env.procs.items()
                 if not p.rank and p.result in self.types(kind) and n != self.current]
        if not names:
            return None
        proc = c.env.procs[self.pick(names)]
        args = [self.value_for(c, rank, f.decl.type, depth) for f in proc.formals]
        if None in args:
            return None
        passed = self.has("passed") and self.ways.random() < 0.4
        byName = passed and self.ways.random() < 0.5
        names = tuple(f.decl.name for f in proc.formals) if byName else ()
        return m.Call(proc.name, tuple(args), passed, names)

    def parallel_call(self, c, rank, depth, kind):
        names = [n for n, p in c.env.procs.items()
                 if p.rank == rank and p.result in self.types(kind) and n != self.current]
        if not names:
            return None
        proc = c.env.procs[self.pick(names)]
        args = [self.argument(c, f, depth) for f in proc.formals]
        return m.Call(proc.name, tuple(args)) if None not in args else None

    def argument(self, c, f, depth):
        """An argument for a formal of a parallel procedure, or None."""
        if f.static:
            return self.static(c, self.int(1, 3))
        if isinstance(f.decl, m.ArrDecl):
            refs = [m.Arr(n) for n in self.arrays(c, f.decl.rank, (f.decl.type,))]
            if f.mode in ("inout", "out"):
                refs = [r for r in refs + self.parts(c, f.decl)
                        if c.env.arrays[r.name].writable]
                return self.pick(refs) if refs else None
            if self.chance(0.7):
                return self.pick(refs) if refs else None
            if f.decl.rank not in c.env.cover:
                return None
            return self.temporary(c, f.decl.rank, f.decl.type, depth)
        if f.mode in ("inout", "out"):
            names = [n for n, s in c.env.scalars.items() if s.writable
                     and s.type == f.decl.type and n not in c.env.statics
                     and n not in self.counters]
            return m.Name(self.pick(names)) if names else None
        return self.value_for(c, 0, f.decl.type, depth)

    def parts(self, c, decl):
        """Fields that have the type of an array formal's elements."""
        field = {"integer": "k", "double": "x", "string": "s"}.get(decl.type)
        if not field or not self.has("parts"):
            return []
        return [m.Arr(n, field) for n in self.arrays(c, decl.rank, ("rec",))]

    def arguments(self, c, proc, depth):
        """Of a parallel procedure; sometimes an array stands for several formals."""
        args = [self.argument(c, f, depth) for f in proc.formals]
        whole = [i for i, f in enumerate(proc.formals) if isinstance(f.decl, m.ArrDecl)]
        if self.has("aliases") and len(whole) > 1 and self.chance(0.5):
            first, second = (proc.formals[i].decl for i in whole[:2])
            if (first.type, first.rank) == (second.type, second.rank) \
                    and isinstance(args[whole[0]], m.Arr):
                args[whole[1]] = args[whole[0]]
        return args

    def temporary(self, c, rank, kind, depth):
        """An array expression of exactly that element type."""
        if kind not in ("integer", "double", "boolean", "string"):
            return None
        e = self.operand(c, rank, depth, group_of(kind))
        if e is None or not self.facts(c, e, rank):
            return None
        e = self.stored(c, e, kind, rank)
        if kind == "integer":
            e = m.Bin("+", e, m.lit(self.int(0, 9)))
        facts = self.facts(c, e, rank)
        return e if facts and all(f.type == kind for f in facts) else None

    # ---- values for variables --------------------------------------------------

    def value_for(self, c, rank, kind, depth):
        """An expression that can be assigned to a variable of the type, or None."""
        if kind == "rec":
            return self.whole(c, rank, kind)
        if kind == "dcomplex" and rank and self.chance(0.6):
            return self.whole(c, rank, kind)
        if kind == "string" and rank and self.chance(0.3):
            return self.whole(c, rank, kind) or self.literal("str")
        return self.stored(c, self.of_kind(c, rank, depth, group_of(kind)), kind, rank)

    def whole(self, c, rank, kind):
        """A record or complex array as it is, shifted or moved."""
        names = self.arrays(c, rank, (kind,))
        if not names or not rank:
            return None
        ref = m.Arr(self.pick(names))
        ways = [(3, ref)]
        if self.has("at"):
            ways.append((3, m.At(ref, self.offset_direction(c, rank))))
        if self.has("wrapat"):
            ways.append((1, m.At(ref, self.offset_direction(c, rank), True)))
        if self.has("gather"):
            maps = self.maps(c, rank, 1, c.env.arrays[ref.name].region)
            ways.append((2 if maps else 0, m.Remap(ref, maps)))
        if self.has("flood"):
            source = self.flood_source(c, rank, c.env.arrays[ref.name].region)
            ways.append((2 if source else 0, m.Flood(source, ref)))
        e = self.weighted(ways)
        if kind == "dcomplex" and self.chance(0.3):
            e = m.Call("conj", (e,))
        return e if self.facts(c, e, rank) else None

    def stored(self, c, e, kind, rank):
        """e, made small and coarse enough for a variable of that type."""
        facts = self.facts(c, e, rank)
        if not facts:
            return None
        if kind == "string":
            e = self.shortened(c, e, rank)
            facts = self.facts(c, e, rank)
        elif kind in FLOATS or kind == "dcomplex":
            if self.exact and any(f.bits > BITS for f in facts):
                e = m.Call(self.pick(("floor", "trunc", "round")), (e,))
                facts = self.facts(c, e, rank)
            if facts and any(f.size > LIMIT for f in facts):
                e = m.Bin("%", e, m.Lit("double", self.pick((16.0, 32.0, 64.0))))
                facts = self.facts(c, e, rank)
        elif kind in RANGES and kind != "boolean" and facts[0].type in FLOATS:
            e = m.Call("to_integer", (e,))
            facts = self.facts(c, e, rank)
        good = facts and all(assignable(kind, f, self.exact) for f in facts)
        return e if good else None

    def colour(self, rank):
        """A class of remainders of a sum of indices."""
        total = m.Index(self.int(1, rank))
        for dim in range(1, rank + 1):
            if self.chance(0.5):
                factor = m.lit(self.int(1, 3))
                total = m.Bin(self.pick("+-"), total, m.Bin("*", factor, m.Index(dim)))
        count = self.pick((2, 2, 2, 3, 4))
        return m.Bin(self.pick(("=", "=", "!=")), m.Bin("%", total, m.lit(count)),
                     m.lit(self.int(0, count - 1)))

    def mask(self, c, rank):
        """A mask for the region that covers c."""
        names = self.arrays(c, rank, ("boolean", "ubyte"))
        e = m.Arr(self.pick(names)) if names and self.chance(0.4) else None
        if not self.facts(c, e, rank) and self.chance(0.4):
            e = self.colour(rank)
        if not self.facts(c, e, rank):
            ref = self.reference(c, rank, "int")
            if ref is None:
                ref = m.Index(self.int(1, rank))
            e = m.Bin(self.pick(("=", "!=", "<=")), m.Bin("%", ref, m.lit(self.int(2, 3))),
                      m.lit(self.int(0, 1)))
        facts = self.facts(c, e, rank)
        return m.Mask(self.chance(0.4), e) if facts and facts[0].rank == rank else None


def group_of(kind):
    """The kind of expressions for variables of a type."""
    if kind in INTS:
        return "int"
    return {"boolean": "bool", "string": "str"}.get(kind, "real")
