//===- InterleaveLoops.cpp - Loops in turn, box by box --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop %coarse { store @U = add(@U, @S) }
//     region %target = %coarse at (i64 -1, i64 0)
//     shift {%T by (...), %T.1 by (...)} = @S over %target
//     mloop %target { store @U = fma(f64 0.5, add(%T, %T.1), @U) }
//     free %T
//
//  =>
//
//     region %target = ...
//     shift {%T by (...), %T.1 by (...)} = @S over %target
//     interleave {
//       mloop %coarse { ... }
//       mloop %target { ... }
//     }
//     free %T
//
// One after the other, each loop brings U from memory and sends it back: where
// a region has every second point, whole cache lines for half of their
// elements. In turn, the lines of a box serve all loops while they are in the
// cache. (In the interpolation of multigrid, eight loops take the eight parts
// of the fine grid.)
//
// When is that the same? A box is a set of indices, one and the same for all of
// the loops, whatever their regions. If all that touch an array which one of
// them stores do so at the current index, then all that happens to an element
// happens in one box, in the order of the loops. So nothing need be known of
// the regions, nor of strides that only the run knows; and as each index is
// executed by its owner, as before, nothing is sent. Where strides are known,
// as those of the two halves of a colour in red-black relaxation, elements at
// other indices may be read as well if they are none that are stored.
//
// What for? Loops that share an array do not always share lines: statements
// over a border and over the interior do not. So the regions must be strided,
// in one dimension at least, or be one region and moved copies of it.
//
// Groups grow from each loop of a list to the next ones, like fused loops;
// LoopNeighbours.cpp says what makes way between them. Shifts come in front of
// loops that read other views of the same array: if they need more room than it
// has they become copies.
//
// Cost: linear in the statements, times the loops of a group.
//
//===----------------------------------------------------------------------===//

#include "zpl/Transforms/InterleaveLoops.h"
#include "Effects.h"
#include "LoopNeighbours.h"
#include "RegionValues.h"
#include "TransferEdits.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// Whether a loop may run in turn with others, as far as it alone shows.
bool isCandidate(const MLoopStmt &loop, const KnownStrides &strides) {
  return loop.walkers.empty() && mayRunInBoxes(loop, &strides) &&
         none_of(loop.region->shape, isPerProcessor) &&
         none_of(loop.body, [](const ElementOp &op) {
           return op.kind == ElementOp::Accumulate;
         });
}

/// Whether both are strided in one dimension.
bool areStrided(const Region &a, const Region &b) {
  return any_of(zip(a.shape, b.shape), [](auto kinds) {
    auto [x, y] = kinds;
    return x == DimKind::Strided && y == DimKind::Strided;
  });
}

class LoopInterleaver {
public:
  LoopInterleaver(Module &module, const Procedure &procedure,
                  const Effects &effects, const KnownStrides &strides,
                  PassContext &context)
      : module(module), procedure(procedure), effects(effects),
        strides(strides), context(context),
        neighbours(module, procedure, strides, /*delays=*/false,
                   /*besideViews=*/true) {}

  void list(StmtList &list) {
    findOrigins(list);
    for (size_t i = 0; i < list.size(); ++i)
      if (auto *loop = dyn_cast<MLoopStmt>(list[i]);
          loop && isCandidate(*loop, strides))
        gather(*loop, list, i);
    for (Stmt *stmt : list)
      if (!isa<WaveStmt, InterleaveStmt>(stmt))
        forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  /// Notes which M-loops of a list are over one region that is moved.
  void findOrigins(const StmtList &list) {
    RegionValues values;
    RegionState state;
    DenseMap<ValueNumber, ValueNumber> moved;
    auto originOf = [&](const Region *region) {
      ValueNumber number = values.number(region, state);
      auto found = moved.find(number);
      return found == moved.end() ? number : found->second;
    };
    origins.clear();
    for (const Stmt *stmt : list) {
      if (auto *loop = dyn_cast<MLoopStmt>(stmt))
        origins[loop] = originOf(loop->region);
      auto *set = dyn_cast<SetRegionStmt>(stmt);
      if (!set) {
        values.forget(effects.writes(procedure, *stmt), state);
        continue;
      }
      bool isMoved = set->value.kind == RegionExpr::At;
      ValueNumber origin = isMoved ? originOf(set->value.base) : 0;
      values.set(*set, state);
      if (isMoved)
        moved[values.number(set->target, state)] = origin;
    }
  }

  bool shareLines(const MLoopStmt &a, const MLoopStmt &b) const {
    return a.region->rank() == b.region->rank() &&
           (origins.lookup(&a) == origins.lookup(&b) ||
            areStrided(*a.region, *b.region));
  }

  /// Why a loop cannot run in turn with others, though each could alone; empty
  /// if it can.
  std::string orderOf(ArrayRef<const MLoopStmt *> loops,
                      const MLoopStmt &next) const {
    for (const MLoopStmt *loop : loops)
      for (const auto &[x, y] :
           {std::pair(loop, &next), std::pair(&next, loop)})
        if (const ElementExpr *read = readsStored(*x, *y, &strides))
          return sourceName(*read->array) +
                 " is read at another index by one of them";
    return "";
  }

  /// Makes a group of the loop at \p i and what follows it, if anything can.
  /// Keeps \p i at it.
  void gather(MLoopStmt &first, StmtList &list, size_t &i) {
    InterleaveStmt *group = nullptr;
    LoopAccesses a(first);
    while (true) {
      size_t j = neighbours.findNext(list, i, a);
      auto *next = j < list.size() ? dyn_cast<MLoopStmt>(list[j]) : nullptr;
      if (!next || !shareLines(first, *next))
        return;
      LoopAccesses b(*next);
      if (!a.sharesArray(b))
        return;
      std::string place = context.atLine(first.range);
      std::string why = obstacle(list, i, j, a, b);
      if (!why.empty()) {
        context.missed(next->range, "not taken in turn with the loop before" +
                                        place + ": " + why);
        return;
      }
      context.applied(next->range,
                      "taken in turn with the loop before" + place);
      if (!group) {
        group = module.make<InterleaveStmt>(first.range);
        group->body.push_back(&first);
        list[i] = group;
      }
      group->body.push_back(next);
      neighbours.closeUp(list, i, j, b);
      a.add(*next);
    }
  }

  std::string obstacle(const StmtList &list, size_t i, size_t j,
                       const LoopAccesses &a, const LoopAccesses &b) const {
    if (!isCandidate(cast<MLoopStmt>(*list[j]), strides))
      return "its indices have an order, or accumulate, or call procedures";
    std::string why = neighbours.obstacle(list, i, j, a, b);
    return why.empty() ? orderOf(a.loops, *b.loops.front()) : why;
  }

  Module &module;
  const Procedure &procedure;
  const Effects &effects;
  const KnownStrides &strides;
  PassContext &context;
  LoopNeighbours neighbours;
  /// The value of the region that a loop's is moved from, or is.
  DenseMap<const MLoopStmt *, ValueNumber> origins;
};

} // namespace

void interleaveLoops(Module &module, PassContext &context) {
  Effects effects(module);
  KnownStrides strides(module);
  for (Procedure *procedure : module.procedures)
    LoopInterleaver(module, *procedure, effects, strides, context)
        .list(procedure->body);
}

} // namespace zpl::air
