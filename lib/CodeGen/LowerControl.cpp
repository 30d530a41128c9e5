//===- LowerControl.cpp - Branches and loops ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structured control flow becomes blocks named after it (`if.then`,
// `for.body`). `exit` and `continue` jump to the innermost loop's two targets.
//
// The integer `for` needs care, because its variable ends one step past the
// last value but nothing may overflow on the way: `for i := 1 to MAXINT`
// terminates. So the test comes before the step, against the last value from
// which a step stays within the bound:
//
//       i = from;  last = bound - step       -- may wrap: then no step fits
//       if (from <= bound)
//   body: ...
//   next: if (!wrapped && i <= last) { i += step; goto body; }
//         i += step                          -- wraps past MAXINT
//
// On the way to `body` the sum is at most the bound, so it carries `nsw`, and
// LLVM knows the trip count. The variable is read again after the body, which
// may have assigned to it. A float loop tests at the top like C's.
//
//===----------------------------------------------------------------------===//

#include "FunctionLowering.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace zpl::codegen {

/// Goes to \p yes where the condition is true, else to \p no. The right side of
/// `and` and `or` is evaluated only if it matters, unless it calls something:
/// what an M-loop does rarely (an accumulator that finds a new minimum) is
/// cheaper after a branch that is predicted than as selections at every index.
void FunctionLowering::branchOn(const air::Expr *condition, BasicBlock *yes,
                                BasicBlock *no) {
  auto *binary = dyn_cast<air::BinaryExpr>(condition);
  bool isAnd = binary && binary->op == air::BinaryOp::And;
  bool isOr = binary && binary->op == air::BinaryOp::Or;
  bool calls = false;
  if (isAnd || isOr)
    air::forEachExpr(*binary->right, [&](const air::Expr &e) {
      calls |= isa<air::CallExpr>(e);
    });
  if ((!isAnd && !isOr) || calls || condition->type != air::Type::Bool) {
    builder.CreateCondBr(lower(condition), yes, no);
    return;
  }
  BasicBlock *right = addBlock(isAnd ? "and.right" : "or.right");
  branchOn(binary->left, isAnd ? right : yes, isAnd ? no : right);
  startBlock(right);
  branchOn(binary->right, yes, no);
}

void FunctionLowering::lowerIf(const air::IfStmt *stmt) {
  BasicBlock *thenBlock = addBlock("if.then");
  BasicBlock *endBlock = addBlock("if.end");
  BasicBlock *elseBlock =
      stmt->elseBody.empty() ? endBlock : addBlock("if.else");
  branchOn(stmt->condition, thenBlock, elseBlock);
  startBlock(thenBlock);
  lower(stmt->thenBody);
  if (!isTerminated())
    builder.CreateBr(endBlock);
  if (!stmt->elseBody.empty()) {
    startBlock(elseBlock);
    lower(stmt->elseBody);
  }
  startBlock(endBlock);
}

/// The body up to its end, from which control goes on to \p next.
void FunctionLowering::lowerLoopBody(const air::StmtList &body,
                                     BasicBlock *exit, BasicBlock *next) {
  loops.push_back({exit, next});
  lower(body);
  loops.pop_back();
}

void FunctionLowering::lowerWhile(const air::WhileStmt *stmt) {
  BasicBlock *test = addBlock("while.test");
  BasicBlock *body = addBlock("while.body");
  BasicBlock *end = addBlock("while.end");
  startBlock(test);
  lower(stmt->prelude);
  if (!isTerminated()) {
    setPlace(stmt->range);
    builder.CreateCondBr(lower(stmt->condition), body, end);
  }
  startBlock(body);
  lowerLoopBody(stmt->body, end, test);
  if (!isTerminated())
    builder.CreateBr(test);
  startBlock(end);
}

void FunctionLowering::lowerRepeat(const air::RepeatStmt *stmt) {
  BasicBlock *body = addBlock("repeat.body");
  BasicBlock *test = addBlock("repeat.test");
  BasicBlock *end = addBlock("repeat.end");
  startBlock(body);
  lowerLoopBody(stmt->body, end, test);
  startBlock(test);
  lower(stmt->prelude);
  if (!isTerminated()) {
    setPlace(stmt->range);
    builder.CreateCondBr(lower(stmt->condition), end, body);
  }
  startBlock(end);
}

void FunctionLowering::lowerFor(const air::ForStmt *stmt) {
  values.clear();
  Value *cell = addressOf(stmt->variable);
  if (stmt->variable->type.isFloat())
    lowerFloatFor(stmt, cell);
  else
    lowerIntegerFor(stmt, cell);
}

void FunctionLowering::lowerIntegerFor(const air::ForStmt *stmt, Value *cell) {
  air::Type type = stmt->variable->type;
  bool isSigned = type.isSigned();
  Value *from = lower(stmt->from);
  Value *bound = lower(stmt->bound);
  Value *step = lower(stmt->step);
  BasicBlock *body = addBlock("for.body");
  BasicBlock *test = addBlock("for.next");
  BasicBlock *again = addBlock("for.step");
  BasicBlock *last = addBlock("for.last");
  BasicBlock *end = addBlock("for.end");

  store(type, from, cell);
  Intrinsic::ID difference = stmt->down ? isSigned
                                              ? Intrinsic::sadd_with_overflow
                                              : Intrinsic::uadd_with_overflow
                             : isSigned ? Intrinsic::ssub_with_overflow
                                        : Intrinsic::usub_with_overflow;
  Value *limit = builder.CreateBinaryIntrinsic(difference, bound, step);
  Value *fits = builder.CreateNot(builder.CreateExtractValue(limit, 1));
  Value *lastFrom = builder.CreateExtractValue(limit, 0, "for.limit");
  auto within = [&](Value *value, Value *limit) {
    return ops.compare(stmt->down ? air::CompareOp::Ge : air::CompareOp::Le,
                       type, value, limit);
  };
  auto stepped = [&](bool wraps) {
    Value *value = load(type, cell, cell->getName());
    bool nsw = !wraps && isSigned, nuw = !wraps && !isSigned;
    return stmt->down ? builder.CreateSub(value, step, "", nuw, nsw)
                      : builder.CreateAdd(value, step, "", nuw, nsw);
  };
  builder.CreateCondBr(within(from, bound), body, end);
  startBlock(body);
  lowerLoopBody(stmt->body, end, test);

  startBlock(test);
  setPlace(stmt->range);
  builder.CreateCondBr(
      builder.CreateAnd(fits,
                        within(load(type, cell, cell->getName()), lastFrom)),
      again, last);
  startBlock(again);
  store(type, stepped(/*wraps=*/false), cell);
  builder.CreateBr(body);
  startBlock(last);
  store(type, stepped(/*wraps=*/true), cell);
  startBlock(end);
}

void FunctionLowering::lowerFloatFor(const air::ForStmt *stmt, Value *cell) {
  air::Type type = stmt->variable->type;
  Value *from = lower(stmt->from);
  Value *bound = lower(stmt->bound);
  Value *step = lower(stmt->step);
  BasicBlock *test = addBlock("for.test");
  BasicBlock *body = addBlock("for.body");
  BasicBlock *next = addBlock("for.next");
  BasicBlock *end = addBlock("for.end");

  store(type, from, cell);
  startBlock(test);
  Value *value = load(type, cell, cell->getName());
  builder.CreateCondBr(stmt->down ? builder.CreateFCmpOGE(value, bound)
                                  : builder.CreateFCmpOLE(value, bound),
                       body, end);
  startBlock(body);
  lowerLoopBody(stmt->body, end, next);
  startBlock(next);
  setPlace(stmt->range);
  value = load(type, cell, cell->getName());
  store(type,
        stmt->down ? builder.CreateFSub(value, step)
                   : builder.CreateFAdd(value, step),
        cell);
  builder.CreateBr(test);
  startBlock(end);
}

void FunctionLowering::lowerReturn(const air::ReturnStmt *stmt) {
  if (!stmt->value) {
    builder.CreateRetVoid();
  } else if (resultAddress) {
    store(stmt->value->type, lower(stmt->value), resultAddress);
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(lower(stmt->value));
  }
}

} // namespace zpl::codegen
