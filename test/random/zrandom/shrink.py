"""Makes a failing program small.

Greedy: each change is kept if the program stays legal and still fails in the
same way. Large cuts come first: statements in halves, then one by one; bodies
in place of the scopes and control flow around them; subexpressions or literals
in place of expressions; simpler regions, types, and smaller config variables.
"""
import time
from dataclasses import fields, replace

from . import check
from . import geometry as g
from . import model as m
from .facts import Illegal
from .prune import prune

STATEMENTS = (m.Assign, m.Scope, m.If, m.For, m.Count, m.ShIf, m.ShFor, m.ShLoop, m.Jump,
              m.Wave, m.Raw, m.CallS, m.Write, m.FromFile, m.Edge, m.Block, m.Return,
              m.Resize, m.Split)
REGIONS = (m.RegName, m.RegLit, m.Quote, m.RegOp)
DIRECTIONS = (m.DirName, m.DirLit, m.Scaled)
PARTS = REGIONS + DIRECTIONS + STATEMENTS + (m.Span, m.One, m.Star, m.Mask, m.Blank, m.Item)
LITERALS = (m.lit(1), m.lit(0), m.Lit("double", 1.0), m.Lit("boolean", True),
            m.Lit("string", "a"))


def is_expression(node):
    return not isinstance(node, PARTS)


class Shrinker:
    def __init__(self, program, fails, seconds):
        """fails(program) says whether it fails in the same way."""
        self.best, self.fails = program, fails
        self.end = time.monotonic() + seconds
        self.tried = set()

    def run(self):
        changes = [self.less_statements, self.unwrapped, self.inlined,
                   self.simpler_expressions, self.simpler_regions, self.simpler_declarations]
        changed = True
        while changed and time.monotonic() < self.end:
            changed = any([self.improve(change) for change in changes])
        return self.best

    def improve(self, change):
        """Takes candidates of one kind until none of them works."""
        improved, start = False, 0
        while time.monotonic() < self.end:
            found = self.next(change, start)
            if found is None and start == 0:
                break
            improved |= found is not None
            start = found or 0       # goes on where it was, then from the start
        return improved

    def next(self, change, start):
        """The number of the first candidate from start on that works, or None."""
        for i, candidate in enumerate(change(self.best)):
            if i >= start and self.accepts(candidate):
                return i
            if time.monotonic() > self.end:
                break
        return None

    def accepts(self, candidate):
        candidate = prune(candidate)
        key = hash(candidate)
        if key in self.tried or candidate == self.best:
            return False
        self.tried.add(key)
        try:
            check.program(candidate)
        except Illegal:
            return False
        if not self.fails(candidate):
            return False
        self.best = candidate
        return True

    # ---- kinds of candidates -------------------------------------------------------

    def less_statements(self, p):
        """Blocks without some of their statements, large parts first."""
        blocks = [(path, b) for path, b in m.slots(p) if isinstance(b, m.Block)]
        size = max((len(b.stmts) for _, b in blocks), default=0)
        while size:
            for path, b in blocks:
                n = len(b.stmts)
                for first in range(0, n, size):
                    if size > 1 and n < size:
                        continue
                    rest = b.stmts[:first] + b.stmts[first + size:]
                    if rest or isinstance(self.parent(p, path), (m.Program, m.Proc)):
                        yield m.put(p, path, m.Block(rest))
            size //= 2
        for i in range(len(p.procs)):
            yield replace(p, procs=p.procs[:i] + p.procs[i + 1:])

    def parent(self, p, path):
        node = p
        for name, i in path[:-1]:
            node = getattr(node, name)
            node = node if i is None else node[i]
        return node

    def unwrapped(self, p):
        """What is inside in place of a compound statement; no masks."""
        for path, s in m.slots(p):
            if isinstance(s, m.Scope):
                yield m.put(p, path, s.body)
                if s.mask:
                    yield m.put(p, path, replace(s, mask=None))
            elif isinstance(s, (m.If, m.ShIf)):
                yield m.put(p, path, s.then)
                if s.other:
                    yield m.put(p, path, s.other)
                    yield m.put(p, path, replace(s, other=None))
            elif isinstance(s, (m.ShFor, m.ShLoop)):
                yield m.put(p, path, s.body)
            elif isinstance(s, (m.For, m.Count)):
                yield m.put(p, path, s.body)
                if isinstance(s, m.For) and s.hi != s.lo:
                    yield m.put(p, path, replace(s, hi=s.lo))
                elif isinstance(s, m.Count) and s.n > 1:
                    yield m.put(p, path, replace(s, n=1))
            elif isinstance(s, m.Block) and any(isinstance(i, m.Block) for i in s.stmts):
                flat = []
                for inner in s.stmts:
                    flat += inner.stmts if isinstance(inner, m.Block) else [inner]
                yield m.put(p, path, m.Block(tuple(flat)))
            elif isinstance(s, m.Write) and len(s.items) > 1:
                for i in range(len(s.items)):
                    yield m.put(p, path, replace(s, items=s.items[:i] + s.items[i + 1:]))
            elif isinstance(s, m.Edge) and len(s.names) > 1:
                for name in s.names:
                    yield m.put(p, path, replace(s, names=(name,)))

    def inlined(self, p):
        """Bodies in place of calls, with arguments for parameters."""
        procs = {proc.name: proc for proc in p.procs}
        for path, s in m.slots(p):
            if not isinstance(s, m.CallS) or len(s.args) != len(procs[s.name].formals):
                continue
            proc = procs[s.name]
            values = {f.decl.name: arg for f, arg in zip(proc.formals, s.args)}
            yield m.put(p, path, substituted(proc.body, values))

    def simpler_expressions(self, p):
        for path, e in m.slots(p):
            if not path or not is_expression(e) or isinstance(
                    e, (m.Program, m.Proc, m.Formal, m.ArrDecl, m.ScalarDecl, m.ListDecl, m.Config,
                        m.RegDecl, m.DirDecl)):
                continue
            if isinstance(e, m.At):
                yield m.put(p, path, e.ref)
            if path[-1][0] in ("ref", "target", "segment"):
                continue             # only a designator can stand there
            for child in m.children(e):
                if is_expression(child):
                    yield m.put(p, path, child)
            if isinstance(e, m.Scan):
                yield m.put(p, path, replace(e, segment=None, dims=(), inclusive=False))
                yield m.put(p, path, replace(e, segment=None))
                yield m.put(p, path, replace(e, dims=()))
            if isinstance(e, m.Reduce) and e.mask:
                yield m.put(p, path, replace(e, mask=None))
            if not isinstance(e, m.Lit):
                for simple in LITERALS:
                    yield m.put(p, path, simple)
        for path, s in m.slots(p):
            if isinstance(s, m.Assign) and (s.op != ":=" or s.fix):
                yield m.put(p, path, replace(s, op=":=", fix=""))

    def simpler_regions(self, p):
        names = [m.RegName(r.name) for r in p.regions]
        known = check.environment(p).regions
        for i, decl in enumerate(p.regions):
            dims = known[decl.name]
            if isinstance(decl.region, m.RegOp) and all(d.s == 1 for d in dims):
                yield m.put(p, (("regions", i), ("region", None)), m.RegLit(tuple(
                    m.Star() if d.kind == g.FLOOD else m.One(m.lit(d.l)) if d.kind == g.ONE
                    else m.Span(m.lit(d.l), m.lit(d.h)) for d in dims)))
        for path, r in m.slots(p):
            if isinstance(r, m.RegOp):
                yield m.put(p, path, r.base)
            if isinstance(r, (m.RegLit, m.RegOp)) and path[-2:-1] != (("regions", None),):
                for name in names:
                    yield m.put(p, path, name)
            if isinstance(r, m.RegLit):
                for i, d in enumerate(r.dims):
                    if isinstance(d, m.Span) and d.lo != d.hi:
                        yield m.put(p, path + (("dims", i),), m.One(d.lo))
                    if isinstance(d, m.One) and isinstance(d.e, m.Name):
                        yield m.put(p, path + (("dims", i),), m.One(m.lit(1)))
            if isinstance(r, m.DirLit):
                for i, part in enumerate(r.parts):
                    for value in (0, 1, -1):
                        if part != m.lit(value) and part not in map(m.lit, (0, 1, -1)[:1]):
                            yield m.put(p, path + (("parts", i),), m.lit(value))

    def simpler_declarations(self, p):
        for i, c in enumerate(p.configs):
            for used in {1, 2, c.used // 2, c.used - 1} - {c.used}:
                if 0 < used < c.used:
                    smaller = replace(c, used=used, default=used)
                    yield m.put(p, (("configs", i),), smaller)
            if c.default != c.used:
                yield m.put(p, (("configs", i),), replace(c, default=c.used))
        for path, node in m.slots(p):
            if isinstance(node, m.Span) and isinstance(node.hi, m.Lit):
                for hi in {node.hi.value // 2, node.hi.value - 1}:
                    if hi < node.hi.value:
                        yield m.put(p, path, replace(node, hi=m.lit(hi)))
            if isinstance(node, m.Span) and isinstance(node.lo, m.Lit) and node.lo.value != 1:
                yield m.put(p, path, replace(node, lo=m.lit(1)))
        for i, a in enumerate(p.arrays):
            if a.type != "integer":
                yield m.put(p, (("arrays", i),), replace(a, type="integer"))
            for r in p.regions:
                if r.name != a.region:
                    yield m.put(p, (("arrays", i),), replace(a, region=r.name))
        for i, proc in enumerate(p.procs):
            for j in range(len(proc.formals)):
                yield self.without_formal(p, i, j)

    def without_formal(self, p, i, j):
        """A procedure with one parameter less, also in all its calls."""
        proc = p.procs[i]
        smaller = replace(proc, formals=proc.formals[:j] + proc.formals[j + 1:])
        p = replace(p, procs=p.procs[:i] + (smaller,) + p.procs[i + 1:])

        def change(node):
            for path, n in m.slots(node):
                if isinstance(n, (m.Call, m.CallS)) and n.name == proc.name \
                        and len(n.args) == len(proc.formals):
                    return change(m.put(node, path, replace(n, args=n.args[:j] + n.args[j + 1:])))
            return node
        return change(p)


def substituted(node, values):
    """The tree with names replaced by what they stand for."""
    if isinstance(node, (m.Name, m.Arr)) and node.name in values:
        value = values[node.name]
        if isinstance(node, m.Arr) and node.field and isinstance(value, m.Arr):
            return m.Arr(value.name, node.field)
        return value
    for f in fields(node):
        value = getattr(node, f.name)
        if isinstance(value, m.Node):
            node = replace(node, **{f.name: substituted(value, values)})
        elif isinstance(value, tuple):
            node = replace(node, **{f.name: tuple(
                substituted(v, values) if isinstance(v, m.Node) else v for v in value)})
    return node


def shrink(program, fails, seconds):
    return Shrinker(program, fails, seconds).run()
