"""Makes regions of a program sparse (statements of its own, with holes: patterns.py).

Two things keep a legal program legal. A scope may be restricted to some of its indices,
`[R where (abs(Index1 - Index2) < 2 | Index2 % 3 = 1)]`: what is read and written then was so before. And
a region may be declared with a pattern that is true everywhere, so that the arrays over it
are sparse ones that store all they would store anyway; that changes nothing a program prints.

What works on dense regions only (`of`, and so borders) stays away, as do operators of which
an empty scope would make values that the checker has not thought of, and procedures with
arrays over the region of the call.
"""
import random
import zlib
from dataclasses import fields, is_dataclass, replace

from . import model as m

DENSE_ONLY = (m.Edge,)


def apply(p):
    """p with sparse regions; the same for the same text of scopes and regions."""
    if any(is_dense_only(n) for n in m.walk(p)):
        return p
    regions = tuple(complete(p, r) for r in p.regions)
    names = {r.name: r.region for r in p.regions}
    return replace(p, regions=regions, body=restricted(p, p.body, names),
                   procs=tuple(replace(f, body=restricted(p, f.body, names)) for f in p.procs))


def is_dense_only(n):
    return isinstance(n, DENSE_ONLY) or (isinstance(n, m.RegOp) and n.op == "of")


def chance(p, what, percent):
    return zlib.crc32(f"{p.seed} {what}".encode()) % 100 < percent


def is_flooded(region, names):
    if isinstance(region, m.RegLit):
        return any(isinstance(d, (m.Star, m.Blank)) for d in region.dims)
    if isinstance(region, m.RegOp):
        return is_flooded(region.base, names)
    if isinstance(region, m.RegName):
        return region.name not in names or is_flooded(names[region.name], names)
    return True                                      # a quote: not known


def rank_of(region, names):
    if isinstance(region, m.RegLit):
        return len(region.dims)
    if isinstance(region, m.RegOp):
        return rank_of(region.base, names)
    return rank_of(names[region.name], names)


def complete(p, r):
    """All or none of the regions of a rank, so that arrays over equal ones stay alike."""
    names = {d.name: d.region for d in p.regions}
    if is_flooded(r.region, names):
        return r
    rank = rank_of(r.region, names)
    every = [d for d in p.regions if not is_flooded(d.region, names)
             and rank_of(d.region, names) == rank]
    if p.effects and rank == 1 or not every or not chance(p, f"rank {rank}", 35) or \
            any(has_formals(proc, {d.name for d in every}) for proc in p.procs):
        return r
    return replace(r, region=m.Where(r.region, "Index1 > -100000"))


def has_formals(proc, regions):
    """Whether arrays for it are over one of these: an expression is as dense as its scope."""
    return any(isinstance(f.decl, m.ArrDecl) and f.decl.region in regions for f in proc.formals)


def restricted(p, node, names):
    """node with patterns in some of its scopes."""
    if isinstance(node, tuple):
        return tuple(restricted(p, n, names) for n in node)
    if not is_dataclass(node):
        return node
    changes = {f.name: restricted(p, getattr(node, f.name), names) for f in fields(node)
               if isinstance(getattr(node, f.name), (m.Node, tuple))}
    node = replace(node, **changes)
    if not isinstance(node, m.Scope) or is_flooded(node.region, names) or \
            not chance(p, node.region, 40) or combines(p, node.body, set()) or \
            inherits_mask(node.body) or passes_arrays(p, node.body):
        return node
    rng = random.Random(f"{p.seed} {node.region}")
    rank = rank_of(node.region, names)
    return replace(node, region=m.Where(node.region, condition(rng, rank)))


def condition(rng, rank, depth=0):
    """A condition on the indices: comparisons of simple forms, joined."""
    if depth < 2 and rng.random() < 0.4:
        both = [condition(rng, rank, depth + 1) for _ in range(2)]
        return f"({both[0]} {rng.choice('&|')} {both[1]})"
    if rng.random() < 0.1:
        return f"!({condition(rng, rank, depth + 1)})"
    sign = rng.choice(["=", "!=", "<", "<=", ">", ">="])
    other = form(rng, rank) if rng.random() < 0.5 else str(rng.randint(0, 4))
    return f"{form(rng, rank)} {sign} {other}"


def form(rng, rank):
    """A number that depends on an index."""
    def index():
        return f"Index{rng.randint(1, rank)}"
    k = rng.randint(2, 4)
    return rng.choice([
        index(), f"({rng.randint(1, 4)} * {index()} - {index()})", f"abs({index()} - {index()})",
        f"({index()} + {index()}) % {k}", f"{index()} % -{k}", f"{index()} / {k}",
        f"{rng.choice(['min', 'max'])}({index()}, {k} - {index()})"])


def inherits_mask(body):
    """Whether a scope in it has the mask around it, perhaps at indices that are none there."""
    return any(isinstance(n, m.Scope) and n.mask and isinstance(n.mask.e, m.Quote)
               for n in m.walk(body))


def passes_arrays(p, body):
    """Whether it calls a procedure with arrays over a region that is named."""
    regions = {d.name for d in p.regions}
    names = {f.name for f in p.procs if has_formals(f, regions)}
    return any(isinstance(n, (m.Call, m.CallS)) and n.name in names for n in m.walk(body))


def combines(p, node, seen):
    """Whether something in it, or that it calls, has a value of its own for no index."""
    for n in m.walk(node):
        if isinstance(n, (m.Scan, m.Return)) or \
                (isinstance(n, m.Reduce) and n.op not in ("+", "*", "|", "bor")):
            return True
        if isinstance(n, (m.Call, m.CallS)) and n.name not in seen:
            seen.add(n.name)
            if any(f.name == n.name and combines_body(p, f, seen) for f in p.procs):
                return True
    return False


def combines_body(p, proc, seen):
    inherits = any(isinstance(d, m.ArrDecl) and not d.region for d in proc.locals)
    return inherits or proc.rank and combines(p, m.Block(tuple(s for s in proc.body.stmts
                                                   if not isinstance(s, m.Return))), seen)
