"""doubling.py N: a program with N record types, each of two of the one before."""
import sys

count = int(sys.argv[1])
print("program doubling;")
print("type r0 = record a, b: integer; end;")
for i in range(1, count):
    print(f"     r{i} = record a, b: r{i - 1}; end;")
print(f"var x: r{count - 1};")
print("procedure doubling();\nbegin\nend;")
