//===- Lines.h - Folds and prefixes along a dimension -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What scans and reproducible reductions are made of. A dense block of values
/// on each processor; along one dimension the blocks of a slice make lines.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_LINES_H
#define ZRT_COLLECTIVE_LINES_H

#include "Collective/Collective.h"
#include "Collective/Operators/OperatorTable.h"
#include "Memory/ElementView.h"

#include <cstring>
#include <vector>

namespace zrt {

/// A value of up to Size bytes.
template <int Size> struct Slot {
  alignas(Size < 16 ? Size : 16) char bytes[Size];
};

/// A value of a segmented scan: `restarts` tells that what comes before does
/// not count.
template <int Size> struct Segmented {
  Slot<Size> value;
  bool restarts;
};

/// An operator on segmented values of at most Size bytes; associative if that
/// of the table is.
template <int Size> class SegmentedOperator {
public:
  using Type = Segmented<Size>;

  explicit SegmentedOperator(const OperatorTable &table) : table(table) {}

  Type identity() const { return valueOf(table.identity, false); }
  Type valueOf(const void *value, bool restarts) const {
    Type result = {};
    std::memcpy(result.value.bytes, value, static_cast<size_t>(table.size));
    result.restarts = restarts;
    return result;
  }
  Type combine(Type left, const Type &right) const {
    if (right.restarts)
      return right;
    table.combine(left.value.bytes, right.value.bytes);
    return left;
  }

private:
  const OperatorTable &table;
};

/// Calls \p f for the least slots that hold values of \p size bytes.
template <typename F> void withSlotSize(int64_t size, F &&f) {
  if (size <= 8)
    f.template operator()<8>();
  else if (size <= 16)
    f.template operator()<16>();
  else
    f.template operator()<MaxOperandSize>();
}

/// The values of this processor, row-major. Folding along a dimension makes its
/// count 1.
template <typename T> struct Dense {
  int rank = 0;
  int64_t count[ZRT_MAX_RANK] = {};
  std::vector<T> values;

  static Dense like(int rank, const int64_t *count, T value) {
    Dense dense;
    dense.rank = rank;
    int64_t all = 1;
    for (int d = 0; d < rank; ++d)
      all *= dense.count[d] = count[d];
    dense.values.assign(static_cast<size_t>(all), value);
    return dense;
  }
  /// One value per line along \p d.
  Dense folded(int d, T value) const {
    int64_t counts[ZRT_MAX_RANK];
    std::copy(count, count + rank, counts);
    counts[d] = 1;
    return like(rank, counts, value);
  }
  int64_t step(int d) const {
    int64_t step = 1;
    for (int e = d + 1; e < rank; ++e)
      step *= count[e];
    return step;
  }
  int64_t place(const int64_t *at) const {
    int64_t place = 0;
    for (int d = 0; d < rank; ++d)
      place = place * count[d] + (count[d] == 1 ? 0 : at[d]);
    return place;
  }
};

/// One dimension of a distributed index set, as traversed.
struct LineDim {
  int dim = 0;
  bool down = false;
  const Slice *slice = nullptr; ///< the processors along it
};

/// How lines are combined: by blocks, or by a tree over positions.
enum class Grouping { Blocks, Tree };

/// The value of each whole line along a dimension, on all processors of its
/// slice. Collective over the slice.
template <typename Op>
Dense<typename Op::Type> foldLines(Transport &transport, const Op &op,
                                   const LineDim &along, Grouping grouping,
                                   const Dense<typename Op::Type> &values);

/// The exclusive prefix at each value of its line, that starts with the line's
/// value of \p carry. Collective over the slice.
template <typename Op>
Dense<typename Op::Type> prefixLines(Transport &transport, const LineDim &along,
                                     Grouping grouping,
                                     const Dense<typename Op::Type> &values,
                                     const Dense<typename Op::Type> &carry);

/// What precedes each whole line of the fastest level in a scan over levels,
/// from the fastest; \p lines has what those come to. Collective over the slices.
template <typename Op>
Dense<typename Op::Type> carriesOfLines(Transport &transport, const Op &op,
                                        const std::vector<LineDim> &levels,
                                        Grouping grouping,
                                        const Dense<typename Op::Type> &lines);

/// As chainLines, of the parts of all members in their order, \p partBytes
/// bytes from one to the next; \p totals need not have this one's.
template <typename Op>
void chainParts(const Op &op, const LineDim &along, const char *parts,
                size_t partBytes, std::vector<typename Op::Type> &totals,
                std::vector<typename Op::Type> &before);

/// What the processors before this one along the line hold: \p totals has this
/// one's part of each line, \p before becomes the combination of theirs, and
/// the totals that of all.
template <typename Op>
void chainLines(Transport &transport, const Op &op, const LineDim &along,
                std::vector<typename Op::Type> &totals,
                std::vector<typename Op::Type> &before);

} // namespace zrt

#endif // ZRT_COLLECTIVE_LINES_H
