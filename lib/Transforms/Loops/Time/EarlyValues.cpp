//===- EarlyValues.cpp - Delayed operations that only copy ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     store %N = ...@A@(-1,0)...           store %N = ...
//     after 1 {                            store %A = or(eq(%N, ...), @A)
//       store @A = or(eq(%N, ...), @A)  => after 1 {
//     }                                      store @A = %A
//                                          }
//
// The value of a delayed operation may be computed before the delay if all that
// it reads is the same then: elements at its own index, of contracted arrays,
// which are stored without delay; of the array that it stores, which it alone
// does; and of arrays that the loop does not store. %N is needed no longer than
// for its index then. Rows of what is stored are as many bytes as those of what
// it is computed from, or less; there are no more loads and stores than before.
//
// Cost: pairs of delayed operations and of elements in them.
//
//===----------------------------------------------------------------------===//

#include "Loops/Time/EarlyValues.h"
#include "zpl/ArrayIR/TimeSteps.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace zpl::air {

/// The array whose element a delayed operation stores, and does nothing else;
/// null: it is another one.
static Array *delayedTarget(const ElementOp &op) {
  auto *target = dyn_cast_or_null<ElementExpr>(op.target);
  bool isPlain = op.kind == ElementOp::Store && target && !op.guard &&
                 !target->array->isContracted();
  return isPlain ? target->array : nullptr;
}

/// Whether the value of a delayed operation, of one of which stores each of \p
/// stored, is the same without delay.
static bool mayComeEarly(const ElementOp &op,
                         const SmallPtrSetImpl<const Array *> &stored) {
  const Array *own = delayedTarget(op);
  bool isSame = own != nullptr;
  forEachExpr(*op.value, [&](const Expr &e) {
    if (auto *element = dyn_cast<ElementExpr>(&e))
      isSame &= !element->isShifted() &&
                (element->array == own || !stored.contains(element->array));
    isSame &= !isa<CallExpr, RemapExpr>(e);
  });
  return isSame;
}

/// An array for rows of what \p op stores, in the loop.
static Array *makeRows(const ElementOp &op, const MLoopStmt &loop,
                       Module &module) {
  const Array &like = *delayedTarget(op);
  auto *rows = module.make<Array>();
  rows->name = like.name;
  rows->text = like.text;
  rows->element = like.element;
  rows->shape = loop.region->shape;
  rows->domain = loop.region->domain;
  rows->range = op.range;
  rows->lines.assign(rows->rank(), AllLines);
  rows->lines[rowLevel(loop)->dim] = op.delay + 1;
  return rows;
}

/// Makes one line of all those of contracted arrays that only operations without
/// delay name.
static void dropRows(const MLoopStmt &loop) {
  SmallPtrSet<const Array *, 8> late, seen;
  for (const ElementOp &op : loop.body)
    forEachExpr(op, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (element && (op.delay != 0 || element->isShifted()))
        late.insert(element->array);
    });
  for (const ElementOp &op : loop.body) {
    auto *target = op.target ? rootElement(op.target) : nullptr;
    if (target && target->array->isContracted() && !target->array->fetched &&
        !late.contains(target->array))
      target->array->lines.assign(target->array->rank(), 1);
  }
}

void computeEarly(MLoopStmt &loop, Procedure &procedure, Module &module,
                  NameAllocator &names) {
  SmallPtrSet<const Array *, 4> stored;
  for (const ElementOp &op : loop.body)
    if (op.delay != 0 && delayedTarget(op))
      stored.insert(delayedTarget(op));
  auto isLate = [](const ElementOp &op) { return op.delay != 0; };
  auto first = find_if(loop.body, isLate);
  if (first == loop.body.end() || !rowLevel(loop) ||
      !all_of(make_range(first, loop.body.end()),
              [&](const ElementOp &op) { return mayComeEarly(op, stored); }))
    return;
  MLoopStmt trial = loop;
  trial.body.assign(loop.body.begin(), first);
  std::vector<ElementOp> copies;
  std::vector<Array *> made;
  for (const ElementOp &late : make_range(first, loop.body.end())) {
    auto *target = cast<ElementExpr>(late.target);
    Array *rows = made.emplace_back(makeRows(late, loop, module));
    const Expr *row =
        module.make<ElementExpr>(rows, target->offset, target->range);
    trial.body.push_back(late);
    trial.body.back().delay = 0;
    trial.body.back().target = row;
    copies.push_back(late);
    copies.back().value = row;
  }
  append_range(trial.body, copies);
  if (findSwaps(trial).empty())
    return;
  loop.body = std::move(trial.body);
  for (Array *rows : made) {
    rows->name = names.make(rows->name);
    procedure.arrays.push_back(rows);
  }
  dropRows(loop);
}

} // namespace zpl::air
