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
// The M-loop reads what it has stored itself, so nothing says of its accesses
// that they are independent (AliasInfo.cpp sees that by their offsets).
//
//===----------------------------------------------------------------------===//

#include "Waves/LowerWave.h"

#include "Function/FunctionLowering.h"
#include "Function/LowerRuntime.h"
#include "zpl/ArrayIR/Walk.h"
#include "zpl/ArrayIR/Work.h"

using namespace llvm;

namespace zpl::codegen {

namespace {

/// The two innermost loops, as dimensions from 1; 0: there is none.
struct InnerLoops {
  unsigned inner = 0, outer = 0;
  bool isChain = false; ///< an element of the inner one waits for the last one
};

} // namespace

static InnerLoops innerLoops(const air::WaveStmt &wave) {
  InnerLoops loops;
  for (const air::LoopLevel &level : wave.loop().levels) {
    if (level.flat)
      continue;
    loops.outer = loops.inner;
    loops.inner = level.dim + 1;
  }
  // Where rows are worked on together they do not wait.
  loops.isChain =
      wave.loop().rows == 1 && any_of(wave.primed, [&](const auto &item) {
        for (auto [d, component] : enumerate(item.second))
          if ((component != 0) != (d + 1 == loops.inner))
            return false;
        return true;
      });
  return loops;
}

void lowerWave(FunctionState &fn, const air::WaveStmt *stmt) {
  SmallVector<uint32_t, ZRT_MAX_RANK> order(stmt->order.begin(),
                                            stmt->order.end());
  order.resize(ZRT_MAX_RANK, 0);
  InnerLoops loops = innerLoops(*stmt);
  // What waits for nothing vectorizes, or its rows overlap.
  unsigned cost = air::operationsOf(stmt->loop());
  if (!loops.isChain)
    cost = std::max(cost / 4, 1u);
  unsigned group = stmt->loop().rows;
  Value *wave =
      table(fn, fn.types.wave,
            {{ConstantDataArray::get(fn.builder.getContext(), order),
              fn.builder.getInt32(stmt->steps), fn.builder.getInt32(cost),
              fn.builder.getInt32(loops.isChain ? loops.inner : 0),
              fn.builder.getInt32(loops.isChain || group > 1 ? loops.outer : 0),
              fn.builder.getInt32(group)}},
            "wave");
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
