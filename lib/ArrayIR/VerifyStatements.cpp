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
//===----------------------------------------------------------------------===//

#include "VerifierImpl.h"
#include "zpl/ArrayIR/Walk.h"
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
  case StmtKind::ReduceArray:
  case StmtKind::ElementCall:
    if (proc->form != Form::Block)
      return fail(s.range, "an array statement stands in Loop form");
    break;
  case StmtKind::MLoop:
  case StmtKind::Interleave:
    if (proc->form != Form::Loop && !inWave)
      return fail(s.range, "an M-loop stands in Block form");
    break;
  case StmtKind::Set:
  case StmtKind::AllocVariable:
  case StmtKind::FreeVariable:
  case StmtKind::CheckShape:
  case StmtKind::CheckThat:
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
  case StmtKind::BindArray:
  case StmtKind::AllocArray:
  case StmtKind::Realloc:
  case StmtKind::FreeArray:
  case StmtKind::Shift:
  case StmtKind::Flood:
  case StmtKind::Put:
  case StmtKind::Fold:
  case StmtKind::CombineArray:
  case StmtKind::Scan:
  case StmtKind::OperatorEnd:
  case StmtKind::Gather:
  case StmtKind::Scatter:
  case StmtKind::Boundary:
  case StmtKind::Check:
  case StmtKind::Combine:
  case StmtKind::Write:
  case StmtKind::Read:
  case StmtKind::Builtin:
  case StmtKind::BindIo:
  case StmtKind::Config:
  case StmtKind::Timer:
  case StmtKind::TransferPoint:
  case StmtKind::Wave:
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
  if (!writable(s.target, s.range) || !typed(s.value, s.target->type, s.range))
    return false;
  if (rootElement(s.target))
    return fail(s.range, "an element is set outside element code");
  return (isValue(s.value->type) && !s.value->type.isFamily()) ||
         fail(s.range, "a " + text(s.value->type) + " is assigned");
}

bool Verifier::regionDims(const SetRegionStmt &s) {
  const RegionExpr &value = s.value;
  if (!sameRank(value.dims.size(), s.target->rank(), "the literal", s.range) ||
      (value.base && !visible(value.base, s.range)))
    return false;
  Shape shape;
  for (auto [d, dim] : enumerate(value.dims)) {
    switch (dim.kind) {
    case DimExpr::Inherit:
      if (!value.base || value.base->rank() != s.target->rank())
        return fail(s.range, "a blank dimension inherits from nothing");
      shape.push_back(value.base->shape[d]);
      continue;
    case DimExpr::Flood:
      shape.push_back(DimKind::Flood);
      continue;
    case DimExpr::Grid:
      shape.push_back(DimKind::Grid);
      continue;
    case DimExpr::Range:
      shape.push_back(DimKind::Range);
      break;
    case DimExpr::Single:
      shape.push_back(DimKind::Singleton);
      break;
    case DimExpr::Seq:
      shape.push_back(DimKind::Strided);
      if (!typed(dim.stride, Type::I64, s.range) ||
          !typed(dim.align, Type::I64, s.range))
        return false;
      break;
    }
    if (!integer(dim.lo, s.range) ||
        (dim.kind != DimExpr::Single && !integer(dim.hi, s.range)))
      return false;
  }
  return fits(shape, s.target->shape) ||
         fail(s.range, "a literal does not fit " + printedName(*s.target));
}

static bool isZero(const Expr *component) {
  if (auto *conversion = dyn_cast<CastExpr>(component))
    component = conversion->operand;
  auto *constant = dyn_cast<ConstExpr>(component);
  return constant && constant->integer == 0;
}

/// The shape of what a region operator makes of a region.
static Shape shapeOf(const RegionExpr &value) {
  Shape shape = value.base->shape;
  bool isSide = value.kind == RegionExpr::Of || value.kind == RegionExpr::In;
  for (auto [kind, component] : zip(shape, value.direction))
    if (value.kind == RegionExpr::By && kind == DimKind::Range)
      kind = isZero(component) ? kind : DimKind::Strided;
    else if (isSide && kind == DimKind::Singleton)
      kind = isZero(component) ? kind : DimKind::Range;
  return shape;
}

/// The borders of another array serve if both are over one region.
bool Verifier::isLike(const AllocArrayStmt &s) {
  return visible(s.like, s.range) &&
         ((s.like->element == s.array->element &&
           s.like->shape == s.array->shape && s.array->borders.empty()) ||
          fail(s.range,
               printedName(*s.array) + " is not like " + printedName(*s.like)));
}

bool Verifier::setRegion(const SetRegionStmt &s) {
  if (!visible(s.target, s.range))
    return false;
  if (s.target->storage == Storage::Param)
    return fail(s.range, "a parameter region is set");
  const RegionExpr &value = s.value;
  if (value.level && !typed(value.level, Type::I64, s.range))
    return false;
  if (value.kind == RegionExpr::Dims)
    return regionDims(s);
  bool good = value.kind == RegionExpr::Declared
                  ? visible(value.array, s.range)
                  : visible(value.base, s.range) &&
                        sameRank(value.base->rank(), s.target->rank(),
                                 "the base", s.range) &&
                        (value.kind == RegionExpr::Same ||
                         direction(value.direction, s.target->rank(), s.range));
  if (!good)
    return false;
  return fits(value.kind == RegionExpr::Declared ? value.array->shape
                                                 : shapeOf(value),
              s.target->shape) ||
         fail(s.range, "a region does not fit " + printedName(*s.target));
}

bool Verifier::memory(const Variable *v, bool isAlloc, SourceRange range) {
  if (!v)
    return fail(range, "an operand is missing");
  if (isAlloc)
    allocated.insert(v);
  return visible(v, range) &&
         (v->onHeap || fail(range, printedName(*v) + " is not on the heap"));
}

/// Whether \p e is a place that starts from a variable.
bool Verifier::variablePlace(const Expr *e, SourceRange range) {
  return expr(e, range) &&
         (rootVariable(e) || fail(range, "a place is not that of a variable"));
}

bool Verifier::bindArray(const BindArrayStmt &s) {
  if (!visible(s.array, s.range) || !variablePlace(s.place, s.range))
    return false;
  if (!s.array->family)
    return fail(s.range, printedName(*s.array) + " is no view");
  if (rootVariable(s.place) != s.array->family)
    return fail(s.range, printedName(*s.array) + " is a view of " +
                             printedName(*s.array->family));
  return s.place->type == Type::Handle ||
         fail(s.range, "a view is bound to " + text(s.place->type));
}

bool Verifier::checkShape(const CheckShapeStmt &s) {
  return typed(s.extentA, Type::I64, s.range) &&
         typed(s.extentB, Type::I64, s.range);
}

bool Verifier::checkThat(const CheckThatStmt &s) {
  if (s.values.size() > 2)
    return fail(s.range, "a check shows at most two values");
  return typed(s.condition, Type::Bool, s.range) &&
         all_of(s.values, [&](const Expr *value) {
           return typed(value, Type::I64, s.range);
         });
}

bool Verifier::builtin(const BuiltinStmt &s) {
  static const struct {
    std::initializer_list<Type> args;
    Type result;
  } Signatures[] = {{{Type::Str, Type::I32}, Type::File},
                    {{Type::File}, Type::Void},
                    {{Type::File}, Type::I32},
                    {{}, Type::F64}};
  const auto &signature = Signatures[unsigned(s.fn)];
  if (s.args.size() != signature.args.size())
    return fail(s.range,
                text(s.fn) + " has " + Twine(arity(s.fn)) + " arguments");
  for (auto [arg, type] : zip(s.args, signature.args))
    if (!typed(arg, type, s.range))
      return false;
  if (s.result && signature.result == Type::Void)
    return fail(s.range, text(s.fn) + " has no result");
  return !s.result || scalarTarget(s.result, signature.result, s.range);
}

bool Verifier::bindIo(const BindIoStmt &s) {
  if (!visible(s.array, s.range))
    return false;
  if (!s.procedure)
    return true;
  if (!procedures.contains(s.procedure))
    return fail(s.range, "the bound procedure is not in the module");
  if (!hasNoDemands(*s.procedure, s.range))
    return false;
  const auto &params = s.procedure->params;
  auto isReference = [&](unsigned i, Type type) {
    const Variable *v = params[i].variable;
    return v && v->byReference && v->type == type;
  };
  return (params.size() == 2 && isReference(0, Type::File) &&
          isReference(1, s.array->element) &&
          s.procedure->result == Type::Void) ||
         fail(s.range, printedName(*s.procedure) +
                           " has not a file and an element by reference");
}

bool Verifier::config(const ConfigStmt &s) {
  if (proc != module.initialize)
    return fail(s.range, "a config variable is set outside the initial "
                         "procedure");
  return visible(s.variable, s.range) &&
         (s.variable->isConfig ||
          fail(s.range,
               printedName(*s.variable) + " is not a config variable")) &&
         list(s.defaults);
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
  if (!typed(s.file, Type::File, s.range))
    return false;
  for (const WriteItem &item : s.items) {
    if (item.value && item.array)
      return fail(item.range, "an item of output is two things");
    if (item.value &&
        !(expr(item.value, item.range) &&
          (isValue(item.value->type) ||
           fail(item.range, "a " + text(item.value->type) + " is written"))))
      return false;
    if (item.array && !readable(item.array, item.region, item.range))
      return false;
    if (item.format && !typed(item.format, Type::Str, item.range))
      return false;
  }
  return true;
}

bool Verifier::read(const ReadStmt &s) {
  if (!typed(s.file, Type::File, s.range))
    return false;
  for (const ReadItem &item : s.items) {
    if ((item.place != nullptr) == (item.array != nullptr))
      return fail(item.range, "an item of input is not exactly one thing");
    if (item.array && !writable(item.array, item.region, item.range))
      return false;
    if (item.place &&
        !(writable(item.place, item.range) &&
          (isValue(item.place->type) ||
           fail(item.range, "a " + text(item.place->type) + " is read"))))
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
  if (!writable(s.variable, s.range))
    return false;
  Type type = s.variable->type;
  if (!isOrdered(type) || type == Type::Bool)
    return fail(s.range, "a for loop counts in " + text(type));
  if (!typed(s.from, type, s.range) || !typed(s.bound, type, s.range) ||
      !typed(s.step, type == Type::Enum ? Type(Type::I32) : type, s.range))
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
           (cast<DeclareRegionStmt>(s).region->storage != Storage::Param ||
            fail(s.range, "a parameter region is declared"));
  case StmtKind::BindArray:
    return bindArray(cast<BindArrayStmt>(s));
  case StmtKind::AllocArray: {
    auto &alloc = cast<AllocArrayStmt>(s);
    return visible(alloc.array, s.range) &&
           (alloc.array->declared ||
            fail(s.range,
                 printedName(*alloc.array) + " has no declared region")) &&
           (!alloc.follows || variablePlace(alloc.follows, s.range)) &&
           (!alloc.like || isLike(alloc));
  }
  case StmtKind::Realloc: {
    auto &realloc = cast<ReallocStmt>(s);
    return visible(realloc.region, s.range) &&
           variablePlace(realloc.key, s.range);
  }
  case StmtKind::FreeArray:
    return visible(cast<FreeArrayStmt>(s).array, s.range);
  case StmtKind::AllocVariable:
    return memory(cast<AllocVariableStmt>(s).variable, true, s.range);
  case StmtKind::FreeVariable:
    return memory(cast<FreeVariableStmt>(s).variable, false, s.range);
  case StmtKind::Shift:
    return shift(cast<ShiftStmt>(s));
  case StmtKind::Flood:
    return flood(cast<FloodStmt>(s));
  case StmtKind::Put:
    return put(cast<PutStmt>(s));
  case StmtKind::Fold:
    return fold(cast<FoldStmt>(s));
  case StmtKind::CombineArray:
    return combineArray(cast<CombineArrayStmt>(s));
  case StmtKind::Scan:
    return scan(cast<ScanStmt>(s));
  case StmtKind::OperatorEnd:
    return visible(cast<OperatorEndStmt>(s).target, s.range);
  case StmtKind::Gather:
    return gather(cast<GatherStmt>(s));
  case StmtKind::Scatter:
    return scatter(cast<ScatterStmt>(s));
  case StmtKind::Boundary:
    return boundary(cast<BoundaryStmt>(s));
  case StmtKind::Check:
    return check(cast<CheckStmt>(s));
  case StmtKind::CheckShape:
    return checkShape(cast<CheckShapeStmt>(s));
  case StmtKind::CheckThat:
    return checkThat(cast<CheckThatStmt>(s));
  case StmtKind::Call:
    return callStmt(cast<CallStmt>(s));
  case StmtKind::Combine: {
    const auto &combine = cast<CombineStmt>(s);
    if (combine.phase == CombineStmt::End)
      return visible(combine.variable, s.range);
    return visible(combine.variable, s.range) &&
           (combine.phase == CombineStmt::Whole || !combine.with ||
            fail(s.range, "an operator of the program is combined whole")) &&
           reducible(combine.op, combine.with, combine.variable->type,
                     s.range) &&
           (!combine.region || visible(combine.region, s.range));
  }
  case StmtKind::Write:
    return write(cast<WriteStmt>(s));
  case StmtKind::Read:
    return read(cast<ReadStmt>(s));
  case StmtKind::Builtin:
    return builtin(cast<BuiltinStmt>(s));
  case StmtKind::BindIo:
    return bindIo(cast<BindIoStmt>(s));
  case StmtKind::Config:
    return config(cast<ConfigStmt>(s));
  case StmtKind::Halt:
  case StmtKind::MissingReturn:
    return true;
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
  case StmtKind::ReduceArray:
    return reduceArray(cast<ReduceArrayStmt>(s));
  case StmtKind::ElementCall:
    return elementCall(cast<ElementCallStmt>(s));
  case StmtKind::MLoop:
    return mloop(cast<MLoopStmt>(s));
  case StmtKind::Wave:
    return wave(cast<WaveStmt>(s));
  case StmtKind::Interleave:
    return interleave(cast<InterleaveStmt>(s));
  }
  llvm_unreachable("a statement outside its enumeration");
}

} // namespace zpl::air
