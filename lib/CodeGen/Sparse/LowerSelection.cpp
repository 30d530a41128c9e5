//===- LowerSelection.cpp - Patterns of conditions on indices -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region @S = @R where each e
//
//   %box = zrtA_select_begin(@S, SET, @R)
//   next:    %answer = phi [any], [%known], [FLAGS]
//            switch zrtA_select_next(%box, %answer)
//   box:     %known = what is known of e from box.lo to box.hi   (Intervals.cpp)
//            goto next
//   each:    for all indices of the box: *flag++ = e
//            goto next
//   done:    zrtA_pattern_select(&S.pattern, @S, SET, @R, %box)
//
// The runtime halves boxes until the answer is known or they are small, so e is
// evaluated near the boundary of the pattern only.
//
//===----------------------------------------------------------------------===//

#include "Sparse/LowerSelection.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerScalar.h"
#include "Sparse/Intervals.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::codegen {
namespace {

/// The address of an element of one of the tables of a box.
Value *boxPlace(FunctionState &fn, Value *box, BoxField field, unsigned at) {
  return fn.builder.CreateInBoundsGEP(
      fn.types.box, box,
      {fn.builder.getInt32(0),
       fn.builder.getInt32(static_cast<unsigned>(field)),
       fn.builder.getInt32(at)});
}

Value *readBox(FunctionState &fn, Value *box, BoxField field, unsigned at,
               llvm::Type *type, const Twine &name) {
  return fn.builder.CreateAlignedLoad(type, boxPlace(fn, box, field, at),
                                      Align(8), name + Twine(at));
}

/// The address of a field that is no table.
Value *boxField(FunctionState &fn, Value *box, BoxField field) {
  return fn.builder.CreateStructGEP(fn.types.box, box,
                                    static_cast<unsigned>(field));
}

/// What is known of the condition in the whole box; the pieces are stored.
Value *askBox(FunctionState &fn, const Selection &selection, Value *box) {
  SmallVector<Value *, ZRT_MAX_RANK> lo, hi;
  for (unsigned d = 0; d != selection.rank; ++d) {
    lo.push_back(readBox(fn, box, BoxField::Lo, d, fn.types.i64, "box.lo"));
    hi.push_back(readBox(fn, box, BoxField::Hi, d, fn.types.i64, "box.hi"));
  }
  BoxAnswer known = answerInBox(fn, selection.condition, lo, hi);
  auto store = [&](Value *value, Value *place) {
    fn.builder.CreateAlignedStore(value, place, Align(8));
  };
  store(fn.builder.getInt64(known.pieces.size()),
        boxField(fn, box, BoxField::Pieces));
  for (auto [k, piece] : enumerate(known.pieces)) {
    store(piece.from, boxPlace(fn, box, BoxField::From, k));
    store(piece.to, boxPlace(fn, box, BoxField::To, k));
  }
  return known.answer;
}

/// Scalars of the condition, which nothing changes meanwhile.
EachIndex readVariables(FunctionState &fn, const air::Expr &condition) {
  EachIndex each;
  bool calls = false;
  air::forEachExpr(condition,
                   [&](const air::Expr &e) { calls |= isa<air::CallExpr>(e); });
  if (calls)
    return each;
  air::forEachExpr(condition, [&](const air::Expr &e) {
    auto *variable = dyn_cast<air::VarExpr>(&e);
    if (variable && !e.type.isAggregate())
      each.variables[variable->variable] = readVariable(fn, variable->variable);
  });
  return each;
}

/// A loop over the indices of a box, which stores the flags.
void flagEach(FunctionState &fn, const Selection &selection, Value *box) {
  IRBuilder<> &b = fn.builder;
  EachIndex each = readVariables(fn, *selection.condition);
  SmallVector<Value *, ZRT_MAX_RANK> tables;
  for (unsigned d = 0; d != selection.rank; ++d)
    tables.push_back(
        readBox(fn, box, BoxField::Index, d, fn.types.ptr, "indices"));
  Value *flags = b.CreateAlignedLoad(
      fn.types.ptr, boxField(fn, box, BoxField::Flags), Align(8), "flags");
  Value *count = b.CreateAlignedLoad(
      fn.types.i64, boxField(fn, box, BoxField::Count), Align(8), "count");
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *body = addBlock(fn, "each");
  BasicBlock *end = addBlock(fn, "each.end");
  startBlock(fn, body);
  PHINode *step = b.CreatePHI(fn.types.i64, 2, "step");
  step->addIncoming(b.getInt64(0), before);
  for (Value *table : tables)
    each.index.push_back(b.CreateAlignedLoad(
        fn.types.i32, b.CreateInBoundsGEP(fn.types.i32, table, step), Align(4),
        "index"));
  SaveAndRestore<const EachIndex *> inside(fn.each, &each);
  Value *truth = lower(fn, selection.condition);
  b.CreateAlignedStore(b.CreateZExt(truth, fn.types.i8),
                       b.CreateInBoundsGEP(fn.types.i8, flags, step), Align(1));
  Value *next = b.CreateAdd(step, b.getInt64(1));
  step->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, count), body, end);
  startBlock(fn, end);
}

} // namespace

void lowerSelection(FunctionState &fn, const Selection &selection) {
  IRBuilder<> &b = fn.builder;
  // What boxes compute is no use behind them.
  SaveAndRestore alone(fn.sharesPlaces, false);
  fn.shared = SharedPlaces();
  Constant *loc = fn.module.location(selection.range);
  Value *box = b.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_select_begin),
      {selection.target, b.getInt32(selection.op), selection.from, loc}, "box");
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *next = addBlock(fn, "select.next");
  BasicBlock *ask = addBlock(fn, "select.box");
  BasicBlock *look = addBlock(fn, "select.each");
  BasicBlock *done = addBlock(fn, "select.done");
  startBlock(fn, next);
  PHINode *answer = b.CreatePHI(fn.types.i32, 3, "answer");
  answer->addIncoming(b.getInt32(ZRT_SELECT_SOME), before);
  Value *question = b.CreateCall(ZRT_CALLEE(fn.calls, zrtA_select_next),
                                 {box, answer}, "question");
  SwitchInst *on = b.CreateSwitch(question, done, 2);
  on->addCase(b.getInt32(ZRT_SELECT_BOX), ask);
  on->addCase(b.getInt32(ZRT_SELECT_EACH), look);
  startBlock(fn, ask);
  Value *known = askBox(fn, selection, box);
  answer->addIncoming(known, b.GetInsertBlock());
  b.CreateBr(next);
  startBlock(fn, look);
  flagEach(fn, selection, box);
  answer->addIncoming(b.getInt32(ZRT_SELECT_FLAGS), b.GetInsertBlock());
  b.CreateBr(next);
  startBlock(fn, done);
  b.CreateCall(ZRT_CALLEE(fn.calls, zrtA_pattern_select),
               {selection.place, selection.target, b.getInt32(selection.op),
                selection.from, box, loc});
}

} // namespace zpl::codegen
