//===- Scan.cpp - Prefixes of arrays --------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// language 8.4. `+||[2, 1] A` goes through the columns of a row first, then on
// to the next row, with what came before:
//
//     A   1 2 3     +||[2, 1] A   0  1  3     +||[2] A   0 1 3
//         4 5 6                   6 10 15                0 4 9
//
// 1. Where no dimension of the list is distributed, one pass does all: lines
//    along the fastest dimension in the order of the others, each starting with
//    what the one before left. Where the last dimension is not in the list, a
//    whole row of lines goes on at once, which vectorizes.
// 2. Else each processor folds its part of the lines along the fastest
//    dimension, then these values along the next one and so on (Lines.h); on
//    the way back each line learns what comes before it, and one pass as in 1
//    stores the prefixes.
//
// In two phases, the begin folds the lines along the fastest dimension and has
// the folds brought to all members of the slice (Split.h); the rest is done at
// the end.
//
// With a segment mask the operator is that on values that may restart
// (Segmented). Masked-out elements count as the identity and get no value.
//
// Cost: one pass over the elements, two where a dimension of the list is
// distributed; a chain of messages along each such dimension.
//
//===----------------------------------------------------------------------===//

#include "Collective/Scan.h"

#include "Collective/LinesImpl.h"
#include "Collective/Split.h"

#include <optional>

namespace zrt {

namespace {

/// Booleans of a mask or segment over the part; base null: there is none.
struct Flags {
  ElementView view;
  bool value = true;

  bool exists() const { return view.base != nullptr; }
  /// The flag \p k steps along \p d from the counts \p at.
  bool at(const int64_t *at, int d, int64_t k) const {
    const char *address = addressIn(view, at) + k * view.step[d];
    return (*reinterpret_cast<const uint8_t *>(address) != 0) == value;
  }
};

Flags flagsOf(const zrt_array *array, bool value, const Box &part) {
  if (!array)
    return {};
  return {viewOf(*array, part), value};
}

/// Folds that are brought to all members of a slice while the program goes on.
constexpr size_t MostSplitBytes = size_t(1) << 15;

template <int Size> class Scanner final : public SplitScan {
  using Pair = Segmented<Size>;

public:
  Scanner(const Parallel &parallel, zrt_array &result, const zrt_array &source,
          const zrt_region &region, const zrt_scan &scan,
          const zrt_array *segment, const zrt_mask &mask)
      : parallel(parallel), scan(scan),
        table(operatorTable(source.type->kind, scan.reduction)), op(table),
        region(region),
        part(ownPart(parallel.distribution, region, parallel.transport.rank())),
        from(viewOf(source, part)), to(viewOf(result, part)),
        restarts(flagsOf(segment, true, part)),
        takesPart(flagsOf(mask.array, mask.value != 0, part)) {
    grouping = scan.reproducible && table.isRounded ? Grouping::Tree
                                                    : Grouping::Blocks;
    for (int k = 0; k < scan.count; ++k) {
      int d = std::abs(scan.dims[k]) - 1;
      levels.push_back({d, scan.dims[k] < 0, &sliceAlong(parallel, region, d)});
    }
  }

  ~Scanner() override {
    if (parts)
      parallel.exchanges.give(*parts);
  }

  /// Folds the lines along the fastest dimension, if that is distributed, and
  /// sends the folds away.
  void begin() {
    const Slice &slice = *levels.front().slice;
    if (grouping == Grouping::Tree || slice.size() == 1)
      return;
    folds =
        isRowwise() && levels.size() == 1 ? rowFolds() : elements(true).values;
    size_t most = sizeof(Pair); // of any processor
    for (int d = 0; d < region.rank; ++d)
      if (d != levels.front().dim)
        most *=
            static_cast<size_t>(mostOwned(parallel.distribution, region, d));
    if (!PartExchange::suits(slice, most, MostSplitBytes))
      return;
    parts = &parallel.exchanges.take(parallel.transport, slice, most);
    if (folds->empty())
      return;
    std::memcpy(parts->mine(), folds->data(), folds->size() * sizeof(Pair));
    parts->publish();
  }

  void end() override {
    bool isDistributed = false;
    for (const LineDim &level : levels)
      isDistributed |= level.slice->size() > 1;
    if (grouping == Grouping::Tree)
      return runDistributed();
    if (isRowwise() && (!isDistributed || levels.size() == 1))
      return runRows(isDistributed);
    if (isDistributed)
      return runDistributed();
    int64_t counts[ZRT_MAX_RANK];
    eachUnlisted(counts, [&](const int64_t *at) {
      int64_t place[ZRT_MAX_RANK];
      std::copy(at, at + from.rank, place);
      walk(levels.size() - 1, place, op.identity());
    });
  }

private:
  /// Calls \p f with each index of the dimensions that are not in the list, the
  /// others 0.
  template <typename F> void eachUnlisted(int64_t *counts, F &&f) {
    std::copy(from.count, from.count + from.rank, counts);
    for (const LineDim &level : levels)
      counts[level.dim] = 1; // also where this processor has none of it
    forEachLine(from.rank, counts, levels.front().dim, f);
  }

  int64_t traversed(const LineDim &level, int64_t k) const {
    return level.down ? from.count[level.dim] - 1 - k : k;
  }

  /// Stores the prefixes of the lines of levels 0..level at \p at, beginning
  /// with \p carry; gives what comes after them.
  Pair walk(size_t level, int64_t *at, Pair carry) {
    if (level == 0)
      return line(at, carry);
    int d = levels[level].dim;
    for (int64_t k = 0; k < from.count[d]; ++k) {
      at[d] = traversed(levels[level], k);
      carry = walk(level - 1, at, carry);
    }
    at[d] = 0;
    return carry;
  }

  /// One line along the fastest dimension.
  Pair line(const int64_t *at, Pair carry) {
    const LineDim &level = levels.front();
    int d = level.dim;
    int64_t n = from.count[d];
    const char *read = addressIn(from, at);
    char *write = addressIn(to, at);
    int64_t readStep = from.step[d], writeStep = to.step[d];
    if (level.down) {
      read += (n - 1) * readStep;
      write += (n - 1) * writeStep;
      readStep = -readStep;
      writeStep = -writeStep;
    }
    if (!restarts.exists() && !takesPart.exists()) {
      table.scanLine(read, readStep, write, writeStep, n, carry.value.bytes,
                     scan.inclusive != 0);
      return carry;
    }
    for (int64_t k = 0; k < n; ++k, read += readStep, write += writeStep) {
      Pair element = elementAt(at, traversed(level, k), read);
      Pair next = op.combine(carry, element);
      if (isTaken(at, traversed(level, k)))
        put(write, element, scan.inclusive ? next : carry);
      carry = next;
    }
    return carry;
  }

  /// Stores \p prefix, that of \p element.
  void put(char *address, const Pair &element, const Pair &prefix) {
    bool isFirst = element.restarts && !scan.inclusive;
    std::memcpy(address, isFirst ? table.identity : prefix.value.bytes,
                static_cast<size_t>(table.size));
  }

  bool isTaken(const int64_t *at, int64_t k) const {
    return !takesPart.exists() || takesPart.at(at, levels.front().dim, k);
  }

  Pair elementAt(const int64_t *at, int64_t k, const char *read) const {
    int d = levels.front().dim;
    Pair element = isTaken(at, k) ? op.valueOf(read, false) : op.identity();
    table.normalize(element.value.bytes);
    element.restarts = restarts.exists() && restarts.at(at, d, k);
    return element;
  }

  /// Whether rows of lines can go on together.
  bool isRowwise() const {
    int last = from.rank - 1;
    bool isListed = false;
    for (const LineDim &level : levels)
      isListed |= level.dim == last;
    return !isListed && !restarts.exists() && !takesPart.exists() &&
           from.step[last] == table.size && to.step[last] == table.size;
  }

  /// Rows of sums that begin with the identity or, along a distributed
  /// dimension (the only one of the list), with what other processors have.
  void runRows(bool isDistributed) {
    int64_t n = from.count[from.rank - 1];
    std::vector<char> sums(static_cast<size_t>(n * table.size));
    std::vector<Pair> before;
    if (isDistributed)
      before = rowsBefore();
    size_t next = 0;
    eachRow([&](int64_t *place) {
      for (int64_t k = 0; k < n; ++k)
        std::memcpy(sums.data() + k * table.size,
                    isDistributed ? before[next++].value.bytes : table.identity,
                    static_cast<size_t>(table.size));
      const char *before = sums.data(), *last = nullptr;
      walkRows(levels.size(), place, before, last);
    });
  }

  /// Calls \p f with the start of each row of lines.
  template <typename F> void eachRow(F &&f) {
    int64_t counts[ZRT_MAX_RANK];
    eachUnlisted(counts, [&](const int64_t *at) {
      if (at[from.rank - 1] != 0)
        return;
      int64_t place[ZRT_MAX_RANK];
      std::copy(at, at + from.rank, place);
      f(place);
    });
  }

  /// What comes before each line of this processor, row by row.
  std::vector<Pair> rowsBefore() {
    std::vector<Pair> totals = folds ? *folds : rowFolds(), before;
    chain(totals, before);
    return before;
  }

  /// As chainLines, along the fastest dimension.
  void chain(std::vector<Pair> &totals, std::vector<Pair> &before) {
    if (parts && !totals.empty())
      chainParts(op, levels.front(), parts->collect(), parts->partBytes(),
                 totals, before);
    else
      chainLines(parallel.transport, op, levels.front(), totals, before);
  }

  /// The folds of this processor's parts of the lines, row by row.
  std::vector<Pair> rowFolds() {
    const LineDim &along = levels.front();
    int64_t n = from.count[from.rank - 1];
    std::vector<char> sums(static_cast<size_t>(n * table.size));
    std::vector<Pair> totals;
    eachRow([&](int64_t *place) {
      for (int64_t k = 0; k < n; ++k)
        std::memcpy(sums.data() + k * table.size, table.identity,
                    static_cast<size_t>(table.size));
      for (int64_t k = 0; k < from.count[along.dim]; ++k) {
        place[along.dim] = traversed(along, k);
        table.foldRow(addressIn(from, place), sums.data(), n);
      }
      for (int64_t k = 0; k < n; ++k)
        totals.push_back(op.valueOf(sums.data() + k * table.size, false));
    });
    return totals;
  }

  /// Stores the prefixes of the rows of levels 0..level-1 at \p at. The first
  /// begins with \p sums; each other one goes on from the row that has just
  /// been stored, \p last having the elements that come between.
  void walkRows(size_t level, int64_t *at, const char *&sums,
                const char *&last) {
    if (level == 0)
      return row(addressIn(from, at), addressIn(to, at), sums, last);
    const LineDim &along = levels[level - 1];
    for (int64_t k = 0; k < from.count[along.dim]; ++k) {
      at[along.dim] = traversed(along, k);
      walkRows(level - 1, at, sums, last);
    }
    at[along.dim] = 0;
  }

  void row(const char *read, char *write, const char *&sums,
           const char *&last) {
    int64_t n = from.count[from.rank - 1];
    const char *next = scan.inclusive ? read : last;
    if (next)
      table.scanRow(sums, next, write, n);
    else
      std::memcpy(write, sums, static_cast<size_t>(n * table.size));
    last = read;
    sums = write;
  }

  /// The elements of the part, or their folds along the fastest dimension.
  Dense<Pair> elements(bool areFolded) {
    int d = levels.front().dim;
    int64_t counts[ZRT_MAX_RANK];
    std::copy(from.count, from.count + from.rank, counts);
    if (areFolded)
      counts[d] = 1;
    Dense<Pair> values = Dense<Pair>::like(from.rank, counts, op.identity());
    bool isPlain = !restarts.exists() && !takesPart.exists();
    forEachLine(from.rank, from.count, d, [&](const int64_t *at) {
      Pair *first = values.values.data() + values.place(at);
      if (areFolded && isPlain) {
        bool down = levels.front().down;
        int64_t last = down ? (from.count[d] - 1) * from.step[d] : 0;
        table.foldLine(addressIn(from, at) + last,
                       down ? -from.step[d] : from.step[d], from.count[d],
                       first->value.bytes);
        return;
      }
      for (int64_t k = 0; k < from.count[d]; ++k) {
        int64_t place = areFolded ? traversed(levels.front(), k) : k;
        Pair element =
            elementAt(at, place, addressIn(from, at) + place * from.step[d]);
        if (areFolded)
          *first = op.combine(*first, element);
        else
          first[k * values.step(d)] = element;
      }
    });
    return values;
  }

  /// Values per line along the fastest dimension.
  Dense<Pair> like(const std::vector<Pair> &values) const {
    int64_t counts[ZRT_MAX_RANK];
    std::copy(from.count, from.count + from.rank, counts);
    counts[levels.front().dim] = 1;
    Dense<Pair> result = Dense<Pair>::like(from.rank, counts, op.identity());
    result.values = values;
    return result;
  }

  void runDistributed() {
    Transport &transport = parallel.transport;
    Dense<Pair> values, lines; // of this processor, and of whole lines
    std::vector<Pair> before;
    if (grouping == Grouping::Tree) {
      values = elements(false);
      lines = levels.size() > 1
                  ? foldLines(transport, op, levels[0], grouping, values)
                  : values.folded(levels[0].dim, op.identity());
    } else {
      lines = folds ? like(*folds) : elements(true);
      chain(lines.values, before);
    }
    Dense<Pair> carry = carriesOfLines(transport, op, levels, grouping, lines);
    if (grouping == Grouping::Tree) {
      store(values,
            prefixLines(transport, op, levels[0], grouping, values, carry));
      return;
    }
    forEachLine(from.rank, from.count, levels[0].dim, [&](const int64_t *at) {
      size_t line = static_cast<size_t>(carry.place(at));
      this->line(at, op.combine(carry.values[line], before[line]));
    });
  }

  /// Stores prefixes that are known.
  void store(const Dense<Pair> &elements, const Dense<Pair> &prefixes) {
    int d = levels.front().dim;
    forEachLine(from.rank, from.count, d, [&](const int64_t *at) {
      int64_t place = elements.place(at), step = elements.step(d);
      for (int64_t k = 0; k < from.count[d]; ++k, place += step) {
        if (!isTaken(at, k))
          continue;
        const Pair &element = elements.values[static_cast<size_t>(place)];
        const Pair &prefix = prefixes.values[static_cast<size_t>(place)];
        put(addressIn(to, at) + k * to.step[d], element,
            scan.inclusive ? op.combine(prefix, element) : prefix);
      }
    });
  }

  const Parallel parallel;
  const zrt_scan scan;
  const OperatorTable &table;
  SegmentedOperator<Size> op;
  const zrt_region region;
  Box part;
  ElementView from, to;
  Flags restarts, takesPart;
  Grouping grouping;
  std::vector<LineDim> levels; ///< from the fastest

  // What the begin of a scan in two phases has left.
  std::optional<std::vector<Pair>> folds;
  PartExchange *parts = nullptr; ///< taken, if the folds suit one
};

} // namespace

void scanArray(const Parallel &parallel, zrt_array &result,
               const zrt_array &source, const zrt_region &region,
               const zrt_scan &scan, const zrt_array *segment,
               const zrt_mask &mask) {
  auto run = [&]<int Size>() {
    Scanner<Size>(parallel, result, source, region, scan, segment, mask).end();
  };
  withSlotSize(source.type->size, run);
}

std::unique_ptr<SplitScan>
beginScan(const Parallel &parallel, zrt_array &result, const zrt_array &source,
          const zrt_region &region, const zrt_scan &scan,
          const zrt_array *segment, const zrt_mask &mask) {
  std::unique_ptr<SplitScan> begun;
  withSlotSize(source.type->size, [&]<int Size>() {
    auto scanner = std::make_unique<Scanner<Size>>(parallel, result, source,
                                                   region, scan, segment, mask);
    scanner->begin();
    begun = std::move(scanner);
  });
  return begun;
}

} // namespace zrt
