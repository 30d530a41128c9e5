//===- SparseStatements.h - The array IR: sparse regions --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Statements about the patterns of sparse regions and about what sparse arrays
/// hold: the elements of their pattern and, for all other indices, one value,
/// which is replicated (docs/ArrayIR.md, sparse regions). Included through
/// ArrayIR.h.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_SPARSESTATEMENTS_H
#define ZPL_ARRAYIR_SPARSESTATEMENTS_H

#include "zpl/ArrayIR/LoopStatements.h"
#include <string>

namespace zpl::air {

/// `pattern @S = %R [where %M]`, `pattern @S or= ...`, `pattern @S and= ...`: the
/// sparse region S gets the indices of R, dense or sparse, where the array M of
/// Bools is true; or these as well; or these only as far as they were there; or
/// these no more (`and not=`). Its bounds stay. Ends the run if an index is outside of them. Arrays over S
/// follow, with their elements at indices that stay. `where each e` asks an
/// expression instead of an array, as in RegionExpr.
///
/// `pattern @S = %R from e`: the indices of R, which is S, that the file e lists.
struct PatternStmt : Stmt {
  enum Op : uint8_t { Assign, Or, And, AndNot } op;
  Region *region;
  Region *value;
  Array *array = nullptr;          ///< null: all of value, or condition
  const Expr *condition = nullptr; ///< of a dense value
  const Expr *file = nullptr;
  PatternStmt(Region *region, Op op, Region *value, SourceRange range)
      : Stmt(StmtKind::Pattern, range), op(op), region(region), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Pattern; }
};

/// `keep-pattern %r[i64 2, i64 2] = %R`: keeps the pattern of the sparse region
/// R at a place, an I64 of nothing else, where RegionExpr::pattern finds it.
/// Arrays that were allocated following that place follow.
struct KeepPatternStmt : Stmt {
  const Expr *place; ///< starts from a variable
  Region *region;
  KeepPatternStmt(const Expr *place, Region *region, SourceRange range)
      : Stmt(StmtKind::KeepPattern, range), place(place), region(region) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::KeepPattern;
  }
};

/// `ask-size %n = @S`, an I64: how many indices the sparse region S has.
/// `ask-inside %b = @S (e, e)`, a Bool: whether this is one.
struct AskPatternStmt : Stmt {
  Variable *result;
  Region *region;
  llvm::SmallVector<const Expr *, 6> index; ///< I32 or I64; empty: the size
  AskPatternStmt(Variable *result, Region *region,
                 llvm::ArrayRef<const Expr *> index, SourceRange range)
      : Stmt(StmtKind::AskPattern, range), result(result), region(region),
        index(index.begin(), index.end()) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::AskPattern; }
};

/// `modify-begin @S` and `modify-end @S`: between them, wherever control goes,
/// AddIndexStmts collect indices; the end adds them to the sparse region S.
/// Arrays over S follow, with their elements.
struct ModifyStmt : Stmt {
  Region *region;
  bool begins;
  ModifyStmt(Region *region, bool begins, SourceRange range)
      : Stmt(StmtKind::Modify, range), region(region), begins(begins) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Modify; }
};

/// `add @S (e, e) [replicated]`: an index of S from the end of its ModifyStmt on,
/// whichever processors execute this, and however often. Ends the run if it is
/// outside of the bounds of S.
///
/// `add @S at (maps) over %R [where %M]`: those that the maps name over R.
struct AddIndexStmt : Stmt {
  Region *region;
  llvm::SmallVector<const Expr *, 6> index; ///< I32 or I64, one per dimension
  /// All processors execute it, with equal indices.
  bool isReplicated = false;
  llvm::SmallVector<Map, 6> maps; ///< instead of `index`, one per dimension
  Region *over = nullptr;         ///< with `maps`
  Mask mask;
  AddIndexStmt(Region *region, llvm::ArrayRef<const Expr *> index,
               SourceRange range)
      : Stmt(StmtKind::AddIndex, range), region(region),
        index(index.begin(), index.end()) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::AddIndex; }
};

/// `get-irv %x = %A`, `set-irv %A = %x`: the value that the sparse array A has
/// at all indices that are not stored.
struct IrvStmt : Stmt {
  Array *array;
  Variable *variable; ///< of the element type
  bool sets;          ///< else gets
  IrvStmt(Array *array, Variable *variable, bool sets, SourceRange range)
      : Stmt(StmtKind::Irv, range), array(array), variable(variable),
        sets(sets) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Irv; }
};

/// `fetch %T = %A@(d) over %R`: T[i] = A[i + d] for i in R, whether A has that
/// stored or not. With `wrap` it is A@^d. T is dense, or sparse over R.
struct FetchStmt : Stmt {
  Array *target;
  Array *source;                                ///< sparse
  llvm::SmallVector<const Expr *, 6> direction; ///< I32 or I64; empty: zero
  bool wraps = false;
  Region *region;
  FetchStmt(Array *target, Array *source,
            llvm::ArrayRef<const Expr *> direction, Region *region,
            SourceRange range)
      : Stmt(StmtKind::Fetch, range), target(target), source(source),
        direction(direction.begin(), direction.end()), region(region) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Fetch; }
};

/// `store %A@(d) = %T over %R [where [not] %M] "A@east"`: A[i + d] = T[i] for i
/// in R and under the mask. Ends the run, before it stores anything, if A does
/// not store one of these indices; the text is how the source names A. T is
/// dense, or sparse over R, and so is the mask.
struct StoreStmt : Stmt {
  Array *target;                                ///< sparse
  llvm::SmallVector<const Expr *, 6> direction; ///< I32 or I64; empty: zero
  bool wraps = false;
  Array *source;
  Region *region;
  Mask mask;
  std::string text;
  StoreStmt(Array *target, llvm::ArrayRef<const Expr *> direction,
            Array *source, Region *region, Mask mask, std::string text,
            SourceRange range)
      : Stmt(StmtKind::Store, range), target(target),
        direction(direction.begin(), direction.end()), source(source),
        region(region), mask(mask), text(std::move(text)) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Store; }
};

/// Whether element code over \p region may name the elements of \p array as
/// they are stored: a dense array, or a sparse one that is declared over just
/// this region, or, a parameter, over one with its pattern.
inline bool conforms(const Array &array, const Region &region) {
  return !array.isSparse || array.declared == &region ||
         array.pattern == &region;
}

} // namespace zpl::air

#endif // ZPL_ARRAYIR_SPARSESTATEMENTS_H
