//===- LowerSkewedRows.cpp - M-loops: several rows at a time --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `rows 3 skew 1` goes through groups of three rows. In step t row r is at
// column t - r; where only some rows have a column they are computed row by
// row, as in an M-loop without the attribute:
//
//     row 0   a a | b b b b b           a  before the steps
//     row 1   a   | b b b b b | c       b  steps 2 to 6, a column of them each
//     row 2       | b b b b b | c c     c  after them
//
//   mloop.L33.nest:          if there is a group, and columns for a step:
//   mloop.L33.group:
//   mloop.L33.rows:            a loop over groups
//     mloop.L33.row:             a: rows 0 and 1, ever shorter pieces
//     mloop.L33.steps:           b: the innermost loop
//       %A.acc = phi               what row 0 has stored the step before
//       the body for row 0, 1, 2
//     mloop.L33.row:             c: rows 1 and 2, ever longer pieces
//   mloop.L33.rest:          rows that make no group, one by one
//
// In the steps, what a row has stored stays in registers for as many steps as
// other elements read it there: an element at the distance (rows, columns) is
// one that the row `row + rows` has stored `-(columns + skew * rows)` steps
// ago, this step if that is 0. The first step loads what was there before it.
// What is read before it is overwritten, of rows of other groups, and of arrays
// whose stored values are not known as a whole (parts of elements, calls by
// reference, another array that may be the same) is read from memory, where
// everything is stored at its turn. Within one step each element is loaded
// once, for LLVM does not see that the rows are apart.
//
// *Scans.* Where a scan goes along the rows, each row of the group has what it
// carries along in a register (a phi of the steps), which comes from memory
// before them and goes there after. Where it goes across the rows, they have one
// element for all of them, loaded and stored once per step, and LLVM makes
// vectors of the steps; results that go past the caches are made row by row
// then, in strips (LowerStreams.cpp).
//
// Cost: the body is made `rows` + 3 times.
//
//===----------------------------------------------------------------------===//

#include "Function/FunctionLowering.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerElementOps.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerWalkers.h"
#include "Waves/LaneRows.h"
#include "Waves/SkewedRows.h"
#include "zpl/ArrayIR/Carries.h"
#include "zpl/ArrayIR/SkewedRows.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::codegen {

SkewedRows::SkewedRows(MLoopState &nest, unsigned depth)
    : nest(nest), fn(nest.fn), builder(nest.builder), depth(depth),
      rowDim(nest.plan.nest[depth].level->dim),
      columnDim(nest.plan.nest[depth + 1].level->dim), rows(nest.loop.rows),
      skew(nest.loop.skew), lead(skew * (rows - 1)) {
  findLineCarries();
  findCarried();
  findHistories();
}

//===----------------------------------------------------------------------===//
// What is kept in registers
//===----------------------------------------------------------------------===//

bool SkewedRows::hasCarries() const {
  return !air::carriedAlong(nest.loop).empty();
}

void SkewedRows::findLineCarries() {
  for (const air::ElementOp *op : carriesInRegisters(nest)) {
    auto *target = cast<air::ElementExpr>(op->target);
    lineCarries[target->array].target = target;
  }
}

void SkewedRows::findCarried() {
  SmallVector<const air::Array *, 4> stored, unknown;
  for (const air::ElementOp &op : nest.loop.body) {
    if (op.target) {
      const air::Array *array = air::rootElement(op.target)->array;
      if (array->isCarries())
        continue; // of other rows, too
      bool isKnown = isa<air::ElementExpr>(op.target) &&
                     !array->element.isAggregate() &&
                     storesEverywhere(nest, op);
      (isKnown ? stored : unknown).push_back(array);
    }
    if (auto *call = dyn_cast<air::CallExpr>(op.value))
      for (const air::Argument &arg : call->args)
        if (auto *element = arg.place ? air::rootElement(arg.place) : nullptr)
          unknown.push_back(element->array);
  }
  if (isStrided(nest.plan, rowDim) || isStrided(nest.plan, columnDim))
    return; // an offset is no number of steps
  auto isApart = [&](const air::Array *array, const air::Array *other) {
    return array == other || array->isPerIndex() || other->isPerIndex() ||
           nest.aliases.areApart(array, other);
  };
  for (const air::Array *array : stored)
    if (!is_contained(unknown, array) &&
        all_of(stored, [&](auto *other) { return isApart(array, other); }) &&
        all_of(unknown, [&](auto *other) { return isApart(array, other); }))
      carried.insert(array);
}

std::optional<SkewedRows::Place>
SkewedRows::placeOf(const air::ElementExpr *element) const {
  if (isStrided(nest.plan, rowDim) || isStrided(nest.plan, columnDim))
    return std::nullopt;
  std::optional<air::RowDistance> at = air::rowDistance(nest.loop, *element);
  if (!at)
    return std::nullopt;
  return Place{element->array, row + at->rows,
               -(at->columns + skew * at->rows)};
}

void SkewedRows::findHistories() {
  std::map<const air::Array *, const air::ElementExpr *> targets;
  for (const air::ElementOp &op : nest.loop.body)
    if (auto *target = dyn_cast_or_null<air::ElementExpr>(op.target))
      if (carries(target->array))
        targets[target->array] = target;
  for (row = 0; row < rows; ++row)
    for (const air::ElementOp &op : nest.loop.body)
      air::forEachExpr(op, [&](const air::Expr &e) {
        auto *element = dyn_cast<air::ElementExpr>(&e);
        if (!element || !carries(element->array))
          return;
        std::optional<Place> place = placeOf(element);
        if (!place || place->row < 0 || place->row >= rows || place->age <= 0)
          return;
        History &history = histories[{place->array, place->row}];
        history.target = targets[place->array];
        if (history.values.size() < size_t(place->age))
          history.values.resize(place->age);
      });
}

Value *SkewedRows::known(const air::ElementExpr *element) const {
  if (auto line = lineCarries.find(element->array); line != lineCarries.end())
    return join(nest, element->array->element,
                line->second.values[size_t(row)]);
  std::optional<Place> place = placeOf(element);
  if (!place || !carries(place->array))
    return nullptr;
  if (auto it = values.find(*place); it != values.end())
    if (!it->second.block || it->second.block == builder.GetInsertBlock())
      return it->second.value;
  auto it = histories.find({place->array, place->row});
  if (place->age <= 0 || it == histories.end())
    return nullptr;
  return join(nest, place->array->element,
              it->second.values[size_t(place->age) - 1]);
}

void SkewedRows::isRead(const air::ElementExpr *element, Value *value) {
  std::optional<Place> place = placeOf(element);
  if (place && carries(place->array))
    values[*place] = {value, builder.GetInsertBlock()};
}

void SkewedRows::isStored(const air::ElementExpr *element, Value *value) {
  if (carriesAlong(element->array))
    lineCarries[element->array].values[size_t(row)] =
        split(nest, element->array->element, value);
  if (carries(element->array))
    values[*placeOf(element)] = {value, nullptr};
}

//===----------------------------------------------------------------------===//
// Ranges of rows and columns
//===----------------------------------------------------------------------===//

Value *SkewedRows::countOf(unsigned dim) {
  Value *distance = builder.CreateSub(nest.range.hi[dim], nest.range.lo[dim]);
  if (isStrided(nest.plan, dim))
    distance = builder.CreateUDiv(distance, nest.range.strides[dim]);
  return builder.CreateAdd(distance, builder.getInt64(1),
                           (dim == rowDim ? "rows" : "columns") + Twine(dim));
}

Value *SkewedRows::indexAt(unsigned dim, Value *number) {
  return builder.CreateAdd(dim == rowDim ? firstRow : firstColumn,
                           builder.CreateMul(number, nest.range.steps[dim]));
}

void SkewedRows::setRange(unsigned dim, Value *from, Value *to) {
  const air::LoopLevel &level =
      *nest.plan.nest[dim == rowDim ? depth : depth + 1].level;
  nest.range.lo[dim] = level.down ? to : from;
  nest.range.hi[dim] = level.down ? from : to;
  if (dim == rowDim && depth == 0)
    nest.lastStep = to;
}

void SkewedRows::setColumns(Value *from, Value *to) {
  setRange(columnDim, indexAt(columnDim, from), indexAt(columnDim, to));
  if (nest.plan.isCounted) {
    nest.count.first = from;
    nest.count.last = to;
  }
}

SkewedRows::Positions SkewedRows::positions() const {
  Positions result;
  for (const WalkerState &walker : nest.walkers)
    result.push_back(walker.position);
  return result;
}

void SkewedRows::standAt(const Positions &start, Value *rows) {
  for (auto [w, position] : enumerate(start)) {
    WalkerState &walker = nest.walkers[w];
    walker.position = position;
    if (nest.plan.leaders[w] == w && walker.bumps[depth])
      walker.position =
          move(nest, position, builder.CreateMul(walker.bumps[depth], rows),
               arrayName(nest, w) + ".walker");
  }
}

void SkewedRows::emitRows(Value *from, Value *to,
                          function_ref<void()> chooseColumns) {
  setRange(rowDim, from, to);
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *head = addBlock(fn, nest.part->name + ".row");
  BasicBlock *end = addBlock(fn, nest.part->name + ".row.end");
  LevelPhis phis = openLevel(nest, depth, before, head);
  chooseColumns();
  emitFrom(nest, depth + 1);
  setRange(rowDim, from, to);
  closeLevel(nest, depth, head, end, phis);
  startBlock(fn, end);
}

Value *SkewedRows::rowNumber(Value *first) {
  bool isDown = nest.plan.nest[depth].level->down;
  Value *index = nest.current[rowDim];
  Value *distance = isDown ? builder.CreateSub(first, index)
                           : builder.CreateSub(index, first);
  return isStrided(nest.plan, rowDim)
             ? builder.CreateUDiv(distance, nest.range.strides[rowDim])
             : distance;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void SkewedRows::emit() {
  auto number = [&](int64_t n) { return builder.getInt64(n); };
  auto ends = [&](unsigned d, const air::LoopLevel &level) {
    return level.down ? std::pair(nest.range.hi[d], nest.range.lo[d])
                      : std::pair(nest.range.lo[d], nest.range.hi[d]);
  };
  std::tie(firstRow, lastRow) = ends(rowDim, *nest.plan.nest[depth].level);
  std::tie(firstColumn, lastColumn) =
      ends(columnDim, *nest.plan.nest[depth + 1].level);
  SaveAndRestore<decltype(nest.range.lo)> lo(nest.range.lo), hi(nest.range.hi);
  SaveAndRestore<Value *> lastStep(nest.lastStep), lastCount(nest.count.last),
      firstCount(nest.count.first);

  rowCount = countOf(rowDim);
  columnCount = countOf(columnDim);
  Value *groups = builder.CreateSelect(
      builder.CreateICmpSGT(columnCount, number(lead)),
      builder.CreateUDiv(rowCount, number(rows)), number(0), "groups");
  if (nest.streams && lineCarries.empty() && hasCarries())
    groups = builder.CreateSelect(nest.streams, number(0), groups);
  Positions start = positions();
  BasicBlock *group = addBlock(fn, nest.part->name + ".group");
  BasicBlock *rest = addBlock(fn, nest.part->name + ".rest");
  BasicBlock *left = addBlock(fn, nest.part->name + ".left");
  BasicBlock *exit = addBlock(fn, exitName(nest, depth));
  builder.CreateCondBr(builder.CreateICmpNE(groups, number(0)), group, rest);
  startBlock(fn, group);
  emitGroups(groups, rest);

  startBlock(fn, rest);
  Value *done = builder.CreateMul(groups, number(rows), "done");
  standAt(start, done);
  builder.CreateCondBr(builder.CreateICmpSLT(done, rowCount), left, exit);
  startBlock(fn, left);
  emitRows(indexAt(rowDim, done), lastRow, [&] {
    setColumns(number(0), builder.CreateSub(columnCount, number(1)));
  });
  startBlock(fn, exit);
}

void SkewedRows::emitGroups(Value *groups, BasicBlock *end) {
  Value *last = indexAt(
      rowDim, builder.CreateMul(builder.CreateSub(groups, builder.getInt64(1)),
                                builder.getInt64(rows)));
  Value *step = nest.range.steps[rowDim];
  Positions bumps;
  for (WalkerState &walker : nest.walkers)
    bumps.push_back(walker.bumps.empty() ? nullptr : walker.bumps[depth]);
  auto times = [&](Value *value) {
    return builder.CreateMul(value, builder.getInt64(rows));
  };
  Value *groupStep = times(step);
  Positions groupBumps;
  for (Value *bump : bumps)
    groupBumps.push_back(bump ? times(bump) : nullptr);

  setRange(rowDim, firstRow, last);
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *head = addBlock(fn, nest.part->name + ".rows");
  LevelPhis phis = openLevel(nest, depth, before, head);
  emitGroup();
  setRange(rowDim, firstRow, last);
  nest.range.steps[rowDim] = groupStep;
  for (auto [walker, bump] : zip(nest.walkers, groupBumps))
    if (bump)
      walker.bumps[depth] = bump;
  closeLevel(nest, depth, head, end, phis);
  nest.range.steps[rowDim] = step;
  for (auto [walker, bump] : zip(nest.walkers, bumps))
    if (bump)
      walker.bumps[depth] = bump;
}

void SkewedRows::emitGroup() {
  auto number = [&](int64_t n) { return builder.getInt64(n); };
  Value *first = nest.current[rowDim];
  Positions start = positions();
  auto behind = [&](int64_t r) {
    return builder.CreateAdd(
        first, builder.CreateMul(nest.range.steps[rowDim], number(r)));
  };
  auto behindColumns = [&] {
    return builder.CreateMul(rowNumber(first), number(skew));
  };
  if (lead != 0)
    emitRows(first, behind(rows - 2), [&] {
      setColumns(number(0),
                 builder.CreateSub(number(lead - 1), behindColumns()));
    });
  standAt(start, number(0));
  nest.current[rowDim] = first;
  emitSteps();
  if (lead == 0)
    return;
  standAt(start, number(1));
  emitRows(behind(1), behind(rows - 1), [&] {
    Value *end = builder.CreateSub(columnCount, number(1));
    setColumns(builder.CreateSub(columnCount, behindColumns()), end);
  });
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void SkewedRows::placeRows() {
  rowIndices.clear();
  pointers.clear();
  Positions start = positions();
  Value *first = nest.current[rowDim];
  for (int64_t r = 0; r < rows; ++r) {
    Value *number = builder.getInt64(r);
    rowIndices.push_back(builder.CreateAdd(
        first, builder.CreateMul(nest.range.steps[rowDim], number)));
    standAt(start, number);
    codegen::placeRows(nest);
    pointers.push_back(nest.rows);
  }
}

void SkewedRows::enterRow(unsigned number, Value *index, Value *count) {
  row = number;
  nest.rows = pointers[number];
  nest.current[rowDim] = rowIndices[number];
  nest.current[columnDim] = index;
  nest.count.now = count;
}

void SkewedRows::storeLineCarries() {
  for (auto &[array, line] : lineCarries)
    for (int64_t r = 0; r < rows; ++r) {
      enterRow(unsigned(r), indexAt(columnDim, builder.getInt64(0)),
               builder.getInt64(0));
      Value *value =
          join(nest, array->element, line.values[static_cast<size_t>(r)]);
      annotate(
          nest,
          store(fn, array->element, value, elementAddress(nest, line.target)),
          line.target);
    }
}

void SkewedRows::loadHistories(Value *from) {
  for (auto &[array, line] : lineCarries) {
    line.values.clear();
    for (int64_t r = 0; r < rows; ++r) {
      enterRow(unsigned(r), indexAt(columnDim, builder.getInt64(0)),
               builder.getInt64(0));
      line.values.push_back(
          split(nest, array->element, loadElement(nest, line.target)));
    }
  }
  for (auto &[key, history] : histories)
    for (auto [age, value] : enumerate(history.values)) {
      int64_t behind = skew * key.second + int64_t(age) + 1;
      Value *number = builder.CreateSub(from, builder.getInt64(behind));
      enterRow(key.second, indexAt(columnDim, number), number);
      value =
          split(nest, key.first->element, loadElement(nest, history.target));
    }
}

void SkewedRows::makePhis(BasicBlock *before) {
  for (auto &[array, line] : lineCarries) {
    line.phis.clear();
    for (Pieces &value : line.values) {
      Phis phis = codegen::makePhis(nest, value, array->name);
      addIncoming(phis, value, before);
      value.assign(phis.begin(), phis.end());
      line.phis.push_back(phis);
    }
  }
  for (auto &[key, history] : histories) {
    history.phis.clear();
    for (Pieces &value : history.values) {
      Phis phis = codegen::makePhis(nest, value, key.first->name);
      addIncoming(phis, value, before);
      value.assign(phis.begin(), phis.end());
      history.phis.push_back(phis);
    }
  }
}

void SkewedRows::closePhis(BasicBlock *latch) {
  for (auto &[array, line] : lineCarries)
    for (auto [phis, value] : zip(line.phis, line.values))
      addIncoming(phis, value, latch);
  for (auto &[key, history] : histories) {
    Value *newest = values.at({key.first, key.second, 0}).value;
    Pieces next = split(nest, key.first->element, newest);
    for (auto [phis, value] : zip(history.phis, history.values)) {
      addIncoming(phis, next, latch);
      next = value;
    }
  }
}

void SkewedRows::emitSteps() {
  placeRows();
  LaneRows lanes(*this);
  if (!lanes.isPossible())
    return emitStepsFrom(builder.getInt64(lead));
  Value *from = lanes.emit();
  BasicBlock *left = addBlock(fn, nest.part->name + ".steps.left");
  BasicBlock *done = addBlock(fn, nest.part->name + ".steps.done");
  builder.CreateCondBr(builder.CreateICmpNE(from, columnCount), left, done);
  startBlock(fn, left);
  emitStepsFrom(from);
  builder.CreateBr(done);
  startBlock(fn, done);
}

void SkewedRows::emitStepsFrom(Value *from) {
  loadHistories(from);
  setColumns(from, builder.CreateSub(columnCount, builder.getInt64(1)));
  // What single rows keep in registers is in memory between them.
  SaveAndRestore<decltype(nest.accumulators)> accumulators(nest.accumulators,
                                                           {});
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *head = addBlock(fn, nest.part->name + ".steps");
  BasicBlock *end = addBlock(fn, nest.part->name + ".steps.end");
  LevelPhis phis = openLevel(nest, depth + 1, before, head);
  makePhis(before);
  values.clear();
  nest.skewed = this;
  for (unsigned r = 0; r < rows; ++r) {
    Value *behind = builder.getInt64(skew * r);
    Value *index = builder.CreateSub(
        phis.index, builder.CreateMul(nest.range.steps[columnDim], behind));
    Value *count =
        phis.counter ? builder.CreateSub(phis.counter, behind) : nullptr;
    enterRow(r, index, count);
    emitBody(nest);
  }
  nest.skewed = nullptr;
  closePhis(builder.GetInsertBlock());
  closeLevel(nest, depth + 1, head, end, phis);
  startBlock(fn, end);
  storeLineCarries();
}

} // namespace zpl::codegen
