"""long-code.py N: a ZPL program with initializers and runs of assignments of N values.

Constants of several types with and without padding between them, elements that
are computed, the same element again and again, scalars that the straight code
changes and a loop after it needs.
"""
import sys

n = int(sys.argv[1])


def values(function):
    return ", ".join(function(i) for i in range(n))


print(f"""program long;
config var c: integer = 3;
type pair = record x: integer; y: double; end;
     flag = record a, b: boolean; c: char; d: integer; end;
var g: array[1..{n}] of integer = {{{values(lambda i: str(i * 7 - n))}}};
    f: array[1..{n}] of float = {{{values(lambda i: f"{i}.5")}}};
    p: array[1..{n}] of pair = {{{values(lambda i: f"{{{i}, {i}.25}}")}}};
    m: array[1..{n // 2}] of array[1..2] of flag =
      {{{", ".join(f"{{{{true, false, 'a', {i}}}, {{false, true, 'b', -{i}}}}}" for i in range(n // 2))}}};

procedure twice(i: integer): integer;
begin
  return i * 2;
end;

procedure long();
var a: array[1..{n}] of integer = {{{values(lambda i: f"c + {i}" if i % 3 else f"twice({i})")}}};
    d: array[1..{n}] of double = {{{values(lambda i: f"c * {i}.5")}}};
    s, t, i: integer;
    q: pair;
begin
  p[3].x := 77;
  q.y := 2.5;""")
for i in range(n):
    print(f"  s := s + {i}; a[{i % 50 + 1}] := {i}; p[{i % 50 + 1}].x := {i};")
print(f"""  for i := 1 to {n} do
    s := (s + a[i] * 3 + g[i] + p[i].x) % 1000003;
    t := (t + i % 5 * m[(i + 1) / 2][2 - i % 2].d) % 1000003;
  end;
  writeln(s, " ", t, " ", q.x, " ", q.y, " ", a[50], " ", a[{n}], " ", d[{n}]);
  writeln(g[1], " ", g[{n}], " ", f[{n}], " ", p[3].x, " ", p[{n}].y, " ", m[2][1].a, m[2][1].b, " ", m[2][2].c);
end;""")
