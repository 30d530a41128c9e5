"""Remaps behind the statements of a program, between which maps and places change: what keeps
plans for maps must notice.

The same maps again and again, in loops, through parameters and fields of records; maps that
are set anew under these names, composed, or changed in part; gathers and scatters of several
arrays side by side; all over regions of two distributed domains, whose distributions are
assigned and balanced between them, also from fields of records, and by functions that are
called while a statement is under way. What they read and write has names of its own.

Values are whole numbers, kept small by remainders, so sums may be grouped in any way.
"""
import random

FAR = 4000
SIZES = [1, 2, 5, 12, 17, 17, 40, 300]
TYPES = ["integer", "integer", "integer", "double", "longint", "shortint"]
OPERATORS = ["+=", "+=", "+=", "*=", "max=", "min="]


class Remaps:
    """The declarations and statements; the same for the same seed."""

    def __init__(self, program):
        self.rng = random.Random(f"remaps {program.seed}")
        self.lo = self.rng.choice([1, 1, 0, -3])
        self.size = self.rng.choice(SIZES)
        self.hi = self.lo + self.size - 1
        self.rows, self.columns = self.rng.choice([(1, 4), (4, 4), (7, 3), (6, 6), (20, 11)])
        self.type = self.rng.choice(TYPES)
        self.real = self.type == "double"
        self.plans = self.rng.randint(2, 4)
        # What is scattered is remapped in the runtime, the rest in loops as well.
        self.scattered = self.chance(0.35)

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, *values):
        return self.rng.choice(values)

    # ---- Declarations --------------------------------------------------------

    def rule(self, rank):
        kinds = ["block", "block", f"block {-FAR}..{FAR}", "nondist"] + ["cut(wpoints)"] * (rank == 1)
        if self.scattered:
            kinds += ["cyclic", "cyclic", "wdealt", f"blockcyclic({self.rng.randint(1, 5)})"]
        return self.pick(*kinds)

    def rules(self, rank):
        return f"[{', '.join(self.rule(rank) for _ in range(rank))}]"

    def declarations(self):
        names = [f"wL{k}" for k in range(self.plans)], [f"wQ{k}" for k in range(self.plans)]
        lines = ["procedure wdealt(i, lo, hi, p: integer): integer;",
                 "begin return ((hi - i) * (i - lo + 3)) % p; end;",
                 f"const wpoints: array [0..PROCESSORS] of integer = {2 * FAR} * index1 / PROCESSORS - {FAR};"]
        lines += ["grid wTall = [ , 1]; wWide = [1, ];", "var wZ: grid = wTall;"]
        lines += [f"distribution {name} = {self.rules(1)};" for name in names[0]]
        lines += [f"distribution {name}{self.pick('', ': wZ', ': wTall')} = {self.rules(2)};" for name in names[1]]
        lines += ["var wD: distribution = wL0; wE: distribution = wL1; wF: distribution = wQ0;",
                  "type wplan = record k: integer; d: distribution<block>; end;",
                  f"var wplans: array [0..{self.plans - 1}] of wplan;",
                  f"    wall: array [0..{self.plans - 1}] of distribution<block, block> = "
                  f"{{{', '.join(names[1])}}};",
                  f"region wR: wD = [{self.lo}..{self.hi}]; wS: wE = [{self.lo}..{self.hi}];",
                  f"       wM: wF = [1..{self.rows}, 1..{self.columns}];",
                  f"type wrec = record at_: integer; w: {self.type}; end;",
                  f"var wA, wB, wC: [wR] {self.type}; wP, wQ: [wR] integer; wV: [wR] wrec; wT: [wR] string;",
                  f"    wX, wY: [wS] {self.type}; wO: [wS] integer;",
                  f"    wG, wH: [wM] {self.type}; wI, wJ: [wM] integer;",
                  f"    wi, wk: integer; ws: {self.type};"]
        return lines + self.procedures(names[0])

    def procedures(self, names):
        cases = "; ".join(f"if k = {k} then wD {self.pick('<=#', ':=')} {name}; end"
                          for k, name in enumerate(names))
        return ["procedure wmap(k: integer; inout P: [ ] integer);",
                f"begin P := {self.map('k * Index1 + k / 2')}; end;",
                f"procedure wfetch(inout B: [ ] {self.type}; A: [ ] {self.type}; P: [ ] integer);",
                f"begin B := {self.bounded('B + A#[P]')}; end;",
                f"procedure wstore(inout A: [ ] {self.type}; P: [ ] integer; e: [ ] {self.type});",
                "begin A#[P] := e; end;",
                f"procedure wadd(inout A, C: [ ] {self.type}; inout P: [ ] integer);",
                f"begin A#[P] += C; P := {self.map('P + 1')}; C := {self.bounded('C + A#[P]')}; end;",
                "procedure wmove(k: integer): integer;",
                f"begin {cases}; return k; end;"]

    # ---- Parts ---------------------------------------------------------------

    def bounded(self, e):
        return f"({e}) % 97.0" if self.real else f"({e}) % 97"

    def map(self, e):
        return f"{self.lo} + abs({e}) % {self.size}"

    def one_to_one(self):
        """Values of a map that takes each index once, mostly."""
        return self.pick("Index1", f"{self.lo + self.hi} - Index1", self.map(f"Index1 + {self.rng.randint(1, 9)}"),
                         self.map(f"{self.pick(3, 5, 7)} * Index1"))

    def values(self):
        a, b = self.rng.randint(1, 9), self.rng.randint(0, 30)
        return self.pick(self.one_to_one(), self.map(f"{a} * Index1 * Index1 + {b}"),
                         self.map(f"Index1 / {self.pick(2, 3)} + {b}"), str(self.pick(self.lo, self.hi)),
                         self.map(f"{self.pick('wP', 'wQ')} * {a} + {b}"), "wP#[wQ]")

    def start(self):
        return f"(Index1 * {self.rng.randint(1, 40)} + {self.rng.randint(0, 90)}) % 41"

    def array(self, *others):
        return self.pick(*[name for name in ("wA", "wB", "wC") if name not in others])

    def m(self):
        """A map for statements over wR."""
        return self.pick("wP", "wP", "wP", "wQ", "wV.at_", self.map("Index1 + wi"), self.map("wP + 1"))

    def scope(self):
        if self.chance(0.7):
            return "[wR]"
        return self.pick("[wR with wB % 3 != 1]" if not self.real else "[wR with wB > 20]",
                         "[wR by [2]]", f"[{self.lo}..{self.lo + self.size // 2}]", "[wR with Index1 % 2 = 0]")

    # ---- Statements ----------------------------------------------------------

    def statements(self):
        lines = [f"[wR] begin wA := {self.start()}; wB := {self.start()}; wC := {self.start()}; "
                 f"wP := {self.one_to_one()}; wQ := {self.map('Index1 * Index1')}; end;",
                 f"[wR] begin wV.at_ := wQ; wV.w := {self.start()}; wT := format(\"t%d\", Index1); end;",
                 f"[wS] begin wX := {self.start()}; wY := {self.start()}; wO := {self.one_to_one()}; end;",
                 f"[wM] begin wG := {self.start()}; wH := Index2; wI := 1 + (Index1 + Index2) % {self.rows}; "
                 f"wJ := 1 + Index1 * Index2 % {self.columns}; end;", "wi := 1;"]
        lines += [f"wplans[{k}].d := wL{k};" for k in range(self.plans)]
        for _ in range(self.rng.randint(6, 10)):
            lines += self.any()
        form = "%g " if self.real else "%d "
        lines += [f'[wR] writeln("{form}": {name});' for name in ("wA", "wB", "wC", "wV.w")]
        lines += [f'[wS] writeln("{form}": {name});' for name in ("wX", "wY")]
        lines += [f'[wM] writeln("{form}": {name});' for name in ("wG", "wH")]
        lines += [f'[wR] writeln("%d ": wP, "%d ": wQ, "%d ": wV.at_); [wR] writeln("%s ": wT);',
                  f'writeln("%d ": wk, "{form}": ws);']
        return ["  " + line for line in lines]

    def any(self):
        kinds = [self.again, self.again, self.several, self.several, self.scatters, self.scatters, self.assign,
                 self.assign, self.new_map, self.new_map, self.move, self.move, self.forget, self.others, self.plane,
                 self.plane, self.named, self.under_way]
        return self.pick(*kinds)()

    def again(self):
        """The same maps again, with what changes them now and then."""
        target, p = self.array(), self.m()
        source = self.array(target)
        body = [f"{self.scope()} {target} := {self.bounded(f'{target} + {source}#[{p}]')};"]
        if self.chance(0.5):
            body.append(f"[wR] {source} := {self.bounded(f'{source} + {target} + wi')};")
        if self.chance(0.4):
            body.append(f"if wi % 2 = 0 then {' '.join(self.new_map())} end;")
        if self.chance(0.3):
            body += self.move()
        if self.chance(0.3):
            body += self.assign()
        return [f"for wi := 1 to {self.rng.randint(2, 6)} do", *body, "end;"]

    def several(self):
        """Gathers side by side, which may share messages."""
        p, lines = self.m(), []
        for _ in range(self.rng.randint(2, 4)):
            target = self.array()
            source = self.array(target) if self.chance(0.8) else target
            q = p if self.chance(0.7) else self.m()
            lines.append(self.pick(
                f"{target} := {source}#[{q}];", f"{target} := {self.bounded(f'{target} + {source}#[{q}] * 2')};",
                f"wT := wT#[{q}];", f"wV := wV#[{q}];", f"ws := +<< ({source}#[{q}]);",
                f"{target} := {self.bounded(f'wV.w#[{q}] + {source}')};",
                f"{target} := {self.bounded(f'{source}#[{q}] + {source}#[{p}] + wX#[{q}]')};"))
        return [f"{self.scope()} begin", *lines, "end;"]

    def scatters(self):
        p, lines = self.m(), []
        for _ in range(self.rng.randint(1, 3)):
            target = self.array()
            value = self.pick(self.array(target), "Index1", "2")
            q, op = (p if self.chance(0.7) else self.m()), self.rng.choice(OPERATORS)
            lines.append(f"{self.scope()} {target}#[{q}] {op} {value};")
            if op == "*=" or self.chance(0.3):
                lines.append(f"[wR] {target} := {self.bounded(target)};")
        return lines + [f"[wR] {name} := {self.bounded(name)};" for name in ("wA", "wB", "wC")]

    def assign(self):
        target = self.array()
        value = self.pick(self.array(target), "Index1", self.bounded(f"{self.array(target)} + Index1"))
        return [self.pick(f"{self.scope()} {target}#[{self.m()}] := {value};",
                          f"{self.scope()} wT#[{self.m()}] := wT;", f"[wR] wV#[{self.m()}] := wV;",
                          f"[wR] {target}#[wP] := {value};",
                          f"[wS] {target}#[wO] := wX;")]

    def new_map(self):
        return [self.pick(f"{self.scope()} wP := {self.values()};", f"[wR] wQ := {self.values()};",
                          "[wR] wV.at_ := wP;", f"[wR] wmap({self.rng.randint(1, 9)}, {self.pick('wP', 'wQ')});",
                          "[wR] wP := wP#[wP];", f"[wR] wP#[wQ] := wP;", f"[{self.hi}] wP := {self.lo};",
                          f"[wS] wO := {self.map(f'Index1 * {self.pick(1, 3, 7)} + 2')};",
                          "[wR] wV := wV#[wP];")]

    def move(self):
        k, j = self.rng.randrange(self.plans), self.rng.randrange(self.plans)
        op = self.pick("<=#", "<=#", ":=")
        return [self.pick(f"wD {op} wL{k};", f"wE {op} wL{k};", f"wF {op} wQ{k};", f"wD {op} wplans[{k}].d;",
                          f"wF {op} wall[{k}];", f"wplans[{k}] := wplans[{j}];", f"wplans[{k}].d := wD;",
                          f"wZ {op} {self.pick('wTall', 'wWide')};", "[wR] balance(wD, 1 + abs(wP));", "wD := wE;")]

    def forget(self):
        k = self.rng.randrange(self.plans)
        return [f"wE <== {self.pick(f'wL{k}', f'wplans[{k}].d')};",
                f"[wS] begin wX := {self.start()}; wY := wA#[Index1]; wO := {self.one_to_one()}; end;"]

    def others(self):
        """Between the domains."""
        return self.pick([f"[wS] wX := {self.bounded('wX + wA#[wO]')};"], ["[wS] wY := wX#[wO] - wY;"],
                         [f"[wR] wB := {self.bounded('wB + wX#[wP]')};"],
                         [f"[wR] wX#[wP] += wA; [wS] wX := {self.bounded('wX')};"], ["[wR] wY#[wQ] := wC;"])

    def plane(self):
        whole = f"1 + abs(wJ - wI) % {self.rows}"
        turned = [f"[wM] wG := {self.bounded('wG + wH#[Index2, Index1]')};"] if self.rows == self.columns else []
        return self.pick(*([turned] * 2 if turned else []),
                         [f"[wM] wG := {self.bounded('wH#[wI, Index2] + wG')};"],
                         [f"[wM] begin wG := wH#[wI, wJ]; wH := {self.bounded('wH + wG#[wI, wJ]')}; end;"],
                         [f"[wM] wH#[wI, wJ] += wG; [wM] wH := {self.bounded('wH')};"],
                         ["[wM] wG#[wI, Index2] := wH;"], [f"[wM] wI := {whole};"],
                         [f"[wM] wG := wH#[1 + (Index1 * 3) % {self.rows}, {self.columns + 1} - Index2];"])

    def named(self):
        """Maps and arrays under other names."""
        a = self.array()
        b = self.array(a)
        return self.pick([f"[wR] wfetch({a}, {b}, {self.pick('wP', 'wQ')});"],
                         [f"[wR] wstore({a}, {self.pick('wP', 'wQ')}, {b});"],
                         [f"[wR] wadd({a}, {b}, {self.pick('wP', 'wQ')});", *(
                             f"[wR] {name} := {self.bounded(name)};" for name in (a, b))],
                         ["[wS] wfetch(wX, wY, wO);"], ["[wS] wstore(wY, wO, wX);"])

    def under_way(self):
        """Arrays move while a statement is."""
        k, a = self.rng.randrange(self.plans), self.array()
        return self.pick([f"wk := wmove({k}) + wk;"],
                         [f"[wR] {a} := {self.bounded(f'{self.array(a)}#[wP] + wmove({k})')};"],
                         [f"[wR] {a}#[wP] := {self.array(a)} + wmove({k});"],
                         [f"[wR with Index1 % 2 = wmove({k}) % 2] {a} := {self.array(a)}#[wQ];"],
                         [f"[wR] wP := {self.map(f'wP + wmove({k})')};"])
