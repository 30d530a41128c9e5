"""What is known of a value: its type, rank and interval, and how fine it is.

Floating values of an exact program are multiples of 2**-bits and small enough
for their type, so that no sum, however it is grouped, rounds. Variables keep to
|x| <= LIMIT and BITS fraction bits; expressions in between may leave that.
"""
import math
from dataclasses import dataclass

LIMIT, BITS = 64.0, 3
TEXT, MADE = 16, 64          # bytes of string variables, and of strings in between
INF = math.inf


class Illegal(Exception):
    """Why a program of the model is not legal (or not exact)."""


RANGES = {
    "boolean": (0, 1), "sbyte": (-128, 127), "ubyte": (0, 255),
    "shortint": (-2**15, 2**15 - 1), "integer": (-2**31, 2**31 - 1),
    "longint": (-2**63, 2**63 - 1),
}
FLOATS = ("float", "double")
EXTREMES = ("max", "min", "maxnan", "minnan")
MANTISSA = {"float": 24, "double": 53, "dcomplex": 53}
ORDER = ["integer", "longint", "float", "double", "dcomplex"]


@dataclass(frozen=True)
class Fact:
    """Of a string lo and hi bound its length."""
    type: str
    rank: int                # 0: a scalar
    lo: float = -INF
    hi: float = INF
    bits: int = 0

    @property
    def size(self):
        return max(abs(self.lo), abs(self.hi))


def is_int(t):
    return t in RANGES


def is_real(t):
    return t in RANGES or t in FLOATS


def variable(t, rank):
    """What a variable of type t holds."""
    if is_int(t):
        return Fact(t, rank, *RANGES[t])
    if t == "rec":
        return Fact(t, rank)
    if t == "string":
        return Fact(t, rank, 0, TEXT)
    return Fact(t, rank, -LIMIT, LIMIT, BITS)


def common(a, b):
    """The type in which a and b are combined."""
    def wide(t):
        return t if t in ORDER else "integer"
    return max(wide(a), wide(b), key=ORDER.index)


def made(kind, rank, lo, hi, bits=0, exact=True):
    """A computed value; integers that may wrap take their whole type."""
    if is_int(kind):
        least, most = RANGES[kind]
        if lo < least or hi > most or math.isnan(lo) or math.isnan(hi):
            lo, hi = least, most
        return Fact(kind, rank, lo, hi)
    if math.isnan(lo) or math.isnan(hi):
        raise Illegal("may be NaN")
    fact = Fact(kind, rank, lo, hi, bits if exact else 0)
    if fact.size == INF:
        return fact
    if exact and fact.size * 2.0**bits > 2.0**MANTISSA[kind]:
        raise Illegal("not exact")
    if not exact and fact.size > 1e12:
        raise Illegal("too large")
    return fact


def made_text(rank, lo, hi):
    """A string that is computed."""
    if hi > MADE:
        raise Illegal("a long string")
    return Fact("string", rank, lo, hi)


def corners(f, a, b):
    return [f(x, y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]


def fraction_bits(value):
    bits = 0
    while value != math.floor(value):
        value, bits = value * 2, bits + 1
        if bits > 40:
            return bits
    return bits


def power_of_two(fact):
    """k if the value is the literal 2**k, else None."""
    if fact.lo == fact.hi and fact.lo > 0 and math.frexp(fact.lo)[0] == 0.5:
        return math.frexp(fact.lo)[1] - 1
    return None


def arithmetic(op, a, b, rank, exact):
    """a op b for + - * / %."""
    kind = common(a.type, b.type)
    real = not is_int(kind)
    if real and INF in (a.size, b.size):
        raise Illegal("arithmetic on what may be infinite")
    if op in "+-":
        hi, lo = (a.hi + b.hi, a.lo + b.lo) if op == "+" else (a.hi - b.lo, a.lo - b.hi)
        return made(kind, rank, lo, hi, max(a.bits, b.bits), exact)
    if op == "*":
        values = corners(lambda x, y: x * y, a, b)
        if kind == "dcomplex":
            bound = 2 * a.size * b.size
            return made(kind, rank, -bound, bound, a.bits + b.bits, exact)
        return made(kind, rank, min(values), max(values), a.bits + b.bits, exact)
    if kind == "dcomplex":
        raise Illegal("complex division")
    if b.lo <= 0 <= b.hi:
        raise Illegal("divisor may be zero")
    if op == "%":
        return remainder(kind, a, b, rank, exact)
    if not real:
        size = a.size / min(abs(b.lo), abs(b.hi))
        return made(kind, rank, -size, size)
    shift = power_of_two(b)
    if exact and shift is None:
        raise Illegal("division is not exact")
    if min(abs(b.lo), abs(b.hi)) < 0.01:
        raise Illegal("divisor may be tiny")
    values = corners(lambda x, y: x / y, a, b)
    return made(kind, rank, min(values), max(values), a.bits + max(shift or 0, 0), exact)


def remainder(kind, a, b, rank, exact):
    most = b.size if not is_int(kind) else b.size - 1
    lo = -min(most, -a.lo) if a.lo < 0 else 0
    hi = min(most, a.hi) if a.hi > 0 else 0
    return made(kind, rank, lo, hi, max(a.bits, b.bits), exact)


# Operators that a program defines (text.py), of longints: the value of the greatest magnitude, and the last
# one that is not 0, whose order of combining counts.
USER = ("umost", "ulast")


def totalled(op, fact, n, may_be_empty, exact):
    """A reduction or a scan value over at most n elements."""
    t = fact.type
    if op in USER:
        if not is_int(t):
            raise Illegal(f"{op}<< on {t}")
        return Fact("longint", fact.rank, min(0, fact.lo), max(0, fact.hi))
    if t == "string":
        if op not in ("max", "min"):
            raise Illegal(f"{op}<< on {t}")
        longest = INF if op == "min" and may_be_empty else fact.hi
        return Fact(t, fact.rank, 0 if may_be_empty else fact.lo, longest)
    counted = t if t not in ("boolean", "sbyte", "ubyte", "shortint") else "integer"
    if op == "+":
        lo, hi = min(0, n * fact.lo), max(0, n * fact.hi)
        return made(counted, fact.rank, lo, hi, fact.bits, exact)
    if op == "*":
        if is_int(t):
            return Fact(counted, fact.rank, *RANGES[counted])
        if fact.size > 2 or fact.bits or n > 40:
            raise Illegal("product is not exact")
        return made(counted, fact.rank, -2.0**n, 2.0**n, 0, exact)
    if not is_real(t):
        raise Illegal(f"{op}<< on {t}")
    if op in EXTREMES:
        if is_int(t):
            return Fact(t, fact.rank, *RANGES[t])
        if may_be_empty:
            return Fact(t, fact.rank, -INF, INF, fact.bits)
        return fact
    if not is_int(t):
        raise Illegal(f"{op}<< on {t}")
    if op in "&|" and t == "boolean":
        return Fact("boolean", fact.rank, 0, 1)
    if op in "&|":
        return Fact(t, fact.rank, *RANGES[t])
    return Fact(counted, fact.rank, *RANGES[counted])


def assignable(t, fact, exact):
    """Whether a value may be stored in a variable of type t without trouble."""
    if t == "rec" or fact.type == "rec":
        return t == fact.type
    if t == "string" or fact.type == "string":
        return t == fact.type and fact.hi <= TEXT
    if t == "dcomplex" or t in FLOATS:
        if fact.type == "dcomplex" != t:
            return False
        bits = fact.bits if exact else 0
        return fact.size <= LIMIT and bits <= BITS
    if fact.type == "dcomplex":
        return False
    if fact.type in FLOATS and t != "boolean":
        return RANGES[t][0] <= fact.lo and fact.hi <= RANGES[t][1]
    return fact.size < INF or is_int(fact.type)
