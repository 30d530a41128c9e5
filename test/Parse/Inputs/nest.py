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
write("arms", "if x then " + "elsif x then " * 1_000_000)
write("scopes", "[R] " * 2_500_000)
write("sum", "x := 1" + " + 1" * 2_500_000)
write("prefix", "x := " + "!" * 10_000_000 + "x")
write("calls", "f(" * 5_000_000)
write("else-ifs", "if x then " + "else if x then " * 1_000_000)
write("long", "x := 1" + " + 1" * 10_000)
write("long-elsifs", "if x then " + "elsif x then " * 10_000 + "end")
write("long-else-ifs", "if x then " + "else if x then " * 10_000 + "end; " * 10_001)
region("of", "d of " * 2_000_000 + "R")
region("at", "R" + " at d" * 2_000_000)

with open("types.z", "w") as file:
    file.write("program deep;\nvar x: " + "array [1] of " * 1_000_000 + "integer;\n")
with open("records.z", "w") as file:
    file.write("program deep;\ntype x = " + "record a: " * 1_000_000)
with open("initializers.z", "w") as file:
    file.write("program deep;\nvar x: t = " + "{" * 10_000_000)
write("subscripts", "x" + "\n[1]" * 2_000_000 + " := 1")
write("fields", "x" + "\n.a" * 2_000_000 + " := 1")
write("floods", "x := " + ">>[R] " * 1_000_000 + "A")
write("folds", "x := " + "f<< (" * 1_000_000)
write("scans", "x := " + "+||<segment a>[1] " * 500_000 + "A")
write("remaps", "x := A" + "#[I]" * 2_000_000)
write("inside", "x := 1" + " inside R" * 1_000_000)
write("directions", "x := A@" + "(" * 10_000_000)
write("modifies", "modify R begin " * 1_000_000)
region("masks", "R" + " with M" * 1_000_000)
region("scaled", "R at d" + " scaledby 2" * 1_000_000)
