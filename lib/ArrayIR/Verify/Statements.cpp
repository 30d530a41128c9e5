//===- Statements.cpp - The rules of the array IR: statements -------------===//
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

#include "Verify/Statements.h"
#include "Verify/ArrayStatements.h"
#include "Verify/Communication.h"
#include "Verify/Declarations.h"
#include "Verify/Expressions.h"
#include "Verify/LoopForms.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

static bool allowed(Verifying &state, const Stmt &s);
static bool verifyStmt(Verifying &state, const Stmt &s);

bool verifyList(Verifying &state, const StmtList &list) {
  for (const Stmt *s : list) {
    if (!s)
      return fail(state, state.proc->range, "a statement is missing");
    if (!state.seen.insert(s).second)
      return fail(state, s->range, "a statement stands in two places");
    if (!allowed(state, *s) || !verifyStmt(state, *s))
      return false;
  }
  return true;
}

/// In this form and sort of procedure.
static bool allowed(Verifying &state, const Stmt &s) {
  bool inScalar = false;
  switch (groupOf(s)) {
  case StmtGroup::Elements:
  case StmtGroup::ElementCall:
    if (state.proc->form != Form::Block)
      return fail(state, s.range, "an array statement stands in Loop form");
    break;
  case StmtGroup::Sweep:
  case StmtGroup::Sweeps:
    if (state.proc->form != Form::Loop && !state.inWave)
      return fail(state, s.range, "an M-loop stands in Block form");
    break;
  case StmtGroup::Scalar:
  case StmtGroup::Memory:
  case StmtGroup::Call:
  case StmtGroup::Branch:
  case StmtGroup::Leave:
    inScalar = true;
    break;
  case StmtGroup::Array:
  case StmtGroup::Runtime:
  case StmtGroup::Wave:
  case StmtGroup::Boxes:
    break;
  }
  return !state.proc->isScalar || inScalar ||
         fail(state, s.range, "a scalar procedure has a parallel statement");
}

//===----------------------------------------------------------------------===//
// Both forms
//===----------------------------------------------------------------------===//

bool scalarTarget(Verifying &state, const Variable *v, Type type,
                  SourceRange range) {
  if (!visible(state, v, range))
    return false;
  if (state.proc->isScalar && v->storage == Storage::Global)
    return fail(state, range, "a scalar procedure changes a global");
  return v->type == type || fail(state, range,
                                 printedName(*v) + " has type " +
                                     text(v->type) + ", not " + text(type));
}

static bool verifySet(Verifying &state, const SetStmt &s) {
  if (!writable(state, s.target, s.range) ||
      !typed(state, s.value, s.target->type, s.range))
    return false;
  if (rootElement(s.target))
    return fail(state, s.range, "an element is set outside element code");
  return (isValue(s.value->type) && !s.value->type.isFamily()) ||
         fail(state, s.range, "a " + text(s.value->type) + " is assigned");
}

static bool verifyRegionDims(Verifying &state, const SetRegionStmt &s) {
  const RegionExpr &value = s.value;
  if (!sameRank(state, value.dims.size(), s.target->rank(), "the literal",
                s.range) ||
      (value.base && !visible(state, value.base, s.range)))
    return false;
  Shape shape;
  for (auto [d, dim] : enumerate(value.dims)) {
    switch (dim.kind) {
    case DimExpr::Inherit:
      if (!value.base || value.base->rank() != s.target->rank())
        return fail(state, s.range, "a blank dimension inherits from nothing");
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
      if (!typed(state, dim.stride, Type::I64, s.range) ||
          !typed(state, dim.align, Type::I64, s.range))
        return false;
      break;
    }
    if (!verifyInteger(state, dim.lo, s.range) ||
        (dim.kind != DimExpr::Single && !verifyInteger(state, dim.hi, s.range)))
      return false;
  }
  return fits(shape, s.target->shape) ||
         fail(state, s.range,
              "a literal does not fit " + printedName(*s.target));
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
static bool isLike(Verifying &state, const AllocArrayStmt &s) {
  return visible(state, s.like, s.range) &&
         ((s.like->element == s.array->element &&
           s.like->shape == s.array->shape && s.array->borders.empty()) ||
          fail(state, s.range,
               printedName(*s.array) + " is not like " + printedName(*s.like)));
}

static bool verifySetRegion(Verifying &state, const SetRegionStmt &s) {
  if (!visible(state, s.target, s.range))
    return false;
  if (s.target->storage == Storage::Param)
    return fail(state, s.range, "a parameter region is set");
  const RegionExpr &value = s.value;
  if ((value.level && !typed(state, value.level, Type::I64, s.range)) ||
      !verifySparseValue(state, s))
    return false;
  if (value.kind == RegionExpr::Dims)
    return verifyRegionDims(state, s);
  bool good = value.kind == RegionExpr::Declared
                  ? visible(state, value.array, s.range)
                  : visible(state, value.base, s.range) &&
                        sameRank(state, value.base->rank(), s.target->rank(),
                                 "the base", s.range) &&
                        (value.kind == RegionExpr::Same ||
                         value.kind == RegionExpr::Where ||
                         verifyDirection(state, value.direction,
                                         s.target->rank(), s.range));
  if (!good)
    return false;
  return fits(value.kind == RegionExpr::Declared ? value.array->shape
                                                 : shapeOf(value),
              s.target->shape) ||
         fail(state, s.range,
              "a region does not fit " + printedName(*s.target));
}

static bool verifyMemory(Verifying &state, const Variable *v, bool isAlloc,
                         SourceRange range) {
  if (!v)
    return fail(state, range, "an operand is missing");
  // What has no memory may be freed.
  bool isNew = state.allocated.insert(v).second;
  bool good = visible(state, v, range) &&
              (v->onHeap ||
               fail(state, range, printedName(*v) + " is not on the heap"));
  if (isNew && !isAlloc)
    state.allocated.erase(v);
  return good;
}

/// The bounds that are set are the upper bounds of the variable, from 1, and of
/// it alone: kept like it.
static bool verifyResize(Verifying &state, const ResizeStmt &s) {
  if (!verifyMemory(state, s.variable, false, s.range) ||
      !hasMemory(state, *s.variable, s.range))
    return false;
  if (s.variable->type != Type::Array ||
      s.bounds.size() != s.variable->type.info()->hi.size() ||
      s.lengths.size() != s.bounds.size())
    return fail(state, s.range,
                printedName(*s.variable) +
                    " is not resized by one length per dimension");
  const TypeInfo &info = *s.variable->type.info();
  for (size_t d = 0; d != s.bounds.size(); ++d) {
    bool isBound = s.bounds[d] && info.hi[d].variable == s.bounds[d] &&
                   !info.lo[d].variable && info.lo[d].value == 1 &&
                   s.bounds[d]->storage == s.variable->storage;
    if (!isBound)
      return fail(state, s.range,
                  "what is set is no upper bound of " +
                      printedName(*s.variable));
    if (!visible(state, s.bounds[d], s.range) ||
        !typed(state, s.lengths[d], Type::I64, s.range))
      return false;
  }
  return true;
}

bool verifyVariablePlace(Verifying &state, const Expr *e, SourceRange range) {
  return verifyExpr(state, e, range) &&
         (rootVariable(e) ||
          fail(state, range, "a place is not that of a variable"));
}

/// The constant subscripts of a place, of all levels; empty if one is not
/// constant.
static SmallVector<int64_t, 2> constantSubscripts(const Expr *place) {
  SmallVector<int64_t, 2> result;
  for (; auto *level = dyn_cast<SubscriptExpr>(place); place = level->base)
    for (const Expr *subscript : reverse(level->subscripts)) {
      auto *constant = dyn_cast<ConstExpr>(subscript);
      if (!constant)
        return {};
      result.insert(result.begin(), constant->integer);
    }
  return result;
}

static bool verifyBindArray(Verifying &state, const BindArrayStmt &s) {
  if (!visible(state, s.array, s.range) ||
      !verifyVariablePlace(state, s.place, s.range))
    return false;
  if (!s.array->family)
    return fail(state, s.range, printedName(*s.array) + " is no view");
  if (rootVariable(s.place) != s.array->family)
    return fail(state, s.range,
                printedName(*s.array) + " is a view of " +
                    printedName(*s.array->family));
  if (!s.array->member.empty() &&
      s.array->member != constantSubscripts(s.place))
    return fail(state, s.range,
                printedName(*s.array) + " is bound to another member");
  return s.place->type == Type::Handle ||
         fail(state, s.range, "a view is bound to " + text(s.place->type));
}

static bool verifyCheckShape(Verifying &state, const CheckShapeStmt &s) {
  return typed(state, s.extentA, Type::I64, s.range) &&
         typed(state, s.extentB, Type::I64, s.range);
}

static bool verifyCheckThat(Verifying &state, const CheckThatStmt &s) {
  if (s.values.size() > 2)
    return fail(state, s.range, "a check shows at most two values");
  return typed(state, s.condition, Type::Bool, s.range) &&
         all_of(s.values, [&](const Expr *value) {
           return typed(state, value, Type::I64, s.range);
         });
}

static bool isListOfStrings(Type type) {
  return type == Type::Array && type.info()->lo.size() == 1 &&
         type.info()->element == Type::Str;
}

static bool verifyBuiltin(Verifying &state, const BuiltinStmt &s) {
  static const struct {
    std::initializer_list<Type> args;
    Type result;
  } Signatures[] = {
      {{Type::Str, Type::I32}, Type::File},
      {{Type::File}, Type::Void},
      {{Type::File}, Type::I32},
      {{}, Type::F64},
      {{Type::Str, Type::Str, Type::I32, Type::F64, Type::F64, Type::I32},
       Type::File},
      {{Type::File}, Type::I32},
      {{Type::File, Type::I32}, Type::I32},
      {{Type::File}, Type::Str},
      {{Type::Str, Type::Str}, Type::I32},
      {{}, Type::Str},
      {{Type::Str}, Type::Str},
      {{}, Type::I32},
      {{Type::I32}, Type::Str},
      {{Type::I32, Type::I32}, Type::I32},
      {{Type::I32, Type::I32}, Type::I32},
      {{Type::Str}, Type::File},
      {{}, Type::File},
      {{}, Type::I32},
      {{Type::File, Type::Str, Type::I32}, Type::Void}};
  const auto &signature = Signatures[unsigned(s.fn)];
  if (s.args.size() != signature.args.size())
    return fail(state, s.range,
                text(s.fn) + " has " + Twine(arity(s.fn)) + " arguments");
  for (auto [arg, type] : zip(s.args, signature.args))
    if (!typed(state, arg, type, s.range))
      return false;
  if ((s.fn == Builtin::Split) != (s.place != nullptr))
    return fail(state, s.range, "split stores to a place, nothing else does");
  if (s.place && !isListOfStrings(s.place->type))
    return fail(state, s.range, "split stores to an array of strings");
  if (s.place && !writable(state, s.place, s.range))
    return false;
  if (s.result && signature.result == Type::Void)
    return fail(state, s.range, text(s.fn) + " has no result");
  return !s.result || scalarTarget(state, s.result, signature.result, s.range);
}

static bool verifyBindIo(Verifying &state, const BindIoStmt &s) {
  if (!visible(state, s.array, s.range))
    return false;
  if (s.like)
    return visible(state, s.like, s.range) &&
           (s.like->element == s.array->element ||
            fail(state, s.range, "the elements are of other types"));
  if (!s.procedure)
    return true;
  if (!state.procedures.contains(s.procedure))
    return fail(state, s.range, "the bound procedure is not in the module");
  if (!hasNoDemands(state, *s.procedure, s.range))
    return false;
  const auto &params = s.procedure->params;
  auto isReference = [&](unsigned i, Type type) {
    const Variable *v = params[i].variable;
    return v && v->byReference && v->type == type;
  };
  return (params.size() == 2 && isReference(0, Type::File) &&
          isReference(1, s.array->element) &&
          s.procedure->result == Type::Void) ||
         fail(state, s.range,
              printedName(*s.procedure) +
                  " has not a file and an element by reference");
}

/// What has an order of its own.
static bool isSortable(Type type) {
  return type == Type::Bool || type == Type::Char || type == Type::Enum ||
         type == Type::Str || isNumber(type);
}

static bool verifySort(Verifying &state, const SortStmt &s) {
  if (s.arrays.empty() || !s.region || s.region->rank() != 1)
    return fail(state, s.range, "a sort needs arrays and a region of rank 1");
  for (const Array *array : s.arrays)
    if (!writable(state, array, s.region, s.range))
      return false;
  for (size_t k = 1; k < s.arrays.size(); ++k)
    if (is_contained(ArrayRef(s.arrays).take_front(k), s.arrays[k]))
      return fail(state, s.range, "an array is sorted twice");
  Type element = s.arrays.front()->element;
  if (s.with)
    return !s.isDescending
               ? takesReferences(state, s.with, {element, element, Type::Bool},
                                 s.range)
               : fail(state, s.range, "a procedure does not sort descending");
  return isSortable(element) ||
         fail(state, s.range, "a " + text(element) + " has no order");
}

static bool verifyConfig(Verifying &state, const ConfigStmt &s) {
  if (state.proc != state.module.initialize)
    return fail(state, s.range,
                "a config variable is set outside the initial "
                "procedure");
  return visible(state, s.variable, s.range) &&
         (s.variable->isConfig ||
          fail(state, s.range,
               printedName(*s.variable) + " is not a config variable")) &&
         verifyList(state, s.defaults);
}

static bool verifyCallStmt(Verifying &state, const CallStmt &s) {
  if (!s.call)
    return fail(state, s.range, "an operand is missing");
  if (!verifyCall(state, *s.call))
    return false;
  if (s.result && s.call->type == Type::Void)
    return fail(state, s.range, "a call without result is used as a value");
  return !s.result || scalarTarget(state, s.result, s.call->type, s.range);
}

static bool verifyWrite(Verifying &state, const WriteStmt &s) {
  if (!typed(state, s.file, Type::File, s.range))
    return false;
  for (const WriteItem &item : s.items) {
    if (item.value && item.array)
      return fail(state, item.range, "an item of output is two things");
    if (item.value && !(verifyExpr(state, item.value, item.range) &&
                        (isValue(item.value->type) ||
                         fail(state, item.range,
                              "a " + text(item.value->type) + " is written"))))
      return false;
    if (item.array && !readable(state, item.array, item.region, item.range))
      return false;
    if (item.format && !typed(state, item.format, Type::Str, item.range))
      return false;
  }
  return true;
}

static bool verifyRead(Verifying &state, const ReadStmt &s) {
  if (!typed(state, s.file, Type::File, s.range))
    return false;
  for (const ReadItem &item : s.items) {
    if ((item.place != nullptr) == (item.array != nullptr))
      return fail(state, item.range,
                  "an item of input is not exactly one thing");
    if (item.array && !writable(state, item.array, item.region, item.range))
      return false;
    if (item.place && !(writable(state, item.place, item.range) &&
                        (isValue(item.place->type) ||
                         fail(state, item.range,
                              "a " + text(item.place->type) + " is read"))))
      return false;
    if (item.format && !typed(state, item.format, Type::Str, item.range))
      return false;
  }
  return true;
}

static bool verifyTimer(Verifying &state, const TimerStmt &s) {
  bool wantsTimer = s.op != TimerStmt::Reset && s.op != TimerStmt::Check;
  bool wantsResult = s.op == TimerStmt::Check || s.op == TimerStmt::Read;
  if (wantsTimer != (s.timer != nullptr) ||
      wantsResult != (s.result != nullptr) ||
      (s.op == TimerStmt::Start) != (s.sync != nullptr))
    return fail(state, s.range, "a timer operation has the wrong operands");
  if (s.timer &&
      !(visible(state, s.timer, s.range) &&
        (s.timer->type == Type::Timer ||
         fail(state, s.range, printedName(*s.timer) + " is no timer"))))
    return false;
  return (!s.sync || typed(state, s.sync, Type::I32, s.range)) &&
         (!s.result || scalarTarget(state, s.result, Type::F64, s.range));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static bool verifyConditional(Verifying &state, const IfStmt &s) {
  return typed(state, s.condition, Type::Bool, s.range) &&
         verifyList(state, s.thenBody) && verifyList(state, s.elseBody);
}

/// The prelude belongs to the test, not to the body: no exit or continue.
static bool verifyLoop(Verifying &state, const StmtList &prelude,
                       const Expr *condition, const StmtList &body,
                       SourceRange range) {
  unsigned outer = std::exchange(state.loopDepth, 0);
  if (!verifyList(state, prelude))
    return false;
  state.loopDepth = outer + 1;
  bool good = verifyList(state, body);
  state.loopDepth = outer;
  return good && typed(state, condition, Type::Bool, range);
}

static bool verifyLoopFor(Verifying &state, const ForStmt &s) {
  if (!writable(state, s.variable, s.range))
    return false;
  Type type = s.variable->type;
  if (!isOrdered(type) || type == Type::Bool)
    return fail(state, s.range, "a for loop counts in " + text(type));
  if (!typed(state, s.from, type, s.range) ||
      !typed(state, s.bound, type, s.range) ||
      !typed(state, s.step, type == Type::Enum ? Type(Type::I32) : type,
             s.range))
    return false;
  ++state.loopDepth;
  bool good = verifyList(state, s.body);
  --state.loopDepth;
  return good;
}

static bool verifyReturns(Verifying &state, const ReturnStmt &s) {
  if (state.proc->result == Type::Void)
    return !s.value || fail(state, s.range,
                            "a value is returned from a procedure "
                            "without result");
  return typed(state, s.value, state.proc->result, s.range);
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

static bool verifyStmt(Verifying &state, const Stmt &s) {
  switch (s.kind) {
  case StmtKind::Set:
    return verifySet(state, cast<SetStmt>(s));
  case StmtKind::SetRegion:
    return verifySetRegion(state, cast<SetRegionStmt>(s));
  case StmtKind::DeclareRegion:
    return visible(state, cast<DeclareRegionStmt>(s).region, s.range) &&
           (cast<DeclareRegionStmt>(s).region->storage != Storage::Param ||
            fail(state, s.range, "a parameter region is declared"));
  case StmtKind::SetGrid:
    return verifySetGrid(state, cast<SetGridStmt>(s));
  case StmtKind::SetDistribution:
    return verifySetDistribution(state, cast<SetDistributionStmt>(s));
  case StmtKind::Move:
    return verifyMove(state, cast<MoveStmt>(s));
  case StmtKind::Pattern:
    return verifyPattern(state, cast<PatternStmt>(s));
  case StmtKind::KeepPattern:
    return verifyKeepPattern(state, cast<KeepPatternStmt>(s));
  case StmtKind::AskPattern:
    return verifyAskPattern(state, cast<AskPatternStmt>(s));
  case StmtKind::Modify:
    return verifyModify(state, cast<ModifyStmt>(s));
  case StmtKind::AddIndex:
    return verifyAddIndex(state, cast<AddIndexStmt>(s));
  case StmtKind::Irv:
    return verifyIrv(state, cast<IrvStmt>(s));
  case StmtKind::Fetch:
    return verifyFetch(state, cast<FetchStmt>(s));
  case StmtKind::Store:
    return verifyStore(state, cast<StoreStmt>(s));
  case StmtKind::BindArray:
    return verifyBindArray(state, cast<BindArrayStmt>(s));
  case StmtKind::AllocArray: {
    auto &alloc = cast<AllocArrayStmt>(s);
    return visible(state, alloc.array, s.range) &&
           (alloc.array->declared ||
            fail(state, s.range,
                 printedName(*alloc.array) + " has no declared region")) &&
           (!alloc.follows ||
            verifyVariablePlace(state, alloc.follows, s.range)) &&
           (!alloc.like || isLike(state, alloc));
  }
  case StmtKind::Realloc: {
    auto &realloc = cast<ReallocStmt>(s);
    return visible(state, realloc.region, s.range) &&
           verifyVariablePlace(state, realloc.key, s.range);
  }
  case StmtKind::FreeArray:
    return visible(state, cast<FreeArrayStmt>(s).array, s.range);
  case StmtKind::AllocVariable:
    return verifyMemory(state, cast<AllocVariableStmt>(s).variable, true,
                        s.range);
  case StmtKind::FreeVariable:
    return verifyMemory(state, cast<FreeVariableStmt>(s).variable, false,
                        s.range);
  case StmtKind::Resize:
    return verifyResize(state, cast<ResizeStmt>(s));
  case StmtKind::Shift:
    return verifyShift(state, cast<ShiftStmt>(s));
  case StmtKind::Flood:
    return verifyFlood(state, cast<FloodStmt>(s));
  case StmtKind::Put:
    return verifyPut(state, cast<PutStmt>(s));
  case StmtKind::Fold:
    return verifyFold(state, cast<FoldStmt>(s));
  case StmtKind::CombineArray:
    return verifyCombineArray(state, cast<CombineArrayStmt>(s));
  case StmtKind::Scan:
    return verifyScan(state, cast<ScanStmt>(s));
  case StmtKind::OperatorEnd:
    return visible(state, cast<OperatorEndStmt>(s).target, s.range);
  case StmtKind::Gather:
    return verifyGather(state, cast<GatherStmt>(s));
  case StmtKind::Scatter:
    return verifyScatter(state, cast<ScatterStmt>(s));
  case StmtKind::Window:
    return verifyWindow(state, cast<WindowStmt>(s));
  case StmtKind::Boundary:
    return verifyBoundary(state, cast<BoundaryStmt>(s));
  case StmtKind::Check:
    return verifyCheck(state, cast<CheckStmt>(s));
  case StmtKind::CheckShape:
    return verifyCheckShape(state, cast<CheckShapeStmt>(s));
  case StmtKind::CheckThat:
    return verifyCheckThat(state, cast<CheckThatStmt>(s));
  case StmtKind::Call:
    return verifyCallStmt(state, cast<CallStmt>(s));
  case StmtKind::Combine: {
    const auto &combine = cast<CombineStmt>(s);
    if (combine.phase == CombineStmt::End)
      return visible(state, combine.variable, s.range);
    return visible(state, combine.variable, s.range) &&
           (combine.phase == CombineStmt::Whole || !combine.with ||
            fail(state, s.range,
                 "an operator of the program is combined whole")) &&
           reducible(state, combine.op, combine.with, combine.variable->type,
                     s.range) &&
           (!combine.region || visible(state, combine.region, s.range));
  }
  case StmtKind::Write:
    return verifyWrite(state, cast<WriteStmt>(s));
  case StmtKind::Read:
    return verifyRead(state, cast<ReadStmt>(s));
  case StmtKind::Builtin:
    return verifyBuiltin(state, cast<BuiltinStmt>(s));
  case StmtKind::BindIo:
    return verifyBindIo(state, cast<BindIoStmt>(s));
  case StmtKind::Sort:
    return verifySort(state, cast<SortStmt>(s));
  case StmtKind::Config:
    return verifyConfig(state, cast<ConfigStmt>(s));
  case StmtKind::Halt: {
    const Expr *status = cast<HaltStmt>(s).status;
    return !status || typed(state, status, Type::I32, s.range);
  }
  case StmtKind::MissingReturn:
    return true;
  case StmtKind::Timer:
    return verifyTimer(state, cast<TimerStmt>(s));
  case StmtKind::If:
    return verifyConditional(state, cast<IfStmt>(s));
  case StmtKind::While: {
    const auto &w = cast<WhileStmt>(s);
    return verifyLoop(state, w.prelude, w.condition, w.body, s.range);
  }
  case StmtKind::Repeat: {
    const auto &r = cast<RepeatStmt>(s);
    return verifyLoop(state, r.prelude, r.condition, r.body, s.range);
  }
  case StmtKind::For:
    return verifyLoopFor(state, cast<ForStmt>(s));
  case StmtKind::Exit:
  case StmtKind::Continue:
    return state.loopDepth > 0 ||
           fail(state, s.range, "exit or continue stands outside a loop");
  case StmtKind::Return:
    return verifyReturns(state, cast<ReturnStmt>(s));
  case StmtKind::TransferPoint:
    return visible(state, cast<TransferPointStmt>(s).transfer, s.range);
  case StmtKind::ArrayAssign:
    return verifyAssign(state, cast<ArrayAssignStmt>(s));
  case StmtKind::Reduce:
    return verifyReduce(state, cast<ReduceStmt>(s));
  case StmtKind::ReduceArray:
    return verifyReduceArray(state, cast<ReduceArrayStmt>(s));
  case StmtKind::ElementCall:
    return verifyElementCall(state, cast<ElementCallStmt>(s));
  case StmtKind::MLoop:
    return verifyMloop(state, cast<MLoopStmt>(s));
  case StmtKind::Wave:
    return verifyWave(state, cast<WaveStmt>(s));
  case StmtKind::Boxes:
    return verifyBoxes(state, cast<BoxesStmt>(s));
  case StmtKind::Interleave:
    return verifyInterleave(state, cast<InterleaveStmt>(s));
  }
  llvm_unreachable("a statement outside its enumeration");
}

} // namespace zpl::air
