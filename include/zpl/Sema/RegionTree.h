//===- RegionTree.h - Regions, checked --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Region expressions, and what is known of covering regions. Included through
/// Program.h.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_REGIONTREE_H
#define ZPL_SEMA_REGIONTREE_H

#include "zpl/Sema/Tree.h"
#include <bitset>

namespace zpl::sema {

struct RegionDim {
  enum Kind : uint8_t {
    Range,
    Single,
    Flood,
    Grid,
    Blank,
    Seq ///< the sequence (lo, hi, stride, align) of language 5
  } kind = Blank;
  const Expr *lo = nullptr; ///< Range, Single, Seq; integer or longint
  const Expr *hi = nullptr; ///< Range, Seq
  const Expr *stride = nullptr, *align = nullptr; ///< Seq; Longints
};

struct RegionExpr {
  enum Kind : uint8_t {
    Ref,   ///< a named region
    Dims,  ///< a literal; Blank dimensions are the covering region's
    Quote, ///< the covering region of this rank
    Of,
    In,
    At,
    By,
    User,     ///< of a user-defined operator, by `call`
    Declared, ///< `region(A)`: the declared region of `array`
    Where,    ///< the indices of `base` at which `pattern` is true: sparse
    Bounds    ///< all indices within the bounds of `base`, with its strides
  } kind = Quote;
  unsigned rank = 0;
  Region *region = nullptr; ///< Ref
  llvm::SmallVector<RegionDim, 6> dims;
  const RegionExpr *base = nullptr; ///< Of ... User, Where, Bounds
  /// Where: a Boolean of this rank, evaluated over the base when the region is;
  /// null: `?`, there is no pattern yet.
  const Expr *pattern = nullptr;
  /// Dims with Blank dimensions, Quote: what they inherit is the bounds and not
  /// the pattern, as in the regions of operators and in values.
  bool takesBounds = false;
  llvm::SmallVector<const Expr *, 6> direction; ///< Of ... User; as ArrayExpr's
  /// User: (delta, l, h, s, a) of hidden Integer variables, which whoever
  /// executes it sets from the base and the direction; once per dimension that
  /// is neither flooded nor a grid dimension. Such dimensions become Strided.
  const CallExpr *call = nullptr;
  Array *array = nullptr;                        ///< Declared
  llvm::SmallVector<const Expr *, 2> subscripts; ///< Declared: of the family
  /// Dims: the value of this place, which is evaluated first; the run ends if
  /// it has none yet. Null: it is no variable's.
  const Expr *place = nullptr;
  std::string unset; ///< with `place`: what the run says then
  /// With `place`: the number in it that says which pattern its value has, a
  /// Longint (TypeInfo::storage).
  const Expr *patternNumber = nullptr;
  /// Which region of a multi-region it is, for references such as `U{}` that
  /// inherit it (language 9); a Longint. Null: of none, or that of the base.
  const Expr *level = nullptr;
  std::string text; ///< as written, for messages: "[1..k]"; may be empty
  SourceRange range;
};

/// The covering region's shape per rank (1..MaxRank), where there is one.
using Covers = std::array<std::optional<Shape>, MaxRank + 1>;

/// What is statically known of the mask of a covering region.
enum class MaskKind : uint8_t { None, With, Without };
using CoverMasks = std::array<MaskKind, MaxRank + 1>;

/// The shape of \p region in a place where \p covers are the covering regions'
/// shapes (those that its Blank dimensions and Quotes need are present). What
/// depends on the instance, the shape of a local Region or of an array's
/// declared region (`region(A)`), says \p ofSymbol; null: Region::shape and
/// Array::declared do.
Shape shapeOf(const RegionExpr &region, const Covers &covers,
              llvm::function_ref<Shape(const Symbol &)> ofSymbol = nullptr);

/// Which covering regions are sparse, by rank.
using SparseCovers = std::bitset<MaxRank + 1>;

/// Whether \p region is sparse in a place where \p covers says that of the
/// covering regions: known at compile time, for each instance. Values of places
/// are if their type says so (TypeInfo::isSparse). What depends on the instance,
/// local Regions and the declared regions of arrays, says \p ofSymbol; null:
/// their initializers do.
bool isSparse(const RegionExpr &region, SparseCovers covers,
              llvm::function_ref<bool(const Symbol &)> ofSymbol = nullptr);

/// Calls \p visit with each direct operand of \p e, bounds and directions of
/// the regions in it included.
void forEachOperand(const Expr &e,
                    llvm::function_ref<void(const Expr &)> visit);
/// Calls \p visit with the bounds and directions of \p region.
void forEachOperand(const RegionExpr &region,
                    llvm::function_ref<void(const Expr &)> visit);

} // namespace zpl::sema

#endif // ZPL_SEMA_REGIONTREE_H
