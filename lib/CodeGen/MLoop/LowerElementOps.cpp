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
//    So are the carries of a scan, which other operations read on the way.
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

#include "MLoop/LowerElementOps.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerLets.h"
#include "MLoop/LowerLines.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerSteps.h"
#include "MLoop/LowerWalkers.h"
#include "Waves/SkewedRows.h"
#include "zpl/Analysis/Speculation.h"
#include "zpl/ArrayIR/Carries.h"
#include "zpl/ArrayIR/Walk.h"
#include <cmath>

using namespace llvm;

namespace zpl::codegen {

//===----------------------------------------------------------------------===//
// Carried values
//===----------------------------------------------------------------------===//

static void emitOp(MLoopState &m, const air::ElementOp &op);
static void emitWhere(MLoopState &m, const air::ElementOp &op,
                      llvm::function_ref<void()> emit);
static void emitStore(MLoopState &m, const air::ElementOp &op);
static void keep(MLoopState &m, const air::ElementOp &op, llvm::Value *value);
static void storeSelected(MLoopState &m, const air::ElementOp &op,
                          llvm::Value *value, llvm::Value *condition);
static void
updateElement(MLoopState &m, const air::ElementOp &op,
              llvm::function_ref<llvm::Value *(llvm::Value *)> taken);
static void emitAccumulate(MLoopState &m, const air::ElementOp &op);

Pieces split(MLoopState &m, air::Type type, Value *value) {
  if (!type.isComplex())
    return {value};
  ScalarOps::Parts number = m.fn.ops.parts(value);
  return {number.re, number.im};
}

Value *join(MLoopState &m, air::Type type, const Pieces &pieces) {
  return type.isComplex() ? m.fn.ops.complex(pieces[0], pieces[1]) : pieces[0];
}

Phis makePhis(MLoopState &m, const Pieces &like, StringRef name) {
  Phis phis;
  for (unsigned i = 0; i < like.size(); ++i)
    phis.push_back(m.builder.CreatePHI(like[i]->getType(), 2,
                                       name + (like.size() == 1 ? ".acc"
                                               : i == 0         ? ".re.acc"
                                                                : ".im.acc")));
  return phis;
}

void addIncoming(const Phis &phis, const Pieces &values, BasicBlock *from) {
  for (auto [phi, value] : zip(phis, values))
    phi->addIncoming(value, from);
}

Pieces merge(MLoopState &m, const Pieces &a, BasicBlock *fromA, const Pieces &b,
             BasicBlock *fromB, StringRef name) {
  Phis phis = makePhis(m, a, name);
  addIncoming(phis, a, fromA);
  addIncoming(phis, b, fromB);
  return Pieces(phis.begin(), phis.end());
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

StringRef Accumulator::name() const {
  return isElement() ? StringRef(air::rootElement(op->target)->array->name)
                     : StringRef(op->accumulator->name);
}

/// Whether accumulators are in their variables from box to box.
static bool goesOn(const MLoopState &m) {
  return m.inStrips || !m.loop.awaits.empty();
}

void startAccumulators(MLoopState &m) {
  for (const air::ElementOp &op : m.loop.body) {
    if (op.kind != air::ElementOp::Accumulate)
      continue;
    air::Type type = op.value->type;
    if (op.accumulator)
      m.accumulators[op.accumulator] = {
          &op, split(m, type,
                     goesOn(m) ? readVariable(m.fn, op.accumulator)
                               : m.fn.ops.identity(op.op, type))};
    else if (staysInRegister(m.plan, op, m.fn.procedure.mayAlias))
      m.accumulators[&op] = {&op, {}};
  }
  for (const air::ElementOp *op : carriesInRegisters(m))
    m.accumulators[air::rootElement(op->target)->array] = {op, {}};
}

SmallVector<const air::ElementOp *, 2> carriesInRegisters(const MLoopState &m) {
  SmallVector<const air::ElementOp *, 2> result;
  for (const air::Array *array : air::carriedAlong(m.loop)) {
    const air::ElementOp &first =
        *find_if(m.loop.body, [&](const air::ElementOp &op) {
          return op.kind == air::ElementOp::Store &&
                 air::rootElement(op.target)->array == array;
        });
    if (staysInRegister(m.plan, first, m.fn.procedure.mayAlias))
      result.push_back(&first);
  }
  return result;
}

static Accumulator *carriedElement(MLoopState &m, const air::Array *array) {
  auto it = m.accumulators.find(array);
  return it == m.accumulators.end() ? nullptr : &it->second;
}

Value *carriedValue(MLoopState &m, const air::ElementExpr *element) {
  Accumulator *carried = carriedElement(m, element->array);
  return carried ? join(m, carried->type(), carried->value) : nullptr;
}

bool isCarried(const MLoopState &m, const Accumulator &accumulator,
               unsigned depth) {
  if (accumulator.isElement() && !isInnermost(m, depth))
    return false;
  return isShared(m, depth) || accumulator.op->delay == m.part->delay;
}

void loadElements(MLoopState &m) {
  for (auto &[key, accumulator] : m.accumulators) {
    const air::ElementOp &op = *accumulator.op;
    if (!accumulator.isElement() || op.delay != m.part->delay)
      continue;
    accumulator.address = addressOf(m.fn, op.target);
    if (op.anew && m.pattern.isComplete) {
      accumulator.value = split(m, accumulator.type(),
                                m.fn.ops.identity(op.op, accumulator.type()));
      continue;
    }
    LoadInst *loaded = loadMemory(m.fn, accumulator.type(), accumulator.address,
                                  accumulator.name());
    annotate(m, loaded, op.target);
    accumulator.value = split(m, accumulator.type(),
                              fromMemory(m.fn, accumulator.type(), loaded));
  }
}

void storeElements(MLoopState &m) {
  for (auto &[key, accumulator] : m.accumulators) {
    const air::ElementOp &op = *accumulator.op;
    if (!accumulator.isElement() || op.delay != m.part->delay)
      continue;
    air::Type type = accumulator.type();
    Value *value =
        m.fn.ops.finish(op.op, type, join(m, type, accumulator.value));
    annotate(m, store(m.fn, type, value, accumulator.address), op.target);
  }
}

void finishAccumulators(MLoopState &m, BasicBlock *guard, BasicBlock *end) {
  SmallVector<Accumulator *, 4> variables;
  for (auto &[key, accumulator] : m.accumulators) {
    if (accumulator.isElement())
      continue;
    air::Type type = accumulator.type();
    accumulator.value =
        split(m, type,
              m.fn.ops.finish(accumulator.op->op, type,
                              join(m, type, accumulator.value)));
    variables.push_back(&accumulator);
  }
  BasicBlock *done = m.builder.GetInsertBlock();
  if (!goesOn(m))
    startBlock(m.fn, end);
  for (Accumulator *accumulator : variables)
    if (guard && !goesOn(m))
      accumulator->value = merge(
          m,
          split(m, accumulator->type(),
                m.fn.ops.identity(accumulator->op->op, accumulator->type())),
          guard, accumulator->value, done, accumulator->name());
  for (Accumulator *accumulator : variables)
    writeVariable(m.fn, accumulator->op->accumulator,
                  join(m, accumulator->type(), accumulator->value));
  if (goesOn(m))
    startBlock(m.fn, end);
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

void emitBody(MLoopState &m) {
  forgetElements(m);
  for (PreviousElement &element : m.behind)
    element.next = loadElement(m, element.own);
  for (const air::ElementOp &op : m.part->ops) {
    setPlace(m.fn, op.range.isValid() ? op.range : m.loop.range);
    emitOp(m, op);
  }
}

static void emitOp(MLoopState &m, const air::ElementOp &op) {
  switch (op.kind) {
  case air::ElementOp::Store:
    return emitStore(m, op);
  case air::ElementOp::Accumulate:
    return emitAccumulate(m, op);
  case air::ElementOp::Call:
    return emitWhere(m, op, [&] { lower(m.fn, op.value); });
  case air::ElementOp::Let:
    return emitLet(m, op);
  }
  llvm_unreachable("unknown element operation");
}

bool passesCopy(const MLoopState &m, const air::CallExpr &call,
                const air::Argument &arg) {
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
                  (!root || m.aliases.areApart(element->array, root->array));
         });
}

/// Code that is executed where the operation's guard is true.
static void emitWhere(MLoopState &m, const air::ElementOp &op,
                      function_ref<void()> emit) {
  if (!op.guard)
    return emit();
  BasicBlock *where = addBlock(m.fn, m.part->name + ".where");
  BasicBlock *next = addBlock(m.fn, m.part->name + ".where.end");
  m.builder.CreateCondBr(lower(m.fn, op.guard), where, next);
  startBlock(m.fn, where);
  emit();
  startBlock(m.fn, next);
}

/// Whether a guarded store is better done everywhere: there are no masked
/// stores of less than 32 bits, or another operation of the part, or another
/// copy of this one, has the element in a register.
static bool storesSelected(const MLoopState &m, const air::ElementOp &op) {
  if (m.fn.types.size(op.value->type) < 4 || air::isInBlocks(m.loop))
    return true;
  const air::Array *array = air::rootElement(op.target)->array;
  if (m.skewed && m.skewed->carries(array))
    return true;
  return any_of(m.part->ops, [&](const air::ElementOp &other) {
    bool touches = false;
    air::forEachExpr(other, [&](const air::Expr &e) {
      auto *element = dyn_cast<air::ElementExpr>(&e);
      touches |= element && element->array == array;
    });
    return touches && &other != &op;
  });
}

static bool maySpeculate(const MLoopState &m, const air::ElementOp &op) {
  return air::maySpeculate(op, m.fn.module.options.checks);
}

bool storesEverywhere(const MLoopState &m, const air::ElementOp &op,
                      bool isVain) {
  return (!op.guard && !isVain) || maySpeculate(m, op);
}

/// Makes \p value what is carried along.
static void carry(MLoopState &m, const air::ElementOp &op, Value *value) {
  auto *target = cast<air::ElementExpr>(op.target);
  if (Accumulator *carried = carriedElement(m, target->array))
    carried->value = split(m, op.value->type, value);
  else
    m.skewed->isStored(target, value);
}

/// A store of what is carried along in a register: no branch, where possible.
static void emitCarry(MLoopState &m, const air::ElementOp &op) {
  if (!op.guard)
    return carry(m, op, lower(m.fn, op.value));
  Value *old = readElement(m, cast<air::ElementExpr>(op.target));
  if (maySpeculate(m, op)) {
    Value *value = lower(m.fn, op.value);
    return carry(m, op,
                 m.builder.CreateSelect(lower(m.fn, op.guard), value, old));
  }
  BasicBlock *skips = nullptr, *takes = nullptr;
  Value *value = nullptr;
  emitWhere(m, op, [&] {
    skips = m.builder.GetInsertBlock()->getSinglePredecessor();
    value = lower(m.fn, op.value);
    takes = m.builder.GetInsertBlock();
  });
  carry(m, op,
        merge(m, {old}, skips, {value}, takes,
              air::rootElement(op.target)->array->name)
            .front());
}

static bool isInRegister(MLoopState &m, const air::ElementOp &op) {
  const air::Array *array = air::rootElement(op.target)->array;
  return carriedElement(m, array) ||
         (m.skewed && m.skewed->carriesAlong(array));
}

static void emitStore(MLoopState &m, const air::ElementOp &op) {
  if (isInRegister(m, op))
    return emitCarry(m, op);
  bool isEarly = storesEverywhere(m, op);
  Value *value = isEarly ? lower(m.fn, op.value) : nullptr;
  if (isEvery(m, op))
    return storeSelected(
        m, op, value,
        m.builder.CreateICmpEQ(
            m.builder.CreateAnd(m.count.now, m.builder.getInt64(1)),
            m.builder.getInt64(0)));
  if (op.guard && isEarly && storesSelected(m, op))
    return storeSelected(m, op, value, lower(m.fn, op.guard));
  emitWhere(m, op, [&] {
    if (!value)
      value = lower(m.fn, op.value);
    Value *place = addressOf(m.fn, op.target);
    annotate(m, store(m.fn, op.value->type, value, place), op.target);
    if (m.inner == InnerStrides::StoreTwo &&
        !air::rootElement(op.target)->array->isPerIndex())
      storeSibling(m, op, place);
  });
  keep(m, op, value);
}

/// What is stored may be read in later steps.
static void keep(MLoopState &m, const air::ElementOp &op, Value *value) {
  if (auto *element = dyn_cast<air::ElementExpr>(op.target);
      m.skewed && element)
    m.skewed->isStored(element, value);
}

/// Stores the value where the condition is true, what was there elsewhere.
static void storeSelected(MLoopState &m, const air::ElementOp &op, Value *value,
                          Value *condition) {
  air::Type type = op.value->type;
  Value *place = addressOf(m.fn, op.target);
  LoadInst *old = loadMemory(m.fn, type, place, "");
  annotate(m, old, op.target);
  value = m.builder.CreateSelect(condition, value, fromMemory(m.fn, type, old));
  annotate(m, store(m.fn, type, value, place), op.target);
  keep(m, op, value);
}

//===----------------------------------------------------------------------===//
// One guard for many repetitions
//===----------------------------------------------------------------------===//

bool hasOneGuard(const MLoopState &m) {
  const air::ElementOp &op = m.part->ops.front();
  if (m.part->ops.size() != 1 || op.kind != air::ElementOp::Store ||
      !op.guard || !maySpeculate(m, op) || !m.accumulators.empty() ||
      m.skewed || m.inner == InnerStrides::StoreTwo ||
      m.inner == InnerStrides::Blend)
    return false;
  const air::Array *target = air::rootElement(op.target)->array;
  bool isFixed = true;
  air::forEachExpr(*op.guard, [&](const air::Expr &e) {
    if (auto *element = dyn_cast<air::ElementExpr>(&e))
      isFixed &= element->array != target && element->array->panel < 0;
    if (auto *index = dyn_cast<air::IndexExpr>(&e))
      isFixed &= index->dim != m.loop.region->rank();
  });
  return isFixed;
}

Value *readTarget(MLoopState &m) {
  const air::ElementOp &op = m.part->ops.front();
  LoadInst *loaded =
      loadMemory(m.fn, op.value->type, addressOf(m.fn, op.target), "");
  annotate(m, loaded, op.target);
  return fromMemory(m.fn, op.value->type, loaded);
}

void emitWithoutGuard(MLoopState &m) {
  forgetElements(m);
  air::ElementOp everywhere = m.part->ops.front();
  everywhere.guard = nullptr;
  setPlace(m.fn, everywhere.range.isValid() ? everywhere.range : m.loop.range);
  emitStore(m, everywhere);
}

void storeUnderGuard(MLoopState &m, Value *old) {
  forgetElements(m);
  const air::ElementOp &op = m.part->ops.front();
  Value *value =
      m.builder.CreateSelect(lower(m.fn, op.guard), readTarget(m), old);
  annotate(m, store(m.fn, op.value->type, value, addressOf(m.fn, op.target)),
           op.target);
}

static Accumulator *accumulatorOf(MLoopState &m, const air::ElementOp &op) {
  auto it = m.accumulators.find(
      op.accumulator ? static_cast<const void *>(op.accumulator) : &op);
  return it == m.accumulators.end() ? nullptr : &it->second;
}

/// Takes a value in, where it is carried or in memory.
static void accumulate(MLoopState &m, const air::ElementOp &op, Value *value) {
  air::Type type = op.value->type;
  auto take = [&](Value *old) {
    return m.fn.ops.accumulate(op.op, type, old, value,
                               type.isFloat() && mayBeNaN(op.value));
  };
  if (Accumulator *carried = accumulatorOf(m, op))
    carried->value = split(m, type, take(join(m, type, carried->value)));
  else
    updateElement(m, op, [&](Value *old) {
      return m.fn.ops.finish(op.op, type, take(old));
    });
}

/// Stores what \p taken makes of the target's element.
static void updateElement(MLoopState &m, const air::ElementOp &op,
                          function_ref<Value *(Value *)> taken) {
  air::Type type = op.value->type;
  Value *place = addressOf(m.fn, op.target);
  LoadInst *old = loadMemory(m.fn, type, place, "");
  annotate(m, old, op.target);
  annotate(m, store(m.fn, type, taken(fromMemory(m.fn, type, old)), place),
           op.target);
}

/// The product that a sum in memory takes in, which is not rounded before; null
/// if there is none.
static const air::BinaryExpr *summedProduct(MLoopState &m,
                                            const air::ElementOp &op) {
  auto *product = dyn_cast<air::BinaryExpr>(op.value);
  bool isProduct = product && product->op == air::BinaryOp::Mul;
  bool isFused =
      op.value->type == air::Type::F32 || op.value->type == air::Type::F64;
  return isProduct && isFused && op.op == air::Reduction::Sum && !op.guard &&
                 !accumulatorOf(m, op)
             ? product
             : nullptr;
}

/// The value where the guard is true, elsewhere what changes no accumulator.
static Value *valueOrNeutral(MLoopState &m, const air::ElementOp &op) {
  air::Type type = op.value->type;
  Value *condition = lower(m.fn, op.guard);
  Pieces value = split(m, type, lower(m.fn, op.value));
  Pieces neutral = split(m, type, m.fn.ops.neutral(op.op, type));
  for (auto [piece, other] : zip(value, neutral))
    piece = m.builder.CreateSelect(condition, piece, other);
  return join(m, type, value);
}

static void emitAccumulate(MLoopState &m, const air::ElementOp &op) {
  if (const air::BinaryExpr *product = summedProduct(m, op)) {
    Value *left = lower(m.fn, product->left),
          *right = lower(m.fn, product->right);
    return updateElement(
        m, op, [&](Value *old) { return m.fn.ops.fma(left, right, old); });
  }
  if (!op.guard)
    return accumulate(m, op, lower(m.fn, op.value));
  bool hasNeutral =
      !op.value->type.isComplex() || op.op != air::Reduction::Product;
  if (hasNeutral && maySpeculate(m, op))
    return accumulate(m, op, valueOrNeutral(m, op));
  Accumulator *carried = accumulatorOf(m, op);
  Pieces old = carried ? carried->value : Pieces();
  BasicBlock *skips = nullptr, *takes = nullptr;
  emitWhere(m, op, [&] {
    skips = m.builder.GetInsertBlock()->getSinglePredecessor();
    accumulate(m, op, lower(m.fn, op.value));
    takes = m.builder.GetInsertBlock();
  });
  if (carried)
    carried->value =
        merge(m, old, skips, carried->value, takes, carried->name());
}

} // namespace zpl::codegen
