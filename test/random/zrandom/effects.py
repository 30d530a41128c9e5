"""Puts calls with side effects into the regions, directions and subscripts of a program.

    add(program, rng, has)    the program with `Once` around some of its integers, and
                              statements about arrays over a region variable, of those
                              that need no feature which is left out

`once(x)` is x; it counts its calls, notes their order, and makes the region
variable RV larger, so the arrays over it move while statements that read and
write them are under way. Counts, order and these arrays are printed at the end.
"""
from . import model as m

DECLARATIONS = [
    "var calls, trace, total: integer;",
    "    RV: region<..> = [1..3];",
    "    RS: array [1..2] of region<..> = { [1..2], [2..3] };",
    "    DS: array [1..2] of direction<> = { [1], [-1] };",
    "    MV, NV: [RV] integer;",
    "    FV: array [1..2] of [RV] integer;",
    "",
    "procedure once(x: integer): integer;",
    "begin",
    "  calls += 1;",
    "  trace := trace * 31 + x;",
    "  RV := [1..min(calls / 2, 20) + 3];",
    "  [RV] NV += Index1;",
    "  return x;",
    "end;"]
START = m.Raw("[RV] begin MV := 3 * Index1; NV := Index1 % 4; FV[1] := Index1; FV[2] := 9 - Index1; end;")
END = m.Raw('writeln("calls ", calls, " ", trace, " ", total); [RV] writeln(MV, " ", NV, " ", FV[1], " ", FV[2]);')

# What a statement must not have in it if a feature is left out.
SIGNS = {"scan": "||", "gather": ":= NV#", "scatter": "MV#", "flood": ">>", "reduce": "<<(",
         "shattered": " then MV", "masks": "[RV with", "wrapat": "@^", "families": "FV["}

# {0} ... are small numbers from 1 to 2.
STATEMENTS = [
    "[RV] MV := MV + once({0});",
    "[RV] MV := once({0}) + MV@^[once({1})];",
    "[RV] MV += NV * once({0});",
    "[RV] MV#[Index1] := NV + once({0});",
    "[RV] MV#[lo(RV, 1) + NV % 3] += NV + once({0});",
    "[RV] MV := NV#[1 + abs(MV % 3)] - once({0});",
    "[RV with NV > once({0})] MV := MV % 1000 + once({1});",
    "[RV without NV@^[once({0})] > 1] FV[once({1})] := MV;",
    "[RS[once({0})]] MV := MV + NV@DS[once({1}) * 0 + 1];",
    "[RS[once({0})]] MV@[once({1}) - {1}] += FV[once({0})] % 50;",
    "[RV] FV[once({0})] := FV[once({1})] % 99 + once({0});",
    "[RV] FV[once({0})] max= MV % 77;",
    "[RV] total := total % 1000 + (+<<(MV % 10)) + once({0});",
    "[RV] total := once({0}) + (max<<(FV[once({1})] % 10));",
    "[RV] MV := (+||(NV % 5)) + once({0});",
    "[RV] MV := (>>[once({0})] FV[once({1})] % 5) + once({0});",
    "[RS[1]] if NV > {0} then MV := FV[once({0})]; else MV := NV@DS[once({1}) * 0 + 1]; end;",
    "[RV] write(FV[once({0})] % 9, once({1}), MV % 9); writeln();",
    "while calls % 5 != 0 & lo(RS[once({0})], 1) > 0 do total += 1; end;",
    "if total < 0 | size(RS[once({0})]) > 1 then total += once({1}); end;",
]


def add(program, rng, has):
    left_out = [sign for feature, sign in SIGNS.items() if not has(feature)]
    statements = [text for text in STATEMENTS if not any(sign in text for sign in left_out)]
    procs = tuple(p if not p.rank else m.with_children(p, lambda n: changed(n, rng))
                  for p in program.procs)
    body = list(changed(program.body, rng).stmts)
    for _ in range(rng.randint(2, 5)):
        text = rng.choice(statements).format(*(rng.randint(1, 2) for _ in range(2)))
        body.insert(rng.randint(0, len(body)), m.Raw(text))
    return m.replace(program, procs=procs, body=m.Block((START, *body, END)), effects=True)


def changed(node, rng):
    """The node with calls below it. Constants are needed in primed directions;
    borders are made before the program runs."""
    if isinstance(node, (m.Prime, m.DirDecl, m.RegDecl, m.ListDecl, m.Proc)):
        return node
    if isinstance(node, m.RegOp) and node.op not in ("in", "at"):
        return node
    if isinstance(node, m.DirLit):
        return m.DirLit(tuple(wrapped(p, rng) for p in node.parts))
    if isinstance(node, m.Span):
        return m.Span(wrapped(node.lo, rng), wrapped(node.hi, rng))
    if isinstance(node, m.One):
        return m.One(wrapped(node.e, rng))
    return m.with_children(node, lambda n: changed(n, rng))


def wrapped(e, rng):
    """A zero may stand where nothing else may."""
    isZero = isinstance(e, m.Lit) and e.value == 0
    return m.Once(e) if not isZero and rng.random() < 0.3 else e
