//===- DistributionValues.cpp - Those in records and arrays ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     type phase = record d: distribution<block, block>; steps: integer; end;
//     var plan: array [1..2] of phase = {{Blk, 10}, {Cyc, 3}};
//         D: distribution = Blk;
//
//     D <=# plan[k].d;              chosen := plan[k].d;
//                                   assert chosen != 0;
//                                   if chosen = 1 then D <=# Blk;
//                                   elsif chosen = 2 then D <=# Cyc; end;
//     plan[1].d := D;               plan[1].d := D.value;
//
// Which domain an array belongs to is known in all code, so a place in a record
// cannot be what regions are bound to: it has a value, which names one of the
// program's grids or distributions. Such values are an enumeration of those that
// the program gives to a place of the kind and rank. So records, indexed arrays,
// parameters, the interpreter, checkpoints and debuggers need nothing new.
//
// A variable that is read as a value has a hidden one beside it, which each
// statement that gives the variable another value sets as well. What `balance`
// cuts has no name: there is a hidden distribution for each variable, which takes
// the last cuts.
//
// Cost: a comparison per value when one is chosen; nothing in programs without
// such places.
//
//===----------------------------------------------------------------------===//

#include "Distributions/DistributionValues.h"
#include "Check/Expressions.h"
#include "Check/FirstValues.h"
#include "Distributions/Distributions.h"
#include "Statements/Assertions.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace zpl::sema {

using DealtType = DistributionValues::Named;

static unsigned dealtRankOf(const Symbol &symbol) {
  if (auto *grid = llvm::dyn_cast<Grid>(&symbol))
    return grid->rank;
  return llvm::cast<Distribution>(symbol).rank;
}

static bool isDealtVariable(const Symbol &symbol) {
  if (auto *grid = llvm::dyn_cast<Grid>(&symbol))
    return grid->init != nullptr;
  return !llvm::cast<Distribution>(symbol).values.empty();
}

/// The type of values that \p symbol may be; null: there is none yet.
static DealtType *dealtTypeFor(Checking &c, bool isGrid, unsigned rank) {
  for (DealtType &known : c.dealt.types)
    if ((known.type->deals == TypeInfo::Grids) == isGrid &&
        known.type->dealtRank == rank)
      return &known;
  return nullptr;
}

static DealtType *dealtTypeFor(Checking &c, const Symbol &symbol) {
  return dealtTypeFor(c, llvm::isa<Grid>(symbol), dealtRankOf(symbol));
}

static DealtType &makeDealtType(Checking &c, bool isGrid, unsigned rank) {
  if (DealtType *known = dealtTypeFor(c, isGrid, rank))
    return *known;
  auto *info = c.program.make<TypeInfo>();
  info->kind = Type::Enum;
  info->deals = isGrid ? TypeInfo::Grids : TypeInfo::Distributions;
  info->dealtRank = rank;
  info->name =
      llvm::formatv("{0}{1}", isGrid ? "grid" : "distribution", rank).str();
  c.program.types.push_back(info);
  return c.dealt.types.emplace_back(DealtType{info, {}});
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type distributionPart(Checking &c, const ast::TypeExpr &type) {
  auto *grid = llvm::dyn_cast<ast::GridType>(&type);
  size_t rank = grid
                    ? grid->components.size()
                    : llvm::cast<ast::DistributionType>(type).components.size();
  if (rank == 0) {
    c.diags
        .report(type.range, Diag::UntypedValue, grid ? "grid" : "distribution",
                grid ? "grid<, >" : "distribution<block, block>")
        .done();
    return Type::Error;
  }
  if (rank > MaxRank) {
    c.diags.report(type.range, Diag::RankTooHigh, rank, MaxRank).done();
    return Type::Error;
  }
  return makeDealtType(c, grid, rank).type;
}

Type distributionParameter(Checking &c, const ast::TypeExpr &type) {
  if (c.writtenType.generic && isDistributionValue(*c.writtenType.generic))
    return *c.writtenType.generic;
  c.diags
      .report(type.range, Diag::DistributionType,
              llvm::isa<ast::GridType>(type) ? "grid" : "distribution")
      .done();
  return Type::Error;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The number of \p symbol, no variable, among the values of its type.
static int64_t numberOf(DealtType &of, Symbol &symbol) {
  auto place = llvm::find(of.symbols, &symbol);
  if (place == of.symbols.end())
    place = of.symbols.insert(place, &symbol);
  return place - of.symbols.begin() + 1;
}

/// \p symbol as a value.
static const Expr *dealtValue(Checking &c, DealtType &of, Symbol &symbol,
                              SourceRange range) {
  if (isDealtVariable(symbol))
    return c.program.make<VariableExpr>(c.dealt.current.lookup(&symbol), range);
  return c.build.integer(numberOf(of, symbol), Type(of.type), range);
}

const Expr *distributionNamed(Checking &c, Symbol &symbol, SourceRange range) {
  if (!isGridOrDistribution(symbol))
    return nullptr;
  DealtType *of = dealtTypeFor(c, symbol);
  if (!of)
    return nullptr;
  if (isDealtVariable(symbol)) {
    of->isTracked = true;
    c.dealt.current.lookup(&symbol)->type = of->type;
  }
  return dealtValue(c, *of, symbol, range);
}

const Expr *distributionPlaced(Checking &c, const ast::Expr &e) {
  return isDistributionValue(designatedType(c, e))
             ? checkScalar(c, e, "a grid or distribution")
             : nullptr;
}

Stmt *chooseDistribution(Checking &c, Symbol &target, const Expr *value,
                         const ast::Expr &e, bool preserves,
                         SourceRange range) {
  auto *block = c.program.make<BlockStmt>(range);
  if (isError(value))
    return block;
  llvm::StringRef text = c.diags.sources().text(e.range);
  const TypeInfo &type = *value->type.info();
  bool isGrid = llvm::isa<Grid>(target);
  llvm::StringRef what = isGrid ? "grid" : "distribution";
  if ((type.deals == TypeInfo::Grids) != isGrid) {
    c.diags
        .report(e.range, Diag::NotDistributing,
                isGrid ? "a grid" : "a distribution")
        .note(target.range, Diag::DeclaredHere, target.name);
    return block;
  }
  if (type.dealtRank != dealtRankOf(target)) {
    c.diags
        .report(e.range, Diag::RedistributionRank, text, type.dealtRank,
                target.name, dealtRankOf(target))
        .note(target.range, Diag::DeclaredHere, target.name);
    return block;
  }
  auto *chosen = c.program.make<VariableExpr>(
      makeHidden(c, "chosen", value->type, range), range);
  const Expr *isThere = c.build.compare(
      CompareOp::Ne, chosen, c.build.integer(0, value->type, range), range);
  block->body = {
      c.program.make<AssignStmt>(chosen, value, range),
      assertion(c, isThere, 0, /*namesPlace=*/false,
                llvm::formatv("{0} names no {1} yet", text, what).str(), {},
                range),
      // Stands for what is not known yet, so that all see what it will do.
      c.program.make<RedistributeStmt>(&target, &target, preserves, range)};
  c.dealt.choices.push_back({block, &target, chosen, preserves});
  return block;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void trackVariable(Checking &c, Symbol &variable) {
  auto *value =
      c.program.make<Variable>(variable.name + ".value", variable.range);
  value->isHidden = true;
  c.program.globals.push_back(value);
  c.dealt.current[&variable] = value;
}

Stmt *trackedRedistribution(Checking &c, RedistributeStmt *stmt) {
  auto *block = c.program.make<BlockStmt>(stmt->range);
  block->body = {stmt};
  c.dealt.given.push_back({block, stmt});
  return block;
}

/// The distribution that has what `balance` cut last for \p variable; made after
/// it if there is none yet.
static Distribution *balancedOf(Checking &c, Distribution &variable,
                                Distribution *&known) {
  if (known)
    return known;
  known =
      c.program.make<Distribution>(variable.name + ".balanced", variable.range);
  known->rank = variable.rank;
  known->values.push_back(&variable);
  auto &globals = c.program.globals;
  globals.insert(llvm::find(globals, &variable) + 1, known);
  return known;
}

/// Lets \p block also set what the target of \p stmt is as a value.
static void
setCurrent(Checking &c, DealtType &of, BlockStmt &block,
           const RedistributeStmt &stmt,
           llvm::DenseMap<const Symbol *, Distribution *> &balanced) {
  Symbol *target = &Builder::unfinished(*stmt.target);
  const Expr *value = nullptr;
  if (stmt.weights) {
    auto &variable = llvm::cast<Distribution>(*target);
    Distribution *cuts = balancedOf(c, variable, balanced[target]);
    block.body.push_back(c.program.make<RedistributeStmt>(
        cuts, target, /*preserves=*/false, stmt.range));
    value = c.build.integer(numberOf(of, *cuts), Type(of.type), stmt.range);
  } else {
    value = dealtValue(c, of, Builder::unfinished(*stmt.value), stmt.range);
  }
  block.body.push_back(c.program.make<AssignStmt>(
      c.program.make<VariableExpr>(c.dealt.current.lookup(target), stmt.range),
      value, stmt.range));
}

/// The variables of \p of, and all that gives them values.
static void trackAll(Checking &c, DealtType &of) {
  for (auto [variable, current] : c.dealt.current) {
    if (dealtTypeFor(c, *variable) != &of)
      continue;
    auto *grid = llvm::dyn_cast<Grid>(variable);
    const Symbol *first =
        grid ? static_cast<const Symbol *>(grid->init)
             : llvm::cast<Distribution>(variable)->values.front();
    current->type = of.type;
    current->init =
        dealtValue(c, of, Builder::unfinished(*first), variable->range);
  }
  llvm::DenseMap<const Symbol *, Distribution *> balanced;
  for (auto [block, stmt] : c.dealt.given)
    if (dealtTypeFor(c, *stmt->target) == &of)
      setCurrent(c, of, *block, *stmt, balanced);
}

//===----------------------------------------------------------------------===//
// At the end
//===----------------------------------------------------------------------===//

/// Completes the block of \p choice among the values of \p of.
static void settleChoice(Checking &c, const DealtType &of,
                         const DistributionValues::Choice &choice) {
  SourceRange range = choice.block->range;
  auto *target = llvm::dyn_cast<Distribution>(choice.target);
  StmtList chain;
  for (size_t i = of.symbols.size(); i-- != 0;) {
    Symbol *symbol = of.symbols[i];
    const Expr *number = c.build.integer(i + 1, Type(of.type), range);
    auto *branch = c.program.make<IfStmt>(
        c.build.compare(CompareOp::Eq, choice.value, number, range), range);
    branch->thenBody.push_back(c.program.make<RedistributeStmt>(
        choice.target, symbol, choice.preserves, range));
    branch->elseBody = std::move(chain);
    chain = {branch};
    if (target)
      target->values.push_back(llvm::cast<Distribution>(symbol));
  }
  choice.block->body.pop_back();
  llvm::append_range(choice.block->body, chain);
  if (of.isTracked)
    choice.block->body.push_back(c.program.make<AssignStmt>(
        c.program.make<VariableExpr>(c.dealt.current.lookup(choice.target),
                                     range),
        choice.value, range));
}

void settleDistributionValues(Checking &c) {
  for (DealtType &of : c.dealt.types) {
    if (of.isTracked)
      trackAll(c, of);
    of.type->enumerators.push_back({"none", 0, of.type->range});
    for (auto [i, symbol] : llvm::enumerate(of.symbols))
      of.type->enumerators.push_back(
          {symbol->name, static_cast<int64_t>(i + 1), symbol->range});
  }
  for (const DistributionValues::Choice &choice : c.dealt.choices)
    settleChoice(c, *dealtTypeFor(c, *choice.target), choice);
  // What is never read needs no memory.
  llvm::DenseSet<const Symbol *> idle;
  for (auto [variable, current] : c.dealt.current)
    if (DealtType *of = dealtTypeFor(c, *variable); !of || !of->isTracked)
      idle.insert(current);
  llvm::erase_if(c.program.globals,
                 [&](const Symbol *symbol) { return idle.contains(symbol); });
}

} // namespace zpl::sema
