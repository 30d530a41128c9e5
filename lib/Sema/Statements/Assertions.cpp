//===- Assertions.cpp - Conditions that must hold -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     assert n > 0, "n is ", n;
//
//     if !(n > 0) then
//       halt("heat: heat.z:12:3: error: assertion 'n > 0' failed: ",
//            "n is ", n);
//     end;
//
//     [R] assert A > 0;
//
//     if !(&<< (A > 0)) then
//       key := min<< (A > 0 ? greatest : (Index1, Index2));
//       owner := min<< (is there ? localeID() : greatest);
//       halt("...: error: assertion 'A > 0' failed at (", "%d": upper(key),
//            ", ", "%d": lower(key), ") on processor ", "%d": owner);
//     end;
//
// A condition that is true costs one reduction with `and`; the index is looked
// for when it is not, and depends on no order (Arithmetic/Locations.h). A condition
// of free values is reduced over processors, and the first one is named. So all
// processors take the same branch, and one message appears.
//
//===----------------------------------------------------------------------===//

#include "Statements/Assertions.h"
#include "Arithmetic/Locations.h"
#include "Arithmetic/Stencils.h"
#include "Arrays/ArrayOperators.h"
#include "Arrays/Scopes.h"
#include "Check/Expressions.h"
#include "Check/FirstValues.h"
#include "Check/Operators.h"
#include "Statements/Io.h"
#include "Statements/Statements.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace zpl::sema {

/// Of type Error after a report.
static const Expr *assertedCondition(Checking &c, const ast::Expr &e) {
  const Expr *value = checkExpr(c, e);
  if (isError(value))
    return value;
  if (!isIntegral(value->type)) {
    c.diags.report(e.range, Diag::ConditionType, text(value->type)).done();
    return c.build.error(e.range);
  }
  return c.build.cast(value, Type::Boolean);
}

static WriteItem assertionText(llvm::StringRef text, SourceRange range) {
  WriteItem piece;
  piece.text = text.str();
  piece.range = range;
  return piece;
}

static WriteItem numberPiece(const Expr *value) {
  WriteItem piece;
  piece.value = value;
  piece.format = "%d";
  piece.range = value->range;
  return piece;
}

/// The program's name.
static WriteItem programPiece(Checking &c, SourceRange range) {
  WriteItem piece;
  const Expr *zero = c.build.integer(0, Type::Integer, range);
  piece.value =
      c.program.make<BuiltinExpr>(Builtin::Argument, zero, Type::String, range);
  piece.format = "%s";
  piece.range = range;
  return piece;
}

/// " at [3, 4] on processor 2" or " on processor 2"; what finds that goes to
/// \p made.
static std::vector<WriteItem> placePieces(Checking &c, const Expr *condition,
                                          unsigned rank, SourceRange range,
                                          StmtList &made) {
  auto make = [&](Reduction op, const Expr *of) {
    return reduction(c, op, of, rank, range);
  };
  auto keep = [&](const Expr *key) -> const Expr * {
    auto *kept = c.program.make<VariableExpr>(
        makeHidden(c, "key", Type::Longint, range), range);
    made.push_back(c.program.make<AssignStmt>(kept, key, range));
    return kept;
  };
  const Expr *fails = c.build.unary(UnaryOp::Not, condition, range);
  FirstElement first = firstElement(c, fails, rank, make, keep);
  std::vector<WriteItem> pieces;
  for (auto [dim, index] : llvm::enumerate(first.index)) {
    pieces.push_back(assertionText(dim == 0 ? " at (" : ", ", range));
    pieces.push_back(numberPiece(index));
  }
  pieces.push_back(
      assertionText(rank != 0 ? ") on processor " : " on processor ", range));
  pieces.push_back(numberPiece(first.processor));
  return pieces;
}

/// A call of the program's own procedure, or a report.
static Stmt *ownAssert(Checking &c, const ast::AssertStmt &s,
                       const Symbol &symbol) {
  if (s.call) {
    ast::CallStmt call(s.call, s.range);
    return checkStmt(c, call);
  }
  c.diags.report(s.word.range, Diag::AssertDeclared, describe(symbol))
      .note(symbol.range, Diag::DeclaredHere, symbol.name);
  return emptyStmt(c, s.range);
}

/// What the condition is true of, as a scalar.
static const Expr *holdsAll(Checking &c, const Expr *condition, unsigned rank,
                            SourceRange range) {
  if (rank == 0 && !condition->isFree)
    return condition;
  return reduction(c, Reduction::And, condition, rank, range);
}

Stmt *checkAssert(Checking &c, const ast::AssertStmt &s) {
  llvm::ArrayRef<Symbol *> own = c.names.overloads(s.word.text);
  if (!own.empty())
    return ownAssert(c, s, *own.front());
  const Expr *condition = assertedCondition(c, *s.condition);
  if (isError(condition))
    return emptyStmt(c, s.range);
  unsigned rank = condition->rank;
  if (rank == Expr::AnyRank) {
    rank = visibleRank(c, condition->minRank, condition->range);
    if (rank == 0)
      return emptyStmt(c, s.range);
  }
  condition = arrangeSums(c.program, condition, c.options.strictFp);
  Builder::settle(*condition, rank);
  std::string what = llvm::formatv("assertion '{0}' failed",
                                   c.diags.sources().text(s.condition->range));
  bool namesPlace = rank != 0 || condition->isFree;
  return assertion(c, condition, rank, namesPlace, what, s.items, s.range);
}

Stmt *assertion(Checking &c, const Expr *condition, unsigned rank,
                bool namesPlace, llvm::StringRef what,
                llvm::ArrayRef<ast::Item> items, SourceRange range) {
  auto *branch = c.program.make<IfStmt>(
      c.build.unary(UnaryOp::Not, holdsAll(c, condition, rank, range), range),
      range);
  LineColumn place = c.diags.sources().lineColumn(range);
  std::vector<WriteItem> first = {programPiece(c, range)};
  first.push_back(
      assertionText(llvm::formatv(": {0}:{1}:{2}: error: {3}",
                                  c.diags.sources().name(range.file),
                                  place.line, place.column, what)
                        .str(),
                    range));
  if (namesPlace)
    for (WriteItem &piece :
         placePieces(c, condition, rank, range, branch->thenBody))
      first.push_back(std::move(piece));
  if (!items.empty())
    first.push_back(assertionText(": ", range));
  haltWith(c, std::move(first), items, range, branch->thenBody);
  return branch;
}

} // namespace zpl::sema
