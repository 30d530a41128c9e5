//===- Walk.h - Visits the nodes of a checked program -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two ways to go through a checked program: over the expressions of a tree,
/// and over a procedure as it runs, with scopes opening and closing around the
/// uses of covering regions, arrays and procedures.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_TREE_WALK_H
#define ZPL_LIB_SEMA_TREE_WALK_H

#include "zpl/Sema/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace zpl::sema {

/// Calls \p visit with each direct operand of \p e, bounds and directions of
/// the regions in it included.
void forEachOperand(const Expr &e,
                    llvm::function_ref<void(const Expr &)> visit);

/// The same of the bounds, directions and base of \p region.
void forEachOperand(const RegionExpr &region,
                    llvm::function_ref<void(const Expr &)> visit);

/// Calls \p visit with \p e and all expressions below it, parents first.
void forEachExpr(const Expr &e, llvm::function_ref<void(const Expr &)> visit);

/// The first array reference in \p e that has its rank, or null.
const ArrayExpr *firstArray(const Expr &e);

/// How an argument is passed.
enum class Passing : uint8_t {
  Scalar,   ///< a scalar value or a variable by reference
  Promoted, ///< an array, element by element
  Whole, ///< an array as it is, or by reference a part of its elements: `P.x`
  Temporary, ///< an array expression, into a temporary over the covering region
};

/// How the argument number \p argument of \p call is passed.
Passing passingOf(const CallExpr &call, unsigned argument);

/// The procedure's parameter number \p i as an array, or null.
Array *arrayParam(const Procedure &procedure, unsigned i);

/// Goes through code in source order. The functions do nothing here.
class Visitor {
public:
  virtual ~Visitor();

  /// The regions of parameters, the locals that are not static with their
  /// initializers, the body.
  void visitProcedure(const Procedure &procedure);
  /// Global and static initializers, declared regions of arrays included.
  void visitInitializers(const Program &program);

protected:
  /// A region is evaluated: an array's, a region's declaration, a scope's, a
  /// source's.
  virtual void onRegion(const RegionExpr &region);
  /// \p region covers what follows until it is closed, and no mask. An array's
  /// declared region covers its initializer, the source of a flood or partial
  /// reduction (whose onExpr comes before) its operand.
  virtual void onOpen(const RegionExpr &region);
  /// \p mask, which has just been visited, masks what follows until \p region,
  /// which is open, is closed.
  virtual void onMask(const RegionExpr &region, const Mask &mask);
  /// What \p region covered, or masked, ends.
  virtual void onClose(const RegionExpr &region);
  /// Something at \p range runs over the covering region of \p rank.
  virtual void onCover(unsigned rank, SourceRange range);
  /// \p array is read over the covering region of \p rank.
  virtual void onRead(const ArrayExpr &array, unsigned rank);
  /// \p array is assigned, read from a file, or passed by reference element by
  /// element.
  virtual void onWrite(const ArrayExpr &array, unsigned rank);
  /// `Index1` ... is used over the covering region of \p rank.
  virtual void onIndex(const IndexExpr &index, unsigned rank);
  /// A gather from \p array or a scatter to it (\p isWrite), after its maps,
  /// over the covering region of \p rank.
  virtual void onRemap(const ArrayExpr &array, llvm::ArrayRef<Map> maps,
                       unsigned rank, bool isWrite);
  /// The IRV of an array, or a part of it, is assigned.
  virtual void onIrvWrite(const IrvExpr &irv, SourceRange range);
  /// \p variable, or a part of it, is assigned.
  virtual void onScalarWrite(const Variable &variable, SourceRange range);
  /// A variable passed by reference, before the call; onScalarWrite unless
  /// overridden.
  virtual void onReference(const Variable &variable, const CallExpr &call,
                           unsigned argument);
  /// After its arguments; \p rank is that of the array statement around it.
  virtual void onCall(const CallExpr &call, unsigned rank);
  /// Every expression, after the more special functions; of what is assigned
  /// to, passed as a whole, or the array of a remap only these.
  virtual void onExpr(const Expr &e);
  /// Every statement. What `wrap` and `reflect` write is heard here only.
  virtual void onStmt(const Stmt &s);
  /// What the statement does has ended.
  virtual void onModifyEnd(const ModifyStmt &s);
  /// A local of the procedure comes to exist, static ones included.
  virtual void onLocal(const Symbol &symbol);

private:
  /// The declared region and the initializer of a variable, array, region or
  /// direction.
  void visitSymbol(const Symbol &symbol);
  /// The same of an array: the declared region covers its initializer.
  void visitArray(const Array &array);
  /// What is visited in statements of each kind.
  struct Inside;
  /// \p s and what is in it, after onStmt.
  void visitStmt(const Stmt &s);
  /// Each of \p list.
  void visitStmts(const StmtList &list);
  /// \p rank: of the array statement that \p e is a part of; 0: none.
  void visitExpr(const Expr &e, unsigned rank);
  /// The flood or partial reduction \p e: \p operand runs over \p source.
  void visitSource(const Expr &e, const RegionExpr &source, const Mask &mask,
                   const Expr &operand);
  /// The maps of a remap and what they select from; \p rank is theirs.
  void visitRemap(const Expr &place, llvm::ArrayRef<Map> maps, unsigned rank,
                  bool isWrite);
  /// Opens \p region; \p mask is evaluated in it.
  void open(const RegionExpr &region, const Mask &mask);
  /// The arguments, as they are passed, then the call.
  void visitCall(const CallExpr &call, unsigned rank);
  /// The expressions in \p region, those of its base included; a pattern in the
  /// base as the covering region.
  void visitRegion(const RegionExpr &region);
  /// What the subscripts of a place compute.
  void visitSubscripts(const Expr &place, unsigned rank);
  /// \p place, with its subscripts, gets a value.
  void visitTarget(const Expr &place, unsigned rank, SourceRange range);
  /// The callee may write the argument.
  void visitReference(const CallExpr &call, unsigned argument, unsigned rank);
  /// An item of `read`: its format, then the place it is read to.
  void visitRead(const ReadItem &item);
  /// The formats and values of what is written.
  void visitItems(const std::vector<WriteItem> &items);
  /// A scalar expression, or one that is an array statement of its own.
  void visitTop(const Expr &e);
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_TREE_WALK_H
