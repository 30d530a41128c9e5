"""Makes strings, what is asked of them, and statements about indexed arrays. Strings that grow
are cut, so all stay short; sizes are at least 1, and subscripts are brought within the bounds."""
from . import check
from . import model as m
from .facts import INF, TEXT

WORDS = ("", "a", "b", "ab", "Z", " ", "k7", "12", "-3", "x,y", " two ", "1.5", "North", "a,b,,c")
FORMATS = {"int": ("%d", "k%d", "%04d", "<%3d>", "%x"), "real": ("%.2f", "%g;", "%8.3f"),
           "str": ("%s", "[%s]", "%6s.")}


class Texts:
    def string(self, c, rank, depth):
        """A string expression."""
        if depth <= 0 or self.chance(0.15):
            return self.leaf(c, rank, "str")
        way = self.weighted([
            (4, "join"), (1.5, "cut"), (1.5, "change"), (2, "convert"), (2, "format"),
            (1, "extreme"), *self.operators(c, rank, depth)])
        a = lambda: self.string(c, rank, depth - 1)
        if way == "join":
            b = m.Lit("char", self.pick("!x,7")) if self.chance(0.2) else a()
            e = m.Bin("+", a(), b)
        elif way == "cut":
            e = self.cut(c, rank, depth - 1)
        elif way == "change":
            e = m.Call(self.pick(("upper", "lower", "trim")), (a(),))
        elif way == "convert":
            kind = self.pick(("int", "int", "real", "bool"))
            e = m.Call("to_string", (self.of_kind(c, rank, depth - 1, kind),))
        elif way == "format":
            e = self.formatted(c, rank, depth - 1)
        elif way == "extreme":
            e = m.Call(self.pick(("min", "max")), (a(), a()))
        else:
            e = self.operator(c, rank, depth, way, "str")
        return e if self.facts(c, e, rank) else self.leaf(c, rank, "str")

    def cut(self, c, rank, depth):
        """The first or last bytes, or those of a part that is long enough."""
        if self.chance(0.2):
            padded = m.Call("format", (m.Lit("string", "%06d"), self.number(c, rank, depth)))
            return m.Call("substring", (padded, m.lit(self.int(1, 3)), m.lit(self.int(0, 4))))
        e = self.reference(c, rank, "str", 0) if rank else self.scalar(c, "str")
        n = m.lit(self.int(0, 5))
        if self.chance(0.4):
            n = m.MapFit(self.int(0, 1), self.int(2, 6), 1, self.number(c, rank, depth))
        return e and m.Cut(e, n, self.chance(0.4))

    def formatted(self, c, rank, depth):
        kinds = [self.pick(("int", "int", "real", "str")) for _ in range(self.int(1, 2))]
        text = self.pick(("", ",", " ")).join(self.pick(FORMATS[k]) for k in kinds)
        values = tuple(self.of_kind(c, rank, depth, k) for k in kinds)
        return m.Call("format", (m.Lit("string", text), *values))

    def measured(self, c, rank, depth):
        """A number that is found in strings, or None."""
        a = lambda: self.string(c, rank, depth)
        way = self.pick(("length", "find", "number", "numeral"))
        if way == "numeral":
            text = m.Call("to_string", (self.number(c, rank, depth),))
            e = m.Call("to_integer", (text,))
        else:
            e = m.Call(way, (a(), a()) if way == "find" else (a(),))
        return e if self.facts(c, e, rank) else None

    def asked(self, c, rank, depth):
        """A comparison of strings, or whether one is a number; or None."""
        a = lambda: self.string(c, rank, depth)
        if self.chance(0.2):
            e = m.Call(self.pick(("is_integer", "is_double")), (a(),))
        else:
            e = m.Bin(self.pick(("<", "<=", ">", ">=", "=", "!=")), a(), a())
        return e if self.facts(c, e, rank) else None

    def shortened(self, c, e, rank):
        """e, cut for a variable."""
        facts = self.facts(c, e, rank)
        if not facts or all(f.hi <= TEXT for f in facts):
            return e
        return m.Call("short", (e,))

    def finite(self, c, e, rank):
        """The first string of none comes after all others, and is long."""
        facts = self.facts(c, e, rank)
        if facts and any(f.hi == INF for f in facts):
            return m.Call("min", (m.Lit("string", self.pick(("zz", "k", "~"))), e))
        return e

    def wave_text(self, c, rank, name, primes):
        """In a scan block strings are chosen, not made."""
        e = self.leaf(c, rank, "str")
        for prime in primes:
            e = m.Call(self.pick(("min", "max")), (e, prime))
        return m.Assign(m.Arr(name), ":=", e)

    # ---- indexed arrays ----------------------------------------------------------

    def lists(self, c, types, writable=False, rank=None):
        return [n for n, a in c.env.lists.items() if a.type in types
                and (a.writable or not writable) and rank in (None, a.rank)]

    def element(self, c, rank, kind):
        """An element by any subscripts, or None."""
        names = self.lists(c, self.types(kind))
        if not names:
            return None
        if c.env.sweep and self.chance(0.6):
            return m.Whole(c.env.sweep) if c.env.sweep in names else None
        name = self.pick(names)
        e = m.Elem(name, self.subscripts(c, rank, name))
        return e if self.facts(c, e, rank) else None

    def subscripts(self, c, rank, name):
        return tuple(self.subscript(c, rank) for _ in range(c.env.lists[name].rank))

    def subscript(self, c, rank):
        """Without elements in it, which have subscripts themselves."""
        e = self.weighted([(3 if rank else 0, m.Index(self.int(1, max(rank, 1)))),
                           (1, self.literal("int")), (2, self.scalar(c, "int")),
                           (1 if rank else 0, self.reference(c, rank, "int") if rank else None)])
        if not self.facts(c, e, rank):
            e = self.literal("int")
        if self.chance(0.4):
            e = m.Bin(self.pick("+-*"), e, m.lit(self.int(1, 5)))
        return e

    def list_statement(self, c):
        """About an indexed array: elements, all of them, its size, pieces of a string."""
        names = self.lists(c, ("integer", "double", "string"), True)
        if not names:
            return self.sum_of_list(c)
        name = self.pick(names)
        info = c.env.lists[name]
        way = self.weighted([(3, self.assign_element), (3, self.sweep), (2, self.sum_of_list),
                             (3 if info.grows else 0, self.resize),
                             (3 if info.type == "string" else 0, self.split)])
        return way(c) if way == self.sum_of_list else way(c, name)

    def assign_element(self, c, name):
        info = c.env.lists[name]
        target = m.Elem(name, self.subscripts(c, 0, name))
        e = self.value_for(c, 0, info.type, 2)
        op = self.pick((":=", "+=", "max=")) if info.type == "integer" else ":="
        return e and m.Assign(target, op, e)

    def sweep(self, c, name):
        """w[] := something of its elements and their positions."""
        info = c.env.lists[name]
        inner = self.sweeping(c, name)
        if self.chance(0.4) and info.type == "string":
            return m.Assign(m.Whole(name), "+=", self.string(inner, 0, 1), "here", True)
        if self.chance(0.4) and info.type == "integer":
            return m.Assign(m.Whole(name), self.pick(("+=", "-=", "*=")), self.number(inner, 0, 1))
        e = self.value_for(inner, 0, info.type, 2)
        return e and m.Assign(m.Whole(name), ":=", e)

    def sweeping(self, c, name):
        return c.mapped(lambda env: m.replace(env, sweep=name))

    def sum_of_list(self, c):
        """Into a scalar, or a parallel array."""
        names = self.lists(c, ("integer", "string"))
        if not names or c.env.written is not None:
            return None
        name = self.pick(names)
        kind = c.env.lists[name].type
        targets = [m.Name(n) for n, s in c.env.scalars.items() if s.writable and s.type == kind
                   and n not in c.env.statics and n not in self.counters]
        if self.chance(0.4):
            targets += [m.Arr(n) for n in self.targets(c) if c.env.arrays[n].type == kind]
        if not targets:
            return None
        if kind == "string":
            return m.Assign(self.pick(targets), "+=", m.Whole(name), "here", True)
        e = self.number(self.sweeping(c, name), 0, 1)
        return m.Assign(self.pick(targets), "+=", m.Bin(self.pick("+-"), m.Whole(name), e))

    def resize(self, c, name):
        rank = c.env.lists[name].rank
        most = 12 if rank == 1 else 4
        sizes = [m.lit(self.int(1, most)) if self.chance(0.5) else
                 m.MapFit(1, most, 1, self.number(c, 0, 1)) for _ in range(rank)]
        return m.Resize(name, tuple(sizes))

    def split(self, c, name):
        targets = [n for n, s in c.env.scalars.items() if s.writable and s.type == "integer"
                   and n not in c.env.statics and n not in self.counters]
        if not targets:
            return None
        e = self.string(c, 0, 1)
        return m.Split(m.Name(self.pick(targets)), e, self.pick((",", "1", " ", ",,")), name,
                       c.env.lists[name].grows)

    def list_bounds(self, c, rank, kind):
        """Of a procedure's own array; those that take pieces of strings are long."""
        spans = []
        for _ in range(rank):
            lo = self.int(-2, 3)
            least = lo + (TEXT + 2 if kind == "string" and rank == 1 and self.chance(0.7)
                          else self.int(0, 2))
            n = self.int(2, 5)
            hi = m.MapFit(least, n, 1, self.number(c, 0, 1))
            spans.append(m.Span(m.lit(lo), hi))
        return tuple(spans)

    def list_decl(self, c, name, grows):
        kind = self.pick(("integer", "integer", "double", *self.text_kinds("string")))
        rank = 2 if self.chance(0.25) else 1
        bounds = () if grows else self.list_bounds(c, rank, kind)
        return m.ListDecl(name, kind, rank, bounds, grows and rank == 1 and self.chance(0.5))

    def printed_list(self, decl):
        form = check.expected(decl.type) + " "
        return m.Write(decl.name + ":", (m.Item(form, m.Whole(decl.name)),))
