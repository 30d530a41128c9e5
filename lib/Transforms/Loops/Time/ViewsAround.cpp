//===- ViewsAround.cpp - Views that go around, as elements ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for %t = i32 1 to @n by i32 1 {        for %t = i32 1 to @n by i32 1 {
//       shift {%N by (i64 -1, i64 0) wrap,     mloop @R {
//              %S by (i64 1, i64 0) wrap}        store %B = add(@A@(-1,0),
//           = @A over @R                =>                      @A@(1,0))
//       mloop @R {                               after 1 { store @A = %B }
//         store %B = add(%N, %S)               }
//         after 1 { store @A = %B }          }
//       }
//       free %S
//       free %N
//     }
//
// Several iterations of a torus run in one sweep if they read the array itself,
// beyond the region what the run has put there (`wraps`). What was there before
// remains for iterations that run one by one.
//
// Cost: linear in the body.
//
//===----------------------------------------------------------------------===//

#include "Loops/Time/ViewsAround.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

namespace {
/// What a view shows.
struct ShownElement {
  Array *array;
  Offset offset;
};
using ViewTable = DenseMap<const Array *, ShownElement>;
} // namespace

/// Notes the views of a shift, if all wrap, by constants, over \p region.
static bool noteViews(const ShiftStmt &shift, const Region *region,
                      ViewTable &views) {
  if (shift.sends || shift.region != region || shift.source->family ||
      shift.source->shape != region->shape)
    return false;
  for (const ShiftView &view : shift.views) {
    Offset offset;
    for (const Expr *component : view.direction) {
      auto *constant = dyn_cast<ConstExpr>(component);
      if (!constant)
        return false;
      offset.push_back(constant->integer);
    }
    if (!view.wraps)
      return false;
    views[view.target] = {shift.source, offset};
  }
  return true;
}

/// Whether all that the M-loop reads at another index, and is stored, is a view.
static bool readsOnlyAround(const MLoopStmt &loop, const ViewTable &views) {
  bool isGood = true;
  forEachExpr(loop, [&](const Expr &e) {
    if (auto *element = dyn_cast<ElementExpr>(&e))
      isGood &= !element->isShifted() || element->array->isContracted();
  });
  return isGood && !views.empty();
}

/// A copy of \p loop with its own contracted arrays, and without \p views.
static MLoopStmt *copyWithout(const ViewTable &views, const MLoopStmt &loop,
                              Procedure &procedure, Module &module,
                              NameAllocator &names) {
  Renaming renaming;
  forEachArray(loop, [&](const Array &array) {
    if (!array.isContracted() || renaming.arrays.contains(&array))
      return;
    auto *copy = module.make<Array>(array);
    copy->name = names.make(array.name);
    copy->storage = Storage::Local;
    procedure.arrays.push_back(copy);
    renaming.arrays[&array] = copy;
  });
  auto *copy = cast<MLoopStmt>(StmtCloner(module, renaming).clone(loop));
  ExprRewriter rewriter(module, [&](const Expr *leaf) -> const Expr * {
    auto *element = dyn_cast<ElementExpr>(leaf);
    auto view = element ? views.find(element->array) : views.end();
    if (view == views.end())
      return leaf;
    const auto &[array, offset] = view->second;
    return module.make<ElementExpr>(array, offset, leaf->range);
  });
  for (ElementOp &op : copy->body)
    for (const Expr **expr : {&op.target, &op.value, &op.guard})
      if (*expr)
        *expr = rewriter.rewrite(*expr);
  return copy;
}

ViewsAround readAround(ForStmt &loop, Procedure &procedure, Module &module,
                       NameAllocator &names) {
  auto isSweep = [](const Stmt *stmt) { return isa<MLoopStmt>(stmt); };
  if (count_if(loop.body, isSweep) != 1)
    return {};
  auto *sweep = cast<MLoopStmt>(*find_if(loop.body, isSweep));
  ViewTable views;
  for (const Stmt *stmt : loop.body)
    if (auto *shift = dyn_cast<ShiftStmt>(stmt);
        isa<TransferPointStmt>(stmt) ||
        (shift && !noteViews(*shift, sweep->region, views)))
      return {};
  if (!readsOnlyAround(*sweep, views))
    return {};
  ViewsAround around;
  around.original = loop.body;
  around.sweep = copyWithout(views, *sweep, procedure, module, names);
  for (const auto &[view, shown] : views)
    for (auto [d, component] : enumerate(shown.offset))
      around.wraps |= uint32_t(component != 0) << d;
  StmtList body;
  for (Stmt *stmt : loop.body) {
    auto *freed = dyn_cast<FreeArrayStmt>(stmt);
    bool isOfViews = stmt == sweep || isa<ShiftStmt>(stmt) ||
                     (freed && views.contains(freed->array));
    (isOfViews ? around.withViews : body).push_back(stmt);
    if (stmt == sweep)
      body.push_back(around.sweep);
  }
  loop.body = std::move(body);
  return around;
}

} // namespace zpl::air
