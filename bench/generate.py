"""Large ZPL programs for measuring the front end.

A generated program is a row of numbered modules, each of the same kind of text that people
write: types, constants, config variables, regions and directions, arrays, scalar
and parallel procedures, loops, formats, records and comments. The numbers make
every name different; a generator of random numbers with a fixed seed chooses
shapes and operands, so that the same size always gives the same text.
"""
import random

SCALAR_NAMES = ["x", "y", "total", "step"]
OPERATORS = ["+", "-", "*", "/"]
FUNCTIONS = ["sqrt", "fabs", "sin", "exp", "cube"]


class Module:
    """The text of module `number`; `lines` once it is written."""

    def __init__(self, number, chance):
        self.number, self.chance = number, chance
        self.lines = []

    def add(self, text):
        self.lines += text.replace("$", str(self.number)).removeprefix("\n").split("\n")

    def scalar(self, depth):
        """A scalar expression of type double."""
        if depth == 0:
            return self.chance.choice(
                SCALAR_NAMES + ["limit$", "2.5", "1e-3", "i", "table$[3]", "here.pos"])
        left, right = self.scalar(depth - 1), self.scalar(depth - 1)
        kind = self.chance.randrange(4)
        if kind == 0:
            return f"{self.chance.choice(FUNCTIONS)}({left})"
        if kind == 1:
            return f"({left} {self.chance.choice(OPERATORS)} {right})"
        return f"{left} {self.chance.choice(OPERATORS)} {right}"

    def array(self, depth):
        """An array expression over the module's region."""
        if depth == 0:
            return self.chance.choice(
                ["A$", "B$", "A$@north$", "B$@east$", "C$@[1, 0]", "Index1",
                 "limit$", "C$", "A$@west$", "0.25"])
        left, right = self.array(depth - 1), self.array(depth - 1)
        return f"({left} {self.chance.choice(OPERATORS)} {right})"

    def declarations(self):
        self.add("""
-- Module $: a plate with sources, and the books that are kept about it.
type state$ = (cold$, warm$, hot$);
     probe$ = record
       pos, weight: double;
       kind: state$;
       trail: array [1..4] of integer;
     end;

config var n$: integer = 100;          -- rows and columns
           limit$: double = 1e-3;      -- when to stop
const      gain$: double = 0.125;

region R$ = [1..n$, 1..n$];
       Big$ = [0..n$ + 1, 0..n$ + 1];
direction north$ = [-1, 0]; east$ = [0, 1];
          south$ = [1, 0];  west$ = [0, -1];

var A$, B$, C$: [Big$] double;
    mask$: [R$] boolean;
    table$: array [1..16] of double;
    probes$: array [1..8] of probe$;
""")

    def scalar_procedure(self):
        self.add("""
procedure score$(x, y: double; i: integer): double;
var total, step: double;
    here: probe$;
    k: integer;
begin
  total := 0;
  step := gain$ * i;
  here := probes$[i % 8 + 1];""")
        for _ in range(6):
            name = self.chance.choice(["total", "step", "here.pos", "table$[i % 16 + 1]"])
            self.add(f"  {name} {self.chance.choice([':=', '+='])} {self.scalar(2)};")
        self.add("""
  if total > limit$ & here.kind != cold$ then
    return total / step;
  elsif i % 2 = 0 then
    here.kind := hot$;
  else
    here.trail[i % 4 + 1] += 1;
  end;
  for k := 1 to 8 do
    probes$[k].weight := step * k;
    if probes$[k].kind = warm$ then exit; end;
  end;
  return max(total, step);
end;
""")

    def parallel_procedure(self):
        self.add("""
procedure relax$(inout rounds: integer): double;
var change: double;
    T: [R$] double;
[R$] begin
  repeat""")
        for _ in range(5):
            target = self.chance.choice(["T", "A$", "B$", "C$"])
            self.add(f"    {target} := {self.array(2)};")
        self.add("""
    [north$ of R$] A$ := 1.0;
    [1..n$ / 2, 3] B$ := A$@south$ * 0.5;
    mask$ := A$ > limit$ | Index2 % 3 = 0;
    C$ := (T - B$) * mask$;
    change := max<< fabs(T - A$);
    A$ := T;
    rounds += 1;
  until change < limit$ | rounds > 100;
  write("module $: %d rounds, ": rounds, "change %8.3e\\n": change);
  return +<< (A$ * B$) / (n$ * n$);
end;
""")

    def write(self):
        self.declarations()
        self.scalar_procedure()
        self.parallel_procedure()
        return self.lines


def program(lines, name="large"):
    """The text of a program of at least so many lines."""
    chance = random.Random(1)
    text = [f"program {name};"]
    count = 0
    while len(text) < lines:
        count += 1
        text += Module(count, chance).write()
    text += [f"procedure {name}();", "var rounds: integer; sum: double;", "begin"]
    for number in range(1, count + 1):
        text.append(f"  sum += relax{number}(rounds) + score{number}(1, sum, rounds);")
    text += ['  writeln("%g": sum);', "end;", ""]
    return "\n".join(text)
