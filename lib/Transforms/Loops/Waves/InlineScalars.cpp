//===- InlineScalars.cpp - Scalar procedures in waves ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure best(a, b, n, w, nw: integer): integer;
//     begin
//       if a = b then return nw + 1; else return max(n, w); end;
//     end;
//     [R] scan L := best(A, B, L'@north, L'@west, L'@nw); end;
//
// A row of a wave can be a lane of vectors (LaneRows.cpp) if the body is made
// of operations that vectors have. A call is none; so the code of what is
// called comes in its place (Unfolding.cpp), its branches as values that are
// stored under conditions:
//
//     store %is = eq(@A, @B)
//     store %best = max(@L@(-1,0), @L@(0,-1))
//     store %best = add(@L@(-1,-1), 1) where %is
//     store @L = %best
//
// All of the wave's calls become operations, or none: what is left would keep
// rows from being lanes. The wave as it would be is made first, and is taken if
// nothing else forbids lanes, and elements wait for others of their row; rows
// that do not are vectors themselves, by LLVM, which inlines as well.
//
// Cost: linear in the operations, of which there are at most MostUnfolded.
//
//===----------------------------------------------------------------------===//

#include "Loops/Waves/InlineScalars.h"
#include "Loops/Waves/RowPaths.h"
#include "Loops/Waves/Unfolding.h"
#include "zpl/ArrayIR/LaneRows.h"
#include "zpl/ArrayIR/SkewedRows.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

static bool hasCalls(const MLoopStmt &loop) {
  bool found = false;
  forEachExpr(loop, [&](const Expr &e) { found |= isa<CallExpr>(e); });
  return found;
}

/// The procedures that the loop calls by name, for remarks: "'best', 'score'".
static std::string calledBy(const MLoopStmt &loop) {
  SmallVector<const Procedure *, 4> called;
  std::string names;
  forEachExpr(loop, [&](const Expr &e) {
    auto *call = dyn_cast<CallExpr>(&e);
    if (!call || is_contained(called, call->callee))
      return;
    called.push_back(call->callee);
    names += (names.empty() ? "'" : ", '") + call->callee->sourceName + "'";
  });
  return names;
}

/// Why the wave stays as it is; empty: it has been changed.
static std::string inlineInto(WaveStmt &wave, Procedure &procedure,
                              Module &module, NameAllocator &names,
                              const Figures &figures) {
  MLoopStmt &loop = wave.loop();
  Unfolding state{module, loop, names, {}, {}};
  for (const ElementOp &op : loop.body)
    if (!unfold(state, op))
      return state.why;
  MLoopStmt made(loop);
  made.body = state.ops;
  std::string why;
  if (!leastLaneSkew(module, made, procedure.mayAlias, why))
    return why;
  if (PathFinder(module, made, procedure.mayAlias, figures).chainOfRow() < 0)
    return "rows are vectors themselves";
  loop.body = std::move(state.ops);
  procedure.arrays.insert(procedure.arrays.end(), state.arrays.begin(),
                          state.arrays.end());
  return "";
}

void inlineScalars(Module &module, PassContext &context) {
  if (context.checksOverflow)
    return; // integers that nobody asked for would be checked
  for (Procedure *procedure : module.procedures) {
    NameAllocator names(*procedure);
    forEachStmt(procedure->body, [&](Stmt &stmt) {
      auto *wave = dyn_cast<WaveStmt>(&stmt);
      if (!wave || !hasCalls(wave->loop()) || !rowLoops(wave->loop()).rows)
        return;
      std::string called = calledBy(wave->loop());
      std::string why =
          inlineInto(*wave, *procedure, module, names, context.figures);
      if (!why.empty())
        return context.missed(wave->range,
                              called + " called for each element: " + why);
      context.count("waves");
      context.applied(wave->range,
                      called + " computed at each index without branches");
    });
  }
}

} // namespace zpl::air
