//===- Walk.cpp - Visits the nodes of a checked program -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For
//
//     [R] A := max<< (B@east * f(C)) + D;
//
// a Visitor hears: onRegion(R), onOpen(R), onCover(2), onRead(D, 2),
// onCover(2), onRead(B@east, 2), onCall(f, 2), onRead(C, 2), onWrite(A, 2),
// onClose(R). Each array statement, reduction, item and temporary names the
// rank of the region that covers it once, before its reads.
//
// Cost: linear in the size of the code.
//
//===----------------------------------------------------------------------===//

#include "Tree/Walk.h"

#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

void forEachOperand(const RegionExpr &region,
                    llvm::function_ref<void(const Expr &)> visit) {
  if (region.place)
    visit(*region.place);
  for (const RegionDim &dim : region.dims)
    for (const Expr *part : {dim.lo, dim.hi, dim.stride, dim.align})
      if (part)
        visit(*part);
  for (const Expr *component : region.direction)
    visit(*component);
  for (const Expr *subscript : region.subscripts)
    visit(*subscript);
  if (region.level)
    visit(*region.level);
  if (region.call)
    visit(*region.call);
  if (region.pattern)
    visit(*region.pattern);
  if (region.base)
    forEachOperand(*region.base, visit);
}

void forEachOperand(const Expr &e,
                    llvm::function_ref<void(const Expr &)> visit) {
  auto all = [&](llvm::ArrayRef<const Expr *> operands) {
    for (const Expr *operand : operands)
      visit(*operand);
  };
  switch (e.kind) {
  case ExprKind::Literal:
  case ExprKind::Variable:
  case ExprKind::Component:
  case ExprKind::Index:
  case ExprKind::Timer:
  case ExprKind::Processors:
  case ExprKind::GridPlace:
  case ExprKind::EnclosingMask:
    return;
  case ExprKind::Array:
    all(llvm::cast<ArrayExpr>(e).subscripts);
    return all(llvm::cast<ArrayExpr>(e).direction);
  case ExprKind::Unary:
    return visit(*llvm::cast<UnaryExpr>(e).operand);
  case ExprKind::Binary:
    return all(
        {llvm::cast<BinaryExpr>(e).left, llvm::cast<BinaryExpr>(e).right});
  case ExprKind::Compare:
    return all(
        {llvm::cast<CompareExpr>(e).left, llvm::cast<CompareExpr>(e).right});
  case ExprKind::Fma: {
    auto &fma = llvm::cast<FmaExpr>(e);
    return all({fma.a, fma.b, fma.c});
  }
  case ExprKind::Cast:
    return visit(*llvm::cast<CastExpr>(e).operand);
  case ExprKind::Math:
    return all(llvm::cast<MathExpr>(e).args);
  case ExprKind::Call:
    return all(llvm::cast<CallExpr>(e).args);
  case ExprKind::Reduce: {
    auto &reduce = llvm::cast<ReduceExpr>(e);
    if (reduce.source)
      forEachOperand(*reduce.source, visit);
    if (reduce.mask.mask)
      visit(*reduce.mask.mask);
    return visit(*reduce.operand);
  }
  case ExprKind::Flood:
    forEachOperand(*llvm::cast<FloodExpr>(e).source, visit);
    return visit(*llvm::cast<FloodExpr>(e).operand);
  case ExprKind::Scan:
    if (const Expr *segment = llvm::cast<ScanExpr>(e).segment)
      visit(*segment);
    return visit(*llvm::cast<ScanExpr>(e).operand);
  case ExprKind::Gather: {
    auto &gather = llvm::cast<GatherExpr>(e);
    visit(*gather.source);
    for (Map map : gather.maps)
      if (map)
        visit(*map);
    return;
  }
  case ExprKind::RegionBound:
    return forEachOperand(*llvm::cast<RegionBoundExpr>(e).region, visit);
  case ExprKind::Irv:
    return all(llvm::cast<IrvExpr>(e).array->subscripts);
  case ExprKind::Pattern:
    return forEachOperand(*llvm::cast<PatternExpr>(e).region, visit);
  case ExprKind::Inside:
    forEachOperand(*llvm::cast<InsideExpr>(e).region, visit);
    return all(llvm::cast<InsideExpr>(e).indices);
  case ExprKind::Field:
    return visit(*llvm::cast<FieldExpr>(e).base);
  case ExprKind::Subscript:
    visit(*llvm::cast<SubscriptExpr>(e).base);
    return all(llvm::cast<SubscriptExpr>(e).subscripts);
  case ExprKind::Complex:
    return all({llvm::cast<ComplexExpr>(e).re, llvm::cast<ComplexExpr>(e).im});
  case ExprKind::Builtin:
    all(llvm::cast<BuiltinExpr>(e).args);
    if (const Expr *place = llvm::cast<BuiltinExpr>(e).place)
      visit(*place);
    return;
  case ExprKind::RegionValue:
    return forEachOperand(*llvm::cast<RegionValueExpr>(e).region, visit);
  case ExprKind::DirectionValue:
    return all(llvm::cast<DirectionValueExpr>(e).components);
  }
  llvm_unreachable("expression");
}

const Expr *rootOf(const Expr *place) {
  while (true) {
    if (auto *field = llvm::dyn_cast<FieldExpr>(place))
      place = field->base;
    else if (auto *element = llvm::dyn_cast<SubscriptExpr>(place))
      place = element->base;
    else
      return place;
  }
}

void forEachExpr(const Expr &e, llvm::function_ref<void(const Expr &)> visit) {
  visit(e);
  forEachOperand(e, [&](const Expr &operand) { forEachExpr(operand, visit); });
}

const UserFold *userFoldOf(const Expr &e) {
  if (auto *reduce = llvm::dyn_cast<ReduceExpr>(&e))
    return reduce->user;
  if (auto *scan = llvm::dyn_cast<ScanExpr>(&e))
    return scan->user;
  return nullptr;
}

const ArrayExpr *firstArray(const Expr &e) {
  const ArrayExpr *found = nullptr;
  forEachExpr(e, [&](const Expr &part) {
    if (!found && part.rank == e.rank)
      found = llvm::dyn_cast<ArrayExpr>(&part);
  });
  return found;
}

Array *arrayParam(const Procedure &procedure, unsigned i) {
  return llvm::dyn_cast<Array>(procedure.params[i]);
}

Passing passingOf(const CallExpr &call, unsigned argument) {
  const Expr *arg = call.args[argument];
  const Array *formal = arrayParam(*call.callee, argument);
  if (!formal)
    return arg->isArray() ? Passing::Promoted : Passing::Scalar;
  if (isByReference(formal->mode))
    return Passing::Whole;
  auto *array = llvm::dyn_cast<ArrayExpr>(arg);
  return array && array->direction.empty() ? Passing::Whole
                                           : Passing::Temporary;
}

const ArrayExpr *wholeArgument(const CallExpr &call, unsigned argument) {
  return passingOf(call, argument) == Passing::Whole
             ? llvm::cast<ArrayExpr>(rootOf(call.args[argument]))
             : nullptr;
}

Visitor::~Visitor() = default;
void Visitor::onRegion(const RegionExpr &) {}
void Visitor::onOpen(const RegionExpr &) {}
void Visitor::onMask(const RegionExpr &, const Mask &) {}
void Visitor::onClose(const RegionExpr &) {}
void Visitor::onCover(unsigned, SourceRange) {}
void Visitor::onRead(const ArrayExpr &, unsigned) {}
void Visitor::onWrite(const ArrayExpr &, unsigned) {}
void Visitor::onRemap(const ArrayExpr &, llvm::ArrayRef<Map>, unsigned, bool) {}
void Visitor::onIndex(const IndexExpr &, unsigned) {}
void Visitor::onIrvWrite(const IrvExpr &, SourceRange) {}
void Visitor::onScalarWrite(const Variable &, SourceRange) {}
void Visitor::onReference(const Variable &variable, const CallExpr &call,
                          unsigned argument) {
  onScalarWrite(variable, call.args[argument]->range);
}
void Visitor::onCall(const CallExpr &, unsigned) {}
void Visitor::onExpr(const Expr &) {}
void Visitor::onStmt(const Stmt &) {}
void Visitor::onModifyEnd(const ModifyStmt &) {}
void Visitor::onLocal(const Symbol &) {}

void Visitor::visitProcedure(const Procedure &procedure) {
  for (const Symbol *param : procedure.params)
    if (auto *array = llvm::dyn_cast<Array>(param); array && array->declared)
      visitRegion(*array->declared);
  for (const Symbol *local : procedure.locals) {
    onLocal(*local);
    auto *variable = llvm::dyn_cast<Variable>(local);
    auto *array = llvm::dyn_cast<Array>(local);
    bool isStatic = (variable && variable->storage == Storage::Static) ||
                    (array && array->storage == Storage::Static);
    if (!isStatic)
      visitSymbol(*local);
  }
  if (procedure.body)
    visitStmt(*procedure.body);
}

void Visitor::visitInitializers(const Program &program) {
  for (const Symbol *global : program.globals)
    visitSymbol(*global);
  for (const Procedure *procedure : program.procedures)
    for (const Symbol *local : procedure->locals) {
      auto *variable = llvm::dyn_cast<Variable>(local);
      auto *array = llvm::dyn_cast<Array>(local);
      if ((variable && variable->storage == Storage::Static) ||
          (array && array->storage == Storage::Static))
        visitSymbol(*local);
    }
}

void Visitor::visitSymbol(const Symbol &symbol) {
  switch (symbol.kind) {
  case SymbolKind::Variable: {
    auto &variable = llvm::cast<Variable>(symbol);
    if (variable.init)
      visitTop(*variable.init);
    return visitStmts(variable.setup);
  }
  case SymbolKind::Array: {
    auto &array = llvm::cast<Array>(symbol);
    visitRegion(*array.declared);
    if (!array.init && array.setup.empty())
      return;
    onOpen(*array.declared);
    if (array.init) {
      onCover(array.rank, array.init->range);
      visitExpr(*array.init, array.rank);
    }
    visitStmts(array.setup);
    onClose(*array.declared);
    return;
  }
  case SymbolKind::Region:
    return visitRegion(*llvm::cast<Region>(symbol).init);
  case SymbolKind::Direction:
    for (const auto &component : llvm::cast<Direction>(symbol).components)
      visitTop(*component.init);
    return;
  case SymbolKind::Grid:
    for (const Expr *extent : llvm::cast<Grid>(symbol).extents)
      if (extent)
        visitTop(*extent);
    return;
  case SymbolKind::Distribution:
    for (const auto &dim : llvm::cast<Distribution>(symbol).dims)
      for (const Expr *part : {dim.lo, dim.hi, dim.length, dim.points,
                               static_cast<const Expr *>(dim.owner)})
        if (part)
          visitTop(*part);
    return;
  case SymbolKind::Domain:
  case SymbolKind::Procedure:
  case SymbolKind::Type:
    return;
  }
  llvm_unreachable("symbol");
}

void Visitor::visitRegion(const RegionExpr &region) {
  if (region.place)
    visitTop(*region.place);
  for (const RegionDim &dim : region.dims)
    for (const Expr *part : {dim.lo, dim.hi, dim.stride, dim.align})
      if (part)
        visitTop(*part);
  for (const Expr *component : region.direction)
    visitTop(*component);
  for (const Expr *subscript : region.subscripts)
    visitTop(*subscript);
  if (region.level)
    visitTop(*region.level);
  if (region.call)
    visitTop(*region.call);
  if (region.base)
    visitRegion(*region.base);
  if (region.pattern) {
    onOpen(*region.base);
    onCover(region.rank, region.pattern->range);
    visitExpr(*region.pattern, region.rank);
    onClose(*region.base);
  }
  onRegion(region);
}

void Visitor::visitTop(const Expr &e) {
  if (e.isArray())
    onCover(e.rank, e.range);
  visitExpr(e, e.rank);
}

void Visitor::visitExpr(const Expr &e, unsigned rank) {
  if (auto *call = llvm::dyn_cast<CallExpr>(&e))
    return visitCall(*call, rank);
  if (auto *flood = llvm::dyn_cast<FloodExpr>(&e))
    return visitSource(e, *flood->source, Mask(), *flood->operand);
  if (const UserFold *fold = userFoldOf(e)) {
    visitCall(*fold->identity, 0);
    visitCall(*fold->combine, 0);
  }
  if (auto *reduce = llvm::dyn_cast<ReduceExpr>(&e)) {
    if (reduce->source)
      return visitSource(e, *reduce->source, reduce->mask, *reduce->operand);
    rank = reduce->operandRank;
    if (rank != 0)
      onCover(rank, reduce->range);
  }
  if (auto *gather = llvm::dyn_cast<GatherExpr>(&e)) {
    onExpr(e);
    return visitRemap(*gather->source, gather->maps, rank, /*isWrite=*/false);
  }
  if (auto *bound = llvm::dyn_cast<RegionBoundExpr>(&e)) {
    visitRegion(*bound->region);
    return onExpr(e);
  }
  if (auto *stored = llvm::dyn_cast<RegionValueExpr>(&e)) {
    visitRegion(*stored->region);
    return onExpr(e);
  }
  if (auto *pattern = llvm::dyn_cast<PatternExpr>(&e)) {
    visitRegion(*pattern->region);
    return onExpr(e);
  }
  if (auto *inside = llvm::dyn_cast<InsideExpr>(&e)) {
    visitRegion(*inside->region);
    onExpr(e);
    for (const Expr *index : inside->indices)
      visitExpr(*index, rank);
    return;
  }
  if (auto *builtin = llvm::dyn_cast<BuiltinExpr>(&e);
      builtin && builtin->place) {
    onExpr(e);
    for (const Expr *arg : builtin->args)
      visitExpr(*arg, rank);
    return visitTarget(*builtin->place, rank, e.range);
  }
  if (auto *array = llvm::dyn_cast<ArrayExpr>(&e))
    onRead(*array, rank);
  if (auto *index = llvm::dyn_cast<IndexExpr>(&e))
    onIndex(*index, rank);
  onExpr(e);
  forEachOperand(e, [&](const Expr &operand) { visitExpr(operand, rank); });
}

void Visitor::visitSource(const Expr &e, const RegionExpr &source,
                          const Mask &mask, const Expr &operand) {
  visitRegion(source);
  onExpr(e);
  open(source, mask);
  visitExpr(operand, source.rank);
  onClose(source);
}

void Visitor::open(const RegionExpr &region, const Mask &mask) {
  onOpen(region);
  if (!mask.mask)
    return;
  visitExpr(*mask.mask, region.rank);
  onMask(region, mask);
}

void Visitor::visitRemap(const Expr &place, llvm::ArrayRef<Map> maps,
                         unsigned rank, bool isWrite) {
  for (Map map : maps)
    if (map)
      visitExpr(*map, rank);
  visitSubscripts(place, rank);
  onRemap(*llvm::cast<ArrayExpr>(rootOf(&place)), maps, rank, isWrite);
}

void Visitor::visitSubscripts(const Expr &place, unsigned rank) {
  if (auto *field = llvm::dyn_cast<FieldExpr>(&place))
    return visitSubscripts(*field->base, rank);
  if (auto *array = llvm::dyn_cast<ArrayExpr>(&place))
    for (const Expr *index : array->subscripts)
      visitExpr(*index, rank);
  if (auto *irv = llvm::dyn_cast<IrvExpr>(&place))
    return visitSubscripts(*irv->array, rank);
  auto *element = llvm::dyn_cast<SubscriptExpr>(&place);
  if (!element)
    return;
  visitSubscripts(*element->base, rank);
  for (const Expr *index : element->subscripts)
    visitExpr(*index, rank);
}

void Visitor::visitTarget(const Expr &place, unsigned rank, SourceRange range) {
  visitSubscripts(place, rank);
  const Expr *root = rootOf(&place);
  if (auto *array = llvm::dyn_cast<ArrayExpr>(root))
    onWrite(*array, rank);
  else if (auto *irv = llvm::dyn_cast<IrvExpr>(root))
    onIrvWrite(*irv, range);
  else
    onScalarWrite(*llvm::cast<VariableExpr>(root)->variable, range);
}

void Visitor::visitReference(const CallExpr &call, unsigned argument,
                             unsigned rank) {
  const Expr &place = *call.args[argument];
  visitSubscripts(place, rank);
  const Expr *root = rootOf(&place);
  if (auto *array = llvm::dyn_cast<ArrayExpr>(root))
    onWrite(*array, rank);
  else if (auto *irv = llvm::dyn_cast<IrvExpr>(root))
    onIrvWrite(*irv, place.range);
  else
    onReference(*llvm::cast<VariableExpr>(root)->variable, call, argument);
}

void Visitor::visitCall(const CallExpr &call, unsigned rank) {
  onExpr(call);
  if (call.callee->resultRank != 0)
    onCover(call.callee->resultRank, call.range);
  for (unsigned i = 0; i != call.args.size(); ++i) {
    const Expr &arg = *call.args[i];
    bool isReference = false, isOut = false;
    const Symbol *formal = call.callee->params[i];
    if (auto *variable = llvm::dyn_cast<Variable>(formal)) {
      isReference = isByReference(variable->mode);
      isOut = variable->mode == Mode::Out;
    }
    switch (passingOf(call, i)) {
    case Passing::Whole:
      visitSubscripts(arg, llvm::cast<Array>(formal)->rank);
      break;
    case Passing::Temporary:
      onCover(llvm::cast<Array>(formal)->rank, arg.range);
      visitExpr(arg, llvm::cast<Array>(formal)->rank);
      break;
    case Passing::Promoted:
      if (!isOut)
        visitExpr(arg, rank);
      if (isReference)
        visitReference(call, i, rank);
      break;
    case Passing::Scalar:
      visitExpr(arg, rank);
      if (isReference)
        visitReference(call, i, rank);
      break;
    }
  }
  onCall(call, rank);
}

void Visitor::visitItems(const std::vector<WriteItem> &items) {
  for (const WriteItem &item : items) {
    if (item.formatExpr)
      visitTop(*item.formatExpr);
    if (item.value)
      visitTop(*item.value);
  }
}

void Visitor::visitRead(const ReadItem &item) {
  if (item.formatExpr)
    visitTop(*item.formatExpr);
  if (item.place->isArray())
    onCover(item.place->rank, item.range);
  visitTarget(*item.place, item.place->rank, item.range);
}

void Visitor::visitStmts(const StmtList &list) {
  for (const Stmt *s : list)
    visitStmt(*s);
}

void Visitor::visitStmt(const Stmt &s) {
  onStmt(s);
  switch (s.kind) {
  case StmtKind::Block:
    return visitStmts(llvm::cast<BlockStmt>(s).body);
  case StmtKind::Wave:
    return visitStmts(llvm::cast<WaveStmt>(s).body);
  case StmtKind::Assign: {
    auto &assign = llvm::cast<AssignStmt>(s);
    visitTop(*assign.value);
    return visitTarget(*assign.target, 0, assign.range);
  }
  case StmtKind::ArrayAssign: {
    auto &assign = llvm::cast<ArrayAssignStmt>(s);
    onCover(assign.target->rank, assign.range);
    visitExpr(*assign.value, assign.target->rank);
    return visitTarget(*assign.target, assign.target->rank, assign.range);
  }
  case StmtKind::Scatter: {
    auto &scatter = llvm::cast<ScatterStmt>(s);
    onCover(scatter.rank, scatter.range);
    visitExpr(*scatter.value, scatter.rank);
    if (scatter.combine)
      visitExpr(*scatter.combine, 0);
    return visitRemap(*scatter.target, scatter.maps, scatter.rank,
                      /*isWrite=*/true);
  }
  case StmtKind::Boundary: {
    auto &boundary = llvm::cast<BoundaryStmt>(s);
    for (const Expr *component : boundary.direction)
      visitTop(*component);
    for (const ArrayExpr *array : boundary.arrays)
      visitSubscripts(*array, array->rank);
    return visitRegion(*boundary.base);
  }
  case StmtKind::Call:
    return visitTop(*llvm::cast<CallStmt>(s).call);
  case StmtKind::Builtin:
    return visitTop(*llvm::cast<BuiltinStmt>(s).call);
  case StmtKind::Write:
    visitTop(*llvm::cast<WriteStmt>(s).file);
    return visitItems(llvm::cast<WriteStmt>(s).items);
  case StmtKind::Read:
    visitTop(*llvm::cast<ReadStmt>(s).file);
    for (const ReadItem &item : llvm::cast<ReadStmt>(s).items)
      visitRead(item);
    return;
  case StmtKind::BindIo:
    return visitSubscripts(*llvm::cast<BindIoStmt>(s).array, 0);
  case StmtKind::Sort: {
    auto &sort = llvm::cast<SortStmt>(s);
    for (const ArrayExpr *array : sort.arrays) {
      visitTop(*array);
      visitTarget(*array, array->rank, array->range);
    }
    if (sort.before)
      visitCall(*sort.before, 0);
    return;
  }
  case StmtKind::CheckShape:
    visitTop(*llvm::cast<CheckShapeStmt>(s).extentA);
    return visitTop(*llvm::cast<CheckShapeStmt>(s).extentB);
  case StmtKind::Halt:
    if (const Expr *status = llvm::cast<HaltStmt>(s).status)
      visitTop(*status);
    return visitItems(llvm::cast<HaltStmt>(s).items);
  case StmtKind::Timer: {
    auto &timer = llvm::cast<TimerStmt>(s);
    if (timer.sync)
      visitTop(*timer.sync);
    if (timer.timer)
      onScalarWrite(*timer.timer, timer.range);
    return;
  }
  case StmtKind::If: {
    auto &branch = llvm::cast<IfStmt>(s);
    visitTop(*branch.condition);
    visitStmts(branch.thenBody);
    return visitStmts(branch.elseBody);
  }
  case StmtKind::While: {
    auto &loop = llvm::cast<WhileStmt>(s);
    visitTop(*loop.condition);
    return visitStmts(loop.body);
  }
  case StmtKind::Repeat: {
    auto &loop = llvm::cast<RepeatStmt>(s);
    visitStmts(loop.body);
    return visitTop(*loop.condition);
  }
  case StmtKind::For: {
    auto &loop = llvm::cast<ForStmt>(s);
    visitTop(*loop.from);
    visitTop(*loop.bound);
    visitTop(*loop.step);
    visitTarget(*loop.variable, 0, loop.range);
    return visitStmts(loop.body);
  }
  case StmtKind::Exit:
  case StmtKind::Continue:
    return;
  case StmtKind::Return: {
    auto &leave = llvm::cast<ReturnStmt>(s);
    if (leave.value)
      visitExpr(*leave.value, leave.rank);
    return;
  }
  case StmtKind::Scope: {
    auto &scope = llvm::cast<ScopeStmt>(s);
    visitRegion(*scope.region);
    open(*scope.region, scope.mask);
    visitStmt(*scope.body);
    return onClose(*scope.region);
  }
  case StmtKind::RegionAssign: {
    auto &assign = llvm::cast<RegionAssignStmt>(s);
    visitRegion(*assign.value);
    return visitTarget(*assign.target, 0, assign.range);
  }
  case StmtKind::PatternAssign: {
    auto &assign = llvm::cast<PatternAssignStmt>(s);
    visitRegion(*assign.target);
    if (assign.file)
      visitTop(*assign.file);
    return visitRegion(*assign.value);
  }
  case StmtKind::Modify:
    visitRegion(*llvm::cast<ModifyStmt>(s).target);
    visitStmts(llvm::cast<ModifyStmt>(s).body);
    return onModifyEnd(llvm::cast<ModifyStmt>(s));
  case StmtKind::Add: {
    auto &add = llvm::cast<AddStmt>(s);
    if (add.rank != 0)
      onCover(add.rank, add.range);
    for (const Expr *index : add.indices)
      visitExpr(*index, add.rank);
    return;
  }
  case StmtKind::Redistribute: {
    auto &assign = llvm::cast<RedistributeStmt>(s);
    if (!assign.weights)
      return;
    onCover(assign.rank, assign.range);
    return visitExpr(*assign.weights, assign.rank);
  }
  case StmtKind::Resize: {
    auto &resize = llvm::cast<ResizeStmt>(s);
    for (const Expr *length : resize.lengths)
      visitTop(*length);
    visitTarget(*resize.target, 0, resize.range);
    for (TypeBound bound : resize.target->type.info()->hi)
      onScalarWrite(*bound.variable, resize.range);
    return;
  }
  }
  llvm_unreachable("statement");
}

} // namespace zpl::sema
