"""Programs of one shape, as generators write them: seconds to compile a source that
is long in one respect, at -O0 and -O2. They are to grow as the source does.
"""

SIZES = {"initializer": 50_000, "computed initializer": 20_000, "strings": 20_000,
         "rows": 50_000, "records": 20_000, "elsif": 2_000, "else if": 2_000,
         "sum": 10_000, "array sum": 2_000, "product": 10_000, "or": 10_000,
         "enumerators": 10_000, "parentheses": 900, "fields": 5_000, "one line": 5_000,
         "statements": 1_000, "globals": 20_000}


def joined(text, count, items):
    return text.join(items(i) for i in range(count))


def program(declarations, body):
    return f"program shape;\n{declarations}\nprocedure shape();\nbegin\n{body}\nend;\n"


def table(count, element, items, types=""):
    return program(f"config var k: integer = 3;\n{types}"
                   f"var t: array [1..{count}] of {element} := {{{joined(', ', count, items)}}};",
                   "  writeln(k);")


def chain(count, operator, type_of, items):
    return program(f"config var k: {type_of[0]} = 1;\nvar x: {type_of[1]};",
                   f"  x := {joined(operator, count, items)};\n  writeln(x);")


def branches(count, word, ends):
    arms = "".join(f"  {word} k = {i} then writeln({i});\n" for i in range(1, count))
    return program("config var k: integer = 7;",
                   f"  if k = 0 then writeln(0);\n{arms}  {'end; ' * ends}")


def source(shape, n):
    """The text of a program of a shape in SIZES, \\p n long."""
    makers = {
        "initializer": lambda: table(n, "double", lambda i: f"{i}.5"),
        "computed initializer": lambda: table(n, "integer", lambda i: f"{i} + k"),
        "strings": lambda: table(n, "string", lambda i: f'"s{i}"'),
        "rows": lambda: table(n // 10, "array [1..10] of integer",
                              lambda i: "{" + joined(", ", 10, lambda j: str(10 * i + j)) + "}"),
        "records": lambda: table(n // 2, "pair", lambda i: f"{{{i}, {i}.5}}",
                                 "type pair = record a: integer; b: double; end;\n"),
        "elsif": lambda: branches(n, "elsif", 1),
        "else if": lambda: branches(n, "else if", n),
        "sum": lambda: chain(n, " + ", ("integer", "integer"),
                             lambda i: "k" if i % 2 else str(i)),
        "array sum": lambda: program(
            "region R = [1..10];\nvar A, B: [R] double;",
            f"  [R] A := {joined(' + ', n, lambda i: 'B' if i % 2 else f'{i}.0')};\n"
            "  [R] writeln(+<< A);"),
        "product": lambda: chain(n, " * ", ("double", "double"), lambda i: "k"),
        "or": lambda: chain(n, " or ", ("integer", "boolean"), lambda i: f"k = {i + 10}"),
        "enumerators": lambda: program(
            f"type e = ({joined(', ', n, lambda i: f'm{i}')});\nvar x: e;",
            "  x := m5;\n  writeln(x);"),
        "parentheses": lambda: chain(1, "", ("integer", "integer"),
                                     lambda i: "(" * n + "k" + ")" * n),
        "fields": lambda: program(
            f"type r = record\n{joined('', n, lambda i: f'  f{i}: integer;{chr(10)}')}end;\n"
            f"var x: r := {{{joined(', ', n, str)}}};", "  writeln(x.f1);"),
        "statements": lambda: program(
            f"region R = [1..10, 1..10];\nvar {joined(', ', n, lambda i: f'A{i}')}: [R] double;",
            joined("", n, lambda i: f"  [R] A{i} := A{i - 1 if i else n - 1} * 0.5 + "
                                    f"A{i - 2 if i > 1 else n - 2};\n")
            + f"  [R] writeln(+<< A{n - 1});"),
        "globals": lambda: program(
            f"var {joined('; ', n, lambda i: f'g{i}: integer')};",
            joined("", n // 10, lambda i: f"  g{10 * i} := g{70 * i % n} + 1;\n")
            + "  writeln(g0);"),
        "one line": lambda: program("var x: integer;",
                                    joined(" ", n, lambda i: f"x := x + {i};") + " writeln(x);"),
    }
    return makers[shape]()
