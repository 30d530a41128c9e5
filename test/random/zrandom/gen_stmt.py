"""Makes statements. Each is checked as a whole and dropped if it is not legal."""
from dataclasses import replace

from . import check
from . import geometry as g
from . import model as m
from . import scope
from .check_expr import FIELDS
from .facts import FLOATS, Illegal
from .gen_base import Context
from .gen_expr import INTS, Expressions

MOST_STATES = 24


class Statements(Expressions):
    def statements(self, c, n):
        """A block of up to n statements, or None."""
        made = [self.statement(c) for _ in range(n)]
        made = [s for s in made if s is not None]
        return m.Block(tuple(made)) if made else None

    def statement(self, c):
        """One legal statement, or None."""
        return self.attempt(6, lambda: self.some(c), lambda s: self.legal(c, s))

    def some(self, c):
        covered = 1 if c.env.cover else 0
        deep = 1 if c.nest < 4 else 0
        way = self.weighted([
            (7 * covered, self.assign), (1, self.assign_scalar),
            ((5 if not covered else 1.5) * deep, self.scoped),
            (0.7 * deep, self.branch), (0.8 if c.env.loop else 0, self.jump), (1 * deep, self.loop),
            (1.2 * covered if self.has("scatter") else 0, self.scatter),
            (0.8 * covered if self.has("atleft") else 0, self.assign_shifted),
            (1.2 * covered if self.has("waves") and c.env.written is None else 0, self.wave),
            (0.5 if self.has("edges") else 0, self.edge),
            (0.4 if self.has("implicit") and c.proc is None else 0, self.border),
            (1.5 * covered if self.has("shattered") and deep else 0, self.shattered),
            (1 * covered if self.has("promoted") else 0, self.call_promoted),
            (1.6 if self.has("parallel") else 0, self.call_parallel),
            (0.8 * covered if self.has("foreign") and not self.in_function(c) else 0,
             self.from_file),
            (0.3 * covered if not self.in_function(c) else 0, self.print_part),
            (1.5 if c.env.lists and c.env.written is None else 0, self.list_statement)])
        return way(c)

    def in_function(self, c):
        return c.proc is not None and c.proc.result

    def text_kinds(self, name):
        """The name, in programs with strings."""
        return (name,) if self.has("strings") else ()

    # ---- assignments -----------------------------------------------------------

    def targets(self, c, rank=None):
        """Arrays that can be written under the regions of all states."""
        def good(env, name):
            a = env.arrays[name]
            r = len(a.region)
            return a.writable and r in env.cover and scope.writable(env.cover[r].region, a)
        return [n for n in self.arrays(c, rank) if all(good(e, n) for e in c.envs)]

    def target(self, c, rank=None):
        """An array to write, or a field of one of records."""
        names = self.targets(c, rank)
        if not names:
            return None, None, 0
        name = self.pick(names)
        a = c.env.arrays[name]
        if a.type == "rec" and self.chance(0.6):
            field = self.pick("kxs" if self.has("strings") else "kx")
            return m.Arr(name, field), FIELDS[field], len(a.region)
        return m.Arr(name), a.type, len(a.region)

    def assign(self, c):
        target, kind, rank = self.target(c)
        if target is None:
            return None
        op, fix = ":=", ""
        if self.chance(0.3):
            op, fix = self.operator_for(kind)
        e = self.value_for(c, rank, kind, self.int(1, 3))
        return e and m.Assign(target, op, e, fix, self.grows(kind, fix))

    def grows(self, kind, fix):
        return kind == "string" and bool(fix)

    def operator_for(self, kind):
        """An assignment operator, and whether its target has to be made small."""
        if kind in INTS:
            return self.pick(("+=", "+=", "-=", "*=", "max=", "min=")), ""
        if kind in FLOATS:
            return self.pick((("+=", "here"), ("-=", "here"), ("max=", ""), ("min=", "")))
        if kind == "boolean":
            return self.pick(("&=", "|=")), ""
        if kind == "string":
            return "+=", "here"
        return ":=", ""

    def mix(self, region):
        """A number that differs from index to index."""
        value = m.lit(self.int(1, 9))
        for i, d in enumerate(region, 1):
            if d.kind != g.FLOOD:
                value = m.Bin("+", value, m.Bin("*", m.Index(i), m.lit(self.int(2, 17))))
        return m.Bin("%", value, m.lit(self.pick((7, 13, 29))))

    def from_file(self, c):
        """A quarter or so of the bytes are 0."""
        names = [n for n in self.targets(c) if c.env.arrays[n].type == "boolean"]
        if not names:
            return None
        name = self.pick(names)
        region = c.env.cover[len(c.env.arrays[name].region)].region
        value = m.Bin("%", self.mix(region), m.lit(self.int(2, 5)))
        return m.FromFile(m.Arr(name), m.Bin("*", value, m.lit(self.int(1, 60))))

    def assign_scalar(self, c):
        names = [n for n, s in c.env.scalars.items() if s.writable
                 and n not in c.env.statics and n not in self.counters]
        if not names:
            return None
        name = self.pick(names)
        kind = c.env.scalars[name].type
        op = self.pick((":=", ":=", "+=", "max=")) if kind in INTS else ":="
        e = self.value_for(c, 0, kind, 2)
        if e and kind == "string" and self.chance(0.4):
            return m.Assign(m.Name(name), "+=", e, "here", True)
        return e and m.Assign(m.Name(name), op, e)

    def assign_shifted(self, c):
        ranks = list(c.env.cover)
        rank = self.pick(ranks)
        names = [n for n in self.arrays(c, rank) if c.env.arrays[n].writable]
        if not names:
            return None
        name = self.pick(names)
        kind = c.env.arrays[name].type
        e = self.value_for(c, rank, kind, 2)
        if e is None:
            return None
        wrap = self.has("wrapat") and self.chance(0.3)
        op, fix = self.operator_for(kind) if self.chance(0.3) else (":=", "")

        def make():
            at = m.At(m.Arr(name), self.offset_direction(c, rank), wrap)
            return m.Assign(at, op, e, fix, self.grows(kind, fix))
        return self.attempt(5, make, lambda s: self.legal(c, s))

    def scatter(self, c):
        rank = self.pick(list(c.env.cover))
        names = [n for n, a in c.env.arrays.items() if a.writable]
        if not names:
            return None
        name = self.pick(names)
        a = c.env.arrays[name]
        maps = self.maps(c, rank, 2, a.region)
        e = self.value_for(c, rank, a.type, 2)
        if maps is None or e is None:
            return None
        op, fix = ":=", ""
        if self.chance(0.6):
            op, fix = self.operator_for(a.type)
            fix = a.home if fix else ""
            if op == "+=" and a.type in (*FLOATS, "string") and not fix:
                return None
        return m.Assign(m.Remap(m.Arr(name), maps), op, e, fix, self.grows(a.type, fix))

    # ---- scopes and control flow -------------------------------------------------

    def scoped(self, c):
        names = [n for n, a in c.env.arrays.items() if a.writable]
        if not names:
            return None
        name = self.pick(names)
        r = self.writing_region(c, name)
        if r is None:
            return None
        rank = len(c.env.arrays[name].region)
        inner = self.under(c, rank, r)
        mask = None
        if self.has("masks"):
            masked = rank in c.env.cover and c.env.cover[rank].masked
            if masked and self.chance(0.5):
                mask = m.Mask(self.chance(0.4), m.Quote())
            elif self.chance(0.35):
                mask = self.mask(inner, rank)
        if mask:
            inner = masked_context(c, inner, rank, mask)
        elif isinstance(r, m.Quote):
            return None
        body = self.statements(inner, self.int(1, 3))
        if body is None:
            return None
        return m.Scope(r, mask, body)

    def branch(self, c):
        cond = self.truth(c, 0, 2)
        then = self.statements(deeper(c), self.int(1, 2))
        other = self.statements(deeper(c), 1) if self.chance(0.5) else None
        return then and m.If(cond, then, other)

    def loop(self, c):
        free = [n for n in self.counters if n in c.env.scalars and n not in c.env.statics
                and c.env.scalars[n].writable]
        if not free or len(c.envs) * 3 > MOST_STATES:
            return None
        var, n = self.pick(free), self.int(2, 3)
        if self.chance(0.6):
            lo, by, down = self.int(1, 2), self.pick((1, 1, 2)), self.chance(0.3)
            hi = lo + (n - 1) * by
            ends = (hi, lo) if down else (lo, hi)
            values, kind = range(lo, hi + 1, by), "for"
            make = lambda b: m.For(var, m.lit(ends[0]), m.lit(ends[1]), down, by, b)
        else:
            values = range(n)
            kind = self.pick(("while", "repeat"))
            make = lambda b: m.Count(kind, var, n, b)
        envs = [replace(e.knowing(var, v), loop=kind) for e in c.envs for v in values]
        inner = replace(c, envs=envs, nest=c.nest + 1, loops=c.loops + (var,))
        body = self.statements(inner, self.int(1, 3))
        first = self.repeated_remap(inner)
        if body and first:
            body = m.Block((first,) + tuple(body.stmts))
        return body and make(body)

    def repeated_remap(self, c):
        """A scatter for the beginning of a loop: schedules are kept from one time to the next."""
        if not self.has("scatter") or not c.env.cover or not self.chance(0.4):
            return None
        return self.attempt(4, lambda: self.scatter(c), lambda s: self.legal(c, s))

    def jump(self, c):
        """Out of a scope as well, where there is one in the loop."""
        kind = "continue" if c.env.loop == "for" and self.chance(0.5) else "exit"
        return m.Jump(kind, self.truth(c, 0, 1))

    # ---- scan blocks ------------------------------------------------------------

    def wave(self, c):
        """Assignments that read what the block stored on one side of each index."""
        rank = self.pick(list(c.env.cover))
        names = [n for n in self.targets(c, rank)
                 if c.env.arrays[n].type in ("integer", "longint", "double", "string")]
        if not names:
            return None
        kind = c.env.arrays[self.pick(names)].type == "string"
        names = [n for n in names if (c.env.arrays[n].type == "string") == kind]
        written = self.rng.sample(sorted(names), min(len(names), self.int(1, 2)))
        inner = c.mapped(lambda env: replace(env, wave=frozenset(written)))
        signs = [self.pick((1, -1)) for _ in range(rank)]
        body = [self.wave_part(inner, rank, name, written, signs)
                for name in written + self.rng.sample(written, self.int(0, 1))]
        return None if None in body else m.Wave(m.Block(tuple(body)))

    def wave_part(self, c, rank, name, written, signs):
        kind = c.env.arrays[name].type
        real = kind in FLOATS
        e, primes = self.leaf(c, rank, "real" if real else "int"), []
        for _ in range(self.int(1, 2)):
            dim = self.int(0, rank - 1)
            parts = [sign * (self.int(1, 2) if d == dim else self.pick((0, 0, 1, -1)))
                     for d, sign in enumerate(signs)]
            prime = m.Prime(m.Arr(self.pick(written)), m.DirLit(tuple(map(m.lit, parts))))
            factor = m.lit(self.int(1, 3))
            primes.append(prime)
            e = m.Bin(self.pick("+-"), e, prime if real else m.Bin("*", prime, factor))
        if kind == "string":
            return self.wave_text(c, rank, name, primes)
        e = self.wave_call(c, rank, real, primes, e)
        if real:
            return m.Assign(m.Arr(name), ":=", e, "here")
        return m.Assign(m.Arr(name), ":=", m.Bin("%", e, m.lit(self.int(5, 99))))

    def wave_call(self, c, rank, real, primes, e):
        """Sometimes the value comes through a scalar function, with branches perhaps."""
        procs = [p for p in c.env.procs.values() if p.name != self.current and p.formals
                 and check.is_scalar(p) and (p.result in FLOATS) == real]
        if not procs or self.ways.random() < 0.2:
            return e
        proc = self.ways.choice(procs)
        call = m.Call(proc.name, tuple(self.ways.choice(primes + [e]) for _ in proc.formals))
        return call if self.facts(c, call, rank) else e

    # ---- borders -----------------------------------------------------------------

    def edge(self, c):
        """[d of R] wrap A; where A has room, or in programs with `implicit` gets it."""
        names = [n for n, a in c.env.arrays.items() if a.writable]
        if not names:
            return None
        name = self.pick(names)
        region = c.env.arrays[name].region
        bases = [m.RegName(n) for n in self.homes(c, len(region))]
        if len(region) in c.env.cover and self.has("dynamic"):
            bases.append(m.Quote())
        kind = self.pick(("wrap", "reflect"))
        same = [n for n in self.arrays(c, len(region)) if n != name
                and c.env.arrays[n].region == region and c.env.arrays[n].writable]
        both = (name, self.pick(same)) if same and self.chance(0.3) else (name,)

        def make():
            r = m.RegOp("of", self.short_direction(c, len(region)), self.pick(bases))
            return m.Scope(r, None, m.Edge(kind, both))
        return self.attempt(8, make, lambda s: self.legal(c, s))

    def short_direction(self, c, rank):
        return self.axis(rank) if self.chance(0.5) else self.direction(c, rank)

    def border(self, c):
        """A statement that gives an array its border, from then on readable."""
        names = [n for n, a in c.env.arrays.items() if a.home and "[" not in n and all(
            d.kind == g.RANGE and d.s == 1 and d.ids() for d in a.region)]
        if not names:
            return None
        name = self.pick(names)
        a = c.env.arrays[name]
        rank = len(a.region)
        axis = self.axis(rank)
        d = scope.direction(c.env, axis)
        boxes = a.boxes + scope.boxes(a.region, [d])
        r = m.RegOp("of", axis, m.RegName(a.home))
        wider = c.mapped(lambda env: replace(env, arrays={
            **env.arrays, name: replace(a, boxes=boxes)}))
        inner = self.under(wider, rank, r)
        if self.chance(0.5) or a.type == "rec":
            s = m.Scope(r, None, m.Edge(self.pick(("wrap", "reflect")), (name,)))
        else:
            e = self.value_for(inner, rank, a.type, 1)
            s = e and m.Scope(r, None, m.Assign(m.Arr(name), ":=", e))
        if s and self.legal(wider, s):
            self.widened(c, name, boxes)
            return s
        return None

    def widened(self, c, name, boxes):
        """Later statements may use the border."""
        for env in [self.env, *c.envs]:
            env.arrays[name] = replace(env.arrays[name], boxes=boxes)

    # ---- shattered control flow ----------------------------------------------------

    def shattered(self, c):
        if c.env.written is not None:
            return self.shattered_part(c, None, 1)
        ranks = [r for r in c.env.cover if self.targets(c, r)]
        if not ranks:
            return None
        rank = self.pick(ranks)
        names = [n for n in self.targets(c, rank) if c.env.arrays[n].type != "dcomplex"]
        if not names:
            return None
        written = frozenset(self.rng.sample(names, min(len(names), self.int(1, 3))))
        inner = c.mapped(lambda env: replace(env, written=written, looping=False,
                                             cover={rank: env.cover[rank]}))
        return self.shattered_part(inner, rank, 2)

    def shattered_part(self, c, rank, depth):
        """An if or a loop over the elements."""
        integers = [n for n in c.env.written if c.env.arrays[n].type == "integer"
                    and n not in self.busy and "[" not in n]
        if integers and self.chance(0.7):
            var = self.pick(integers)
            self.busy.append(var)
            try:
                return self.shattered_loop(c, rank, depth, var)
            finally:
                self.busy.remove(var)
        cond = self.truth(c, rank, 1)
        facts = self.facts(c, cond, rank)
        if not facts or not facts[0].rank:
            return None
        then = self.shattered_body(c, rank, depth)
        other = self.shattered_body(c, rank, depth) if self.chance(0.4) else None
        return then and m.ShIf(cond, then, other)

    def shattered_loop(self, c, rank, depth, var):
        inner = c.mapped(lambda env: replace(env, looping=True))
        body = self.shattered_body(inner, rank, depth)
        if body is None:
            return None
        if self.chance(0.4):
            jump = m.Jump(self.pick(("exit", "continue")), self.truth(inner, rank, 1))
            if self.legal(inner, jump):
                at = self.int(0, len(body.stmts))
                body = m.Block(body.stmts[:at] + (jump,) + body.stmts[at:])
        limit = m.Call("abs", (m.Bin("%", self.leaf(c, rank, "int"), m.lit(self.int(2, 6))),))
        if self.chance(0.5):
            return m.ShLoop(self.pick(("while", "repeat")), var, limit, body)
        down = self.chance(0.3)
        low = m.lit(self.int(0, 2))
        ends = (limit, low) if down else (low, limit)
        return m.ShFor(var, *ends, down, self.pick((1, 1, 2)), body)

    def shattered_body(self, c, rank, depth):
        made = []
        for _ in range(self.int(1, 2)):
            s = None
            if depth > 1 and self.chance(0.3):
                s = self.shattered_part(c, rank, depth - 1)
            if s is None:
                s = self.shattered_assign(c, rank)
            if s is not None:
                made.append(s)
        return m.Block(tuple(made)) if made else None

    def shattered_assign(self, c, rank):
        names = [n for n in c.env.written if n not in self.busy]
        if not names:
            return None
        ref, kind = m.Arr(self.pick(sorted(names))), None
        kind = c.env.arrays[ref.name].type
        if kind == "rec":
            ref, kind = m.Arr(ref.name, "k"), "integer"
        op, fix = self.operator_for(kind) if self.chance(0.4) else (":=", "")
        e = self.value_for(c, rank, kind, 1)
        s = e and m.Assign(ref, op, e, fix, self.grows(kind, fix))
        return s if self.legal(c, s) else None

    # ---- calls, output ---------------------------------------------------------------

    def call_promoted(self, c):
        """A statement that calls a scalar procedure with arrays by reference."""
        procs = [p for p in c.env.procs.values() if not p.rank and not p.result]
        if not procs or not c.env.cover:
            return None
        proc = self.pick(procs)
        rank = self.pick(list(c.env.cover))
        args, used = [], set()
        for f in proc.formals:
            if f.mode in ("inout", "out"):
                names = [n for n in self.targets(c, rank)
                         if c.env.arrays[n].type == f.decl.type and n not in used]
                if not names:
                    return None
                args.append(m.Arr(self.pick(names)))
                used.add(args[-1].name)
            else:
                args.append(self.value_for(c, rank, f.decl.type, 1))
        return None if None in args else m.CallS(proc.name, tuple(args))

    def call_parallel(self, c):
        if self.in_function(c):
            return None
        procs = [p for p in c.env.procs.values()
                 if p.rank and not p.result and p.name != self.current]
        if not procs:
            return None
        proc = self.pick(procs)
        if proc.rank not in c.env.cover:
            return self.covered_call(c, proc)
        args = self.arguments(c, proc, 2)
        return None if None in args else m.CallS(proc.name, tuple(args))

    def covered_call(self, c, proc):
        """The call in a scope of its own."""
        names = self.homes(c, proc.rank)
        r = m.RegName(self.pick(names))
        if self.has("dynamic") and self.chance(0.4):
            r = m.RegLit(tuple(self.part(c, d, False) for d in c.env.regions[r.name]))
        inner = self.under(c, proc.rank, r)
        args = self.arguments(inner, proc, 2)
        return None if None in args else m.Scope(r, None, m.CallS(proc.name, tuple(args)))

    def print_part(self, c):
        rank = self.pick(list(c.env.cover))
        e = self.reference(c, rank, self.pick(("int", "real", "bool", *self.text_kinds("str"))), 0.2)
        if e is None or any(g.count(env.region(rank)) > 60 for env in c.envs):
            return None
        kind = self.facts(c, e, rank)[0].type
        return m.Write("", (m.Item(format_of(kind), e),))


def masked_context(outer, inner, rank, mask):
    """The states of a scope with its mask."""
    envs = []
    for before, env in zip(outer.envs, inner.envs):
        cover = env.cover[rank]
        where = before.mask_region(rank, mask, cover.region)
        envs.append(env.under(rank, replace(cover, masked=True, where=where)))
    return replace(inner, envs=envs)


def format_of(kind):
    """How values of a type are printed exactly."""
    text = check.expected(kind)
    return text + " " if text else ""


def deeper(c: Context):
    return replace(c, nest=c.nest + 1)


