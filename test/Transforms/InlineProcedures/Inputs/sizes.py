"""sizes.py SIZE:CALLS...: a module with a procedure of each size, in statements
and expressions, that one procedure calls so often; `--entry`: the first of them
is the entry."""
import sys

arguments = sys.argv[1:]
is_entry = arguments[:1] == ["--entry"]
print(f"""module @m
entry @{"p0" if is_entry else "caller"}
region @R : <.., ..> "R"
array @A : f64 <.., ..> over @R "A"
proc @caller() block {{""")
procedures = [[int(n) for n in each.split(":")] for each in arguments[is_entry:]]
for number, (size, calls) in enumerate(procedures):
    print(f"  call @p{number}()\n" * calls, end="")
print("}")
for number, (size, calls) in enumerate(procedures):
    print(f"proc @p{number}() block {{")
    # A statement, an element, a constant; what is left are operators.
    for k in range(size // 3):
        rest = size % 3 if k == 0 else 0
        print("  [@R] @A = " + "neg(" * rest + "f64 0.0" + ")" * rest)
    print("}")
