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

A parallel array is a descriptor, zrt_array in zrt/Abi.h: where the element at
position 0 would be, the bytes from neighbour to neighbour, the positions that
are stored here, the declared region. A dimension of a region may have a stride,
and then an index is at the position (index - align) / stride; or it is flooded
and all indices are at position 0. In a scattered domain positions are places:
what this processor has of a dimension is a list of segments, lo..hi by a stride,
with the place of lo. The compiler describes one such structure per
type of element; its field `origin` points to that type. The block that this
processor owns comes from the runtime's variable zrt_debugger (the runtime's
Entry/Process.cpp). Only memory is read, no function of the program is called,
so core files print as well.

A sparse array has its elements in the order of its region's pattern, zrt_pattern,
and the value of all other indices in front of them:

    $2 = [S] double over [1..4, 1..6] sparse, elsewhere 0, here 3 indices = {
      [1, 2] = 1.5, ...
"""
import gdb
import gdb.printing

INT64 = 8
MAX_RANK = 6


class Range:
    """The indices lo..hi of one dimension, or every `stride`-th of them from
    lo on."""

    def __init__(self, lo, hi, stride=1):
        self.lo, self.hi, self.stride = int(lo), int(hi), int(stride)

    def __str__(self):
        if self.lo == self.hi:
            return str(self.lo)
        by = "" if self.stride == 1 or self.empty() else f" by {self.stride}"
        return f"{self.lo}..{self.hi}{by}"

    def __iter__(self):
        return iter(range(self.lo, self.hi + 1, self.stride))

    def __contains__(self, index):
        return (self.lo <= index <= self.hi and
                (index - self.lo) % self.stride == 0)

    def meet(self, bounds):
        """What lies within the bounds of another one."""
        lo = max(self.lo, bounds.lo)
        lo += (self.lo - lo) % self.stride
        hi = min(self.hi, bounds.hi)
        return Range(lo, hi - (hi - lo) % self.stride, self.stride)

    def first(self, count):
        """As many of the indices, from the first on."""
        hi = min(self.hi, self.lo + (count - 1) * self.stride)
        return Range(self.lo, hi, self.stride)

    def count(self):
        return 0 if self.empty() else (self.hi - self.lo) // self.stride + 1

    def empty(self):
        return self.lo > self.hi


class Scattered:
    """The indices of a dimension that are at some places, in ascending order:
    those of segments (lo, hi, stride, place of lo) of a processor, as far as
    they are in a Range."""

    def __init__(self, segments, places, bounds):
        self.segments = segments
        self.parts = []
        for lo, hi, stride, place in segments:
            first = max(places.lo, place)
            last = min(places.hi, place + (hi - lo) // stride)
            at = Range(lo + (first - place) * stride, lo + (last - place) * stride, stride)
            if at.empty():
                continue
            kept = [i for i in at if i in bounds] if bounds.stride != 1 else None
            self.add(at, kept, bounds)

    def add(self, at, kept, bounds):
        if kept is None:
            part = at.meet(bounds)
            self.parts += [] if part.empty() else [part]
        elif kept:
            stride = kept[1] - kept[0] if len(kept) > 1 else 1
            self.parts.append(Range(kept[0], kept[-1], stride))

    def __str__(self):
        text = ", ".join(map(str, self.parts))
        return text if len(self.parts) == 1 else "{" + text + "}"

    def __iter__(self):
        return (i for part in self.parts for i in part)

    def __contains__(self, index):
        return any(index in part for part in self.parts)

    def meet(self, bounds):
        return self

    def first(self, count):
        """As many of the indices, from the first on."""
        made = Scattered(self.segments, Range(0, -1), Range(0, -1))
        for part in self.parts:
            if count > 0:
                made.parts.append(part.first(count))
            count -= part.count()
        return made

    def place(self, index):
        for lo, hi, stride, place in self.segments:
            if index in Range(lo, hi, stride):
                return place + (index - lo) // stride
        raise gdb.GdbError(f"index {index} is on another processor")

    def dense(self):
        """Whether the elements lie side by side."""
        at = [self.place(i) for i in (self.parts[0].lo, self.parts[-1].hi)]
        return at[1] - at[0] + 1 == self.count()

    @property
    def lo(self):
        return self.parts[0].lo

    def count(self):
        return sum(part.count() for part in self.parts)

    def empty(self):
        return not self.parts


class Flood:
    """A flooded dimension, whose one position serves every index."""

    lo = hi = 0
    stride = 1

    def __str__(self):
        return "*"

    def __iter__(self):
        return iter(["*"])

    def __contains__(self, index):
        return True

    def meet(self, bounds):
        return self

    def first(self, count):
        return self

    def count(self):
        return 1

    def empty(self):
        return False


def box_text(box):
    return "[" + ", ".join(map(str, box)) + "]"


def ranges(six, rank):
    """The first ranges of a zrt_range[6]."""
    return [Range(six[d]["lo"], six[d]["hi"]) for d in range(rank)]


def strided(lo, hi, stride, align):
    """The indices lo..hi that lie at a multiple of the stride from align."""
    if stride <= 1:
        return Range(lo, hi)
    first = lo + (align - lo) % stride
    last = hi - (hi - align) % stride
    return Range(first, last, stride) if first <= last else Range(lo, hi)


def region_box(region):
    """What a zrt_region holds."""
    def dimension(d):
        if int(region["floods"]) >> d & 1:
            return Flood()
        dim = region["dim"][d]
        lo, hi = int(dim["lo"]), int(dim["hi"])
        stride, align = int(dim["stride"]), int(dim["align"])
        return strided(lo, hi, stride, align)
    return [dimension(d) for d in range(int(region["rank"]))]


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


def own_block(rank, number):
    """This processor's block of a rank, or of the program's domain of that
    number; None before it is known and where it is no block."""
    try:
        table = int(gdb.parse_and_eval("(long)&zrt_debugger"))
        if number != 0:
            table = read_int64(table + INT64 * (MAX_RANK + 2), 1)[0]
            place = number - 1
        else:
            place = rank
        domain = read_int64(table + INT64 * place, 1)[0]
        if domain == 0:
            return None
        bounds = read_int64(domain, 2 * rank)
    except gdb.error:
        return None
    return [Range(*bounds[2 * d:2 * d + 2]) for d in range(rank)]


def own_segments(rank, number):
    """By dimension the segments that this processor has of the program's domain
    of that number; None if it has blocks."""
    try:
        table = int(gdb.parse_and_eval("(long)&zrt_debugger"))
        if number == 0:
            return None
        table = read_int64(table + INT64 * (MAX_RANK + 3), 1)[0]
        dims = table and read_int64(table + INT64 * (number - 1), 1)[0]
        if not dims:
            return None
        lists = []
        for d in range(rank):
            count, first = read_int64(dims + 2 * INT64 * d, 2)
            flat = read_int64(first, 4 * count) if count else []
            lists.append([flat[k:k + 4] for k in range(0, len(flat), 4)])
    except gdb.error:
        return None
    return lists


def read_int32(address, count):
    memory = gdb.selected_inferior().read_memory(address, 4 * count)
    return memoryview(memory.tobytes()).cast("i").tolist()


class Pattern:
    """A zrt_pattern: the indices of a sparse region that are here."""

    def __init__(self, region):
        self.rank = int(region["rank"])
        self.address = int(region["pattern"])
        self.count = self.rows = 0
        if not self.address:
            return
        self.count, self.rows, self.starts = read_int64(self.address, 3)
        self.tables = read_int64(self.address + 3 * INT64, MAX_RANK + 1)

    def __str__(self):
        if not self.address:
            return "sparse, not set"
        return f"sparse, here {self.count} ind{'ex' if self.count == 1 else 'ices'}"

    def row(self, r):
        """The indices of a row before the last dimension."""
        return tuple(read_int32(self.tables[d] + 4 * r, 1)[0]
                     for d in range(self.rank - 1))

    def indices(self, most):
        """The first of them, in order; all if `most` is None."""
        for r in range(self.rows):
            first, end = read_int32(self.starts + 4 * r, 2)
            if most is not None:
                end = min(end, most)
            for column in read_int32(self.tables[MAX_RANK] + 4 * first, end - first):
                yield self.row(r) + (column,)
            if most is not None and end >= most:
                return

    def position(self, index):
        """That of an index, or None."""
        low, high = 0, self.rows
        while low < high:
            middle = (low + high) // 2
            if self.row(middle) < index[:-1]:
                low = middle + 1
            else:
                high = middle
        if low == self.rows or self.row(low) != index[:-1]:
            return None
        first, end = read_int32(self.starts + 4 * low, 2)
        columns = read_int32(self.tables[MAX_RANK] + 4 * first, end - first)
        return first + columns.index(index[-1]) if index[-1] in columns else None


def is_sparse(region):
    return int(region["is_sparse"]) != 0


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
        self.declared = region_box(value["region"])
        number = int(value["region"]["domain"])
        self.segments = own_segments(self.rank, number)
        self.stored = [self.indices(d, r) for d, r in
                       enumerate(ranges(value["stored"], self.rank))]
        own = own_block(self.rank, number) if self.segments is None else None
        self.here = list(self.stored) if own is None else [
            a.meet(b).meet(c)
            for a, b, c in zip(self.declared, own, self.stored)]

    def indices(self, d, positions):
        """The indices at the positions of a Range in dimension d."""
        if isinstance(self.declared[d], Flood):
            return Flood()
        if self.segments is not None:
            return Scattered(self.segments[d], positions, self.declared[d])
        dim = self.value["region"]["dim"][d]
        stride, align = int(dim["stride"]), int(dim["align"])
        return Range(positions.lo * stride + align,
                     positions.hi * stride + align, stride)

    def position(self, d, index):
        if isinstance(self.declared[d], Flood):
            return 0
        if self.segments is not None:
            return self.stored[d].place(index)
        dim = self.value["region"]["dim"][d]
        return (index - int(dim["align"])) // int(dim["stride"])

    def pointer(self, index):
        offset = sum(int(self.value["pitch"][d]) * self.position(d, i)
                     for d, i in enumerate(index))
        kind = self.value["origin"].type
        address = (int(self.value["origin"]) + offset) % (1 << 64)
        return gdb.Value(address).cast(kind)

    def element(self, index):
        """A value of the program, which can be set."""
        return self.pointer(index).dereference()

    def row(self, index, part):
        """The elements at the indices `part` of the last dimension."""
        start = self.pointer(index + (part.lo,))
        kind = start.dereference().type.array(
            part.lo, part.lo + part.count() - 1)
        return start.cast(kind.pointer()).dereference()

    def rows(self, box):
        """The rows of a box, by their names; as many elements as gdb prints."""
        rest = limit()
        last = box[-1]
        for index in indices(box[:-1]):
            part = last
            if rest is not None:
                if rest == 0:
                    yield "...", "more"
                    return
                part = last.first(rest)
                rest -= part.count()
            if isinstance(part, Scattered) and not part.dense():
                for i in part:
                    yield box_text(list(index) + [i]), self.element(index + (i,))
            else:
                yield box_text(list(index) + [part]), self.row(index, part)
            if part.count() < last.count():
                yield "...", "more"
                return


class SparseArray:
    """A zrt_array over a sparse region in the program's memory."""

    def __init__(self, value):
        self.value = value
        self.rank = int(value["region"]["rank"])
        self.exists = int(value["id"]) != 0 and self.rank > 0
        if self.exists:
            self.declared = region_box(value["region"])
            self.pattern = Pattern(value["region"])

    def at(self, position):
        pitch = int(self.value["pitch"][self.rank - 1])
        address = (int(self.value["origin"]) + position * pitch) % (1 << 64)
        kind = self.value["origin"].type
        return gdb.Value(address).cast(kind).dereference()

    def element(self, index):
        position = self.pattern.position(index)
        if position is None:
            raise gdb.GdbError(f"{box_text(index)} has no element on this processor")
        return self.at(position)


class SparseArrayPrinter:
    """`[S] double over [1..4, 1..6] sparse, elsewhere 0, here 3 indices = {...}`"""

    def __init__(self, value):
        self.name = str(value.type)
        self.array = SparseArray(value)

    def to_string(self):
        array = self.array
        if not array.exists:
            return f"{self.name}, not allocated"
        kind, _, here = str(array.pattern).partition(", ")
        return (f"{self.name} over {box_text(array.declared)} {kind}, "
                f"elsewhere {array.at(-1)}, {here}")

    def children(self):
        if not self.array.exists:
            return
        most = limit()
        for k, index in enumerate(self.array.pattern.indices(most)):
            yield box_text(index), self.array.at(k)
        if most is not None and self.array.pattern.count > most:
            yield "...", "more"


def array_printer(value):
    if is_sparse(value["region"]):
        return SparseArrayPrinter(value)
    return ArrayPrinter(value)


def indices(box):
    """All indices of a box, in row-major order."""
    if not box:
        yield ()
        return
    for i in box[0]:
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
        index = tuple(map(int, index))
        sparse = is_sparse(value["region"])
        array = SparseArray(value) if sparse else ParallelArray(value)
        if not array.exists:
            raise gdb.GdbError("$zpl_element: the array is not allocated")
        if len(index) != array.rank:
            raise gdb.GdbError(f"$zpl_element: the array has rank {array.rank}")
        if not sparse and any(i not in r for i, r in zip(index, array.stored)):
            raise gdb.GdbError(f"{box_text(index)} is not on this processor, "
                               f"which stores {box_text(array.stored)}")
        return array.element(index)


# --- Other types -----------------------------------------------------------------

class RegionPrinter:
    """`[1..4, 1..6]`, `[2..10 by 2, *]`, `[1..4, 1..6] sparse, here 3 indices`"""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        text = box_text(region_box(self.value))
        return f"{text} {Pattern(self.value)}" if is_sparse(self.value) else text


class RegionValuePrinter:
    """The same of a variable: lo, hi, stride and align of each dimension, then
    a row with the level and whether it was set (zpl/Sema/Types.h, storage). A
    flooded dimension has no stride."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        rank = self.value.type.strip_typedefs().range()[1]
        if not int(self.value[rank][1]):
            return "not set"
        return box_text(self.dimension(d) for d in range(rank))

    def dimension(self, d):
        numbers = [int(self.value[d][k]) for k in range(4)]
        return strided(*numbers) if numbers[2] else Flood()


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
        if kind.code == gdb.TYPE_CODE_TYPEDEF and kind.name == "region":
            return RegionValuePrinter(value)
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
            return array_printer(value)
        printer = STRUCTURES.get(base.tag)
        return printer(value) if printer else None


gdb.printing.register_pretty_printer(gdb.current_objfile(), ZplPrinters(),
                                     replace=True)
ShowFluff()
Element()
Processor()
