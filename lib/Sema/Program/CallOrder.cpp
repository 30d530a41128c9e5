//===- CallOrder.cpp - Procedures, callees first --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     main calls step, step calls relax and norm      order: relax norm step
//     main
//
// The postorder of a depth-first walk over the calls, with a stack of our own,
// for programs may have chains of calls of any length.
//
// Cost: linear in the code.
//
//===----------------------------------------------------------------------===//

#include "Program/CallOrder.h"

#include "Tree/Walk.h"

namespace zpl::sema {

namespace {

class CallFinder : public Visitor {
public:
  explicit CallFinder(std::vector<const CallExpr *> &calls) : calls(calls) {}

protected:
  void onCall(const CallExpr &call, unsigned) override {
    calls.push_back(&call);
  }

private:
  std::vector<const CallExpr *> &calls;
};

} // namespace

bool isPromoted(const CallExpr &call) {
  for (unsigned i = 0; i != call.args.size(); ++i)
    if (passingOf(call, i) == Passing::Promoted)
      return true;
  return false;
}

std::vector<const CallExpr *> callsOfInitializers(const Program &program) {
  std::vector<const CallExpr *> calls;
  CallFinder(calls).visitInitializers(program);
  return calls;
}

std::vector<const CallExpr *> callsIn(const Program &program) {
  std::vector<const CallExpr *> calls = callsOfInitializers(program);
  for (const Procedure *procedure : program.procedures)
    CallFinder(calls).visitProcedure(*procedure);
  return calls;
}

CallOrder::CallOrder(const Program &program) {
  for (const Procedure *procedure : program.procedures)
    CallFinder(calls[procedure]).visitProcedure(*procedure);
  for (Procedure *procedure : program.procedures)
    addFrom(procedure);
}

void CallOrder::addFrom(Procedure *root) {
  std::vector<Procedure *> stack;
  auto enter = [&](Procedure *procedure) {
    if (seen.try_emplace(procedure, 0).second)
      stack.push_back(procedure);
  };
  enter(root);
  while (!stack.empty()) {
    Procedure *top = stack.back();
    llvm::ArrayRef<const CallExpr *> calls = callsOf(top);
    size_t &next = seen[top];
    if (next == calls.size()) {
      order.push_back(top);
      stack.pop_back();
      continue;
    }
    Procedure *callee = calls[next]->callee;
    ++next;
    enter(callee); // may move what `next` refers to
  }
}

llvm::ArrayRef<const CallExpr *>
CallOrder::callsOf(const Procedure *procedure) const {
  auto found = calls.find(procedure);
  if (found == calls.end())
    return {};
  return found->second;
}

} // namespace zpl::sema
