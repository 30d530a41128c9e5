//===- BandLoops.cpp - Several rows of a sparse region at a time ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the matrix of
//
//   [Column] Y := +<<[S] (A * X)
//
// has rows of one shape, as those of grids and of differences do, four rows are
// summed side by side (zrt_pattern::band):
//
//   mloop.L9.band:        for each band of the pattern: its first row, its end,
//                         how many positions a row has, and their first
//   mloop.L9.rows4:         for every fourth row: four sums
//   mloop.L9.columns4:        for each column of the first row, moved along:
//     Y.acc += A.origin[position] * X.origin[column]
//     Y.acc1 += A.origin[position + width] * X.origin[column + 1] ...
//   mloop.L9.rows1:         for each row that is left: one sum
//   mloop.L9.columns1:        ...
//
// Each sum takes its terms in the order of the positions, as elsewhere. What is
// gained: the columns of one row are read for all rows of a band; four sums do
// not wait for each other; and neighbours of a dense array are loaded together,
// where LLVM finds it worth while.
//
//===----------------------------------------------------------------------===//

#include "Sparse/BandLoops.h"
#include "Function/FunctionLowering.h"
#include "MLoop/LowerElementOps.h"
#include "MLoop/LowerWalkers.h"
#include "Sparse/LowerPatterns.h"
#include "Sparse/PatternLoops.h"

using namespace llvm;

namespace zpl::codegen {

static constexpr unsigned RowsAtATime = 4;

namespace {
/// A band, all i64.
struct Band {
  Value *first, *end; ///< rows
  Value *start;       ///< the position that the first row begins with
  Value *width;       ///< positions of a row
};

/// One of the rows that are summed side by side.
struct BandRow {
  Value *index;    ///< in dimension 0
  Value *position; ///< its first one
  std::map<RowKey, Value *> rows;
  SmallVector<Value *, 4> addresses; ///< by accumulator
};
} // namespace

Value *haveBands(MLoopState &m) {
  Value *bands =
      readCount(m.fn, m.pattern.descriptor, PatternField::Bands, "bands");
  return m.builder.CreateICmpNE(bands, m.builder.getInt64(0), "banded");
}

static Value *increase(MLoopState &m, Value *number, Value *by,
                       const Twine &name = "") {
  return m.builder.CreateAdd(number, by, name, /*HasNUW=*/false,
                             /*HasNSW=*/true);
}

/// A loop over \p number from \p first, as long as it is less than \p end, which
/// is tested behind a step: there is one. \p emit makes the body.
static BranchInst *emitCounting(MLoopState &m, const Twine &block, Value *first,
                                Value *end, unsigned step, const Twine &name,
                                function_ref<void(Value *)> emit) {
  BasicBlock *before = m.builder.GetInsertBlock();
  BasicBlock *head = addBlock(m.fn, m.name + block);
  BasicBlock *exit = addBlock(m.fn, m.name + block + ".end");
  startBlock(m.fn, head);
  PHINode *number = m.builder.CreatePHI(m.fn.types.i64, 2, name);
  number->addIncoming(first, before);
  emit(number);
  Value *next = increase(m, number, m.builder.getInt64(step));
  number->addIncoming(next, m.builder.GetInsertBlock());
  BranchInst *latch =
      m.builder.CreateCondBr(m.builder.CreateICmpSLT(next, end), head, exit);
  startBlock(m.fn, exit);
  return latch;
}

/// The row \p number, of which the sums begin.
static BandRow startRow(MLoopState &m, const Band &band, Value *number) {
  BandRow row;
  row.index = m.current[0] = increase(m, m.pattern.firstRow, number, "index0");
  Value *before =
      m.builder.CreateMul(m.builder.CreateSub(number, band.first), band.width);
  row.position = increase(m, band.start, before, "position");
  placePatternRows(m);
  row.rows = m.rows;
  loadElements(m);
  for (const auto &entry : m.accumulators)
    row.addresses.push_back(entry.second.address);
  return row;
}

/// The sums of \p count rows from \p first on.
static void emitRows(MLoopState &m, const Band &band, Value *first,
                     unsigned count) {
  SmallVector<BandRow, RowsAtATime> rows;
  for (unsigned i = 0; i < count; ++i)
    rows.push_back(
        startRow(m, band, increase(m, first, m.builder.getInt64(i))));
  SmallVector<Pieces, 4> identities;
  for (const auto &entry : m.accumulators)
    identities.push_back(entry.second.value);

  unsigned last = m.loop.region->rank() - 1;
  Value *table = m.pattern.indices[last];
  if (table)
    table = m.builder.CreateInBoundsGEP(m.fn.types.i32, table, band.start,
                                        "band.columns");
  Value *moved = m.builder.CreateSub(first, band.first, "moved");
  BasicBlock *before = m.builder.GetInsertBlock();
  SmallVector<SmallVector<Pieces, 4>, RowsAtATime> sums(count);
  SmallVector<SmallVector<Phis, 4>, RowsAtATime> phis(count);
  BranchInst *latch = emitCounting(
      m, ".columns" + Twine(count), m.builder.getInt64(0), band.width, 1,
      "column", [&](Value *column) {
        for (auto &ofRow : phis)
          for (auto [entry, identity] : zip(m.accumulators, identities)) {
            ofRow.push_back(makePhis(m, identity, entry.second.name()));
            addIncoming(ofRow.back(), identity, before);
          }
        Value *index = table ? increase(m, lookUp(m, table, column, "index"),
                                        moved, "index" + Twine(last))
                             : nullptr;
        for (auto [i, row] : enumerate(rows)) {
          m.current[0] = row.index;
          if (index)
            m.current[last] = increase(m, index, m.builder.getInt64(i));
          m.current[positionNumber(m)] = increase(m, row.position, column);
          m.rows = row.rows;
          for (auto [entry, own] : zip(m.accumulators, phis[i]))
            entry.second.value.assign(own.begin(), own.end());
          emitBody(m);
          for (const auto &entry : m.accumulators)
            sums[i].push_back(entry.second.value);
        }
        BasicBlock *end = m.builder.GetInsertBlock();
        for (auto [own, values] : zip(phis, sums))
          for (auto [phi, value] : zip(own, values))
            addIncoming(phi, value, end);
      });
  VectorChoice vectors;
  vectors.width = 1;
  m.aliases.annotateLoop(latch, /*isInnermost=*/false, std::nullopt, vectors,
                         SourceRange());
  for (auto [row, values] : zip(rows, sums)) {
    for (auto [entry, address, value] :
         zip(m.accumulators, row.addresses, values)) {
      entry.second.address = address;
      entry.second.value = value;
    }
    storeElements(m);
  }
}

/// The rows from \p first to \p end, of which the number is a multiple of \p
/// count and may be 0.
static void emitRowLoop(MLoopState &m, const Band &band, Value *first,
                        Value *end, unsigned count) {
  BasicBlock *inside = addBlock(m.fn, m.name + ".some" + Twine(count));
  BasicBlock *next = addBlock(m.fn, m.name + ".next" + Twine(count));
  m.builder.CreateCondBr(m.builder.CreateICmpSLT(first, end), inside, next);
  startBlock(m.fn, inside);
  emitCounting(m, ".rows" + Twine(count), first, end, count, "row",
               [&](Value *row) { emitRows(m, band, row, count); });
  m.builder.CreateBr(next);
  startBlock(m.fn, next);
}

void emitBands(MLoopState &m) {
  m.part = &m.parts.front();
  Value *zero = m.builder.getInt64(0), *one = m.builder.getInt64(1);
  Value *count =
      readCount(m.fn, m.pattern.descriptor, PatternField::Bands, "bands");
  Value *table = readTable(m, PatternField::Band, "band.table");
  emitCounting(m, ".band", zero, count, 1, "band", [&](Value *number) {
    Band band;
    band.first = lookUp(m, table, number, "first");
    band.end = lookUp(m, table, increase(m, number, one), "end");
    band.start = lookUp(m, m.pattern.starts, band.first, "start");
    Value *next =
        lookUp(m, m.pattern.starts, increase(m, band.first, one), "next");
    band.width = m.builder.CreateSub(next, band.start, "width");
    Value *rest = m.builder.CreateAnd(m.builder.CreateSub(band.end, band.first),
                                      RowsAtATime - 1);
    Value *inFours = m.builder.CreateSub(band.end, rest, "in.fours");
    emitRowLoop(m, band, band.first, inFours, RowsAtATime);
    emitRowLoop(m, band, inFours, band.end, 1);
  });
}

} // namespace zpl::codegen
