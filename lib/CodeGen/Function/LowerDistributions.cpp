//===- LowerDistributions.cpp - Grids, distributions, domains -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime has the objects; generated code knows them by numbers, which are
// their places in the module. What is known at compile time stands in tables of
// the program's descriptor, the rest are calls of the initial procedure:
//
//     distribution @D = (block, cut(@c))
//
//     call @zrtA_distribution_set(i32 1, ptr {{0, ..}, {4, 0, 0, @zpl.c, ..}})
//
//===----------------------------------------------------------------------===//

#include "Function/LowerDistributions.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerCommunication.h"
#include "Function/LowerRuntime.h"
#include "Function/LowerScalar.h"
#include "ModuleLowering.h"

using namespace llvm;

namespace zpl::codegen {

/// The place of \p thing in \p things, from 1; 0 if it is null.
template <typename T>
static unsigned placeOf(const std::vector<T *> &things, const T *thing) {
  return thing ? unsigned(llvm::find(things, thing) - things.begin()) + 1 : 0;
}

unsigned numberOf(const air::Module &module, const air::Grid *grid) {
  return placeOf(module.grids, grid);
}

unsigned numberOf(const air::Module &module, const air::Distribution *value) {
  return placeOf(module.distributions, value);
}

unsigned numberOf(const air::Module &module, const air::Domain *domain) {
  return placeOf(module.domains, domain);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// A table of \p rows of \p type; null if there are none.
static Constant *infoTable(ModuleLowering &m, StructType *type,
                           ArrayRef<Constant *> rows, const Twine &name) {
  if (rows.empty())
    return ConstantPointerNull::get(m.types.ptr);
  return m.addGlobal(
      name, ConstantArray::get(ArrayType::get(type, rows.size()), rows),
      /*isConstant=*/true);
}

SmallVector<Constant *, 8> distributionFields(ModuleLowering &m) {
  const air::Module &source = m.source;
  auto row = [&](StructType *type, StringRef name, unsigned a, unsigned b) {
    return ConstantStruct::get(type, {m.string(name),
                                      ConstantInt::get(m.types.i32, a),
                                      ConstantInt::get(m.types.i32, b)});
  };
  SmallVector<Constant *, 4> grids, distributions, domains;
  for (const air::Grid *grid : source.grids)
    grids.push_back(
        row(m.types.gridInfo, nameOf(*grid), grid->rank, grid->isVariable));
  for (const air::Distribution *made : source.distributions)
    distributions.push_back(row(m.types.distributionInfo, nameOf(*made),
                                made->rank, numberOf(source, made->grid)));
  for (const air::Domain *domain : source.domains)
    domains.push_back(row(m.types.domainInfo, nameOf(*domain),
                          numberOf(source, domain->distribution),
                          domain->isScattered));
  auto count = [&](size_t number) {
    return ConstantInt::get(m.types.i32, number);
  };
  return {infoTable(m, m.types.gridInfo, grids, "zpl.grids"),
          infoTable(m, m.types.distributionInfo, distributions,
                    "zpl.distributions"),
          infoTable(m, m.types.domainInfo, domains, "zpl.domains"),
          count(grids.size()),
          count(distributions.size()),
          count(domains.size())};
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void lowerSetGrid(FunctionState &fn, const air::SetGridStmt *stmt) {
  const air::Module &source = fn.module.source;
  Value *number = fn.builder.getInt32(numberOf(source, stmt->target));
  Constant *loc = fn.module.location(stmt->range);
  if (stmt->value)
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_grid_assign),
                          {number,
                           fn.builder.getInt32(numberOf(source, stmt->value)),
                           fn.builder.getInt32(stmt->keeps), loc});
  else
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_grid_set),
                          {number, direction(fn, stmt->extents), loc});
}

/// The fields of a zrt_rule.
static SmallVector<Value *, 5> ruleRow(FunctionState &fn,
                                       const air::DistributionRule &rule) {
  auto number = [&](const air::Expr *e) -> Value * {
    return e ? lowerIndex(fn, e) : fn.builder.getInt64(0);
  };
  Value *null = ConstantPointerNull::get(fn.types.ptr);
  return {fn.builder.getInt64(static_cast<unsigned>(rule.kind)),
          number(rule.lo),
          number(rule.hi),
          rule.points ? addressOf(fn, rule.points) : null,
          rule.points ? typeTable(fn, rule.points->type) : null,
          rule.owner ? fn.module.function(rule.owner) : null};
}

void lowerSetDistribution(FunctionState &fn,
                          const air::SetDistributionStmt *stmt) {
  using Rule = air::DistributionRule;
  static_assert(
      int(Rule::Block) == ZRT_BLOCK && int(Rule::Bounded) == ZRT_BOUNDED &&
      int(Rule::Cyclic) == ZRT_CYCLIC &&
      int(Rule::BlockCyclic) == ZRT_BLOCK_CYCLIC && int(Rule::Cut) == ZRT_CUT &&
      int(Rule::None) == ZRT_NONE && int(Rule::Owner) == ZRT_OWNER);
  const air::Module &source = fn.module.source;
  Value *number = fn.builder.getInt32(numberOf(source, stmt->target));
  Constant *loc = fn.module.location(stmt->range);
  if (stmt->value) {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_distribution_assign),
                          {number,
                           fn.builder.getInt32(numberOf(source, stmt->value)),
                           fn.builder.getInt32(stmt->keeps), loc});
    return;
  }
  if (const air::Weights &weights = stmt->weights; weights.array) {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_distribution_balance),
                          {number, address(fn, weights.array),
                           address(fn, weights.region),
                           maskTable(fn, weights.mask), loc});
    return;
  }
  SmallVector<SmallVector<Value *, 5>, 6> rows;
  for (const Rule &rule : stmt->rules)
    rows.push_back(ruleRow(fn, rule));
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_distribution_set),
                        {number, table(fn, fn.types.rule, rows, "rules"), loc});
}

void lowerMove(FunctionState &fn, const air::MoveStmt *stmt) {
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_array_move),
                        {address(fn, stmt->target), address(fn, stmt->source),
                         address(fn, stmt->region),
                         fn.module.location(stmt->range)});
}

} // namespace zpl::codegen
