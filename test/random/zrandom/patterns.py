"""Statements about sparse regions with holes, behind those of a program.

What they read and write has names of its own, so nothing else of the program changes. Their
patterns are random conditions on indices, some of a dense array and of flooded ones; whatever a statement needs to be legal (indices within
bounds, elements that are stored) its region asks for, so that no checker is needed.
"""
import random


class Patterns:
    """The declarations and statements; the same for the same seed."""

    def __init__(self, program):
        self.rng = random.Random(f"patterns {program.seed}")
        self.configs = [c.name for c in program.configs]
        self.rank = self.rng.choice([1, 2, 2, 2, 3])
        self.lo = [self.rng.randint(-2, 2) for _ in range(self.rank)]
        self.size = [self.rng.randint(1, 9 if self.rank < 3 else 5) for _ in range(self.rank)]
        self.hi = [lo + size - 1 for lo, size in zip(self.lo, self.size)]

    def declarations(self):
        box = self.spans(self.lo, self.hi)
        return [f"region zR = {box}; zS = zR where ({self.condition(2)});",
                f"       zT = zR where ({self.condition(2)}); zU = zR where ?;",
                f"       zF = [{self.flooded(0)}]; zG = [{self.flooded(self.rank - 1)}];",
                "var zE: [zF] integer; zH: [zG] integer;",
                "var zA: [zS] integer; zB: [zT] integer; zC: [zU] integer; zD: [zR] integer;",
                "    zk: integer; zf: file;"]

    def statements(self):
        kinds = [self.gather, self.gather, self.scatter, self.scatter_stored, self.change, self.shift,
                 self.product, self.wave, self.border, self.matrix, self.sort]
        lines = [f"[zS] zA := {self.linear()};", f"zA.irv := {self.rng.randint(-3, 9)};",
                 f"[zT] zB := {self.linear()};", f"[zR] zD := {self.linear()};",
                 f"[zF] zE := {self.along(range(1, self.rank))};", f"[zG] zH := {self.along(range(self.rank - 1))};",
                 f"zU := [{', '.join([' '] * self.rank)}] where ({self.condition(1)});"]
        for _ in range(self.rng.randint(4, 8)):
            lines += self.rng.choice(kinds)()
        lines += [f'[zR] writeln("%d ": {name});' for name in ("zA", "zB", "zC", "zD")]
        return ["  " + line for line in lines]

    # ---- Parts ---------------------------------------------------------------

    def index(self):
        return f"Index{self.rng.randint(1, self.rank)}"

    def flooded(self, dimension):
        """The region zR, flooded in a dimension."""
        return ", ".join("*" if d == dimension else f"{lo}..{hi}"
                         for d, (lo, hi) in enumerate(zip(self.lo, self.hi)))

    def along(self, dimensions):
        return " + ".join([f"{self.rng.randint(-3, 4)} * Index{d + 1}" for d in dimensions] +
                          [str(self.rng.randint(-2, 5))])

    def element(self):
        """A comparison of elements of arrays over all of zR."""
        array = self.rng.choice(["zD", "zE", "zH"])
        other = self.rng.choice([self.index(), self.index(), "zE", "zH", str(self.rng.randint(-3, 9))])
        return f"{array} {self.rng.choice(['<', '<=', '>', '=', '!='])} {other}"

    def mixed(self, depth):
        """A condition in which some parts read arrays."""
        kind = self.rng.random()
        if depth == 0:
            return self.element() if kind < 0.5 else self.comparison()
        if kind < 0.1:
            return f"!({self.mixed(depth - 1)})"
        return f"({self.mixed(depth - 1)}) {self.rng.choice('&&|')} ({self.mixed(depth - 1)})"

    def linear(self):
        terms = [f"{self.rng.randint(-3, 4)} * Index{d + 1}" for d in range(self.rank)]
        return " + ".join([*terms, str(self.rng.randint(-5, 9))])

    def comparison(self):
        rng, op = self.rng, self.rng.choice(["<", "<=", ">", ">=", "=", "!="])
        bound = rng.choice(self.configs + [str(rng.randint(-2, 8))] * 3)
        left = rng.choice([self.index(), self.index(), f"{self.index()} + {self.index()}",
                           f"2 * {self.index()} - {self.index()}",
                           f"abs({self.index()} - {self.index()})",
                           f"min({self.index()}, {self.index()})", f"{self.index()} * {self.index()}"])
        if rng.random() < 0.3:
            modulus = rng.randint(2, 4)
            return f"({self.linear()}) % {modulus} {rng.choice(['=', '!='])} {rng.randint(0, modulus - 1)}"
        if rng.random() < 0.25:
            return f"{self.index()} {op} {self.index()} + {rng.randint(-2, 2)}"
        return f"{left} {op} {bound}"

    def condition(self, depth):
        """A boolean of indices, mostly true somewhere."""
        kind = self.rng.random()
        if depth == 0 or kind < 0.25:
            return self.comparison()
        if kind < 0.35:
            return f"!({self.condition(depth - 1)})"
        op = self.rng.choice(["&", "|", "|"])
        return f"({self.condition(depth - 1)}) {op} ({self.condition(depth - 1)})"

    @staticmethod
    def spans(lo, hi):
        return f"[{', '.join(f'{a}..{b}' for a, b in zip(lo, hi))}]"

    def maps(self):
        """Maps into zR."""
        parts = [self.index() if self.size[0] == max(self.size) == min(self.size) and
                 self.lo.count(self.lo[0]) == self.rank and self.rng.random() < 0.4 else
                 f"{lo} + abs({self.linear()}) % {size}" for lo, size in zip(self.lo, self.size)]
        return ", ".join(parts)

    def direction(self):
        return [self.rng.choice([-2, -1, -1, 0, 1, 1]) for _ in range(self.rank)]

    def within(self, directions):
        """The condition that indices moved so stay within zR."""
        terms = []
        for d in range(self.rank):
            down = min([0] + [v[d] for v in directions])
            up = max([0] + [v[d] for v in directions])
            terms.append(f"Index{d + 1} >= {self.lo[d] - down} & Index{d + 1} <= {self.hi[d] - up}")
        return " & ".join(terms)

    @staticmethod
    def text(direction):
        return f"[{', '.join(map(str, direction))}]"

    # ---- Statements ----------------------------------------------------------

    def gather(self):
        region, target = self.rng.choice([("zR", "zD"), ("zT", "zB"), ("zU", "zC"), ("zS", "zA")])
        source = self.rng.choice([name for name in ("zA", "zB", "zC", "zD") if name != target])
        mask = f" with ({self.condition(1)})" if self.rng.random() < 0.3 else ""
        return [f"[{region}{mask}] {target} := {source}#[{self.maps()}];"]

    def scatter(self):
        region, source = self.rng.choice([("zS", "zA"), ("zT", "zB"), ("zU", "zC")])
        op = self.rng.choice([":=", "+=", "max="])
        return [f"[{region}] zD#[{self.maps()}] {op} {source};"]

    def scatter_stored(self):
        region, source = self.rng.choice([("zR", "zD"), ("zT", "zB")])
        to, target = self.rng.choice([("zS", "zA"), ("zU", "zC")])
        maps, op = self.maps(), self.rng.choice([":=", "+="])
        return [f"[{region} where ([{maps}] inside {to})] {target}#[{maps}] {op} {source};"]

    def change(self):
        region = self.rng.choice(["zT", "zU"])
        if self.rng.random() < 0.3:
            return [f"modify {region} begin [zR where ({self.condition(1)})] add [{self.maps()}]; end;"]
        values = ["zS", f"({self.condition(1)})", f"({self.mixed(2)})"]
        return [f"{region} {self.rng.choice(['|=', '&=', ':='])} {self.rng.choice(values)};"
                .replace(":= (", f":= [{', '.join([' '] * self.rank)}] where (")]

    def shift(self):
        direction = self.direction()
        region, target = self.rng.choice([("zR", "zD"), ("zT", "zB"), ("zS", "zA")])
        source = self.rng.choice(["zA", "zB", "zC", "zD"])
        if self.rng.random() < 0.3:
            return [f"[{region}] {target} := {source}@^{self.text(direction)} + 1;"]
        return [f"[{region} where ({self.within([direction])})] {target} := {source}@{self.text(direction)} + {source};"]

    def product(self):
        region = self.rng.choice(["zS", "zT", "zR"])
        return [f"[{region}] zk := +<< (zA * zB + zD);", 'writeln("%d": zk);']

    def wave(self):
        directions = [self.direction() for _ in range(self.rng.randint(1, 3))]
        order = self.rng.sample(range(self.rank), self.rank)
        signs = [self.rng.choice([1, 1, -1]) for _ in order]
        for direction in directions:                     # all against one order of the indices
            first = next((d for d in order if direction[d]), order[0])
            direction[first] = -signs[first] * max(abs(direction[first]), 1)
        region, array = self.rng.choice([("zS", "zA"), ("zS", "zD"), ("zT", "zB")])
        primed = " + ".join(f"{array}'@{self.text(d)}" for d in directions)
        other = self.rng.choice([f"zC + {self.index()}", "zD", f"{array}@{self.text(directions[0])}"])
        statements = f"{array} := ({primed} + {other}) % 1000;"
        if self.rng.random() < 0.4:                      # a second array, over the same pattern or another
            second = self.rng.choice([name for name in ("zA", "zB", "zD") if name != array])
            region = "zS where zT" if "zB" in (array, second) and "zA" in (array, second) else \
                "zT" if "zB" in (array, second) else "zS"
            statements += f" {second} := ({second}'@{self.text(directions[-1])} + {array}) % 500;"
        mask = f" with ({self.condition(1)})" if self.rng.random() < 0.2 else ""
        return [f"[{region} where ({self.within(directions)}){mask}] scan {statements} end;"]

    def border(self):
        inner = [d for d in range(self.rank) if self.size[d] >= 3]
        if not inner:
            return []
        dim, sign = self.rng.choice(inner), self.rng.choice([-1, 1])
        lo, hi = list(self.lo), list(self.hi)
        lo[dim] += 1
        hi[dim] -= 1
        direction = [sign if d == dim else 0 for d in range(self.rank)]
        return [f"[{self.text(direction)} of {self.spans(lo, hi)}] {self.rng.choice(['wrap', 'reflect'])} "
                f"{self.rng.choice(['zA', 'zB', 'zD'])};"]

    def matrix(self):
        if self.rank != 2:
            return []
        region, array = self.rng.choice([("zS", "zA"), ("zT", "zB"), ("zR", "zD")])
        return ['zf := open("pattern.mtx", file_write);', f"[{region}] write(zf, {array}); close(zf);",
                'zf := open("pattern.mtx", file_read);', "read(zf, zU);", "[zU] read(zf, zC); close(zf);",
                f"[zR] zk := +<< (zC - {array});", 'writeln("%d ": size(zU), "%d": zk);']

    def sort(self):
        if self.rank != 1:
            return []
        return [self.rng.choice(["[zS] sort(zA, zD);", "[zT] sort(zD, descending);", "[zS where zT] sort(zA);"])]
