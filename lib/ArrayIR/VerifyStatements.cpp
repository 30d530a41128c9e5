//===- VerifyStatements.cpp - The rules of the array IR: statements -------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms: array assignments, reductions and element calls stand only in
// Block form, M-loops only in Loop form. Scalar procedures, which element code
// calls per index, have neither, and nothing that involves other processors or
// changes what all share.
//
// `[%R] %A = e` means "all of e before any store", yet runs element by
// element; so e must not read A at another index. ArrayGen splits such
// statements, and here is where a slip would show.
//
//===----------------------------------------------------------------------===//

#include "VerifierImpl.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

bool Verifier::list(const StmtList &list) {
  for (const Stmt *s : list) {
    if (!s)
      return fail(proc->range, "a statement is missing");
    if (!seen.insert(s).second)
      return fail(s->range, "a statement stands in two places");
    if (!allowed(*s) || !stmt(*s))
      return false;
  }
  return true;
}

/// In this form and sort of procedure.
bool Verifier::allowed(const Stmt &s) {
  bool inScalar = false;
  switch (s.kind) {
  case StmtKind::ArrayAssign:
  case StmtKind::Reduce:
  case StmtKind::ElementCall:
    if (proc->form != Form::Block)
      return fail(s.range, "an array statement stands in Loop form");
    break;
  case StmtKind::MLoop:
    if (proc->form != Form::Loop)
      return fail(s.range, "an M-loop stands in Block form");
    break;
  case StmtKind::Set:
  case StmtKind::Call:
  case StmtKind::Halt:
  case StmtKind::MissingReturn:
  case StmtKind::If:
  case StmtKind::While:
  case StmtKind::Repeat:
  case StmtKind::For:
  case StmtKind::Exit:
  case StmtKind::Continue:
  case StmtKind::Return:
    inScalar = true;
    break;
  case StmtKind::SetRegion:
  case StmtKind::DeclareRegion:
  case StmtKind::AllocArray:
  case StmtKind::FreeArray:
  case StmtKind::Shift:
  case StmtKind::Check:
  case StmtKind::Combine:
  case StmtKind::Write:
  case StmtKind::Timer:
  case StmtKind::TransferPoint:
    break;
  }
  return !proc->isScalar || inScalar ||
         fail(s.range, "a scalar procedure has a parallel statement");
}

//===----------------------------------------------------------------------===//
// Both forms
//===----------------------------------------------------------------------===//

bool Verifier::scalarTarget(const Variable *v, Type type, SourceRange range) {
  if (!visible(v, range))
    return false;
  if (proc->isScalar && v->storage == Storage::Global)
    return fail(range, "a scalar procedure changes a global");
  return v->type == type ||
         fail(range, printedName(*v) + " has type " + text(v->type) + ", not " +
                         text(type));
}

bool Verifier::set(const SetStmt &s) {
  return expr(s.value, s.range) &&
         (s.value->type != Type::Timer ||
          fail(s.range, "a timer is assigned")) &&
         scalarTarget(s.target, s.value->type, s.range);
}

bool Verifier::regionDims(const SetRegionStmt &s) {
  const RegionExpr &value = s.value;
  if (!sameRank(value.dims.size(), s.target->rank(), "the literal", s.range) ||
      (value.base && !visible(value.base, s.range)))
    return false;
  Shape shape;
  for (auto [d, dim] : enumerate(value.dims)) {
    if (dim.kind == DimExpr::Inherit) {
      if (!value.base || value.base->rank() != s.target->rank())
        return fail(s.range, "a blank dimension inherits from nothing");
      shape.push_back(value.base->shape[d]);
      continue;
    }
    if (!integer(dim.lo, s.range) ||
        (dim.kind == DimExpr::Range && !integer(dim.hi, s.range)))
      return false;
    shape.push_back(dim.kind == DimExpr::Range ? DimKind::Range
                                               : DimKind::Singleton);
  }
  return fits(shape, s.target->shape) ||
         fail(s.range, "a literal does not fit " + printedName(*s.target));
}

bool Verifier::setRegion(const SetRegionStmt &s) {
  if (!visible(s.target, s.range))
    return false;
  if (s.target->storage == Storage::Param)
    return fail(s.range, "a parameter region is set");
  const RegionExpr &value = s.value;
  if (value.kind == RegionExpr::Dims)
    return regionDims(s);
  if (value.kind == RegionExpr::Declared)
    return visible(value.array, s.range) &&
           (fits(value.array->shape, s.target->shape) ||
            fail(s.range, "a region does not fit " + printedName(*s.target)));
  if (!visible(value.base, s.range) ||
      !sameRank(value.base->rank(), s.target->rank(), "the base", s.range))
    return false;
  bool isMoved = value.kind == RegionExpr::At || value.kind == RegionExpr::Same;
  if (isMoved && !fits(value.base->shape, s.target->shape))
    return fail(s.range, "a region does not fit " + printedName(*s.target));
  return value.kind == RegionExpr::Same ||
         direction(value.direction, s.target->rank(), s.range);
}

bool Verifier::shift(const ShiftStmt &s) {
  if (!visible(s.target, s.range) || !visible(s.source, s.range) ||
      !visible(s.region, s.range) ||
      !sameRank(s.source->rank(), s.target->rank(), "the source", s.range) ||
      !sameRank(s.region->rank(), s.target->rank(), "the region", s.range) ||
      !direction(s.direction, s.target->rank(), s.range))
    return false;
  if (s.target->declared || s.target->storage != Storage::Local)
    return fail(s.range, "a shift needs a local array without a region");
  return s.target->element == s.source->element ||
         fail(s.range, "a shift changes the element type");
}

bool Verifier::check(const CheckStmt &s) {
  if (!visible(s.region, s.range))
    return false;
  if (s.check == CheckStmt::Bounds)
    return (!s.array && s.direction.empty()) ||
           fail(s.range, "a check of bounds has an array");
  if (!visible(s.array, s.range) ||
      !sameRank(s.array->rank(), s.region->rank(), "the array", s.range))
    return false;
  if (s.check == CheckStmt::Formal && !s.direction.empty())
    return fail(s.range, "a check of a formal has a direction");
  return s.direction.empty() ||
         direction(s.direction, s.region->rank(), s.range);
}

bool Verifier::callStmt(const CallStmt &s) {
  if (!s.call)
    return fail(s.range, "an operand is missing");
  if (!call(*s.call))
    return false;
  if (s.result && s.call->type == Type::Void)
    return fail(s.range, "a call without result is used as a value");
  return !s.result || scalarTarget(s.result, s.call->type, s.range);
}

bool Verifier::write(const WriteStmt &s) {
  for (const WriteItem &item : s.items) {
    if (item.value && item.array)
      return fail(item.range, "an item of output is two things");
    if (item.value && !(expr(item.value, item.range) &&
                        (item.value->type != Type::Timer ||
                         fail(item.range, "a timer is written"))))
      return false;
    if (item.array &&
        !(visible(item.array, item.range) && visible(item.region, item.range) &&
          sameRank(item.region->rank(), item.array->rank(), "the region",
                   item.range)))
      return false;
    if (item.format && !typed(item.format, Type::Str, item.range))
      return false;
  }
  return true;
}

bool Verifier::timer(const TimerStmt &s) {
  bool wantsTimer = s.op != TimerStmt::Reset && s.op != TimerStmt::Check;
  bool wantsResult = s.op == TimerStmt::Check || s.op == TimerStmt::Read;
  if (wantsTimer != (s.timer != nullptr) ||
      wantsResult != (s.result != nullptr) ||
      (s.op == TimerStmt::Start) != (s.sync != nullptr))
    return fail(s.range, "a timer operation has the wrong operands");
  if (s.timer && !(visible(s.timer, s.range) &&
                   (s.timer->type == Type::Timer ||
                    fail(s.range, printedName(*s.timer) + " is no timer"))))
    return false;
  return (!s.sync || typed(s.sync, Type::I32, s.range)) &&
         (!s.result || scalarTarget(s.result, Type::F64, s.range));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

bool Verifier::conditional(const IfStmt &s) {
  return typed(s.condition, Type::Bool, s.range) && list(s.thenBody) &&
         list(s.elseBody);
}

/// The prelude belongs to the test, not to the body: no exit or continue.
bool Verifier::loop(const StmtList &prelude, const Expr *condition,
                    const StmtList &body, SourceRange range) {
  unsigned outer = std::exchange(loopDepth, 0);
  if (!list(prelude))
    return false;
  loopDepth = outer + 1;
  bool good = list(body);
  loopDepth = outer;
  return good && typed(condition, Type::Bool, range);
}

bool Verifier::loopFor(const ForStmt &s) {
  if (!visible(s.variable, s.range))
    return false;
  Type type = s.variable->type;
  if (!isNumber(type))
    return fail(s.range, "a for loop counts in " + text(type));
  if (!scalarTarget(s.variable, type, s.range) ||
      !typed(s.from, type, s.range) || !typed(s.bound, type, s.range) ||
      !typed(s.step, type, s.range))
    return false;
  ++loopDepth;
  bool good = list(s.body);
  --loopDepth;
  return good;
}

bool Verifier::returns(const ReturnStmt &s) {
  if (proc->result == Type::Void)
    return !s.value || fail(s.range, "a value is returned from a procedure "
                                     "without result");
  return typed(s.value, proc->result, s.range);
}

//===----------------------------------------------------------------------===//
// Block form
//===----------------------------------------------------------------------===//

bool Verifier::elementTarget(const Array *target, const Expr &value,
                             SourceRange range) {
  bool good = true;
  forEachExpr(value, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (element && element->array == target && element->isShifted())
      good = false;
  });
  return good || fail(range, "the target " + printedName(*target) +
                                 " is read at another index");
}

bool Verifier::assign(const ArrayAssignStmt &s) {
  if (!visible(s.region, s.range) || !visible(s.target, s.range) ||
      !sameRank(s.target->rank(), s.region->rank(), printedName(*s.target),
                s.range) ||
      !inElements(s.region, s.value, s.range))
    return false;
  if (s.value->type != s.target->element)
    return fail(s.range, "a value of type " + text(s.value->type) +
                             " is assigned to elements of type " +
                             text(s.target->element));
  return elementTarget(s.target, *s.value, s.range);
}

bool Verifier::reducible(Reduction op, Type type, SourceRange range) {
  bool isLogical = op == Reduction::And || op == Reduction::Or;
  bool good =
      isLogical ? isInteger(type) || type == Type::Bool : isNumber(type);
  return good ||
         fail(range, "the reduction " + text(op) + " is not for " + text(type));
}

bool Verifier::reduce(const ReduceStmt &s) {
  return visible(s.region, s.range) && inElements(s.region, s.value, s.range) &&
         reducible(s.op, s.value->type, s.range) &&
         scalarTarget(s.target, s.value->type, s.range);
}

bool Verifier::elementCall(const ElementCallStmt &s) {
  if (!visible(s.region, s.range))
    return false;
  if (!s.call)
    return fail(s.range, "an operand is missing");
  covering = s.region;
  bool good = call(*s.call);
  covering = nullptr;
  if (!good)
    return false;
  for (const Argument &arg : s.call->args)
    if (arg.element && !elementTarget(arg.element->array, *s.call, s.range))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Loop form
//===----------------------------------------------------------------------===//

bool Verifier::levels(const MLoopStmt &s) {
  unsigned rank = s.region->rank();
  if (!sameRank(s.levels.size(), rank, "the loop nest", s.range))
    return false;
  unsigned used = 0;
  for (const LoopLevel &level : s.levels) {
    if (level.dim >= rank || (used >> level.dim & 1))
      return fail(s.range, "the levels are not one per dimension");
    used |= 1u << level.dim;
    if (level.flat && s.region->shape[level.dim] != DimKind::Singleton)
      return fail(s.range, "a flat level is not of a singleton dimension");
    if (level.flat && level.down)
      return fail(s.range, "a flat level has a direction");
  }
  return true;
}

bool Verifier::walkers(const MLoopStmt &s) {
  for (const Walker &walker : s.walkers) {
    if (!visible(walker.array, s.range) ||
        !sameRank(walker.array->rank(), s.region->rank(), "a walker", s.range))
      return false;
    if (walker.bumps.size() != s.levels.size())
      return fail(s.range, "a walker has not one bump per level");
    for (auto [bump, level] : zip(walker.bumps, s.levels))
      if (bump != -1 && (bump != int(level.dim) || level.flat))
        return fail(s.range, "a walker's bump is not its level's");
  }
  return true;
}

bool Verifier::elementOp(const ElementOp &op, const MLoopStmt &s) {
  SourceRange range = op.range.isValid() ? op.range : s.range;
  switch (op.kind) {
  case ElementOp::Store:
    if (!expr(op.target, range) || !expr(op.value, range))
      return false;
    if (op.target->isShifted())
      return fail(range, "a store is shifted");
    return op.target->type == op.value->type ||
           fail(range, "a value of type " + text(op.value->type) +
                           " is stored to elements of type " +
                           text(op.target->type));
  case ElementOp::Accumulate:
    return expr(op.value, range) && reducible(op.op, op.value->type, range) &&
           scalarTarget(op.accumulator, op.value->type, range);
  case ElementOp::Call:
    if (!isa_and_nonnull<CallExpr>(op.value))
      return fail(range, "a call of an M-loop is no call");
    return call(*cast<CallExpr>(op.value));
  }
  llvm_unreachable("an operation outside its enumeration");
}

/// An accumulator has no value inside its loop but in its own accumulation.
bool Verifier::accumulators(const MLoopStmt &s) {
  SmallPtrSet<const Variable *, 4> accumulated;
  for (const ElementOp &op : s.body)
    if (op.kind == ElementOp::Accumulate &&
        !accumulated.insert(op.accumulator).second)
      return fail(s.range,
                  printedName(*op.accumulator) + " is accumulated twice");
  bool good = true;
  forEachExpr(s, [&](const Expr &e) {
    auto *read = dyn_cast<VarExpr>(&e);
    if (read && accumulated.contains(read->variable))
      good = fail(e.range, printedName(*read->variable) +
                               " is read in the loop that accumulates it");
  });
  return good;
}

bool Verifier::mloop(const MLoopStmt &s) {
  if (!visible(s.region, s.range) || !levels(s) || !walkers(s))
    return false;
  covering = s.region;
  inMLoop = &s;
  bool good =
      all_of(s.body, [&](const ElementOp &op) { return elementOp(op, s); });
  covering = nullptr;
  inMLoop = nullptr;
  return good && accumulators(s);
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

bool Verifier::stmt(const Stmt &s) {
  switch (s.kind) {
  case StmtKind::Set:
    return set(cast<SetStmt>(s));
  case StmtKind::SetRegion:
    return setRegion(cast<SetRegionStmt>(s));
  case StmtKind::DeclareRegion:
    return visible(cast<DeclareRegionStmt>(s).region, s.range) &&
           (cast<DeclareRegionStmt>(s).region->storage == Storage::Global ||
            fail(s.range, "a region that is not global is declared"));
  case StmtKind::AllocArray: {
    const Array *array = cast<AllocArrayStmt>(s).array;
    return visible(array, s.range) &&
           (array->declared ||
            fail(s.range, printedName(*array) + " has no declared region"));
  }
  case StmtKind::FreeArray:
    return visible(cast<FreeArrayStmt>(s).array, s.range);
  case StmtKind::Shift:
    return shift(cast<ShiftStmt>(s));
  case StmtKind::Check:
    return check(cast<CheckStmt>(s));
  case StmtKind::Call:
    return callStmt(cast<CallStmt>(s));
  case StmtKind::Combine: {
    const auto &combine = cast<CombineStmt>(s);
    return visible(combine.variable, s.range) &&
           reducible(combine.op, combine.variable->type, s.range);
  }
  case StmtKind::Write:
    return write(cast<WriteStmt>(s));
  case StmtKind::Halt:
    return true;
  case StmtKind::MissingReturn:
    return proc->result != Type::Void ||
           fail(s.range, "a procedure without result misses its return");
  case StmtKind::Timer:
    return timer(cast<TimerStmt>(s));
  case StmtKind::If:
    return conditional(cast<IfStmt>(s));
  case StmtKind::While: {
    const auto &w = cast<WhileStmt>(s);
    return loop(w.prelude, w.condition, w.body, s.range);
  }
  case StmtKind::Repeat: {
    const auto &r = cast<RepeatStmt>(s);
    return loop(r.prelude, r.condition, r.body, s.range);
  }
  case StmtKind::For:
    return loopFor(cast<ForStmt>(s));
  case StmtKind::Exit:
  case StmtKind::Continue:
    return loopDepth > 0 ||
           fail(s.range, "exit or continue stands outside a loop");
  case StmtKind::Return:
    return returns(cast<ReturnStmt>(s));
  case StmtKind::TransferPoint:
    return visible(cast<TransferPointStmt>(s).transfer, s.range);
  case StmtKind::ArrayAssign:
    return assign(cast<ArrayAssignStmt>(s));
  case StmtKind::Reduce:
    return reduce(cast<ReduceStmt>(s));
  case StmtKind::ElementCall:
    return elementCall(cast<ElementCallStmt>(s));
  case StmtKind::MLoop:
    return mloop(cast<MLoopStmt>(s));
  }
  llvm_unreachable("a statement outside its enumeration");
}

} // namespace zpl::air
