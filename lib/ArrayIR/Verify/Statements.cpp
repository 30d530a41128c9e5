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

/// The kind that one dimension of a literal has; \p inherited is that of the
/// base, if it has this dimension.
static bool verifyRegionDim(Verifying &state, const DimExpr &dim,
                            std::optional<DimKind> inherited, DimKind &kind,
                            SourceRange range) {
  switch (dim.kind) {
  case DimExpr::Inherit:
    kind = inherited.value_or(DimKind::Range);
    return inherited ||
           fail(state, range, "a blank dimension inherits from nothing");
  case DimExpr::Flood:
    kind = DimKind::Flood;
    return true;
  case DimExpr::Grid:
    kind = DimKind::Grid;
    return true;
  case DimExpr::Range:
    kind = DimKind::Range;
    break;
  case DimExpr::Single:
    kind = DimKind::Singleton;
    return verifyInteger(state, dim.lo, range);
  case DimExpr::Seq:
    kind = DimKind::Strided;
    if (!typed(state, dim.stride, Type::I64, range) ||
        !typed(state, dim.align, Type::I64, range))
      return false;
    break;
  }
  return verifyInteger(state, dim.lo, range) &&
         verifyInteger(state, dim.hi, range);
}

static bool verifyRegionDims(Verifying &state, const SetRegionStmt &s) {
  const RegionExpr &value = s.value;
  if (!sameRank(state, value.dims.size(), s.target->rank(), "the literal",
                s.range) ||
      (value.base && !visible(state, value.base, s.range)))
    return false;
  bool canInherit = value.base && value.base->rank() == s.target->rank();
  Shape shape;
  for (auto [d, dim] : enumerate(value.dims)) {
    std::optional<DimKind> inherited;
    if (canInherit)
      inherited = value.base->shape[d];
    if (!verifyRegionDim(state, dim, inherited, shape.emplace_back(), s.range))
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

namespace {
/// What a function of the runtime takes and gives; Void: no result.
struct BuiltinSignature {
  std::initializer_list<Type> args;
  Type result;
};
} // namespace

/// In the order of the functions.
static const BuiltinSignature &builtinSignature(Builtin fn) {
  static const BuiltinSignature Signatures[] = {
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
  return Signatures[unsigned(fn)];
}

static bool verifyBuiltin(Verifying &state, const BuiltinStmt &s) {
  const BuiltinSignature &signature = builtinSignature(s.fn);
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

namespace {

/// The rules of each kind of statement.
struct StatementRules {
  Verifying &state;

  bool of(const SetStmt &s) { return verifySet(state, s); }
  bool of(const SetRegionStmt &s) { return verifySetRegion(state, s); }
  bool of(const DeclareRegionStmt &s) {
    return visible(state, s.region, s.range) &&
           (s.region->storage != Storage::Param ||
            fail(state, s.range, "a parameter region is declared"));
  }
  bool of(const SetGridStmt &s) { return verifySetGrid(state, s); }
  bool of(const SetDistributionStmt &s) {
    return verifySetDistribution(state, s);
  }
  bool of(const MoveStmt &s) { return verifyMove(state, s); }
  bool of(const PatternStmt &s) { return verifyPattern(state, s); }
  bool of(const KeepPatternStmt &s) { return verifyKeepPattern(state, s); }
  bool of(const AskPatternStmt &s) { return verifyAskPattern(state, s); }
  bool of(const ModifyStmt &s) { return verifyModify(state, s); }
  bool of(const AddIndexStmt &s) { return verifyAddIndex(state, s); }
  bool of(const IrvStmt &s) { return verifyIrv(state, s); }
  bool of(const FetchStmt &s) { return verifyFetch(state, s); }
  bool of(const StoreStmt &s) { return verifyStore(state, s); }
  bool of(const BindArrayStmt &s) { return verifyBindArray(state, s); }
  bool of(const AllocArrayStmt &s) {
    return visible(state, s.array, s.range) &&
           (s.array->declared ||
            fail(state, s.range,
                 printedName(*s.array) + " has no declared region")) &&
           (!s.follows || verifyVariablePlace(state, s.follows, s.range)) &&
           (!s.like || isLike(state, s));
  }
  bool of(const ReallocStmt &s) {
    return visible(state, s.region, s.range) &&
           verifyVariablePlace(state, s.key, s.range);
  }
  bool of(const FreeArrayStmt &s) { return visible(state, s.array, s.range); }
  bool of(const AllocVariableStmt &s) {
    return verifyMemory(state, s.variable, true, s.range);
  }
  bool of(const FreeVariableStmt &s) {
    return verifyMemory(state, s.variable, false, s.range);
  }
  bool of(const ResizeStmt &s) { return verifyResize(state, s); }
  bool of(const ShiftStmt &s) { return verifyShift(state, s); }
  bool of(const FloodStmt &s) { return verifyFlood(state, s); }
  bool of(const PutStmt &s) { return verifyPut(state, s); }
  bool of(const FoldStmt &s) { return verifyFold(state, s); }
  bool of(const CombineArrayStmt &s) { return verifyCombineArray(state, s); }
  bool of(const ScanStmt &s) { return verifyScan(state, s); }
  bool of(const OperatorEndStmt &s) {
    return visible(state, s.target, s.range);
  }
  bool of(const GatherStmt &s) { return verifyGather(state, s); }
  bool of(const ScatterStmt &s) { return verifyScatter(state, s); }
  bool of(const WindowStmt &s) { return verifyWindow(state, s); }
  bool of(const BoundaryStmt &s) { return verifyBoundary(state, s); }
  bool of(const CheckStmt &s) { return verifyCheck(state, s); }
  bool of(const CheckShapeStmt &s) { return verifyCheckShape(state, s); }
  bool of(const CheckThatStmt &s) { return verifyCheckThat(state, s); }
  bool of(const CallStmt &s) { return verifyCallStmt(state, s); }
  bool of(const CombineStmt &s) { return verifyCombine(state, s); }
  bool of(const WriteStmt &s) { return verifyWrite(state, s); }
  bool of(const ReadStmt &s) { return verifyRead(state, s); }
  bool of(const BuiltinStmt &s) { return verifyBuiltin(state, s); }
  bool of(const BindIoStmt &s) { return verifyBindIo(state, s); }
  bool of(const SortStmt &s) { return verifySort(state, s); }
  bool of(const ConfigStmt &s) { return verifyConfig(state, s); }
  bool of(const HaltStmt &s) {
    return !s.status || typed(state, s.status, Type::I32, s.range);
  }
  bool of(const MissingReturnStmt &) { return true; }
  bool of(const TimerStmt &s) { return verifyTimer(state, s); }
  bool of(const IfStmt &s) { return verifyConditional(state, s); }
  bool of(const OneOf<WhileStmt, RepeatStmt> auto &s) {
    return verifyLoop(state, s.prelude, s.condition, s.body, s.range);
  }
  bool of(const ForStmt &s) { return verifyLoopFor(state, s); }
  bool of(const OneOf<ExitStmt, ContinueStmt> auto &s) {
    return state.loopDepth > 0 ||
           fail(state, s.range, "exit or continue stands outside a loop");
  }
  bool of(const ReturnStmt &s) { return verifyReturns(state, s); }
  bool of(const TransferPointStmt &s) {
    return visible(state, s.transfer, s.range);
  }
  bool of(const ArrayAssignStmt &s) { return verifyAssign(state, s); }
  bool of(const ReduceStmt &s) { return verifyReduce(state, s); }
  bool of(const ReduceArrayStmt &s) { return verifyReduceArray(state, s); }
  bool of(const ElementCallStmt &s) { return verifyElementCall(state, s); }
  bool of(const MLoopStmt &s) { return verifyMloop(state, s); }
  bool of(const WaveStmt &s) { return verifyWave(state, s); }
  bool of(const BoxesStmt &s) { return verifyBoxes(state, s); }
  bool of(const InterleaveStmt &s) { return verifyInterleave(state, s); }
  bool of(const StripsStmt &s) { return verifyStrips(state, s); }
};

} // namespace

static bool verifyStmt(Verifying &state, const Stmt &s) {
  return visitKind(
      s, [&](const auto &known) { return StatementRules{state}.of(known); });
}

} // namespace zpl::air
