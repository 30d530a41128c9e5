//===- LeaveOut.cpp - Runs without the work on elements -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that is compiled with -fcount-work can run with --sim=skeleton: what
// control does not depend on (Analysis/ControlNeeds) is counted, and left out:
//
//   mloop.L41:                              bounds as ever
//     br %owns, mloop.L41.counted, mloop.L41.asked
//   mloop.L41.counted:                      zrt_work_done.operations += ...
//   mloop.L41.asked:
//     %out = load zrt_work_done.leaves_out
//     %here = and %owns, (icmp eq %out, 0)
//     br %here, mloop.L41.nest, mloop.L41.end
//
// Accumulators are as on a processor that has none of the region's indices. An
// array whose elements nobody needs is made between
//
//     zrt_work_done.without_elements = zrt_work_done.leaves_out
//     call @zrtA_array_new(...)
//     zrt_work_done.without_elements = 0
//
// so the runtime gives all such arrays the same memory. Output of what is not
// known is branched around. The program has a table of all that for -v.
//
// Cost: one load and test per execution of a loop.
//
//===----------------------------------------------------------------------===//

#include "Function/LeaveOut.h"

#include "Function/CountWork.h"
#include "Function/FunctionLowering.h"
#include "ModuleLowering.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::codegen {

/// The fields of zrt_work.
enum WorkField : unsigned { LeavesOut = 2, WithoutElements = 3 };

static Value *workField(ModuleLowering &module, IRBuilder<> &builder,
                        WorkField field) {
  Constant *done =
      module.module->getOrInsertGlobal("zrt_work_done", module.types.work);
  return builder.CreateStructGEP(module.types.work, done, field);
}

/// Whether the run leaves out what it may.
static Value *leavesOut(FunctionState &fn) {
  Value *flag = fn.builder.CreateLoad(
      fn.types.i64, workField(fn.module, fn.builder, LeavesOut), "out");
  return fn.builder.CreateICmpNE(flag, fn.builder.getInt64(0), "leaves.out");
}

static bool mayLeaveOut(const MLoopState &m) {
  const air::ControlNeeds *needs = m.fn.module.needs.get();
  return needs && needs->mayLeaveOut(m.loop);
}

bool isCounted(const MLoopState &m) { return mayLeaveOut(m); }

Value *leaveOut(MLoopState &m, Value *owns) {
  if (!mayLeaveOut(m))
    return owns;
  BasicBlock *asked = addBlock(m.fn, m.name + ".asked");
  if (owns) {
    BasicBlock *counted = addBlock(m.fn, m.name + ".counted");
    m.builder.CreateCondBr(owns, counted, asked);
    startBlock(m.fn, counted);
  }
  countWork(m);
  startBlock(m.fn, asked);
  Value *isHere = m.builder.CreateNot(leavesOut(m.fn));
  return owns ? m.builder.CreateAnd(owns, isHere) : isHere;
}

Value *unlessLeftOut(const MLoopState &a, const MLoopState &b,
                     Value *condition) {
  if (!mayLeaveOut(a) && !mayLeaveOut(b))
    return condition;
  return a.builder.CreateAnd(condition, a.builder.CreateNot(leavesOut(a.fn)));
}

static bool isWithoutElements(const FunctionState &fn,
                              const air::Array &array) {
  const air::ControlNeeds *needs = fn.module.needs.get();
  return needs && needs->isWithoutElements(array);
}

void beginAllocation(FunctionState &fn, const air::Array &array) {
  if (!isWithoutElements(fn, array))
    return;
  Value *flag = fn.builder.CreateLoad(
      fn.types.i64, workField(fn.module, fn.builder, LeavesOut));
  fn.builder.CreateStore(flag,
                         workField(fn.module, fn.builder, WithoutElements));
}

void endAllocation(FunctionState &fn, const air::Array &array) {
  if (isWithoutElements(fn, array))
    fn.builder.CreateStore(fn.builder.getInt64(0),
                           workField(fn.module, fn.builder, WithoutElements));
}

BasicBlock *branchAround(FunctionState &fn, const air::WriteStmt &output) {
  const air::ControlNeeds *needs = fn.module.needs.get();
  if (!needs || !needs->isUnknown(output))
    return nullptr;
  BasicBlock *written = addBlock(fn, "written");
  BasicBlock *after = addBlock(fn, "after.output");
  fn.builder.CreateCondBr(leavesOut(fn), after, written);
  startBlock(fn, written);
  return after;
}

/// A row of the table.
static Constant *leavingRow(ModuleLowering &module, SourceRange range,
                            SourceRange neededBy, zrt_leaving leaving) {
  Constant *by = neededBy.isValid()
                     ? module.location(neededBy)
                     : ConstantPointerNull::get(module.types.ptr);
  return ConstantStruct::get(
      module.types.leftOut,
      {module.location(range), by,
       ConstantInt::get(module.types.i64, unsigned(leaving))});
}

static SmallVector<Constant *, 16> leavingRows(ModuleLowering &module) {
  SmallVector<Constant *, 16> rows;
  const air::ControlNeeds &needs = *module.needs;
  for (const air::Procedure *procedure : module.source.procedures)
    air::forEachStmt(procedure->body, [&](const air::Stmt &stmt) {
      if (auto *loop = dyn_cast<air::MLoopStmt>(&stmt)) {
        if (needs.mayLeaveOut(*loop))
          rows.push_back(
              leavingRow(module, loop->range, {}, ZRT_LOOP_LEFT_OUT));
        else
          rows.push_back(leavingRow(module, loop->range, needs.whoNeeds(*loop),
                                    ZRT_LOOP_COMPUTED));
      }
      auto *output = dyn_cast<air::WriteStmt>(&stmt);
      if (output && needs.isUnknown(*output))
        rows.push_back(
            leavingRow(module, output->range, {}, ZRT_OUTPUT_LEFT_OUT));
    });
  return rows;
}

SmallVector<Constant *, 4> leavingFields(ModuleLowering &module) {
  const TypeLowering &types = module.types;
  SmallVector<Constant *, 16> rows;
  if (module.needs)
    rows = leavingRows(module);
  Constant *table = ConstantPointerNull::get(types.ptr);
  if (!rows.empty())
    table = module.table(
        ConstantArray::get(ArrayType::get(types.leftOut, rows.size()), rows),
        "zpl.leaving");
  return {ConstantInt::get(types.i32, module.needs != nullptr), table,
          ConstantInt::get(types.i64, rows.size())};
}

} // namespace zpl::codegen
