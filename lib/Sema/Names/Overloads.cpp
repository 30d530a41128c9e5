//===- Overloads.cpp - Which procedure a call means -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure show(n: integer);  procedure show(x: double);
//     procedure show(A: [ , ] double);
//
//     show(1)       the first: exact
//     show(B)       the third, B being an array of rank 2: exact as well
//     show('c')     the first: no conversion narrows
//     show(true, 1) none takes two arguments
//
// Those procedures of that name that accept all arguments are compared: first
// by how many arguments have exactly the parameter's type, then by how many
// conversions narrow, then by whether the call is promoted (language 4), last
// by how many parameters are generic. Two that are best alike are an error.
//
// Cost: arguments times procedures of that name.
//
//===----------------------------------------------------------------------===//

#include "Names/Overloads.h"

#include "Check/Calls.h"
#include "Check/Checking.h"
#include "Types/Types.h"

namespace zpl::sema {

namespace {

bool isPlace(const Expr *value) {
  const Expr *root = rootOf(value);
  auto *array = llvm::dyn_cast<ArrayExpr>(root);
  return llvm::isa<VariableExpr>(root) || (array && array->direction.empty());
}

/// Adds the types' share to \p fit; false: they do not go together.
bool fitTypes(Type formal, Type argument, bool byReference, Fit &fit) {
  if (formal == Type::Error || argument == Type::Error)
    return true;
  if (innermostElement(formal) == Type::Generic || isUntyped(formal)) {
    ++fit.generic;
    if (isUntyped(formal) && formal != Type::Array)
      return argument.kind() == formal.kind();
    if (formal == Type::Generic)
      return !argument.isAggregate() && argument != Type::Void &&
             argument != Type::Timer;
    return argument == Type::Array && fitsGenericArray(formal, argument);
  }
  if (fitsBlankBounds(formal, argument))
    return true;
  if (byReference || !converts(argument, formal))
    return false;
  ++fit.inexact;
  fit.narrowing += narrows(argument, formal);
  return true;
}

bool fitArgument(const Symbol &formal, const Expr *value, Fit &fit) {
  bool byReference = isByReference(modeOf(formal));
  if (isError(value))
    return true;
  if (byReference && !isPlace(value))
    return false;
  auto *array = llvm::dyn_cast<Array>(&formal);
  if (isWholeFamily(value) != (array && array->family != Type::Error))
    return false;
  if (!array) {
    fit.promoted |= value->isArray();
    return fitTypes(typeOf(formal), value->type, byReference, fit);
  }
  bool isRank = value->rank == Expr::AnyRank ? value->minRank <= array->rank
                                             : value->rank == array->rank;
  bool isWhole = llvm::isa<ArrayExpr>(value);
  return isRank && (isWhole || !byReference) &&
         fitTypes(typeOf(*array), value->type, byReference, fit);
}

} // namespace

std::optional<Fit> fitArguments(llvm::ArrayRef<Symbol *> formals,
                                llvm::ArrayRef<const Expr *> args) {
  if (formals.size() != args.size())
    return std::nullopt;
  Fit fit;
  for (size_t i = 0; i != args.size(); ++i)
    if (!fitArgument(*formals[i], args[i], fit))
      return std::nullopt;
  return fit;
}

std::string typesText(llvm::ArrayRef<const Expr *> args) {
  std::string all;
  for (const Expr *arg : args) {
    if (!all.empty())
      all += ", ";
    bool hasRank = arg->isArray() && arg->rank != Expr::AnyRank;
    all += hasRank ? arrayText(arg->rank, arg->type) : text(arg->type);
  }
  return all;
}

/// The only procedure of the name, if the number of arguments is right.
static Procedure *resolveOnly(Checking &c, const ast::Call &e,
                              Procedure &callee,
                              llvm::ArrayRef<const Expr *> args) {
  size_t count = formalsOf(callee).size();
  if (count != args.size()) {
    c.diags
        .report(e.range, Diag::ArgumentCount, callee.name,
                llvm::formatv("{0}", count).str(), args.size(), "")
        .note(callee.range, Diag::DeclaredHere, callee.name);
    return nullptr;
  }
  Fit fit;
  for (size_t i = 0; i != count && c.generics.patterns.contains(&callee); ++i) {
    const Symbol &formal = *callee.params[i];
    if (fitArgument(formal, args[i], fit))
      continue;
    c.diags
        .report(args[i]->range, Diag::GenericArgument, formal.name,
                text(args[i]->type))
        .note(formal.range, Diag::DeclaredHere, formal.name);
    return nullptr;
  }
  return &callee;
}

Procedure *resolve(Checking &c, const ast::Call &e,
                   llvm::ArrayRef<Symbol *> overloads,
                   llvm::ArrayRef<const Expr *> args) {
  if (overloads.size() == 1)
    return resolveOnly(c, e, *llvm::cast<Procedure>(overloads.front()), args);
  llvm::SmallVector<Procedure *, 2> best;
  Fit bestFit;
  for (Symbol *symbol : overloads) {
    auto *procedure = llvm::cast<Procedure>(symbol);
    std::optional<Fit> fit = fitArguments(formalsOf(*procedure), args);
    if (!fit || (!best.empty() && bestFit.key() < fit->key()))
      continue;
    if (!best.empty() && fit->key() < bestFit.key())
      best.clear();
    best.push_back(procedure);
    bestFit = *fit;
  }
  if (best.size() == 1)
    return best.front();
  if (llvm::any_of(args, isError))
    return nullptr;
  auto report = best.empty() ? c.diags.report(e.range, Diag::NoOverload,
                                              e.callee.text, typesText(args))
                             : c.diags.report(e.range, Diag::AmbiguousCall,
                                              e.callee.text, typesText(args));
  constexpr size_t MostNotes = 8;
  llvm::SmallVector<Symbol *, 2> candidates(best.begin(), best.end());
  if (best.empty())
    candidates.assign(overloads.begin(), overloads.end());
  for (const Symbol *candidate :
       llvm::ArrayRef(candidates).take_front(MostNotes))
    report.note(candidate->range, Diag::Candidate, candidate->name);
  return nullptr;
}

} // namespace zpl::sema
