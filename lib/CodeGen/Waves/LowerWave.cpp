//===- LowerWave.cpp - Wavefronts -----------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime cuts the region into tiles and brings what each needs; the
// program executes its M-loop over one after the other:
//
//     call @zrtA_wave_begin(@R, shifts, count, wave, loc)
//   wave.next:
//     %more = call @zrtA_wave_next(%tile)    sends, receives, sets the tile
//     br %more, wave.tile, wave.end
//   wave.tile:
//     the M-loop over %tile
//     br wave.next
//
// Over a sparse region it goes through this processor's positions
// (LowerPatternWave.cpp).
//
// The M-loop reads what it has stored itself, so nothing says of its accesses
// that they are independent (AliasInfo.cpp sees that by their offsets).
//
//===----------------------------------------------------------------------===//

#include "Waves/LowerWave.h"

#include "Function/FunctionLowering.h"
#include "Function/LowerRuntime.h"
#include "Waves/LowerPatternWave.h"
#include "zpl/ArrayIR/Walk.h"
#include "zpl/ArrayIR/Work.h"

using namespace llvm;

namespace zpl::codegen {

Value *waveTable(FunctionState &fn, const air::WaveStmt *stmt) {
  SmallVector<uint32_t, ZRT_MAX_RANK> order(stmt->order.begin(),
                                            stmt->order.end());
  order.resize(ZRT_MAX_RANK, 0);
  air::WaveWork work = air::workOf(*stmt);
  return table(
      fn, fn.types.wave,
      {{ConstantDataArray::get(fn.builder.getContext(), order),
        fn.builder.getInt32(stmt->steps), fn.builder.getInt32(work.cost),
        fn.builder.getInt32(work.chain), fn.builder.getInt32(work.rows),
        fn.builder.getInt32(work.group)}},
      "wave");
}

void lowerWave(FunctionState &fn, const air::WaveStmt *stmt) {
  if (stmt->region->isSparse)
    return lowerPatternWave(fn, stmt);
  Value *wave = waveTable(fn, stmt);
  std::vector<SmallVector<Value *, 5>> rows;
  for (const auto &[array, offset] : stmt->primed)
    rows.push_back({address(fn, array), fn.module.sixNumbers(offset)});
  Value *primed = rows.empty() ? ConstantPointerNull::get(fn.types.ptr)
                               : table(fn, fn.types.shift, rows, "primed");
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_wave_begin),
                        {address(fn, stmt->region), primed,
                         fn.builder.getInt64(rows.size()), wave,
                         fn.module.location(stmt->range)});

  BasicBlock *next = addBlock(fn, "wave.next");
  BasicBlock *inside = addBlock(fn, "wave.tile");
  BasicBlock *end = addBlock(fn, "wave.end");
  startBlock(fn, next);
  setPlace(fn, stmt->range);
  Value *more = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_wave_next),
                                      {address(fn, stmt->tile)}, "more");
  fn.builder.CreateCondBr(fn.builder.CreateICmpNE(more, fn.builder.getInt32(0)),
                          inside, end);
  startBlock(fn, inside);
  lower(fn, stmt->body);
  fn.builder.CreateBr(next);
  startBlock(fn, end);
}

} // namespace zpl::codegen
