"""Loops of the kind that passes and code generation have special forms for, behind the
statements of a program: time steps of stencils, matrices that are updated by their own rows
and columns, products, waves with procedures, families with tables of directions, library
functions, partial results that are used at once.

What they read and write has names of its own, so nothing else of the program changes. Values
stay small: integers by remainders, floating ones by means; and no sum depends on its order, so
that the output is the same in every way to run. `zplc -ftime-steps=3 -fdelay-updates=4` makes
passes take loops that are too small for them otherwise.
"""
import random

TYPES = ["integer", "integer", "double", "double", "float", "longint", "shortint"]
REAL = ("double", "float")


class Kernels:
    """The declarations and statements; the same for the same seed."""

    def __init__(self, program):
        self.rng = random.Random(f"kernels {program.seed}")
        self.type = self.rng.choice(TYPES)
        self.real = self.type in REAL
        self.rows = self.rng.choice([1, 3, 5, 8, 13, 13, 21, 34])
        self.columns = self.rng.choice([self.rows, self.rows, self.rows, 1, 4, 9, 17, 40])
        self.square = min(self.rows, self.columns)
        self.members = self.rng.randint(2, 5)

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, *values):
        return self.rng.choice(values)

    def declarations(self):
        kind, last = self.type, self.members - 1
        offsets = ", ".join(self.offset() for _ in range(self.members))
        weights = ", ".join(self.weight() for _ in range(self.members))
        return [
            f"region yR = [1..{self.rows}, 1..{self.columns}]; "
            f"yBig = [-1..{self.rows + 2}, -1..{self.columns + 2}];",
            f"       yCol = [1..{self.rows}, *]; yRow = [*, 1..{self.columns}]; "
            f"yQ = [1..{self.square}, 1..{self.square}];",
            f"const yto: array [0..{last}] of direction<,> = {{{offsets}}};",
            f"      yby: array [0..{last}] of {kind} = {{{weights}}};",
            f"var yA, yB, yC, yD: [yBig] {kind}; yM, yN: [yBig] boolean; yT, yU: [yR] {kind};",
            f"    yF: array [0..{last}] of [yBig] {kind};",
            f"    yc: [yCol] {kind}; yr: [yRow] {kind}; ys: {kind}; yi, yk: integer;",
            *self.procedures()]

    def procedures(self):
        """What waves and element-wise statements call."""
        kind, a, b = self.type, self.weight(), self.weight()
        bound = self.rng.randint(1, 60)
        return [
            f"procedure ychoose(a, b, c: {kind}): {kind};",
            f"begin if a {self.pick('=', '<', '>=')} b then return c + {a}; "
            f"elsif b > c then return {self.pick('a', 'b', f'max(a, {b})')}; end; "
            f"return {self.bounded('a - b')}; end;",
            f"procedure ylater(a, b: {kind}): {kind};",
            f"var t: {kind};",
            f"begin if a > {bound} then t := b; else t := a; "
            f"{self.pick('t := min(t, b);', 'if t < b then t += 1; end;', '')} end; "
            f"return {self.bounded('t + ' + a)}; end;"]

    def statements(self):
        kinds = [self.steps, self.steps, self.updates, self.updates, self.product, self.wave,
                 self.wave, self.members_loop, self.library, self.rows_of_masks, self.partial,
                 self.going_round]
        lines = [f"[yBig] begin yA := {self.start()}; yB := {self.start()}; yC := {self.start()}; "
                 f"yD := {self.start()}; end;",
                 f"[yBig] begin yM := {self.condition()}; yN := {self.condition()}; end;",
                 f"for yi := 0 to {self.members - 1} do [yBig] yF[yi] := {self.start()}; end;"]
        for _ in range(self.rng.randint(4, 8)):
            lines += self.rng.choice(kinds)()
        if self.chance(0.5):
            lines += self.torus()
        form = "%.17g " if self.real else "%d "
        lines += [f'[yBig] writeln("{form}": {name});' for name in ("yA", "yB", "yC", "yD")]
        lines += [f'for yi := 0 to {self.members - 1} do [yR] writeln("{form}": yF[yi]); end;',
                  f'[yR] writeln("{form}": yc, "{form}": yr, "{form}": ys, "%d": yM);']
        return ["  " + line for line in lines]

    # ---- Parts ---------------------------------------------------------------

    def start(self):
        a, b, c = (self.rng.randint(1, 97) for _ in range(3))
        mix = f"(Index1 * {a} + Index2 * {b} + Index1 * Index2 * {c} + 9999) % {self.rng.randint(2, 101)}"
        return f"({mix}) * 0.37 - 7" if self.real else f"({mix}) - {self.rng.randint(0, 40)}"

    def condition(self):
        a, b = self.rng.randint(0, 5), self.rng.randint(1, 5)
        modulus = self.rng.randint(2, 5)
        sum_of_both = f"(Index1 * {a} + Index2 * {b} + 99) % {modulus}"
        return f"{sum_of_both} {self.pick('=', '!=')} {self.rng.randrange(modulus)}"

    def weight(self):
        return self.pick("0.25", "0.5", "-0.3", "1.5") if self.real else self.pick("1", "2", "-1", "3")

    def offset(self, far=1):
        return f"[{self.rng.randint(-far, far)}, {self.rng.randint(-far, far)}]"

    def bounded(self, e):
        """e, kept small."""
        return f"({e}) * 0.4" if self.real else f"({e}) % 211"

    def array(self, *others):
        return self.rng.choice([name for name in ("yA", "yB", "yC", "yD") if name not in others])

    def mask(self):
        return self.pick("", "", "", " with yM", " with yN", " with !yM", " with yM & yN",
                         f" with ({self.condition()})")

    def stencil(self, *names):
        terms = [f"{self.weight()} * {self.rng.choice(names)}@{self.offset(2 if self.chance(0.2) else 1)}"
                 for _ in range(self.rng.randint(2, 5))]
        if self.chance(0.3):
            terms.append(self.pick("Index1", "Index2", f"{self.rng.choice(names)}",
                                   f"abs({self.rng.choice(names)})"))
        return self.bounded(" + ".join(terms))

    # ---- Statements ----------------------------------------------------------

    def steps(self):
        """A time loop over one to three sweeps."""
        now = self.array()
        new = self.array(now)
        body = []
        if self.chance(0.3):
            side = self.pick("[-1, 0]", "[1, 0]", "[0, -1]", "[0, 1]")
            body.append(f"[{side} of yR] {self.pick('wrap', 'reflect')} {now};")
        mask = self.mask()
        shape = self.rng.randrange(5)
        if shape == 0:
            body.append(f"[yR{mask}] {new} := {self.stencil(now)};")
            body.append(f"[yR{self.pick(mask, '')}] {now} := {new};")
        elif shape == 1:
            body.append(f"[yR{mask}] {new} := {self.stencil(now)};")
            body.append(f"[yR{mask}] {now} := {self.stencil(new)};")
        elif shape == 2:
            body.append(f"[yR{mask}] {now} := {self.stencil(now, self.array(now))};")
        elif shape == 3:
            old = self.array(now, new)
            body.append(f"[yR{mask}] {new} := {self.bounded(f'2 * {now} - {old} + {self.stencil(now)}')};")
            body.append(f"[yR] {old} := {now};")
            body.append(f"[yR] {now} := {new};")
        else:
            body.append(f"[yR with yM] {now} := {self.stencil(now)};")
            body.append(f"[yR with !yM] {now} := {self.stencil(now)};")
        if self.chance(0.2):
            body.append(f"[yR] ys := max<< {self.pick(f'abs({now} - {new})', now)};")
        count = self.rng.randint(1, 9)
        if self.chance(0.2):
            return ["yi := 0;", "repeat", *body, f"yi += 1; until yi >= {count};"]
        return [f"for yi := 1 to {count} do", *body, "end;"]

    def torus(self):
        """A time loop that reads around the region."""
        far = 2 if self.chance(0.3) else 1
        terms = [f"{self.weight()} * yT@^{self.offset(far)}" for _ in range(self.rng.randint(1, 5))]
        if self.chance(0.6):
            terms.append(self.pick("yT", "yU", "yc", "yr", "yi", "yA", "Index1", "yT@^[0, 1]"))
        value = self.bounded(" + ".join(terms))
        mask = self.pick("", "", " with yM", " with yU > 3")
        body = self.pick([f"[yR{mask}] yU := {value};", "[yR] yT := yU;"],
                         [f"[yR] yU := {value};", f"[yR{mask}] yT := max(yU, yT) - 1;"],
                         [f"[yR{mask}] yT := {value};"])
        form = "%.17g " if self.real else "%d "
        return [f"[yR] begin yT := {self.start()}; yU := {self.start()}; end;",
                f"for yi := {self.pick('1 to 9', '8 downto 1', '1 to 12 by 3', '1 to 1')} do", *body, "end;",
                f'[yR] writeln("{form}": yT, "{form}": yU);']

    def updates(self):
        """A matrix by its own rows and columns."""
        array, n = self.array(), self.square
        row, column = f">>[yk, ] {array}", f">>[ , yk] {array}"
        update = self.pick(f"{array} min= ({column}) + ({row})", f"{array} max= min({column}, {row})",
                           f"{array} max= ({column}) - ({row})",
                           "yM |= (>>[ , yk] yM) & (>>[yk, ] yM)", "yN &= (>>[ , yk] yN) | (>>[yk, ] yN)")
        if self.real and self.chance(0.5):
            update = self.pick(f"{array} -= ({column}) * ({row}) * 0.01",
                               f"{array} += 0.02 * ({row}) * ({column})")
        region = self.pick("yQ", f"yk..{n}, yk..{n}", f"yk + 1..{n}, yk + 1..{n}", f"1..{n}, yk..{n}")
        mask = self.pick("", "", "", " with Index1 != yk", " with yD > 3",
                         f" with >>[ , yk] {self.pick('yM', 'yN')}")
        body = []
        if self.chance(0.3):
            body.append(f"[yk, 1..{n}] {array} := {self.bounded(array + ' + 1')};")
        if self.chance(0.3):
            body.append(f"[1..{n}, yk] {array} := {self.bounded(array + ' - 1')};")
        body.append(f"[{region}{mask}] {update};")
        if not self.real:
            body.append(f"[yQ] {array} := {array} % 300;")
        elif self.chance(0.3):
            body.append(f"[yk, yk] ys := max<< {array};")
        if self.chance(0.2):
            body.append(f"[yk, 1..{n}] {array} := 0.5 * {array};" if self.real else
                        f"[yk, 1..{n}] {array} := {array} + yk;")
        last = n if "yk + 1" not in region else n - 1
        return [f"for yk := 1 to {last} do", *body, "end;"]

    def product(self):
        """Of floods, or of arrays that floods were assigned to."""
        target = self.array()
        a, b = self.array(target), self.array(target)
        op, combine = self.pick(("+=", "{} * {}"), ("+=", "{} * {}"), ("max=", "{} + {}"),
                                ("min=", "max({}, {})"), ("-=", "{} * {}"))

        def small(e):
            return f"(0.1 * {e})" if self.real else f"({e} % 7)"

        lines = [f"[yQ] {target} := {self.bounded(target)};"]
        mask = self.pick("", "", " with yM", " with Index2 > yk", " with >>[ , yk] yN")
        if self.chance(0.5):
            value = combine.format(small(f"(>>[ , yk] {a})"), small(f"(>>[yk, ] {b})"))
            body = [f"[yQ{mask}] {target} {op} {value};"]
        else:
            value = combine.format(small("yc"), small("yr"))
            body = [f"[yCol] yc := >>[ , yk] {a};", f"[yRow] yr := >>[yk, ] {b};",
                    f"[yQ{mask}] {target} {op} {value};"]
        return lines + [f"for yk := 1 to {self.square} do", *body, "end;"]

    def wave(self):
        """A recurrence; all primed directions against the same order."""
        first, second = self.pick(-1, 1), self.pick(-1, 1)
        directions = [f"[{first}, {second}]", f"[{first}, 0]", f"[0, {second}]", f"[{first}, {-second}]",
                      f"[{2 * first}, {second}]"]
        if self.chance(0.6):
            directions.remove(f"[{first}, {-second}]")
        array = self.array()
        other = self.array(array)
        primes = [f"{array}'@{d}" for d in self.rng.sample(directions, self.rng.randint(1, 3))]
        gap = self.weight()
        if self.chance(0.5):
            value = primes[0] + " - 1"
            for term in primes[1:]:
                value = f"{self.pick('max', 'min')}({value}, {term} - {gap})"
            value = self.bounded(f"{value} + {other}")
        else:
            value = self.pick(f"ychoose({primes[0]}, {other}, {primes[-1]})",
                              f"ylater({primes[0]}, {other}) + ylater({primes[-1]}, 2)",
                              f"max(ychoose({other}, {primes[0]}, 4), {primes[-1]} - {gap})")
            value = self.bounded(value)
        lines = [f"{array} := {value};"]
        if self.chance(0.3):
            two = self.array(array, other)
            lines.insert(0, f"{two} := {self.bounded(f'max({primes[0]}, {two} + {gap})')};")
        mask = self.pick("", "", "", " with yM")
        return [f"[yR{mask}] scan", *lines, "end;"]

    def members_loop(self):
        """Members of families by constant tables."""
        target, last = self.array(), self.members - 1
        body = [self.pick(f"{target} := {self.bounded(f'{target} + yby[yi] * yF[yi]@yto[yi]')};",
                          f"yF[yi] := {self.bounded(f'yF[yi]@yto[yi] + {target}')};",
                          f"yF[yi] := {self.bounded(f'yF[{last} - yi] + yby[yi]')};",
                          f"yF[yi] := ychoose(yF[yi], {target}, yby[yi]);")
                for _ in range(self.rng.randint(1, 3))]
        loop = self.pick(f"for yi := 0 to {last} do", f"for yi := {last} downto 0 do",
                         f"for yi := 0 to {last} by 2 do")
        lines = [f"[yR{self.mask()}] {loop}", *body, "end;"]
        if self.chance(0.4):
            return [f"for yk := 1 to {self.rng.randint(1, 4)} do", *lines, "end;"]
        return lines

    def library(self):
        """Functions of lanes, under masks and conditions."""
        if not self.real:
            target = self.array()
            operands = ", ".join(self.array() for _ in range(3))
            return [f"[yR{self.mask()}] {target} := ychoose({operands});"]
        x = self.array()
        call = self.pick("exp(-abs({0}) * 0.1)", "log(abs({0}) + 1.0)", "sqrt(abs({0}))", "sin({0})",
                         "cos({0} + 1)", "atan({0})", "pow(abs({0}) + 0.5, 1.3)", "tanh({0})",
                         "exp(sin({0})) * 0.5", "cbrt({0})", "sqrt({0} * {0} + 1)")
        value = f"{call.format(x)} + {self.weight()} * {self.array()}"
        if self.chance(0.3):
            value = f"ylater({value}, {self.array()})"
        return [f"[yR{self.mask()}] {self.array()} := {self.bounded(value)};"]

    def rows_of_masks(self):
        """Masks that are the same along rows or columns."""
        k = self.rng.randint(1, self.square)
        mask = self.pick(f">>[ , {k}] yM", f">>[{k}, ] yN", f"(>>[ , {k}] yM) & yN", f"!(>>[ , {k}] yM)",
                         f"(>>[ , {k}] yA) > 2")
        target = self.array()
        return [f"[yR with {mask}] {target} := {self.stencil(self.array(target))};"]

    def partial(self):
        """Reductions to rows and columns, used at once."""
        source, target = self.array(), self.array()
        return [f"[yCol] yc := max<<[yR{self.pick('', ' with yM')}] ({self.bounded(f'{source} + 2')});",
                f"[yRow] yr := min<<[yR] {source};",
                f"[yR{self.mask()}] {target} := {self.bounded(f'{target} - yc + yr')};"]

    def going_round(self):
        """Arrays that go round in a loop, as in Cannon's algorithm."""
        target = self.array()
        a = self.array(target)
        return [f"[yQ] for yk := 1 to {self.rng.randint(1, 6)} do",
                f"{target} max= {a} - {self.weight()};",
                f"{a} := {a}@^{self.pick('[0, 1]', '[-1, 0]', '[1, 0]')};", "end;"]
