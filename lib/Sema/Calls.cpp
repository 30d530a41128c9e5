//===- Calls.cpp - Calls of procedures ------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure gcd(a, b: integer): integer;            -- scalar
//     procedure sweep(inout A: [ , ] double; k: integer);  -- parallel
//
//     gcd(12, n)       a scalar
//     gcd(A, 10)       promoted: an array expression of A's rank
//     sweep(B, 3)      B as a whole
//
// Whether a procedure is parallel is known only when the whole program is, so
// an array for a scalar parameter is taken as a promotion here and checked
// later (Parallel.cpp). Arguments by reference are names of things of exactly
// the parameter's type that may be assigned.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Types.h"
#include "Walk.h"

namespace zpl::sema {

namespace {

ScalarType typeOf(const Symbol &formal) {
  if (auto *array = llvm::dyn_cast<Array>(&formal))
    return array->element;
  return llvm::cast<Variable>(formal).type;
}

Mode modeOf(const Symbol &formal) {
  if (auto *array = llvm::dyn_cast<Array>(&formal))
    return array->mode;
  return llvm::cast<Variable>(formal).mode;
}

/// "[ , ] double".
std::string typeText(const Symbol &symbol) {
  auto *array = llvm::dyn_cast<Array>(&symbol);
  std::string element = text(typeOf(symbol)).str();
  if (!array)
    return element;
  std::string commas;
  for (unsigned d = 1; d < array->rank; ++d)
    commas += ", ";
  return "[ " + commas + "] " + element;
}

} // namespace

const Expr *Checker::call(const ast::Call &e) {
  Symbol *symbol = names.find(e.callee.text);
  if (!symbol) {
    if (const Predeclared *entry = findPredeclared(e.callee.text))
      return standardCall(e, *entry);
    if (isLaterType(e.callee.text))
      diags
          .report(e.callee.range, Diag::NotSupported,
                  llvm::formatv("type '{0}'", e.callee.text).str())
          .done();
    else
      names.reportUnknown(e.callee.text, e.callee.range);
    return build.error(e.range);
  }
  auto *procedure = llvm::dyn_cast<Procedure>(symbol);
  if (!procedure) {
    auto *variable = llvm::dyn_cast<Variable>(symbol);
    if (!variable || variable->type != ScalarType::Error)
      diags
          .report(e.callee.range, Diag::WrongKind, e.callee.text,
                  describe(*symbol), "a procedure")
          .note(symbol->range, Diag::DeclaredHere, e.callee.text);
    return build.error(e.range);
  }
  CallExpr *node = procedureCall(e, *procedure);
  if (!node || node->type == ScalarType::Error)
    return build.error(e.range);
  if (node->type == ScalarType::Void) {
    diags.report(e.range, Diag::NoValue, procedure->name)
        .note(procedure->range, Diag::DeclaredHere, procedure->name);
    return build.error(e.range);
  }
  return node;
}

CallExpr *Checker::procedureCall(const ast::Call &e, Procedure &callee) {
  firstCalls.try_emplace(&callee, e.range);
  bool isWrong = false;
  if (e.args.size() != callee.params.size()) {
    diags
        .report(e.range, Diag::ArgumentCount, callee.name,
                llvm::formatv("{0}", callee.params.size()).str(), e.args.size())
        .note(callee.range, Diag::DeclaredHere, callee.name);
    isWrong = true;
  }
  auto *node = program.make<CallExpr>(&callee, e.range);
  for (size_t i = 0; i != e.args.size(); ++i) {
    if (i >= callee.params.size()) {
      expr(*e.args[i]); // for what is wrong in it
      continue;
    }
    const Symbol &formal = *callee.params[i];
    const Expr *arg = isByReference(modeOf(formal))
                          ? referenceArgument(*e.args[i], formal)
                          : valueArgument(*e.args[i], formal);
    isWrong |= isError(arg);
    node->args.push_back(arg);
  }
  node->copies.assign(node->args.size(), false);
  if (isWrong || !promote(*node))
    return nullptr;
  return node;
}

const Expr *Checker::valueArgument(const ast::Expr &arg, const Symbol &formal) {
  const Expr *value = expr(arg);
  if (isError(value) || reportFree(value))
    return build.error(arg.range);
  auto *array = llvm::dyn_cast<Array>(&formal);
  if (!array)
    return convert(value, typeOf(formal));
  if (array->rank == 0) // its declaration has been reported
    return build.error(arg.range);
  if (!value->isArray() ||
      (value->rank != Expr::AnyRank && value->rank != array->rank)) {
    std::string found = value->isArray()
                            ? llvm::formatv("rank {0}", value->rank).str()
                            : std::string("a scalar");
    diags.report(arg.range, Diag::ArgumentRank, found, formal.name, array->rank)
        .note(formal.range, Diag::DeclaredHere, formal.name);
    return build.error(arg.range);
  }
  if (!fitsRank(value, array->rank))
    return build.error(arg.range);
  return convert(value, array->element);
}

const Expr *Checker::referenceArgument(const ast::Expr &arg,
                                       const Symbol &formal) {
  if (auto *at = llvm::dyn_cast<ast::At>(&arg)) {
    if (!isError(expr(*at)))
      diags.report(arg.range, Diag::AtByReference, formal.name)
          .note(formal.range, Diag::DeclaredHere, formal.name);
    return build.error(arg.range);
  }
  auto *name = llvm::dyn_cast<ast::NameRef>(&arg);
  Symbol *symbol = name ? names.find(name->name) : nullptr;
  if (!symbol) {
    bool isKnown = !name || findPredeclared(name->name);
    if (isKnown && !isError(expr(arg)))
      diags.report(arg.range, Diag::ReferenceToValue, formal.name)
          .note(formal.range, Diag::DeclaredHere, formal.name);
    if (!isKnown)
      names.reportUnknown(name->name, name->range);
    return build.error(arg.range);
  }
  // Not by nameValue: a constant would become its value.
  if (!llvm::isa<Variable, Array>(symbol))
    return nameValue(*name);
  if (typeOf(*symbol) == ScalarType::Error ||
      typeOf(formal) == ScalarType::Error ||
      !checkWritable(*symbol, arg.range, /*byReference=*/true))
    return build.error(arg.range);
  auto *array = llvm::dyn_cast<Array>(symbol);
  auto *formalArray = llvm::dyn_cast<Array>(&formal);
  bool isSameShape =
      !formalArray || (array && array->rank == formalArray->rank);
  if (typeOf(*symbol) != typeOf(formal) || !isSameShape) {
    diags
        .report(arg.range, Diag::ReferenceType, typeText(*symbol), formal.name,
                typeText(formal))
        .note(formal.range, Diag::DeclaredHere, formal.name)
        .note(symbol->range, Diag::DeclaredHere, symbol->name);
    return build.error(arg.range);
  }
  if (array) {
    auto *node = program.make<ArrayExpr>(array, arg.range);
    node->text = array->name;
    return node;
  }
  return program.make<VariableExpr>(llvm::cast<Variable>(symbol), arg.range);
}

/// Gives the call its rank: that of the arrays that stand for scalars.
bool Checker::promote(CallExpr &call) {
  llvm::SmallVector<const Expr *, 4> promotedArgs;
  for (unsigned i = 0; i != call.args.size(); ++i) {
    if (passingOf(call, i) != Passing::Promoted)
      continue;
    for (const Expr *other : promotedArgs)
      if (!conform(other, call.args[i], call.args[i]->range))
        return false;
    promotedArgs.push_back(call.args[i]);
  }
  Builder::inherit(call, promotedArgs);
  if (!call.isArray())
    return true;
  for (unsigned i = 0; i != call.args.size(); ++i) {
    const Symbol &formal = *call.callee->params[i];
    if (passingOf(call, i) != Passing::Scalar || !isByReference(modeOf(formal)))
      continue;
    diags.report(call.args[i]->range, Diag::PromotedReference, formal.name)
        .highlight(promotedArgs.front()->range)
        .note(formal.range, Diag::DeclaredHere, formal.name);
    return false;
  }
  return true;
}

bool Checker::checkWritable(const Symbol &symbol, SourceRange range,
                            bool byReference) {
  auto *variable = llvm::dyn_cast<Variable>(&symbol);
  auto *array = llvm::dyn_cast<Array>(&symbol);
  if (!variable && !array) {
    diags
        .report(range, Diag::WrongKind, symbol.name, describe(symbol),
                "a variable")
        .note(symbol.range, Diag::DeclaredHere, symbol.name);
    return false;
  }
  Storage storage = variable ? variable->storage : array->storage;
  bool isConst = variable ? variable->isConst : array->isConst;
  llvm::StringRef what;
  if (storage == Storage::Param && modeOf(symbol) == Mode::Const)
    what = "a read-only parameter";
  else if (isConst)
    what = variable ? describe(symbol) : "a constant";
  else
    return true;
  diags
      .report(range, byReference ? Diag::ReadOnlyReference : Diag::ReadOnly,
              symbol.name, what)
      .note(symbol.range, Diag::DeclaredHere, symbol.name);
  return false;
}

} // namespace zpl::sema
