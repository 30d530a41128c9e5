//===- Recursion.cpp - Procedures that call themselves --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure f(n: integer);       LLVM would jump to the beginning of f:
//     begin                          without optimization a full stack, which
//     is
//       f(n + 1);                    an error, with it a run that does not end
//     end;
//
// So functions that may come back to themselves make no tail calls, neither
// loops nor jumps to others. That way a recursion needs stack at every level.
//
// Which they are: whoever is reached from itself along direct calls. Cost: the
// functions times the calls, at worst; a program has few of either.
//
//===----------------------------------------------------------------------===//

#include "Recursion.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace zpl::codegen {

using Callees = DenseMap<const Function *, SmallSetVector<const Function *, 4>>;

static Callees calleesIn(const Module &module) {
  Callees result;
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (const Function *callee = call->getCalledFunction())
          if (!callee->isDeclaration())
            result[&function].insert(callee);
  return result;
}

static bool reachesItself(const Function &function, const Callees &callees) {
  SetVector<const Function *> reached;
  auto addCallees = [&](const Function *caller) {
    auto found = callees.find(caller);
    if (found != callees.end())
      reached.insert(found->second.begin(), found->second.end());
  };
  addCallees(&function);
  for (size_t k = 0; k < reached.size(); ++k)
    addCallees(reached[k]);
  return reached.contains(&function);
}

void keepRecursion(Module &module) {
  Callees callees = calleesIn(module);
  for (Function &function : module)
    if (reachesItself(function, callees))
      function.addFnAttr("disable-tail-calls", "true");
}

} // namespace zpl::codegen
