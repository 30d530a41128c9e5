//===- Patterns.cpp - Patterns that change --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     S |= M          1. the indices of the new part, evaluated with S as it is
//                     2. those of S as well
//                     3. S and the arrays over it get them
//     modify S        the indices that are added are kept aside until its end
//
//===----------------------------------------------------------------------===//

#include "Regions/Patterns.h"
#include "Arrays/ArrayExpressions.h"
#include "Arrays/Families.h"
#include "Errors.h"
#include "Expressions.h"
#include "Io/Checkpoints.h"
#include "Io/Matrices.h"
#include "Io/Output.h"
#include "Regions/RegionExpressions.h"
#include "Regions/Selection.h"
#include "Statements.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::interpreter {

static Region targetOf(Run &run, const sema::RegionExpr &target) {
  return evaluate(run, target, /*mayBeUnset=*/true);
}

static std::shared_ptr<Pattern> indicesOf(const Region &region) {
  auto indices = std::make_shared<Pattern>();
  forEachIndex(region, [&](const Index &index) { indices->insert(index); });
  return indices;
}

/// `read(f, S)`.
static void assignRead(Run &run, const sema::PatternAssignStmt *stmt) {
  int64_t number = eval(run, stmt->file).integer;
  File &file = openFile(run, number, /*isRead=*/true, stmt->range);
  Region bounds = evaluate(run, *stmt->value);
  setPattern(run, *stmt->target,
             file.checkpoint ? readStatePattern(run, file, bounds)
                             : readPattern(run, file, bounds));
}

/// Whether it is `S &= e` of a condition that is evaluated at indices of S only.
static bool keepsByCondition(const sema::PatternAssignStmt &stmt) {
  const sema::RegionExpr &value = *stmt.value;
  return stmt.op == sema::PatternAssignStmt::And &&
         value.kind == sema::RegionExpr::Where && value.pattern &&
         value.base->kind == sema::RegionExpr::Bounds &&
         isOfIndices(*value.pattern);
}

static void checkWithin(Run &run, const Pattern &made, const Region &target,
                        SourceRange range) {
  for (const Index &index : made)
    if (!target.bound(index))
      fail(run, range,
           "index " + indexText(index, target.rank()) +
               " is outside of the bounds of region " + target.text + ": " +
               target.bounds());
}

void assign(Run &run, const sema::PatternAssignStmt *stmt) {
  if (stmt->file)
    return assignRead(run, stmt);
  // `&=` reads the pattern, so there must be one.
  bool isKept = stmt->op == sema::PatternAssignStmt::And;
  Region target = evaluate(run, *stmt->target, /*mayBeUnset=*/!isKept);
  if (keepsByCondition(*stmt)) {
    Cover over;
    over.region = std::make_shared<const Region>(target);
    return setPattern(run, *stmt->target, under(run, over, [&] {
                        return selectIndices(run, *stmt->value->pattern, over);
                      }));
  }
  Region value = evaluate(run, *stmt->value);
  std::shared_ptr<Pattern> made = indicesOf(value);
  if (!isKept)
    checkWithin(run, *made, target, stmt->range);
  switch (stmt->op) {
  case sema::PatternAssignStmt::Set:
    break;
  case sema::PatternAssignStmt::Or:
    forEachIndex(target, [&](const Index &index) { made->insert(index); });
    break;
  case sema::PatternAssignStmt::And:
    for (auto next = made->begin(); next != made->end();)
      next = target.contains(*next) ? std::next(next) : made->erase(next);
    break;
  }
  setPattern(run, *stmt->target, std::move(made));
}

void modify(Run &run, const sema::ModifyStmt *stmt) {
  run.memory.added.emplace_back();
  execute(run, stmt->body);
  Pattern added = std::move(run.memory.added.back());
  run.memory.added.pop_back();
  std::shared_ptr<Pattern> made = indicesOf(targetOf(run, *stmt->target));
  made->insert(added.begin(), added.end());
  setPattern(run, *stmt->target, std::move(made));
}

static void addIndex(Run &run, const sema::AddStmt *stmt, const Region &target,
                     const At *at) {
  Index index{};
  for (auto [d, component] : enumerate(stmt->indices))
    index[d] = eval(run, component, at).integer;
  if (!target.bound(index))
    fail(run, stmt->range,
         "index " + indexText(index, target.rank()) + " is added to region " +
             target.text + ", whose bounds are " + target.bounds());
  run.memory.added.back().insert(index);
}

void add(Run &run, const sema::AddStmt *stmt) {
  Region target = targetOf(run, *stmt->target);
  if (stmt->rank == 0)
    return addIndex(run, stmt, target, nullptr);
  Prepared prepared;
  prepared.over = cover(run, stmt->rank, stmt->range);
  prepareInOrder(run, stmt->indices, prepared);
  forEachAdmitted(prepared,
                  [&](const At &at) { addIndex(run, stmt, target, &at); });
}

} // namespace zpl::interpreter
