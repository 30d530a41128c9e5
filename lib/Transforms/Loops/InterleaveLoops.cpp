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
// Two each of the eight loops store a row of the fine grid: one its even
// columns, one the odd ones. A sweep that stores both goes through the row
// once, and with whole vectors:
//
//     interleave joined (1 0) {
//
// says that the second loop stores what lies in front of what the first one
// does. It is a guess from directions (DirectionGuesses.cpp) or bounds; the
// program makes sure in front of the loops, and has the loops one by one, too.
//
// Groups grow from each loop of a list to the next ones, like fused loops;
// LoopNeighbours.cpp says what makes way between them. Shifts come in front of
// loops that read other views of the same array: if they need more room than it
// has they become copies.
//
// Cost: linear in the statements, times the loops of a group.
//
//===----------------------------------------------------------------------===//

#include "Loops/InterleaveLoops.h"
#include "Communication/TransferEdits.h"
#include "Loops/LoopNeighbours.h"
#include "zpl/Analysis/DirectionGuesses.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/Analysis/RegionValues.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Lets.h"
#include "zpl/ArrayIR/LoopOrder.h"
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
          loop && isCandidate(*loop, strides)) {
        gather(*loop, list, i);
        if (auto *group = dyn_cast<InterleaveStmt>(list[i]))
          join(*group);
      }
    for (Stmt *stmt : list)
      if (!isa<WaveStmt, InterleaveStmt>(stmt))
        forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  /// Where a region comes from.
  struct Origin {
    ValueNumber region = 0; ///< that it is, or is moved from
    unsigned moves = 0;
    ArrayRef<const Expr *> direction = {}; ///< of the last move
  };

  /// Notes which M-loops of a list are over one region that is moved.
  void findOrigins(const StmtList &list) {
    RegionValues values;
    RegionState state;
    DenseMap<ValueNumber, Origin> moved;
    auto originOf = [&](const Region *region) {
      ValueNumber number = values.number(region, state);
      auto found = moved.find(number);
      return found == moved.end() ? Origin{number} : found->second;
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
      Origin origin = isMoved ? originOf(set->value.base) : Origin();
      values.set(*set, state);
      if (!isMoved)
        continue;
      ++origin.moves;
      origin.direction = set->value.direction;
      moved[values.number(set->target, state)] = origin;
    }
  }

  bool shareLines(const MLoopStmt &a, const MLoopStmt &b) const {
    return a.region->rank() == b.region->rank() &&
           a.region->domain == b.region->domain && !isScattered(*a.region) &&
           (origins.lookup(&a).region == origins.lookup(&b).region ||
            areStrided(*a.region, *b.region));
  }

  /// Why a loop cannot run in turn with others, though each could alone; empty
  /// if it can.
  std::string orderOf(ArrayRef<const MLoopStmt *> loops,
                      const MLoopStmt &next) const {
    for (const MLoopStmt *loop : loops)
      for (const auto &[x, y] :
           {std::pair(loop, &next), std::pair(&next, loop)})
        if (remaps(*x))
          return "one of them reads elements by maps";
        else if (const ElementExpr *read = readsStored(*x, *y, &strides))
          return sourceName(*read->array) +
                 " is read at another index by one of them; let constant "
                 "strides keep the indices apart";
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

  /// Finds loops that are likely to store elements side by side.
  void join(InterleaveStmt &group) {
    for (unsigned j = 1; j < group.body.size(); ++j)
      for (unsigned i = 0; i < j; ++i) {
        auto isJoined = [&](const InterleaveStmt::Join &join) {
          return join.before == i || join.after == i || join.after == j;
        };
        auto &a = *cast<MLoopStmt>(group.body[i]);
        auto &b = *cast<MLoopStmt>(group.body[j]);
        int64_t columns = any_of(group.joins, isJoined) ? 0 : columnsTo(a, b);
        if (std::abs(columns) != 1)
          continue;
        group.joins.push_back({columns > 0 ? i : j, columns > 0 ? j : i});
        context.applied(b.range, "stored in one sweep with the loop before" +
                                     context.atLine(a.range) +
                                     " where their elements lie side by side");
        break;
      }
  }

  /// How far behind what \p a stores lies, in the same rows, what \p b stores,
  /// in units that nobody knows; 0 if it is not known.
  int64_t columnsTo(const MLoopStmt &a, const MLoopStmt &b) {
    const Array *target = onlyStored(a);
    if (!target || target != onlyStored(b) || !innermostLevel(a) ||
        innermostLevel(a)->dim != target->rank() - 1 ||
        a.region->shape.back() != DimKind::Strided ||
        b.region->shape.back() != DimKind::Strided || !haveSameLevels(a, b))
      return 0;
    std::optional<Offset> distance = distanceOf(a, b);
    if (!distance || any_of(drop_end(*distance), [](int64_t d) { return d; }))
      return 0;
    return distance->back();
  }

  /// From the region of one loop to that of another; none if nothing is known.
  std::optional<Offset> distanceOf(const MLoopStmt &a, const MLoopStmt &b) {
    const Origin &from = origins[&a], &to = origins[&b];
    if (from.region != to.region || from.moves > 1 || to.moves > 1)
      return strides.likelyDistance(a.region, b.region);
    DirectionGuesses::Guess none{Offset(a.region->rank(), 0), {}};
    auto start = from.moves == 0 ? none : guesses.of(from.direction);
    auto end = to.moves == 0 ? none : guesses.of(to.direction);
    bool isOneMoved = from.moves == 0 || to.moves == 0;
    if (!start || !end || (!isOneMoved && start->base != end->base))
      return std::nullopt;
    Offset distance = end->offset;
    for (auto [component, before] : zip(distance, start->offset))
      component -= before;
    return distance;
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
  DenseMap<const MLoopStmt *, Origin> origins;
  DirectionGuesses guesses;
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
