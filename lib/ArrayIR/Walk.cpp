//===- Walk.cpp - Visiting expressions and statements ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Which elements does `[%R] %B = add(%A@(0,1), %A)` read?" is
//
//     forEachExpr(stmt, [&](const Expr &e) {
//       if (auto *element = dyn_cast<ElementExpr>(&e)) ...
//     });
//
// The three switches below are the only ones that know all operands of all
// nodes; each visit costs one indirect call.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

using ExprVisitor = function_ref<void(const Expr &)>;

static void visitIf(const Expr *expr, ExprVisitor visit) {
  if (expr)
    visit(*expr);
}

void forEachOperand(const Expr &expr, ExprVisitor visit) {
  switch (expr.kind) {
  case ExprKind::Const:
  case ExprKind::Var:
  case ExprKind::Element:
  case ExprKind::Index:
  case ExprKind::Bound:
    return;
  case ExprKind::Unary:
    return visitIf(cast<UnaryExpr>(expr).operand, visit);
  case ExprKind::Binary:
    visitIf(cast<BinaryExpr>(expr).left, visit);
    return visitIf(cast<BinaryExpr>(expr).right, visit);
  case ExprKind::Compare:
    visitIf(cast<CompareExpr>(expr).left, visit);
    return visitIf(cast<CompareExpr>(expr).right, visit);
  case ExprKind::Fma:
    visitIf(cast<FmaExpr>(expr).a, visit);
    visitIf(cast<FmaExpr>(expr).b, visit);
    return visitIf(cast<FmaExpr>(expr).c, visit);
  case ExprKind::Cast:
    return visitIf(cast<CastExpr>(expr).operand, visit);
  case ExprKind::Math:
    for (const Expr *arg : cast<MathExpr>(expr).args)
      visitIf(arg, visit);
    return;
  case ExprKind::Call:
    for (const Argument &arg : cast<CallExpr>(expr).args) {
      visitIf(arg.value, visit);
      visitIf(arg.place, visit);
    }
    return;
  case ExprKind::Field:
    return visitIf(cast<FieldExpr>(expr).base, visit);
  case ExprKind::Subscript:
    visitIf(cast<SubscriptExpr>(expr).base, visit);
    for (const Expr *subscript : cast<SubscriptExpr>(expr).subscripts)
      visitIf(subscript, visit);
    return;
  case ExprKind::Complex:
    visitIf(cast<ComplexExpr>(expr).re, visit);
    return visitIf(cast<ComplexExpr>(expr).im, visit);
  }
}

void forEachExpr(const Expr &expr, ExprVisitor visit) {
  visit(expr);
  forEachOperand(expr,
                 [&](const Expr &operand) { forEachExpr(operand, visit); });
}

static void visitAll(ArrayRef<const Expr *> exprs, ExprVisitor visit) {
  for (const Expr *expr : exprs)
    visitIf(expr, visit);
}

static void visitMaps(ArrayRef<Map> maps, ExprVisitor visit) {
  for (const Map &map : maps)
    visitIf(map.scalar, visit);
}

static void rootsOfRegion(const RegionExpr &value, ExprVisitor visit) {
  for (const DimExpr &dim : value.dims)
    for (const Expr *part : {dim.lo, dim.hi, dim.stride, dim.align})
      visitIf(part, visit);
  visitAll(value.direction, visit);
  visitIf(value.level, visit);
}

void forEachRoot(const Stmt &stmt, ExprVisitor visit) {
  switch (stmt.kind) {
  case StmtKind::Set:
    visitIf(cast<SetStmt>(stmt).target, visit);
    return visitIf(cast<SetStmt>(stmt).value, visit);
  case StmtKind::SetRegion:
    return rootsOfRegion(cast<SetRegionStmt>(stmt).value, visit);
  case StmtKind::BindArray:
    return visitIf(cast<BindArrayStmt>(stmt).place, visit);
  case StmtKind::AllocArray:
    return visitIf(cast<AllocArrayStmt>(stmt).follows, visit);
  case StmtKind::Realloc:
    return visitIf(cast<ReallocStmt>(stmt).key, visit);
  case StmtKind::Shift:
    for (const ShiftView &view : cast<ShiftStmt>(stmt).views)
      visitAll(view.direction, visit);
    return;
  case StmtKind::Put:
    return visitAll(cast<PutStmt>(stmt).direction, visit);
  case StmtKind::Gather:
    return visitMaps(cast<GatherStmt>(stmt).maps, visit);
  case StmtKind::Scatter:
    return visitMaps(cast<ScatterStmt>(stmt).maps, visit);
  case StmtKind::Boundary:
    return visitAll(cast<BoundaryStmt>(stmt).direction, visit);
  case StmtKind::Check:
    visitMaps(cast<CheckStmt>(stmt).maps, visit);
    return visitAll(cast<CheckStmt>(stmt).direction, visit);
  case StmtKind::Call:
    return visitIf(cast<CallStmt>(stmt).call, visit);
  case StmtKind::CheckShape:
    visitIf(cast<CheckShapeStmt>(stmt).extentA, visit);
    return visitIf(cast<CheckShapeStmt>(stmt).extentB, visit);
  case StmtKind::CheckThat:
    visitIf(cast<CheckThatStmt>(stmt).condition, visit);
    return visitAll(cast<CheckThatStmt>(stmt).values, visit);
  case StmtKind::Write:
    visitIf(cast<WriteStmt>(stmt).file, visit);
    for (const WriteItem &item : cast<WriteStmt>(stmt).items) {
      visitIf(item.value, visit);
      visitIf(item.format, visit);
    }
    return;
  case StmtKind::Read:
    visitIf(cast<ReadStmt>(stmt).file, visit);
    for (const ReadItem &item : cast<ReadStmt>(stmt).items) {
      visitIf(item.place, visit);
      visitIf(item.format, visit);
    }
    return;
  case StmtKind::Builtin:
    return visitAll(cast<BuiltinStmt>(stmt).args, visit);
  case StmtKind::Timer:
    return visitIf(cast<TimerStmt>(stmt).sync, visit);
  case StmtKind::If:
    return visitIf(cast<IfStmt>(stmt).condition, visit);
  case StmtKind::While:
    return visitIf(cast<WhileStmt>(stmt).condition, visit);
  case StmtKind::Repeat:
    return visitIf(cast<RepeatStmt>(stmt).condition, visit);
  case StmtKind::For:
    visitIf(cast<ForStmt>(stmt).variable, visit);
    visitIf(cast<ForStmt>(stmt).from, visit);
    visitIf(cast<ForStmt>(stmt).bound, visit);
    return visitIf(cast<ForStmt>(stmt).step, visit);
  case StmtKind::Return:
    return visitIf(cast<ReturnStmt>(stmt).value, visit);
  case StmtKind::ArrayAssign:
    visitIf(cast<ArrayAssignStmt>(stmt).guard, visit);
    visitIf(cast<ArrayAssignStmt>(stmt).target, visit);
    return visitIf(cast<ArrayAssignStmt>(stmt).value, visit);
  case StmtKind::Reduce:
    visitIf(cast<ReduceStmt>(stmt).guard, visit);
    return visitIf(cast<ReduceStmt>(stmt).value, visit);
  case StmtKind::ReduceArray:
    visitIf(cast<ReduceArrayStmt>(stmt).guard, visit);
    return visitIf(cast<ReduceArrayStmt>(stmt).value, visit);
  case StmtKind::ElementCall:
    visitIf(cast<ElementCallStmt>(stmt).guard, visit);
    return visitIf(cast<ElementCallStmt>(stmt).call, visit);
  case StmtKind::Flood:
    return visitIf(cast<FloodStmt>(stmt).times, visit);
  case StmtKind::MLoop:
    visitIf(cast<MLoopStmt>(stmt).times, visit);
    for (const ElementOp &op : cast<MLoopStmt>(stmt).body) {
      visitIf(op.target, visit);
      visitIf(op.value, visit);
      visitIf(op.guard, visit);
    }
    return;
  case StmtKind::DeclareRegion:
  case StmtKind::FreeArray:
  case StmtKind::AllocVariable:
  case StmtKind::FreeVariable:
  case StmtKind::Fold:
  case StmtKind::CombineArray:
  case StmtKind::Scan:
  case StmtKind::OperatorEnd:
  case StmtKind::BindIo:
  case StmtKind::Config:
  case StmtKind::Combine:
  case StmtKind::Halt:
  case StmtKind::MissingReturn:
  case StmtKind::Exit:
  case StmtKind::Continue:
  case StmtKind::TransferPoint:
  case StmtKind::Wave:
  case StmtKind::Interleave:
    return;
  }
}

void forEachExpr(const Stmt &stmt, ExprVisitor visit) {
  forEachRoot(stmt, [&](const Expr &root) { forEachExpr(root, visit); });
}

using ArrayVisitor = function_ref<void(const Array &)>;

static void visitIf(const Array *array, ArrayVisitor visit) {
  if (array)
    visit(*array);
}

static void visitMaps(ArrayRef<Map> maps, ArrayVisitor visit) {
  for (const Map &map : maps)
    visitIf(map.array, visit);
}

/// The operands of a statement that are arrays.
static void operandArrays(const Stmt &stmt, ArrayVisitor visit) {
  auto visitAll = [&](std::initializer_list<const Array *> arrays) {
    for (const Array *array : arrays)
      visitIf(array, visit);
  };
  if (auto *set = dyn_cast<SetRegionStmt>(&stmt)) {
    visitIf(set->value.array, visit);
  } else if (auto *bind = dyn_cast<BindArrayStmt>(&stmt)) {
    visitIf(bind->array, visit);
  } else if (auto *alloc = dyn_cast<AllocArrayStmt>(&stmt)) {
    visitAll({alloc->array, alloc->like});
  } else if (auto *free = dyn_cast<FreeArrayStmt>(&stmt)) {
    visitIf(free->array, visit);
  } else if (auto *shift = dyn_cast<ShiftStmt>(&stmt)) {
    for (const ShiftView &view : shift->views)
      visitIf(view.target, visit);
    visitIf(shift->source, visit);
  } else if (auto *flood = dyn_cast<FloodStmt>(&stmt)) {
    visitAll({flood->target, flood->source});
  } else if (auto *put = dyn_cast<PutStmt>(&stmt)) {
    visitAll({put->target, put->source, put->mask.array});
  } else if (auto *fold = dyn_cast<FoldStmt>(&stmt)) {
    visitAll({fold->target, fold->source, fold->mask.array});
  } else if (auto *combine = dyn_cast<CombineArrayStmt>(&stmt)) {
    visitIf(combine->array, visit);
  } else if (auto *scan = dyn_cast<ScanStmt>(&stmt)) {
    visitAll({scan->target, scan->source, scan->segment, scan->mask.array});
  } else if (auto *end = dyn_cast<OperatorEndStmt>(&stmt)) {
    visitIf(end->target, visit);
  } else if (auto *gather = dyn_cast<GatherStmt>(&stmt)) {
    visitAll({gather->target, gather->source, gather->mask.array});
    visitMaps(gather->maps, visit);
  } else if (auto *scatter = dyn_cast<ScatterStmt>(&stmt)) {
    visitAll({scatter->target, scatter->source, scatter->mask.array});
    visitMaps(scatter->maps, visit);
  } else if (auto *boundary = dyn_cast<BoundaryStmt>(&stmt)) {
    visitIf(boundary->array, visit);
  } else if (auto *check = dyn_cast<CheckStmt>(&stmt)) {
    visitAll({check->array, check->mask.array});
    visitMaps(check->maps, visit);
  } else if (auto *write = dyn_cast<WriteStmt>(&stmt)) {
    for (const WriteItem &item : write->items)
      visitIf(item.array, visit);
  } else if (auto *read = dyn_cast<ReadStmt>(&stmt)) {
    for (const ReadItem &item : read->items)
      visitIf(item.array, visit);
  } else if (auto *bind = dyn_cast<BindIoStmt>(&stmt)) {
    visitIf(bind->array, visit);
  } else if (auto *reduce = dyn_cast<ReduceArrayStmt>(&stmt)) {
    visitIf(reduce->target, visit);
  } else if (auto *wave = dyn_cast<WaveStmt>(&stmt)) {
    for (const auto &[array, offset] : wave->primed)
      visitIf(array, visit);
  }
}

void forEachArray(const Stmt &stmt, ArrayVisitor visit) {
  operandArrays(stmt, visit);
  forEachExpr(stmt, [&](const Expr &e) {
    if (auto *element = dyn_cast<ElementExpr>(&e))
      visitIf(element->array, visit);
    else if (auto *call = dyn_cast<CallExpr>(&e))
      for (const Argument &arg : call->args)
        visitIf(arg.array, visit);
  });
}

void forEachExpr(const ElementOp &op, ExprVisitor visit) {
  for (const Expr *root : {op.target, op.value, op.guard})
    if (root)
      forEachExpr(*root, visit);
}

const Expr *accumulatedPlace(const ElementOp &op) {
  switch (op.kind) {
  case ElementOp::Store:
  case ElementOp::Let:
    return nullptr;
  case ElementOp::Accumulate:
    return op.target;
  case ElementOp::Call:
    return op.accumulates ? cast<CallExpr>(op.value)->args.back().place
                          : nullptr;
  }
  llvm_unreachable("an operation outside its enumeration");
}

SmallVector<ArrayRef<ElementOp>, 2> partsOf(const MLoopStmt &loop) {
  SmallVector<ArrayRef<ElementOp>, 2> parts;
  for (ArrayRef<ElementOp> rest = loop.body; !rest.empty();
       rest = rest.drop_front(parts.back().size()))
    parts.push_back(rest.take_while(
        [&](const ElementOp &op) { return op.delay == rest.front().delay; }));
  return parts;
}

void forEachList(Stmt &stmt, function_ref<void(StmtList &)> visit) {
  if (auto *conditional = dyn_cast<IfStmt>(&stmt)) {
    visit(conditional->thenBody);
    visit(conditional->elseBody);
  } else if (auto *loop = dyn_cast<WhileStmt>(&stmt)) {
    visit(loop->prelude);
    visit(loop->body);
  } else if (auto *loop = dyn_cast<RepeatStmt>(&stmt)) {
    visit(loop->body);
    visit(loop->prelude);
  } else if (auto *loop = dyn_cast<ForStmt>(&stmt)) {
    visit(loop->body);
  } else if (auto *config = dyn_cast<ConfigStmt>(&stmt)) {
    visit(config->defaults);
  } else if (auto *wave = dyn_cast<WaveStmt>(&stmt)) {
    visit(wave->body);
  } else if (auto *loops = dyn_cast<InterleaveStmt>(&stmt)) {
    visit(loops->body);
  }
}

void forEachList(const Stmt &stmt, function_ref<void(const StmtList &)> visit) {
  forEachList(const_cast<Stmt &>(stmt), [&](StmtList &list) { visit(list); });
}

void forEachStmt(StmtList &list, function_ref<void(Stmt &)> visit) {
  for (Stmt *stmt : list) {
    visit(*stmt);
    forEachList(*stmt, [&](StmtList &inner) { forEachStmt(inner, visit); });
  }
}

void forEachStmt(const StmtList &list, function_ref<void(const Stmt &)> visit) {
  for (const Stmt *stmt : list) {
    visit(*stmt);
    forEachList(*stmt,
                [&](const StmtList &inner) { forEachStmt(inner, visit); });
  }
}

void forEachMLoop(StmtList &list,
                  function_ref<void(MLoopStmt &, bool inWave)> visit) {
  const MLoopStmt *ofWave = nullptr;
  forEachStmt(list, [&](Stmt &stmt) {
    if (auto *wave = dyn_cast<WaveStmt>(&stmt))
      ofWave = &wave->loop();
    else if (auto *loop = dyn_cast<MLoopStmt>(&stmt))
      visit(*loop, loop == ofWave);
  });
}

void forEachListInside(const StmtList &list,
                       function_ref<void(const StmtList &)> visit) {
  visit(list);
  for (const Stmt *stmt : list)
    forEachList(
        *stmt, [&](const StmtList &inner) { forEachListInside(inner, visit); });
}

void rewriteStmts(StmtList &list,
                  function_ref<void(Stmt *, StmtList &)> rewrite) {
  StmtList result;
  for (Stmt *stmt : list) {
    rewrite(stmt, result);
    forEachList(*stmt, [&](StmtList &inner) { rewriteStmts(inner, rewrite); });
  }
  list = std::move(result);
}

bool mayStandInSplit(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::Set:
  case StmtKind::SetRegion:
  case StmtKind::BindArray:
  case StmtKind::AllocArray:
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
  case StmtKind::CheckShape:
  case StmtKind::CheckThat:
  case StmtKind::Combine:
  case StmtKind::TransferPoint:
  case StmtKind::ArrayAssign:
  case StmtKind::Reduce:
  case StmtKind::ReduceArray:
  case StmtKind::MLoop:
    return true;
  case StmtKind::DeclareRegion:
  case StmtKind::Realloc:
  case StmtKind::AllocVariable:
  case StmtKind::FreeVariable:
  case StmtKind::Call:
  case StmtKind::Write:
  case StmtKind::Read:
  case StmtKind::Builtin:
  case StmtKind::BindIo:
  case StmtKind::Config:
  case StmtKind::Halt:
  case StmtKind::MissingReturn:
  case StmtKind::Timer:
  case StmtKind::If:
  case StmtKind::While:
  case StmtKind::Repeat:
  case StmtKind::For:
  case StmtKind::Exit:
  case StmtKind::Continue:
  case StmtKind::Return:
  case StmtKind::Wave:
  case StmtKind::Interleave:
  case StmtKind::ElementCall:
    return false;
  }
  llvm_unreachable("a statement outside its enumeration");
}

bool mentions(const Stmt &stmt, const Variable *variable) {
  bool found = false;
  forEachExpr(stmt, [&](const Expr &e) {
    auto *var = dyn_cast<VarExpr>(&e);
    found |= var && var->variable == variable;
  });
  if (auto *combine = dyn_cast<CombineStmt>(&stmt))
    found |= combine->variable == variable;
  if (auto *fold = dyn_cast<FoldStmt>(&stmt))
    found |= fold->variable == variable;
  if (auto *reduce = dyn_cast<ReduceStmt>(&stmt))
    found |= reduce->target == variable;
  if (auto *loop = dyn_cast<MLoopStmt>(&stmt))
    for (const ElementOp &op : loop->body)
      found |= op.accumulator == variable || op.variable == variable;
  return found;
}

bool isOneForMany(const Array &array, const Region &region) {
  return any_of(zip(array.shape, region.shape), [](auto kinds) {
    auto [inArray, inRegion] = kinds;
    return isPerProcessor(inArray) && !isPerProcessor(inRegion);
  });
}

bool goesAlongRows(const MLoopStmt &loop, const Array &array) {
  auto inner = std::find_if(loop.levels.rbegin(), loop.levels.rend(),
                            [](const LoopLevel &level) { return !level.flat; });
  unsigned last = loop.region->rank() - 1;
  return inner != loop.levels.rend() && inner->dim == last && !inner->down &&
         !isOneForMany(array, *loop.region);
}

bool mayWalkRows(const MLoopStmt &loop, const Array &array) {
  unsigned last = loop.region->rank() - 1;
  return goesAlongRows(loop, array) &&
         (loop.region->shape[last] != DimKind::Strided ||
          array.shape[last] == DimKind::Strided);
}

bool isInBlocks(const MLoopStmt &loop) {
  return any_of(loop.levels, [](const LoopLevel &level) {
    return level.isTimes || level.unroll != 1 || level.tile != 0;
  });
}

int bumpOf(const Array &array, const LoopLevel &level) {
  if (level.isTimes)
    return array.panel;
  bool stands = level.flat || array.standsIn(level.dim);
  return stands ? -1 : int(level.dim);
}

bool mayBeSame(const Module &module, const Array &a, const Array &b,
               bool mayAlias) {
  if (&a == &b || (a.family && a.family == b.family))
    return true;
  if (a.isAlone || b.isAlone)
    return false;
  auto storageOf = [](const Array &array) {
    return array.family ? array.family->storage : array.storage;
  };
  Storage ofA = storageOf(a), ofB = storageOf(b);
  // Locals are new at every entry; two globals are two things.
  return mayAlias && ofA != Storage::Local && ofB != Storage::Local &&
         (ofA == Storage::Param || ofB == Storage::Param) &&
         !(a.family && b.storage == Storage::Global) &&
         !(b.family && a.storage == Storage::Global) && a.rank() == b.rank() &&
         mayOverlap(module, a.element, b.element);
}

Region *elementRegion(const Stmt &stmt) {
  if (auto *assign = dyn_cast<ArrayAssignStmt>(&stmt))
    return assign->region;
  if (auto *reduce = dyn_cast<ReduceStmt>(&stmt))
    return reduce->region;
  if (auto *reduce = dyn_cast<ReduceArrayStmt>(&stmt))
    return reduce->region;
  if (auto *call = dyn_cast<ElementCallStmt>(&stmt))
    return call->region;
  if (auto *loop = dyn_cast<MLoopStmt>(&stmt))
    return loop->region;
  return nullptr;
}

} // namespace zpl::air
