//===- SkewTimeSteps.cpp - Several time steps in one sweep ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for %t = i32 1 to @n by i32 1 {   set %t.last = @n
//       dr %u ... sv %u                 for %t = i32 1 to %t.last by i32 1 {
//       mloop @R levels(...) {            mloop @R steps %t.steps
//         store %B = ...                    of <%t to %t.last> lag 2
//         after 1 {                =>       brings(%u) levels(...) {
//           store @A = %B                   ... as before
//         }                               }
//       }                                 set %t = add(%t, i32(%t.steps - 1))
//     }                                 }
//
// The M-loop does the work of so many iterations, and the loop goes on behind
// them. Where it executes one, it does so in a nest of its own.
//
// What else the body does is done once for all of them (TimeLoop.cpp).
//
// Between processors the M-loop begins with an exchange of what all of its
// iterations need of other blocks. That has what a transfer in front of it
// would bring, of elements that the M-loop reads over the same region. So such
// a transfer becomes part of the M-loop (`brings`), which does without it unless
// it executes one iteration.
//
// Where the delayed part only copies B to A, the two take turns: of two
// iterations the first one reads A and stores B, the second one the other way
// round, without copies (`swaps(@A for %B)`).
//
// On a torus the M-loop reads views of `A@^d`, which iterations do not share: a
// copy of it reads elements that the run has put around the region (`wraps`,
// ViewsAround.cpp). Where that says that it has executed no iteration, the
// original executes one: `if eq(%t.steps, i64 0) { shift ... set %t.steps = 1 }`.
//
// How far iterations must stay behind each other is a matter of the M-loop
// alone: see TimeSteps.cpp. How many rows fit the caches only the run knows
// (zrtA_time_steps).
//
// Cost: linear in the statements, times pairs of accesses in such M-loops.
//
//===----------------------------------------------------------------------===//

#include "Loops/Time/SkewTimeSteps.h"
#include "Loops/LoopNeighbours.h"
#include "Loops/Time/EarlyValues.h"
#include "Loops/Time/TimeLoop.h"
#include "Loops/Time/ViewsAround.h"
#include "zpl/Analysis/StorageAliases.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/TimeSteps.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace zpl::air {
namespace {

class TimeSkewer {
public:
  TimeSkewer(Procedure &procedure, Module &module, PassContext &context)
      : procedure(procedure), module(module), context(context),
        names(procedure), aliases(module, procedure) {}

  void run() {
    rewriteStmts(procedure.body, [&](Stmt *stmt, StmtList &result) {
      if (auto *loop = dyn_cast<ForStmt>(stmt))
        visit(*loop, result);
      result.push_back(stmt);
    });
    waitBeforeSteps(procedure.body, aliases);
  }

private:
  void visit(ForStmt &loop, StmtList &result) {
    size_t arrays = procedure.arrays.size();
    ViewsAround around = readAround(loop, procedure, module, names);
    TimeLoop time(loop);
    std::string why = whyNoTimeLoop(time, procedure, aliases, context);
    if (why.empty() && around.sweep)
      why = whyNotAround(*around.sweep, around.wraps);
    unsigned lag = 0;
    if (why.empty()) {
      MLoopStmt &sweep = *time.loops.front();
      if (findSwaps(sweep).empty())
        computeEarly(sweep, procedure, module, names);
      sweep.time.swaps = findSwaps(sweep);
      std::optional<unsigned> least =
          leastLag(module, sweep, procedure.mayAlias, why);
      lag = least.value_or(0);
      if (!why.empty())
        sweep.time.swaps.clear();
    }
    if (why.empty())
      return skew(time, lag, around, result);
    if (around.sweep) {
      loop.body = around.original;
      procedure.arrays.resize(arrays);
    }
    if (isStencil(loop) || around.sweep)
      context.missed(loop.range,
                     "iterations are not run several in one sweep: " + why);
  }

  /// Whether it is worth a word: the body has an M-loop that reads at another
  /// index what it stores. Of several strip-loops speaks.
  static bool isStencil(const ForStmt &loop) {
    if (count_if(loop.body, IsaPred<MLoopStmt>) > 1)
      return false;
    SmallPtrSet<const Array *, 8> stored;
    bool found = false;
    for (const Stmt *stmt : loop.body)
      if (auto *sweep = dyn_cast<MLoopStmt>(stmt))
        for (const ElementOp &op : sweep->body)
          for (const Array *array : storedBy(op))
            stored.insert(array);
    for (const Stmt *stmt : loop.body)
      if (isa<MLoopStmt>(stmt))
        forEachExpr(*stmt, [&](const Expr &e) {
          auto *element = dyn_cast<ElementExpr>(&e);
          found |= element && element->isShifted() &&
                   stored.contains(element->array);
        });
    return found;
  }

  //===--------------------------------------------------------------------===//
  // What becomes of them
  //===--------------------------------------------------------------------===//

  /// Where the sweep \p around a torus has executed nothing, the original does.
  void goAroundOneByOne(TimeLoop &time, const ViewsAround &around) {
    SourceRange range = around.sweep->range;
    auto number = [&](int64_t value) {
      auto *expr = module.make<ConstExpr>(Type::I64, range);
      expr->integer = value;
      return expr;
    };
    const Expr *taken = module.make<VarExpr>(around.sweep->time.taken, range);
    auto *none = module.make<IfStmt>(
        module.make<CompareExpr>(CompareOp::Eq, taken, number(0), range),
        range);
    none->thenBody = around.withViews;
    none->thenBody.push_back(module.make<SetStmt>(taken, number(1), range));
    StmtList &body = time.loop.body;
    body.insert(find(body, around.sweep) + 1, none);
  }

  void skew(TimeLoop &time, unsigned lag, const ViewsAround &around,
            StmtList &result) {
    MLoopStmt &sweep = *time.loops.front();
    countSteps(time, sweep.time, lag, module, procedure, names, result);
    if (around.sweep) {
      sweep.time.wraps = around.wraps;
      goAroundOneByOne(time, around);
    }
    bool isAlone = stepReach(sweep).isAlone;
    bool isServed = !isAlone && takeTransfers(time);
    context.count("loops");
    context.applied(
        time.loop.range,
        "several iterations run in one sweep where one processor has "
        "arrays larger than its caches" +
            (lag == 0 ? std::string()
                      : ", each " + std::to_string(lag) +
                            (lag == 1 ? " row" : " rows") +
                            " behind the one before") +
            (isAlone ? "; one at a time between processors: what they compute "
                       "beside their blocks has no place there"
             : around.sweep
                 ? "; they share an exchange, also of what lies around"
             : isServed ? "; between processors they share an exchange"
                        : ""));
  }

  /// Makes the M-loop all points of the transfers before it that bring nothing
  /// else than what it reads: an exchange of what several iterations need
  /// brings that, too. True if there are some, and no others.
  bool takeTransfers(TimeLoop &time) {
    MLoopStmt &sweep = *time.loops.front();
    auto &brings = sweep.time.brings;
    SmallPtrSet<const Region *, 4> set;
    SmallPtrSet<const Transfer *, 4> behind;
    bool isBefore = false;
    for (const Stmt *stmt : reverse(time.loop.body)) {
      isBefore |= stmt == time.sweep;
      if (auto *sets = dyn_cast<SetRegionStmt>(stmt))
        set.insert(sets->target);
      auto *point = dyn_cast<TransferPointStmt>(stmt);
      if (!point)
        continue;
      Transfer *transfer = point->transfer;
      if (!isBefore)
        behind.insert(transfer);
      else if (point->point == TransferPointStmt::DR &&
               !behind.contains(transfer) && !set.contains(transfer->region) &&
               mayBring(sweep, *transfer))
        brings.insert(brings.begin(), transfer);
    }
    erase_if(time.loop.body, [&](const Stmt *stmt) {
      auto *point = dyn_cast<TransferPointStmt>(stmt);
      return point && is_contained(brings, point->transfer);
    });
    return !brings.empty() && none_of(time.loop.body, [](const Stmt *stmt) {
      return isa<TransferPointStmt>(stmt);
    });
  }

  Procedure &procedure;
  Module &module;
  PassContext &context;
  NameAllocator names;
  const StorageAliases aliases;
};

} // namespace

void skewTimeSteps(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    TimeSkewer(*procedure, module, context).run();
}

} // namespace zpl::air
