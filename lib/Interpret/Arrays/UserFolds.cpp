//===- UserFolds.cpp - User-defined reductions and scans ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// language 8.3. A state is memory that the hidden variables of the operator
// (UserFold) name while a step is executed:
//
//     f<< A      identity(s); for all indices: accumulate(A[i], s)
//     f|| A      identity(p); for all indices: T[i] = p;
//                    identity(s); accumulate(A[i], s); combine(p, s); p = s
//
// All indices are visited in order, on one processor, so a reduction has
// nothing to combine.
//
//===----------------------------------------------------------------------===//

#include "Arrays/UserFolds.h"
#include "Arrays/ArrayExpressions.h"
#include "Calls.h"
#include "Errors.h"
#include "Expressions.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Run.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>
#include <cstring>

using namespace llvm;

namespace zpl::interpreter {

static void foldStep(Run &run, const sema::UserFold &fold,
                     const sema::CallExpr *step, char *state,
                     char *before = nullptr, const At *at = nullptr);

/// Executes one of the operator's steps.
static void foldStep(Run &run, const sema::UserFold &fold,
                     const sema::CallExpr *step, char *state, char *before,
                     const At *at) {
  run.memory.frame->variables[fold.state] = state;
  run.memory.frame->variables[fold.before] = before;
  call(run, step, at);
}

/// Evaluates what of the operands is evaluated once.
static void prepareFold(Run &run, const sema::UserFold &fold,
                        Prepared &prepared) {
  prepareInOrder(run, ArrayRef(fold.accumulate->args).drop_back(), prepared);
}

Value fold(Run &run, const sema::ReduceExpr *expr) {
  const sema::UserFold &fold = *expr->user;
  std::vector<char> state(sizeOf(run, expr->type));
  Prepared prepared;
  if (expr->operandRank != 0) {
    prepared.over = cover(run, expr->operandRank, expr->range);
    prepareFold(run, fold, prepared);
  }
  foldStep(run, fold, fold.identity, state.data());
  if (expr->operandRank == 0)
    foldStep(run, fold, fold.accumulate, state.data());
  else
    forEachAdmitted(prepared, [&](const At &at) {
      foldStep(run, fold, fold.accumulate, state.data(), nullptr, &at);
    });
  return load(run, expr->type, state.data());
}

std::unique_ptr<ArrayStorage> foldPartially(Run &run,
                                            const sema::ReduceExpr *expr,
                                            const Cover &source,
                                            const Region &kept) {
  const sema::UserFold &fold = *expr->user;
  std::unique_ptr<ArrayStorage> states =
      temporary(run, expr->type, kept, expr->range);
  return under(run, source, [&] {
    Prepared prepared;
    prepared.over = source;
    prepareFold(run, fold, prepared);
    forEachIndex(kept, [&](const Index &index) {
      foldStep(run, fold, fold.identity, states->at(index));
    });
    forEachAdmitted(prepared, [&](const At &at) {
      foldStep(run, fold, fold.accumulate, states->at(at.index), nullptr, &at);
    });
    return std::move(states);
  });
}

/// Visits the indices that differ from \p index in the dimensions \p levels
/// only, from the fastest, in the order of a scan.
static void visitInOrder(const Region &region, ArrayRef<int> levels,
                         Index &index,
                         function_ref<void(const Index &)> visit) {
  if (levels.empty())
    return visit(index);
  unsigned d = std::abs(levels.back()) - 1;
  const Dim &dim = region.dims[d];
  for (int64_t k = 0, count = dim.count(); k != count; ++k) {
    int64_t position = levels.back() < 0 ? count - 1 - k : k;
    index[d] = dim.first() + position * dim.stride;
    visitInOrder(region, levels.drop_back(), index, visit);
  }
}

std::unique_ptr<ArrayStorage> foldScan(Run &run, const sema::ScanExpr *expr,
                                       Prepared &prepared) {
  const sema::UserFold &fold = *expr->user;
  prepareFold(run, fold, prepared);
  if (expr->segment)
    prepare(run, expr->segment, prepared);
  const Region &region = *prepared.over.region;
  std::unique_ptr<ArrayStorage> result =
      temporary(run, expr->type, region, expr->range);
  std::vector<char> prefix(sizeOf(run, expr->type)), state(prefix.size());
  auto visit = [&](const Index &index) {
    At at{index, prepared};
    bool isStored = region.contains(index);
    bool isAdmitted = isStored && prepared.over.admits(index);
    foldStep(run, fold, fold.identity, state.data());
    if (isAdmitted)
      foldStep(run, fold, fold.accumulate, state.data(), nullptr, &at);
    if (isStored && expr->segment && eval(run, expr->segment, &at).integer != 0)
      foldStep(run, fold, fold.identity, prefix.data());
    if (isAdmitted)
      std::memcpy(result->at(index), prefix.data(), prefix.size());
    foldStep(run, fold, fold.combine, state.data(), prefix.data());
    prefix.swap(state);
    if (isAdmitted && expr->inclusive)
      std::memcpy(result->at(index), prefix.data(), prefix.size());
  };
  // The first index of each scan: one of each dimension in the list.
  Region starts = region.withoutPattern();
  for (int level : expr->dims) {
    Dim &dim = starts.dims[std::abs(level) - 1];
    dim.hi = std::min(dim.hi, dim.first());
  }
  forEachIndex(starts, [&](const Index &start) {
    Index index = start;
    foldStep(run, fold, fold.identity, prefix.data());
    visitInOrder(region, expr->dims, index, visit);
  });
  return result;
}

} // namespace zpl::interpreter
