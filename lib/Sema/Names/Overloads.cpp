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
// conversions narrow, then by whether the call is promoted (language 4), then
// by how many parameters are generic, last by whether defaults are taken. Two that are best alike are an error.
//
// Cost: arguments times procedures of that name.
//
//===----------------------------------------------------------------------===//

#include "Names/Overloads.h"

#include "Check/Calls.h"
#include "Check/Checking.h"
#include "Check/ProcedureArguments.h"
#include "Distributions/Distributions.h"
#include "Statements/Procedures.h"
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

/// How well \p arguments fit, in the order of the formals.
static std::optional<Fit> fitPlaced(const Checking &c,
                                    llvm::ArrayRef<Symbol *> formals,
                                    llvm::ArrayRef<Argument> arguments,
                                    const ArgumentPlaces &places) {
  Fit fit;
  for (auto [formal, place] : llvm::zip(formals, places)) {
    fit.defaults |= place == TakesDefault;
    if (place == TakesDefault)
      continue;
    const Argument &argument = arguments[place];
    if (isGridOrDistribution(*formal) && argument.value &&
        mayTakeValue(c, *formal, *argument.value))
      continue;
    if (argument.distributing || isGridOrDistribution(*formal)) {
      if (!argument.distributing || !isGridOrDistribution(*formal) ||
          !mayStandFor(c, *formal, *argument.distributing))
        return std::nullopt;
      continue;
    }
    auto *heading = llvm::dyn_cast<Procedure>(formal);
    if (heading && argument.procedure) {
      if (!mayHaveHeading(*heading, *argument.procedure))
        return std::nullopt;
    } else if (argument.procedure || (heading && !isError(argument.value)) ||
               (!heading && !fitArgument(*formal, argument.value, fit))) {
      return std::nullopt;
    }
  }
  return fit;
}

static std::string typeText(const Expr &value) {
  bool hasRank = value.isArray() && value.rank != Expr::AnyRank;
  return hasRank ? arrayText(value.rank, value.type) : text(value.type);
}

std::string typesText(llvm::ArrayRef<const Expr *> args) {
  std::string all;
  for (const Expr *arg : args)
    all += (all.empty() ? "" : ", ") + typeText(*arg);
  return all;
}

/// For messages: "integer, [ , ] double, eps := double".
static std::string typesText(llvm::ArrayRef<Argument> arguments) {
  std::string all;
  for (const Argument &argument : arguments) {
    if (!all.empty())
      all += ", ";
    if (!argument.name.empty())
      all += argument.name.str() + " := ";
    all += argument.value ? typeText(*argument.value)
           : argument.distributing
               ? describe(*argument.distributing).str()
               : "procedure " + argument.procedure->text.str();
  }
  return all;
}

/// Whether \p argument is what \p formal, of a pattern, takes; reports.
static bool checkFormalKind(Checking &c, const Symbol &formal,
                            const Argument &argument) {
  if (isGridOrDistribution(formal))
    return (argument.value && (isError(argument.value) ||
                               mayTakeValue(c, formal, *argument.value))) ||
           checkStandsFor(c, formal, argument.distributing,
                          argument.syntax->range);
  if (argument.distributing) { // of another overload
    c.diags
        .report(argument.syntax->range, Diag::WrongKind,
                argument.distributing->name, describe(*argument.distributing),
                "a value")
        .done();
    return false;
  }
  if (llvm::isa<Procedure>(formal)) {
    if (!argument.procedure && !isError(argument.value))
      c.diags
          .report(argument.syntax->range, Diag::ProcedureArgument, formal.name)
          .note(formal.range, Diag::DeclaredHere, formal.name);
    return argument.procedure.has_value();
  }
  Fit fit;
  if (!isGeneric(formal) || fitArgument(formal, argument.value, fit))
    return true;
  c.diags
      .report(argument.value->range, Diag::GenericArgument, formal.name,
              text(argument.value->type))
      .note(formal.range, Diag::DeclaredHere, formal.name);
  return false;
}

/// The only procedure of the name, if the arguments can be arranged.
static std::optional<Resolved> resolveOnly(Checking &c, const ast::Call &e,
                                           Procedure &callee,
                                           llvm::ArrayRef<Argument> arguments) {
  llvm::ArrayRef<Symbol *> formals = formalsOf(callee);
  std::optional<ArgumentPlaces> places = arrange(c, formals, arguments);
  if (!places) {
    reportArrangement(c, e, callee, arguments);
    return std::nullopt;
  }
  for (auto [formal, place] : llvm::zip(formals, *places))
    if (place != TakesDefault && !checkFormalKind(c, *formal, arguments[place]))
      return std::nullopt;
  return Resolved{&callee, std::move(*places)};
}

static void reportUnresolved(Checking &c, const ast::Call &e,
                             llvm::ArrayRef<Symbol *> overloads,
                             llvm::ArrayRef<Resolved> best,
                             llvm::ArrayRef<Argument> arguments) {
  for (const Argument &argument : arguments)
    if (argument.value && isError(argument.value))
      return;
  std::string types = typesText(arguments);
  auto report =
      best.empty()
          ? c.diags.report(e.range, Diag::NoOverload, e.callee.text, types)
          : c.diags.report(e.range, Diag::AmbiguousCall, e.callee.text, types);
  constexpr size_t MostNotes = 8;
  llvm::SmallVector<const Symbol *, 2> candidates;
  for (const Resolved &one : best)
    candidates.push_back(one.procedure);
  if (best.empty())
    candidates.assign(overloads.begin(), overloads.end());
  for (const Symbol *candidate :
       llvm::ArrayRef(candidates).take_front(MostNotes))
    report.note(candidate->range, Diag::Candidate, candidate->name);
}

std::optional<Resolved> resolve(Checking &c, const ast::Call &e,
                                llvm::ArrayRef<Symbol *> overloads,
                                llvm::ArrayRef<Argument> arguments) {
  if (overloads.size() == 1)
    return resolveOnly(c, e, *llvm::cast<Procedure>(overloads.front()),
                       arguments);
  llvm::SmallVector<Resolved, 2> best;
  Fit bestFit;
  for (Symbol *symbol : overloads) {
    auto *procedure = llvm::cast<Procedure>(symbol);
    llvm::ArrayRef<Symbol *> formals = formalsOf(*procedure);
    std::optional<ArgumentPlaces> places = arrange(c, formals, arguments);
    std::optional<Fit> fit;
    if (places)
      fit = fitPlaced(c, formals, arguments, *places);
    if (!fit || (!best.empty() && bestFit.key() < fit->key()))
      continue;
    if (!best.empty() && fit->key() < bestFit.key())
      best.clear();
    best.push_back({procedure, std::move(*places)});
    bestFit = *fit;
  }
  if (best.size() == 1)
    return best.front();
  reportUnresolved(c, e, overloads, best, arguments);
  return std::nullopt;
}

} // namespace zpl::sema
