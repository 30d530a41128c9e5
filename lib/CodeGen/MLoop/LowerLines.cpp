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
// With time steps K is a number that the run knows (LowerTimeSteps.cpp).
//
// Rows of a sparse array (air::Array::fetched) are filled by the run time when
// they are placed.
//
// Cost: a division by a constant per row and offset.
//
//===----------------------------------------------------------------------===//

#include "MLoop/LowerLines.h"
#include "Function/FunctionLowering.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerTimeSteps.h"
#include "MLoop/LowerWalkers.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::codegen {

/// What rows and their storage are rounded up to, in bytes.
static constexpr int64_t CacheLine = 64;

Value *roundUpLine(IRBuilder<> &builder, Value *bytes) {
  return builder.CreateAnd(
      builder.CreateAdd(bytes, builder.getInt64(CacheLine - 1)),
      builder.getInt64(-CacheLine));
}

/// What takes turns with the rows of \p array; null: nothing does.
static const air::Array *turnOf(const air::MLoopStmt &loop,
                                const air::Array *array) {
  for (const auto &[other, rows] : loop.time.swaps)
    if (rows == array)
      return other;
  return nullptr;
}

std::pair<int64_t, int64_t> margins(const air::MLoopStmt &loop,
                                    const air::Array *array, unsigned dim) {
  int64_t below = 0, above = 0;
  const air::Array *other = turnOf(loop, array);
  air::forEachExpr(loop, [&](const air::Expr &e) {
    auto *element = dyn_cast<air::ElementExpr>(&e);
    if (!element || (element->array != array && element->array != other))
      return;
    below = std::max(below, -element->offset[dim]);
    above = std::max(above, element->offset[dim]);
  });
  return {below, above};
}

/// How many rows an array has for several iterations or for strips, a power of
/// two; null: as many as it says.
static Value *rowsOfAll(MLoopState &m, const air::Array *array,
                        const NestLevel &entry) {
  int64_t count = array->lines[entry.level->dim];
  if (&entry != &m.plan.nest.front() || count == 1)
    return nullptr;
  return m.iterations ? linesOfAll(m, count) : m.stripLines.rows;
}

static llvm::Value *measureLines(MLoopState &m, unsigned walker);
static llvm::Value *stepsTo(MLoopState &m, unsigned dim, llvm::Value *index);

void startLines(MLoopState &m) {
  SmallVector<unsigned, 4> inRows;
  Value *total = m.builder.getInt64(0);
  SmallVector<Value *, 4> starts;
  for (unsigned w = 0; w < m.walkers.size(); ++w) {
    const air::Array *array = m.loop.walkers[w].array;
    if (!array->isContracted())
      continue;
    m.walkers[w].bumps.assign(m.plan.nest.size(), nullptr);
    m.walkers[w].pitches.assign(array->rank(), nullptr);
    m.walkers[w].position = nullptr;
    if (array->isPerIndex()) {
      m.walkers[w].origin =
          addAlloca(m.fn, m.fn.types.memory(array->element), arrayName(m, w));
      continue;
    }
    starts.push_back(total);
    inRows.push_back(w);
    total = m.builder.CreateAdd(total, measureLines(m, w));
  }
  if (inRows.empty())
    return;
  if (m.inStrips) {
    for (unsigned w : inRows)
      m.walkers[w].origin =
          m.stripLines.origins.lookup(m.loop.walkers[w].array);
    return;
  }
  Value *memory = m.builder.CreateCall(
      ZRT_CALLEE(m.fn.calls, zrtA_scratch),
      {total, m.fn.module.location(m.loop.range)}, "lines");
  for (auto [w, start] : zip(inRows, starts))
    m.walkers[w].origin = move(m, memory, start, arrayName(m, w) + ".lines");
}

/// Sets the pitches of a contracted array; gives its size in bytes.
static Value *measureLines(MLoopState &m, unsigned walker) {
  const air::Array *array = m.loop.walkers[walker].array;
  WalkerState &state = m.walkers[walker];
  Value *size = m.builder.getInt64(m.fn.types.size(array->element));
  for (const NestLevel &entry : reverse(m.plan.nest)) {
    unsigned dim = entry.level->dim;
    if (array->lines[dim] == 1)
      continue;
    state.pitches[dim] = size;
    Value *count = m.builder.getInt64(array->lines[dim]);
    if (array->lines[dim] == air::AllLines) {
      auto [below, above] = margins(m.loop, array, dim);
      Value *last = stepsTo(
          m, dim, m.inStrips ? m.range.regionHigh[dim] : m.range.hi[dim]);
      count = m.builder.CreateAdd(last, m.builder.getInt64(1 + below + above));
    } else if (Value *rows = rowsOfAll(m, array, entry)) {
      count = rows;
    }
    size = m.builder.CreateMul(size, count);
    if (&entry == &m.plan.nest.back()) {
      if (m.plan.isCounted)
        state.bumps.back() = entry.level->down
                                 ? m.builder.CreateNeg(state.pitches[dim])
                                 : state.pitches[dim];
      size = roundUpLine(m.builder, size);
    }
  }
  return size;
}

/// The lowest index of the M-loop in a dimension.
static Value *lowest(const MLoopState &m, unsigned dim) {
  return m.iterations ? m.steps.low[dim]
         : m.inStrips ? m.range.regionLow[dim]
                      : m.range.lo[dim];
}

/// How many indices of the M-loop in a dimension are below \p index.
static Value *stepsTo(MLoopState &m, unsigned dim, Value *index) {
  Value *distance = m.builder.CreateSub(index, lowest(m, dim));
  return m.range.strides[dim]
             ? m.builder.CreateExactUDiv(distance, m.range.strides[dim])
             : distance;
}

/// Has the run time write the row at hand of a sparse \p array.
static void fetchLine(MLoopState &m, const air::Array *array, Value *row) {
  unsigned last = array->rank() - 1;
  auto *type = ArrayType::get(m.fn.types.i64, last);
  Value *index = addAlloca(m.fn, type, array->name + ".index");
  for (unsigned d = 0; d < last; ++d)
    m.builder.CreateStore(
        m.current[d], m.builder.CreateConstInBoundsGEP2_64(type, index, 0, d));
  m.builder.CreateCall(
      ZRT_CALLEE(m.fn.calls, zrtA_fetch_row),
      {address(m.fn, array), index, m.range.lo[last], m.range.hi[last], row});
}

Value *placeLine(MLoopState &m, unsigned walker, const air::Offset &offset) {
  const air::Array *array = m.loop.walkers[walker].array;
  Value *row = m.walkers[walker].origin;
  for (const NestLevel &entry : m.plan.nest) {
    unsigned dim = entry.level->dim;
    int64_t count = array->lines[dim];
    Value *pitch = m.walkers[walker].pitches[dim];
    if (!pitch)
      continue;
    int64_t below = margins(m.loop, array, dim).first;
    Value *position;
    if (&entry != &m.plan.nest.back())
      position = stepsTo(m, dim, m.current[dim]);
    else if (m.plan.isCounted) // from the first index
      position = stepsTo(m, dim, m.range.first[dim]);
    else // from index 0
      position = m.builder.CreateNeg(lowest(m, dim));
    int64_t more = offset[dim] + below;
    if (count != air::AllLines)
      more = offset[dim] + (below + count - 1) / count * count;
    position = m.builder.CreateAdd(position, m.builder.getInt64(more));
    if (Value *rows = rowsOfAll(m, array, entry))
      position = m.builder.CreateAnd(
          position, m.builder.CreateSub(rows, m.builder.getInt64(1)));
    else if (count != air::AllLines)
      position = m.builder.CreateURem(position, m.builder.getInt64(count));
    row = move(m, row, m.builder.CreateMul(position, pitch), "");
  }
  if (array->fetched)
    fetchLine(m, array->fetched, row);
  return row;
}

void forgetElements(MLoopState &m) {
  SmallPtrSet<const air::Array *, 4> seen;
  for (const air::ElementOp &op : m.part->ops) {
    const air::ElementExpr *target =
        op.target ? air::rootElement(op.target) : nullptr;
    if (!target || !target->array->isPerIndex() ||
        target->array->element.isAggregate() ||
        !seen.insert(target->array).second)
      continue;
    m.builder.CreateStore(
        PoisonValue::get(m.fn.types.memory(target->array->element)),
        m.walkers[target->walker].origin);
  }
}

} // namespace zpl::codegen
