# Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How gdb prints the values of ZPL programs.

gdb loads this file with a program that was compiled with -g, or by hand with
`source`; docs/Debugging.md is about its use.

    (gdb) print A
    $1 = [R] double over [1..4, 1..6], here [1..4, 1..3] = {
      [1, 1..3] = {1, 2, 3},
      ...
    (gdb) print $zpl_element(A, 2, 3)

A parallel array is a descriptor, zrt_array in zrt/Abi.h: where the element of
index 0 would be, the bytes from neighbour to neighbour, the bounds of what is
stored here, the declared region. The compiler describes one such structure per
type of element; its field `origin` points to that type. The block that this
processor owns comes from the runtime's variable zrt_debugger (the runtime's
Entry/Process.cpp). Only memory is read, no function of the program is called,
so core files print as well.
"""
import gdb
import gdb.printing

INT64 = 8
MAX_RANK = 6


class Range:
    """The indices lo..hi of one dimension."""

    def __init__(self, lo, hi):
        self.lo, self.hi = int(lo), int(hi)

    def __str__(self):
        return str(self.lo) if self.lo == self.hi else f"{self.lo}..{self.hi}"

    def meet(self, other):
        return Range(max(self.lo, other.lo), min(self.hi, other.hi))

    def empty(self):
        return self.lo > self.hi


def box_text(box):
    return "[" + ", ".join(map(str, box)) + "]"


def ranges(six, rank):
    """The first ranges of a zrt_range[6]."""
    return [Range(six[d]["lo"], six[d]["hi"]) for d in range(rank)]


def signed(number):
    """A 64-bit number that may have been taken for an unsigned one."""
    number = int(number)
    return number - (1 << 64) if number >= 1 << 63 else number


def limit():
    """`set print elements`, None for no limit."""
    return gdb.parameter("print elements") or None


# --- What the runtime knows --------------------------------------------------

def read_int64(address, count):
    memory = gdb.selected_inferior().read_memory(address, INT64 * count)
    data = memory.tobytes()
    return [int.from_bytes(data[i:i + INT64], "little", signed=True)
            for i in range(0, len(data), INT64)]


def own_block(rank):
    """This processor's block of a rank; None before it is known."""
    try:
        table = int(gdb.parse_and_eval("(long)&zrt_debugger"))
        domain = read_int64(table + INT64 * rank, 1)[0]
        if domain == 0:
            return None
        bounds = read_int64(domain, 2 * rank)
    except gdb.error:
        return None
    return [Range(*bounds[2 * d:2 * d + 2]) for d in range(rank)]


# --- Parallel arrays -----------------------------------------------------------

class ShowFluff(gdb.Parameter):
    """Whether parallel arrays are printed with the elements of neighbours.

on: all that this processor stores, with the elements that it has received.
off: the elements that it owns."""

    set_doc = show_doc = "Printing of the fluff of ZPL's parallel arrays."

    def __init__(self):
        super().__init__("print zpl-fluff", gdb.COMMAND_DATA,
                         gdb.PARAM_BOOLEAN)
        self.value = False

    def get_set_string(self):
        return ""

    def get_show_string(self, text):
        return f"Printing of fluff is {text}."


class Processor(gdb.Function):
    """$zpl_processor(): the number of the processor that is being debugged."""

    def __init__(self):
        super().__init__("zpl_processor")

    def invoke(self):
        table = int(gdb.parse_and_eval("(long)&zrt_debugger"))
        return read_int64(table + INT64 * (MAX_RANK + 1), 1)[0]


class ParallelArray:
    """A zrt_array in the program's memory."""

    def __init__(self, value):
        self.value = value
        self.rank = int(value["region"]["rank"])
        self.exists = int(value["id"]) != 0 and self.rank > 0
        if not self.exists:
            return
        self.declared = ranges(value["region"]["dim"], self.rank)
        self.stored = ranges(value["stored"], self.rank)
        own = own_block(self.rank)
        self.here = self.stored if own is None else [
            a.meet(b).meet(c)
            for a, b, c in zip(self.declared, own, self.stored)]

    def pointer(self, index):
        offset = sum(int(self.value["pitch"][d]) * i
                     for d, i in enumerate(index))
        kind = self.value["origin"].type
        address = (int(self.value["origin"]) + offset) % (1 << 64)
        return gdb.Value(address).cast(kind)

    def element(self, index):
        """A value of the program, which can be set."""
        return self.pointer(index).dereference()

    def row(self, index, last):
        """The elements from index up to `last` in the last dimension."""
        kind = self.element(index).type.array(index[-1], last)
        return self.pointer(index).cast(kind.pointer()).dereference()

    def rows(self, box):
        """The rows of a box, by their names; as many elements as gdb prints."""
        rest = limit()
        for index in indices([r for r in box[:-1]]):
            lo, hi = box[-1].lo, box[-1].hi
            if rest is not None:
                if rest == 0:
                    yield "...", "more"
                    return
                hi = min(hi, lo + rest - 1)
                rest -= hi - lo + 1
            name = box_text(list(index) + [Range(lo, hi)])
            yield name, self.row(index + (lo,), hi)
            if hi < box[-1].hi:
                yield "...", "more"
                return


def indices(box):
    """All indices of a box, in row-major order."""
    if not box:
        yield ()
        return
    for i in range(box[0].lo, box[0].hi + 1):
        for rest in indices(box[1:]):
            yield (i,) + rest


class ArrayPrinter:
    """`[R] double over [1..4, 1..6], here [1..4, 1..3] = {...}`"""

    def __init__(self, value):
        self.name = str(value.type)
        self.array = ParallelArray(value)

    def shown(self):
        fluff = gdb.parameter("print zpl-fluff")
        return self.array.stored if fluff else self.array.here

    def to_string(self):
        array = self.array
        if not array.exists:
            return f"{self.name}, not allocated"
        text = f"{self.name} over {box_text(array.declared)}"
        shown = self.shown()
        if any(r.empty() for r in shown):
            return text + ", nothing here"
        word = "stored here" if shown is array.stored else "here"
        return f"{text}, {word} {box_text(shown)}"

    def children(self):
        if not self.array.exists or any(r.empty() for r in self.shown()):
            return iter(())
        return self.array.rows(self.shown())


class Element(gdb.Function):
    """$zpl_element(A, i, j, ...): one element of a parallel array.

The index must be one that this processor stores."""

    def __init__(self):
        super().__init__("zpl_element")

    def invoke(self, value, *index):
        kind = value.type.strip_typedefs()
        if not (kind.tag or "").startswith("zrt_array<"):
            raise gdb.GdbError("$zpl_element: not a parallel array")
        array, index = ParallelArray(value), tuple(map(int, index))
        if not array.exists:
            raise gdb.GdbError("$zpl_element: the array is not allocated")
        if len(index) != array.rank:
            raise gdb.GdbError(f"$zpl_element: the array has rank {array.rank}")
        if any(i < r.lo or i > r.hi for i, r in zip(index, array.stored)):
            raise gdb.GdbError(f"{box_text(index)} is not on this processor, "
                               f"which stores {box_text(array.stored)}")
        return array.element(index)


# --- Other types -----------------------------------------------------------------

class RegionPrinter:
    """`[1..4, 1..6]`"""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        rank = int(self.value["rank"])
        return box_text(ranges(self.value["dim"], rank))


class DirectionPrinter:
    """`[-1, 0]`; of one dimension it is a number, else an array of them."""

    def __init__(self, value):
        base = value.type.strip_typedefs()
        self.parts = [value] if base.code == gdb.TYPE_CODE_INT else [
            value[i] for i in range(base.range()[1] + 1)]

    def to_string(self):
        return box_text(map(int, self.parts))


class ComplexPrinter:
    """`1 + 2i`"""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        re, im = str(self.value["re"]), str(self.value["im"])
        sign = "-" if im.startswith("-") else "+"
        return f"{re} {sign} {im.lstrip('-')}i"


class IndexedArrayPrinter:
    """The indexed arrays that gdb itself prints in its own way: negative indices
    as if unsigned, and arrays of bytes as strings."""

    def __init__(self, value):
        self.value = value

    def children(self):
        lo, hi = map(signed, self.value.type.strip_typedefs().range())
        for i in range(lo, hi + 1):
            yield f"[{i}]", self.value[i]

    def display_hint(self):
        return None if gdb.parameter("print array-indexes") else "array"


class BytePrinter:
    """A number, which gdb takes for a character."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return str(int(self.value))


class FilePrinter:
    """`zout`, `file 4`"""

    NAMES = {0: "znull", 1: "zin", 2: "zout", 3: "zerr"}

    def __init__(self, value):
        self.number = int(value)

    def to_string(self):
        return self.NAMES.get(self.number, f"file {self.number}")


class TimerPrinter:
    """`0.25 s, running`"""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        running = ", running" if self.value["running"] else ""
        return f"{float(self.value['accumulated']):g} s{running}"


class StringPrinter:
    """A pointer, where null stands for the empty string."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return self.value.lazy_string() if self.value else ""

    def display_hint(self):
        return "string"


BYTES = ("sbyte", "ubyte")
STRUCTURES = {
    "zrt_region": RegionPrinter,
    "complex": ComplexPrinter,
    "dcomplex": ComplexPrinter,
    "qcomplex": ComplexPrinter,
    "timer": TimerPrinter,
}


class ZplPrinters(gdb.printing.PrettyPrinter):
    """Chooses by the names that lib/CodeGen/DebugTypes.cpp gives to types."""

    def __init__(self):
        super().__init__("zpl", [])

    def __call__(self, value):
        kind = value.type.unqualified()
        if kind.code == gdb.TYPE_CODE_TYPEDEF and kind.name == "string":
            return StringPrinter(value)
        if kind.code == gdb.TYPE_CODE_TYPEDEF and kind.name == "direction":
            return DirectionPrinter(value)
        if kind.code == gdb.TYPE_CODE_INT and kind.name in BYTES:
            return BytePrinter(value)
        if kind.code == gdb.TYPE_CODE_INT and kind.name == "file":
            return FilePrinter(value)
        base = kind.strip_typedefs()
        if base.code == gdb.TYPE_CODE_ARRAY and (
                signed(base.range()[0]) < 0 or base.target().name in BYTES):
            return IndexedArrayPrinter(value)
        if base.code != gdb.TYPE_CODE_STRUCT or not base.tag:
            return None
        if base.tag.startswith("zrt_array<"):
            return ArrayPrinter(value)
        printer = STRUCTURES.get(base.tag)
        return printer(value) if printer else None


gdb.printing.register_pretty_printer(gdb.current_objfile(), ZplPrinters(),
                                     replace=True)
ShowFluff()
Element()
Processor()
