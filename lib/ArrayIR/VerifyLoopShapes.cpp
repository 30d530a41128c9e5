//===- VerifyLoopShapes.cpp - The rules of how M-loops are executed -------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What passes may say of the way in which an M-loop is executed, and CodeGen
// relies on.
//
//===----------------------------------------------------------------------===//

#include "VerifierImpl.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

/// What is streamed is not seen before the loop is over: its array is named
/// once, as the target of every index, and written along its rows.
bool Verifier::streams(const MLoopStmt &s) {
  auto isLoop = [](const LoopLevel &level) { return !level.flat; };
  auto inner = std::find_if(s.levels.rbegin(), s.levels.rend(), isLoop);
  for (const ElementOp &op : s.body) {
    if (!op.streams)
      continue;
    SourceRange range = op.range.isValid() ? op.range : s.range;
    auto *target = dyn_cast_or_null<ElementExpr>(op.target);
    if (!target || op.guard || op.value->type.isAggregate())
      return fail(range, "a streamed store is guarded, or not of elements");
    const Array &array = *target->array;
    unsigned last = s.region->rank() - 1;
    if (inner == s.levels.rend() || inner->dim != last || inner->down ||
        s.region->shape[last] == DimKind::Strided ||
        array.shape[last] == DimKind::Strided || array.isContracted() ||
        isOneForMany(array, *s.region))
      return fail(range, "a streamed store is not along rows");
    unsigned names = 0;
    forEachExpr(s, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      names += element && element->array == &array;
    });
    if (names != 1)
      return fail(range, printedName(array) +
                             " is streamed and named elsewhere in its loop");
  }
  return true;
}

} // namespace zpl::air
