//===- LinearForm.h - Bounds as linear forms --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A value known as  c + k1 * a1 + k2 * a2 ...  where the atoms a are things
/// that do not change while they are compared: config variables, constants,
/// bounds of named regions, bounds of the region that covers a call. Two forms
/// whose difference is a number compare for every value of the atoms.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_TREE_LINEARFORM_H
#define ZPL_LIB_SEMA_TREE_LINEARFORM_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace zpl::sema {

/// Something with one value. Ordered by identity only.
struct Atom {
  const void *node = nullptr; ///< the symbol, expression, region ...
  unsigned part = 0;          ///< which of its values
  bool isLocal = false;       ///< its value belongs to one call
  std::string name;           ///< for messages; empty: none

  /// Whether both are the same value of the same node.
  bool operator==(const Atom &other) const {
    return node == other.node && part == other.part;
  }
  /// An order without a meaning, for sorting.
  bool operator<(const Atom &other) const {
    return std::tie(node, part) < std::tie(other.node, other.part);
  }
};

class LinearForm {
public:
  LinearForm() = default;
  explicit LinearForm(int64_t constant) : constant(constant) {}
  explicit LinearForm(Atom atom) { terms.emplace_back(std::move(atom), 1); }

  /// a + factorOfB * b; none if a coefficient overflows.
  static std::optional<LinearForm> sum(const LinearForm &a, const LinearForm &b,
                                       int64_t factorOfB);
  /// This times \p factor; none if a coefficient overflows.
  std::optional<LinearForm> times(int64_t factor) const;

  /// The number it is, if it has no atoms.
  std::optional<int64_t> number() const;
  /// The number by which this exceeds \p other, if it is one.
  std::optional<int64_t> minus(const LinearForm &other) const;

  /// Whether its value may differ from call to call.
  bool hasLocalAtoms() const;
  /// Whether they are equal for all values of the atoms.
  bool operator==(const LinearForm &other) const;

  /// "n + 1", "0"; empty if an atom has no name.
  std::string text() const;

private:
  int64_t constant = 0;
  llvm::SmallVector<std::pair<Atom, int64_t>, 2> terms; ///< ordered, not zero
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_TREE_LINEARFORM_H
