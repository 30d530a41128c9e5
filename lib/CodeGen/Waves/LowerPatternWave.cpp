//===- LowerPatternWave.cpp - Wavefronts over patterns --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     wave @S tile @S order (1, 2) primed {%C: (-1,0)} {
//       mloop @S { store %C = add(%N, %B);  store %N@(1,0) = %C }
//     }
//
// The runtime orders the positions of this processor (PatternWave.cpp) and finds
// where N, at the index one row further, is read:
//
//     call @zrtA_pattern_wave_begin(@S, {C, N, (-1,0)}, 1, wave, loc)
//   wave.next:
//     %visits = call @zrtA_pattern_wave_next()     sends, receives
//     br %visits == null, wave.end, wave.tile
//   wave.tile:
//     for v from visits.first to visits.end - 1:
//       %position = visits.order[v]
//       C[%position] = N[%position] + B[%position]
//       N[visits.readers[0][v]] = C[%position]
//     br wave.next
//
// What is stored at an offset is a *push*. Where S has no index there, or it is
// another processor's, the reader is the position itself, so there is no branch.
// All other accesses are at the position.
//
//===----------------------------------------------------------------------===//

#include "Waves/LowerPatternWave.h"

#include "Function/FunctionLowering.h"
#include "Function/LowerRuntime.h"
#include "Waves/LowerWave.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::codegen {

/// The operations of a wave that push.
static SmallVector<const air::ElementExpr *, 4>
pushesOf(const air::WaveStmt &stmt,
         SmallVectorImpl<const air::ElementExpr *> &sources) {
  SmallVector<const air::ElementExpr *, 4> targets;
  for (const air::ElementOp &op : stmt.loop().body) {
    auto *target = dyn_cast_or_null<air::ElementExpr>(op.target);
    if (!target || !target->isShifted())
      continue;
    targets.push_back(target);
    sources.push_back(cast<air::ElementExpr>(op.value));
  }
  return targets;
}

/// Reads a field of the visits.
static Value *readVisits(FunctionState &fn, Value *visits, VisitsField field,
                         llvm::Type *type, const Twine &name) {
  return fn.builder.CreateAlignedLoad(
      type,
      fn.builder.CreateStructGEP(fn.types.visits, visits,
                                 static_cast<unsigned>(field)),
      Align(8), name);
}

void lowerPatternWave(FunctionState &fn, const air::WaveStmt *stmt) {
  IRBuilder<> &b = fn.builder;
  SmallVector<const air::ElementExpr *, 4> sources;
  SmallVector<const air::ElementExpr *, 4> targets = pushesOf(*stmt, sources);
  std::vector<SmallVector<Value *, 5>> rows;
  for (auto [target, source] : zip_equal(targets, sources)) {
    air::Offset direction = target->offset;
    for (int64_t &component : direction)
      component = -component;
    rows.push_back({address(fn, source->array), address(fn, target->array),
                    fn.module.sixNumbers(direction)});
  }
  Value *pushes = rows.empty() ? ConstantPointerNull::get(fn.types.ptr)
                               : table(fn, fn.types.push, rows, "pushes");
  b.CreateCall(ZRT_CALLEE(fn.calls, zrtA_pattern_wave_begin),
               {address(fn, stmt->region), pushes, b.getInt64(rows.size()),
                waveTable(fn, stmt), fn.module.location(stmt->range)});
  BasicBlock *next = addBlock(fn, "wave.next");
  BasicBlock *inside = addBlock(fn, "wave.tile");
  BasicBlock *end = addBlock(fn, "wave.end");
  startBlock(fn, next);
  setPlace(fn, stmt->range);
  Value *visits =
      b.CreateCall(ZRT_CALLEE(fn.calls, zrtA_pattern_wave_next), {}, "visits");
  b.CreateCondBr(b.CreateIsNull(visits), end, inside);
  startBlock(fn, inside);
  PatternVisits found;
  found.first =
      readVisits(fn, visits, VisitsField::First, fn.types.i64, "first");
  found.end = readVisits(fn, visits, VisitsField::End, fn.types.i64, "end");
  found.order =
      readVisits(fn, visits, VisitsField::Order, fn.types.ptr, "order");
  Value *readers =
      readVisits(fn, visits, VisitsField::Readers, fn.types.ptr, "readers");
  for (auto [k, target] : enumerate(targets))
    found.readers[target->array] = b.CreateAlignedLoad(
        fn.types.ptr, b.CreateConstInBoundsGEP1_64(fn.types.ptr, readers, k),
        Align(8), target->array->name + ".readers");
  {
    SaveAndRestore<const PatternVisits *> now(fn.visits, &found);
    lower(fn, stmt->body);
  }
  b.CreateBr(next);
  startBlock(fn, end);
}

} // namespace zpl::codegen
