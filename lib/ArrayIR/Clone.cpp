//===- Clone.cpp - Copies of statements under other names -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With X = @A, R2 = @R and k = 3 in the body of a procedure,
//
//     [%R2] %X = mul(%X, %k)      =>      [@R] @A = mul(@A, i32 3)
//
// A statement is copied as it is, by its own copy constructor, and then each
// of its operands exchanged for its new name; so a field that is no name needs
// no mention here. Expressions are rebuilt only where a name in them changes,
// and what was shared is shared in the copy.
//
// Cost: linear in what is copied.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Clone.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

StmtCloner::StmtCloner(Module &module, const Renaming &names)
    : module(module), names(names),
      rewriter(module, [this](const Expr *expr) { return leaf(expr); }) {}

const Expr *StmtCloner::leaf(const Expr *expr) {
  if (auto *variable = dyn_cast<VarExpr>(expr)) {
    const Expr *known = names.variables.lookup(variable->variable);
    return known ? known : expr;
  }
  if (auto *element = dyn_cast<ElementExpr>(expr)) {
    Array *array = element->array;
    rename(array);
    if (array == element->array)
      return expr;
    auto *made =
        module.make<ElementExpr>(array, element->offset, element->range);
    made->walker = element->walker;
    return made;
  }
  if (auto *bound = dyn_cast<BoundExpr>(expr)) {
    Region *region = bound->region;
    rename(region);
    return region == bound->region
               ? expr
               : module.make<BoundExpr>(region, bound->dim, bound->which,
                                        bound->range);
  }
  return expr;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void StmtCloner::rename(const Expr *&expr) {
  if (expr)
    expr = rewriter.rewrite(expr);
}

void StmtCloner::rename(Array *&array) {
  if (Array *known = names.arrays.lookup(array))
    array = known;
}

void StmtCloner::rename(Region *&region) {
  if (Region *known = names.regions.lookup(region))
    region = known;
}

void StmtCloner::rename(Variable *&variable) {
  const Expr *known = names.variables.lookup(variable);
  if (!known)
    return;
  if (auto *other = dyn_cast<VarExpr>(known))
    variable = other->variable;
  else if (!misfit)
    misfit = variable;
}

void StmtCloner::rename(Map &map) { renameAll(map.array, map.scalar); }

void StmtCloner::rename(ShiftView &view) {
  rename(view.target);
  renameAll(view.direction);
}

void StmtCloner::rename(DimExpr &dim) {
  renameAll(dim.lo, dim.hi, dim.stride, dim.align);
}

void StmtCloner::rename(RegionExpr &value) {
  renameAll(value.dims);
  renameAll(value.direction);
  renameAll(value.base, value.array, value.level);
}

void StmtCloner::rename(WriteItem &item) {
  renameAll(item.value, item.array, item.region, item.format);
}

void StmtCloner::rename(ReadItem &item) {
  renameAll(item.place, item.array, item.region, item.format);
}

void StmtCloner::rename(ElementOp &op) {
  renameAll(op.target, op.accumulator, op.variable, op.value, op.guard);
  renameAll(op.carries);
}

void StmtCloner::rename(Argument &argument) {
  renameAll(argument.value, argument.place, argument.array, argument.region);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

StmtList StmtCloner::clone(const StmtList &list) {
  StmtList result;
  for (const Stmt *stmt : list)
    result.push_back(clone(*stmt));
  return result;
}

/// Arrays and regions are operands of calls that stand alone only.
Stmt *StmtCloner::cloneCall(const CallStmt &stmt) {
  auto *made = module.make<CallStmt>(stmt);
  auto *call = module.make<CallExpr>(*stmt.call);
  renameAll(call->args);
  rename(made->result);
  made->call = call;
  return made;
}

Stmt *StmtCloner::cloneControl(const Stmt &stmt) {
  if (auto *old = dyn_cast<IfStmt>(&stmt)) {
    auto *made = copy<IfStmt>(*old);
    renameAll(made->condition, made->thenBody, made->elseBody);
    return made;
  }
  if (auto *old = dyn_cast<WhileStmt>(&stmt)) {
    auto *made = copy<WhileStmt>(*old);
    renameAll(made->prelude, made->condition, made->body);
    return made;
  }
  if (auto *old = dyn_cast<RepeatStmt>(&stmt)) {
    auto *made = copy<RepeatStmt>(*old);
    renameAll(made->body, made->prelude, made->condition);
    return made;
  }
  if (auto *old = dyn_cast<ForStmt>(&stmt)) {
    auto *made = copy<ForStmt>(*old);
    renameAll(made->variable, made->from, made->bound, made->step, made->body);
    return made;
  }
  auto *made = copy<ReturnStmt>(stmt);
  rename(made->value);
  return made;
}

/// Statements that the runtime executes.
Stmt *StmtCloner::cloneOperator(const Stmt &stmt) {
  if (isa<ShiftStmt>(stmt)) {
    auto *made = copy<ShiftStmt>(stmt);
    renameAll(made->source, made->region);
    renameAll(made->views);
    return made;
  }
  if (isa<FloodStmt>(stmt)) {
    auto *made = copy<FloodStmt>(stmt);
    renameAll(made->target, made->source, made->from);
    return made;
  }
  if (isa<PutStmt>(stmt)) {
    auto *made = copy<PutStmt>(stmt);
    renameAll(made->target, made->source, made->region, made->mask);
    renameAll(made->direction);
    return made;
  }
  if (isa<FoldStmt>(stmt)) {
    auto *made = copy<FoldStmt>(stmt);
    renameAll(made->target, made->variable, made->source, made->region,
              made->mask);
    return made;
  }
  if (isa<ScanStmt>(stmt)) {
    auto *made = copy<ScanStmt>(stmt);
    renameAll(made->target, made->source, made->region, made->segment,
              made->mask);
    return made;
  }
  if (isa<OperatorEndStmt>(stmt)) {
    auto *made = copy<OperatorEndStmt>(stmt);
    rename(made->target);
    return made;
  }
  if (isa<GatherStmt>(stmt)) {
    auto *made = copy<GatherStmt>(stmt);
    renameAll(made->target, made->source, made->region, made->mask);
    renameAll(made->maps);
    return made;
  }
  if (isa<ScatterStmt>(stmt)) {
    auto *made = copy<ScatterStmt>(stmt);
    renameAll(made->target, made->source, made->region, made->mask);
    renameAll(made->maps);
    return made;
  }
  if (isa<BoundaryStmt>(stmt)) {
    auto *made = copy<BoundaryStmt>(stmt);
    renameAll(made->array, made->base);
    renameAll(made->direction);
    return made;
  }
  auto *made = copy<CheckStmt>(stmt);
  renameAll(made->array, made->region, made->over, made->mask);
  renameAll(made->direction);
  renameAll(made->maps);
  return made;
}

/// Statements with element code.
Stmt *StmtCloner::cloneElementwise(const Stmt &stmt) {
  if (isa<ArrayAssignStmt>(stmt)) {
    auto *made = copy<ArrayAssignStmt>(stmt);
    renameAll(made->region, made->target, made->value, made->guard);
    return made;
  }
  if (isa<ReduceStmt>(stmt)) {
    auto *made = copy<ReduceStmt>(stmt);
    renameAll(made->region, made->target, made->value, made->guard);
    return made;
  }
  if (isa<ReduceArrayStmt>(stmt)) {
    auto *made = copy<ReduceArrayStmt>(stmt);
    renameAll(made->region, made->target, made->value, made->guard);
    return made;
  }
  if (isa<ElementCallStmt>(stmt)) {
    auto *made = copy<ElementCallStmt>(stmt);
    const Expr *call = made->call;
    renameAll(made->region, call, made->guard);
    made->call = cast<CallExpr>(call);
    return made;
  }
  if (isa<WaveStmt>(stmt)) {
    auto *made = copy<WaveStmt>(stmt);
    renameAll(made->region, made->tile, made->body);
    renameAll(made->primed);
    return made;
  }
  if (isa<InterleaveStmt>(stmt)) {
    auto *made = copy<InterleaveStmt>(stmt);
    rename(made->body);
    return made;
  }
  auto *made = copy<MLoopStmt>(stmt);
  rename(made->region);
  renameAll(made->walkers);
  renameAll(made->ahead);
  renameAll(made->body);
  return made;
}

Stmt *StmtCloner::clone(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::Set: {
    auto *made = copy<SetStmt>(stmt);
    renameAll(made->target, made->value);
    return made;
  }
  case StmtKind::SetRegion: {
    auto *made = copy<SetRegionStmt>(stmt);
    renameAll(made->target, made->value);
    return made;
  }
  case StmtKind::DeclareRegion: {
    auto *made = copy<DeclareRegionStmt>(stmt);
    rename(made->region);
    return made;
  }
  case StmtKind::BindArray: {
    auto *made = copy<BindArrayStmt>(stmt);
    renameAll(made->array, made->place);
    return made;
  }
  case StmtKind::AllocArray: {
    auto *made = copy<AllocArrayStmt>(stmt);
    renameAll(made->array, made->like, made->follows);
    return made;
  }
  case StmtKind::Realloc: {
    auto *made = copy<ReallocStmt>(stmt);
    renameAll(made->key, made->region);
    return made;
  }
  case StmtKind::FreeArray: {
    auto *made = copy<FreeArrayStmt>(stmt);
    rename(made->array);
    return made;
  }
  case StmtKind::AllocVariable: {
    auto *made = copy<AllocVariableStmt>(stmt);
    rename(made->variable);
    return made;
  }
  case StmtKind::FreeVariable: {
    auto *made = copy<FreeVariableStmt>(stmt);
    rename(made->variable);
    return made;
  }
  case StmtKind::CombineArray: {
    auto *made = copy<CombineArrayStmt>(stmt);
    rename(made->array);
    return made;
  }
  case StmtKind::CheckShape: {
    auto *made = copy<CheckShapeStmt>(stmt);
    renameAll(made->extentA, made->extentB);
    return made;
  }
  case StmtKind::CheckThat: {
    auto *made = copy<CheckThatStmt>(stmt);
    rename(made->condition);
    renameAll(made->values);
    return made;
  }
  case StmtKind::Combine: {
    auto *made = copy<CombineStmt>(stmt);
    renameAll(made->variable, made->region);
    return made;
  }
  case StmtKind::Write: {
    auto *made = copy<WriteStmt>(stmt);
    rename(made->file);
    renameAll(made->items);
    return made;
  }
  case StmtKind::Read: {
    auto *made = copy<ReadStmt>(stmt);
    rename(made->file);
    renameAll(made->items);
    return made;
  }
  case StmtKind::Builtin: {
    auto *made = copy<BuiltinStmt>(stmt);
    rename(made->result);
    renameAll(made->args);
    return made;
  }
  case StmtKind::BindIo: {
    auto *made = copy<BindIoStmt>(stmt);
    rename(made->array);
    return made;
  }
  case StmtKind::Config: {
    auto *made = copy<ConfigStmt>(stmt);
    renameAll(made->variable, made->defaults);
    return made;
  }
  case StmtKind::Halt:
    return copy<HaltStmt>(stmt);
  case StmtKind::MissingReturn:
    return copy<MissingReturnStmt>(stmt);
  case StmtKind::Exit:
    return copy<ExitStmt>(stmt);
  case StmtKind::Continue:
    return copy<ContinueStmt>(stmt);
  case StmtKind::TransferPoint:
    return copy<TransferPointStmt>(stmt);
  case StmtKind::Timer: {
    auto *made = copy<TimerStmt>(stmt);
    renameAll(made->timer, made->result, made->sync);
    return made;
  }
  case StmtKind::Call:
    return cloneCall(cast<CallStmt>(stmt));
  case StmtKind::If:
  case StmtKind::While:
  case StmtKind::Repeat:
  case StmtKind::For:
  case StmtKind::Return:
    return cloneControl(stmt);
  case StmtKind::Shift:
  case StmtKind::Flood:
  case StmtKind::Put:
  case StmtKind::Fold:
  case StmtKind::Scan:
  case StmtKind::OperatorEnd:
  case StmtKind::Gather:
  case StmtKind::Scatter:
  case StmtKind::Boundary:
  case StmtKind::Check:
    return cloneOperator(stmt);
  case StmtKind::Wave:
  case StmtKind::ArrayAssign:
  case StmtKind::Reduce:
  case StmtKind::ReduceArray:
  case StmtKind::ElementCall:
  case StmtKind::MLoop:
  case StmtKind::Interleave:
    return cloneElementwise(stmt);
  }
  llvm_unreachable("a statement outside its enumeration");
}

} // namespace zpl::air
