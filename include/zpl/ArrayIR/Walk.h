//===- Walk.h - Visiting expressions and statements -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The shapes of the nodes, in one place, for passes that look for something
/// and do not care where it stands. All visits are in the order of the text,
/// parents before children, and skip missing (null) operands.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_WALK_H
#define ZPL_ARRAYIR_WALK_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/Support/OneOf.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <concepts>

namespace zpl::air {

//===----------------------------------------------------------------------===//
// Nodes as what they are: overloads for each kind take the place of a switch,
// and a new kind does not compile until all who visit know it
//===----------------------------------------------------------------------===//

/// Calls \p visit with a statement as what it is: a `SetStmt &`, say, or a
/// const one for who leaves it as it is.
template <typename S, typename Visit>
  requires std::same_as<std::remove_const_t<S>, Stmt>
decltype(auto) visitKind(S &stmt, Visit visit) {
  switch (stmt.kind) {
#define AIR_STMT(Kind, Group)                                                  \
  case StmtKind::Kind:                                                         \
    return visit(llvm::cast<Kind##Stmt>(stmt));
#include "zpl/ArrayIR/Kinds.def"
  }
  llvm_unreachable("a kind outside its enumeration");
}

/// Calls \p visit with an expression as what it is: a `const VarExpr &`, say.
template <typename Visit>
decltype(auto) visitKind(const Expr &expr, Visit visit) {
  switch (expr.kind) {
#define AIR_EXPR(Kind)                                                         \
  case ExprKind::Kind:                                                         \
    return visit(llvm::cast<Kind##Expr>(expr));
#include "zpl/ArrayIR/Kinds.def"
  }
  llvm_unreachable("a kind outside its enumeration");
}

//===----------------------------------------------------------------------===//
// What nodes are made of
//===----------------------------------------------------------------------===//

/// The direct operands of an expression; of a call, its arguments by value and
/// its places by reference.
void forEachOperand(const Expr &expr,
                    llvm::function_ref<void(const Expr &)> visit);

/// An expression and all below it.
void forEachExpr(const Expr &expr,
                 llvm::function_ref<void(const Expr &)> visit);

/// The expressions that a statement evaluates itself, not those of statements
/// nested in it. Places that the statement writes are among them (targets of
/// assignments and stores, loop variables, items of input).
void forEachRoot(const Stmt &stmt,
                 llvm::function_ref<void(const Expr &)> visit);

/// All expressions of a statement itself: forEachRoot, then forEachExpr.
void forEachExpr(const Stmt &stmt,
                 llvm::function_ref<void(const Expr &)> visit);

/// All expressions of an operation of an M-loop, target and guard among them.
void forEachExpr(const ElementOp &op,
                 llvm::function_ref<void(const Expr &)> visit);

/// The arrays that a statement names itself, once per name: elements in its
/// expressions, arguments, operands. Not those of the transfer of a point, and
/// not those of statements nested in it.
void forEachArray(const Stmt &stmt,
                  llvm::function_ref<void(const Array &)> visit);

/// The place that an operation of an M-loop accumulates into; null if it does
/// not, or into ElementOp::accumulator.
const Expr *accumulatedPlace(const ElementOp &op);

/// The operations of an M-loop, cut where the delay changes.
llvm::SmallVector<llvm::ArrayRef<ElementOp>, 2> partsOf(const MLoopStmt &loop);

/// The statement lists nested directly in a statement.
void forEachList(Stmt &stmt, llvm::function_ref<void(StmtList &)> visit);
void forEachList(const Stmt &stmt,
                 llvm::function_ref<void(const StmtList &)> visit);

/// All statements of a list and of the lists nested in them. The visitor may
/// change a statement, not the lists.
void forEachStmt(StmtList &list, llvm::function_ref<void(Stmt &)> visit);
void forEachStmt(const StmtList &list,
                 llvm::function_ref<void(const Stmt &)> visit);

/// The M-loops of a list and all nested ones, and whether they are those of
/// waves.
void forEachMLoop(StmtList &list,
                  llvm::function_ref<void(MLoopStmt &, bool inWave)> visit);

/// A list and all lists nested in it, outer ones first.
void forEachListInside(const StmtList &list,
                       llvm::function_ref<void(const StmtList &)> visit);

/// Rebuilds a list and all lists nested in it, in the order of the text: for
/// each statement \p rewrite appends what takes its place to the list it is
/// given (the statement itself to keep it). Lists nested in the old statement
/// are rebuilt afterwards.
void rewriteStmts(StmtList &list,
                  llvm::function_ref<void(Stmt *, StmtList &)> rewrite);

/// The group of a statement: the one list of all kinds by what they have in
/// common.
StmtGroup groupOf(const Stmt &stmt);

/// Whether a statement may stand between the begin and the end of a combination
/// of a variable that it does not mention: one after which the next one is
/// executed.
bool mayStandInSplit(const Stmt &stmt);

/// Whether a statement for which mayStandInSplit holds reads or writes the
/// variable, under its own name.
bool mentions(const Stmt &stmt, const Variable *variable);

/// Whether an expression, or one of a statement, reads elements by maps; if an
/// \p array is given, its elements.
bool remaps(const Expr &expr, const Array *array = nullptr);
bool remaps(const Stmt &stmt, const Array *array = nullptr);

/// True if many indices of the region have one element of the array: if it is
/// flooded where the region is not. Both have the same rank.
bool isOneForMany(const Array &array, const Region &region);

/// Whether the loop goes upward along rows of the array, in its last dimension,
/// as far as its text shows: index by index, or, if the array is strided there,
/// perhaps from element to element.
bool mayWalkRows(const MLoopStmt &loop, const Array &array);

/// Whether it goes through the array along rows, with gaps or without.
bool goesAlongRows(const MLoopStmt &loop, const Array &array);

/// Whether a level of the loop is unrolled, tiled or of repetitions.
bool isInBlocks(const MLoopStmt &loop);

/// The dimension whose pitch a walker through the array is moved by at a level,
/// or -1 for none (Walker::bumps).
int bumpOf(const Array &array, const LoopLevel &level);

/// Whether two arrays of one procedure, which \p mayAlias or not, may have
/// storage in common, apart from what shifts and floods make. Two views of one
/// family may.
bool mayBeSame(const Module &module, const Array &a, const Array &b,
               bool mayAlias);

/// The region of an array statement or M-loop, else null: expressions of such
/// a statement are evaluated per index.
Region *elementRegion(const Stmt &stmt);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_WALK_H
