//===- LowerWays.cpp - M-loops: ways that the run chooses among -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R levels(0 up, 1 up) ahead {@A: (1,0)} ways(ahead, other-stores)
//
// has a zrt_ways in memory, which says for each size of the part what to do:
//
//   mloop.L9.nest:
//     %size = 63 - ctlz(indices)
//     %settled = load @mloop.L9.ways.settled[%size]
//     br %settled == 255, mloop.L9.way.ask, mloop.L9.way    not yet known
//   mloop.L9.way.ask:
//     call @zrtA_way(@mloop.L9.ways, %size)
//   mloop.L9.way:
//     %way = phi                        0: as the models say, 1: ahead, ...
//   ... the nest, of which %way is a condition or chooses a number
//     br %measured, mloop.L9.way.taken, mloop.L9.way.end
//   mloop.L9.way.taken:
//     call @zrtA_way_taken(@mloop.L9.ways, indices)
//
// A loop that executes several time steps, or boxes, counts what it did, so
// that the runtime compares seconds for each index.
//
// Cost: where it is settled, a load, a comparison and a branch for each
// execution of the loop, besides the product of the extents.
//
//===----------------------------------------------------------------------===//

#include "Rows/LowerWays.h"
#include "Function/FunctionLowering.h"
#include "zpl/ArrayIR/Printer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace zpl::codegen {

/// The loop's zrt_ways.
static GlobalVariable *makeWays(MLoopState &m) {
  ModuleLowering &module = m.fn.module;
  std::string names;
  for (air::LoopWay way : m.loop.ways)
    names += (names.empty() ? "" : " ") + nameOf(way).str();
  std::string asked(ZRT_SIZE_CLASSES, char(ZRT_WAY_ASKED));
  Constant *fields[] = {module.location(m.loop.range), module.string(names),
                        m.builder.getInt64(m.loop.ways.size() + 1),
                        ConstantDataArray::getString(m.builder.getContext(),
                                                     asked,
                                                     /*AddNull=*/false)};
  GlobalVariable *ways = module.addGlobal(
      m.name + ".ways", ConstantStruct::get(module.types.ways, fields),
      /*isConstant=*/false);
  module.ways.push_back(ways);
  return ways;
}

/// How many indices the nest has on this processor.
static Value *countIndices(MLoopState &m) {
  Value *all = m.builder.getInt64(1);
  for (const NestLevel &entry : m.plan.nest) {
    unsigned dim = entry.level->dim;
    if (entry.level->isTimes)
      continue;
    Value *count = m.builder.CreateSub(m.range.hi[dim], m.range.lo[dim]);
    if (isStrided(m.plan, dim))
      count = m.builder.CreateUDiv(count, m.range.strides[dim]);
    all = m.builder.CreateMul(
        all, m.builder.CreateAdd(count, m.builder.getInt64(1)), "indices");
  }
  return all;
}

void chooseWay(MLoopState &m) {
  if (m.loop.ways.empty() || m.plan.isTiled ||
      m.fn.module.options.tuning == Tuning::None)
    return;
  GlobalVariable *ways = makeWays(m);
  m.indices = countIndices(m);
  m.ways = ways;
  Value *zeros = m.builder.CreateBinaryIntrinsic(Intrinsic::ctlz, m.indices,
                                                 m.builder.getTrue());
  Value *size = m.builder.CreateSub(m.builder.getInt64(63), zeros, "size");
  Value *place = m.builder.CreateInBoundsGEP(
      m.fn.module.types.ways, ways,
      {m.builder.getInt32(0), m.builder.getInt32(3), size});
  Value *settled = m.builder.CreateZExt(
      m.builder.CreateLoad(m.fn.types.i8, place), m.fn.types.i32, "settled");
  BasicBlock *before = m.builder.GetInsertBlock();
  BasicBlock *ask = addBlock(m.fn, m.name + ".way.ask");
  BasicBlock *known = addBlock(m.fn, m.name + ".way");
  Value *isAsked =
      m.builder.CreateICmpEQ(settled, m.builder.getInt32(ZRT_WAY_ASKED));
  m.builder.CreateCondBr(
      isAsked, ask, known,
      MDBuilder(m.builder.getContext()).createUnlikelyBranchWeights());
  startBlock(m.fn, ask);
  Value *asked =
      m.builder.CreateCall(ZRT_CALLEE(m.fn.calls, zrtA_way),
                           {ways, m.builder.CreateTrunc(size, m.fn.types.i32)});
  startBlock(m.fn, known);
  PHINode *way = m.builder.CreatePHI(m.fn.types.i32, 2, "way");
  way->addIncoming(settled, before);
  way->addIncoming(asked, ask);
  m.way = way;
  m.isMeasured = isAsked;
}

void noteWay(MLoopState &m) {
  if (!m.way)
    return;
  BasicBlock *taken = addBlock(m.fn, m.name + ".way.taken");
  BasicBlock *end = addBlock(m.fn, m.name + ".way.end");
  m.builder.CreateCondBr(
      m.isMeasured, taken, end,
      MDBuilder(m.builder.getContext()).createUnlikelyBranchWeights());
  startBlock(m.fn, taken);
  Value *work = m.indices;
  if (m.iterations)
    work = m.builder.CreateMul(work, m.iterations);
  m.builder.CreateCall(ZRT_CALLEE(m.fn.calls, zrtA_way_taken), {m.ways, work});
  m.builder.CreateBr(end);
  startBlock(m.fn, end);
}

Value *takesWay(MLoopState &m, air::LoopWay way) {
  const auto *found = find(m.loop.ways, way);
  if (!m.way || found == m.loop.ways.end())
    return nullptr;
  return m.builder.CreateICmpEQ(
      m.way, m.builder.getInt32(found - m.loop.ways.begin() + 1),
      "way." + nameOf(way));
}

Value *tileOfWay(MLoopState &m, Value *size) {
  Value *result = size;
  Value *one = m.builder.getInt64(1);
  if (Value *isHalf = takesWay(m, air::LoopWay::HalfTiles))
    result = m.builder.CreateSelect(
        isHalf,
        m.builder.CreateAdd(
            m.builder.CreateLShr(m.builder.CreateSub(size, one), 1), one),
        result);
  if (Value *isDouble = takesWay(m, air::LoopWay::DoubleTiles))
    result =
        m.builder.CreateSelect(isDouble, m.builder.CreateShl(size, 1), result);
  return result;
}

SmallVector<Constant *, 4> wayFields(ModuleLowering &module) {
  const TypeLowering &types = module.types;
  auto *count = ConstantInt::get(types.i64, module.ways.size());
  Tuning tuning = module.ways.empty() ? Tuning::None : module.options.tuning;
  Constant *table = ConstantPointerNull::get(types.ptr);
  std::string identity;
  if (!module.ways.empty()) {
    SmallVector<Constant *, 8> rows(module.ways.begin(), module.ways.end());
    table = module.table(
        ConstantArray::get(ArrayType::get(types.ptr, rows.size()), rows),
        "zpl.ways");
    std::string text;
    raw_string_ostream stream(text);
    air::print(module.source, stream);
    identity = utohexstr(xxh3_64bits(stream.str()), /*LowerCase=*/true);
  }
  return {ConstantInt::get(types.i32, unsigned(tuning)), table, count,
          module.string(identity)};
}

} // namespace zpl::codegen
