//===- Sorts.cpp - sort ---------------------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     sort(A);                 by value, ascending
//     sort(A, B, descending);  B's elements go with those of A
//     sort(P, nearer);         by procedure nearer(a, b: point): boolean
//
// `ascending` and `descending` are words here only; arrays and procedures of
// these names stand before them. A procedure is called through a step that is made here, so
// that what follows knows one form:
//
//     procedure nearer.order(inout a, b: point; inout first: boolean);
//     begin first := nearer(a, b); end;
//
// Parallel.cpp refuses parallel ones.
//
//===----------------------------------------------------------------------===//

#include "Check/Checking.h"
#include "Check/Designators.h"
#include "Check/ProcedureArguments.h"
#include "Program/Free.h"
#include "Statements/StandardStmts.h"
#include "Statements/Statements.h"
#include "Types/Types.h"

namespace zpl::sema {

/// What the last argument of a sort says.
namespace {
struct SortOrder {
  bool isGiven = false, isDescending = false;
  std::optional<ProcedureName> procedure;
};
} // namespace

static SortOrder sortOrder(const Checking &c, const ast::Expr &last) {
  SortOrder order;
  order.procedure = procedureNamed(c, last);
  order.isGiven = order.procedure.has_value();
  auto *word = llvm::dyn_cast<ast::NameRef>(&last);
  if (order.isGiven || !word ||
      llvm::isa_and_nonnull<Array>(c.names.find(word->name)))
    return order;
  order.isDescending = word->name == "descending";
  order.isGiven = order.isDescending || word->name == "ascending";
  return order;
}

/// The array that \p e names; null after a report.
static const ArrayExpr *sortedArray(Checking &c, const ast::Expr &e) {
  const Expr *value = checkTarget(c, e);
  if (!value || isError(value) || reportFreePlace(c, value))
    return nullptr;
  auto *array = llvm::dyn_cast<ArrayExpr>(value);
  if (array && array->rank == 1 && array->direction.empty())
    return array;
  std::string what = array && array->rank != 1
                         ? "of rank " + std::to_string(array->rank)
                     : value->isArray() ? "a part of one"
                                        : "a scalar";
  c.diags
      .report(e.range, Diag::SortArray, c.diags.sources().text(e.range), what)
      .done();
  return nullptr;
}

static bool hasOrder(Type type) {
  return type == Type::Boolean || type == Type::Char ||
         (type == Type::Enum && !isDistributionValue(type)) ||
         type == Type::String || (type.isNumeric() && !type.isComplex());
}

static Variable *orderVariable(Checking &c, llvm::StringRef name, Type type,
                               Storage storage, SourceRange range) {
  auto *variable = c.program.make<Variable>(name, range);
  variable->type = type;
  variable->storage = storage;
  variable->isHidden = storage == Storage::Local;
  variable->mode = Mode::InOut;
  return variable;
}

/// The procedure that sets its last parameter to what \p before returns.
static Procedure *orderStep(Checking &c, Procedure &before, Type element) {
  std::string name = before.name + ".order";
  for (Procedure *made : c.made.foldSteps)
    if (made->stepOf == &before && made->isOrder)
      return made;
  auto *step = c.program.make<Procedure>(name, before.range);
  step->stepOf = &before;
  step->isOrder = true;
  step->bodyRange = before.range;
  auto *call = c.program.make<CallExpr>(&before, before.range);
  auto add = [&](llvm::StringRef name, Type type) {
    Variable *param =
        orderVariable(c, name, type, Storage::Param, before.range);
    step->params.push_back(param);
    return c.program.make<VariableExpr>(param, before.range);
  };
  call->args = {add("a", element), add("b", element)};
  call->copies.assign(2, false);
  step->body = c.program.make<AssignStmt>(add("first", Type::Boolean), call,
                                          before.range);
  c.program.procedures.push_back(step);
  c.made.foldSteps.push_back(step);
  return step;
}

/// The call that tells which of two elements comes first; null after a report.
static const CallExpr *orderCall(Checking &c, const ProcedureName &name,
                                 Type element) {
  Procedure heading("before", name.range);
  for (llvm::StringRef param : {"a", "b"}) {
    heading.params.push_back(
        orderVariable(c, param, element, Storage::Param, name.range));
    llvm::cast<Variable>(heading.params.back())->mode = Mode::Const;
  }
  heading.result = Type::Boolean;
  Procedure *before = procedureFor(c, heading, name);
  if (!before)
    return nullptr;
  c.firstCalls.try_emplace(before, name.range);
  auto *call =
      c.program.make<CallExpr>(orderStep(c, *before, element), name.range);
  auto hidden = [&](llvm::StringRef name, Type type) {
    SourceRange range = call->range;
    return c.program.make<VariableExpr>(
        orderVariable(c, name, type, Storage::Local, range), range);
  };
  call->args = {hidden("a", element), hidden("b", element),
                hidden("first", Type::Boolean)};
  call->copies.assign(3, false);
  return call;
}

/// Whether two references are certainly the same array.
static bool isSameArray(const ArrayExpr &a, const ArrayExpr &b) {
  return a.array == b.array && a.subscripts.empty() && b.subscripts.empty();
}

Stmt *sortStmt(Checking &c, const ast::Call &e) {
  auto *sort = c.program.make<SortStmt>(e.range);
  SortOrder order;
  if (e.args.size() > 1)
    order = sortOrder(c, *e.args.back());
  sort->isDescending = order.isDescending;
  bool isWrong = false;
  for (const ast::Expr *arg :
       llvm::ArrayRef(e.args).drop_back(order.isGiven ? 1 : 0)) {
    const ArrayExpr *array = sortedArray(c, *arg);
    isWrong |= !array;
    for (const ArrayExpr *earlier : sort->arrays)
      if (array && isSameArray(*earlier, *array)) {
        c.diags.report(arg->range, Diag::SortTwice, array->array->name)
            .highlight(earlier->range);
        isWrong = true;
      }
    if (array)
      sort->arrays.push_back(array);
  }
  if (isWrong)
    return emptyStmt(c, e.range);
  Type element = sort->arrays.front()->type;
  if (order.procedure) {
    sort->before = orderCall(c, *order.procedure, element);
  } else if (!hasOrder(element)) {
    c.diags.report(e.args.front()->range, Diag::SortOrder, text(element))
        .done();
    return emptyStmt(c, e.range);
  }
  return order.procedure && !sort->before ? emptyStmt(c, e.range) : sort;
}

} // namespace zpl::sema
