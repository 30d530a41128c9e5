//===- LoopDepths.cpp - How deep in loops lines stand ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure smooth();              called in the loop of line 9: 1
//     begin
//       for k := 1 to 4 do             1
//         [R] A := A@east;             2
//       end;
//     end;
//
// What stands deeper is executed more often, which is all that can be said of a
// program that has not run. A procedure is as deep as its deepest call; a fixed
// point over the calls finds that, which MostDepth ends where they recur.
//
// Cost: linear in the module for each level of calls.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/LoopDepths.h"
#include "zpl/ArrayIR/Walk.h"
#include <algorithm>

using namespace llvm;

namespace zpl::air {

LoopDepths::LoopDepths(const Module &module, const SourceManager &sources)
    : sources(sources) {
  do {
    hasChanged = false;
    for (const Procedure *procedure : module.procedures)
      visit(procedure->body, procedures.lookup(procedure));
  } while (hasChanged);
}

void LoopDepths::visit(const StmtList &list, unsigned depth) {
  for (const Stmt *stmt : list) {
    note(*stmt, depth);
    bool isLoop = isa<WhileStmt, RepeatStmt, ForStmt>(stmt);
    unsigned inside = std::min(depth + isLoop, MostDepth);
    forEachList(*stmt, [&](const StmtList &body) { visit(body, inside); });
  }
}

void LoopDepths::note(const Stmt &stmt, unsigned depth) {
  forEachExpr(stmt, [&](const Expr &e) {
    auto *call = dyn_cast<CallExpr>(&e);
    if (!call || procedures.lookup(call->callee) >= depth)
      return;
    procedures[call->callee] = depth;
    hasChanged = true;
  });
  if (!stmt.range.isValid())
    return;
  unsigned line = sources.lineColumn(stmt.range).line;
  unsigned &known = lines[{stmt.range.file, line}];
  known = std::max(known, depth);
}

unsigned LoopDepths::of(SourceRange range) const {
  return range.isValid() ? of(range.file, sources.lineColumn(range).line) : 0;
}

unsigned LoopDepths::of(uint32_t file, unsigned line) const {
  auto next = lines.upper_bound({file, line});
  if (next == lines.begin())
    return 0;
  const auto &[place, depth] = *std::prev(next);
  return place.first == file ? depth : 0;
}

} // namespace zpl::air
