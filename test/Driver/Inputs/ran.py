"""What ran.z prints, computed from the formula in docs/Guide/Expressions.md."""
MASK = (1 << 64) - 1


def number(start, k):
    bits = (start + k * 0x9E3779B97F4A7C15) & MASK
    bits = ((bits ^ bits >> 30) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ bits >> 27) * 0x94D049BB133111EB) & MASK
    return (bits ^ bits >> 31) >> 11


for k in [*range(-3, 13), *(1000003 * i - 7 for i in range(1, 6))]:
    print(f"{number(0x6A09E667F3BCC909, k) / 2**53:.17g}")
for k in range(1, 6):
    print(f"{number(0, k) / 2**53:.17g}")
