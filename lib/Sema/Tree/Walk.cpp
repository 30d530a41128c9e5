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
#include "zpl/Sema/Visit.h"

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

namespace {

/// The direct operands of each kind of expression, in the order of the text.
struct OperandsOf {
  llvm::function_ref<void(const Expr &)> visit;

  /// Each of \p operands; blank ones are passed over.
  void all(llvm::ArrayRef<const Expr *> operands) {
    for (const Expr *operand : operands)
      if (operand)
        visit(*operand);
  }
  void of(const LiteralExpr &) {}
  void of(const VariableExpr &) {}
  void of(const ComponentExpr &) {}
  void of(const IndexExpr &) {}
  void of(const TimerExpr &) {}
  void of(const ProcessorsExpr &) {}
  void of(const GridPlaceExpr &) {}
  void of(const EnclosingMaskExpr &) {}
  void of(const ArrayExpr &e) { all(e.subscripts), all(e.direction); }
  void of(const UnaryExpr &e) { visit(*e.operand); }
  void of(const BinaryExpr &e) { all({e.left, e.right}); }
  void of(const CompareExpr &e) { all({e.left, e.right}); }
  void of(const FmaExpr &e) { all({e.a, e.b, e.c}); }
  void of(const CastExpr &e) { visit(*e.operand); }
  void of(const MathExpr &e) { all(e.args); }
  void of(const CallExpr &e) { all(e.args); }
  void of(const ReduceExpr &e) {
    if (e.source)
      forEachOperand(*e.source, visit);
    all({e.mask.mask, e.operand});
  }
  void of(const FloodExpr &e) {
    forEachOperand(*e.source, visit);
    visit(*e.operand);
  }
  void of(const ScanExpr &e) { all({e.segment, e.operand}); }
  void of(const GatherExpr &e) { visit(*e.source), all(e.maps); }
  void of(const RegionBoundExpr &e) { forEachOperand(*e.region, visit); }
  void of(const IrvExpr &e) { all(e.array->subscripts); }
  void of(const PatternExpr &e) { forEachOperand(*e.region, visit); }
  void of(const InsideExpr &e) {
    forEachOperand(*e.region, visit);
    all(e.indices);
  }
  void of(const FieldExpr &e) { visit(*e.base); }
  void of(const SubscriptExpr &e) { visit(*e.base), all(e.subscripts); }
  void of(const ComplexExpr &e) { all({e.re, e.im}); }
  void of(const BuiltinExpr &e) { all(e.args), all(e.place); }
  void of(const RegionValueExpr &e) { forEachOperand(*e.region, visit); }
  void of(const DirectionValueExpr &e) { all(e.components); }
};

} // namespace

void forEachOperand(const Expr &e,
                    llvm::function_ref<void(const Expr &)> visit) {
  visitKind(e, [&](const auto &known) { OperandsOf{visit}.of(known); });
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

void Visitor::visitArray(const Array &array) {
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
}

void Visitor::visitSymbol(const Symbol &symbol) {
  switch (symbol.kind) {
  case SymbolKind::Variable: {
    auto &variable = llvm::cast<Variable>(symbol);
    if (variable.init)
      visitTop(*variable.init);
    return visitStmts(variable.setup);
  }
  case SymbolKind::Array:
    return visitArray(llvm::cast<Array>(symbol));
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

/// The region that \p e asks for a bound, its value, its pattern, or whether
/// indices are in it; else null.
static const RegionExpr *askedRegion(const Expr &e) {
  if (auto *bound = llvm::dyn_cast<RegionBoundExpr>(&e))
    return bound->region;
  if (auto *stored = llvm::dyn_cast<RegionValueExpr>(&e))
    return stored->region;
  if (auto *pattern = llvm::dyn_cast<PatternExpr>(&e))
    return pattern->region;
  if (auto *inside = llvm::dyn_cast<InsideExpr>(&e))
    return inside->region;
  return nullptr;
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
  if (const RegionExpr *asked = askedRegion(e)) {
    visitRegion(*asked);
    onExpr(e);
    if (auto *inside = llvm::dyn_cast<InsideExpr>(&e))
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

struct Visitor::Inside {
  Visitor &v;

  void of(const BlockStmt &s) { v.visitStmts(s.body); }
  void of(const WaveStmt &s) { v.visitStmts(s.body); }
  void of(const AssignStmt &s) {
    v.visitTop(*s.value);
    v.visitTarget(*s.target, 0, s.range);
  }
  void of(const ArrayAssignStmt &s) {
    v.onCover(s.target->rank, s.range);
    v.visitExpr(*s.value, s.target->rank);
    v.visitTarget(*s.target, s.target->rank, s.range);
  }
  void of(const ScatterStmt &s) {
    v.onCover(s.rank, s.range);
    v.visitExpr(*s.value, s.rank);
    if (s.combine)
      v.visitExpr(*s.combine, 0);
    v.visitRemap(*s.target, s.maps, s.rank, /*isWrite=*/true);
  }
  void of(const BoundaryStmt &s) {
    for (const Expr *component : s.direction)
      v.visitTop(*component);
    for (const ArrayExpr *array : s.arrays)
      v.visitSubscripts(*array, array->rank);
    v.visitRegion(*s.base);
  }
  void of(const CallStmt &s) { v.visitTop(*s.call); }
  void of(const BuiltinStmt &s) { v.visitTop(*s.call); }
  void of(const WriteStmt &s) {
    v.visitTop(*s.file);
    v.visitItems(s.items);
  }
  void of(const ReadStmt &s) {
    v.visitTop(*s.file);
    for (const ReadItem &item : s.items)
      v.visitRead(item);
  }
  void of(const BindIoStmt &s) { v.visitSubscripts(*s.array, 0); }
  void of(const SortStmt &s) {
    for (const ArrayExpr *array : s.arrays) {
      v.visitTop(*array);
      v.visitTarget(*array, array->rank, array->range);
    }
    if (s.before)
      v.visitCall(*s.before, 0);
  }
  void of(const CheckShapeStmt &s) {
    v.visitTop(*s.extentA);
    v.visitTop(*s.extentB);
  }
  void of(const HaltStmt &s) {
    if (s.status)
      v.visitTop(*s.status);
    v.visitItems(s.items);
  }
  void of(const TimerStmt &s) {
    if (s.sync)
      v.visitTop(*s.sync);
    if (s.timer)
      v.onScalarWrite(*s.timer, s.range);
  }
  void of(const IfStmt &s) {
    v.visitTop(*s.condition);
    v.visitStmts(s.thenBody);
    v.visitStmts(s.elseBody);
  }
  void of(const WhileStmt &s) {
    v.visitTop(*s.condition);
    v.visitStmts(s.body);
  }
  void of(const RepeatStmt &s) {
    v.visitStmts(s.body);
    v.visitTop(*s.condition);
  }
  void of(const ForStmt &s) {
    v.visitTop(*s.from);
    v.visitTop(*s.bound);
    v.visitTop(*s.step);
    v.visitTarget(*s.variable, 0, s.range);
    v.visitStmts(s.body);
  }
  void of(const ExitStmt &) {}
  void of(const ContinueStmt &) {}
  void of(const ReturnStmt &s) {
    if (s.value)
      v.visitExpr(*s.value, s.rank);
  }
  void of(const ScopeStmt &s) {
    v.visitRegion(*s.region);
    v.open(*s.region, s.mask);
    v.visitStmt(*s.body);
    v.onClose(*s.region);
  }
  void of(const RegionAssignStmt &s) {
    v.visitRegion(*s.value);
    v.visitTarget(*s.target, 0, s.range);
  }
  void of(const PatternAssignStmt &s) {
    v.visitRegion(*s.target);
    if (s.file)
      v.visitTop(*s.file);
    v.visitRegion(*s.value);
  }
  void of(const ModifyStmt &s) {
    v.visitRegion(*s.target);
    v.visitStmts(s.body);
    v.onModifyEnd(s);
  }
  void of(const AddStmt &s) {
    if (s.rank != 0)
      v.onCover(s.rank, s.range);
    for (const Expr *index : s.indices)
      v.visitExpr(*index, s.rank);
  }
  void of(const RedistributeStmt &s) {
    if (!s.weights)
      return;
    v.onCover(s.rank, s.range);
    v.visitExpr(*s.weights, s.rank);
  }
  void of(const ResizeStmt &s) {
    for (const Expr *length : s.lengths)
      v.visitTop(*length);
    v.visitTarget(*s.target, 0, s.range);
    for (TypeBound bound : s.target->type.info()->hi)
      v.onScalarWrite(*bound.variable, s.range);
  }
};

void Visitor::visitStmt(const Stmt &s) {
  onStmt(s);
  visitKind(s, [&](const auto &known) { Inside{*this}.of(known); });
}

} // namespace zpl::sema
