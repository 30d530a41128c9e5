//===- RegionValues.h - Which regions have equal values ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_REGIONVALUES_H
#define ZPL_ANALYSIS_REGIONVALUES_H

#include "zpl/Analysis/Effects.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <vector>

namespace zpl::air {

/// A number that stands for a value: equal numbers, equal values.
using ValueNumber = unsigned;

/// What is known at one point of a procedure. Absent: the value at entry.
struct RegionState {
  llvm::DenseMap<const Region *, ValueNumber> regions;
  llvm::DenseMap<const Variable *, ValueNumber> variables;
};

/// Numbers the values of regions, and of the variables in their bounds, along
/// a walk through one procedure.
class RegionValues {
public:
  /// The value of a region or variable at a point.
  ValueNumber number(const Region *region, const RegionState &state);
  ValueNumber number(const Variable *variable, const RegionState &state);

  /// After `region %R = ...`.
  void set(const SetRegionStmt &stmt, RegionState &state);
  /// After something that may have changed these.
  void forget(const WriteSet &written, RegionState &state);
  /// Where two paths meet; \p into gets the result.
  void meet(RegionState &into, const RegionState &other);

  /// True if every index of region \p inner is surely one of \p outer.
  bool covers(ValueNumber outer, ValueNumber inner) const;

private:
  using Bounds = std::vector<std::pair<int64_t, int64_t>>; ///< constant ones
  /// A value that equals no other.
  ValueNumber fresh();
  /// The value with this key, a text that only equal values have.
  ValueNumber numberOf(llvm::StringRef key, std::optional<Bounds> bounds);
  /// The value that a region expression has at a point, with its pattern if
  /// what is set is sparse.
  ValueNumber evaluate(const RegionExpr &value, const RegionState &state,
                       bool isSparse);
  /// Appends what is known of \p expr to \p key; false if its value is not
  /// determined by what is there.
  bool addKey(const Expr &expr, const RegionState &state, std::string &key);
  /// A value that contains this one, as `R` does what is `in R`; perhaps none.
  std::optional<ValueNumber> containing(const RegionExpr &value,
                                        const RegionState &state);
  /// The bounds if all are constants.
  std::optional<Bounds> constantBounds(const RegionExpr &value,
                                       const RegionState &state);

  llvm::StringMap<ValueNumber> table;
  std::vector<std::optional<Bounds>> bounds; ///< by number
  /// By number: a region that surely contains this one, older than it.
  llvm::DenseMap<ValueNumber, ValueNumber> wholes;
};

} // namespace zpl::air

#endif // ZPL_ANALYSIS_REGIONVALUES_H
