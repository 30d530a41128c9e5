//===- DelayUpdates.cpp - Updates of a matrix that wait -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for %k = i32 1 to @n by 1 {
//       ... statements that read or write row i or column k of @A
//       region %S = [add(%k, 1) .. @n, add(%k, 1) .. @n]
//       flood %T = @A from [_, %k]
//       flood %U = @A from [%k, _]
//       mloop %S { store @A = fma(neg(%T), %U, @A) }
//       free %T, %U
//     }
//
// The M-loop goes through all of A for one product per element. What it does can
// wait: T and U are kept, as elements of panels, and 32 updates are done in one
// sweep, in blocks (BlockLoops). What waits is done before for a row or column
// that somebody touches, by itself: that is `settle`.
//
//     set %count = 0                               updates that wait
//     for %k = ... {
//       settle row i                               before what touches it
//       ...
//       region %S = ...
//       if eq(%count, 0) {                         the first update that waits
//         set %first = %k
//         region %All = as S                       all that waits is in it
//         alloc %rows.done, %columns.done          over [_, *], [*, _] of All
//       }
//       settle column k
//       flood %T.1 = @A from [_, %k] slot %count of 32
//       ...
//       set %count = add(%count, 1)
//       if or(eq(%count, 32), eq(%k, %bound)) {
//         settle each row and column that was touched
//         mloop %S times %count {                  the others
//           store @A = fma(neg(%T.1), %U.1, @A)
//               where and(eq(%rows.done, 0), eq(%columns.done, 0))
//         }
//         free ..., set %count = 0
//       }
//     }
//
// `rows.done` has for each row how many of the updates that wait it has already,
// `columns.done` the same for columns; an element has the greater number. To
// settle row i is
//
//     mloop [%i, _] times %count levels(0 flat, times, 1 up) {
//       store @A = ... where t >= rows.done, t >= columns.done, in S of update t
//     }
//     store %rows.done at i = %count
//
// A column is copied first, so that its elements lie side by side, and stored
// afterwards. Of the exchange of rows that pivoting needs, nothing needs to be
// known: both rows are up to date then.
//
// The region of the update may begin at k or k + 1: what one update loses is row
// or column k, which is touched (DelayedLoop.cpp), so the sweep at the end has
// the region of the last update.
//
// All this if the matrix is 16 MB or more, as many rows and columns as the loop
// has iterations: what stays in the caches gains nothing. Else the loop is as it
// was.
//
// Cost: linear in the statements. In the program, of n x n elements and b = 32
// updates, settling is some b n elements for each row and column that is
// touched, beside n n b for the sweep.
//
//===----------------------------------------------------------------------===//

#include "Loops/Delay/DelayUpdates.h"
#include "Communication/TransferEdits.h"
#include "Loops/Delay/DelayedLoop.h"
#include "Loops/Delay/WaitingUpdates.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseSet.h"
#include <cmath>

using namespace llvm;

namespace zpl::air {
namespace {

/// Of an element, as large as its counter; of larger ones, 8.
int64_t bytesOf(Type element) {
  Type counter = counterOf(element);
  return counter == Type::I8    ? 1
         : counter == Type::I16 ? 2
         : counter == Type::I32 ? 4
                                : 8;
}

class UpdateDelayer {
public:
  UpdateDelayer(Procedure &procedure, Module &module, const Effects &effects,
                PassContext &context)
      : procedure(procedure), module(module), effects(effects),
        context(context) {}

  void run() {
    rewriteStmts(procedure.body, [&](Stmt *stmt, StmtList &result) {
      auto *loop = dyn_cast<ForStmt>(stmt);
      if (!loop || made.contains(loop) || !replace(*loop, result))
        result.push_back(stmt);
    });
  }

private:
  bool replace(ForStmt &loop, StmtList &result) {
    Obstacle obstacle;
    std::optional<DelayedLoop> delayed =
        readDelayedLoop(loop, procedure, module, effects, obstacle);
    if (!delayed) {
      if (!obstacle.why.empty())
        context.missed(obstacle.place,
                       "updates of a matrix do not wait for each other: " +
                           obstacle.why);
      return false;
    }
    made.insert(&loop);
    made.insert(delayIn(*delayed, leastIterations(delayed->matrix->element),
                        context.figures.delayUpdates, procedure, module,
                        result));
    context.count("loops");
    context.applied(delayed->sweep->range,
                    "up to " + Twine(context.figures.delayUpdates) +
                        " updates of " + sourceName(*delayed->matrix) +
                        " wait and run in one sweep, where it is " + size() +
                        "; rows and columns that are touched meanwhile are "
                        "brought up to date first" +
                        context.measured({"delay.updates"}));
    return true;
  }

  /// When they wait, for the user.
  std::string size() const {
    return context.delayedFrom
               ? "updated " + std::to_string(context.delayedFrom) +
                     " times or more"
               : std::to_string(context.figures.delayBytes >> 20) +
                     " MB or more";
  }

  /// So many make a square matrix of `delay.bytes`.
  int64_t leastIterations(Type element) const {
    return context.delayedFrom ? context.delayedFrom
                               : int64_t(std::sqrt(context.figures.delayBytes /
                                                   bytesOf(element)));
  }

  Procedure &procedure;
  Module &module;
  const Effects &effects;
  PassContext &context;
  DenseSet<const Stmt *> made;
};

} // namespace

void delayUpdates(Module &module, PassContext &context) {
  if (context.checksOverflow)
    return; // an update that ends the run would do so later
  // What is added writes nothing more than what it takes the place of, but for
  // locals of its own.
  Effects effects(module);
  for (Procedure *procedure : module.procedures)
    UpdateDelayer(*procedure, module, effects, context).run();
}

} // namespace zpl::air
