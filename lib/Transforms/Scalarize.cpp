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
// Cost: linear in the statements.
//
//===----------------------------------------------------------------------===//

#include "zpl/Transforms/Scalarize.h"
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
    else
      result.push_back(stmt);
  }

  /// With levels and without a body.
  MLoopStmt *loopOver(Region *region, SourceRange range) {
    auto *loop = module.make<MLoopStmt>(region, range);
    for (unsigned dim = 0; dim < region->rank(); ++dim)
      loop->levels.push_back(
          {dim, region->shape[dim] == DimKind::Singleton, /*down=*/false});
    context.count("loops");
    return loop;
  }

  Stmt *lowerAssign(const ArrayAssignStmt &assign) {
    MLoopStmt *loop = loopOver(assign.region, assign.range);
    ElementOp store;
    store.kind = ElementOp::Store;
    store.target = assign.target;
    store.value = assign.value;
    store.range = assign.range;
    loop->body.push_back(store);
    return loop;
  }

  Stmt *lowerCall(const ElementCallStmt &stmt) {
    MLoopStmt *loop = loopOver(stmt.region, stmt.range);
    ElementOp call;
    call.kind = ElementOp::Call;
    call.value = stmt.call;
    call.range = stmt.range;
    loop->body.push_back(call);
    return loop;
  }

  void lowerReduce(const ReduceStmt &reduce, StmtList &result) {
    auto *part = module.make<Variable>();
    part->name = names.make(reduce.target->name + ".local");
    part->type = reduce.target->type;
    part->range = reduce.target->range;
    procedure.variables.push_back(part);

    MLoopStmt *loop = loopOver(reduce.region, reduce.range);
    ElementOp accumulate;
    accumulate.kind = ElementOp::Accumulate;
    accumulate.accumulator = part;
    accumulate.op = reduce.op;
    accumulate.value = reduce.value;
    accumulate.range = reduce.range;
    loop->body.push_back(accumulate);

    result.push_back(loop);
    result.push_back(module.make<CombineStmt>(reduce.op, part, reduce.range));
    result.push_back(module.make<SetStmt>(
        module.make<VarExpr>(reduce.target, reduce.range),
        module.make<VarExpr>(part, reduce.range), reduce.range));
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
