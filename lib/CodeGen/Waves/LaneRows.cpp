//===- LaneRows.cpp - M-loops: rows as lanes ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `rows 8 skew 1 lanes`: in the steps in which all rows of a group are at work
// (LowerSkewedRows.cpp), each operation is one of vectors whose lane r is row
// r. Steps go in blocks of as many as 32 bytes hold elements:
//
//   mloop.L33.lanes:
//     %A.acc = phi <8 x i32>      what the rows have stored a step before
//     for each step of the block:
//       operations; each array's element is a vector
//     transpose what was stored, and store a piece of each row
//
// *What rows have stored* in steps before stays in registers. Of the row k
// before it is that vector k lanes further, where the first k lanes come from
// the rows above the group, in memory:
//
//     %above = splat (load A)     %north = shuffle %above, %A.acc,
//                                          7, 8, 9, 10, 11, 12, 13, 14
//
// *What is in memory*. In a block row r is at the columns from t - skew * r on:
// a piece of each row is loaded from there and the block is transposed
// (Transpose.cpp), so that vector k is what the rows read in step k. The skew
// needs no rotation. An array with one row for all of the group is a piece of
// that row, backwards where the skew is 1; one that does not move along rows is
// loaded in front of the steps.
//
// What is loaded at the begin of a block is not stored before it is read: the
// loop stores only what later steps read from registers. What rows store goes
// to memory at the end of the block; the rows of other groups and the steps
// that are left read it there.
//
// Cost: the body is made once for each step of a block.
//
//===----------------------------------------------------------------------===//

#include "Waves/LaneRows.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerElementOps.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerWalkers.h"
#include "zpl/ArrayIR/LaneRows.h"
#include "zpl/ArrayIR/SkewedRows.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::codegen {

static unsigned stepsOfBlock(const SkewedRows &, const MLoopState &nest) {
  constexpr unsigned BlockBytes = 32;
  return std::min(std::max(BlockBytes / air::largestElement(nest.loop), 2u),
                  nest.loop.rows);
}

LaneRows::LaneRows(SkewedRows &group)
    : group(group), nest(group.nest), builder(group.builder),
      isDown(nest.plan.nest[group.depth + 1].level->down),
      width(stepsOfBlock(group, nest)) {}

bool LaneRows::isPossible() const {
  const RunTimeChecks &checks = nest.fn.module.options.checks;
  if (!nest.loop.inLanes || nest.plan.isCounted || isSparse(nest.plan) ||
      checks.overflow || checks.conversions)
    return false;
  for (const air::ElementOp &op : nest.loop.body) {
    auto *target = cast<air::ElementExpr>(op.target);
    bool isKept = target->array->isPerIndex() ? storesEverywhere(nest, op)
                                              : group.carries(target->array);
    if (!isKept)
      return false;
  }
  bool isPossible = true;
  air::forEachExpr(nest.loop, [&](const air::Expr &e) {
    auto *element = dyn_cast<air::ElementExpr>(&e);
    if (!element || element->array->isPerIndex())
      return;
    isPossible &= innerDim(nest.plan, element->walker) < 0 ||
                  isUnitStride(nest.plan, element->walker);
    for (const air::Array *array : group.carried)
      isPossible &= array == element->array ||
                    nest.aliases.areApart(array, element->array);
  });
  return isPossible;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void LaneRows::enter(unsigned row, unsigned step) {
  Value *at = builder.CreateAdd(
      number, builder.getInt64(int64_t(step) - group.skew * int64_t(row)));
  group.enterRow(row, group.indexAt(group.columnDim, at), nullptr);
}

Value *LaneRows::splat(Value *value) {
  return builder.CreateVectorSplat(unsigned(group.rows), value);
}

Value *LaneRows::fromMemory(air::Type type, Value *loaded) {
  if (type != air::Type::Bool)
    return loaded;
  return builder.CreateICmpNE(loaded,
                              Constant::getNullValue(loaded->getType()));
}

Value *LaneRows::blockAddress(const air::ElementExpr *element, unsigned row) {
  enter(row, isDown ? width - 1 : 0);
  return elementAddress(nest, element);
}

//===----------------------------------------------------------------------===//
// What is kept in registers
//===----------------------------------------------------------------------===//

void LaneRows::loadHistories() {
  for (auto &[key, history] : group.histories) {
    auto [array, row] = key;
    llvm::Type *type = nest.fn.types.value(array->element);
    auto &vectors = histories[array];
    for (size_t age = 0; age != history.values.size(); ++age) {
      if (vectors.size() == age)
        vectors.push_back(PoisonValue::get(vectorOf(type)));
      int64_t column = group.lead - group.skew * row - int64_t(age) - 1;
      group.enterRow(unsigned(row),
                     group.indexAt(group.columnDim, builder.getInt64(column)),
                     nullptr);
      vectors[age] = builder.CreateInsertElement(
          vectors[age], loadElement(nest, history.target), uint64_t(row));
    }
  }
}

void LaneRows::makePhis(BasicBlock *before) {
  for (auto &[array, vectors] : histories)
    for (Value *&vector : vectors) {
      PHINode *phi =
          builder.CreatePHI(vector->getType(), 2, array->name + ".acc");
      phi->addIncoming(vector, before);
      phis[array].push_back(phi);
      vector = phi;
    }
}

void LaneRows::closePhis(BasicBlock *latch) {
  for (auto &[array, vectors] : histories)
    for (auto [phi, vector] : zip(phis[array], vectors))
      phi->addIncoming(vector, latch);
}

Value *LaneRows::stored(const air::ElementExpr *element, int64_t back,
                        int64_t age) {
  Value *vector = histories[element->array][size_t(age) - 1];
  if (back == 0)
    return vector;
  int64_t rows = group.rows;
  Value *above = nullptr;
  SmallVector<int, 16> mask;
  for (int64_t row = 0; row != back; ++row) {
    enter(unsigned(row), step);
    Value *value = loadElement(nest, element);
    if (!above)
      above = splat(value);
    else
      above = builder.CreateInsertElement(above, value,
                                          uint64_t(rows - back + row));
  }
  for (int64_t lane = 0; lane != rows; ++lane)
    mask.push_back(int(rows - back + lane));
  return builder.CreateShuffleVector(above, vector, mask);
}

//===----------------------------------------------------------------------===//
// What is in memory
//===----------------------------------------------------------------------===//

Value *LaneRows::readBlock(const air::ElementExpr *element) {
  air::Type type = element->array->element;
  VectorBlock &block = blocks[{element->array, element->offset}];
  if (block.empty()) {
    VectorBlock pieces;
    auto *piece = FixedVectorType::get(nest.fn.types.memory(type), width);
    for (unsigned row = 0; row != unsigned(group.rows); ++row) {
      LoadInst *loaded = builder.CreateAlignedLoad(
          piece, blockAddress(element, row), nest.fn.types.align(type),
          element->array->name);
      annotate(nest, loaded, element);
      pieces.push_back(loaded);
    }
    block = transpose(builder, pieces, unsigned(nest.fn.types.size(type)));
    if (isDown)
      std::reverse(block.begin(), block.end());
  }
  return fromMemory(type, block[step]);
}

Value *LaneRows::readShared(const air::ElementExpr *element) {
  unsigned rows = unsigned(group.rows);
  air::Type type = element->array->element;
  if (group.skew == 0) {
    enter(0, step);
    return splat(loadElement(nest, element));
  }
  enter(isDown ? 0 : rows - 1, step);
  auto *piece = vectorOf(nest.fn.types.memory(type));
  LoadInst *loaded = builder.CreateAlignedLoad(
      piece, elementAddress(nest, element), nest.fn.types.align(type),
      element->array->name);
  annotate(nest, loaded, element);
  Value *value = isDown ? loaded : builder.CreateVectorReverse(loaded);
  return fromMemory(type, value);
}

Value *LaneRows::readStanding(const air::ElementExpr *element) {
  Value *&known = standing[{element->array, element->offset}];
  if (known)
    return known;
  IRBuilderBase::InsertPointGuard guard(builder);
  builder.SetInsertPoint(front->getTerminator());
  SaveAndRestore<Value *> first(number, builder.getInt64(group.lead));
  Value *vector =
      PoisonValue::get(vectorOf(nest.fn.types.value(element->array->element)));
  for (unsigned row = 0; row != unsigned(group.rows); ++row) {
    enter(row, 0);
    vector = builder.CreateInsertElement(vector, loadElement(nest, element),
                                         uint64_t(row));
  }
  return known = vector;
}

Value *LaneRows::read(const air::ElementExpr *element) {
  const air::Array *array = element->array;
  bool isHere = array->isPerIndex() || !element->isShifted();
  if (auto it = now.find(array); isHere && it != now.end())
    return it->second;
  if (array->isPerIndex())
    return PoisonValue::get(vectorOf(nest.fn.types.value(array->element)));
  std::optional<air::RowDistance> at = air::rowDistance(nest.loop, *element);
  if (at && group.carries(array)) {
    int64_t age = -(at->columns + group.skew * at->rows);
    bool isBefore = at->rows < 0 || (at->rows == 0 && at->columns < 0);
    if (isBefore && -at->rows < group.rows)
      return stored(element, -at->rows, age);
  }
  if (innerDim(nest.plan, element->walker) < 0)
    return readStanding(element);
  bool isShared = !isMoved(nest.plan, element->walker, group.depth);
  return isShared && group.skew <= 1 ? readShared(element) : readBlock(element);
}

void LaneRows::storeBlocks() {
  for (auto &[array, result] : results) {
    auto &[target, vectors] = result;
    air::Type type = array->element;
    if (isDown)
      std::reverse(vectors.begin(), vectors.end());
    if (type == air::Type::Bool)
      for (Value *&vector : vectors)
        vector = builder.CreateZExt(vector, vectorOf(nest.fn.types.i8));
    VectorBlock pieces =
        transpose(builder, vectors, unsigned(nest.fn.types.size(type)));
    for (auto [row, piece] : enumerate(pieces))
      annotate(nest,
               builder.CreateAlignedStore(piece,
                                          blockAddress(target, unsigned(row)),
                                          nest.fn.types.align(type)),
               target);
  }
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Value *LaneRows::lower(const air::Expr *expr) {
  if (Value *value = known.lookup(expr))
    return value;
  Value *value = lowerNode(expr);
  known[expr] = value;
  return value;
}

Value *LaneRows::indexOf(unsigned dim, bool isWide) {
  enter(0, step);
  Value *value = wideIndex(nest, dim);
  Value *vector = splat(value);
  if (dim == group.rowDim || dim == group.columnDim) {
    int64_t each = dim == group.rowDim ? 1 : -group.skew;
    SmallVector<Constant *, 16> numbers;
    for (int64_t row = 0; row != group.rows; ++row)
      numbers.push_back(
          ConstantInt::get(builder.getInt64Ty(), uint64_t(each * row), true));
    vector = builder.CreateAdd(vector,
                               builder.CreateMul(splat(nest.range.steps[dim]),
                                                 ConstantVector::get(numbers)));
  }
  return isWide ? vector
                : builder.CreateTrunc(vector, vectorOf(nest.fn.types.i32));
}

Value *LaneRows::lowerNode(const air::Expr *expr) {
  using air::ExprKind;
  ScalarOps &ops = nest.fn.ops;
  switch (expr->kind) {
  case ExprKind::Element:
    return read(cast<air::ElementExpr>(expr));
  case ExprKind::Index:
    return indexOf(cast<air::IndexExpr>(expr)->dim, /*isWide=*/false);
  case ExprKind::Unary: {
    auto *unary = cast<air::UnaryExpr>(expr);
    return ops.unary(unary->op, unary->operand->type, lower(unary->operand));
  }
  case ExprKind::Binary: {
    auto *binary = cast<air::BinaryExpr>(expr);
    Value *left = lower(binary->left);
    return ops.binary(binary->op, binary->left->type, left,
                      lower(binary->right));
  }
  case ExprKind::Compare: {
    auto *compare = cast<air::CompareExpr>(expr);
    Value *left = lower(compare->left);
    return ops.compare(compare->op, compare->left->type, left,
                       lower(compare->right));
  }
  case ExprKind::Fma: {
    auto *fma = cast<air::FmaExpr>(expr);
    Value *a = lower(fma->a);
    Value *b = lower(fma->b);
    return ops.fma(a, b, lower(fma->c));
  }
  case ExprKind::Cast: {
    auto *conversion = cast<air::CastExpr>(expr);
    auto *index = dyn_cast<air::IndexExpr>(conversion->operand);
    if (index && expr->type == air::Type::I64)
      return indexOf(index->dim, /*isWide=*/true);
    return ops.cast(conversion->operand->type, conversion->type,
                    lower(conversion->operand));
  }
  case ExprKind::Math: {
    auto *math = cast<air::MathExpr>(expr);
    SmallVector<Value *, 2> args;
    for (const air::Expr *arg : math->args)
      args.push_back(lower(arg));
    return ops.math(math->fn, math->type, args);
  }
  default: // the same for all lanes
    return splat(codegen::lower(nest.fn, expr));
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void LaneRows::emitOp(const air::ElementOp &op) {
  known.clear();
  auto *target = cast<air::ElementExpr>(op.target);
  Value *value = lower(op.value);
  if (op.guard) {
    Value *condition = lower(op.guard);
    value = builder.CreateSelect(condition, value, read(target));
  }
  now[target->array] = value;
  if (!target->array->isPerIndex())
    results[target->array].first = target;
}

void LaneRows::emitStep() {
  now.clear();
  for (const air::ElementOp &op : nest.part->ops) {
    setPlace(nest.fn, op.range.isValid() ? op.range : nest.loop.range);
    emitOp(op);
  }
  for (auto &[array, result] : results)
    result.second.push_back(now.at(array));
  for (auto &[array, vectors] : histories) {
    vectors.insert(vectors.begin(), now.at(array));
    vectors.pop_back();
  }
}

Value *LaneRows::emit() {
  FunctionState &fn = nest.fn;
  Value *steps =
      builder.CreateSub(group.columnCount, builder.getInt64(group.lead));
  Value *first = builder.getInt64(group.lead);
  Value *rest = builder.CreateURem(steps, builder.getInt64(width));
  Value *end = builder.CreateSub(group.columnCount, rest, "lanes.end");
  front = addBlock(fn, nest.part->name + ".lanes.front");
  BasicBlock *head = addBlock(fn, nest.part->name + ".lanes");
  BasicBlock *after = addBlock(fn, nest.part->name + ".lanes.end");
  builder.CreateCondBr(builder.CreateICmpNE(first, end), front, after);
  startBlock(fn, front);
  loadHistories();
  builder.CreateBr(head);
  startBlock(fn, head);
  PHINode *block = builder.CreatePHI(builder.getInt64Ty(), 2, "step");
  block->addIncoming(first, front);
  makePhis(front);
  number = block;
  for (step = 0; step != width; ++step)
    emitStep();
  storeBlocks();
  Value *next = builder.CreateAdd(block, builder.getInt64(width));
  block->addIncoming(next, builder.GetInsertBlock());
  closePhis(builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateICmpNE(next, end), head, after);
  startBlock(fn, after);
  return end;
}

} // namespace zpl::codegen
