"""Writes programs of 10 MB that nest without end, and a long sum that is fine."""


def write(name, statement):
    with open(name + ".z", "w") as file:
        file.write(f"program deep;\nprocedure deep();\nbegin\n  {statement};\nend;\n")


def region(name, text):
    with open(name + ".z", "w") as file:
        file.write(f"program deep;\nregion R = {text};\n")


write("parentheses", "x := " + "(" * 10_000_000)
write("brackets", "[" * 10_000_000)
write("blocks", "begin " * 1_700_000)
write("branches", "if x then " * 1_000_000)
write("scopes", "[R] " * 2_500_000)
write("sum", "x := 1" + " + 1" * 2_500_000)
write("prefix", "x := " + "!" * 10_000_000 + "x")
write("calls", "f(" * 5_000_000)
write("long", "x := 1" + " + 1" * 900)
region("of", "d of " * 2_000_000 + "R")
region("at", "R" + " at d" * 2_000_000)
