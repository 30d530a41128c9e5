//===- Stencils.h - The order of sums of products ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fixes the order in which the sums of an element-wise expression are added up
/// (docs/Rounding.md). Stencils.cpp says which sums these are;
/// StencilTablet.cpp finds the partial sums that recur.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARITHMETIC_STENCILS_H
#define ZPL_LIB_SEMA_ARITHMETIC_STENCILS_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

class Builder;

/// \p value with its sums of weighted references in the order in which most
/// partial sums recur; itself where none does. Sums of floating-point numbers
/// are left alone if \p keepsFloating.
const Expr *arrangeSums(Program &program, const Expr *value,
                        bool keepsFloating);

/// The sums of one statement as columns of references: what is at one position
/// of the innermost dimension, under one weight.
class Tablet {
public:
  /// A reference or, from the number of those on, a pattern; subtracted or not.
  struct Part {
    unsigned id;
    bool isNegative;
    bool operator==(const Part &other) const {
      return id == other.id && isNegative == other.isNegative;
    }
  };
  /// By id, each once.
  using Parts = llvm::SmallVector<Part, 8>;
  struct Column {
    unsigned group;
    int64_t inner; ///< the position
    Parts parts;
  };

  /// \p references: how many there are, apart from their innermost position.
  explicit Tablet(unsigned references) : references(references) {}

  /// Adds \p part to the column at \p inner of \p group; each once there.
  void add(unsigned group, int64_t inner, Part part);
  /// Replaces what recurs by patterns, the greatest saving first. False if
  /// nothing does.
  bool findPatterns();

  /// Those of a group, equal ones side by side.
  std::vector<const Column *> columnsOf(unsigned group) const;
  /// Whether \p id is a pattern's.
  bool isPattern(unsigned id) const { return id >= references; }
  /// The parts of the pattern \p id.
  const Parts &pattern(unsigned id) const { return patterns[id - references]; }

private:
  /// The parts that recur together with the greatest saving; empty: none do.
  Parts bestPattern() const;
  /// How many additions less there are with \p pattern.
  unsigned saving(const Parts &pattern) const;
  /// Puts the pattern \p id in the place of what \p pattern has in \p parts, if
  /// they have it, perhaps negated.
  static void replace(Parts &parts, const Parts &pattern, unsigned id);

  unsigned references;
  std::vector<Column> columns; ///< by group and position
  std::vector<Parts> patterns;
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARITHMETIC_STENCILS_H
