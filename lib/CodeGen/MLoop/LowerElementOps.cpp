//===- LowerElementOps.cpp - M-loops: the operations ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of an M-loop is executed at each index, operation after operation.
//
// 1. Accumulators. A variable that is accumulated into is a phi through all
//    levels, from the operator's identity on; it is stored after the nest. An
//    element (of a partial reduction) that the innermost loop does not move is
//    loaded in front of that loop, a phi through it, and stored after it:
//
//      [R] T = reduce sum A      row sums: T over [1..n, *]
//
//    mloop.dim0:   %T.acc0 = load (T at i0)
//    mloop.body:     %T.acc = phi [%T.acc0], ...; fadd reassoc %T.acc, A
//    mloop.dim0.next: store (T at i0)
//
//    Elsewhere (column sums: T over [*, 1..n]) it is loaded and stored at each
//    index; the loop over one row vectorizes, and of a sum of products each is
//    one fma: a reduction's sum has no fixed roundings. A complex number is
//    carried as two phis, for LLVM takes pairs apart in memory, not in phis.
//
// 2. Guards. `where g` is a branch around the operation, which becomes a masked
//    store when LLVM vectorizes. Values that are quickly computed and cannot
//    end the run are computed in front of it, so that no load is under it;
//    unless it says `index(d) = constant`, for a slice may be all that arrays
//    have of the region. For
//    elements of less than 32 bits AVX2 has no masked store; these are stored
//    everywhere, as `select g, value, old`, which is three to six times as fast
//    there and the same with AVX-512. So are elements that other operations of
//    the loop touch: in registers, without branches, fused statements go on to
//    vectorize. An accumulator takes in `select g, value, neutral` instead of a
//    branch: the neutral value (ScalarReductions.cpp) changes none, and the
//    reduction vectorizes as if there were no guard.
//
// 3. Elements that a procedure gets by reference are copied into cells for the
//    time of the call, if they are surely distinct. Such a cell is nobody
//    else's, so that, once the call is inlined, LLVM keeps it in a register:
//    a loop of the element's own then runs without memory.
//
//===----------------------------------------------------------------------===//

#include "MLoop/LowerMLoop.h"
#include "MLoop/SkewedRows.h"
#include "zpl/Analysis/Speculation.h"
#include "zpl/ArrayIR/Walk.h"
#include <cmath>

using namespace llvm;

namespace zpl::codegen {

//===----------------------------------------------------------------------===//
// Carried values
//===----------------------------------------------------------------------===//

MLoopLowering::Pieces MLoopLowering::split(air::Type type, Value *value) {
  if (!type.isComplex())
    return {value};
  ScalarOps::Parts number = fn.ops.parts(value);
  return {number.re, number.im};
}

Value *MLoopLowering::join(air::Type type, const Pieces &pieces) {
  return type.isComplex() ? fn.ops.complex(pieces[0], pieces[1]) : pieces[0];
}

MLoopLowering::Phis MLoopLowering::makePhis(const Pieces &like,
                                            StringRef name) {
  Phis phis;
  for (unsigned i = 0; i < like.size(); ++i)
    phis.push_back(builder.CreatePHI(like[i]->getType(), 2,
                                     name + (like.size() == 1 ? ".acc"
                                             : i == 0         ? ".re.acc"
                                                              : ".im.acc")));
  return phis;
}

void MLoopLowering::addIncoming(const Phis &phis, const Pieces &values,
                                BasicBlock *from) {
  for (auto [phi, value] : zip(phis, values))
    phi->addIncoming(value, from);
}

/// One of two values, by the block that control comes from.
MLoopLowering::Pieces MLoopLowering::merge(const Pieces &a, BasicBlock *fromA,
                                           const Pieces &b, BasicBlock *fromB,
                                           StringRef name) {
  Phis phis = makePhis(a, name);
  addIncoming(phis, a, fromA);
  addIncoming(phis, b, fromB);
  return Pieces(phis.begin(), phis.end());
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

StringRef MLoopLowering::Accumulator::name() const {
  return isElement() ? StringRef(air::rootElement(op->target)->array->name)
                     : StringRef(op->accumulator->name);
}

/// True if an element that is accumulated into is the same during the innermost
/// loop. Nothing else in the loop touches it (the verifier sees to that) unless
/// its array has other names.
bool MLoopLowering::staysInRegister(const air::ElementOp &op) const {
  auto *target = dyn_cast<air::ElementExpr>(op.target);
  if (!target || nest.empty() || innerDim(target->walker) >= 0 ||
      target->array->isContracted())
    return false;
  return !fn.procedure.mayAlias ||
         target->array->storage == air::Storage::Local;
}

void MLoopLowering::startAccumulators() {
  for (const air::ElementOp &op : loop.body) {
    if (op.kind != air::ElementOp::Accumulate)
      continue;
    air::Type type = op.value->type;
    if (op.accumulator)
      accumulators[op.accumulator] = {
          &op,
          split(type, loop.awaits.empty() ? fn.ops.identity(op.op, type)
                                          : fn.readVariable(op.accumulator))};
    else if (staysInRegister(op))
      accumulators[&op] = {&op, {}};
  }
}

/// Whether the loop at \p depth, in the current part, changes it.
bool MLoopLowering::isCarried(const Accumulator &accumulator,
                              unsigned depth) const {
  if (accumulator.isElement() && !isInnermost(depth))
    return false;
  return isShared(depth) || accumulator.op->delay == part->delay;
}

/// In front of the innermost loop.
void MLoopLowering::loadElements() {
  for (auto &[key, accumulator] : accumulators) {
    const air::ElementOp &op = *accumulator.op;
    if (!accumulator.isElement() || op.delay != part->delay)
      continue;
    accumulator.address = fn.addressOf(op.target);
    LoadInst *loaded = fn.loadMemory(accumulator.type(), accumulator.address,
                                     accumulator.name());
    annotate(loaded, op.target);
    accumulator.value =
        split(accumulator.type(), fn.fromMemory(accumulator.type(), loaded));
  }
}

/// After the innermost loop.
void MLoopLowering::storeElements() {
  for (auto &[key, accumulator] : accumulators) {
    const air::ElementOp &op = *accumulator.op;
    if (!accumulator.isElement() || op.delay != part->delay)
      continue;
    air::Type type = accumulator.type();
    Value *value = fn.ops.finish(op.op, type, join(type, accumulator.value));
    annotate(fn.store(type, value, accumulator.address), op.target);
  }
}

/// Ends the nest and stores the variables, or their identities if this
/// processor owns nothing; if that is one box of several, nothing then.
void MLoopLowering::finishAccumulators(BasicBlock *guard, BasicBlock *end) {
  SmallVector<Accumulator *, 4> variables;
  for (auto &[key, accumulator] : accumulators) {
    if (accumulator.isElement())
      continue;
    air::Type type = accumulator.type();
    accumulator.value =
        split(type, fn.ops.finish(accumulator.op->op, type,
                                  join(type, accumulator.value)));
    variables.push_back(&accumulator);
  }
  BasicBlock *done = builder.GetInsertBlock();
  if (loop.awaits.empty())
    fn.startBlock(end);
  for (Accumulator *accumulator : variables)
    if (guard && loop.awaits.empty())
      accumulator->value = merge(
          split(accumulator->type(),
                fn.ops.identity(accumulator->op->op, accumulator->type())),
          guard, accumulator->value, done, accumulator->name());
  for (Accumulator *accumulator : variables)
    fn.writeVariable(accumulator->op->accumulator,
                     join(accumulator->type(), accumulator->value));
  if (!loop.awaits.empty())
    fn.startBlock(end);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// False if \p e, of a float type, is no NaN whatever the variables hold.
static bool mayBeNaN(const air::Expr *e) {
  if (auto *constant = dyn_cast<air::ConstExpr>(e))
    return std::isnan(constant->number);
  if (auto *unary = dyn_cast<air::UnaryExpr>(e))
    return mayBeNaN(unary->operand);
  if (auto *conversion = dyn_cast<air::CastExpr>(e))
    return conversion->operand->type.isFloat() && mayBeNaN(conversion->operand);
  return true;
}

void MLoopLowering::emitBody() {
  forgetElements();
  for (PreviousElement &element : behind)
    element.next = loadElement(element.own);
  for (const air::ElementOp &op : part->ops) {
    fn.setPlace(op.range.isValid() ? op.range : loop.range);
    emitOp(op);
  }
}

void MLoopLowering::emitOp(const air::ElementOp &op) {
  switch (op.kind) {
  case air::ElementOp::Store:
    return emitStore(op);
  case air::ElementOp::Accumulate:
    return emitAccumulate(op);
  case air::ElementOp::Call:
    return emitWhere(op, [&] { fn.lower(op.value); });
  case air::ElementOp::Let:
    return emitLet(op);
  }
  llvm_unreachable("unknown element operation");
}

/// A scalar element that no other argument refers to, or changes by a call.
/// (What the procedure uses beside its arguments is no array.)
bool MLoopLowering::passesCopy(const air::CallExpr &call,
                               const air::Argument &arg) const {
  if (!arg.place || arg.place->type.isAggregate() ||
      !call.callee->thunk.empty())
    return false;
  const air::ElementExpr *element = air::rootElement(arg.place);
  return element && all_of(call.args, [&](const air::Argument &other) {
           bool calls = false;
           if (other.value)
             air::forEachExpr(*other.value, [&](const air::Expr &e) {
               calls |= isa<air::CallExpr>(e);
             });
           const air::ElementExpr *root = other.place && &other != &arg
                                              ? air::rootElement(other.place)
                                              : nullptr;
           return !calls &&
                  (!root || aliases.areApart(element->array, root->array));
         });
}

/// Code that is executed where the operation's guard is true.
void MLoopLowering::emitWhere(const air::ElementOp &op,
                              function_ref<void()> emit) {
  if (!op.guard)
    return emit();
  BasicBlock *where = fn.addBlock(part->name + ".where");
  BasicBlock *next = fn.addBlock(part->name + ".where.end");
  builder.CreateCondBr(fn.lower(op.guard), where, next);
  fn.startBlock(where);
  emit();
  fn.startBlock(next);
}

/// Whether a guarded store is better done everywhere: there are no masked
/// stores of less than 32 bits, or another operation of the part has the
/// element in a register.
bool MLoopLowering::storesSelected(const air::ElementOp &op) const {
  if (fn.types.size(op.value->type) < 4)
    return true;
  const air::Array *array = air::rootElement(op.target)->array;
  if (skewed && skewed->carries(array))
    return true;
  return any_of(part->ops, [&](const air::ElementOp &other) {
    bool touches = false;
    air::forEachExpr(other, [&](const air::Expr &e) {
      auto *element = dyn_cast<air::ElementExpr>(&e);
      touches |= element && element->array == array;
    });
    return touches && &other != &op;
  });
}

bool MLoopLowering::maySpeculate(const air::ElementOp &op) const {
  return air::maySpeculate(op, fn.module.options.checks);
}

/// Whether what the target holds afterwards can be known without a branch; with
/// \p isVain, if the value is not wanted at each index.
bool MLoopLowering::storesEverywhere(const air::ElementOp &op,
                                     bool isVain) const {
  return (!op.guard && !isVain) || maySpeculate(op);
}

void MLoopLowering::emitStore(const air::ElementOp &op) {
  bool isEarly = storesEverywhere(op);
  Value *value = isEarly ? fn.lower(op.value) : nullptr;
  if (isEvery(op))
    return storeSelected(
        op, value,
        builder.CreateICmpEQ(builder.CreateAnd(counter, builder.getInt64(1)),
                             builder.getInt64(0)));
  if (op.guard && isEarly && storesSelected(op))
    return storeSelected(op, value, fn.lower(op.guard));
  emitWhere(op, [&] {
    if (!value)
      value = fn.lower(op.value);
    Value *place = fn.addressOf(op.target);
    annotate(fn.store(op.value->type, value, place), op.target);
    if (inner == InnerStrides::StoreTwo &&
        !air::rootElement(op.target)->array->isPerIndex())
      storeSibling(op, place);
  });
  keep(op, value);
}

/// What is stored may be read in later steps.
void MLoopLowering::keep(const air::ElementOp &op, Value *value) {
  if (auto *element = dyn_cast<air::ElementExpr>(op.target); skewed && element)
    skewed->isStored(element, value);
}

/// Stores the value where the condition is true, what was there elsewhere.
void MLoopLowering::storeSelected(const air::ElementOp &op, Value *value,
                                  Value *condition) {
  air::Type type = op.value->type;
  Value *place = fn.addressOf(op.target);
  LoadInst *old = fn.loadMemory(type, place, "");
  annotate(old, op.target);
  value = builder.CreateSelect(condition, value, fn.fromMemory(type, old));
  annotate(fn.store(type, value, place), op.target);
  keep(op, value);
}

MLoopLowering::Accumulator *
MLoopLowering::accumulatorOf(const air::ElementOp &op) {
  auto it = accumulators.find(
      op.accumulator ? static_cast<const void *>(op.accumulator) : &op);
  return it == accumulators.end() ? nullptr : &it->second;
}

/// Takes a value in, where it is carried or in memory.
void MLoopLowering::accumulate(const air::ElementOp &op, Value *value) {
  air::Type type = op.value->type;
  auto take = [&](Value *old) {
    return fn.ops.accumulate(op.op, type, old, value,
                             type.isFloat() && mayBeNaN(op.value));
  };
  if (Accumulator *carried = accumulatorOf(op))
    carried->value = split(type, take(join(type, carried->value)));
  else
    updateElement(
        op, [&](Value *old) { return fn.ops.finish(op.op, type, take(old)); });
}

/// Stores what \p taken makes of the target's element.
void MLoopLowering::updateElement(const air::ElementOp &op,
                                  function_ref<Value *(Value *)> taken) {
  air::Type type = op.value->type;
  Value *place = fn.addressOf(op.target);
  LoadInst *old = fn.loadMemory(type, place, "");
  annotate(old, op.target);
  annotate(fn.store(type, taken(fn.fromMemory(type, old)), place), op.target);
}

/// The product that a sum in memory takes in, which is not rounded before; null
/// if there is none.
const air::BinaryExpr *MLoopLowering::summedProduct(const air::ElementOp &op) {
  auto *product = dyn_cast<air::BinaryExpr>(op.value);
  bool isProduct = product && product->op == air::BinaryOp::Mul;
  bool isFused =
      op.value->type == air::Type::F32 || op.value->type == air::Type::F64;
  return isProduct && isFused && op.op == air::Reduction::Sum && !op.guard &&
                 !accumulatorOf(op)
             ? product
             : nullptr;
}

/// The value where the guard is true, elsewhere what changes no accumulator.
Value *MLoopLowering::valueOrNeutral(const air::ElementOp &op) {
  air::Type type = op.value->type;
  Value *condition = fn.lower(op.guard);
  Pieces value = split(type, fn.lower(op.value));
  Pieces neutral = split(type, fn.ops.neutral(op.op, type));
  for (auto [piece, other] : zip(value, neutral))
    piece = builder.CreateSelect(condition, piece, other);
  return join(type, value);
}

void MLoopLowering::emitAccumulate(const air::ElementOp &op) {
  if (const air::BinaryExpr *product = summedProduct(op)) {
    Value *left = fn.lower(product->left), *right = fn.lower(product->right);
    return updateElement(
        op, [&](Value *old) { return fn.ops.fma(left, right, old); });
  }
  if (!op.guard)
    return accumulate(op, fn.lower(op.value));
  bool hasNeutral =
      !op.value->type.isComplex() || op.op != air::Reduction::Product;
  if (hasNeutral && maySpeculate(op))
    return accumulate(op, valueOrNeutral(op));
  Accumulator *carried = accumulatorOf(op);
  Pieces old = carried ? carried->value : Pieces();
  BasicBlock *skips = nullptr, *takes = nullptr;
  emitWhere(op, [&] {
    skips = builder.GetInsertBlock()->getSinglePredecessor();
    accumulate(op, fn.lower(op.value));
    takes = builder.GetInsertBlock();
  });
  if (carried)
    carried->value = merge(old, skips, carried->value, takes, carried->name());
}

} // namespace zpl::codegen
