//===- Arguments.cpp - Which argument is for which parameter --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure solve(procedure f(x: double): double; eps: double = 1e-6;
//                     most: integer = limit): double;
//
//     solve(g)                     eps 1e-6, most what limit is then
//     solve(g, 1e-3)
//     solve(g, most := 10)         eps 1e-6
//
// Arguments by position come first, those by name in any order. What is left
// over takes its default, whose expression is checked once, in the heading, and
// evaluated in each call. So it must mean the same wherever that call stands:
// it has no parallel arrays and calls no parallel procedures.
//
//===----------------------------------------------------------------------===//

#include "Check/Arguments.h"
#include "Check/Calls.h"
#include "Check/Expressions.h"
#include "Check/Operators.h"
#include "Check/ProcedureArguments.h"
#include "Check/Values.h"
#include "Distributions/Distributions.h"
#include "Names/Predeclared.h"
#include "Statements/Procedures.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {

std::optional<size_t> formalNamed(llvm::ArrayRef<Symbol *> formals,
                                  llvm::StringRef name) {
  for (const auto &[i, formal] : llvm::enumerate(formals))
    if (formal->name == name)
      return i;
  return std::nullopt;
}

/// The formal of \p procedure that argument number \p i is for, or null.
const Symbol *formalFor(const Symbol &procedure, const Argument &argument,
                        size_t i) {
  auto formals = formalsOf(llvm::cast<Procedure>(procedure));
  size_t at =
      argument.name.empty()
          ? i
          : formalNamed(formals, argument.name).value_or(formals.size());
  return at < formals.size() ? formals[at] : nullptr;
}

} // namespace

/// `eps = 1` where a procedure has a parameter eps, and nothing else is called
/// so: reported.
static bool reportEquals(Checking &c, const ast::Expr &e,
                         llvm::ArrayRef<Symbol *> overloads) {
  auto *binary = llvm::dyn_cast<ast::Binary>(&e);
  if (!binary || binary->op != ast::BinaryOp::Eq)
    return false;
  auto *name = llvm::dyn_cast<ast::NameRef>(binary->left);
  if (!name || !c.names.overloads(name->name).empty() ||
      findPredeclared(name->name))
    return false;
  if (llvm::none_of(overloads, [&](const Symbol *symbol) {
        return formalNamed(formalsOf(llvm::cast<Procedure>(*symbol)),
                           name->name)
            .has_value();
      }))
    return false;
  c.diags.report(e.range, Diag::ArgumentEquals, name->name)
      .fixIt(binary->opRange, ":=");
  return true;
}

static Argument checkArgument(Checking &c, const ast::Expr &e, size_t i,
                              llvm::ArrayRef<Symbol *> overloads) {
  Argument argument;
  argument.syntax = &e;
  if (auto *named = llvm::dyn_cast<ast::NamedArgument>(&e)) {
    argument.name = named->name.text;
    argument.nameRange = named->name.range;
    argument.syntax = named->value;
  }
  bool takesProcedure = llvm::any_of(overloads, [&](const Symbol *symbol) {
    return llvm::isa_and_nonnull<Procedure>(formalFor(*symbol, argument, i));
  });
  bool wantsDirection = llvm::any_of(overloads, [&](const Symbol *symbol) {
    const Symbol *formal = formalFor(*symbol, argument, i);
    return formal && typeOf(*formal) == Type::Direction;
  });
  if (takesProcedure)
    argument.procedure = procedureNamed(c, *argument.syntax);
  bool takesDistribution = llvm::any_of(overloads, [&](const Symbol *symbol) {
    const Symbol *formal = formalFor(*symbol, argument, i);
    return formal && isGridOrDistribution(*formal);
  });
  if (takesDistribution)
    argument.distributing = distributingNamed(c, *argument.syntax);
  if (argument.procedure || argument.distributing)
    return argument;
  argument.value = reportEquals(c, *argument.syntax, overloads)
                       ? c.build.error(e.range)
                       : argumentValue(c, *argument.syntax, wantsDirection);
  return argument;
}

std::optional<Arguments> checkArguments(Checking &c, const ast::Call &e,
                                        llvm::ArrayRef<Symbol *> overloads) {
  Arguments arguments;
  bool isOrdered = true;
  for (const auto &[i, arg] : llvm::enumerate(e.args)) {
    arguments.push_back(checkArgument(c, *arg, i, overloads));
    const Argument &last = arguments.back();
    if (i == 0 || !last.name.empty() || arguments[i - 1].name.empty())
      continue;
    isOrdered = false;
    auto report = c.diags.report(arg->range, Diag::ArgumentOrder);
    const Symbol *formal = formalFor(*overloads.front(), last, i);
    SourceRange place = arg->range;
    place.end = place.begin;
    if (overloads.size() == 1 && formal)
      report.fixIt(place, formal->name + " := ");
  }
  if (!isOrdered)
    return std::nullopt;
  return arguments;
}

std::optional<ArgumentPlaces> arrange(const Checking &c,
                                      llvm::ArrayRef<Symbol *> formals,
                                      llvm::ArrayRef<Argument> arguments) {
  ArgumentPlaces places(formals.size(), TakesDefault);
  for (const auto &[i, argument] : llvm::enumerate(arguments)) {
    std::optional<size_t> at =
        argument.name.empty() ? i : formalNamed(formals, argument.name);
    if (!at || *at >= formals.size() || places[*at] != TakesDefault)
      return std::nullopt;
    places[*at] = static_cast<int>(i);
  }
  for (auto [place, formal] : llvm::zip(places, formals))
    if (place == TakesDefault && !c.defaults.contains(formal))
      return std::nullopt;
  return places;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static void reportName(Checking &c, const Procedure &callee,
                       const Argument &argument) {
  std::string similar;
  unsigned best = static_cast<unsigned>(argument.name.size() + 2) / 3 + 1;
  for (const Symbol *formal : formalsOf(callee)) {
    unsigned distance = argument.name.edit_distance(formal->name, true, best);
    if (distance < best) {
      best = distance;
      similar = formal->name;
    }
  }
  auto report = c.diags.report(
      argument.nameRange, Diag::ArgumentName, callee.name, argument.name,
      similar.empty() ? "" : "; did you mean '" + similar + "'?");
  if (!similar.empty())
    report.fixIt(argument.nameRange, similar);
  report.note(callee.range, Diag::DeclaredHere, callee.name);
}

/// "2", "2 to 4".
static std::string countText(const Checking &c,
                             llvm::ArrayRef<Symbol *> formals) {
  size_t least = llvm::count_if(formals, [&](const Symbol *formal) {
    return !c.defaults.contains(formal);
  });
  if (least == formals.size())
    return llvm::formatv("{0}", least);
  return llvm::formatv("{0} to {1}", least, formals.size());
}

void reportArrangement(Checking &c, const ast::Call &e, const Procedure &callee,
                       llvm::ArrayRef<Argument> arguments) {
  llvm::ArrayRef<Symbol *> formals = formalsOf(callee);
  llvm::SmallVector<const Argument *, 4> first(formals.size(), nullptr);
  bool hasNames = false;
  for (const auto &[i, argument] : llvm::enumerate(arguments)) {
    hasNames |= !argument.name.empty();
    const Symbol *formal = formalFor(callee, argument, i);
    if (!formal && !argument.name.empty())
      return reportName(c, callee, argument);
    if (!formal)
      break;
    const Argument *&known =
        first[llvm::find(formals, formal) - formals.begin()];
    if (known) {
      c.diags
          .report(argument.nameRange, Diag::ArgumentTwice, formal->name,
                  callee.name)
          .note(known->syntax->range, Diag::ArgumentFirst);
      return;
    }
    known = &argument;
  }
  if (hasNames && arguments.size() <= formals.size()) {
    for (auto [formal, known] : llvm::zip(formals, first))
      if (!known && !c.defaults.contains(formal)) {
        c.diags
            .report(e.range, Diag::ArgumentMissing, formal->name, callee.name)
            .note(formal->range, Diag::DeclaredHere, formal->name);
        return;
      }
  }
  c.diags
      .report(e.range, Diag::ArgumentCount, callee.name, countText(c, formals),
              arguments.size(), "")
      .note(callee.range, Diag::DeclaredHere, callee.name);
}

//===----------------------------------------------------------------------===//
// Default values
//===----------------------------------------------------------------------===//

/// Why \p formal cannot have a default value; empty: it can.
static llvm::StringRef whyNoDefault(const Symbol &formal) {
  if (llvm::isa<Array>(formal))
    return "it is a parallel array";
  auto *variable = llvm::dyn_cast<Variable>(&formal);
  if (variable && isByReference(variable->mode))
    return "it is passed by reference";
  if (variable && variable->type == Type::Timer)
    return "it is a timer";
  return "";
}

/// Whether the value may depend on where it is evaluated.
static bool dependsOnCover(const Expr &value) {
  bool found = value.isArray();
  forEachExpr(value, [&](const Expr &part) {
    found |= part.isArray() || part.kind == ExprKind::Reduce ||
             part.kind == ExprKind::EnclosingMask;
  });
  return found;
}

static std::optional<DefaultValue> defaultValue(Checking &c, const ast::Expr &e,
                                                const Symbol &formal) {
  llvm::StringRef why = whyNoDefault(formal);
  if (!why.empty()) {
    c.diags.report(e.range, Diag::DefaultParameter, formal.name, why).done();
    return std::nullopt;
  }
  if (isGridOrDistribution(formal)) {
    c.diags
        .report(e.range, Diag::DefaultParameter, formal.name,
                "it is a grid or a distribution")
        .done();
    return std::nullopt;
  }
  if (llvm::isa<Procedure>(formal)) {
    DefaultValue made;
    made.procedure = procedureNamed(c, e);
    if (made.procedure)
      return made;
    c.diags.report(e.range, Diag::ProcedureArgument, formal.name)
        .note(formal.range, Diag::DeclaredHere, formal.name);
    return std::nullopt;
  }
  const Expr *value = argumentValue(c, e, typeOf(formal) == Type::Direction);
  if (!isError(value) && dependsOnCover(*value)) {
    c.diags
        .report(e.range, Diag::DefaultParameter, formal.name,
                "it would depend on the region that covers the call")
        .done();
    return std::nullopt;
  }
  if (!isError(value) && !isGeneric(formal))
    value = valueArgument(c, value, formal);
  return DefaultValue{value, std::nullopt};
}

void setDefaults(Checking &c, const ast::ProcedureDecl &d,
                 const Procedure &procedure) {
  llvm::SmallVector<Variable *, 4> hidden;
  llvm::SaveAndRestore outer(c.hiddenParams, &hidden);
  for (auto [formal, symbol] : llvm::zip(d.formals, formalsOf(procedure))) {
    if (!formal.init)
      continue;
    std::optional<DefaultValue> value = defaultValue(c, *formal.init, *symbol);
    if (value && !hidden.empty()) {
      c.diags
          .report(formal.init->range, Diag::DefaultParameter, symbol->name,
                  "its region or direction has a call")
          .done();
      hidden.clear();
      value.reset();
    }
    // After a report nothing more is said about missing arguments.
    c.defaults[symbol] =
        value ? *value
              : DefaultValue{c.build.error(formal.init->range), std::nullopt};
  }
}

void takeDefaults(Checking &c, const ast::ProcedureDecl &d,
                  const Procedure &prototype, const Procedure &later) {
  for (auto [formal, before, now] :
       llvm::zip(d.formals, formalsOf(prototype), formalsOf(later))) {
    auto known = c.defaults.find(before);
    if (known == c.defaults.end())
      continue;
    if (formal.init)
      c.diags.report(formal.init->range, Diag::DefaultRepeated, now->name)
          .note(before->range, Diag::DeclaredHere, before->name);
    DefaultValue value = known->second;
    c.defaults[now] = value;
  }
}

void checkDefaultCalls(const Checking &c) {
  llvm::SmallVector<const CallExpr *, 4> calls;
  llvm::DenseSet<const Expr *> seen; // taken over from a prototype
  for (const auto &[formal, given] : c.defaults)
    if (given.value && seen.insert(given.value).second)
      forEachExpr(*given.value, [&](const Expr &e) {
        auto *call = llvm::dyn_cast<CallExpr>(&e);
        if (call && call->callee->isParallel)
          calls.push_back(call);
      });
  llvm::sort(calls, [](const CallExpr *a, const CallExpr *b) {
    return std::tie(a->range.file, a->range.begin) <
           std::tie(b->range.file, b->range.begin);
  });
  for (const CallExpr *call : calls)
    c.diags.report(call->range, Diag::DefaultParallel, call->callee->name)
        .note(call->callee->range, Diag::DeclaredHere, call->callee->name);
}

} // namespace zpl::sema
