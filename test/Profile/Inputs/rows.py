"""rows.py PROFILE: the rows of a table of --profile that do not depend on time,
sorted: line of the program, operation, calls and, of transfers, messages and
bytes. Fails unless times are plausible: none negative, the columns adding up to
the total, the total to the time "together", the rows in the order of their time."""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    lines = file.read().splitlines()
head = lines.index(next(line for line in lines if line.startswith("place")))
assert lines[head].split() == ["place", "operation", "calls", "messages", "bytes",
                               "computing", "waiting", "imbalance"], lines[head]
rows, times = [], []
for line in lines[head + 1:]:
    if line.startswith("total"):
        total = [float(word) for word in line.split()[4:6]]
        break
    place, what, calls, messages, size, computing, waiting, imbalance = line.split()
    row = [re.sub(r".*:", "line ", place), what, calls]
    rows.append(" ".join(row + ([messages, size] if what == "transfer" else [])))
    times.append((float(computing), float(waiting)))
    assert imbalance == "-" or float(imbalance) >= 1.0, line
assert all(t >= 0 for pair in times for t in pair), times
ROUNDING = 1e-6 * (len(times) + 1)
assert abs(sum(t[0] for t in times) - total[0]) < ROUNDING, total
assert abs(sum(t[1] for t in times) - total[1]) < ROUNDING, total
sums = [sum(pair) for pair in times]
assert all(a > b - ROUNDING for a, b in zip(sums, sums[1:])), sums
together = float(next(l for l in lines if l.startswith("together")).split()[1])
assert abs(together - sum(total)) < ROUNDING, together
print("\n".join(sorted(rows)))
