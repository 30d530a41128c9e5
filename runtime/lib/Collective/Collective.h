//===- Collective.h - Reductions and broadcasts -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What processors of a slice compute together. All members call the same
/// operations in the same order, with equal sizes.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_COLLECTIVE_H
#define ZRT_COLLECTIVE_COLLECTIVE_H

#include "Collective/Operators/OperatorTable.h"
#include "Collective/Slice.h"
#include "Transport/Transport.h"
#include "zrt/Abi.h"

#include <variant>
#include <vector>

namespace zrt {

/// The operators of enum zrt_reduction.
class BuiltInReducer final : public Reducer {
public:
  explicit BuiltInReducer(const OperatorTable &table) : table(&table) {
    size = static_cast<size_t>(table.size);
    isExact = !table.isRounded;
  }
  void take(char *into, char *other, size_t bytes, bool) const override {
    table->foldRow(other, into, static_cast<int64_t>(bytes / size));
  }
  /// What values are before the first and after the last combination.
  void settle(char *values, size_t bytes) const {
    table->settle(values, static_cast<int64_t>(bytes / size));
  }

private:
  const OperatorTable *table;
};

/// A program's operator on states (Abi.h).
class StateReducer final : public Reducer {
public:
  StateReducer(size_t bytes, zrt_state_combine combine) : combine(combine) {
    size = bytes;
  }
  void take(char *into, char *other, size_t bytes,
            bool isBefore) const override;

private:
  zrt_state_combine combine;
};

/// Several values, each with a reducer of its own, as one payload: a record.
///
///     sum of f64      max of f32   pad   states of 24 bytes
///     0 .. 7          8 .. 11            16 .. 39
class RecordReducer final : public Reducer {
public:
  RecordReducer() { clear(); }
  /// Adds \p count values side by side at the end of the record.
  void add(const OperatorTable &table, int64_t count);
  /// Adds \p count states of \p bytes bytes side by side.
  void add(size_t bytes, zrt_state_combine combine, int64_t count);
  void clear();

  /// Where value \p k lies in the record, whose bytes are `size`.
  size_t offset(size_t k) const { return values[k].offset; }
  /// Whole records only.
  void take(char *into, char *other, size_t bytes,
            bool isBefore) const override;
  /// What the values of operators are before the first and after the last
  /// combination.
  void settle(char *record) const;

private:
  struct Value {
    size_t offset, bytes;
    std::variant<BuiltInReducer, StateReducer> reducer;
    const Reducer &get() const;
  };
  /// Room for a value of \p bytes bytes, aligned as a type of this size may
  /// have to be; where it begins.
  size_t place(size_t bytes, size_t unit);
  std::vector<Value> values;
};

/// Combines payloads of \p bytes bytes at \p values by \p reducer.
void reduceBy(const Reducer &reducer, Transport &transport, const Slice &slice,
              void *values, size_t bytes);

/// Combines \p count values per member, value by value and in place, and gives
/// all members the same bits. \p kind is an enum zrt_kind: boolean, char,
/// integer, enumeration, real or complex. For a given number of members the
/// order of combining is fixed, unless it cannot be seen. The rules of enum
/// zrt_reduction hold for a single member too: of max and min NaN becomes the
/// identity and -0 becomes +0, logical results are 0 or 1; other NaNs become
/// one. \p values is aligned for its type.
void reduce(Transport &transport, const Slice &slice, void *values,
            int64_t count, int32_t kind, int32_t reduction);

/// One value per processor.
void reduce(Transport &transport, void *value, int32_t kind, int32_t reduction);

/// Combines \p count states of \p bytes bytes each per member, in place, and
/// gives all members the same bits. A member with a lower place comes first in
/// order.
void reduceStates(Transport &transport, const Slice &slice, void *states,
                  int64_t count, int64_t bytes, zrt_state_combine combine);

/// Combines a record of each member in place, as the single values would be.
void reduceRecord(Transport &transport, const Slice &slice,
                  const RecordReducer &reducer, char *record);

/// Gives every member the \p bytes bytes of member \p root.
void broadcast(Transport &transport, const Slice &slice, int root, void *value,
               size_t bytes);

/// Gives every processor the \p bytes bytes of processor 0.
void broadcast(Transport &transport, void *value, size_t bytes);

/// Gives every member the parts of all: that of member m lies at \p data from
/// \p offsets[m] to offsets[m + 1], and each has put its own one there. Offsets
/// begin at 0 and are the same on all members.
void allgather(Transport &transport, const Slice &slice, void *data,
               const std::vector<size_t> &offsets);

/// The numbers of all members, in their order.
std::vector<int64_t> allNumbers(Transport &transport, const Slice &slice,
                                int64_t number);

/// Returns when all processors have called it.
void barrier(Transport &transport);

} // namespace zrt

#endif // ZRT_COLLECTIVE_COLLECTIVE_H
