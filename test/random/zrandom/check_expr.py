"""Legality of expressions: types, ranks, appendix B, ranges of values.

    fact(env, e, rank)    what is known of e in a statement of that rank, or Illegal
"""
import re
from dataclasses import replace

from . import geometry as g
from . import model as m
from . import scope
from .facts import (EXTREMES, FLOATS, INF, MADE, RANGES, Fact, Illegal, arithmetic, assignable, common,
                    fraction_bits, is_int, is_real, made, made_text, totalled, variable)

FIELDS = {"k": "integer", "x": "double", "s": "string"}
COMPARISONS = {"<", "<=", ">", ">=", "=", "!="}
ROUNDING = {"floor", "ceil", "trunc", "round"}


def need(condition, why):
    if not condition:
        raise Illegal(why)


def rank_of(env, e):
    """The rank that arrays in e ask for, None without any."""
    if isinstance(e, m.Arr):
        need(e.name in env.arrays, "unknown array")
        return len(env.arrays[e.name].region)
    if isinstance(e, m.Reduce) and e.region is None:
        return None
    if isinstance(e, m.Remap):
        return first(env, e.maps)
    if isinstance(e, m.Call) and e.name in env.procs and env.procs[e.name].rank:
        return env.procs[e.name].rank
    if isinstance(e, (m.At, m.Prime)):
        return rank_of(env, e.ref)
    return first(env, [c for c in m.children(e)
                       if not isinstance(c, (m.RegLit, m.RegName, m.RegOp, m.Quote, m.Mask))])


def first(env, nodes):
    return next((r for r in (rank_of(env, n) for n in nodes) if r is not None), None)


def array(env, ref):
    """The array of a reference and the type of the field."""
    need(isinstance(ref, m.Arr) and ref.name in env.arrays, "unknown array")
    info = env.arrays[ref.name]
    if ref.field:
        need(info.type == "rec", "field of no record")
        return info, FIELDS[ref.field]
    return info, info.type


def fact(env, e, rank):
    return CASES[type(e)](env, e, rank)


def literal(env, e, _):
    if e.type == "boolean":
        return Fact("boolean", 0, int(e.value), int(e.value))
    if e.type == "string":
        return Fact("string", 0, len(e.value), len(e.value))
    need(e.type != "char", "a character")
    bits = 0 if is_int(e.type) else fraction_bits(e.value)
    return made(e.type, 0, e.value, e.value, bits, env.exact)


def name(env, e, _):
    if e.name in env.statics:
        return Fact("integer", 0, env.statics[e.name], env.statics[e.name])
    need(e.name in env.scalars, "unknown scalar")
    return variable(env.scalars[e.name].type, 0)


def read(env, e, rank):
    info, kind = array(env, e)
    need(len(info.region) == rank, "array of another rank")
    need(scope.readable(env.region(rank), info), "reads outside")
    return variable(kind, rank)


def index(env, e, rank):
    need(e.dim <= rank, "no such dimension")
    dim = env.region(rank)[e.dim - 1]
    need(dim.kind != g.FLOOD, "index of a flooded dimension")
    ids = dim.ids()
    if not ids:
        return Fact("integer", rank, dim.l, dim.l)
    return Fact("integer", rank, min(ids), max(ids))


def at(env, e, rank):
    info, kind = array(env, e.ref)
    need(len(info.region) == rank, "array of another rank")
    need(env.written is None or (not e.wrap and not scope.aliases(
        env, e.ref.name, env.written) and family(e.ref.name) not in map(family, env.written)),
         "@ of an array that the block writes")
    need(scope.readable(moved(env, e, info, rank), info), "@ reads outside")
    return variable(kind, rank)


def family(name):
    """Without the subscript of a member."""
    return name.split("[")[0]


def prime(env, e, rank):
    """What the scan block has stored there, or what was there."""
    info, kind = array(env, e.ref)
    need(len(info.region) == rank, "array of another rank")
    need(env.wave is not None and e.ref.name in env.wave, "no scan block that writes it")
    need(isinstance(e.dir, m.DirLit) and all(isinstance(p, m.Lit) for p in e.dir.parts),
         "a direction that is not known")
    need(scope.readable(moved(env, e, info, rank), info), "prime reads outside")
    return variable(kind, rank)


def moved(env, e, info, rank):
    """The region that `@` touches; for `@^` the covering one."""
    offsets = scope.direction(env, e.dir, variables=True)
    region = env.region(rank)
    need(len(offsets) == rank, "direction of another rank")
    if isinstance(e, m.Prime) or not e.wrap:
        for d, dim in zip(offsets, region):
            need(dim.kind != g.FLOOD or d == 0, "@ along a flooded dimension")
        return g.shifted(region, offsets)
    for d, dim, own in zip(offsets, region, info.region):
        need(d == 0 or g.FLOOD not in (dim.kind, own.kind), "@^ along a flooded dimension")
        need(d % own.s == 0, "@^ between the indices")
    need(g.can_read(region, info.region), "@^ reads outside")
    return region


def unary(env, e, rank):
    f = fact(env, e.e, rank)
    if e.op == "!":
        need(f.type == "boolean", "! of a number")
        return Fact("boolean", f.rank, 0, 1)
    need(is_real(f.type) or f.type == "dcomplex", "minus of no number")
    kind = common(f.type, "integer")
    return made(kind, f.rank, -f.hi, -f.lo, f.bits, env.exact)


def binary(env, e, rank):
    if isinstance(e.b, m.Lit) and e.b.type == "char":
        return joined(env, e.op, fact(env, e.a, rank), Fact("string", 0, 1, 1))
    a, b = fact(env, e.a, rank), fact(env, e.b, rank)
    return combined(env, e.op, a, b)


def combined(env, op, a, b):
    rank = max(a.rank, b.rank)
    need("rec" not in (a.type, b.type), "records are not combined")
    if "string" in (a.type, b.type) and op in COMPARISONS:
        need(a.type == b.type, "string and number")
        return Fact("boolean", rank, 0, 1)
    if "string" in (a.type, b.type) and op not in ("max", "min"):
        return joined(env, op, a, b)
    if op in ("&", "|"):
        need(a.type == b.type == "boolean", "logic on numbers")
        return Fact("boolean", rank, 0, 1)
    if op in COMPARISONS:
        need("dcomplex" not in (a.type, b.type) or op in ("=", "!="), "order of complex")
        return Fact("boolean", rank, 0, 1)
    if op in ("max", "min"):
        return extreme(env, op, a, b)
    if op == "^":
        need(is_int(a.type) and a.type != "boolean" and b.lo == b.hi and 0 <= b.lo <= 4,
             "power")
        kind = common(a.type, "integer")
        return Fact(kind, rank, *RANGES[kind])
    return arithmetic(op, a, b, rank, env.exact)


def joined(env, op, a, b):
    need(a.type == b.type == "string" and op == "+", "no operation on strings")
    need(env.wave is None, "string made in a scan block")
    return made_text(max(a.rank, b.rank), a.lo + b.lo, a.hi + b.hi)


def extreme(env, op, a, b):
    if a.type == b.type == "string" and op in ("max", "min"):
        longest = max(a.hi, b.hi)   # a min<< of nothing comes last
        if op == "min" and INF != min(a.hi, b.hi):
            longest = min(longest, MADE)
        return Fact("string", max(a.rank, b.rank), min(a.lo, b.lo), longest)
    need(is_real(a.type) and is_real(b.type), "extreme of no numbers")
    pick = max if op.startswith("max") else min
    kind = common(a.type, b.type)
    bits = max(a.bits, b.bits)
    return made(kind, max(a.rank, b.rank), pick(a.lo, b.lo), pick(a.hi, b.hi),
                0 if is_int(kind) else bits, env.exact)


def call(env, e, rank):
    if e.name in env.procs:
        return calls[0](env, e, rank)
    need(e.args, "unknown function")
    facts = [fact(env, a, rank) for a in e.args]
    result = max(f.rank for f in facts)
    a = facts[0]
    if e.name in TEXTS:
        return TEXTS[e.name](env, e, facts, result)
    if a.type == "string" and e.name in ("to_integer", "to_double"):
        return numeral(env, e, rank)
    need(e.name in EXTREMES or all(f.type != "string" for f in facts), "function of strings")
    if e.name in EXTREMES:
        return extreme(env, e.name, *facts)
    if e.name.startswith("to_"):
        return converted(env, e.name[3:], a)
    if e.name in ("band", "bor", "bxor", "bnot", "bsl", "bsr"):
        need(all(is_int(f.type) for f in facts), "bits of no integers")
        if e.name in ("bsl", "bsr"):
            need(isinstance(e.args[1], m.Lit) and 0 <= e.args[1].value < 8, "far shift")
        kind = common(facts[0].type, facts[-1].type if e.name[1] != "s" else "integer")
        return Fact(kind, result, *RANGES[kind])
    if e.name in ("real", "imag", "conj"):
        need(a.type == "dcomplex", "part of no complex value")
        return replace(a, type="dcomplex" if e.name == "conj" else "double")
    need(is_real(a.type) and a.size < INF, "function of what may be infinite")
    if e.name in ("abs", "sqr"):
        kind = common(a.type, "integer")
        if e.name == "sqr":
            return arithmetic("*", a, a, result, env.exact)
        least = 0 if a.lo <= 0 <= a.hi else min(abs(a.lo), abs(a.hi))
        return made(kind, result, least, a.size, a.bits, env.exact)
    if e.name in ROUNDING:
        return made("double", result, -a.size - 1, a.size + 1, 0, env.exact)
    need(not env.exact, "not an exact function")
    if e.name in ("sin", "cos"):
        return Fact("double", result, -1.0, 1.0)
    need(e.name == "sqrt" and a.lo >= 0, "unknown function")
    return Fact("double", result, 0.0, max(1.0, a.hi))


def to_string(env, e, facts, rank):
    kind = facts[0].type
    need(len(facts) == 1 and is_real(kind) and facts[0].size < INF, "no text of that")
    need(env.wave is None, "string made in a scan block")
    width = {"boolean": 5, "longint": 20}.get(kind, 24 if kind in FLOATS else 11)
    return made_text(rank, 1, width)


def formatted(env, e, facts, rank):
    """format("...", x, ...), by a literal with a conversion for each value."""
    need(isinstance(e.args[0], m.Lit) and facts[0].type == "string", "a format")
    need(env.wave is None, "string made in a scan block")
    found = re.findall(r"%0?(\d*)(?:\.\d)?([a-z])", e.args[0].value)
    need(len(found) == len(facts) - 1 > 0, "number of conversions")
    lo = hi = len(re.sub(r"%[\d.]*[a-z]", "", e.args[0].value))
    for (width, letter), f in zip(found, facts[1:]):
        least, most = converts(letter, f)
        lo, hi = lo + max(least, int(width or 0)), hi + max(most, int(width or 0))
    return made_text(rank, lo, hi)


def converts(letter, f):
    """The bounds of the length of a value in a format."""
    if letter == "s":
        need(f.type == "string" and f.hi < INF, "conversion of no string")
        return f.lo, f.hi
    if letter in "dx":
        need(is_int(f.type) and f.type != "boolean", "conversion of no integer")
        return 1, 20
    need(f.type in FLOATS and f.size < 1e9, "conversion of no floating value")
    return 1, 16


def measured(env, e, facts, rank):
    """length(s), find(s, t), and what the program declares: number(s)."""
    need(all(f.type == "string" and f.hi < INF for f in facts), "no string")
    need(len(facts) == (2 if e.name == "find" else 1), "number of arguments")
    if e.name == "number":
        need(env.wave is None, "call in a scan block")
        return Fact("integer", rank, *RANGES["integer"])
    return Fact("integer", rank, 0 if e.name == "find" else facts[0].lo, facts[0].hi + 1)


def part(env, e, facts, rank):
    """substring(s, first, count) of a string that is long enough."""
    need(len(facts) == 3 and facts[0].type == "string" and env.wave is None, "no string")
    need(all(is_int(f.type) and f.type not in ("boolean", "longint") for f in facts[1:]), "part")
    first, count = facts[1:]
    need(first.lo >= 1 and count.lo >= 0 and first.hi + count.hi - 1 <= facts[0].lo,
         "perhaps too short")
    return made_text(rank, count.lo, count.hi)


def is_number(env, e, facts, rank):
    need(len(facts) == 1 and facts[0].type == "string" and facts[0].hi < INF, "no string")
    return Fact("boolean", rank, 0, 1)


def changed(env, e, facts, rank):
    """upper(s), lower(s), trim(s), and what the program declares: short(s)."""
    need(len(facts) == 1 and facts[0].type == "string" and facts[0].hi < INF, "no string")
    need(env.wave is None, "string made in a scan block")
    if e.name == "short":
        return variable("string", rank)
    return made_text(rank, 0 if e.name == "trim" else facts[0].lo, facts[0].hi)


TEXTS = {"to_string": to_string, "format": formatted, "length": measured, "find": measured,
         "number": measured, "is_integer": is_number, "is_double": is_number, "upper": changed,
         "lower": changed, "trim": changed, "short": changed,
         "substring": part}


def numeral(env, e, rank):
    """to_integer(to_string(k)), to_double(to_string(x))."""
    text = e.args[0]
    need(isinstance(text, m.Call) and text.name == "to_string", "perhaps no number")
    f = fact(env, text.args[0], rank)
    if e.name == "to_integer":
        need(is_int(f.type) and f.type != "boolean" and made("integer", 0, f.lo, f.hi).size >= f.size,
             "perhaps no integer")
        return replace(f, type="integer")
    need(is_real(f.type) and f.type not in ("boolean", "float"), "perhaps no number")
    return made("double", f.rank, f.lo, f.hi, f.bits, env.exact)


def cut(env, e, rank):
    need(isinstance(e.e, (m.Name, m.Arr)) and env.wave is None, "cut here")
    f, n = fact(env, e.e, rank), fact(env, e.n, rank)
    need(f.type == "string" and is_int(n.type) and n.type not in ("boolean", "longint"), "cut")
    need(n.lo >= 0, "cut of a negative length")
    return made_text(max(f.rank, n.rank), min(f.lo, n.lo), min(f.hi, n.hi))


def converted(env, kind, f):
    if is_int(kind):
        need(f.type != "dcomplex" and f.size < INF, "conversion to an integer")
        if f.type in FLOATS and kind != "boolean":
            need(RANGES[kind][0] <= f.lo and f.hi <= RANGES[kind][1], "does not fit")
        lo, hi = (0, 1) if kind == "boolean" else (f.lo, f.hi)
        return made(kind, f.rank, lo, hi)
    need(is_real(f.type) or kind == f.type == "dcomplex", "conversion")
    return made(kind, f.rank, f.lo, f.hi, f.bits, env.exact)


def plain(env):
    need(env.written is None and env.wave is None, "array operator where there is none")


def flood(env, e, rank):
    plain(env)
    source = scope.region(env, e.region, rank)
    need(len(source) == rank, "flood from another rank")
    need(not g.is_empty(source) or g.is_empty(env.region(rank)), "flood from nothing")
    need(g.can_flood(source, env.region(rank)), "flood")
    f = fact(env.under(rank, scope.Cover(source)), e.e, rank)
    need(f.rank == rank, "flood of a scalar")
    need(not any(is_full(n) for n in m.walk(e.e)), "full reduction in a flood")
    return f


def is_full(node):
    return isinstance(node, m.Reduce) and node.region is None


def reduction(env, e, rank):
    plain(env)
    if e.region is None:
        inner = rank_of(env, e.e)
        need(inner is not None, "no array in a reduction")
        f = fact(env, e.e, inner)
        need(f.rank == inner, "reduction of a scalar")
        need(not any(is_full(n) for n in m.walk(e.e)), "reduction in a reduction")
        cover = env.cover[inner]
        empty = cover.masked or g.is_empty(cover.region)
        total = totalled(e.op, f, max(1, g.count(cover.region)), empty, env.exact)
        return replace(total, rank=0)
    source = scope.region(env, e.region, rank)
    target = env.region(rank)
    need(len(source) == rank and g.can_reduce(source, target), "partial reduction")
    inner = env.under(rank, scope.Cover(source, e.mask is not None))
    if e.mask:
        mask(inner, e.mask, rank)
    f = fact(inner, e.e, rank)
    need(f.rank == rank, "partial reduction of a scalar")
    need(not any(is_full(n) for n in m.walk(e.e)), "full reduction in a partial one")
    empty = e.mask is not None or g.is_empty(source)
    return totalled(e.op, f, max(1, g.reduced_count(source, target)), empty, env.exact)


def mask(env, node, rank):
    """The mask of a scope over env's region of that rank."""
    if isinstance(node.e, m.Quote):
        return
    f = fact(env, node.e, rank)
    need(f.rank == rank and f.type in ("boolean", "ubyte"), "not a mask")
    need(not any(is_full(n) for n in m.walk(node.e)), "reduction in a mask")


def scan(env, e, rank):
    plain(env)
    region = env.region(rank)
    dims = [abs(d) for d in e.dims]
    need(len(set(dims)) == len(dims) and all(1 <= d <= rank for d in dims), "scan dims")
    f = fact(env, e.e, rank)
    need(f.rank == rank, "scan of a scalar")
    if e.segment:
        need(isinstance(e.segment, m.Arr), "segments are named")
        s = fact(env, e.segment, rank)
        need(s.rank == rank and s.type == "boolean", "segments")
    return totalled(e.op, f, max(1, g.count(region)), not e.inclusive, env.exact)


def map_fit(env, e, rank):
    f = fact(env, e.e, rank)
    need(is_int(f.type) and f.type not in ("boolean", "longint") and e.n > 0 and e.step > 0,
         "map")
    return Fact("integer", f.rank, e.lo, e.lo + e.step * (e.n - 1))


def remap(env, e, rank):
    plain(env)
    info, kind = array(env, e.ref)
    inner = first(env, e.maps)
    need(inner in (None, rank), "maps of another rank")
    need(len(e.maps) == len(info.region), "number of maps")
    check_maps(env, e.maps, info.region, rank)
    return variable(kind, rank)


def check_maps(env, maps, declared, rank):
    """That all maps stay within the array."""
    region = env.region(rank)
    for i, (node, dim) in enumerate(zip(maps, declared)):
        if isinstance(node, m.Blank):
            need(i < rank and region[i].kind != g.FLOOD, "blank map")
            need(dim.kind == g.FLOOD or g.within(region[i], dim), "blank map outside")
            continue
        f = fact(env, node, rank)
        need(is_int(f.type) and f.type not in ("boolean", "longint"), "map type")
        if dim.kind == g.FLOOD:
            continue
        ids = dim.ids()
        need(len(ids) > 0 and ids[0] <= f.lo and f.hi <= ids[-1], "map outside")
        if dim.s == 1:
            continue
        aligned = isinstance(node, m.MapFit) and node.step % dim.s == 0 \
            and (node.lo - dim.a) % dim.s == 0
        follows = isinstance(node, m.Index) and g.within(region[node.dim - 1], dim)
        need(aligned or follows or (f.lo == f.hi and f.lo in ids), "map between indices")


def elements(env, name):
    need(name in env.lists, "unknown indexed array")
    return env.lists[name]


def element(env, e, rank):
    info = elements(env, e.name)
    need(len(e.subs) == info.rank and env.wave is None, "subscripts")
    facts = [fact(env, s, rank) for s in e.subs]
    need(all(is_int(f.type) and f.type not in ("boolean", "longint") for f in facts),
         "type of a subscript")
    return variable(info.type, max(f.rank for f in facts))


def whole(env, e, _):
    need(env.sweep == e.name, "blank reference here")
    return variable(elements(env, e.name).type, 0)


def position(env, e, _):
    need(env.sweep and 1 <= e.dim <= env.lists[env.sweep].rank, "position of nothing")
    return Fact("integer", 0, -8, 99)


def size(env, e, _):
    info = elements(env, e.name)
    return Fact("integer", 0, info.least, info.most)


def by_value(env, kind, arg, rank):
    f = fact(env, arg, rank)
    need(assignable(kind, f, env.exact), "argument does not fit")
    return f


def no_value(env, e, rank):
    raise Illegal("no expression")


CASES = {
    m.Lit: literal, m.Name: name, m.Arr: read, m.Index: index, m.At: at, m.Un: unary,
    m.Bin: binary, m.Call: call, m.Flood: flood, m.Reduce: reduction, m.Scan: scan,
    m.Prime: prime, m.MapFit: map_fit, m.Remap: remap, m.Blank: no_value,
    m.Cut: cut, m.Elem: element, m.Whole: whole, m.Pos: position, m.Size: size,
}
calls = []                   # check.py adds the calls of procedures
