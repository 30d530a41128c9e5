//===- ArrayOperators.h - Reductions, floods, scans ... ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The checked array operators that are more than element-wise. Included
/// through Program.h.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_ARRAYOPERATORS_H
#define ZPL_SEMA_ARRAYOPERATORS_H

#include "zpl/Sema/Tree.h"

namespace zpl::sema {

/// How a masked scope or source restricts its indices: those at which `mask` is
/// true (isWith) or false. Several masks written one after the other become
/// their conjunction.
struct Mask {
  const Expr *mask = nullptr; ///< a Boolean of the region's rank; null: none
  bool isWith = true;
};

/// A user-defined operator (language 8.3) where it is used: calls of scalar
/// procedures that Sema has made of the user's overloads. Two hidden variables
/// stand for the states they work on; whoever executes the operator says where
/// these lie.
struct UserFold {
  std::string name;
  Variable *state;            ///< acc of all three
  Variable *before;           ///< a of the combiner
  const CallExpr *identity;   ///< (out acc: T)
  const CallExpr *accumulate; ///< (v1: S1; ...; vk: Sk; inout acc: T): acc
                              ///< takes the operands in, element by element if
                              ///< they are arrays; in scans the identity only
  const CallExpr *combine; ///< (inout a, acc: T): acc becomes a combined with
                           ///< acc, in this order; a may be anything then
};

/// `op<< operand`: a full reduction over the covering region of rank
/// operandRank, under its mask; of a free scalar, over the processors
/// (operandRank 0). With `source`, `op<<[source] operand`: a partial reduction;
/// the operand is evaluated over the source, under the mask that is written
/// there, and the expression has the source's rank and is read over the
/// covering region.
struct ReduceExpr : Expr {
  Reduction op;
  const UserFold *user = nullptr; ///< null: `op`
  const Expr *operand; ///< converted to the result's type; user->accumulate
  unsigned operandRank;
  const RegionExpr *source = nullptr;
  Mask mask;        ///< of the source
  std::string text; ///< as written, for messages: "+<<[R] A"
  ReduceExpr(Reduction op, const Expr *operand, unsigned operandRank, Type type,
             SourceRange range)
      : Expr(ExprKind::Reduce, type, range), op(op), operand(operand),
        operandRank(operandRank) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Reduce; }
};

/// `>>[source] operand`: the operand is evaluated over the source.
struct FloodExpr : Expr {
  const RegionExpr *source;
  const Expr *operand; ///< of the source's rank; any type
  std::string text;    ///< as written, for messages
  FloodExpr(const RegionExpr *source, const Expr *operand, SourceRange range)
      : Expr(ExprKind::Flood, operand->type, range), source(source),
        operand(operand) {
    rank = operand->rank;
  }
  static bool classof(const Expr *e) { return e->kind == ExprKind::Flood; }
};

/// `op||<inclusive, segment S>[2, -1] operand`, over the covering region and
/// its mask.
struct ScanExpr : Expr {
  Reduction op;
  const UserFold *user = nullptr; ///< null: `op`
  const Expr *operand; ///< converted to the result's type; user->accumulate
  llvm::SmallVector<int, 6> dims; ///< from the fastest, from 1; negative: down;
                                  ///< never empty
  bool inclusive = false;
  const Expr *segment = nullptr; ///< a Boolean array expression, or null
  ScanExpr(Reduction op, const Expr *operand, Type type, SourceRange range)
      : Expr(ExprKind::Scan, type, range), op(op), operand(operand) {
    rank = operand->rank;
  }
  static bool classof(const Expr *e) { return e->kind == ExprKind::Scan; }
};

/// The user-defined operator of a reduction or scan; null: \p e has none.
const UserFold *userFoldOf(const Expr &e);

/// A map of a remap: null for a blank one (the identity; the rank of the result
/// and the dimension's number agree then); else an Integer or Longint, scalar
/// or array.
using Map = const Expr *;

/// `A#[I, J]`; the rank is that of the array maps, or, without any, that of the
/// statement. A is an array without direction, or a part of its elements
/// (`P.x#[I]`, `V[k]#[I]`).
struct GatherExpr : Expr {
  const Expr *source;             ///< a place that starts from an ArrayExpr
  llvm::SmallVector<Map, 6> maps; ///< one per dimension of the array
  std::string text;               ///< as written, for messages
  GatherExpr(const Expr *source, llvm::ArrayRef<Map> maps, unsigned rank,
             SourceRange range)
      : Expr(ExprKind::Gather, source->type, range), source(source),
        maps(maps.begin(), maps.end()) {
    this->rank = rank;
  }
  static bool classof(const Expr *e) { return e->kind == ExprKind::Gather; }
};

/// The quote as (a part of) a mask: the enclosing mask of this rank as written,
/// true everywhere if there is none. Only in the masks of ScopeStmts.
struct EnclosingMaskExpr : Expr {
  EnclosingMaskExpr(unsigned rank, SourceRange range)
      : Expr(ExprKind::EnclosingMask, Type::Boolean, range) {
    this->rank = rank;
  }
  static bool classof(const Expr *e) {
    return e->kind == ExprKind::EnclosingMask;
  }
};

/// What region inquiry (language 6.5) is made of: the least or greatest bound
/// as the region's formulas give it, the stride or the alignment (a of (l, h,
/// s, a)) of one dimension, or (free) this processor's own bounds. Flooded
/// dimensions give 0, 0, 1, 0. A Longint.
struct RegionBoundExpr : Expr {
  /// Level: which region of a multi-region it is; the run ends if of none.
  /// Size: how many indices it has, of a region that may be sparse. Patterned:
  /// 1 if a sparse region has a pattern, 0 as long as it was only declared.
  enum Which : uint8_t {
    Lo,
    Hi,
    Stride,
    Align,
    OwnLo,
    OwnHi,
    Level,
    Size,
    Patterned
  } which;
  const RegionExpr *region;
  unsigned dim; ///< from 0; from Level on 0
  RegionBoundExpr(Which which, const RegionExpr *region, unsigned dim,
                  SourceRange range)
      : Expr(ExprKind::RegionBound, Type::Longint, range), which(which),
        region(region), dim(dim) {
    isFree = which == OwnLo || which == OwnHi;
  }
  static bool classof(const Expr *e) {
    return e->kind == ExprKind::RegionBound;
  }
};

} // namespace zpl::sema

#endif // ZPL_SEMA_ARRAYOPERATORS_H
