"""Writes a program of the model as ZPL, with no more parentheses than needed."""
import re

from . import domains
from . import sparse
from . import effects
from . import kernels
from . import patterns
from . import remaps
from . import model as m

WIDTH = 100
RECORD = "record k: integer; x: double; end"

LEVELS = {"|": 1, "&": 2, "<": 3, "<=": 3, ">": 3, ">=": 3, "=": 3, "!=": 3,
          "+": 4, "-": 4, "*": 5, "/": 5, "%": 5, "^": 7}
UNARY, POSTFIX = 6, 8


def literal(node):
    if node.type == "boolean":
        return "true" if node.value else "false"
    if node.type == "integer":
        return str(node.value)
    if node.type in ("string", "char"):
        mark = '"' if node.type == "string" else "'"
        return mark + node.value + mark
    text = repr(float(node.value))
    return text[:-2] + ".0" if text.endswith(".0") else text


def level(node):
    """How tightly the outermost operator binds."""
    if isinstance(node, m.Bin):
        return LEVELS[node.op]
    if isinstance(node, (m.Un, m.Flood, m.Reduce, m.Scan)):
        return UNARY
    if isinstance(node, m.Lit) and not isinstance(node.value, (bool, str)) and node.value < 0:
        return UNARY
    if isinstance(node, m.MapFit):
        return LEVELS["+"]
    return POSTFIX


def expr(node, least=0):
    text = bare(node)
    return f"({text})" if level(node) < least else text


def passed_call(node):
    """f(x, y) by a procedure that gets f as its last argument, or by default."""
    if len(node.names) != len(node.args):
        return f"via_{node.name}({listed((*node.args, m.Name(node.name)))})"
    named = [f"{name} := {expr(arg)}" for name, arg in zip(node.names, node.args)]
    return f"via_{node.name}({', '.join(reversed(named))})"


def listed(nodes):
    return ", ".join(map(expr, nodes))


def bare(node):
    if isinstance(node, m.Lit):
        return literal(node)
    if isinstance(node, m.Name):
        return node.name
    if isinstance(node, m.Arr):
        return node.name + ("." + node.field if node.field else "")
    if isinstance(node, m.Index):
        return f"Index{node.dim}"
    if isinstance(node, m.At):
        sign = "@^" if node.wrap else "@"
        return bare(node.ref) + sign + direction(node.dir, True)
    if isinstance(node, m.Prime):
        return bare(node.ref) + "'@" + direction(node.dir, True)
    if isinstance(node, m.Un):
        text = expr(node.e, UNARY)
        return node.op + (f"({text})" if text.startswith("-") else text)  # no comment
    if isinstance(node, m.Bin):
        mine = LEVELS[node.op]
        return f"{expr(node.a, mine)} {node.op} {expr(node.b, mine + 1)}"
    if isinstance(node, m.Once):
        return f"once({expr(node.e)})"
    if isinstance(node, m.Call) and node.passed:
        return passed_call(node)
    if isinstance(node, m.Call):
        return f"{node.name}({listed(node.args)})"
    if isinstance(node, m.Flood):
        return f">>{brackets(node.region)} {expr(node.e, UNARY)}"
    if isinstance(node, m.Reduce):
        where = brackets(node.region, node.mask) if node.region else ""
        return f"{node.op}<<{where} {expr(node.e, UNARY)}"
    if isinstance(node, m.Scan):
        flags = ["inclusive"] if node.inclusive else []
        if node.segment:
            flags.append("segment " + segment(node.segment))
        head = f"{node.op}||" + (f"<{', '.join(flags)}>" if flags else "")
        dims = f"[{', '.join(map(str, node.dims))}]" if node.dims else ""
        return f"{head}{dims} {expr(node.e, UNARY)}"
    if isinstance(node, m.MapFit):
        inner = f"abs({expr(node.e, LEVELS['%'])} % {node.n})"
        if node.step != 1:
            inner = f"{node.step} * {inner}"
        return f"{node.lo} + {inner}"
    if isinstance(node, m.Cut):
        return cut(node)
    if isinstance(node, m.Elem):
        subs = [subscript(node, d, e) for d, e in enumerate(node.subs, 1)]
        return f"{node.name}[{', '.join(subs)}]"
    if isinstance(node, m.Whole):
        return f"{node.name}[]"
    if isinstance(node, m.Pos):
        return f"index{node.dim}"
    if isinstance(node, m.Size):
        return f"size({node.name})"
    if isinstance(node, m.Remap):
        return bare(node.ref) + f"#[{maps(node.maps)}]"
    raise TypeError(type(node).__name__)


def cut(node):
    """substring(s, 1, min(n, length(s))), or from behind."""
    text = bare(node.e)
    count = f"min({expr(node.n)}, length({text}))"
    first = f"length({text}) + 1 - {count}" if node.last else "1"
    return f"substring({text}, {first}, {count})"


def subscript(node, d, e):
    """e, brought into the dimension d."""
    extent = f"size({node.name})"
    if len(node.subs) > 1:
        extent = f"(hi({node.name}, {d}) - lo({node.name}, {d}) + 1)"
    return f"lo({node.name}, {d}) + abs({expr(e, LEVELS['%'])} % {extent})"


def segment(node):
    """The grammar wants a name there."""
    assert isinstance(node, m.Arr)
    return bare(node)


def maps(nodes):
    return ", ".join("" if isinstance(n, m.Blank) else expr(n) for n in nodes)


def direction(node, after_at=False):
    if isinstance(node, m.DirName):
        return node.name
    if isinstance(node, m.DirLit):
        return f"[{listed(node.parts)}]"
    text = f"{direction(node.dir)} scaledby {expr(node.by, UNARY)}"
    return f"({text})" if after_at else text


def dim(node):
    if isinstance(node, m.Span):
        return f"{expr(node.lo)}..{expr(node.hi)}"
    if isinstance(node, m.One):
        return expr(node.e)
    return "*" if isinstance(node, m.Star) else ""


def dims(node):
    texts = [dim(d) for d in node.dims]
    return ", ".join(texts) if len(texts) > 1 else (texts[0] or " ")


def region(node):
    """As an operand."""
    if isinstance(node, m.RegName):
        return node.name
    if isinstance(node, m.Quote):
        return '"'
    if isinstance(node, m.RegLit):
        return f"[{dims(node)}]"
    if isinstance(node, m.Where):
        return f"{region(node.base)} where ({node.pattern})"
    base = region(node.base)
    if node.op in ("of", "in"):
        if isinstance(node.base, m.RegOp) and node.base.op in ("at", "by"):
            base = f"({base})"
        return f"{direction(node.dir)} {node.op} {base}"
    return f"{base} {node.op} {direction(node.dir)}"


def unwrapped(node):
    """A region in brackets without brackets of its own: `1..n, 1..m by [2, 2]`; a single
    index of one dimension needs them."""
    if isinstance(node, m.RegLit) and (len(node.dims) > 1 or isinstance(node.dims[0], m.Span)):
        return dims(node)
    if isinstance(node, m.RegOp) and node.op in ("at", "by"):
        step = node.dir
        text = direction(step)
        if isinstance(step, m.DirLit) and len(step.parts) == 1 and isinstance(step.parts[0], m.Lit):
            text = listed(step.parts)
        return f"{unwrapped(node.base)} {node.op} {text}"
    return region(node)


def brackets(node, mask=None):
    """A region with its mask in the brackets of a scope."""
    word = ""
    if mask is not None:
        what = '"' if isinstance(mask.e, m.Quote) else expr(mask.e)
        if what.startswith('"') and what != '"':
            what = f"({what})"           # else a quote
        word = f" {'without' if mask.without else 'with'} {what}"
    elif isinstance(node, m.RegLit):
        return f"[{dims(node)}]"
    return f"[{unwrapped(node)}{word}]"


# ---- Statements --------------------------------------------------------------

def target(node):
    return bare(node)


def stmt(node, depth):
    """The lines of a statement, with its semicolon."""
    pad = "  " * depth
    if isinstance(node, m.Block):
        return block(node, depth)
    if isinstance(node, m.Assign):
        lines = [f"{pad}{target(node.target)} {node.op} {expr(node.e)};"]
        if node.fix:
            lines.append(f"{pad}{fix_text(node)}")
        return lines
    if isinstance(node, m.Scope):
        return scope(node, depth)
    if isinstance(node, (m.If, m.ShIf)):
        lines = [f"{pad}if {expr(node.cond)} then", *block(node.then, depth + 1)]
        if node.other:
            lines += [f"{pad}else", *block(node.other, depth + 1)]
        return lines + [f"{pad}end;"]
    if isinstance(node, (m.For, m.ShFor)):
        word = "downto" if node.down else "to"
        step = f" by {node.by}" if node.by != 1 else ""
        head = f"{pad}for {node.var} := {expr(node.lo)} {word} {expr(node.hi)}{step} do"
        return [head, *block(node.body, depth + 1), f"{pad}end;"]
    if isinstance(node, (m.Count, m.ShLoop)):
        return loop(node, depth)
    if isinstance(node, m.Jump):
        return [f"{pad}if {expr(node.cond)} then {node.kind}; end;"]
    if isinstance(node, m.Wave):
        return [f"{pad}scan", *block(node.body, depth + 1), f"{pad}end;"]
    if isinstance(node, m.Raw):
        return [pad + node.text]
    if isinstance(node, m.CallS):
        return [f"{pad}{node.name}({listed(node.args)});"]
    if isinstance(node, m.Write):
        items = [f'"{node.label} "'] if node.label else []
        items += [f'"{i.format}": {expr(i.e)}' if i.format else expr(i.e)
                  for i in node.items]
        return [f"{pad}writeln({', '.join(items)});"]
    if isinstance(node, m.FromFile):
        file = 'open("foreign.bin", file_'
        return [f"{pad}foreign := {file}write);",
                # The array gives a rank to indices where the region is that of a caller.
                f"{pad}bwrite(foreign, to_ubyte({expr(node.e)} + 0 * to_ubyte("
                f"{bare(node.target)}))); close(foreign);",
                f"{pad}foreign := {file}read);",
                f"{pad}bread(foreign, {bare(node.target)}); close(foreign);"]
    if isinstance(node, m.Edge):
        return [f"{pad}{node.kind} {', '.join(node.names)};"]
    if isinstance(node, m.Return):
        return [f"{pad}return {expr(node.e)};"]
    if isinstance(node, m.Resize):
        return [f"{pad}resize({node.name}, {listed(node.sizes)});"]
    if isinstance(node, m.Split):
        pieces = f"split({expr(node.e)}, \"{node.separator}\", {node.name})"
        room = [f"{pad}resize({node.name}, max(size({node.name}), length({expr(node.e)}) + 1));"]
        return room * node.room + [f"{pad}{bare(node.target)} := {pieces};"]
    raise TypeError(type(node).__name__)


def fix_text(node):
    """Whatever was stored into a floating target or a string becomes small again."""
    here = node.fix == "here"
    name = bare(node.target if here else node.target.ref)
    small = f"short({name})" if node.short else f"{name} % 64.0"
    return f"{'' if here else f'[{node.fix}] '}{name} := {small};"


def block(node, depth):
    return [line for s in node.stmts for line in stmt(s, depth)]


def scope(node, depth):
    pad, heads = "  " * depth, []
    while isinstance(node, m.Scope):
        heads.append(brackets(node.region, node.mask))
        node = node.body
    head = pad + " ".join(heads)
    lines = stmt(node, depth + 1)
    if len(lines) == 1:
        joined = f"{head} {lines[0].strip()}"
        return [joined] if len(joined) <= WIDTH else [head, *lines]
    return [head + " begin", *lines, pad + "end;"]


def loop(node, depth):
    pad = "  " * depth
    limit = node.n if isinstance(node, m.Count) else expr(node.limit, LEVELS["<"] + 1)
    lines = [f"{pad}{node.var} := 0;"]
    body = [*block(node.body, depth + 1)]
    if isinstance(node, m.Count):
        body.append(f"{pad}  {node.var} += 1;")
    else:                                # so that `continue` cannot skip it
        body.insert(0, f"{pad}  {node.var} += 1;")
    if node.kind == "while":
        return lines + [f"{pad}while {node.var} < {limit} do", *body, f"{pad}end;"]
    return lines + [f"{pad}repeat", *body, f"{pad}until {node.var} >= {limit};"]


# ---- Declarations ------------------------------------------------------------

def array_type(decl):
    inside = decl.region or ("," if decl.rank > 1 else "") * max(1, decl.rank - 1)
    if not decl.region:
        inside = " , " if decl.rank == 2 else ", ".join([""] * decl.rank) + " "
    return f"[{inside}] {decl.type}"


def list_type(decl):
    if decl.bounds:
        return f"array [{', '.join(map(dim, decl.bounds))}] of {decl.type}"
    first = {"integer": "5", "string": '"five"'}.get(decl.type, "0.5")
    start = f" = {{{first}}}" if decl.listed else ""
    return f"array [{' , ' if decl.rank > 1 else ''}] of {decl.type}{start}"


def grown(decls):
    """The statements that give growable arrays without a list their first element."""
    return [f"  resize({d.name}{', 1' * d.rank});" for d in decls
            if isinstance(d, m.ListDecl) and not d.bounds and not d.listed]


def formal(f):
    mode = f.mode + " " if f.mode else ""
    if isinstance(f.decl, m.ArrDecl):
        return f"{mode}{f.decl.name}: {array_type(f.decl)}"
    return f"{mode}{f.decl.name}: {f.decl.type}"


def families(decls):
    """The last of the members of each family, in place of all."""
    last = {d.name.split("[")[0]: d for d in decls}
    return [d for d in decls if last[d.name.split("[")[0]] is d]


def variables(decls, pad="  "):
    lines = []
    for d in families(decls):
        if isinstance(d, m.RegDecl):
            continue
        if "[" in d.name:                # K[2]: all of K
            name, most = d.name[:-1].split("[")
            lines.append(f"{pad}{name}: array [1..{most}] of {array_type(d)};")
            continue
        if isinstance(d, m.ListDecl):
            lines.append(f"{pad}{d.name}: {list_type(d)};")
            continue
        kind = array_type(d) if isinstance(d, m.ArrDecl) else d.type
        lines.append(f"{pad}{d.name}: {kind};")
    return lines


def procedure(p, binding):
    result = p.result
    if result and p.rank:
        result = array_type(m.ArrDecl("", p.result, "", p.rank))
    head = f"procedure {p.name}({'; '.join(map(formal, p.formals))})"
    lines = [head + (f": {result};" if result else ";")]
    for d in p.locals:
        if isinstance(d, m.RegDecl):
            lines.append(f"region {region_decl(d, binding)}")
    if any(not isinstance(d, m.RegDecl) for d in p.locals):
        lines += ["var", *variables(p.locals)]
    return lines + ["begin", *grown(p.locals), *block(p.body, 1), "end;"]


def passing(p):
    """What calls the scalar function p through a parameter."""
    formals = "; ".join(map(formal, p.formals))
    names = ", ".join(f.decl.name for f in p.formals)
    return [f"procedure via_{p.name}({formals}; procedure by_name({formals}): {p.result} = {p.name}): {p.result};",
            "begin", f"  return by_name({names});", "end;"]


def uses_records(p):
    decls = [n for n in m.walk(p) if isinstance(n, (m.ArrDecl, m.ScalarDecl))]
    return any(d.type == "rec" for d in decls)


def record(p):
    text = any(isinstance(n, m.Arr) and n.field == "s" for n in m.walk(p))
    return RECORD.replace("end", "s: string; end") if text else RECORD


def aligned(keyword, definitions):
    gap = " " * len(keyword)
    return [f"{gap if i else keyword} {text}" for i, text in enumerate(definitions)]


USER_OPERATORS = {
    "umost": [
        "procedure umost(): longint;", "begin return 0; end;",
        "procedure umost(a, b: longint): longint;",
        "begin if abs(a) > abs(b) | (abs(a) = abs(b) & a > b) then return a; else return b; end; end;"],
    "ulast": [
        "procedure ulast(inout id: longint);", "begin id := 0; end;",
        "procedure ulast(v: longint; inout acc: longint);",
        "begin if acc = 0 then acc := v; end; end;"],
}


TEXT_FUNCTIONS = {
    "short": [
        "procedure short(s: string): string;",
        "begin return substring(s, 1, min(length(s), 16)); end;"],
    "number": [
        "procedure number(s: string): integer;",
        "begin if is_integer(s) then return to_integer(s); else return length(s); end; end;"],
}


def program(p, title=""):
    """The whole source."""
    name = f"random{p.seed}"
    if p.sparse:
        p = sparse.apply(p)
    lines = [f"program {name};"]
    if title:
        lines.append(f"-- {title}")
    lines += aligned("config var", [f"{c.name}: integer = {c.default};" for c in p.configs])
    if uses_records(p):
        lines.append(f"type rec = {record(p)};")
    ranks = sorted({rank_of(r.region) for r in p.regions}) if p.domains else []
    dealt = domains.Domains(p, ranks)
    lines += dealt.declarations()
    constant = [d for d in p.dirs if not d.variable]
    lines += aligned("direction", [f"{d.name} = {direction(d.dir)};" for d in constant])
    for d in p.dirs:
        if d.variable:
            lines.append(f"var {d.name}: direction = {direction(d.dir)};")
    lines += aligned("region", [region_decl(r, dealt.binding) for r in p.regions])
    lines += aligned("var", [t.strip() for t in variables(p.arrays + p.scalars + p.lists)])
    behind = [patterns.Patterns(p)] if p.sparse else []
    behind += [kernels.Kernels(p)] if p.kernels else []
    behind += [remaps.Remaps(p)] if p.remaps else []
    for more in behind:
        lines += more.declarations()
    if any(isinstance(n, m.FromFile) for n in m.walk(p)):
        lines.append("var foreign: file;")
    passed = {n.name for n in m.walk(p) if isinstance(n, m.Call) and n.passed}
    code = ["", *effects.DECLARATIONS] if p.effects else []
    for proc in p.procs:
        code += ["", *procedure(proc, dealt.binding)]
        if proc.name in passed:
            code += passing(proc)
    half = len(p.body.stmts) // 2
    start = [*grown(p.lists), *block(m.Block(p.body.stmts[:half]), 1)]
    body = [*(resumable(start) if p.checkpoints else start), *dealt.moves(),
            *block(m.Block(p.body.stmts[half:]), 1),
            *(line for more in behind for line in more.statements())]
    code += ["", f"procedure {name}();", "begin", *body, "end;"]
    for op, lines_of in USER_OPERATORS.items():
        if any(f"{op}<<" in line or f"{op}||" in line for line in code):
            lines += ["", *lines_of]
    for call, lines_of in TEXT_FUNCTIONS.items():
        if any(f"{call}(" in line for line in code):
            lines += ["", *lines_of]
    lines += code
    return "\n".join(lines) + "\n"


CHECKPOINT, MIDST = "midst.ck", "-- midst --\n"


def resumable(start):
    """What begins a program, unless it goes on from the checkpoint behind that."""
    return ["  if !restart() then", *start, f'    checkpoint("{CHECKPOINT}");', "  end;",
            f'  writeln("{MIDST[:-1]}");']


def region_decl(r, binding):
    name = r.name + binding(rank_of(r.region))
    if isinstance(r.region, (m.RegLit, m.Where)):
        return f"{name} = {region(r.region)};"
    return f"{name} = [{unwrapped(r.region)}];"


def rank_of(node):
    """The rank of a region; 0 if only what is around says it. Names end with it."""
    if isinstance(node, m.RegLit):
        return len(node.dims)
    if isinstance(node, m.RegName):
        return int(re.search(r"\d*$", node.name)[0] or 0)
    return rank_of(node.base) if isinstance(node, (m.RegOp, m.Where)) else 0


def arguments(p):
    """The words of a run that give the config variables their values."""
    return [f"-s{c.name}={c.used}" for c in p.configs if c.used != c.default]
