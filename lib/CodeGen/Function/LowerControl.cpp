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

#include "Function/LowerControl.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerScalar.h"
#include "Sparse/LowerPatterns.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace zpl::codegen {

/// The last value from which a step does not go over the bound, and whether
/// there is one in the type.
static std::pair<Value *, Value *> lastStart(FunctionState &fn, bool down,
                                             bool isSigned, Value *bound,
                                             Value *step) {
  Intrinsic::ID difference = down ? isSigned ? Intrinsic::sadd_with_overflow
                                             : Intrinsic::uadd_with_overflow
                             : isSigned ? Intrinsic::ssub_with_overflow
                                        : Intrinsic::usub_with_overflow;
  Value *limit = fn.builder.CreateBinaryIntrinsic(difference, bound, step);
  Value *fits = fn.builder.CreateNot(fn.builder.CreateExtractValue(limit, 1));
  Value *lastFrom = fn.builder.CreateExtractValue(limit, 0, "for.limit");
  return {lastFrom, fits};
}

static void lowerIntegerFor(FunctionState &fn, const air::ForStmt *stmt,
                            llvm::Value *cell);
static void lowerFloatFor(FunctionState &fn, const air::ForStmt *stmt,
                          llvm::Value *cell);

/// Goes to \p yes where the condition is true, else to \p no. The right side of
/// `and` and `or` is evaluated only if it matters, unless it calls something:
/// what an M-loop does rarely (an accumulator that finds a new minimum) is
/// cheaper after a branch that is predicted than as selections at every index.
static void branchOn(FunctionState &fn, const air::Expr *condition,
                     BasicBlock *yes, BasicBlock *no) {
  auto *binary = dyn_cast<air::BinaryExpr>(condition);
  bool isAnd = binary && binary->op == air::BinaryOp::And;
  bool isOr = binary && binary->op == air::BinaryOp::Or;
  bool calls = false;
  if (isAnd || isOr)
    air::forEachExpr(*binary->right, [&](const air::Expr &e) {
      calls |= isa<air::CallExpr>(e);
    });
  if ((!isAnd && !isOr) || calls || condition->type != air::Type::Bool) {
    fn.builder.CreateCondBr(lower(fn, condition), yes, no);
    return;
  }
  BasicBlock *right = addBlock(fn, isAnd ? "and.right" : "or.right");
  branchOn(fn, binary->left, isAnd ? right : yes, isAnd ? no : right);
  startBlock(fn, right);
  branchOn(fn, binary->right, yes, no);
}

void lowerIf(FunctionState &fn, const air::IfStmt *stmt) {
  BasicBlock *thenBlock = addBlock(fn, "if.then");
  BasicBlock *endBlock = addBlock(fn, "if.end");
  BasicBlock *elseBlock =
      stmt->elseBody.empty() ? endBlock : addBlock(fn, "if.else");
  branchOn(fn, stmt->condition, thenBlock, elseBlock);
  startBlock(fn, thenBlock);
  lower(fn, stmt->thenBody);
  if (!isTerminated(fn))
    fn.builder.CreateBr(endBlock);
  if (!stmt->elseBody.empty()) {
    startBlock(fn, elseBlock);
    lower(fn, stmt->elseBody);
  }
  startBlock(fn, endBlock);
}

/// The body up to its end, from which control goes on to \p next.
static void lowerLoopBody(FunctionState &fn, const air::StmtList &body,
                          BasicBlock *exit, BasicBlock *next) {
  fn.loops.push_back({exit, next});
  lower(fn, body);
  fn.loops.pop_back();
}

void lowerWhile(FunctionState &fn, const air::WhileStmt *stmt) {
  BasicBlock *test = addBlock(fn, "while.test");
  BasicBlock *body = addBlock(fn, "while.body");
  BasicBlock *end = addBlock(fn, "while.end");
  startBlock(fn, test);
  lower(fn, stmt->prelude);
  if (!isTerminated(fn)) {
    setPlace(fn, stmt->range);
    fn.builder.CreateCondBr(lower(fn, stmt->condition), body, end);
  }
  startBlock(fn, body);
  lowerLoopBody(fn, stmt->body, end, test);
  if (!isTerminated(fn))
    fn.builder.CreateBr(test);
  startBlock(fn, end);
}

void lowerRepeat(FunctionState &fn, const air::RepeatStmt *stmt) {
  BasicBlock *body = addBlock(fn, "repeat.body");
  BasicBlock *test = addBlock(fn, "repeat.test");
  BasicBlock *end = addBlock(fn, "repeat.end");
  startBlock(fn, body);
  lowerLoopBody(fn, stmt->body, end, test);
  startBlock(fn, test);
  lower(fn, stmt->prelude);
  if (!isTerminated(fn)) {
    setPlace(fn, stmt->range);
    fn.builder.CreateCondBr(lower(fn, stmt->condition), end, body);
  }
  startBlock(fn, end);
}

void lowerFor(FunctionState &fn, const air::ForStmt *stmt) {
  fn.values.clear();
  Value *cell = addressOf(fn, stmt->variable);
  if (stmt->variable->type.isFloat())
    lowerFloatFor(fn, stmt, cell);
  else
    lowerIntegerFor(fn, stmt, cell);
}

static void lowerIntegerFor(FunctionState &fn, const air::ForStmt *stmt,
                            Value *cell) {
  air::Type type = stmt->variable->type;
  bool isSigned = type.isSigned();
  Value *from = lower(fn, stmt->from);
  Value *bound = lower(fn, stmt->bound);
  Value *step = lower(fn, stmt->step);
  BasicBlock *body = addBlock(fn, "for.body");
  BasicBlock *test = addBlock(fn, "for.next");
  BasicBlock *again = addBlock(fn, "for.step");
  BasicBlock *last = addBlock(fn, "for.last");
  BasicBlock *end = addBlock(fn, "for.end");

  store(fn, type, from, cell);
  auto [lastFrom, fits] = lastStart(fn, stmt->down, isSigned, bound, step);
  auto within = [&](Value *value, Value *limit) {
    return fn.ops.compare(stmt->down ? air::CompareOp::Ge : air::CompareOp::Le,
                          type, value, limit);
  };
  auto stepped = [&](bool wraps) {
    Value *value = load(fn, type, cell, cell->getName());
    bool nsw = !wraps && isSigned, nuw = !wraps && !isSigned;
    return stmt->down ? fn.builder.CreateSub(value, step, "", nuw, nsw)
                      : fn.builder.CreateAdd(value, step, "", nuw, nsw);
  };
  fn.builder.CreateCondBr(within(from, bound), body, end);
  startBlock(fn, body);
  lowerLoopBody(fn, stmt->body, end, test);

  startBlock(fn, test);
  setPlace(fn, stmt->range);
  fn.builder.CreateCondBr(
      fn.builder.CreateAnd(
          fits, within(load(fn, type, cell, cell->getName()), lastFrom)),
      again, last);
  startBlock(fn, again);
  store(fn, type, stepped(/*wraps=*/false), cell);
  fn.builder.CreateBr(body);
  startBlock(fn, last);
  store(fn, type, stepped(/*wraps=*/true), cell);
  startBlock(fn, end);
}

static void lowerFloatFor(FunctionState &fn, const air::ForStmt *stmt,
                          Value *cell) {
  air::Type type = stmt->variable->type;
  Value *from = lower(fn, stmt->from);
  Value *bound = lower(fn, stmt->bound);
  Value *step = lower(fn, stmt->step);
  BasicBlock *test = addBlock(fn, "for.test");
  BasicBlock *body = addBlock(fn, "for.body");
  BasicBlock *next = addBlock(fn, "for.next");
  BasicBlock *end = addBlock(fn, "for.end");

  store(fn, type, from, cell);
  startBlock(fn, test);
  Value *value = load(fn, type, cell, cell->getName());
  fn.builder.CreateCondBr(stmt->down ? fn.builder.CreateFCmpOGE(value, bound)
                                     : fn.builder.CreateFCmpOLE(value, bound),
                          body, end);
  startBlock(fn, body);
  lowerLoopBody(fn, stmt->body, end, next);
  startBlock(fn, next);
  setPlace(fn, stmt->range);
  value = load(fn, type, cell, cell->getName());
  store(fn, type,
        stmt->down ? fn.builder.CreateFSub(value, step)
                   : fn.builder.CreateFAdd(value, step),
        cell);
  fn.builder.CreateBr(test);
  startBlock(fn, end);
}

void returnFrom(FunctionState &fn, Value *value) {
  dropPatterns(fn);
  if (value)
    fn.builder.CreateRet(value);
  else
    fn.builder.CreateRetVoid();
}

void lowerReturn(FunctionState &fn, const air::ReturnStmt *stmt) {
  Value *value = stmt->value ? lower(fn, stmt->value) : nullptr;
  if (value && fn.resultAddress) {
    store(fn, stmt->value->type, value, fn.resultAddress);
    value = nullptr;
  }
  returnFrom(fn, value);
}

} // namespace zpl::codegen
