//===- FuseLoops.cpp - Neighbouring M-loops in one sweep ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R { store @New = ...@A@(-1,0)... }      sv %t
//     sv %t                                          mloop @R {
//     mloop @R { accumulate max %d, sub(@A, @New) }    store @New = ...
//     combine max %d                              =>   accumulate max %d, ...
//     mloop @R { store @A = @New }                     after 1 {
//                                                        store @A = @New
//                                                      }
//                                                    }
//                                                    combine max %d
//
// The second loop moves up to the first, then the third. For each M-loop of a
// list, the next one is fused with it if what stands between makes way
// (LoopNeighbours.cpp), it is over an equal region (a number stands for each
// region's value at each loop of the list) and shares an array, with the delay
// that dependences ask for.
//
// A fused loop is tried again with what follows it, and then all of the list
// from behind: with what the next one has absorbed a loop may share an array.
//
// A loop that stores elements and nothing else may also wait for one that
// cannot come to it. In conjugate gradients
//
//     X += alpha * P;                             Z -= alpha * Q;
//     Z -= alpha * Q;                             rho := +<< (Z * Z);
//     rho := +<< (Z * Z);                   =>    X += alpha * P;
//     P := Z + (rho / old) * P;                   P := Z + (rho / old) * P;
//
// the first loop shares P with the last one, which needs rho, and nothing that
// stands between uses X: it moves down, and the two read P once.
//
// The delay. With delay e, row i of a part runs in step i + e of the outermost
// loop, counted in its direction; of one step, parts run by increasing delay,
// each its row at all indices. For an operation of the first loop, with delay
// e, and one of the second, to get delay D, whose accesses touch an array that
// one of them stores:
//
//   second reads at offset 0, or stores, what the first one stores: D >= e.
//     With D = e they are at the same index, in their order.
//   second reads at another index what the first one stores: it may want the
//     neighbour's value, which would have to be transferred. Never fused.
//   second stores what the first one reads at offset o, k rows behind: row i
//     reads row i - k, which is stored in step i - k + D. That is later than
//     step i + e, or in the same step after it, if D >= e + k and D > e. (With
//     equal delay they would run at each index in turn: too early for o along
//     the row, unless all such o lie ahead, if need be in loops that go down.
//     LoopDirections.cpp: then there is no delay.) A view of it, made by a
//     shift by a constant o, is read like it; what it wraps around has been
//     copied before. If a region has few rows, a view that wraps may find its
//     elements on the other side: k = |o|.
//
// An element that strides keep apart from all that the loops store (the region
// has every second column, and the offset is one column) is none of these. Nor
// is one that guards keep apart (they are true at every second index).
//
// A loop that goes in the order of a scan (ScanLoops.cpp) keeps it. The first
// one takes it over if it may be executed in any order.
//
// Whole rows lie between parts, so the other dimensions do not matter. There is
// no delay where there are no rows: in nests of less than two loops, along a
// strided dimension, in a sparse region. What is too far back has left the
// cache when it is wanted again, so a delay is no larger than fluff may be.
//
// Cost: linear in the statements, times pairs of accesses of the second loop
// and of those operations of the first one, what it has absorbed included, that
// touch an array of the second, or one that may be its storage.
//
//===----------------------------------------------------------------------===//

#include "Loops/FuseLoops.h"
#include "Communication/TransferEdits.h"
#include "Loops/LoopNeighbours.h"
#include "Loops/LoopRegions.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/Analysis/LoopDirections.h"
#include "zpl/ArrayIR/GuardClasses.h"
#include "zpl/ArrayIR/TimeSteps.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// As far as a direction may reach through fluff (ArrayGen's limit).
constexpr int64_t maxDelay = 16;

/// Over so many statements at most a loop moves down.
constexpr ptrdiff_t MostPassed = 32;

bool hasDelays(const MLoopStmt &loop) {
  return any_of(loop.body, [](const ElementOp &op) { return op.delay != 0; });
}

/// The search for the smallest delay with which one loop can follow another.
class DelayFinder {
public:
  /// \p ops: those of the first one that may have storage in common with the
  /// second one; \p inPlace: what it reads at other indices lies ahead.
  DelayFinder(const MLoopStmt &first, ArrayRef<const ElementOp *> ops,
              const MLoopStmt &second, const StorageAliases &aliases,
              const KnownStrides &strides, bool inPlace)
      : row(rowLevel(first)), region(first.region), aliases(aliases),
        strides(strides), inPlace(inPlace) {
    for (const ElementOp *a : ops)
      for (const ElementOp &b : second.body)
        compare(*a, b);
    int64_t last = 0; // of the second one's own delays
    for (const ElementOp &b : second.body)
      last = std::max<int64_t>(last, b.delay);
    if (delay != 0 && delay + last > maxDelay)
      why = "it would have to stay " + std::to_string(delay + last) +
            " rows behind, to write " + sourceName(*cause);
  }

  int64_t delay = 0;
  std::string why; ///< that there is none; else empty

private:
  void compare(const ElementOp &a, const ElementOp &b) {
    SmallVector<const Array *, 2> storedFirst = storedBy(a),
                                  storedThen = storedBy(b);
    forEachElement(b, [&](const ElementExpr &access, const Expr *guard) {
      if (!is_contained(storedFirst, access.array) ||
          isOfNone(access, guard, a))
        return;
      if (access.isShifted())
        why = "it reads " + sourceName(*access.array) + " at another index";
      require(int64_t(a.delay) - b.delay, access.array);
    });
    forEachElement(a, [&](const ElementExpr &access, const Expr *guard) {
      if (is_contained(storedThen, access.array) && !isOfNone(access, guard, b))
        require(int64_t(a.delay) - b.delay +
                    (inPlace ? 0 : rowsBetween(*access.array, access.offset)),
                access.array);
      const StorageAliases::Reach *view = aliases.reachOf(access.array);
      if (view && is_contained(storedThen, view->source))
        require(int64_t(a.delay) - b.delay + rowsBetween(*view), view->source);
    });
  }

  /// Whether strides keep an element at another index apart from those at all
  /// indices of the loops, or guards from those that \p store changes.
  bool isOfNone(const ElementExpr &access, const Expr *guard,
                const ElementOp &store) const {
    return access.isShifted() &&
           (strides.isIndependentOfItself(*access.array, region,
                                          access.offset) ||
            guardsKeepApart(guard, store.guard, *access.array, access.offset));
  }

  /// A wrapped one may be found at the other side of the index.
  int64_t rowsBetween(const StorageAliases::Reach &view) {
    Offset offset = view.offset;
    if (row && view.wraps)
      offset[row->dim] = (row->down ? 1 : -1) * std::abs(offset[row->dim]);
    return rowsBetween(*view.source, offset);
  }

  /// How much later than a read an element may be overwritten.
  int64_t rowsBetween(const Array &array, const Offset &offset) {
    if (all_of(offset, [](int64_t component) { return component == 0; }))
      return 0;
    if (!row) {
      why = "it writes " + sourceName(array) +
            ", which that one reads at another index";
      return 0;
    }
    int64_t ahead = offset[row->dim];
    return std::max<int64_t>(1, row->down ? ahead : -ahead);
  }

  void require(int64_t least, const Array *array) {
    if (least <= delay)
      return;
    delay = least;
    cause = array;
  }

  const LoopLevel *row;
  const Region *region;
  const StorageAliases &aliases;
  const KnownStrides &strides;
  const bool inPlace;
  const Array *cause = nullptr; ///< of the delay
};

/// The operations of a loop by the groups of arrays that they touch: of one
/// that has grown by a thousand, few are to be compared with the next.
class OpsByArray {
public:
  OpsByArray(const MLoopStmt &loop, const StorageAliases &aliases)
      : loop(loop), aliases(aliases) {
    add(0);
  }

  /// Notes the operations from number \p first on.
  void add(size_t first) {
    for (size_t i = first; i < loop.body.size(); ++i) {
      if (loop.body[i].kind == ElementOp::Call)
        calls.push_back(i);
      for (const void *group : groupsOf(loop.body[i]))
        byGroup[group].push_back(i);
    }
  }

  /// Notes them anew, after some have moved.
  void reset() {
    byGroup.clear();
    calls.clear();
    add(0);
  }

  /// Those that call a procedure, or may have storage in common with an
  /// operation of \p other, in their order.
  SmallVector<const ElementOp *, 8> relatedTo(const MLoopStmt &other) const {
    SmallVector<unsigned, 8> numbers(calls.begin(), calls.end());
    SmallPtrSet<const void *, 8> asked;
    for (const ElementOp &op : other.body)
      for (const void *group : groupsOf(op))
        if (asked.insert(group).second)
          append_range(numbers, byGroup.lookup(group));
    sort(numbers);
    numbers.erase(unique(numbers), numbers.end());
    return to_vector<8>(
        map_range(numbers, [&](unsigned i) -> const ElementOp * {
          return &loop.body[i];
        }));
  }

private:
  SmallVector<const void *, 4> groupsOf(const ElementOp &op) const {
    SmallVector<const void *, 4> result;
    forEachExpr(op, [&](const Expr &e) {
      const Array *array = nullptr;
      if (auto *element = dyn_cast<ElementExpr>(&e))
        array = element->array;
      else if (auto *remap = dyn_cast<RemapExpr>(&e))
        array = remap->array;
      const void *group = array ? aliases.groupOf(array) : nullptr;
      if (array && !is_contained(result, group))
        result.push_back(group);
    });
    return result;
  }

  const MLoopStmt &loop;
  const StorageAliases &aliases;
  DenseMap<const void *, SmallVector<unsigned, 4>> byGroup;
  SmallVector<unsigned, 4> calls;
};

SmallVector<const ElementOp *, 8> elementOpsOf(const MLoopStmt &loop) {
  return to_vector<8>(map_range(
      loop.body, [](const ElementOp &op) -> const ElementOp * { return &op; }));
}

class LoopFuser {
public:
  LoopFuser(const Module &module, Procedure &procedure, const Effects &effects,
            const KnownStrides &strides, PassContext &context)
      : procedure(procedure), effects(effects), strides(strides),
        context(context), neighbours(module, procedure, strides,
                                     /*delays=*/true, /*besideViews=*/false) {}

  void list(StmtList &list) {
    regions = LoopRegions(list, procedure, effects);
    for (size_t i = 0; i < list.size(); ++i)
      i = absorbAll(list, i);
    // What a loop has nothing in common with may have absorbed one with which
    // it has.
    for (size_t i = list.size(); i-- > 0;)
      absorbAll(list, i);
    accesses.clear();
    for (size_t i = list.size(); i-- > 0;)
      moveDown(list, i);
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  /// A loop that absorbs others, and what is known of all of its operations.
  struct Growing {
    MLoopStmt &loop;
    LoopAccesses accesses;
    LoopDirections directions; ///< while there are no delays
    OpsByArray ops;

    Growing(MLoopStmt &loop, const LoopNeighbours &neighbours,
            const KnownStrides &strides)
        : loop(loop), accesses(loop), directions(neighbours.lent(), strides),
          ops(loop, neighbours.lent()) {
      directions.add(loop);
    }
  };

  /// Fuses with an M-loop at position \p i those that follow, as long as they
  /// can be; returns where it stands then.
  size_t absorbAll(StmtList &list, size_t i) {
    if (auto *loop = dyn_cast<MLoopStmt>(list[i]))
      for (Growing first(*loop, neighbours, strides);
           absorbNext(first, list, i);) {
      }
    return i;
  }

  /// Fuses the next M-loop after position \p i with \p first, if it can be.
  /// Keeps \p i at \p first.
  bool absorbNext(Growing &growing, StmtList &list, size_t &i) {
    MLoopStmt &first = growing.loop;
    const LoopAccesses &a = growing.accesses;
    size_t j = neighbours.findNext(list, i, a);
    auto *second = j < list.size() ? dyn_cast<MLoopStmt>(list[j]) : nullptr;
    if (!second || !regions.areEqual(first, *second) ||
        !first.walkers.empty() || !second->walkers.empty() ||
        refused.contains({&first, second}) ||
        (hasDelays(*second) && !haveEqualLevels(first, *second)))
      return false;
    LoopAccesses b(*second);
    if (!a.sharesArray(b))
      return false;
    SmallVector<LoopLevel, 6> levels = first.levels;
    bool hasOrder = mayTakeOrderOf(growing, *second, a, b);
    SmallVector<const ElementOp *, 8> related = growing.ops.relatedTo(*second);
    bool inPlace = mayBeInPlace(growing, related, *second, b);
    DelayFinder found(first, related, *second, neighbours.lent(), strides,
                      inPlace);
    std::string why = neighbours.obstacle(list, i, j, a, b);
    if (why.empty())
      why = found.why;
    bool isOrdered = !a.scattered.empty() || !b.scattered.empty() ||
                     b.hasCarries || hasDelays(*second);
    if (why.empty() && !hasOrder)
      why = "its elements, or those of that one, are taken in another order";
    if (why.empty() && (isOrdered ? !haveEqualLevels(first, *second)
                                  : !inPlace && !haveOneOrder(first, *second)))
      why = "its elements are taken in another direction; write both for one "
            "direction";
    std::string place = context.atLine(first.range);
    if (!why.empty()) {
      first.levels = levels;
      refused.insert({&first, second});
      context.missed(second->range,
                     "not fused with the loop before" + place + ": " + why);
      return false;
    }
    std::string text = "fused with the loop before" + place;
    if (inPlace)
      text += ", in place";
    if (found.delay != 0)
      text += ", " + std::to_string(found.delay) +
              (found.delay == 1 ? " row" : " rows") + " behind";
    context.applied(second->range, text);
    if (inPlace)
      first.levels = directed;
    append(growing, *second, found.delay);
    neighbours.closeUp(list, i, j, b);
    return true;
  }

  /// Moves the loop at position \p i down to the next one that shares an array
  /// with it, and fuses them; nothing if that cannot be.
  void moveDown(StmtList &list, size_t i) {
    auto *loop = dyn_cast<MLoopStmt>(list[i]);
    if (!loop || !loop->walkers.empty() || hasDelays(*loop))
      return;
    const LoopAccesses &a = accessesOf(*loop);
    if (!a.accumulated.empty() || !a.partial.empty() || !a.scattered.empty() ||
        a.hasCarries || a.hasCalls || a.storesGrid)
      return;
    auto isPartner = [&](const Stmt *stmt) {
      auto *other = dyn_cast<MLoopStmt>(stmt);
      return other && regions.areEqual(*loop, *other) &&
             a.sharesArray(accessesOf(*other));
    };
    auto mayPass = [&](const Stmt *stmt) {
      auto *other = dyn_cast<MLoopStmt>(stmt);
      return other ? neighbours.mayChangePlaces(a, accessesOf(*other))
                   : neighbours.mayComeAfter(*stmt, a);
    };
    auto from = list.begin() + i, last = list.end();
    if (last - from > MostPassed)
      last = from + MostPassed;
    auto partner = std::find_if(from + 1, last, [&](const Stmt *stmt) {
      return isPartner(stmt) || !mayPass(stmt);
    });
    if (partner == last || !isPartner(*partner))
      return;
    std::rotate(from, from + 1, partner);
    size_t before = partner - list.begin() - 1, now = before;
    Growing growing(*loop, neighbours, strides);
    if (absorbNext(growing, list, now)) {
      accesses.erase(loop);
    } else {
      auto end = list.begin() + before + 1;
      std::rotate(list.begin() + i, end - 1, end);
    }
  }

  const LoopAccesses &accessesOf(const MLoopStmt &loop) {
    std::unique_ptr<LoopAccesses> &known = accesses[&loop];
    if (!known)
      known = std::make_unique<LoopAccesses>(loop);
    return *known;
  }

  /// Whether the operations of both may be executed at each index in turn
  /// though the second loop stores what the first one reads at others: those
  /// lie ahead in `directed`, which becomes the first one's levels then.
  bool mayBeInPlace(const Growing &growing, ArrayRef<const ElementOp *> related,
                    const MLoopStmt &second, const LoopAccesses &b) {
    const MLoopStmt &first = growing.loop;
    const LoopAccesses &a = growing.accesses;
    LoopDirections directions = growing.directions;
    directions.add(second);
    if (!directions.add(related, elementOpsOf(second), first.region) ||
        first.region->isSparse || hasDelays(first) || hasDelays(second) ||
        a.hasCalls || b.hasCalls || !a.remapped.empty() ||
        !b.remapped.empty() || !a.partial.empty() || !b.partial.empty())
      return false;
    directed = first.levels;
    return directions.choose(directed) &&
           DelayFinder(first, related, second, neighbours.lent(), strides,
                       /*inPlace=*/true)
                   .delay == 0;
  }

  /// Gives the first loop the levels of the second one, if that is a scan and
  /// has others; false if it cannot have them.
  static bool mayTakeOrderOf(Growing &growing, const MLoopStmt &second,
                             const LoopAccesses &a, const LoopAccesses &b) {
    MLoopStmt &first = growing.loop;
    if (!b.hasCarries || haveEqualLevels(first, second))
      return true;
    if (a.hasCarries || !a.scattered.empty() || hasDelays(first) ||
        !growing.directions.hold(second.levels))
      return false;
    first.levels = second.levels;
    return true;
  }

  /// Whether the second loop's elements may be taken in the first one's order.
  bool haveOneOrder(const MLoopStmt &first, const MLoopStmt &second) const {
    LoopDirections directions(neighbours.lent(), strides);
    directions.add(second);
    return directions.hold(first.levels);
  }

  static bool haveEqualLevels(const MLoopStmt &first, const MLoopStmt &second) {
    return std::equal(first.levels.begin(), first.levels.end(),
                      second.levels.begin(), second.levels.end(),
                      [](const LoopLevel &a, const LoopLevel &b) {
                        return a.dim == b.dim && a.down == b.down;
                      });
  }

  /// Puts the operations of \p second, so many rows later than they are there,
  /// after those of the first one that have the same delays.
  static void append(Growing &growing, MLoopStmt &second, unsigned delay) {
    MLoopStmt &first = growing.loop;
    growing.accesses.add(second);
    growing.directions.add(second);
    auto before = growing.ops.relatedTo(second), added = elementOpsOf(second);
    growing.directions.add(before, added, first.region);
    growing.directions.add(added, before, first.region);
    size_t at = first.body.size();
    bool areLast = true;
    for (ElementOp &op : second.body) {
      op.delay += delay;
      auto behind = find_if(first.body, [&](const ElementOp &other) {
        return other.delay > op.delay;
      });
      areLast &= behind == first.body.end();
      first.body.insert(behind, op);
    }
    if (areLast)
      growing.ops.add(at);
    else
      growing.ops.reset();
  }

  const Procedure &procedure;
  const Effects &effects;
  const KnownStrides &strides;
  PassContext &context;
  LoopNeighbours neighbours;
  LoopRegions regions;
  DenseSet<std::pair<const MLoopStmt *, const MLoopStmt *>> refused; ///< told
  SmallVector<LoopLevel, 6> directed; ///< what mayBeInPlace has found
  /// Of the loops of a list that moveDown has looked at.
  DenseMap<const MLoopStmt *, std::unique_ptr<LoopAccesses>> accesses;
};

} // namespace

void fuseLoops(Module &module, PassContext &context) {
  Effects effects(module);
  KnownStrides strides(module);
  for (Procedure *procedure : module.procedures)
    LoopFuser(module, *procedure, effects, strides, context)
        .list(procedure->body);
}

} // namespace zpl::air
