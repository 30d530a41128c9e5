//===- Scalarize.cpp - Array statements to M-loops ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [@R] @B = mul(@A, %x)           mloop @R levels(0 up, 1 up) {
//                                =>     store @B = mul(@A, %x)
//                                     }
//
// One M-loop per statement. Block form allows any order of the indices, so the
// order is that of memory: dimension 0 outermost, all ascending; singleton
// dimensions get no loop.
//
// A reduction accumulates into a new local variable, which holds this
// processor's part after the loop; `combine` makes of the parts the same value
// everywhere, and `set` gives it to the target. The extra variable is there
// because the target keeps its old value during the loop (the operand may read
// it, also under another name), and because a local of its own stays in a
// register.
//
// A partial reduction, of the columns of A, has an array as its accumulator:
//
//     [@S] %T = reduce sum @A         mloop %r levels(0 flat, 1 up) {
//                                =>     store %T = f64 0.0
//     region %r : <*, ..>             }
//     array %T : f64 <*, ..> over %r  mloop @S levels(0 up, 1 up) {
//                                       accumulate sum %T, @A
//                                     }
//                                     combine-array sum %T dims (0)
//
// Each processor starts from the identity of the operator, so it does not
// matter which of them own elements. The second loop is row-major as well: for
// sums of columns it adds rows of A to the one row of T, both contiguous; for
// sums of rows it adds to one element, which CodeGen keeps in a register. What
// is combined are the dimensions that T floods and S does not, those too in
// which S has a single index: its owner has the value, the others the identity.
//
// Over a sparse region, sums of rows start in the second loop, unless a row of
// this processor has no index:
//
//     if eq(complete(@S), i64 0) { mloop %r { store %T = f64 0.0 } }
//     mloop @S { accumulate anew sum %T, @A }
//
// Cost: linear in the statements.
//
//===----------------------------------------------------------------------===//

#include "Statements/Scalarize.h"
#include "Statements/Identity.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {
namespace {

class Scalarizer {
public:
  Scalarizer(Procedure &procedure, Module &module, PassContext &context)
      : procedure(procedure), module(module), context(context),
        names(procedure) {}

  void run() {
    rewriteStmts(procedure.body,
                 [&](Stmt *stmt, StmtList &result) { lower(stmt, result); });
    procedure.form = Form::Loop;
  }

private:
  void lower(Stmt *stmt, StmtList &result) {
    if (auto *assign = dyn_cast<ArrayAssignStmt>(stmt))
      result.push_back(lowerAssign(*assign));
    else if (auto *call = dyn_cast<ElementCallStmt>(stmt))
      result.push_back(lowerCall(*call));
    else if (auto *reduce = dyn_cast<ReduceStmt>(stmt))
      lowerReduce(*reduce, result);
    else if (auto *reduce = dyn_cast<ReduceArrayStmt>(stmt))
      lowerReduceArray(*reduce, result);
    else
      result.push_back(stmt);
  }

  /// Makes an M-loop of one operation.
  MLoopStmt *loopOver(Region *region, const ElementOp &op) {
    auto *loop = module.make<MLoopStmt>(region, op.range);
    for (unsigned dim = 0; dim < region->rank(); ++dim) {
      DimKind kind = region->shape[dim];
      bool flat = kind == DimKind::Singleton || isPerProcessor(kind);
      loop->levels.push_back({dim, flat, /*down=*/false});
    }
    loop->body.push_back(op);
    if (isScattered(*region) && !region->isSparse)
      loop->body.back().guard = withStrides(*region, op.guard, op.range);
    context.count("loops");
    return loop;
  }

  /// \p guard where the index is one of a region with strides: over places an
  /// M-loop takes none.
  const Expr *withStrides(Region &region, const Expr *guard,
                          SourceRange range) {
    for (unsigned d = 0; d < region.rank(); ++d) {
      if (region.shape[d] != DimKind::Strided)
        continue;
      auto bound = [&](BoundExpr::Which which) {
        return module.make<BoundExpr>(&region, d, which, range);
      };
      auto *index = module.make<CastExpr>(
          Type::I64, module.make<IndexExpr>(d, range), range);
      auto *distance = module.make<BinaryExpr>(BinaryOp::Sub, index,
                                               bound(BoundExpr::Align), range);
      auto *rest = module.make<BinaryExpr>(BinaryOp::Rem, distance,
                                           bound(BoundExpr::Stride), range);
      auto *zero = module.make<ConstExpr>(Type::I64, range);
      const Expr *isIn =
          module.make<CompareExpr>(CompareOp::Eq, rest, zero, range);
      guard = guard ? module.make<BinaryExpr>(BinaryOp::And, isIn, guard, range)
                    : isIn;
    }
    return guard;
  }

  Stmt *lowerAssign(const ArrayAssignStmt &assign) {
    ElementOp store;
    store.kind = ElementOp::Store;
    store.target = assign.target;
    store.value = assign.value;
    store.guard = assign.guard;
    store.range = assign.range;
    return loopOver(assign.region, store);
  }

  Stmt *lowerCall(const ElementCallStmt &stmt) {
    ElementOp call;
    call.kind = ElementOp::Call;
    call.value = stmt.call;
    call.accumulates = stmt.accumulates;
    call.guard = stmt.guard;
    call.range = stmt.range;
    return loopOver(stmt.region, call);
  }

  template <typename Statement>
  static ElementOp accumulation(const Statement &reduce) {
    ElementOp accumulate;
    accumulate.kind = ElementOp::Accumulate;
    accumulate.op = reduce.op;
    accumulate.value = reduce.value;
    accumulate.guard = reduce.guard;
    accumulate.range = reduce.range;
    return accumulate;
  }

  void lowerReduce(const ReduceStmt &reduce, StmtList &result) {
    auto *part = module.make<Variable>();
    part->name = names.make(reduce.target->name + ".local");
    part->type = reduce.target->type;
    part->range = reduce.target->range;
    procedure.variables.push_back(part);

    ElementOp accumulate = accumulation(reduce);
    accumulate.accumulator = part;
    result.push_back(loopOver(reduce.region, accumulate));
    result.push_back(
        module.make<CombineStmt>(reduce.op, part, reduce.region, reduce.range));
    result.push_back(module.make<SetStmt>(
        module.make<VarExpr>(reduce.target, reduce.range),
        module.make<VarExpr>(part, reduce.range), reduce.range));
  }

  const Expr *elementOf(Array *array, SourceRange range) {
    return module.make<ElementExpr>(array, Offset(array->rank(), 0), range);
  }

  /// `add(e, 0.0)` of floating-point max and min: which zero they find must not
  /// depend on the order. Accumulators that are variables see to it at the end.
  const Expr *withoutNegativeZero(const ReduceArrayStmt &reduce) {
    Type type = reduce.value->type;
    bool isExtremum =
        reduce.op == Reduction::Max || reduce.op == Reduction::Min ||
        reduce.op == Reduction::MaxNaN || reduce.op == Reduction::MinNaN;
    if (!type.isFloat() || !isExtremum)
      return reduce.value;
    return module.make<BinaryExpr>(
        BinaryOp::Add, reduce.value,
        identityOf(Reduction::Sum, type, module, reduce.range), reduce.range);
  }

  /// Whether each row of a sparse region has an element of the target for
  /// itself: then most targets need not be set before.
  bool isByRows(const ReduceArrayStmt &reduce) const {
    const Shape &shape = reduce.target->shape;
    return reduce.region->isSparse && !procedure.mayAlias &&
           shape.back() == DimKind::Flood &&
           none_of(drop_end(shape), isPerProcessor);
  }

  /// \p stmt where a row may have no index.
  Stmt *unlessComplete(Region &region, Stmt *stmt) {
    auto *complete =
        module.make<BoundExpr>(&region, 0, BoundExpr::Complete, stmt->range);
    auto *zero = module.make<ConstExpr>(Type::I64, stmt->range);
    auto *isNot =
        module.make<CompareExpr>(CompareOp::Eq, complete, zero, stmt->range);
    auto *branch = module.make<IfStmt>(isNot, stmt->range);
    branch->thenBody.push_back(stmt);
    return branch;
  }

  void lowerReduceArray(const ReduceArrayStmt &reduce, StmtList &result) {
    Array *target = reduce.target;
    ElementOp start;
    start.target = elementOf(target, reduce.range);
    start.value = identityOf(reduce.op, target->element, module, reduce.range);
    start.range = reduce.range;
    ElementOp accumulate = accumulation(reduce);
    Stmt *starts = loopOver(target->declared, start);
    if (isByRows(reduce)) {
      accumulate.anew = true;
      starts = unlessComplete(*reduce.region, starts);
    }
    result.push_back(starts);

    accumulate.target = elementOf(target, reduce.range);
    accumulate.value = withoutNegativeZero(reduce);
    result.push_back(loopOver(reduce.region, accumulate));

    SmallVector<unsigned, 6> dims;
    for (unsigned d = 0; d < target->rank(); ++d)
      if (target->shape[d] == DimKind::Flood &&
          reduce.region->shape[d] != DimKind::Flood)
        dims.push_back(d);
    if (!dims.empty())
      result.push_back(
          module.make<CombineArrayStmt>(reduce.op, target, dims, reduce.range));
  }

  Procedure &procedure;
  Module &module;
  PassContext &context;
  NameAllocator names;
};

} // namespace

void scalarize(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    Scalarizer(*procedure, module, context).run();
}

} // namespace zpl::air
