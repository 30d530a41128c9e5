//===- MergedRows.cpp - Rows of other patterns ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   [C] Cs := As + 1                  As over A, Cs over C, both sparse
//
// reads As by a place in the pattern of A that goes along with the loop over C:
// a row, and in it a position. Both patterns have their indices in row-major
// order, so the place only goes forward:
//
//   mloop.L9.rows:                    a row of C, at %index0
//     br (row[0][%A.row] == %index0), A.found, A.later
//   A.later:                          the row of A is before that: seek it
//     call @zrtA_seek_row             (behind it: A has no such row)
//   A.found:                          positions of the row; %A.row is the next
//   mloop.L9.body:
//     %position, %index1              as without A
//   A.passed:                         while the column in A is less, go on
//   A.reached:
//     %A.here = (A.column[%A.position] == %index1)
//     %A = load origin[%A.here ? %A.position : -1]    -1: its replicated value
//     %A.position += %A.here
//
//  1. Where C has all indices of A, as in a union, nothing is passed. So the
//     processor guesses right what a merge that branches on each comparison of
//     columns makes it guess wrong.
//  2. Of a long row of A the positions before the first column of C's row are
//     found by bisection: C may be a column, or a few.
//  3. Row, position and end are cells in the entry block, which LLVM makes
//     registers of.
//
// Cost: the indices of C, and those of A in the rows of C.
//
//===----------------------------------------------------------------------===//

#include "Sparse/MergedRows.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerRegion.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerWalkers.h"
#include "Sparse/LowerPatterns.h"
#include "Sparse/PatternLoops.h"

using namespace llvm;

namespace zpl::codegen {

static unsigned lastDimension(const MLoopState &m) { return rowNumber(m) - 1; }

static Value *readCell(MLoopState &m, AllocaInst *cell, const Twine &name) {
  return m.builder.CreateLoad(m.fn.types.i64, cell, name);
}

static BasicBlock *blockOf(MLoopState &m, const MergedRows &rows,
                           const Twine &name) {
  return addBlock(m.fn, m.part->name + "." + rows.array->name + "." + name);
}

static Value *pitchOf(MLoopState &m, const air::Array *array) {
  if (array->storage != air::Storage::Param)
    return sizeOf(m.fn, array->element);
  // It may be a part of records.
  Value *place = m.builder.CreateInBoundsGEP(
      m.fn.types.array, address(m.fn, array),
      {m.builder.getInt32(0),
       m.builder.getInt32(static_cast<unsigned>(ArrayField::Pitch)),
       m.builder.getInt32(lastDimension(m))});
  return m.builder.CreateAlignedLoad(m.fn.types.i64, place, Align(8),
                                     array->name + ".pitch");
}

static void startRows(MLoopState &m, MergedRows &rows) {
  const std::string &name = rows.array->name;
  rows.pattern = patternOf(m.fn, rows.array);
  rows.columns =
      readTable(m, PatternField::Column, name + ".columns", -1, rows.pattern);
  rows.origin = origin(m.fn, rows.array);
  rows.pitch = pitchOf(m, rows.array);
  rows.row = addAlloca(m.fn, m.fn.types.i64, name + ".row");
  rows.position = addAlloca(m.fn, m.fn.types.i64, name + ".position");
  rows.end = addAlloca(m.fn, m.fn.types.i64, name + ".end");
  m.builder.CreateStore(m.builder.getInt64(0), rows.row);
  unsigned last = lastDimension(m);
  if (last == 0)
    return;
  rows.rowCount =
      readCount(m.fn, rows.pattern, PatternField::Rows, name + ".row.count");
  rows.starts =
      readTable(m, PatternField::Starts, name + ".starts", -1, rows.pattern);
  for (unsigned d = 0; d < last; ++d)
    rows.rows.push_back(readTable(m, PatternField::Row,
                                  name + ".indices" + Twine(d), int(d),
                                  rows.pattern));
}

void startMergedRows(MLoopState &m) {
  m.pattern.merged.clear();
  for (auto [w, walker] : enumerate(m.loop.walkers)) {
    if (!walker.array->fetched)
      continue;
    MergedRows &rows = m.pattern.merged.emplace_back();
    rows.walker = w;
    rows.array = walker.array->fetched;
    startRows(m, rows);
  }
}

/// Sets the positions at hand.
static void setPositions(MLoopState &m, const MergedRows &rows, Value *first,
                         Value *end) {
  m.builder.CreateStore(first, rows.position);
  m.builder.CreateStore(end, rows.end);
}

/// The row at hand of the array is not that of the loop: goes to \p found or, if
/// it has none, \p none.
static void seekRow(MLoopState &m, const MergedRows &rows, Value *row,
                    BasicBlock *found, BasicBlock *none) {
  unsigned last = lastDimension(m);
  BasicBlock *seek = blockOf(m, rows, "seek");
  Value *first = lookUp(m, rows.rows[0], row, "");
  m.builder.CreateCondBr(m.builder.CreateICmpSGT(first, m.current[0]), none,
                         seek);
  startBlock(m.fn, seek);
  auto *type = ArrayType::get(m.fn.types.i64, last);
  Value *index = addAlloca(m.fn, type, rows.array->name + ".index");
  for (unsigned d = 0; d < last; ++d)
    m.builder.CreateStore(
        m.current[d], m.builder.CreateConstInBoundsGEP2_64(type, index, 0, d));
  Value *reached = m.builder.CreateCall(ZRT_CALLEE(m.fn.calls, zrtA_seek_row),
                                        {rows.pattern, row, index}, "reached");
  Value *sign = m.builder.CreateAShr(reached, m.builder.getInt64(63));
  m.builder.CreateStore(m.builder.CreateXor(reached, sign), rows.row);
  m.builder.CreateCondBr(
      m.builder.CreateICmpSGE(reached, m.builder.getInt64(0)), found, none);
}

/// Sets the positions of the row that was found; goes to \p next.
static void enterFound(MLoopState &m, const MergedRows &rows,
                       BasicBlock *next) {
  BasicBlock *skip = blockOf(m, rows, "skip");
  Value *row = readCell(m, rows.row, "");
  Value *behind = m.builder.CreateAdd(row, m.builder.getInt64(1));
  m.builder.CreateStore(behind, rows.row);
  Value *first = lookUp(m, rows.starts, row, rows.array->name + ".start");
  Value *end = lookUp(m, rows.starts, behind, rows.array->name + ".stop");
  setPositions(m, rows, first, end);
  // Rows with more positions are entered by bisection.
  Value *isLong = m.builder.CreateICmpSGT(
      m.builder.CreateSub(end, first),
      m.builder.getInt64(m.fn.module.options.figures.mergedRow));
  m.builder.CreateCondBr(isLong, skip, next);
  startBlock(m.fn, skip);
  Value *column = lookUp(m, m.pattern.indices[lastDimension(m)],
                         m.range.lo[positionNumber(m)], "");
  m.builder.CreateStore(
      m.builder.CreateCall(ZRT_CALLEE(m.fn.calls, zrtA_seek_column),
                           {rows.pattern, first, end, column}),
      rows.position);
  m.builder.CreateBr(next);
}

static void enterRows(MLoopState &m, const MergedRows &rows) {
  Value *zero = m.builder.getInt64(0);
  unsigned last = lastDimension(m);
  if (last == 0)
    return setPositions(
        m, rows, zero,
        readCount(m.fn, rows.pattern, PatternField::Count, "count"));
  BasicBlock *compare = blockOf(m, rows, "row"),
             *none = blockOf(m, rows, "none"),
             *later = blockOf(m, rows, "later"),
             *found = blockOf(m, rows, "found"),
             *next = blockOf(m, rows, "next");
  Value *row = readCell(m, rows.row, rows.array->name + ".row");
  m.builder.CreateCondBr(m.builder.CreateICmpSLT(row, rows.rowCount), compare,
                         none);
  startBlock(m.fn, compare);
  Value *isThere = m.builder.getTrue();
  for (unsigned d = 0; d < last; ++d)
    isThere = m.builder.CreateAnd(
        isThere,
        m.builder.CreateICmpEQ(lookUp(m, rows.rows[d], row, ""), m.current[d]));
  m.builder.CreateCondBr(isThere, found, later);
  startBlock(m.fn, later);
  seekRow(m, rows, row, found, none);
  startBlock(m.fn, none);
  setPositions(m, rows, zero, zero);
  m.builder.CreateBr(next);
  startBlock(m.fn, found);
  enterFound(m, rows, next);
  startBlock(m.fn, next);
}

void enterMergedRows(MLoopState &m) {
  for (const MergedRows &rows : m.pattern.merged)
    enterRows(m, rows);
}

/// Goes on to the first position whose column is not less than the loop's.
/// Whether it is that.
static Value *reachColumn(MLoopState &m, const MergedRows &rows) {
  Value *column = m.current[lastDimension(m)];
  Value *end = readCell(m, rows.end, "");
  BasicBlock *test = blockOf(m, rows, "test"), *look = blockOf(m, rows, "look"),
             *passed = blockOf(m, rows, "passed"),
             *reached = blockOf(m, rows, "reached");
  m.builder.CreateBr(test);
  startBlock(m.fn, test);
  Value *position = readCell(m, rows.position, rows.array->name + ".position");
  m.builder.CreateCondBr(m.builder.CreateICmpSLT(position, end), look, reached);
  startBlock(m.fn, look);
  Value *own = lookUp(m, rows.columns, position, rows.array->name + ".column");
  Value *isSame = m.builder.CreateICmpEQ(own, column);
  m.builder.CreateCondBr(m.builder.CreateICmpSLT(own, column), passed, reached);
  startBlock(m.fn, passed);
  m.builder.CreateStore(m.builder.CreateAdd(position, m.builder.getInt64(1)),
                        rows.position);
  m.builder.CreateBr(test);
  startBlock(m.fn, reached);
  PHINode *isHere =
      m.builder.CreatePHI(isSame->getType(), 2, rows.array->name + ".here");
  isHere->addIncoming(m.builder.getFalse(), test);
  isHere->addIncoming(isSame, look);
  return isHere;
}

void mergePosition(MLoopState &m) {
  for (const MergedRows &rows : m.pattern.merged) {
    Value *isHere = reachColumn(m, rows);
    Value *position = readCell(m, rows.position, "");
    Value *place =
        m.builder.CreateSelect(isHere, position, m.builder.getInt64(-1));
    air::Type type = rows.array->element;
    Value *from =
        move(m, rows.origin, m.builder.CreateMul(place, rows.pitch), "");
    LoadInst *loaded = loadMemory(m.fn, type, from, rows.array->name);
    m.aliases.annotateOther(loaded, m.part->delay);
    store(m.fn, type, fromMemory(m.fn, type, loaded),
          m.walkers[rows.walker].origin);
    m.builder.CreateStore(
        m.builder.CreateAdd(position,
                            m.builder.CreateZExt(isHere, m.fn.types.i64)),
        rows.position);
  }
}

} // namespace zpl::codegen
