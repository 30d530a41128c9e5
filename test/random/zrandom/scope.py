"""What is visible at a place of a program, with the values that regions need.

The checker walks through a program as if it ran: loops over known integers are
unrolled, calls followed, regions computed. `Env` is the state of that walk.
"""
from dataclasses import dataclass, field, replace
from typing import Dict, Optional, Tuple

from . import geometry as g
from . import model as m
from .facts import Illegal


@dataclass(frozen=True)
class Array:
    region: tuple
    type: str
    home: str = ""           # the declared region's name, of global arrays
    writable: bool = True
    outer: bool = True       # not a formal or local of the procedure
    boxes: tuple = ()        # what borders add to its storage
    storage: str = ""        # the same for arrays that alias


@dataclass(frozen=True)
class Scalar:
    type: str
    writable: bool = True
    outer: bool = True


@dataclass(frozen=True)
class List:
    """An indexed array with the least and the greatest number of its elements."""
    type: str
    rank: int
    least: int
    most: int
    grows: bool
    writable: bool = True
    outer: bool = True


@dataclass(frozen=True)
class Cover:
    region: tuple
    masked: bool = False
    edge: Optional[Tuple] = None     # (direction, region) of a scope `d of R`
    where: Optional[tuple] = None    # the region that the mask was written for


@dataclass
class Env:
    exact: bool
    statics: Dict[str, int] = field(default_factory=dict)
    dirs: Dict[str, tuple] = field(default_factory=dict)
    dirvars: Dict[str, tuple] = field(default_factory=dict)
    regions: Dict[str, tuple] = field(default_factory=dict)
    arrays: Dict[str, Array] = field(default_factory=dict)
    scalars: Dict[str, Scalar] = field(default_factory=dict)
    procs: Dict[str, m.Proc] = field(default_factory=dict)
    lists: Dict[str, List] = field(default_factory=dict)
    sweep: str = ""                       # the indexed array whose elements a statement goes through
    cover: Dict[int, Cover] = field(default_factory=dict)
    written: Optional[frozenset] = None   # in shattered control flow
    looping: bool = False                 # ... in a loop of it
    wave: Optional[frozenset] = None      # what the scan block writes
    loop: str = ""                        # the innermost other loop: for, while, repeat
    guard: frozenset = frozenset()        # formals that end a recursion
    inner: frozenset = frozenset()        # regions that the procedure declares
    proc: Optional[m.Proc] = None
    depth: int = 0

    def under(self, rank, cover):
        return replace(self, cover={**self.cover, rank: cover})

    def mask_region(self, rank, mask, region):
        """The region of a scope's mask, also of one that is inherited."""
        cover = self.cover.get(rank)
        if isinstance(mask.e, m.Quote) and cover and cover.masked:
            return cover.where
        return region

    def knowing(self, name, value):
        return replace(self, statics={**self.statics, name: value})

    def region(self, rank):
        if rank not in self.cover:
            raise Illegal(f"no region of rank {rank}")
        return self.cover[rank].region


def integer(env, e):
    """The value of an integer that regions may depend on."""
    if isinstance(e, m.Lit) and e.type == "integer":
        return e.value
    if isinstance(e, m.Name) and e.name in env.statics:
        return env.statics[e.name]
    if isinstance(e, m.Once):
        return integer(env, e.e)
    if isinstance(e, m.Bin) and e.op in "+-*":
        a, b = integer(env, e.a), integer(env, e.b)
        return a + b if e.op == "+" else a - b if e.op == "-" else a * b
    raise Illegal("not a known integer")


def direction(env, d, variables=False):
    """Its components; variables: it may be one."""
    if isinstance(d, m.DirName):
        if variables and d.name in env.dirvars:
            return env.dirvars[d.name]
        if d.name not in env.dirs:
            raise Illegal("unknown direction")
        return env.dirs[d.name]
    if isinstance(d, m.DirLit):
        return tuple(integer(env, p) for p in d.parts)
    k = integer(env, d.by)
    return tuple(k * c for c in direction(env, d.dir, variables))


def region(env, r, rank=None):
    """The value of a region expression; rank is that of the context."""
    if isinstance(r, m.RegName):
        if r.name not in env.regions:
            raise Illegal("unknown region")
        return env.regions[r.name]
    if isinstance(r, m.Quote):
        return env.region(rank)
    if isinstance(r, m.RegLit):
        return tuple(dimension(env, d, i, len(r.dims)) for i, d in enumerate(r.dims))
    if r.op in ("of", "in") and starts_with_quote(r.base):
        raise Illegal("a quote after a parenthesis starts a string")
    parts = direction(env, r.dir)
    base = region(env, r.base, len(parts))
    if len(base) != len(parts):
        raise Illegal("direction and region of two ranks")
    if any(abs(p) > 40 for p in parts):
        raise Illegal("far away")
    if r.op == "by" and any(d.kind == g.ONE and p for d, p in zip(base, parts)):
        raise Illegal("a strided singleton")
    try:
        return tuple(g.apply(r.op, p, d) for p, d in zip(parts, base))
    except ValueError as error:
        raise Illegal(str(error)) from error


def starts_with_quote(r):
    """Whether r is a quote with operators behind it."""
    behind = False
    while isinstance(r, m.RegOp) and r.op in ("at", "by"):
        r, behind = r.base, True
    return behind and isinstance(r, m.Quote)


def dimension(env, d, i, rank):
    if isinstance(d, m.Blank):
        return env.region(rank)[i]
    if isinstance(d, m.Star):
        return g.FLOODED
    if isinstance(d, m.One):
        return g.one(integer(env, d.e))
    return g.span(integer(env, d.lo), integer(env, d.hi))


def edge(env, r):
    """(direction, base) of a region written `d of base`."""
    if isinstance(r, m.RegOp) and r.op == "of":
        parts = direction(env, r.dir)
        return parts, region(env, r.base, len(parts))
    return None


# ---- Borders that arrays get by being written there ---------------------------

def borders(program, env):
    """Array names with the directions of their implicit storage."""
    found = {}
    declared = {a.name: a.region for a in program.arrays}
    for node in m.walk(program):
        if not (isinstance(node, m.Scope) and isinstance(node.region, m.RegOp)
                and node.region.op == "of" and isinstance(node.region.base, m.RegName)):
            continue
        body = node.body.stmts if isinstance(node.body, m.Block) else (node.body,)
        for s in body:
            for name in written_here(s):
                if declared.get(name) == node.region.base.name and known(env, node.region.dir):
                    found.setdefault(name, set()).add(direction(env, node.region.dir))
    return found


def aliases(env, name, others):
    """Whether an array shares its storage with one of the others."""
    mine = env.arrays[name].storage
    return any(env.arrays[n].storage == mine for n in others if n in env.arrays)


def known(env, d):
    """Whether a direction is the same wherever it stands."""
    names = {n.name for n in m.walk(d) if isinstance(n, m.Name)}
    return names <= set(env.statics)


def written_here(s):
    if isinstance(s, m.Assign) and isinstance(s.target, m.Arr):
        return [s.target.name]
    return list(s.names) if isinstance(s, m.Edge) else []


def boxes(declared, directions):
    """The boxes that borders add: along each axis what lies beside the region."""
    result = []
    for axis in range(len(declared)):
        along = [d[axis] for d in directions
                 if all(bool(c) == (i == axis) for i, c in enumerate(d))]
        if along:
            dim = declared[axis]
            wider = g.Dim(dim.kind, dim.l + min(0, *along), dim.h + max(0, *along),
                          dim.s, dim.a)
            result.append(declared[:axis] + (wider,) + declared[axis + 1:])
    for d in directions:
        result.append(tuple(g.apply("of", c, dim) for c, dim in zip(d, declared)))
    return tuple(result)


def readable(region_, array):
    return g.can_read(region_, array.region) or any(
        g.can_read(region_, box) for box in array.boxes)


def writable(region_, array):
    return g.can_write(region_, array.region) or any(
        g.can_write(region_, box) for box in array.boxes)
