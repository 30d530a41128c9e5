//===- Values.h - What variables hold, as formulas --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_COSTMODEL_VALUES_H
#define ZPL_LIB_COSTMODEL_VALUES_H

#include "Formula.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include <map>
#include <set>

namespace zpl::costmodel {

/// A step from a place to a part of it: a field's number or a subscript.
using Path = std::vector<Formula>;

/// An assignment to a place: what was there is hidden by it.
struct Definition {
  Path path;
  Formula value;
  bool isClobber = false;       ///< all below `path` has become unknown
  std::set<std::string> forAll; ///< names in the path that stand for any number
};

/// A place: a variable, and the way to a part of it.
struct Place {
  const air::Variable *variable = nullptr; ///< null: none that is followed
  Path path;
};

/// What all variables hold.
class Values {
public:
  /// Set to zero, all of it.
  void clear(const air::Variable *variable) { all[variable].clear(); }
  /// A place holds this from here on; what is too long is forgotten.
  void set(const Place &place, const Formula &value);
  /// A part of a variable may hold anything from here on.
  void forget(const Place &place);
  /// What a number there is; none: nothing is known. Choices by a subscript that
  /// is known later become sums.
  std::optional<Formula> find(const Place &place) const;
  /// Copies all that is known below a place to another one.
  void copy(const Place &to, const Place &from);

  /// Assignments behind `mark` of a variable were made in a loop in which \p
  /// name was the index: those to subscripts of that name hold for all of them.
  /// Others that mention it are forgotten.
  void endLoop(llvm::StringRef name);

  std::map<const air::Variable *, std::vector<Definition>> all;
};

} // namespace zpl::costmodel

#endif // ZPL_LIB_COSTMODEL_VALUES_H
