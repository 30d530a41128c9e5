//===- Waves.cpp - Scan blocks --------------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] scan                        [%R] %T = @A@(0,1)
//       A := A'@north + A@east;  =>   wave %R tile %t order (1, 2)
//       B := A * 2;                       primed {@A: (-1,0)} {
//     end;                              mloop %t levels(0 up, 1 up) {
//                                         store @A = add(@A@(-1,0), %T)
//                                         store @B = mul(@A, i32 2)
//                                       }
//                                     }
//
//  1. Checks of all statements come first, as of one.
//  2. `A@d` is the value from before the block. If the block writes that array,
//     or one that may share its storage, it is copied first, unless the order
//     comes to that element later anyway (sema::WaveStmt::readsInPlace; then
//     east above needs no copy). Scalars are evaluated before the loop too.
//  3. While the statements are generated everything element-wise becomes an
//     operation of the one M-loop: also what an ordinary array statement would
//     have put into a statement of its own before it, such as a promoted call
//     with an argument by reference inside an expression. Temporaries of that
//     kind live until the wave is over.
//
//===----------------------------------------------------------------------===//

#include "Operators/Waves.h"
#include "Calls.h"
#include "Families.h"
#include "Operators/Domains.h"
#include "Operators/Masks.h"
#include "Operators/ScatteredWaves.h"
#include "Places.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"
#include "Statements/Statements.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

/// The expressions of a statement of a scan block.
static SmallVector<const sema::Expr *, 2> rootsOf(const sema::Stmt &stmt) {
  if (auto *assign = dyn_cast<sema::ArrayAssignStmt>(&stmt))
    return {assign->target, assign->value};
  return {cast<sema::CallStmt>(stmt).call};
}

static void forEachExpr(const sema::Expr &expr,
                        function_ref<void(const sema::Expr &)> visit) {
  visit(expr);
  sema::forEachOperand(
      expr, [&](const sema::Expr &operand) { forEachExpr(operand, visit); });
}

static void forEachExpr(const sema::WaveStmt &wave,
                        function_ref<void(const sema::Expr &)> visit) {
  for (const sema::Stmt *stmt : wave.body)
    for (const sema::Expr *root : rootsOf(*stmt))
      forEachExpr(*root, visit);
}

/// The references by which the block writes arrays.
static SmallVector<const sema::ArrayExpr *, 4>
writtenIn(const sema::WaveStmt &wave) {
  SmallVector<const sema::ArrayExpr *, 4> written;
  auto add = [&](const sema::Expr *place) {
    if (const sema::ArrayExpr *array = rootArray(place))
      written.push_back(array);
  };
  for (const sema::Stmt *stmt : wave.body)
    if (auto *assign = dyn_cast<sema::ArrayAssignStmt>(stmt))
      add(assign->target);
  forEachExpr(wave, [&](const sema::Expr &expr) {
    auto *call = dyn_cast<sema::CallExpr>(&expr);
    for (unsigned i = 0; call && i != call->args.size(); ++i)
      if (sema::isByReference(argumentMode(call, i)))
        add(call->args[i]);
  });
  return written;
}

static void waveOperation(ProcedureState &p, const sema::Stmt *stmt,
                          Cover over);
static void sortByArray(decltype(air::WaveStmt::primed) &items);

/// Copies what was there before the block and will not be when it is read.
static void keepOldValues(ProcedureState &p, const sema::WaveStmt *stmt,
                          Cover over) {
  SmallVector<air::Array *, 4> targets;
  for (const sema::ArrayExpr *array : writtenIn(*stmt))
    targets.push_back(find(p, array));
  SmallVector<const sema::ArrayExpr *, 4> kept;
  forEachExpr(*stmt, [&](const sema::Expr &expr) {
    auto *read = dyn_cast<sema::ArrayExpr>(&expr);
    if (!read || read->direction.empty() || read->isPrimed ||
        p.statement.standIns.contains(read) ||
        !isAnyWritten(p, targets, find(p, read)))
      return;
    if (stmt->readsInPlace && is_contained(targets, find(p, read)) &&
        isReadDirectly(p, read))
      return;
    auto same = find_if(kept, [&](const sema::ArrayExpr *other) {
      return isSameElement(read, other);
    });
    p.statement.standIns[read] = same != kept.end()
                                     ? p.statement.standIns.lookup(*same)
                                     : materialize(p, read, over);
    kept.push_back(read);
  });
}

static void waveOver(ProcedureState &p, const sema::WaveStmt *stmt);

void waveStatement(ProcedureState &p, const sema::WaveStmt *stmt) {
  if (!isScattered(p.covers[stmt->rank].region->domain))
    return waveOver(p, stmt);
  SmallVector<const sema::ArrayExpr *, 4> all;
  forEachExpr(*stmt, [&](const sema::Expr &expr) {
    if (auto *reference = dyn_cast<sema::ArrayExpr>(&expr))
      all.push_back(reference);
  });
  inDefaultDomain(p, stmt, writtenIn(*stmt), all, [&] { waveOver(p, stmt); });
}

static void waveOver(ProcedureState &p, const sema::WaveStmt *stmt) {
  Cover over = p.covers[stmt->rank];
  TemporaryScope scope(p);
  for (const sema::Stmt *inner : stmt->body) {
    if (auto *assign = dyn_cast<sema::ArrayAssignStmt>(inner)) {
      prepareTarget(p, assign->target, over);
      prepare(p, assign->value, over);
    } else {
      prepare(p, cast<sema::CallStmt>(inner)->call, over);
    }
  }
  keepOldValues(p, stmt, over);

  air::Region *tile = makeRegion(p, "tile", over.region->shape, stmt->range);
  auto *loop = p.module.make<air::MLoopStmt>(tile, stmt->range);
  for (const sema::WaveOrder::Loop &level : stmt->order.loops) {
    air::DimKind kind = over.region->shape[level.dim];
    bool isFlat = kind == air::DimKind::Singleton || air::isPerProcessor(kind);
    loop->levels.push_back({level.dim, isFlat, !isFlat && level.down});
  }
  auto *wave = p.module.make<air::WaveStmt>(over.region, tile, stmt->range);
  wave->order.assign(stmt->order.dims.begin(), stmt->order.dims.end());
  wave->steps = stmt->order.steps;
  {
    SaveAndRestore inside(p.statement.openWave, wave);
    wave->body = {loop};
    for (const sema::Stmt *inner : stmt->body)
      waveOperation(p, inner, over);
  }
  // Another member of a family than those that are stored is as it was.
  SmallVector<air::Array *, 4> targets;
  for (const sema::ArrayExpr *array : writtenIn(*stmt))
    targets.push_back(find(p, array));
  erase_if(wave->primed, [&](const auto &item) {
    return !isAnyWritten(p, targets, item.first);
  });
  sortByArray(wave->primed);
  p.current->push_back(wave);
  p.statement.standIns.clear();
  scope.free(stmt->range);
}

/// One statement of the block that is open.
static void waveOperation(ProcedureState &p, const sema::Stmt *stmt,
                          Cover over) {
  if (auto *assign = dyn_cast<sema::ArrayAssignStmt>(stmt)) {
    const air::Expr *target = placeExpr(p, assign->target, over, assign->value);
    storeElements(p, target, wholeValue(p, assign->value, over), over,
                  stmt->range);
    return;
  }
  const sema::CallExpr *call = cast<sema::CallStmt>(stmt)->call;
  if (returnsByReference(call->callee))
    materialize(p, call, over);
  else
    callElements(p, scalarCall(p, call, over), over, stmt->range);
}

void addOperation(ProcedureState &p, air::ElementOp op, Cover over) {
  op.guard = guardExpr(p, over, op.range);
  p.statement.openWave->loop().body.push_back(std::move(op));
}

/// A read at an index that the open wave has passed.
void addPrimed(StatementScope &statement, air::Array *array,
               const air::Offset &offset) {
  std::pair item(array, offset);
  if (!is_contained(statement.openWave->primed, item))
    statement.openWave->primed.push_back(item);
}

/// Puts offsets of one array side by side; arrays in order of appearance.
static void sortByArray(decltype(air::WaveStmt::primed) &items) {
  SmallVector<const air::Array *, 4> arrays;
  for (const auto &item : items)
    if (!is_contained(arrays, item.first))
      arrays.push_back(item.first);
  stable_sort(items, [&](const auto &a, const auto &b) {
    return find_if(arrays, [&](auto *x) { return x == a.first; }) <
           find_if(arrays, [&](auto *x) { return x == b.first; });
  });
}

} // namespace zpl::arraygen
