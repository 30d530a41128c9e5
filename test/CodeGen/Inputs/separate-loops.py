"""A program of COUNT array statements of which few neighbours can share a loop.

    separate-loops.py COUNT
"""
import sys

count = int(sys.argv[1])
print("program separate;\nconfig var n: integer = 9;\nregion R = [1..n, 1..n];\nvar")
for i in range(count):
    print(f"  A{i}: [R] double;")
print("procedure separate();\n[R] begin")
for i in range(count):
    a, b, c = (i * 13 + 5) % count, (i + 1) % count, (i * 7 + 3) % count
    print(f"  A{i} := A{a} * A{b} + 0.5;" if i % 2 else f"  A{i} := A{c} + {i}.5;")
print('  writeln("%.17g": +<< A5);\nend;')
