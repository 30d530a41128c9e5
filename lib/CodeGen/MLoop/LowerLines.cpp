//===- LowerLines.cpp - M-loops: contracted arrays ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contracted array (air::Array::lines) has storage for one M-loop only:
//
//   lines (1, 1)   an element per index: a cell in the entry block, which LLVM
//                  turns into a register
//   lines (3, _)   three rows, row i at i mod 3
//   lines (1, _)   one row
//
// Rows lie in memory that the runtime lends (zrtA_scratch), the same for all
// M-loops, so that it is in the cache and costs nothing to get. The dimension
// of the innermost loop is contiguous whichever it is; each row begins in a
// cache line of its own:
//
//   before   %lines = call @zrtA_scratch(3 * rows of T + 1 * row of U ...)
//            %T.lines = %lines + 0                position (0, 0)
//   per row  %T.row(-1,0) = %T.lines + (i0 - lo0 + 2) mod 3 * pitch
//                           - (lo1 - 1) * 8       where index 0 would be
//   element  row + i1 * 8
//
// Positions count the indices of the M-loop from its first one, less the
// farthest offset that is read below. What is `mod` K gets a multiple of K
// added that keeps it from being negative.
//
// An element per index is undefined until it is stored: at each index its cell
// is set to poison first. Else a guarded store would make LLVM carry the value
// of the index before, and the loop would not vectorize.
//
// Cost: a division by a constant per row and offset.
//
//===----------------------------------------------------------------------===//

#include "MLoop/LowerMLoop.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::codegen {

/// What rows and their storage are rounded up to, in bytes.
static constexpr int64_t CacheLine = 64;

static Value *roundUp(IRBuilder<> &builder, Value *bytes) {
  return builder.CreateAnd(
      builder.CreateAdd(bytes, builder.getInt64(CacheLine - 1)),
      builder.getInt64(-CacheLine));
}

/// How far elements of \p array are read below the current index, and above.
static std::pair<int64_t, int64_t>
margins(const air::MLoopStmt &loop, const air::Array *array, unsigned dim) {
  int64_t below = 0, above = 0;
  air::forEachExpr(loop, [&](const air::Expr &e) {
    auto *element = dyn_cast<air::ElementExpr>(&e);
    if (!element || element->array != array)
      return;
    below = std::max(below, -element->offset[dim]);
    above = std::max(above, element->offset[dim]);
  });
  return {below, above};
}

/// Makes the storage of all contracted arrays.
void MLoopLowering::startLines() {
  SmallVector<unsigned, 4> inRows;
  Value *total = builder.getInt64(0);
  SmallVector<Value *, 4> starts;
  for (unsigned w = 0; w < walkers.size(); ++w) {
    const air::Array *array = loop.walkers[w].array;
    if (!array->isContracted())
      continue;
    walkers[w].bumps.assign(nest.size(), nullptr);
    walkers[w].pitches.assign(array->rank(), nullptr);
    walkers[w].position = nullptr;
    if (array->isPerIndex()) {
      walkers[w].origin =
          fn.addAlloca(fn.types.memory(array->element), arrayName(w));
      continue;
    }
    starts.push_back(total);
    inRows.push_back(w);
    total = builder.CreateAdd(total, measureLines(w));
  }
  if (inRows.empty())
    return;
  Value *memory =
      builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_scratch),
                         {total, fn.module.location(loop.range)}, "lines");
  for (auto [w, start] : zip(inRows, starts))
    walkers[w].origin = move(memory, start, arrayName(w) + ".lines");
}

/// Sets the pitches of a contracted array; gives its size in bytes.
Value *MLoopLowering::measureLines(unsigned walker) {
  const air::Array *array = loop.walkers[walker].array;
  WalkerState &state = walkers[walker];
  Value *size = builder.getInt64(fn.types.size(array->element));
  for (const NestLevel &entry : reverse(nest)) {
    unsigned dim = entry.level->dim;
    if (array->lines[dim] == 1)
      continue;
    state.pitches[dim] = size;
    Value *count = builder.getInt64(array->lines[dim]);
    if (array->lines[dim] == air::AllLines) {
      auto [below, above] = margins(loop, array, dim);
      Value *last = stepsTo(dim, hi[dim]);
      count = builder.CreateAdd(last, builder.getInt64(1 + below + above));
    }
    size = builder.CreateMul(size, count);
    if (&entry == &nest.back()) {
      if (isCounted)
        state.bumps.back() = entry.level->down
                                 ? builder.CreateNeg(state.pitches[dim])
                                 : state.pitches[dim];
      size = roundUp(builder, size);
    }
  }
  return size;
}

/// How many indices of the M-loop in a dimension are below \p index.
Value *MLoopLowering::stepsTo(unsigned dim, Value *index) {
  Value *distance = builder.CreateSub(index, lo[dim]);
  return strides[dim] ? builder.CreateExactUDiv(distance, strides[dim])
                      : distance;
}

/// The row of a contracted array that is at \p offset from the current one,
/// such that elementAddress finds elements from it.
Value *MLoopLowering::placeLine(unsigned walker, const air::Offset &offset) {
  const air::Array *array = loop.walkers[walker].array;
  Value *row = walkers[walker].origin;
  for (const NestLevel &entry : nest) {
    unsigned dim = entry.level->dim;
    int64_t count = array->lines[dim];
    Value *pitch = walkers[walker].pitches[dim];
    if (!pitch)
      continue;
    int64_t below = margins(loop, array, dim).first;
    Value *position;
    if (&entry != &nest.back())
      position = stepsTo(dim, current[dim]);
    else if (isCounted) // from the first index
      position = stepsTo(dim, first[dim]);
    else // from index 0
      position = builder.CreateNeg(lo[dim]);
    int64_t more = offset[dim] + below;
    if (count != air::AllLines)
      more = offset[dim] + (below + count - 1) / count * count;
    position = builder.CreateAdd(position, builder.getInt64(more));
    if (count != air::AllLines)
      position = builder.CreateURem(position, builder.getInt64(count));
    row = move(row, builder.CreateMul(position, pitch), "");
  }
  return row;
}

/// Says that the elements per index that a part stores have no value yet.
void MLoopLowering::forgetElements() {
  SmallPtrSet<const air::Array *, 4> seen;
  for (const air::ElementOp &op : part->ops) {
    const air::ElementExpr *target =
        op.target ? air::rootElement(op.target) : nullptr;
    if (!target || !target->array->isPerIndex() ||
        target->array->element.isAggregate() ||
        !seen.insert(target->array).second)
      continue;
    builder.CreateStore(
        PoisonValue::get(fn.types.memory(target->array->element)),
        walkers[target->walker].origin);
  }
}

} // namespace zpl::codegen
