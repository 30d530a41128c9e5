//===- KeepWays.cpp - What is left to the run to choose -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R levels(0 up, 1 up) ahead {@A: (1,0)} {
//       stream @B = add(@A@(-1,0), @A@(1,0))
//     }
// =>
//     mloop @R levels(0 up, 1 up) ahead {@A: (1,0)} ways(other-stores, ahead) {
//
// A way is kept where the model that has decided cannot tell the two apart:
//
//   ahead         memory takes a share of the time, as by `tune.stream`, that
//                 is more than predictions may be wrong by (`tune.within`)
//   afresh        what is carried saves less than that share of the operations
//   other-stores  results may go past the caches, and the run knows how large
//                 they are, but not what else is in the caches
//   ...-tiles     tiles were chosen by figures, not by this loop's arrays
//   ...-steps     so were the numbers of time steps
//
// Code grows by innermost loops only: those of `ahead` and `afresh`. The loops
// that stand in most loops get them first, as long as all of them together add
// no more than `tune.code` of the M-loops' operations. A loop that no loop
// stands around is not executed often enough to be measured.
//
// Cost: linear in the M-loops' elements, and a sort of the loops.
//
//===----------------------------------------------------------------------===//

#include "Loops/KeepWays.h"
#include "zpl/Analysis/LoopDepths.h"
#include "zpl/ArrayIR/Lets.h"
#include "zpl/ArrayIR/Walk.h"
#include "zpl/ArrayIR/Work.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// An M-loop that may have ways, and the loops around it.
struct LoopInLoops {
  MLoopStmt *loop;
  unsigned depth;
  unsigned operations; ///< of its innermost loops
};

/// What an M-loop has in code besides its operations, in operations: bounds,
/// pointers and the loops themselves.
constexpr unsigned AroundLoop = 24;

bool addsCode(LoopWay way) {
  return way == LoopWay::Ahead || way == LoopWay::Unasked ||
         way == LoopWay::Afresh;
}

/// The operations that carries save at each index, less what they cost; 0 if
/// some keep loads away from stores (CarryNeighbours.cpp).
double savedByCarries(const MLoopStmt &loop, const Figures &figures) {
  double saved = 0;
  for (const ElementOp &op : loop.body) {
    if (!op.carries.empty() && op.guard)
      return 0;
    if (op.carries.empty() || isa<ElementExpr>(op.value))
      continue;
    unsigned nodes = 0;
    forEachExpr(*op.value, [&](const Expr &) { ++nodes; });
    saved +=
        double(nodes) - double(figures.stencilStep) * op.carries.front().back;
  }
  return saved;
}

/// The ways of a loop, those that add no code first.
SmallVector<LoopWay, 4> waysOf(const MLoopStmt &loop, const Figures &figures) {
  SmallVector<LoopWay, 4> ways;
  if (loop.time.most)
    return {LoopWay::HalfSteps, LoopWay::OneStep};
  if (isInBlocks(loop)) {
    if (any_of(loop.levels, [](const LoopLevel &l) { return l.tile != 0; }))
      ways = {LoopWay::HalfTiles, LoopWay::DoubleTiles};
    return ways;
  }
  double operations = operationsOf(loop);
  if (any_of(loop.body, [](const ElementOp &op) { return op.streams; }))
    ways.push_back(LoopWay::OtherStores);
  double memory = double(loop.ahead.size()) * double(figures.wayStream);
  if (memory > figures.wayWithin * operations)
    ways.push_back(figures.fetchAhead == 0 ? LoopWay::Ahead : LoopWay::Unasked);
  double saved = savedByCarries(loop, figures);
  if (saved > 0 && saved < figures.wayWithin * (operations + saved))
    ways.push_back(LoopWay::Afresh);
  return ways;
}

/// Why a loop has no ways, or "".
std::string obstacle(const MLoopStmt &loop, unsigned depth) {
  if (loop.region->isSparse)
    return "the region is sparse";
  if (loop.rows > 1)
    return "the loop works on several rows at a time";
  return depth == 0 ? "no loop stands around it" : "";
}

class WayKeeper {
public:
  WayKeeper(Module &module, PassContext &context)
      : module(module), context(context) {}

  void run() {
    collect();
    stable_sort(candidates, [](const LoopInLoops &a, const LoopInLoops &b) {
      return a.depth > b.depth;
    });
    double left = context.figures.wayCode * all;
    for (const LoopInLoops &candidate : candidates)
      keep(candidate, left);
  }

private:
  void collect() {
    LoopDepths depths(module, *context.sources);
    for (Procedure *procedure : module.procedures) {
      DenseSet<const Stmt *> joined;
      forEachStmt(procedure->body, [&](Stmt &stmt) {
        if (auto *turns = dyn_cast<InterleaveStmt>(&stmt))
          joined.insert(turns->body.begin(), turns->body.end());
      });
      forEachMLoop(procedure->body, [&](MLoopStmt &loop, bool inWave) {
        unsigned operations = operationsOf(loop);
        all += operations + AroundLoop;
        unsigned depth = depths.of(loop.range);
        std::string why = inWave ? "elements depend on each other"
                          : joined.contains(&loop)
                              ? "the loop runs in turn with others"
                              : obstacle(loop, depth);
        if (!loop.walkers.empty())
          return;
        if (why.empty())
          candidates.push_back({&loop, depth, operations});
        else
          context.missed(loop.range, "no other way is kept: " + why);
      });
    }
  }

  void keep(const LoopInLoops &candidate, double &left) {
    MLoopStmt &loop = *candidate.loop;
    bool isLarge = false;
    for (LoopWay way : waysOf(loop, context.figures)) {
      double more = addsCode(way) ? candidate.operations : 0;
      if (loop.ways.size() == MLoopStmt::MaxWays)
        break;
      if (more > left) {
        isLarge = true;
        continue;
      }
      left -= more;
      loop.ways.push_back(way);
    }
    if (loop.ways.empty())
      return context.missed(loop.range,
                            Twine("no other way is kept: ") +
                                (isLarge ? "the code would grow too much"
                                         : "the models are sure"));
    std::string names;
    for (LoopWay way : loop.ways)
      names += (names.empty() ? "" : ", ") + nameOf(way).str();
    context.count("ways", loop.ways.size());
    context.applied(loop.range, "the run chooses by measuring: as the models "
                                "say, or " +
                                    names);
  }

  Module &module;
  PassContext &context;
  std::vector<LoopInLoops> candidates;
  double all = 0; ///< the code of all M-loops, in operations
};

} // namespace

void keepWays(Module &module, PassContext &context) {
  if (context.tunes && context.sources)
    WayKeeper(module, context).run();
}

} // namespace zpl::air
