"""longest-function.py N: fails if a function of the LLVM IR on standard input has more than N lines."""
import sys

lines = longest = 0
for line in sys.stdin:
    lines = 0 if line.startswith("define") else lines + 1
    if line.startswith("}"):
        longest = max(longest, lines)
        lines = 0
print(f"{longest} lines")
sys.exit(not 0 < longest <= int(sys.argv[1]))
