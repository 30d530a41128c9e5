"""The model of a program: a tree of immutable nodes.

The generator builds it, check.py decides whether it is legal, text.py writes it
as ZPL and shrink.py makes it smaller. Names of integers that are known while
the program is generated (config variables, loop variables, formals that bound
regions) are `Name` like those of other scalars; the checker knows their values.
"""
from dataclasses import dataclass, fields, replace
from typing import Optional, Tuple


@dataclass(frozen=True)
class Node:
    pass


# ---- Expressions -------------------------------------------------------------

@dataclass(frozen=True)
class Lit(Node):
    type: str
    value: object            # int, float, bool or str; of the types string and char


@dataclass(frozen=True)
class Name(Node):
    name: str


@dataclass(frozen=True)
class Arr(Node):
    """A parallel array, or a field of one of records."""
    name: str
    field: str = ""


@dataclass(frozen=True)
class Index(Node):
    dim: int                 # from 1


@dataclass(frozen=True)
class At(Node):
    ref: Arr
    dir: Node
    wrap: bool = False


@dataclass(frozen=True)
class Prime(Node):
    """A'@d in a scan block that writes A."""
    ref: Arr
    dir: Node


@dataclass(frozen=True)
class Un(Node):
    op: str
    e: Node


@dataclass(frozen=True)
class Bin(Node):
    op: str
    a: Node
    b: Node


@dataclass(frozen=True)
class Call(Node):
    """A standard function, a conversion, or a procedure of the program."""
    name: str
    args: Tuple[Node, ...]
    passed: bool = False     # called through a parameter
    names: Tuple[str, ...] = ()          # of the arguments, if they are given by name


@dataclass(frozen=True)
class Flood(Node):
    region: Node
    e: Node


@dataclass(frozen=True)
class Reduce(Node):
    """A full reduction without a region, else a partial one."""
    op: str
    e: Node
    region: Optional[Node] = None
    mask: Optional[Node] = None


@dataclass(frozen=True)
class Scan(Node):
    op: str
    e: Node
    inclusive: bool = False
    segment: Optional[Node] = None
    dims: Tuple[int, ...] = ()


@dataclass(frozen=True)
class Blank(Node):
    """A blank map, or a blank dimension of a region."""


@dataclass(frozen=True)
class MapFit(Node):
    """lo + step * abs(e % n): a map that stays within a dimension."""
    lo: int
    n: int
    step: int
    e: Node


@dataclass(frozen=True)
class Remap(Node):
    ref: Arr
    maps: Tuple[Node, ...]


@dataclass(frozen=True)
class Cut(Node):
    """The first or last n bytes of a variable, all of them if there are less."""
    e: Node                  # Name or Arr
    n: Node
    last: bool = False


@dataclass(frozen=True)
class Elem(Node):
    """An element of an indexed array, by subscripts that are brought within the bounds."""
    name: str
    subs: Tuple[Node, ...]


@dataclass(frozen=True)
class Whole(Node):
    """w[], all elements of an indexed array one after the other."""
    name: str


@dataclass(frozen=True)
class Pos(Node):
    """index1 ... in a statement with w[]."""
    dim: int


@dataclass(frozen=True)
class Size(Node):
    """How many elements an indexed array has."""
    name: str


# ---- Directions and regions --------------------------------------------------

@dataclass(frozen=True)
class DirName(Node):
    name: str


@dataclass(frozen=True)
class DirLit(Node):
    parts: Tuple[Node, ...]


@dataclass(frozen=True)
class Scaled(Node):
    dir: Node
    by: Node


@dataclass(frozen=True)
class Span(Node):
    lo: Node
    hi: Node


@dataclass(frozen=True)
class One(Node):
    e: Node


@dataclass(frozen=True)
class Star(Node):
    pass


@dataclass(frozen=True)
class RegName(Node):
    name: str


@dataclass(frozen=True)
class RegLit(Node):
    dims: Tuple[Node, ...]


@dataclass(frozen=True)
class Quote(Node):
    """The enclosing region; as a mask the enclosing mask."""


@dataclass(frozen=True)
class RegOp(Node):
    op: str                  # of, in, at, by
    dir: Node
    base: Node


@dataclass(frozen=True)
class Where(Node):
    """The text of a pattern (sparse.py)."""
    base: Node
    pattern: str


@dataclass(frozen=True)
class Mask(Node):
    without: bool
    e: Node


# ---- Statements --------------------------------------------------------------

@dataclass(frozen=True)
class Block(Node):
    stmts: Tuple[Node, ...]


@dataclass(frozen=True)
class Assign(Node):
    """Floating targets that grow are brought back into their range afterwards:
    `fix` is "here", or after a scatter the name of the array's region. So are strings
    that grow: `short`."""
    target: Node             # Name, Arr, At, Remap, Elem or Whole
    op: str
    e: Node
    fix: str = ""
    short: bool = False


@dataclass(frozen=True)
class Scope(Node):
    region: Node
    mask: Optional[Mask]
    body: Node


@dataclass(frozen=True)
class If(Node):
    cond: Node
    then: Block
    other: Optional[Block] = None


@dataclass(frozen=True)
class For(Node):
    var: str
    lo: Node
    hi: Node
    down: bool
    by: int
    body: Block


@dataclass(frozen=True)
class Count(Node):
    """`while` or `repeat` with a counter that takes the values 0..n-1."""
    kind: str
    var: str
    n: int
    body: Block


@dataclass(frozen=True)
class ShIf(Node):
    cond: Node
    then: Block
    other: Optional[Block] = None


@dataclass(frozen=True)
class ShFor(Node):
    var: str
    lo: Node
    hi: Node
    down: bool
    by: int
    body: Block


@dataclass(frozen=True)
class ShLoop(Node):
    """`while` or `repeat` whose counter is an array; the limit is bounded."""
    kind: str
    var: str
    limit: Node
    body: Block


@dataclass(frozen=True)
class Jump(Node):
    """`if cond then exit` or `continue`; that only where it skips no counting."""
    kind: str
    cond: Node


@dataclass(frozen=True)
class Wave(Node):
    """A scan block of assignments."""
    body: Block


@dataclass(frozen=True)
class CallS(Node):
    name: str
    args: Tuple[Node, ...]


@dataclass(frozen=True)
class Item(Node):
    format: str              # empty: the default format
    e: Node


@dataclass(frozen=True)
class Write(Node):
    label: str
    items: Tuple[Item, ...]


@dataclass(frozen=True)
class FromFile(Node):
    """An array of booleans becomes what a file of the bytes e says."""
    target: Arr
    e: Node


@dataclass(frozen=True)
class Edge(Node):
    kind: str                # wrap, reflect
    names: Tuple[str, ...]


@dataclass(frozen=True)
class Return(Node):
    e: Node


@dataclass(frozen=True)
class Resize(Node):
    """Of a growable array."""
    name: str
    sizes: Tuple[Node, ...]


@dataclass(frozen=True)
class Split(Node):
    """The number of pieces goes to the target, they go to an indexed array; to a growable
    one after it is made large enough."""
    target: Node
    e: Node
    separator: str
    name: str
    room: bool = False


# ---- Declarations ------------------------------------------------------------

@dataclass(frozen=True)
class Config(Node):
    name: str
    default: int
    used: int                # what the run passes


@dataclass(frozen=True)
class DirDecl(Node):
    name: str
    dir: DirLit
    variable: bool = False


@dataclass(frozen=True)
class RegDecl(Node):
    name: str
    region: Node


@dataclass(frozen=True)
class ArrDecl(Node):
    name: str
    type: str
    region: str              # a region's name; of a formal or local also "" (blank)
    rank: int


@dataclass(frozen=True)
class ScalarDecl(Node):
    name: str
    type: str


@dataclass(frozen=True)
class ListDecl(Node):
    """An indexed array; a growable one without bounds, which has a list of one element, or
    gets one before the first statement."""
    name: str
    type: str
    rank: int
    bounds: Tuple[Span, ...] = ()
    listed: bool = False


@dataclass(frozen=True)
class Formal(Node):
    """A scalar, a `static` integer that regions may depend on, or an array."""
    mode: str
    decl: Node
    static: bool = False


@dataclass(frozen=True)
class Proc(Node):
    name: str
    formals: Tuple[Formal, ...]
    result: str              # a type or empty
    rank: int                # 0: a scalar procedure; else that of the result or body
    locals: Tuple[Node, ...]
    body: Block


@dataclass(frozen=True)
class Program(Node):
    seed: int
    configs: Tuple[Config, ...]
    dirs: Tuple[DirDecl, ...]
    regions: Tuple[RegDecl, ...]
    arrays: Tuple[ArrDecl, ...]
    scalars: Tuple[ScalarDecl, ...]
    procs: Tuple[Proc, ...]
    body: Block
    exact: bool = True       # floating values are small multiples of 1/8
    effects: bool = False    # has what effects.py declares
    lists: Tuple[ListDecl, ...] = ()
    domains: bool = False    # regions are bound to distributions (domains.py)
    checkpoints: bool = False  # it can go on from its midst (text.py)
    sparse: bool = False     # some regions are sparse (sparse.py)
    kernels: bool = False    # with loops behind (kernels.py)
    remaps: bool = False     # with remaps behind (remaps.py)


@dataclass(frozen=True)
class Once(Node):
    """`once(e)`: e, by a call with side effects (effects.py)."""
    e: Node


@dataclass(frozen=True)
class Raw(Node):
    """A statement as text, about variables that nothing else uses (effects.py)."""
    text: str


# ---- Walking -----------------------------------------------------------------

def children(node):
    """All nodes directly below."""
    for f in fields(node):
        value = getattr(node, f.name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (v for v in value if isinstance(v, Node))


def walk(node):
    yield node
    for child in children(node):
        yield from walk(child)


def slots(node, path=()):
    """All nodes with their paths, parents first."""
    yield path, node
    for f in fields(node):
        value = getattr(node, f.name)
        if isinstance(value, Node):
            yield from slots(value, path + ((f.name, None),))
        elif isinstance(value, tuple):
            for i, v in enumerate(value):
                if isinstance(v, Node):
                    yield from slots(v, path + ((f.name, i),))


def put(node, path, new):
    """The tree with the node at `path` replaced; None removes it from a tuple."""
    if not path:
        return new
    (name, i), rest = path[0], path[1:]
    value = getattr(node, name)
    if i is None:
        return replace(node, **{name: put(value, rest, new)})
    changed = put(value[i], rest, new)
    middle = () if changed is None else (changed,)
    return replace(node, **{name: value[:i] + middle + value[i + 1:]})


def with_children(node, change):
    """The node with `change` of each node directly below."""
    new = {}
    for f in fields(node):
        value = getattr(node, f.name)
        if isinstance(value, Node):
            new[f.name] = change(value)
        elif isinstance(value, tuple):
            new[f.name] = tuple(change(v) if isinstance(v, Node) else v for v in value)
    return replace(node, **new)


def lit(value):
    """An integer literal, also a negative one."""
    return Lit("integer", value)
