//===- PatternLoops.cpp - M-loops over sparse regions ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A processor knows its indices of a sparse region S as rows (zrt_pattern): row
// r is at the index row[0][r] of dimension 0 and has the positions starts[r] to
// starts[r+1] - 1, and position k is at the index column[k] of the last one. A
// sparse array over S is the vector of its values by position. So
//
//   [S] Y += A * X                    Y over [1..n, *], X over [*, 1..n], dense
//
// as a partial reduction is the product of compressed sparse rows:
//
//   mloop.L9:                         the pattern; has this processor any index?
//   mloop.L9.nest:                    its tables, origins, pitches
//   mloop.L9.rows:
//     %row = phi
//     %index0 = row[0][%row]
//     %Y.row = Y.origin + %index0 * Y.pitch0;  %Y.acc0 = load %Y.row
//   mloop.L9.body:
//     %position = phi [starts[%row]]
//     %index1 = column[%position]
//     %Y.acc = phi;  ... A.origin[%position] * X.origin[%index1]
//   mloop.L9.rows.next:               store %Y.acc
//
//  1. Where nothing depends on the outer dimensions (LoopPlan), there is one
//     loop over all positions:  [S] A := A * B  is a loop over two vectors.
//  2. Only tables that are asked for are read: indices for what the body calls
//     Index_i and for dense arrays, places for those of a scattered domain. A
//     row has its outer indices in front of the loop over its positions.
//  3. A dense array is reached by its index as anywhere: the address of index 0
//     of the row plus column * size, and displacements of offsets along the
//     row. In a strided dimension the position of an index x is
//     (x - align) / stride. As the division is exact it is a shift and a
//     product with the inverse of what is odd of the stride, modulo 2^64.
//  4. Rows that the pattern has are not empty, so that all loops test at their
//     end, as others do. A region without pattern has no index.
//
//  5. Sums of rows that begin here (ElementOp::anew) have a nest of their own for
//     patterns that are complete: no row is left out, so elements start in
//     registers, and in two dimensions the rows need no table.
//
//     br %complete, mloop.L9.complete, mloop.L9.gaps
//
//     In two dimensions these have one more for rows of one shape, BandLoops.
//
//  6. Rows of other patterns are walked through beside these (MergedRows.cpp).
//
//  7. In a wave the positions come in its order, and what is stored goes to those
//     that read it (Waves/LowerPatternWave.cpp).
//
//  8. The loop over the positions of a row has a version with vectors, for rows
//     that are long on the average. The other one has few instructions, of
//     which it matters that they lie in one line of the instruction cache.
//
// Tables of the pattern are not arrays: no store of the loop changes them.
//
//===----------------------------------------------------------------------===//

#include "Sparse/PatternLoops.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerRegion.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerWalkers.h"
#include "Sparse/LowerPatterns.h"
#include "Sparse/MergedRows.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::codegen {

// From `sparse.row` positions on vectors of a row pay: they take four values from
// all over a dense array at a time. On an AMD Epyc products of rows in the
// cache take 0.78 of the time of single loads with 20 per row, 1.2 with 5.
static unsigned lastDim(const MLoopState &m) { return rowNumber(m) - 1; }

//===----------------------------------------------------------------------===//
// The pattern
//===----------------------------------------------------------------------===//

Value *readTable(MLoopState &m, PatternField field, const Twine &name, int dim,
                 Value *pattern) {
  Value *place = m.builder.CreateStructGEP(
      m.fn.types.pattern, pattern ? pattern : m.pattern.descriptor,
      static_cast<unsigned>(field));
  if (dim >= 0)
    place = m.builder.CreateConstInBoundsGEP1_64(m.fn.types.ptr, place, dim);
  return m.builder.CreateAlignedLoad(m.fn.types.ptr, place, Align(8), name);
}

Value *lookUp(MLoopState &m, Value *table, Value *number, const Twine &name) {
  Value *place = m.builder.CreateInBoundsGEP(m.fn.types.i32, table, number);
  LoadInst *entry =
      m.builder.CreateAlignedLoad(m.fn.types.i32, place, Align(4));
  m.aliases.annotateOther(entry, m.part->delay);
  return m.builder.CreateSExt(entry, m.fn.types.i64, name);
}

Value *startPattern(MLoopState &m) {
  m.pattern.descriptor = patternOf(m.fn, m.loop.region);
  Value *zero = m.builder.getInt64(0), *one = m.builder.getInt64(1);
  m.range.lo.assign(positionNumber(m) + 1, zero);
  m.range.hi = m.range.first = m.range.lo;
  m.range.steps.assign(positionNumber(m) + 1, one);
  m.range.strides.assign(positionNumber(m) + 1, nullptr);
  m.current = m.range.lo; // right for flat dimensions
  if (const PatternVisits *visits = m.fn.visits) {
    m.range.lo[positionNumber(m)] = visits->first;
    m.range.hi[positionNumber(m)] = m.builder.CreateSub(visits->end, one);
    return m.builder.CreateICmpSLT(visits->first, visits->end, "owns");
  }
  bool inRows = m.plan.traversal == Traversal::Rows;
  Value *count = readCount(m.fn, m.pattern.descriptor,
                           inRows ? PatternField::Rows : PatternField::Count,
                           inRows ? "row.count" : "count");
  m.range.hi[m.plan.nest.front().level->dim] = m.builder.CreateSub(count, one);
  return m.builder.CreateICmpSGT(count, zero, "owns");
}

/// Finds the tables that the loops look up.
static void readTables(MLoopState &m) {
  unsigned last = lastDim(m);
  if (m.plan.traversal == Traversal::Rows)
    m.pattern.starts = readTable(m, PatternField::Starts, "starts");
  auto read = [&](unsigned dim, bool asPlaces) -> Value * {
    uint32_t asked = asPlaces ? m.plan.places : m.plan.indices;
    if (!(asked >> dim & 1))
      return nullptr;
    if (dim == last)
      return asPlaces ? readTable(m, PatternField::ColumnPlace, "column.places")
                      : readTable(m, PatternField::Column, "columns");
    return asPlaces
               ? readTable(m, PatternField::RowPlace, "places" + Twine(dim),
                           dim)
               : readTable(m, PatternField::Row, "indices" + Twine(dim), dim);
  };
  for (unsigned d = 0; d <= last; ++d) {
    m.pattern.indices.push_back(read(d, /*asPlaces=*/false));
    m.pattern.places.push_back(read(d, /*asPlaces=*/true));
  }
  m.pattern.place.assign(last + 1, nullptr);
}

//===----------------------------------------------------------------------===//
// Dense arrays
//===----------------------------------------------------------------------===//

static const air::Array &arrayOf(const MLoopState &m, unsigned walker) {
  return *m.loop.walkers[walker].array;
}

/// Whether indices of a dense array are divided there: those of a scattered
/// domain are found by places.
static bool isDivided(const MLoopState &m, unsigned walker, unsigned dim) {
  return kind(m.plan, walker, dim) == air::DimKind::Strided &&
         !air::isScattered(arrayOf(m, walker));
}

/// By what indices without alignment are divided: a number of bits, and the
/// inverse of an odd number by Newton's iteration, of which each step doubles
/// the number of right bits; the number itself has three.
static Divisor makeDivisor(MLoopState &m, Value *stride) {
  Value *bits = m.builder.CreateIntrinsic(
      Intrinsic::cttz, {m.fn.types.i64},
      {stride, m.builder.getInt1(/*is_zero_poison=*/true)});
  Value *odd = m.builder.CreateLShr(stride, bits);
  Value *inverse = odd;
  for (unsigned right = 3; right < 64; right *= 2)
    inverse = m.builder.CreateMul(
        inverse, m.builder.CreateSub(m.builder.getInt64(2),
                                     m.builder.CreateMul(odd, inverse)));
  return {bits, inverse};
}

/// The position of an array's element, \p offset further than the index at
/// hand.
static Value *positionOf(MLoopState &m, unsigned walker, unsigned dim,
                         int64_t offset) {
  const air::Array &array = arrayOf(m, walker);
  Value *index =
      air::isScattered(array) ? m.pattern.place[dim] : m.current[dim];
  if (offset != 0)
    index = m.builder.CreateAdd(index, m.builder.getInt64(offset));
  if (!isDivided(m, walker, dim))
    return index;
  WalkerState &state = m.walkers[walker];
  Value *distance =
      m.builder.CreateSub(index, state.dimFields.at({dim, DimField::Align}));
  const Divisor &by = state.divisors[dim];
  return m.builder.CreateMul(
      m.builder.CreateAShr(distance, by.bits, "", /*isExact=*/true),
      by.inverse);
}

/// Bytes between neighbouring positions in a dimension. Those of the last one
/// lie side by side; not so where that is Strided, if the array is dense, or
/// may be a part of records that a parameter names.
static Value *readPitch(MLoopState &m, unsigned walker, unsigned dim) {
  const air::Array &array = arrayOf(m, walker);
  bool isStrided = array.shape[dim] == air::DimKind::Strided &&
                   (!array.isSparse || array.storage == air::Storage::Param);
  if (dim == lastDim(m) && !isStrided)
    return sizeOf(m.fn, array.element);
  Value *place = m.builder.CreateInBoundsGEP(
      m.fn.types.array, m.walkers[walker].descriptor,
      {m.builder.getInt32(0),
       m.builder.getInt32(static_cast<unsigned>(ArrayField::Pitch)),
       m.builder.getInt32(dim)});
  return m.builder.CreateAlignedLoad(m.fn.types.i64, place, Align(8),
                                     array.name + ".pitch" + Twine(dim));
}

static void startPatternWalker(MLoopState &m, unsigned walker) {
  const air::Array &array = arrayOf(m, walker);
  WalkerState &state = m.walkers[walker];
  state.descriptor = address(m.fn, &array);
  state.origin = state.start = state.position = origin(m.fn, &array);
  state.bumps.assign(m.plan.nest.size(), nullptr);
  state.pitches.assign(array.rank(), nullptr);
  state.divisors.resize(array.rank());
  if (array.isSparse) {
    state.pitches.back() = readPitch(m, walker, lastDim(m));
    return;
  }
  for (unsigned d = 0; d < array.rank(); ++d) {
    if (isPerProcessor(array.shape[d]))
      continue;
    state.pitches[d] = readPitch(m, walker, d);
    if (!isDivided(m, walker, d))
      continue;
    auto read = [&](DimField field) {
      return readDimField(m.fn, declaredRegion(m.fn, &array), array.shape[d], d,
                          field, array.name);
    };
    state.dimFields[{d, DimField::Align}] = read(DimField::Align);
    state.divisors[d] = makeDivisor(m, read(DimField::Stride));
  }
}

Value *haveLongRows(MLoopState &m) {
  Value *count =
      readCount(m.fn, m.pattern.descriptor, PatternField::Count, "count");
  Value *rows =
      readCount(m.fn, m.pattern.descriptor, PatternField::Rows, "row.count");
  return m.builder.CreateICmpSGE(
      count,
      m.builder.CreateMul(
          rows, m.builder.getInt64(m.fn.module.options.figures.sparseRow)),
      "long");
}

void startPatternWalkers(MLoopState &m) {
  readTables(m);
  for (unsigned w = 0; w < m.walkers.size(); ++w)
    if (!arrayOf(m, w).isContracted())
      startPatternWalker(m, w);
  startMergedRows(m);
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

/// Where the loop over the positions of a row finds an array: its elements by
/// position, or by the index or place in the last dimension.
static Value *placeRow(MLoopState &m, const RowKey &key) {
  const auto &[walker, offset] = key;
  const air::Array &array = arrayOf(m, walker);
  Value *row = m.walkers[walker].origin;
  if (array.isSparse || array.isContracted())
    return row;
  for (unsigned d = 0; d < lastDim(m); ++d)
    if (!isPerProcessor(array.shape[d]))
      row = move(m, row,
                 m.builder.CreateMul(positionOf(m, walker, d, offset[d]),
                                     m.walkers[walker].pitches[d]),
                 arrayName(m, walker) + ".row");
  return row;
}

void enterComplete(MLoopState &m) {
  m.pattern.isComplete = true;
  if (m.loop.region->rank() == 2 && m.pattern.indices[0])
    m.pattern.firstRow =
        lookUp(m, m.pattern.indices[0], m.builder.getInt64(0), "first");
}

void leaveComplete(MLoopState &m) {
  m.pattern.isComplete = false;
  m.pattern.firstRow = nullptr;
}

void enterRow(MLoopState &m) {
  if (m.plan.traversal == Traversal::Rows) {
    Value *row = m.current[rowNumber(m)], *one = m.builder.getInt64(1);
    m.range.lo[positionNumber(m)] = lookUp(m, m.pattern.starts, row, "start");
    m.range.hi[positionNumber(m)] = m.builder.CreateSub(
        lookUp(m, m.pattern.starts, m.builder.CreateAdd(row, one), "end"), one);
    for (unsigned d = 0; d < lastDim(m); ++d) {
      if (m.pattern.firstRow)
        m.current[d] = m.builder.CreateAdd(m.pattern.firstRow, row, "index0");
      else if (m.pattern.indices[d])
        m.current[d] = lookUp(m, m.pattern.indices[d], row, "index" + Twine(d));
      if (m.pattern.places[d])
        m.pattern.place[d] =
            lookUp(m, m.pattern.places[d], row, "place" + Twine(d));
    }
  }
  placePatternRows(m);
  enterMergedRows(m);
}

void placePatternRows(MLoopState &m) {
  for (const RowKey &key : m.part->rows)
    m.rows[key] = placeRow(m, key);
}

void enterPosition(MLoopState &m) {
  unsigned last = lastDim(m);
  Value *&position = m.current[positionNumber(m)];
  if (m.fn.visits) {
    m.pattern.visit = position;
    position = lookUp(m, m.fn.visits->order, position, "position");
  }
  if (m.pattern.indices[last])
    m.current[last] =
        lookUp(m, m.pattern.indices[last], position, "index" + Twine(last));
  if (m.pattern.places[last])
    m.pattern.place[last] =
        lookUp(m, m.pattern.places[last], position, "place" + Twine(last));
  mergePosition(m);
}

Value *patternAddress(MLoopState &m, const air::ElementExpr *element) {
  unsigned walker = element->walker, last = lastDim(m);
  const air::Array &array = *element->array;
  Value *row = m.rows.at({element->walker, rowOffset(m.plan, element)});
  if (innerDim(m.plan, walker) < 0)
    return row;
  bool isDisplaced = !array.isSparse && hasDisplacements(m.plan, walker);
  int64_t offset = element->offset[last];
  Value *number = array.isSparse && element->isShifted()
                      ? lookUp(m, m.fn.visits->readers.lookup(&array),
                               m.pattern.visit, array.name + ".reader")
                  : array.isSparse
                      ? m.current[positionNumber(m)]
                      : positionOf(m, walker, last, isDisplaced ? 0 : offset);
  Value *pitch = m.walkers[walker].pitches[last];
  if (!isa<Constant>(pitch))
    return move(m, row, m.builder.CreateMul(number, pitch), "");
  llvm::Type *type = m.fn.types.memory(array.element);
  Value *place = m.builder.CreateGEP(type, row, number);
  return isDisplaced && offset != 0
             ? m.builder.CreateGEP(type, place, m.builder.getInt64(offset))
             : place;
}

} // namespace zpl::codegen
