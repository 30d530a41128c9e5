//===- Places.h - Shapes and bounds of regions ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is known of a region in one instance of a procedure: the kind of each
/// dimension and its bounds as linear forms. Bounds that are not linear are
/// atoms of their own, so that a region is always known to equal itself.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_PLACES_H
#define ZPL_LIB_SEMA_CHECK_PLACES_H

#include "Tree/LinearForm.h"
#include "zpl/Sema/Program.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace zpl::sema {

/// The indices x of lo..hi with x = align (mod stride), as the formulas of
/// language 6 give them: lo and hi need not be such indices. A flooded
/// or grid dimension is 0..0.
struct DimBounds {
  LinearForm lo, hi;
  LinearForm stride = LinearForm(1);
  LinearForm align; ///< of 1: any

  bool isStrided() const { return stride.number() != 1; }
  /// The least and the greatest index, unless there is none; if they are known.
  std::optional<LinearForm> first() const;
  std::optional<LinearForm> last() const;
};

/// A region as it is known.
struct Place {
  Shape shape;
  llvm::SmallVector<DimBounds, 6> dims;
  unsigned rank() const { return shape.size(); }
};

/// The covering regions, per rank.
using CoverPlaces = std::array<std::optional<Place>, MaxRank + 1>;

/// What regions are made of where they are evaluated.
struct Surroundings {
  const CoverPlaces &covers; ///< that cover the place
  const CoverPlaces &entry;  ///< that covered the call of the procedure
  /// The region over which a parameter is declared; null: none occurs.
  llvm::function_ref<Place(const Array &)> parameter = nullptr;

  Surroundings atEntry() const { return {entry, entry, parameter}; }
};

/// Finds what is known of regions.
class Surveyor {
public:
  explicit Surveyor(const Program &program);

  Place survey(const RegionExpr &region, const Surroundings &around) const;
  /// \p place moved by a direction.
  Place moved(Place place, llvm::ArrayRef<const Expr *> direction) const;

  /// \p place, the declared region of \p array where \p node stands. If it may
  /// be another one elsewhere, its bounds are atoms of the node.
  Place here(Place place, const Array &array, const void *node) const;

  /// A value as a linear form; an atom if it is not one.
  LinearForm form(const Expr &e) const;

private:
  std::optional<LinearForm> linear(const Expr &e) const;
  std::optional<LinearForm> linearBinary(const BinaryExpr &e) const;
  LinearForm variable(const Variable &variable) const;
  Place named(const Region &region, const Surroundings &around) const;
  Place literal(const RegionExpr &region, const CoverPlaces &covers) const;
  Place border(const RegionExpr &region, Place base) const;
  Place strided(const RegionExpr &region, Place base) const;
  Place changed(const RegionExpr &region, Place base) const;
  bool isGlobal(const Symbol *symbol) const { return globals.contains(symbol); }

  llvm::DenseSet<const Symbol *> globals;
  llvm::DenseSet<const Array *> resizable;
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_PLACES_H
