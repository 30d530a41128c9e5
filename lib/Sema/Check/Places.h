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
#include <bitset>

namespace zpl::sema {

/// The indices x of lo..hi with x = align (mod stride), as the formulas of
/// language 6 give them: lo and hi need not be such indices. A flooded
/// or grid dimension is 0..0.
struct DimBounds {
  LinearForm lo, hi;
  LinearForm stride = LinearForm(1);
  LinearForm align; ///< of 1: any

  /// Whether the stride is not known to be 1.
  bool isStrided() const { return stride.number() != 1; }
  /// The least index, unless there is none; none if it is not known.
  std::optional<LinearForm> first() const;
  /// The greatest index, the same.
  std::optional<LinearForm> last() const;
};

/// A region as it is known.
struct Place {
  Shape shape;
  llvm::SmallVector<DimBounds, 6> dims;
  /// Null: that of the arrays that it is used with, as for literals.
  const Domain *domain = nullptr;
  /// Only some of the indices within the bounds, as a pattern says.
  bool isSparse = false;
  /// The number of dimensions.
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

  /// The same where the procedure was entered: for what its declarations say.
  Surroundings atEntry() const { return {entry, entry, parameter}; }
};

/// Finds what is known of regions.
class Surveyor {
public:
  explicit Surveyor(const Program &program);

  /// What is known of \p region where \p around is: kinds of dimensions and
  /// bounds. What it inherits must be there.
  Place survey(const RegionExpr &region, const Surroundings &around) const;
  /// \p place moved by a direction.
  Place moved(Place place, llvm::ArrayRef<const Expr *> direction) const;

  /// \p place, the declared region of \p array where \p node stands. If it may
  /// be another one elsewhere, its bounds are atoms of the node.
  Place here(Place place, const Array &array, const void *node) const;

  /// Whether the program has other domains of rank \p rank than the default
  /// one.
  bool hasDomains(unsigned rank) const { return ranksOfDomains[rank]; }
  /// The default domain of rank \p rank.
  const Domain *defaultDomain(unsigned rank) const { return defaults[rank]; }
  /// \p place, over which something is declared: of the default domain of its
  /// rank if it is of none.
  Place bound(Place place) const {
    if (!place.domain)
      place.domain = defaults[place.rank()];
    return place;
  }

  /// A value as a linear form; an atom if it is not one.
  LinearForm form(const Expr &e) const;

private:
  /// linear() of each kind of expression.
  struct Linear;
  /// \p e as a linear form, if it is one.
  std::optional<LinearForm> linear(const Expr &e) const;
  /// The same of sums, differences, and products with a number.
  std::optional<LinearForm> linearBinary(const BinaryExpr &e) const;
  /// The value of \p variable: that of its initializer if it is a constant with
  /// a linear one, else an atom.
  LinearForm variable(const Variable &variable) const;
  /// The named region \p region: its initializer's, where that was evaluated.
  Place named(const Region &region, const Surroundings &around) const;
  /// `[1..n, *, ]`: a blank dimension is the cover's.
  Place literal(const RegionExpr &region, const CoverPlaces &covers) const;
  /// `d of R` and `d in R`: adjacent to or just inside \p base.
  Place border(const RegionExpr &region, Place base) const;
  /// `R by d`: each of abs(component) indices, counted from the low end or, for
  /// negative components, the high end.
  Place strided(const RegionExpr &region, Place base) const;
  /// A user's operator on \p base: nothing is known of what it does.
  Place changed(const RegionExpr &region, Place base) const;
  /// Whether \p symbol has one value in the whole program.
  bool isGlobal(const Symbol *symbol) const { return globals.contains(symbol); }

  /// The domain of the values of \p region, of a place; null: of none.
  const Domain *domainOfPlace(const RegionExpr &region) const;

  std::array<const Domain *, MaxRank + 1> defaults;
  std::bitset<MaxRank + 1> ranksOfDomains; ///< as hasDomains
  llvm::DenseSet<const Symbol *> globals;
  llvm::DenseSet<const Array *> resizable;
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_PLACES_H
