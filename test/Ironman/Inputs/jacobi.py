"""What examples/ironman/halo.cpp prints, computed on one processor: jacobi.py N ITERATIONS."""
import sys

n, iterations = map(int, sys.argv[1:])
a = [[0.0] * (n + 2) for _ in range(n + 2)]
a[0] = [1.0] * (n + 2)
for _ in range(iterations):
    following = [row[:] for row in a]
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            following[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4
    a = following
total = sum(int(a[i][j] * 2**40) for i in range(1, n + 1) for j in range(1, n + 1))
print(f"sum {total / 2**40:.9f}")
