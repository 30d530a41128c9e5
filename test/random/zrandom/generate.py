"""Makes whole programs.

    program(seed, features)     a legal program; the same for the same arguments
"""
import dataclasses

from . import check
from . import effects
from . import geometry as g
from . import model as m
from . import scope
from .facts import FLOATS, Illegal
from .gen_base import Context
from .gen_expr import INTS
from .gen_proc import Procedures
from .gen_stmt import format_of
from .prune import prune

MORE_TYPES = ["ubyte", "longint", "float", "dcomplex", "sbyte", "shortint"]
SIZES = {1: (5, 24), 2: (3, 9), 3: (2, 5), 4: (2, 3), 5: (1, 3), 6: (1, 2)}
PRINTED = 130                # arrays with more elements are printed as checksums


class Programs(Procedures):
    def make(self):
        self.exact = not (self.has("inexact") and self.chance(0.2))
        self.counters, self.busy, self.current = ("i", "j", "l", "o"), [], ""
        self.env = scope.Env(self.exact)
        self.configs = self.some_configs()
        self.dirs, self.regions, self.decls = [], [], []
        for rank in self.some_ranks():
            self.declare(rank)
        kinds = [("s", "integer"), ("t", "integer"), ("x", "double"), ("y", "double"),
                 ("b", "boolean"), ("i", "integer"), ("j", "integer")]
        kinds += [(n, "string") for n in (*self.text_kinds("r"), *self.text_kinds("q"))]
        self.scalars = [m.ScalarDecl(n, t) for n, t in kinds]
        for d in self.scalars:
            self.env.scalars[d.name] = scope.Scalar(d.type)
        self.lists_of_program = self.some_lists()
        self.procedures()
        body = [self.initial(d) for d in self.decls]
        body += [m.Assign(m.Name(n), ":=", self.literal("str")) for n in self.text_kinds("r")]
        main = Context([self.env])
        for _ in range(self.int(3, 6)):
            s = self.statement(main)
            if s is not None:
                body.append(s)
        body += [self.printed(d) for d in self.decls]
        body += [self.printed_list(d) for d in self.lists_of_program]
        body.append(self.printed_scalars())
        made = prune(m.Program(
            self.seed, tuple(self.configs), tuple(self.dirs), tuple(self.regions),
            tuple(self.decls), tuple(self.scalars), tuple(self.env.procs.values()),
            m.Block(tuple(body)), self.exact, lists=self.lists_of_program))
        if self.has("effects") and self.chance(0.3):
            made = effects.add(made, self.rng, self.has)
        return dataclasses.replace(made, domains=self.has("domains"),
                                   sparse=self.has("sparse"), kernels=self.has("kernels"), remaps=self.has("remaps"),
                                   checkpoints=self.has("checkpoints") and not self.has("sparse"))

    def some_lists(self):
        """Growable indexed arrays."""
        if not self.has("lists") or self.chance(0.5):
            return ()
        main = Context([self.env])
        made = tuple(self.list_decl(main, n, True) for n in ("list1", "list2")[:self.int(1, 2)])
        for d in made:
            self.env.lists[d.name] = check.listed(self.env, d)
        return made

    # ---- declarations --------------------------------------------------------------

    def some_configs(self):
        made = []
        for name in ("n", "m"):
            used = self.int(4, 9)
            default = self.int(2, 9) if self.has("configs") and self.chance(0.3) else used
            made.append(m.Config(name, default, used))
            self.env.statics[name] = used
        return made

    def some_ranks(self):
        ranks = [r for r, p in ((1, 0.55), (2, 0.7), (3, 0.25)) if self.chance(p)]
        if self.has("ranks") and self.chance(0.12):
            ranks.append(self.int(4, 6))
        return ranks or [self.int(1, 2)]

    def declare(self, rank):
        """Directions, regions and arrays of one rank."""
        for i in range(self.int(1, 3)):
            parts = tuple(self.component() for _ in range(rank))
            self.add_direction(f"{'dew'[i]}{rank}", m.DirLit(parts))
        if self.has("dirvars") and self.chance(0.5):
            d = m.DirLit(tuple(m.lit(self.int(-2, 2)) for _ in range(rank)))
            self.dirs.append(m.DirDecl(f"v{rank}", d, True))
            self.env.dirvars[f"v{rank}"] = scope.direction(self.env, d)
        home = self.home(rank)
        self.add_region(f"R{rank}", home)
        wide = m.RegLit(tuple(m.Span(self.plus(d.lo, -self.int(0, 2)),
                                     self.plus(d.hi, self.int(0, 2))) for d in home.dims))
        self.add_region(f"Big{rank}", wide)
        bases = [f"R{rank}", f"Big{rank}", f"Big{rank}"]
        bases += self.more_regions(rank)
        for i in range(self.int(1, 3)):
            members = 2 if self.has("families") and self.chance(0.15) else 0
            self.add_array(self.pick(bases[:3]) if i < 1 else self.pick(bases), rank, members)

    def component(self):
        """Of a named direction; sometimes config variables decide."""
        value = self.int(-1, 1) if self.chance(0.8) else self.int(-3, 3)
        return self.static(Context([self.env]), value) if self.chance(0.1) else m.lit(value)

    def home(self, rank):
        dims = []
        lo, hi = SIZES[rank]
        for _ in range(rank):
            size = self.int(lo, hi)
            if rank == 1 and self.chance(0.1):
                size = self.int(30, 90)
            first = self.pick((1, 1, 1, 0, -2, 3))
            dims.append(m.Span(m.lit(first), self.config_near(first + size - 1)))
        return m.RegLit(tuple(dims))

    def config_near(self, value):
        """A bound, mostly with a config variable in it."""
        names = [n for n, v in self.env.statics.items() if abs(v - value) <= 3]
        if not names or self.chance(0.3):
            return m.lit(value)
        name = self.pick(names)
        return self.plus(m.Name(name), value - self.env.statics[name])

    def plus(self, e, by):
        if isinstance(e, m.Lit):
            return m.lit(e.value + by)
        if isinstance(e, m.Bin) and isinstance(e.b, m.Lit):
            by += e.b.value if e.op == "+" else -e.b.value
            e = e.a
        if by == 0:
            return e
        return m.Bin("+" if by > 0 else "-", e, m.lit(abs(by)))

    def more_regions(self, rank):
        """Strided, flooded, singleton and derived regions over which arrays may be."""
        declared, base = [], m.RegName(f"R{rank}")
        dims = self.env.regions[base.name]
        if self.has("strided") and self.chance(0.6):
            parts = self.short(rank, True, dims)
            declared.append(self.add_region(f"S{rank}", m.RegOp("by", parts, base)))
        if self.has("floodreg") and self.chance(0.6):
            declared.append(self.add_region(f"F{rank}", self.flooded(base, rank)))
        if self.has("single") and rank > 1 and self.chance(0.3):
            declared.append(self.add_region(f"L{rank}", self.line(base, rank)))
        if self.has("regionops") and self.chance(0.5):
            op = self.pick(("in", "at", "of"))
            self.add_region(f"D{rank}", m.RegOp(op, self.short(rank, False, dims), base))
        return [name for name in declared if name] * 2

    def flooded(self, base, rank):
        home = next(r for r in self.regions if r.name == base.name).region
        star = self.rng.sample(range(rank), self.int(1, rank))
        return m.RegLit(tuple(m.Star() if i in star else d for i, d in enumerate(home.dims)))

    def line(self, base, rank):
        home = next(r for r in self.regions if r.name == base.name).region
        one = self.rng.sample(range(rank), self.int(1, rank - 1))
        ids = [list(d.ids()) for d in self.env.regions[base.name]]
        return m.RegLit(tuple(m.One(m.lit(self.pick(ids[i]))) if i in one else d
                              for i, d in enumerate(home.dims)))

    def add_direction(self, name, d):
        self.dirs.append(m.DirDecl(name, d))
        self.env.dirs[name] = scope.direction(self.env, d)

    def add_region(self, name, r):
        """Its name if arrays may be declared over it."""
        try:
            value = scope.region(self.env, r)
        except Illegal:
            return None
        self.regions.append(m.RegDecl(name, r))
        self.env.regions[name] = value
        return name if not g.is_empty(value) else None

    def add_array(self, home, rank, members=0):
        """One array, or a family: all of its members."""
        types = [(5, "integer"), (4, "double"), (2, "boolean")]
        if self.has("types"):
            types += [(0.5, t) for t in MORE_TYPES]
        if self.has("records"):
            types.append((0.7, "rec"))
        if self.has("strings"):
            types.append((3, "string"))
        name, kind = "ABCDEFGHKLMNOSUVWXYZ"[len(self.decls)], self.weighted(types)
        for member in [f"{name}[{i + 1}]" for i in range(members)] or [name]:
            self.decls.append(m.ArrDecl(member, kind, home, rank))
            self.env.arrays[member] = scope.Array(self.env.regions[home], kind, home,
                                                  storage=member)

    # ---- start and end -----------------------------------------------------------

    def initial(self, decl):
        """[R] A := a mix of its indices."""
        value = self.mix(self.env.regions[decl.region])
        target = m.Arr(decl.name, "x" if decl.type == "rec" else "")
        if decl.type == "boolean":
            value = m.Bin("=", m.Bin("%", value.a, m.lit(self.int(2, 3))), m.lit(0))
        elif decl.type in FLOATS or decl.type in ("rec", "dcomplex"):
            scale = 0.25 if self.exact else 0.37
            value = m.Bin("*", value, m.Lit("double", scale))
        if decl.type == "string":
            value = self.initial_text(value)
        body = m.Assign(target, ":=", value)
        if decl.type == "rec":
            body = m.Block((body, m.Assign(m.Arr(decl.name, "k"), ":=", value.a)))
            if self.has("strings"):
                text = m.Assign(m.Arr(decl.name, "s"), ":=", self.initial_text(value.a))
                body = m.Block(body.stmts + (text,))
        return m.Scope(m.RegName(decl.region), None, body)

    def initial_text(self, value):
        return m.Call("format", (m.Lit("string", self.pick(("k%d", "%d,x", "n%02d "))), value))

    def printed(self, decl):
        """All of an array, or checksums."""
        region = self.env.regions[decl.region]
        ref = m.Arr(decl.name)
        small = g.count(region) <= PRINTED
        flooded = any(d.kind == g.FLOOD for d in region)
        if small or flooded or decl.type not in (*INTS, *FLOATS, "string"):
            form = "" if self.chance(0.2) and self.exact else format_of(decl.type)
            items = (m.Item(form, ref),)
        else:
            weights = m.lit(3)
            for i in range(1, len(region) + 1):
                weights = m.Bin("+", weights, m.Bin("*", m.Index(i), m.lit(2 * i + 1)))
            total = format_of("double" if decl.type in FLOATS else "integer")
            value = m.Call("length", (ref,)) if decl.type == "string" else ref
            form = format_of("string") if decl.type == "string" else total
            items = (m.Item(total, m.Reduce("+", m.Bin("*", value, weights))),
                     m.Item(form, m.Reduce("max", ref)), m.Item(form, m.Reduce("min", ref)))
        s = m.Scope(m.RegName(decl.region), None, m.Write(decl.name + ":", items))
        if self.legal(Context([self.env]), s):
            return s
        return m.Scope(m.RegName(decl.region), None,
                       m.Write(decl.name + ":", (m.Item(format_of(decl.type), ref),)))

    def printed_scalars(self):
        items = tuple(m.Item(format_of(d.type), m.Name(d.name)) for d in self.scalars
                      if d.name not in "ij")
        return m.Write("scalars", items)


def program(seed, features):
    """What is wrong only as a whole (a statement with the border that others
    read was dropped) is rare; then the dice are thrown anew."""
    for again in range(20):
        made = Programs(seed, features, f"{seed} {again}" if again else seed).make()
        try:
            check.program(made)
            return made
        except Illegal:
            continue
    raise AssertionError(f"no legal program for seed {seed}")
