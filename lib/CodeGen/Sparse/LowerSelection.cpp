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
//   next:    %answer = phi [any], [%known], [PIECES], [FLAGS]
//            switch zrtA_select_next(%box, %answer)
//   box:     %known = what is known of e from box.lo to box.hi   (Intervals.cpp)
//            goto next
//   rows:    for some rows: the columns where e is true    (BoxColumns.cpp)
//            goto next
//   each:    for some indices: *flag++ = e
//            goto next
//   runs:    for some rows, for each column: *flag++ = e
//            goto next
//   done:    zrtA_pattern_select(&S.pattern, @S, SET, @R, %box)
//
// The condition may read arrays at the index that is looked at, a matrix or
// vectors that are flooded. Intervals know nothing of elements, but in a row
// those that are flooded along it are numbers like other ones.
//
// The runtime cuts boxes until the answer is known, their rows can be solved, or
// they are small. So e is evaluated where no more is known of rows, and there
// near the boundary of the pattern only. Where arrays are read at all indices
// boxes tell nothing (BoxConditions.cpp), and only `runs` is asked for: a loop
// along a row, which becomes vectors.
//
//===----------------------------------------------------------------------===//

#include "Sparse/LowerSelection.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerRegion.h"
#include "Function/LowerScalar.h"
#include "Sparse/Intervals.h"
#include "zpl/Analysis/BoxConditions.h"
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

Value *readField(FunctionState &fn, Value *box, BoxField field,
                 llvm::Type *type, const Twine &name) {
  return fn.builder.CreateAlignedLoad(type, boxField(fn, box, field), Align(8),
                                      name);
}

void writeField(FunctionState &fn, Value *box, BoxField field, Value *value) {
  fn.builder.CreateAlignedStore(value, boxField(fn, box, field), Align(8));
}

/// Stores numbers of 64 bits side by side.
void storeAll(FunctionState &fn, Value *at, ArrayRef<Value *> numbers) {
  for (auto [k, value] : enumerate(numbers))
    fn.builder.CreateAlignedStore(
        value, fn.builder.CreateConstInBoundsGEP1_32(fn.types.i64, at, k),
        Align(8));
}

/// What is known of the condition in the whole box; the pieces are stored.
Value *askBox(FunctionState &fn, const Selection &selection, Value *box) {
  IRBuilder<> &b = fn.builder;
  SmallVector<Value *, ZRT_MAX_RANK> lo, hi;
  for (unsigned d = 0; d != selection.rank; ++d) {
    lo.push_back(readBox(fn, box, BoxField::Lo, d, fn.types.i64, "box.lo"));
    hi.push_back(readBox(fn, box, BoxField::Hi, d, fn.types.i64, "box.hi"));
  }
  BoxAnswer known = answerInBox(fn, selection.condition, lo, hi);
  writeField(fn, box, BoxField::Pieces, b.getInt64(known.pieces.size()));
  for (auto [k, piece] : enumerate(known.pieces))
    storeAll(fn, boxPlace(fn, box, BoxField::Piece, k), {piece.from, piece.to});
  Value *solves = solvesRows(selection.condition, selection.rank - 1)
                      ? b.CreateZExt(known.isSound, fn.types.i64)
                      : b.getInt64(0);
  writeField(fn, box, BoxField::Solves, solves);
  return known.answer;
}

/// Where the elements of an array lie.
EachIndex::Elements elementsOf(FunctionState &fn, const air::Array *array) {
  IRBuilder<> &b = fn.builder;
  EachIndex::Elements result = {origin(fn, array), {}};
  for (auto [d, kind] : enumerate(array->shape)) {
    Value *place = b.CreateInBoundsGEP(
        fn.types.array, address(fn, array),
        {b.getInt32(0), b.getInt32(static_cast<unsigned>(ArrayField::Pitch)),
         b.getInt32(unsigned(d))});
    bool isInLine = d + 1 == array->rank() && kind == air::DimKind::Range &&
                    !array->element.isRunTimeSized();
    result.pitches.push_back(
        kind == air::DimKind::Flood ? nullptr
        : isInLine                  ? sizeOf(fn, array->element)
                   : b.CreateAlignedLoad(fn.types.i64, place, Align(8),
                                         array->name + ".pitch" + Twine(d)));
  }
  return result;
}

/// Scalars of the condition, which nothing changes meanwhile, and where elements
/// of arrays are.
EachIndex readVariables(FunctionState &fn, const air::Expr &condition) {
  EachIndex each;
  bool calls = false;
  air::forEachExpr(condition, [&](const air::Expr &e) {
    auto *element = dyn_cast<air::ElementExpr>(&e);
    if (element && !each.arrays.contains(element->array))
      each.arrays[element->array] = elementsOf(fn, element->array);
  });
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

/// The tables of indices of the first \p count dimensions.
SmallVector<Value *, ZRT_MAX_RANK> indexTables(FunctionState &fn, Value *box,
                                               unsigned count) {
  SmallVector<Value *, ZRT_MAX_RANK> tables;
  for (unsigned d = 0; d != count; ++d)
    tables.push_back(
        readBox(fn, box, BoxField::Index, d, fn.types.ptr, "indices"));
  return tables;
}

/// A loop over the `count` of the box, one at least: \p body is emitted with the
/// number of the step and the indices of the first \p dimensions.
void forEachStep(FunctionState &fn, Value *box, unsigned dimensions,
                 EachIndex &each, function_ref<void(Value *step)> body) {
  IRBuilder<> &b = fn.builder;
  auto tables = indexTables(fn, box, dimensions);
  Value *count = readField(fn, box, BoxField::Count, fn.types.i64, "count");
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *loop = addBlock(fn, "each");
  BasicBlock *end = addBlock(fn, "each.end");
  startBlock(fn, loop);
  PHINode *step = b.CreatePHI(fn.types.i64, 2, "step");
  step->addIncoming(b.getInt64(0), before);
  for (Value *table : tables)
    each.index.push_back(b.CreateAlignedLoad(
        fn.types.i32, b.CreateInBoundsGEP(fn.types.i32, table, step), Align(4),
        "index"));
  SaveAndRestore<const EachIndex *> inside(fn.each, &each);
  body(step);
  Value *next = b.CreateAdd(step, b.getInt64(1));
  step->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, count), loop, end);
  startBlock(fn, end);
}

/// A loop over the indices of a box, which stores the flags.
void flagEach(FunctionState &fn, const Selection &selection, Value *box) {
  IRBuilder<> &b = fn.builder;
  EachIndex each = readVariables(fn, *selection.condition);
  Value *flags = readField(fn, box, BoxField::Flags, fn.types.ptr, "flags");
  forEachStep(fn, box, selection.rank, each, [&](Value *step) {
    Value *truth = lower(fn, selection.condition);
    b.CreateAlignedStore(b.CreateZExt(truth, fn.types.i8),
                         b.CreateInBoundsGEP(fn.types.i8, flags, step),
                         Align(1));
  });
}

/// A loop over rows of a box, which stores their pieces.
void solveRows(FunctionState &fn, const Selection &selection, Value *box) {
  IRBuilder<> &b = fn.builder;
  unsigned last = selection.rank - 1;
  EachIndex each = readVariables(fn, *selection.condition);
  Value *lo = readBox(fn, box, BoxField::Lo, last, fn.types.i64, "box.lo");
  Value *hi = readBox(fn, box, BoxField::Hi, last, fn.types.i64, "box.hi");
  Value *plain = readField(fn, box, BoxField::RowPiece, fn.types.ptr, "pieces");
  Value *windowed =
      readField(fn, box, BoxField::RowWindows, fn.types.ptr, "windows");
  ColumnPieces found;
  unsigned windows = 0, pieces = 0;
  forEachStep(fn, box, last, each, [&](Value *step) {
    each.index.push_back(nullptr);
    found = answerInRow(fn, selection.condition, {each, lo, hi});
    windows =
        unsigned(count_if(found.pieces, [](const Piece &p) { return p.base; }));
    pieces = unsigned(found.pieces.size()) - windows;
    auto placeOf = [&](llvm::Type *type, Value *table, unsigned count) {
      return b.CreateInBoundsGEP(type, table,
                                 b.CreateMul(step, b.getInt64(count)));
    };
    Value *ofPieces = placeOf(fn.types.piece, plain, pieces);
    Value *ofWindows = placeOf(fn.types.windows, windowed, windows);
    unsigned piece = 0, window = 0;
    for (const Piece &p : found.pieces)
      if (p.base)
        storeAll(
            fn,
            b.CreateConstInBoundsGEP1_32(fn.types.windows, ofWindows, window++),
            {p.from, p.to, p.base, p.period, p.width});
      else
        storeAll(
            fn, b.CreateConstInBoundsGEP1_32(fn.types.piece, ofPieces, piece++),
            {p.from, p.to});
  });
  writeField(fn, box, BoxField::Pieces, b.getInt64(pieces));
  writeField(fn, box, BoxField::Windows, b.getInt64(windows));
  writeField(fn, box, BoxField::Exact, b.getInt64(found.areExact));
}

/// A loop along the columns of a run of the row at hand, which stores flags from
/// \p flags on. \p step: null, one.
void flagColumns(FunctionState &fn, const Selection &selection, Value *box,
                 EachIndex &each, Value *flags, Value *step) {
  IRBuilder<> &b = fn.builder;
  Value *first = b.CreateTrunc(
      readField(fn, box, BoxField::RunFirst, fn.types.i64, "first"),
      fn.types.i32);
  Value *columns =
      readField(fn, box, BoxField::RunColumns, fn.types.i64, "columns");
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *loop = addBlock(fn, "run");
  BasicBlock *end = addBlock(fn, "run.end");
  startBlock(fn, loop);
  PHINode *number = b.CreatePHI(fn.types.i64, 2, "number");
  PHINode *index = b.CreatePHI(fn.types.i32, 2, "index");
  number->addIncoming(b.getInt64(0), before);
  index->addIncoming(first, before);
  each.index.back() = index;
  Value *truth = lower(fn, selection.condition);
  b.CreateAlignedStore(b.CreateZExt(truth, fn.types.i8),
                       b.CreateInBoundsGEP(fn.types.i8, flags, number),
                       Align(1));
  Value *next = b.CreateAdd(number, b.getInt64(1), "", /*HasNUW=*/true,
                            /*HasNSW=*/true);
  // One more than the last index is a number of 32 bits, or not used.
  Value *nextIndex = b.CreateAdd(index, step ? step : b.getInt32(1), "",
                                 /*HasNUW=*/false, /*HasNSW=*/true);
  number->addIncoming(next, b.GetInsertBlock());
  index->addIncoming(nextIndex, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, columns), loop, end);
  startBlock(fn, end);
}

/// A loop over rows, and the columns that are asked for, which stores the flags.
void flagRuns(FunctionState &fn, const Selection &selection, Value *box) {
  IRBuilder<> &b = fn.builder;
  EachIndex each = readVariables(fn, *selection.condition);
  Value *flags = readField(fn, box, BoxField::Flags, fn.types.ptr, "flags");
  Value *columns =
      readField(fn, box, BoxField::RunColumns, fn.types.i64, "columns");
  Value *step =
      b.CreateTrunc(readField(fn, box, BoxField::RunStep, fn.types.i64, "step"),
                    fn.types.i32);
  forEachStep(fn, box, selection.rank - 1, each, [&](Value *row) {
    each.index.push_back(nullptr);
    Value *at =
        b.CreateInBoundsGEP(fn.types.i8, flags, b.CreateMul(row, columns));
    BasicBlock *inLine = addBlock(fn, "run.line");
    BasicBlock *apart = addBlock(fn, "run.apart");
    BasicBlock *join = addBlock(fn, "run.done");
    b.CreateCondBr(b.CreateICmpEQ(step, b.getInt32(1)), inLine, apart);
    b.SetInsertPoint(inLine);
    flagColumns(fn, selection, box, each, at, nullptr);
    b.CreateBr(join);
    b.SetInsertPoint(apart);
    flagColumns(fn, selection, box, each, at, step);
    b.CreateBr(join);
    b.SetInsertPoint(join);
  });
}

} // namespace

Value *readBesideIndices(FunctionState &fn, const air::ElementExpr *element) {
  IRBuilder<> &b = fn.builder;
  const air::Array *array = element->array;
  const EachIndex::Elements &elements = fn.each->arrays.at(array);
  Value *at = elements.origin;
  for (auto [d, pitch] : enumerate(elements.pitches)) {
    if (!pitch)
      continue;
    Value *index = b.CreateSExt(fn.each->index[d], fn.types.i64);
    at = b.CreateGEP(fn.types.i8, at, b.CreateMul(index, pitch));
  }
  return fromMemory(fn, array->element,
                    loadMemory(fn, array->element, at, array->name));
}

void lowerSelection(FunctionState &fn, const Selection &selection) {
  IRBuilder<> &b = fn.builder;
  // What boxes compute is no use behind them.
  SaveAndRestore alone(fn.sharesPlaces, false);
  fn.shared = SharedPlaces();
  Constant *loc = fn.module.location(selection.range);
  Value *box = b.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_select_begin),
      {selection.target, b.getInt32(selection.op), selection.from, loc}, "box");
  bool isOpen = selection.op != ZRT_PATTERN_AND &&
                !air::isFoundInBoxes(*selection.condition, selection.rank - 1);
  if (isOpen)
    writeField(fn, box, BoxField::IsOpen, b.getInt64(1));
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *next = addBlock(fn, "select.next");
  BasicBlock *done = addBlock(fn, "select.done");
  startBlock(fn, next);
  PHINode *answer = b.CreatePHI(fn.types.i32, 4, "answer");
  answer->addIncoming(b.getInt32(ZRT_SELECT_SOME), before);
  Value *question = b.CreateCall(ZRT_CALLEE(fn.calls, zrtA_select_next),
                                 {box, answer}, "question");
  SwitchInst *on = b.CreateSwitch(question, done, 3);
  auto answerTo = [&](zrt_select_question asked, const Twine &name,
                      function_ref<Value *()> make) {
    BasicBlock *block = addBlock(fn, name);
    on->addCase(b.getInt32(asked), block);
    startBlock(fn, block);
    Value *made = make();
    answer->addIncoming(made, b.GetInsertBlock());
    b.CreateBr(next);
  };
  auto flagged = [&](auto &&flag) {
    return [&, flag]() -> Value * {
      flag(fn, selection, box);
      return b.getInt32(ZRT_SELECT_FLAGS);
    };
  };
  if (isOpen) {
    answerTo(ZRT_SELECT_RUNS, "select.runs", flagged(flagRuns));
  } else {
    answerTo(ZRT_SELECT_BOX, "select.box",
             [&] { return askBox(fn, selection, box); });
    answerTo(ZRT_SELECT_EACH, "select.each", flagged(flagEach));
    answerTo(ZRT_SELECT_ROWS, "select.rows", [&]() -> Value * {
      solveRows(fn, selection, box);
      return b.getInt32(ZRT_SELECT_PIECES);
    });
  }
  startBlock(fn, done);
  b.CreateCall(ZRT_CALLEE(fn.calls, zrtA_pattern_select),
               {selection.place, selection.target, b.getInt32(selection.op),
                selection.from, box, loc});
}

} // namespace zpl::codegen
