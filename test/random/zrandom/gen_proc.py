"""Makes procedures: scalar ones to be promoted, parallel ones, recursive ones."""
from dataclasses import replace

from . import check
from . import geometry as g
from . import model as m
from . import scope
from .facts import Illegal
from .gen_base import Context
from .gen_expr import group_of
from .gen_stmt import Statements

SCALARS = ("integer", "integer", "double", "boolean")


class Procedures(Statements):
    def procedures(self):
        """Adds procedures to self.env; those that are never called go later."""
        makers = []
        if self.has("promoted"):
            makers += [self.scalar_function] * self.int(1, 2)
            makers += [self.scalar_statement] * self.int(0, 1)
            if self.has("recursion") and self.chance(0.3):
                makers.append(self.scalar_recursion)
        if self.has("lists") and self.chance(0.5):
            makers += [self.list_function] * self.int(1, 2)
        if self.has("parallel"):
            makers += [self.parallel_function] * self.int(0, 1)
            makers += [self.parallel_statement] * self.int(1, 2)
            if self.has("recursion") and self.chance(0.4):
                makers.append(self.parallel_recursion)
        for number, make in enumerate(makers, 1):
            self.current = f"p{number}"
            proc = make(self.current)
            if proc is not None:
                self.env.procs[proc.name] = proc
            self.current = ""

    # ---- scalar ------------------------------------------------------------------

    def scalar_type(self):
        return self.pick(SCALARS + self.text_kinds("string"))

    def scalar_formals(self, modes):
        return tuple(m.Formal(mode, m.ScalarDecl(name, self.scalar_type()))
                     for mode, name in zip(modes, "uvw"))

    def scalar_function(self, name):
        modes = [self.pick(("", "", "in", "const")) for _ in range(self.int(1, 3))]
        formals = self.scalar_formals(modes)
        result = self.scalar_type()
        return self.scalar_body(m.Proc(name, formals, result, 0,
                                       (m.ScalarDecl("t", self.pick(SCALARS)),), m.Block(())))

    def scalar_statement(self, name):
        modes = ["inout", self.pick(("inout", "out", ""))] + [""] * self.int(0, 1)
        formals = self.scalar_formals(modes)
        return self.scalar_body(m.Proc(name, formals, "", 0,
                                       (m.ScalarDecl("t", self.pick(SCALARS)),), m.Block(())))

    def scalar_body(self, proc):
        c = Context([check.scalar_frame(self.env, proc)], proc)
        stmts = []
        for _ in range(self.int(1, 3)):
            s = self.assign_scalar(c)
            if s is not None and self.chance(0.3):
                s = m.If(self.truth(c, 0, 1), m.Block((s,)))
            if self.legal(c, s):
                stmts.append(s)
        if proc.result:
            e = self.value_for(c, 0, proc.result, 2)
            if e is None:
                return None
            stmts.append(m.Return(e))
        proc = replace(proc, body=m.Block(tuple(stmts)))
        return proc if stmts and self.is_legal(proc) else None

    def list_function(self, name):
        """With indexed arrays of its own."""
        formals = self.scalar_formals(["", ""][:self.int(1, 2)])
        result = self.scalar_type()
        outer = Context([check.scalar_frame(self.env, m.Proc(
            name, formals, result, 0, (), m.Block(())))])
        lists = tuple(self.list_decl(outer, n, self.chance(0.4)) for n in "ac"[:self.int(1, 2)])
        scalars = tuple(m.ScalarDecl(n, t) for n, t in (
            ("t", "integer"), ("l", "integer"), ("h", result)))
        proc = m.Proc(name, formals, result, 0, scalars + lists, m.Block(()))
        try:
            c = Context([check.scalar_frame(self.env, proc)], proc)
        except Illegal:
            return None
        stmts = [self.list_part(c) for _ in range(self.int(2, 5))]
        e = self.value_for(c, 0, result, 2)
        if e is None:
            return None
        stmts = tuple(s for s in stmts if s is not None) + (m.Return(e),)
        proc = replace(proc, body=m.Block(stmts))
        return proc if self.is_legal(proc) else None

    def list_part(self, c):
        """One legal statement of such a function, or None."""
        way = self.weighted([(6, self.list_statement), (2, self.assign_scalar),
                             (1, self.list_branch), (1, self.list_loop)])
        return self.attempt(4, lambda: way(c), lambda s: self.legal(c, s))

    def list_branch(self, c):
        s = self.list_part(c)
        return s and m.If(self.truth(c, 0, 1), m.Block((s,)))

    def list_loop(self, c):
        n = self.int(1, 3)
        if "l" in c.env.statics:
            return None
        inner = replace(c, envs=[e.knowing("l", v) for e in c.envs for v in range(1, n + 1)])
        s = self.list_part(inner)
        return s and m.For("l", m.lit(1), m.lit(n), False, 1, m.Block((s,)))

    def scalar_recursion(self, name):
        """f(k, u): the guard first, then something with f(k - 1, ...)."""
        formals = (m.Formal("", m.ScalarDecl("k", "ubyte")),
                   m.Formal("", m.ScalarDecl("u", "integer")))
        proc = m.Proc(name, formals, "integer", 0, (), m.Block(()))
        c = Context([check.scalar_frame(self.env, proc)], proc)
        k = m.Name("k")
        again = m.Call(name, (m.Bin("-", k, m.lit(1)), self.number(c, 0, 1)))
        e = m.Bin(self.pick("+-*"), self.number(c, 0, 1), again)
        guard = m.If(m.Bin("<=", k, m.lit(0)), m.Block((m.Return(self.number(c, 0, 1)),)))
        proc = replace(proc, body=m.Block((guard, m.Return(e))))
        return proc if self.is_legal(proc) else None

    def is_legal(self, proc):
        try:
            check.scalar_procedure(self.env, proc)
            return True
        except Illegal:
            return False

    # ---- parallel ----------------------------------------------------------------

    def parallel_formals(self, rank, pure):
        """Formals with example arguments."""
        formals, args = [], []
        main = Context([self.env])
        for name in ["P", "Q"][:self.int(0 if not pure else 1, 2)]:
            arrays = self.arrays(main, rank if self.chance(0.8) else None)
            arrays = [a for a in arrays if self.env.arrays[a].type != "rec" or not pure]
            if not arrays:
                continue
            actual = self.pick(arrays)
            info = self.env.arrays[actual]
            home = info.home if self.chance(0.3) else ""
            modes = ["", "", "const", "in"] + ([] if pure else ["inout", "inout", "out"])
            formals.append(m.Formal(self.pick(modes), m.ArrDecl(
                name, info.type, home, len(info.region))))
            args.append(m.Arr(actual))
        if self.chance(0.5):
            formals.append(m.Formal("", m.ScalarDecl("k", "integer"), True))
            args.append(m.lit(2))
        if self.chance(0.4):
            mode = "" if pure else self.pick(("", "inout", "out"))
            decl = m.ScalarDecl("u", self.pick(("integer", "double", *self.text_kinds("string"))))
            formals.append(m.Formal(mode, decl))
            args.append(self.literal(group_of(decl.type))
                        if not mode else m.Name(self.scalar_of(decl.type)))
        return tuple(formals), tuple(args)

    def scalar_of(self, kind):
        return next(n for n, s in self.env.scalars.items()
                    if s.type == kind and n not in self.counters)

    def parallel_locals(self, rank, formals):
        k = any(f.static for f in formals)
        found, home = [], ""
        if self.has("dynamic") and self.chance(0.3):
            home = "Part" if self.chance(0.5) else ""
            found.append(m.RegDecl("Part", self.part_region(rank, k)))
        found += [m.ScalarDecl(n, "integer") for n in ("l", "o")]
        if self.chance(0.5):
            kinds = ("integer", "double", "boolean", *self.text_kinds("string"))
            found.append(m.ArrDecl("T", self.pick(kinds), home, rank))
        if self.has("lists") and self.chance(0.3):
            c = Context([self.env.knowing("k", 2) if any(f.static for f in formals) else self.env])
            found.append(self.list_decl(c, "a", self.chance(0.4)))
        return tuple(found)

    def part_region(self, rank, k):
        """A local region; where there is a formal k it depends on that."""
        main = Context([self.env.knowing("k", 2) if k else self.env])
        home = self.pick(self.homes(main, rank))
        if self.has("regionops") and k and self.chance(0.5):
            parts = [self.pick((m.Name("k"), m.lit(0), m.lit(1))) for _ in range(rank)]
            return m.RegOp(self.pick(("in", "at")), m.DirLit(tuple(parts)), m.RegName(home))
        return m.RegLit(tuple(self.part(main, d, False) for d in self.env.regions[home]))

    def example(self, proc, args):
        """The states in which the body is made: several values of k."""
        rank = proc.rank
        home = self.pick(self.homes(Context([self.env]), rank))
        cover = self.env.regions[home]
        if g.is_empty(cover):
            return None
        states = []
        for k in (1, 2, 3):
            outer = self.env.under(rank, scope.Cover(cover))
            actual = tuple(m.lit(k) if f.static else a for f, a in zip(proc.formals, args))
            try:
                states.append(check.bound(outer, proc, actual))
            except Illegal:
                return None
            if not any(f.static for f in proc.formals):
                break
        return Context(states, proc, 1)

    def home_rank(self):
        ranks = sorted({len(a.region) for a in self.env.arrays.values()})
        return self.pick(ranks)

    def parallel_statement(self, name):
        rank = self.home_rank()
        formals, args = self.parallel_formals(rank, False)
        proc = m.Proc(name, formals, "", rank, self.parallel_locals(rank, formals), m.Block(()))
        c = self.example(proc, args)
        body = c and self.statements(c, self.int(1, 4))
        return body and replace(proc, body=body)

    def parallel_function(self, name):
        rank = self.home_rank()
        formals, args = self.parallel_formals(rank, True)
        kind = self.pick(("integer", "double", "boolean", *self.text_kinds("string")))
        proc = m.Proc(name, formals, kind, rank, self.parallel_locals(rank, formals), m.Block(()))
        c = self.example(proc, args)
        if c is None:
            return None
        body = self.statements(c, self.int(0, 2)) or m.Block(())
        e = self.value_for(c, rank, kind, 2)
        if e is None or not self.facts(c, e, rank)[0].rank:
            return None
        return replace(proc, body=m.Block(body.stmts + (m.Return(e),)))

    def parallel_recursion(self, name):
        """p(k, ...): if k > 0, something, itself for k - 1, perhaps in a part."""
        rank = self.home_rank()
        formals, args = self.parallel_formals(rank, False)
        static = m.Formal("", m.ScalarDecl("k", "integer"), True)
        formals = (static,) + tuple(f for f in formals if not f.static)
        args = (m.lit(2),) + tuple(a for a in args if not isinstance(a, m.Lit)
                                   or a.type != "integer" or a.value != 2)
        if len(args) != len(formals):
            return None
        proc = m.Proc(name, formals, "", rank, self.parallel_locals(rank, formals), m.Block(()))
        c = self.example(proc, args)
        body = c and self.statements(c, self.int(1, 2))
        if not body:
            return None
        k = m.Name("k")
        call = m.CallS(name, (m.Bin("-", k, m.lit(1)),) + tuple(
            m.Name(f.decl.name) if isinstance(f.decl, m.ScalarDecl) else m.Arr(f.decl.name)
            for f in formals[1:]))
        if self.has("dynamic") and self.has("regionops") and self.chance(0.5):
            d = m.DirLit(tuple(m.lit(self.int(-2, 2)) for _ in range(rank)))
            call = m.Scope(m.RegOp("in", d, m.Quote()), None, call)
        before = self.chance(0.3)
        stmts = (call, *body.stmts) if before else (*body.stmts, call)
        guarded = m.If(m.Bin(">", k, m.lit(0)), m.Block(stmts))
        return replace(proc, body=m.Block((guarded,)))
