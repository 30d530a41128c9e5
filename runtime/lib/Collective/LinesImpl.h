//===- LinesImpl.h - Folds and prefixes along a dimension -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// By blocks: each processor combines its part of every line in order; a chain
/// along the slice makes of these what comes before each part and the whole.
/// Few lines' parts are brought to all members, who go along the chain alone.
///
///     processor 0: 1 2 3     part 6     before 0    prefixes 0 1 3
///     processor 1: 4 5       part 9     before 6    prefixes 6 10
///
/// By a tree (docs/Rounding.md): the order of combining depends
/// on positions in the line only, so lines must be seen whole. Distributed ones
/// are brought together some at a time, each batch on another member of the
/// slice, which combines and gives the results back. The tree over the
/// positions 0..m-1 has nodes of 2^L positions that start at multiples of 2^L:
///
///     value(a, b) = value(a, m) op value(m, b)   m = a + the largest power of
///                                                two below b - a
///
/// Cost: by blocks one pass and a message per line and step of the chain; by a
/// tree two messages per batch and member.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_LINESIMPL_H
#define ZRT_COLLECTIVE_LINESIMPL_H

#include "Collective/Lines.h"

#include <bit>

namespace zrt {

template <typename Op>
void chainParts(const Op &op, const LineDim &along, const char *parts,
                size_t partBytes, std::vector<typename Op::Type> &totals,
                std::vector<typename Op::Type> &before) {
  const Slice &slice = *along.slice;
  size_t lines = totals.size();
  int first = along.down ? slice.size() - 1 : 0, step = along.down ? -1 : 1;
  before.assign(lines, op.identity());
  for (int k = 0, m = first; k < slice.size(); ++k, m += step) {
    auto *own = reinterpret_cast<const typename Op::Type *>(
        parts + static_cast<size_t>(m) * partBytes);
    if (m == slice.self && k > 0)
      before = totals;
    for (size_t line = 0; line < lines; ++line)
      totals[line] = k == 0 ? own[line] : op.combine(totals[line], own[line]);
  }
}

template <typename Op>
void chainLines(Transport &transport, const Op &op, const LineDim &along,
                std::vector<typename Op::Type> &totals,
                std::vector<typename Op::Type> &before) {
  using T = typename Op::Type;
  constexpr size_t MostBytes = size_t(1) << 15; // brought to all members
  before.assign(totals.size(), op.identity());
  const Slice &slice = *along.slice;
  if (slice.size() == 1 || totals.empty())
    return;
  size_t bytes = totals.size() * sizeof(T);
  size_t members = static_cast<size_t>(slice.size());
  if (bytes * members <= MostBytes) {
    std::vector<T> parts(totals.size() * members);
    std::vector<size_t> offsets;
    for (size_t m = 0; m <= members; ++m)
      offsets.push_back(m * bytes);
    std::copy(totals.begin(), totals.end(),
              parts.begin() +
                  static_cast<ptrdiff_t>(static_cast<size_t>(slice.self) *
                                         totals.size()));
    allgather(transport, slice, parts.data(), offsets);
    return chainParts(op, along, reinterpret_cast<const char *>(parts.data()),
                      bytes, totals, before);
  }
  int first = along.down ? slice.size() - 1 : 0;
  int last = slice.size() - 1 - first, step = along.down ? -1 : 1;
  if (slice.self != first) {
    transport.receive(slice.members[slice.self - step], before.data(), bytes);
    for (size_t k = 0; k < totals.size(); ++k)
      totals[k] = op.combine(before[k], totals[k]);
  }
  if (slice.self != last)
    transport.send(slice.members[slice.self + step], totals.data(), bytes);
  broadcast(transport, slice, last, totals.data(), bytes);
}

namespace detail {

/// The tree's value of \p count > 0 values from \p first on, \p step apart.
template <typename Op>
typename Op::Type treeValue(const Op &op, const typename Op::Type *first,
                            int64_t step, int64_t count) {
  if (count == 1)
    return *first;
  int64_t half =
      static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(count - 1)));
  return op.combine(treeValue(op, first, step, half),
                    treeValue(op, first + half * step, step, count - half));
}

/// Replaces the values by their exclusive prefixes that start with \p carry;
/// gives the tree's value.
template <typename Op>
typename Op::Type treePrefix(const Op &op, typename Op::Type *first,
                             int64_t step, int64_t count,
                             typename Op::Type carry) {
  using T = typename Op::Type;
  if (count == 1) {
    T value = *first;
    *first = carry;
    return value;
  }
  int64_t half =
      static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(count - 1)));
  T left = treePrefix(op, first, step, half, carry);
  T right = treePrefix(op, first + half * step, step, count - half,
                       op.combine(carry, left));
  return op.combine(left, right);
}

/// Brings lines together. The lines of a slice are numbered alike on all
/// members; `batch` of them at a time go to one member.
template <typename T> class LineExchange {
public:
  LineExchange(Transport &transport, const LineDim &along,
               const Dense<T> &values)
      : transport(transport), slice(*along.slice), down(along.down) {
    int d = along.dim;
    own = values.count[d];
    step = values.step(d);
    lines = 1;
    for (int e = 0; e < values.rank; ++e)
      if (e != d)
        lines *= values.count[e];
    shares = allNumbers(transport, slice, own);
    for (int64_t share : shares)
      length += share;
  }

  /// Calls \p work(line number, whole line in the order of traversal) for each
  /// line, on one member. Either gives the lines, as work has changed them,
  /// back into \p changed, or all members what work has stored in \p totals at
  /// the line's number.
  template <typename F>
  void run(const Dense<T> &values, Dense<T> *changed, std::vector<T> *totals,
           F &&work) {
    constexpr int64_t Bytes = 1 << 20;
    int64_t most = std::max<int64_t>(
        1, Bytes / std::max<int64_t>(1, length * int64_t(sizeof(T))));
    int worker = 0;
    for (int64_t from = 0; from < lines; from += most) {
      int64_t count = std::min(most, lines - from);
      batch(values, changed, from, count, worker, work);
      if (totals)
        broadcast(transport, slice, worker, totals->data() + from,
                  static_cast<size_t>(count) * sizeof(T));
      worker = (worker + 1) % slice.size();
    }
  }

private:
  int64_t placeOf(int64_t line, int64_t k) const {
    return (line / step) * step * own + line % step + k * step;
  }

  /// Copies this member's part of the lines to \p parts, line by line.
  void take(const Dense<T> &values, int64_t from, int64_t count, T *parts) {
    for (int64_t line = from; line < from + count; ++line)
      for (int64_t k = 0; k < own; ++k)
        *parts++ = values.values[static_cast<size_t>(placeOf(line, k))];
  }
  void give(Dense<T> &values, int64_t from, int64_t count, const T *parts) {
    for (int64_t line = from; line < from + count; ++line)
      for (int64_t k = 0; k < own; ++k)
        values.values[static_cast<size_t>(placeOf(line, k))] = *parts++;
  }

  template <typename F>
  void batch(const Dense<T> &values, Dense<T> *result, int64_t from,
             int64_t count, int worker, F &work) {
    std::vector<T> mine(static_cast<size_t>(own * count));
    take(values, from, count, mine.data());
    size_t bytes = mine.size() * sizeof(T);
    int target = slice.members[static_cast<size_t>(worker)];
    if (slice.self != worker) {
      if (own == 0)
        return;
      transport.send(target, mine.data(), bytes);
      if (!result)
        return;
      transport.receive(target, mine.data(), bytes);
    } else {
      collect(mine, from, count, result != nullptr, work);
    }
    if (result)
      give(*result, from, count, mine.data());
  }

  /// The worker's side: lines whole, worked on, and (\p back) sent back.
  template <typename F>
  void collect(std::vector<T> &mine, int64_t from, int64_t count, bool back,
               F &work) {
    std::vector<std::vector<T>> parts(shares.size());
    for (size_t m = 0; m < shares.size(); ++m) {
      if (static_cast<int>(m) == slice.self) {
        parts[m] = mine;
        continue;
      }
      parts[m].resize(static_cast<size_t>(shares[m] * count));
      if (shares[m] > 0)
        transport.receive(slice.members[m], parts[m].data(),
                          parts[m].size() * sizeof(T));
    }
    std::vector<T> line(static_cast<size_t>(length));
    for (int64_t k = 0; k < count; ++k) {
      eachOf(parts, k, [&](T &value, int64_t place) {
        line[static_cast<size_t>(place)] = value;
      });
      work(from + k, line);
      if (back)
        eachOf(parts, k, [&](T &value, int64_t place) {
          value = line[static_cast<size_t>(place)];
        });
    }
    if (!back)
      return;
    for (size_t m = 0; m < shares.size(); ++m) {
      if (static_cast<int>(m) == slice.self)
        mine = parts[m];
      else if (shares[m] > 0)
        transport.send(slice.members[m], parts[m].data(),
                       parts[m].size() * sizeof(T));
    }
  }

  /// The values of line \p k of a batch with their places in the traversal.
  template <typename F>
  void eachOf(std::vector<std::vector<T>> &parts, int64_t k, F &&f) {
    int64_t place = 0;
    for (size_t m = 0; m < shares.size(); ++m)
      for (int64_t j = 0; j < shares[m]; ++j, ++place)
        f(parts[m][static_cast<size_t>(k * shares[m] + j)],
          down ? length - 1 - place : place);
  }

  Transport &transport;
  const Slice &slice;
  bool down;
  int64_t own = 0;             ///< values of this member in each line
  int64_t step = 0;            ///< between them
  int64_t lines = 0;           ///< of the slice
  int64_t length = 0;          ///< of each line
  std::vector<int64_t> shares; ///< values of each member in a line
};

} // namespace detail

template <typename Op>
Dense<typename Op::Type> foldLines(Transport &transport, const Op &op,
                                   const LineDim &along, Grouping grouping,
                                   const Dense<typename Op::Type> &values) {
  using T = typename Op::Type;
  Dense<T> result = values.folded(along.dim, op.identity());
  int64_t n = values.count[along.dim], step = values.step(along.dim);
  if (grouping == Grouping::Blocks) {
    forEachLine(values.rank, values.count, along.dim, [&](const int64_t *at) {
      T &total = result.values[static_cast<size_t>(result.place(at))];
      const T *first = values.values.data() + values.place(at);
      for (int64_t k = 0; k < n; ++k)
        total = op.combine(total, first[(along.down ? n - 1 - k : k) * step]);
    });
    std::vector<T> before;
    chainLines(transport, op, along, result.values, before);
    return result;
  }
  if (along.slice->size() == 1 && n > 0) { // whole lines, where they are
    const T *data = values.values.data();
    int64_t last = along.down ? (n - 1) * step : 0;
    forEachLine(values.rank, values.count, along.dim, [&](const int64_t *at) {
      result.values[static_cast<size_t>(result.place(at))] = detail::treeValue(
          op, data + values.place(at) + last, along.down ? -step : step, n);
    });
    return result;
  }
  detail::LineExchange<T> exchange(transport, along, values);
  exchange.run(values, nullptr, &result.values,
               [&](int64_t line, std::vector<T> &whole) {
                 if (!whole.empty())
                   result.values[static_cast<size_t>(line)] = detail::treeValue(
                       op, whole.data(), 1, static_cast<int64_t>(whole.size()));
               });
  return result;
}

template <typename Op>
Dense<typename Op::Type> prefixLines(Transport &transport, const Op &op,
                                     const LineDim &along, Grouping grouping,
                                     const Dense<typename Op::Type> &values,
                                     const Dense<typename Op::Type> &carry) {
  using T = typename Op::Type;
  Dense<T> result = values;
  int64_t n = values.count[along.dim], step = values.step(along.dim);
  if (grouping == Grouping::Blocks) {
    Dense<T> totals = values.folded(along.dim, op.identity());
    forEachLine(values.rank, values.count, along.dim, [&](const int64_t *at) {
      T &total = totals.values[static_cast<size_t>(totals.place(at))];
      const T *first = values.values.data() + values.place(at);
      for (int64_t k = 0; k < n; ++k)
        total = op.combine(total, first[(along.down ? n - 1 - k : k) * step]);
    });
    std::vector<T> before;
    chainLines(transport, op, along, totals.values, before);
    forEachLine(values.rank, values.count, along.dim, [&](const int64_t *at) {
      size_t line = static_cast<size_t>(totals.place(at));
      T sum = op.combine(carry.values[line], before[line]);
      T *first = result.values.data() + values.place(at);
      for (int64_t k = 0; k < n; ++k) {
        T &place = first[(along.down ? n - 1 - k : k) * step];
        T next = op.combine(sum, place);
        place = sum;
        sum = next;
      }
    });
    return result;
  }
  if (along.slice->size() == 1) {
    int64_t last = along.down ? (n - 1) * step : 0;
    size_t line = 0;
    if (n > 0)
      forEachLine(values.rank, values.count, along.dim, [&](const int64_t *at) {
        detail::treePrefix(op, result.values.data() + values.place(at) + last,
                           along.down ? -step : step, n, carry.values[line++]);
      });
    return result;
  }
  detail::LineExchange<T> exchange(transport, along, values);
  exchange.run(values, &result, nullptr,
               [&](int64_t line, std::vector<T> &whole) {
                 if (!whole.empty())
                   detail::treePrefix(op, whole.data(), 1,
                                      static_cast<int64_t>(whole.size()),
                                      carry.values[static_cast<size_t>(line)]);
               });
  return result;
}

template <typename Op>
Dense<typename Op::Type> carriesOfLines(Transport &transport, const Op &op,
                                        const std::vector<LineDim> &levels,
                                        Grouping grouping,
                                        const Dense<typename Op::Type> &lines) {
  using T = typename Op::Type;
  std::vector<Dense<T>> values = {lines}; // what each level from 1 on folds
  for (size_t k = 1; k + 1 < levels.size(); ++k)
    values.push_back(
        foldLines(transport, op, levels[k], grouping, values.back()));
  Dense<T> carry = lines;
  if (levels.size() > 1)
    carry = values.back().folded(levels.back().dim, op.identity());
  carry.values.assign(carry.values.size(), op.identity());
  for (size_t k = levels.size() - 1; k > 0; --k)
    carry =
        prefixLines(transport, op, levels[k], grouping, values[k - 1], carry);
  return carry;
}

} // namespace zrt

#endif // ZRT_COLLECTIVE_LINESIMPL_H
