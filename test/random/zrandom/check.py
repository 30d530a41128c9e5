"""Legality of statements, procedures and programs.

    program(p)            raises Illegal if p is not legal (or not exact)
    environment(p)        the Env at the start of the entry procedure
    stmt(env, s)          a statement there
"""
import itertools
from dataclasses import replace

from . import check_expr as ce
from . import geometry as g
from . import model as m
from . import scope
from .check_expr import need
from .facts import FLOATS, Illegal, assignable, is_int, totalled, variable

DEEPEST, LONGEST, MOST = 10, 12, 64
OPERATORS = {"+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%", "&=": "&", "|=": "|",
             "max=": "max", "min=": "min"}


# ---- Programs ----------------------------------------------------------------

def environment(p):
    env = scope.Env(p.exact, {c.name: c.used for c in p.configs})
    for d in p.dirs:
        place = env.dirvars if d.variable else env.dirs
        place[d.name] = scope.direction(env, d.dir)
    for r in p.regions:
        env.regions[r.name] = scope.region(env, r.region)
    beside = scope.borders(p, env)
    for a in p.arrays:
        need(a.region in env.regions, "unknown region")
        declared = env.regions[a.region]
        boxes = scope.boxes(declared, beside.get(a.name, ()))
        env.arrays[a.name] = scope.Array(declared, a.type, a.region, boxes=boxes,
                                        storage=a.name)
    for s in p.scalars:
        env.scalars[s.name] = scope.Scalar(s.type)
    for d in p.lists:
        env.lists[d.name] = listed(env, d)
    for proc in p.procs:
        if not proc.rank:
            scalar_procedure(env, proc)
        env.procs[proc.name] = proc
    return env


def listed(env, d, outer=True):
    """What is known of an indexed array where its declaration stands."""
    least = most = 1
    for b in d.bounds:
        lo, hi = ce.fact(env, b.lo, 0), ce.fact(env, b.hi, 0)
        need(isinstance(b.lo, m.Lit) and is_int(hi.type) and hi.type not in ("boolean", "longint"),
             "bounds")
        need(lo.hi <= hi.lo, "perhaps no element")
        least, most = least * (hi.lo - lo.hi + 1), most * (hi.hi - lo.lo + 1)
    need(most <= MOST, "large")
    return scope.List(d.type, d.rank, least, MOST if not d.bounds else most, not d.bounds,
                      outer=outer)


def program(p):
    try:
        stmt(environment(p), p.body)
    except RecursionError as error:
        raise Illegal("too deep") from error


def scalar_procedure(env, proc):
    """Its body, once for all calls."""
    parallel = (m.Arr, m.Index, m.Scope, m.Write, m.Reduce, m.CallS, m.Split)
    need(not any(isinstance(n, parallel) for n in m.walk(proc.body)),
         "a scalar procedure is not parallel")
    stmt(scalar_frame(env, proc), proc.body)
    need(not proc.result or returns(proc.body), "function without return")
    again = [n for n in m.walk(proc.body) if isinstance(n, m.Call) and n.name == proc.name]
    need(not again or ends(proc, again), "recursion may not end")


def scalar_frame(env, proc):
    inner = replace(env, arrays={}, cover={}, proc=proc, scalars=dict(env.scalars),
                    procs=dict(env.procs), lists=constant(env.lists))
    for name, s in env.scalars.items():
        inner.scalars[name] = replace(s, writable=False)
    for f in proc.formals:
        inner.scalars[f.decl.name] = scope.Scalar(f.decl.type, f.mode not in ("", "const"))
    for d in proc.locals:
        if isinstance(d, m.ListDecl):
            inner.lists[d.name] = listed(inner, d, False)
        else:
            inner.scalars[d.name] = scope.Scalar(d.type)
    inner.procs[proc.name] = proc
    return inner


def constant(lists):
    """As procedures see those of the program, which they may not resize."""
    return {k: replace(v, writable=False) for k, v in lists.items() if v.outer}


def ends(proc, again):
    """`if k <= 0 then return ...` comes first, and every call passes k - 1."""
    k = m.Name(proc.formals[0].decl.name)
    guard = proc.body.stmts[0]
    return (isinstance(guard, m.If) and guard.cond == m.Bin("<=", k, m.lit(0))
            and returns(guard.then) and proc.formals[0].mode in ("", "const")
            and not any(isinstance(n, m.Call) and n.name == proc.name
                        for n in m.walk(guard))
            and all(n.args[0] == m.Bin("-", k, m.lit(1)) for n in again))


def returns(body):
    return bool(body.stmts) and isinstance(body.stmts[-1], m.Return)


# ---- Calls -------------------------------------------------------------------

def call_value(env, e, rank):
    """A call in an expression."""
    proc = env.procs[e.name]
    need(proc.result, "no value")
    if proc.rank:
        ce.plain(env)
        need(proc.rank == rank, "result of another rank")
        bind(env, proc, e.args)
        return variable(proc.result, rank)
    result = 0
    need(len(e.args) == len(proc.formals), "number of arguments")
    for f, arg in zip(proc.formals, e.args):
        need(f.mode in ("", "const", "in"), "reference in an expression")
        result = max(result, ce.by_value(env, f.decl.type, arg, rank).rank)
    return variable(proc.result, result)


ce.calls.append(call_value)


def call_stmt(env, s):
    need(s.name in env.procs, "unknown procedure")
    proc = env.procs[s.name]
    need(env.proc is None or not env.proc.result or not proc.rank, "a function calls")
    if proc.rank:
        need(env.written is None, "parallel call in shattered control flow")
        need(not proc.result, "dropped result")
        bind(env, proc, s.args)
        return
    rank = ce.first(env, s.args)
    need(len(s.args) == len(proc.formals), "number of arguments")
    seen = set()
    for f, arg in zip(proc.formals, s.args):
        if f.mode in ("", "const", "in"):
            ce.by_value(env, f.decl.type, arg, rank or 0)
            continue
        if rank is None:
            need(isinstance(arg, m.Name), "reference to no variable")
            assign_scalar(env, arg, f.decl.type)
        else:
            need(isinstance(arg, m.Arr), "reference to no array")
            info, kind = ce.array(env, arg)
            need(kind == f.decl.type and len(info.region) == rank, "reference to another type")
            store(env, info, env.region(rank), arg.name)
            need(not scope.aliases(env, arg.name, seen), "aliases")
        seen.add(getattr(arg, "name", ""))
    for f, arg in zip(proc.formals, s.args):
        if f.mode in ("", "const", "in") and rank is not None:
            need(not any(isinstance(n, m.Arr) and scope.aliases(env, n.name, seen)
                         for n in m.walk(arg)), "aliases of an element")


def bind(env, proc, args):
    """Checks the body of a parallel procedure for this call."""
    stmt(bound(env, proc, args), proc.body)
    need(not proc.result or returns(proc.body), "function without return")


def bound(env, proc, args):
    """The state at the start of the body."""
    need(env.depth < DEEPEST, "recursion too deep")
    need(len(args) == len(proc.formals), "number of arguments")
    inner = frame(env, proc)
    for f, arg in zip(proc.formals, args):
        if f.static:
            inner.statics[f.decl.name] = scope.integer(env, arg)
        elif isinstance(f.decl, m.ArrDecl):
            inner.arrays[f.decl.name] = array_argument(env, f, arg)
        else:
            scalar_argument(env, inner, f, arg)
    for d in proc.locals:
        if isinstance(d, m.RegDecl):
            inner.regions[d.name] = scope.region(inner, d.region)
            inner.inner |= {d.name}
        elif isinstance(d, m.ArrDecl):
            need(not d.region or d.region in inner.regions, "unknown region")
            home = inner.regions[d.region] if d.region else env.region(d.rank)
            own = f"{d.name} of {inner.depth}"
            inner.arrays[d.name] = scope.Array(home, d.type, outer=False, storage=own)
        elif isinstance(d, m.ListDecl):
            inner.lists[d.name] = listed(inner, d, False)
        else:
            inner.scalars[d.name] = scope.Scalar(d.type, outer=False)
    return inner


def frame(env, proc):
    """What a parallel procedure sees before its formals are bound."""
    active = {n for n in env.statics if n in env.scalars}
    return replace(
        env, guard=frozenset(f.decl.name for f in proc.formals if f.static),
        statics={k: v for k, v in env.statics.items()
                 if k not in active and k not in env.guard},
        regions={k: r for k, r in env.regions.items() if k not in env.inner},
        inner=frozenset(),
        arrays={k: replace(a, writable=not proc.result)
                for k, a in env.arrays.items() if a.outer},
        scalars={k: replace(s, writable=s.writable and not proc.result and k not in active)
                 for k, s in env.scalars.items() if s.outer},
        cover={r: replace(c, edge=None) for r, c in env.cover.items()},
        lists=constant(env.lists),
        proc=proc, depth=env.depth + 1, loop="")


def array_argument(env, f, arg):
    rank = f.decl.rank
    by_reference = f.mode in ("inout", "out")
    storage = f"{f.decl.name} of {env.depth + 1}"
    if isinstance(arg, m.Arr) and (by_reference or not arg.field):
        info, kind = ce.array(env, arg)
        need(kind == f.decl.type and len(info.region) == rank, "array of another type")
        need(not by_reference or info.writable, "constant by reference")
        region = info.region
        storage = info.storage if by_reference else storage
    else:
        need(not by_reference, "reference to an expression")
        need(ce.rank_of(env, arg) == rank, "argument of another rank")
        got = ce.fact(env, arg, rank)
        need(got.type == f.decl.type and assignable(f.decl.type, got, env.exact)
             and got.rank == rank, "argument does not fit")
        region = env.region(rank)
        need(not g.is_empty(region), "a temporary without elements")
    if f.decl.region:
        need(region == env.regions[f.decl.region], "argument over another region")
    return scope.Array(region, f.decl.type, writable=f.mode in ("in", "inout", "out"),
                       outer=False, storage=storage)


def scalar_argument(env, inner, f, arg):
    if f.mode in ("inout", "out"):
        need(isinstance(arg, m.Name), "reference to no variable")
        assign_scalar(env, arg, f.decl.type)
    else:
        need(ce.by_value(env, f.decl.type, arg, 0).rank == 0, "array for a scalar")
    inner.scalars[f.decl.name] = scope.Scalar(f.decl.type, f.mode not in ("", "const"), False)


# ---- Statements --------------------------------------------------------------

def stmt(env, s):
    CASES[type(s)](env, s)


def block(env, s):
    for i, inner in enumerate(s.stmts):
        need(not isinstance(inner, m.Return) or i + 1 == len(s.stmts), "return in between")
        stmt(env, inner)


def assign_scalar(env, target, kind=None):
    need(env.written is None, "scalar assigned in shattered control flow")
    need(target.name not in env.statics and target.name in env.scalars, "no variable")
    info = env.scalars[target.name]
    need(info.writable, "not assignable")
    need(kind in (None, info.type), "variable of another type")
    return info.type


def store(env, info, region, name):
    need(info.writable, "array is not assignable")
    need(scope.writable(region, info), "writes outside")
    need(env.written is None or name in env.written, "unplanned write")


def swept(env, s):
    """The state of a statement that is repeated for the elements of an indexed array, if it is."""
    names = {n.name for n in m.walk(s) if isinstance(n, m.Whole)}
    need(len(names) <= 1 and names <= set(env.lists), "elements of several")
    need(not names or (env.written is None and env.wave is None), "blank reference here")
    return replace(env, sweep="".join(names))


def assign(env, s):
    env = swept(env, s)
    t = s.target
    need(not s.short or s.fix, "nothing to make short")
    if isinstance(t, (m.Elem, m.Whole)):
        need(env.written is None and env.lists[t.name].writable, "indexed array assigned here")
        kind, rank, old = ce.fact(env, t, 0).type, 0, 0
        need(ce.rank_of(env, s) is None, "array assigned to an element")
        f = ce.fact(env, s.e, 0)
    elif isinstance(t, m.Name):
        kind, rank, old = assign_scalar(env, t), 0, 0
        f = ce.fact(env, s.e, 0)
        need(f.rank == 0, "array assigned to a scalar")
    elif isinstance(t, m.Remap):
        scatter(env, s)
        return
    else:
        ref = t.ref if isinstance(t, m.At) else t
        info, kind = ce.array(env, ref)
        rank = len(info.region)
        region = env.region(rank)
        if isinstance(t, m.At):
            need(env.written is None, "@ written in shattered control flow")
            region = ce.moved(env, t, info, rank)
        store(env, info, region, ref.name)
        f = ce.fact(env, s.e, rank)
        old = rank
    if s.op != ":=":
        f = ce.combined(env, OPERATORS[s.op], variable(kind, old), f)
    need(fits(env, s, kind, f), "value does not fit")
    need(not s.fix or (s.fix == "here" and (rank or s.short)), "fix")


def fits(env, s, kind, f):
    if s.short:
        return kind == f.type == "string"
    if s.fix:
        return kind in FLOATS and (f.type in FLOATS or is_int(f.type)) \
            and f.size < 1e9 and (f.bits <= 3 or not env.exact)
    return assignable(kind, f, env.exact)


def scatter(env, s):
    t = s.target
    ce.plain(env)
    info, kind = ce.array(env, t.ref)
    rank = ce.first(env, t.maps) or ce.rank_of(env, s.e)
    need(rank is not None and ce.first(env, t.maps) in (None, rank), "rank of a scatter")
    region = env.region(rank)
    need(all(d.kind != g.FLOOD for d in info.region), "scatter to a flooded dimension")
    need(all(d.kind != g.FLOOD for d in region), "scatter from a flooded dimension")
    need(len(t.maps) == len(info.region) and info.writable, "scatter")
    ce.check_maps(env, t.maps, info.region, rank)
    f = ce.fact(env, s.e, rank)
    need(kind != "rec" or s.op == ":=", "records are not combined")
    if kind == "string":
        need(s.op in (":=", "+="), "combining strings")
    elif s.op in ("+=", "-=") and not is_int(kind):
        f = totalled("+", f, max(1, g.count(region)) + 1, True, env.exact)
    elif s.op != ":=":
        need(is_int(kind) or s.op in ("max=", "min="), "combining floating values")
    if s.op != ":=":
        f = ce.combined(env, OPERATORS[s.op], variable(kind, rank), f)
    need(fits(env, s, kind, f), "value does not fit")
    need(not s.fix or s.fix == info.home, "fix")


def scoped(env, s):
    r = s.region
    rank = None
    if isinstance(r, m.Quote):
        need(s.mask and not isinstance(s.mask.e, m.Quote), "a bare quote")
        rank = ce.rank_of(env, s.mask.e)
    value = scope.region(env, r, rank)
    need(env.written is None, "scope in shattered control flow")
    rank = len(value)
    where = None
    if s.mask:
        where = env.mask_region(rank, s.mask, value)
        need(g.can_read(value, where), "the inherited mask is not there")
        ce.mask(env.under(rank, scope.Cover(value)), s.mask, rank)
    cover = scope.Cover(value, s.mask is not None, scope.edge(env, r), where)
    stmt(env.under(rank, cover), s.body)


def resize(env, s):
    need(env.written is None and s.name in env.lists, "resize here")
    info = env.lists[s.name]
    need(info.grows and info.writable and len(s.sizes) == info.rank, "does not grow")
    most = 1
    for e in s.sizes:
        f = ce.fact(env, e, 0)
        need(f.rank == 0 and f.type == "integer" and f.lo >= 1, "size")
        most *= f.hi
    need(most <= MOST, "large")


def split(env, s):
    need(env.written is None and s.name in env.lists, "split here")
    info, f = env.lists[s.name], ce.fact(env, s.e, 0)
    need(info.writable and info.type == "string" and info.rank == 1, "pieces")
    need(f.rank == 0 and f.type == "string" and s.room == info.grows
         and f.hi < (MOST if s.room else info.least), "number of pieces")
    assign_scalar(env, s.target, "integer")


ELEMENTWISE = (m.Once, m.Block, m.Assign, m.Arr, m.At, m.Prime, m.DirName, m.DirLit, m.Scaled, m.Lit,
               m.Name, m.Index, m.Un, m.Bin, m.Call)


def wave(env, s):
    """A scan block: assignments to arrays of one rank, element by element."""
    need(env.written is None and env.wave is None and s.body.stmts, "scan block here")
    targets = [a.target for a in s.body.stmts]
    need(all(isinstance(t, m.Arr) for t in targets), "target of a scan block")
    for n in m.walk(s.body):
        need(isinstance(n, ELEMENTWISE), "not element-wise")
        need(not isinstance(n, m.At) or not n.wrap, "@^ in a scan block")
        need(not isinstance(n, m.Call) or n.name not in env.procs or is_scalar(env.procs[n.name]),
             "call in a scan block")
    rank = ce.rank_of(env, targets[0])
    need(all(d.kind != g.FLOOD for d in env.region(rank)), "scan block over a flood")
    names = {n.name for n in m.walk(s.body) if isinstance(n, m.Arr)}
    need(not any(scope.aliases(env, n, names - {n}) for n in names), "aliases")
    need(all(len(env.arrays[n].region) == rank for n in names), "ranks")
    primes = [scope.direction(env, n.dir) for n in m.walk(s.body) if isinstance(n, m.Prime)]
    need(primes and ordered(primes), "no order for the block")
    stmt(replace(env, wave=frozenset(t.name for t in targets)), s.body)


def is_scalar(proc):
    """A function of values, which a scan block may call for its elements."""
    return proc.rank == 0 and proc.result and all(
        f.mode in ("", "const", "in") for f in proc.formals)


def ordered(offsets):
    """Whether some order of the dimensions, up or down in each, comes to every
    index after those at all offsets from it."""
    rank = len(offsets[0])
    if rank > 4 or any(not any(o) for o in offsets):
        return False

    def behind(offset, order, signs):
        first = next(d for d in order if offset[d])
        return offset[first] * signs[first] < 0
    return any(all(behind(o, order, signs) for o in offsets)
               for order in itertools.permutations(range(rank))
               for signs in itertools.product((1, -1), repeat=rank))


def condition(env, e):
    f = ce.fact(env, e, 0)
    need(f.rank == 0 and f.type == "boolean", "no condition")


def decided(env, e):
    """The value of a condition that ends a recursion, else None."""
    names = {n.name for n in m.walk(e) if isinstance(n, m.Name)}
    if isinstance(e, m.Bin) and names & env.guard:
        a, b = scope.integer(env, e.a), scope.integer(env, e.b)
        return {"<": a < b, ">": a > b, "=": a == b}.get(e.op)
    return None


def branch(env, s):
    condition(env, s.cond)
    known = decided(env, s.cond)
    if known is not False:
        stmt(env, s.then)
    if known is not True and s.other:
        stmt(env, s.other)


def counted(env, s):
    lo, hi = scope.integer(env, s.lo), scope.integer(env, s.hi)
    step = -s.by if s.down else s.by
    values = list(range(lo, hi + (-1 if s.down else 1), step))
    repeated(replace(env, loop="for"), s.var, values or [lo], s.body)


def repeated(env, var, values, body):
    need(var in env.scalars and env.scalars[var].writable, "loop variable")
    need(var not in env.statics and env.written is None, "loop variable in use")
    need(len(values) <= LONGEST, "long loop")
    for v in values:
        stmt(env.knowing(var, v), body)


def looped(env, s):
    repeated(replace(env, loop=s.kind), s.var, list(range(max(1, s.n))), s.body)


def written_in(body):
    """Arrays that a shattered statement writes."""
    names = set()
    for n in m.walk(body):
        if isinstance(n, m.Assign):
            names.add(getattr(n.target, "name", ""))
        elif isinstance(n, (m.ShFor, m.ShLoop)):
            names.add(n.var)
        elif isinstance(n, m.CallS):
            names |= {a.name for a in n.args if isinstance(a, m.Arr)}
    return names


def shattered(env, s):
    """Enters shattered control flow, or goes on in it."""
    head = s.cond if isinstance(s, m.ShIf) else m.Arr(s.var)
    rank = ce.rank_of(env, head)
    need(rank, "condition without arrays")
    for n in m.walk(s):
        if isinstance(n, m.Arr):
            need(len(ce.array(env, n)[0].region) == rank, "two ranks")
        need(not isinstance(n, (m.Scope, m.For, m.Count, m.If, m.Write, m.FromFile,
                                   m.Edge, m.Resize, m.Split)), "statement in shattered control flow")
    if env.written is None:
        return rank, replace(env, written=frozenset(written_in(s)), looping=False)
    return rank, env


def shattered_if(env, s):
    rank, env = shattered(env, s)
    f = ce.fact(env, s.cond, rank)
    need(f.type == "boolean" and f.rank == rank, "condition")
    stmt(env, s.then)
    if s.other:
        stmt(env, s.other)


def shattered_loop(env, s):
    rank, env = shattered(env, s)
    need(env.arrays[s.var].type == "integer", "loop array")
    store(env, env.arrays[s.var], env.region(rank), s.var)
    ends = (s.lo, s.hi) if isinstance(s, m.ShFor) else (s.limit,)
    for e in ends:
        f = ce.fact(env, e, rank)
        need(f.type in ("integer", "ubyte") and f.size <= 40, "bounds of a loop")
    inner = replace(env, looping=True)
    need(not scope.aliases(env, s.var, written_in(s.body)), "loop array assigned")
    stmt(inner, s.body)


def jump(env, s):
    if env.written is None:
        need(env.loop and (s.kind == "exit" or env.loop == "for"), "no such loop")
        condition(env, s.cond)
        return
    need(env.looping, "no loop")
    f = ce.fact(env, s.cond, ce.rank_of(env, s.cond) or 0)
    need(f.type == "boolean" and f.rank, "condition")


def write(env, s):
    env = swept(env, s)
    need(env.written is None and (env.proc is None or not env.proc.result), "output")
    for item in s.items:
        rank = ce.rank_of(env, item.e)
        f = ce.fact(env, item.e, rank or 0)
        need((rank or 0) == f.rank, "item")
        need(not isinstance(item.e, m.Lit), "literal")
        if item.format:
            need(conversion(item.format) == expected(f.type), "format")


def conversion(text):
    at = text.index("%")
    return text[at:].rstrip()


def expected(kind):
    if kind in FLOATS:
        return "%.17g"
    return {"dcomplex": "%g %g", "rec": "", "string": "%s;"}.get(kind, "%d")


def from_file(env, s):
    need(env.written is None and (env.proc is None or not env.proc.result), "input")
    info, kind = ce.array(env, s.target)
    rank = len(info.region)
    store(env, info, env.region(rank), s.target.name)
    need(kind == "boolean" and ce.fact(env, s.e, rank).rank == rank, "other bytes")


def edges(env, s):
    need(env.written is None and (env.proc is None or not env.proc.result), "wrap")
    for name in s.names:
        need(name in env.arrays, "unknown array")
        info = env.arrays[name]
        cover = env.cover.get(len(info.region))
        need(cover and cover.edge, "no border")
        parts, base = cover.edge
        source = []
        for d, dim in zip(parts, base):
            need(dim.kind != g.FLOOD and dim.s == 1, "border of such a region")
            need(d == 0 or dim.kind == g.RANGE, "border of a singleton")
            need(abs(d) <= len(dim.ids()), "border too wide")
            source.append(g.apply("in", -d if s.kind == "wrap" else d, dim))
        store(env, info, cover.region, name)
        need(g.can_read(tuple(source), info.region), "border from outside")
        need(not g.is_empty(base) and len(parts) == len(info.region), "border of nothing")


def result(env, s):
    need(env.proc is not None and env.proc.result and env.written is None, "return")
    rank = env.proc.rank
    f = ce.fact(env, s.e, rank)
    need(f.rank == rank or (rank == 0 and f.rank == 0), "result of another rank")
    need(assignable(env.proc.result, f, env.exact), "result does not fit")


CASES = {
    m.Block: block, m.Assign: assign, m.Scope: scoped, m.If: branch, m.For: counted,
    m.Count: looped, m.ShIf: shattered_if, m.ShFor: shattered_loop,
    m.ShLoop: shattered_loop, m.Jump: jump, m.CallS: call_stmt, m.Write: write,
    m.Raw: lambda env, s: None, m.FromFile: from_file, m.Edge: edges, m.Wave: wave,
    m.Return: result, m.Resize: resize, m.Split: split,
}
