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
// list, the statements behind it are looked at in turn:
//
//  1. `set`, `combine`, `sv` and `free` can be passed if the loop that follows
//     neither reads what they write nor writes what they read. An `sv` of an
//     array that it writes moves in front of the fused loop; it waits for
//     neighbours that the transfer's `dn` has just waited for.
//  2. An M-loop over an equal region (a number stands for each region's value
//     at each loop of the list) that shares an array is fused, with the delay
//     that dependences ask for.
//  3. What the second loop may need moves in front of the first one, in its
//     order, if it depends on nothing that is passed and does not change what
//     the first one uses: regions, `alloc`, `bind`, checks, the other points of
//     transfers of arrays that the first loop does not store, shifts and floods
//     of such arrays.
//  4. Anything else ends the search.
//
// A fused loop is tried again with what follows it, and then all of the list
// from behind: with what the next one has absorbed a loop may share an array.
//
// A procedure that is called for each element, and only computes, changes the
// elements that it gets by reference and may read variables that are not the
// caller's. Others (of C, with checks, accumulating ones) stay where they are.
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
//     step i + e, or in the same step behind it, if D >= e + k and D > e. (Of
//     equal delay they would run at each index in turn: too early for o along
//     the row.) A view of it, made by a shift by a constant o, is read like it;
//     what it wraps around has been copied before. If a region has few rows, a
//     view that wraps may find its elements on the other side: k = |o|.
//
// Whole rows lie between parts, so the other dimensions do not matter. That
// needs a loop around the one of a row, and one that passes every row: not over
// a strided dimension. What is too far back has left the cache when it is
// wanted again, so a delay is no larger than fluff may be.
//
// A loop that accumulates into an array which is flooded where the region is
// not adds many indices up in one element. Its parts are complete only behind
// the loop (and its combine-array), so no other loop that touches the array
// joins it.
//
// Cost: linear in the statements, times pairs of accesses of two loops.
//
//===----------------------------------------------------------------------===//

#include "zpl/Transforms/FuseLoops.h"
#include "Effects.h"
#include "Lenders.h"
#include "RegionValues.h"
#include "TransferEdits.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// As far as a direction may reach through fluff (ArrayGen's limit).
constexpr int64_t maxDelay = 16;

/// Whether calls of a procedure do nothing but compute and change what they get
/// by reference, so that they may be exchanged with other elements' statements.
bool isTransparent(const Procedure &callee) {
  bool isKnown = callee.thunk.empty();
  forEachStmt(callee.body, [&](const Stmt &stmt) {
    isKnown &= isa<SetStmt, IfStmt, WhileStmt, RepeatStmt, ForStmt, ReturnStmt,
                   ExitStmt, ContinueStmt>(stmt);
    forEachExpr(stmt, [&](const Expr &e) { isKnown &= !isa<CallExpr>(e); });
  });
  return isKnown;
}

/// The arrays of which an operation changes an element.
SmallVector<const Array *, 2> storedBy(const ElementOp &op) {
  SmallVector<const Array *, 2> arrays;
  if (op.target)
    arrays.push_back(rootElement(op.target)->array);
  forEachExpr(op, [&](const Expr &e) {
    if (auto *call = dyn_cast<CallExpr>(&e))
      for (const Argument &arg : call->args)
        if (const ElementExpr *element =
                arg.place ? rootElement(arg.place) : nullptr)
          arrays.push_back(element->array);
  });
  return arrays;
}

/// What an M-loop reads and writes.
struct LoopAccesses {
  DenseSet<const Array *> touched, stored;
  /// One element accumulates, or in a grid dimension takes, many indices.
  DenseSet<const Array *> partial;
  DenseSet<const Variable *> read, accumulated;
  DenseSet<const Region *> regions;
  bool readsReference = false;
  bool hasCalls = false;
  bool hasOpaqueCalls = false; ///< that accumulate, or are not transparent

  explicit LoopAccesses(const MLoopStmt &loop) {
    regions.insert(loop.region);
    for (const ElementOp &op : loop.body) {
      for (const Array *array : storedBy(op)) {
        stored.insert(array);
        if (isOneForMany(*array, *loop.region))
          partial.insert(array);
      }
      hasOpaqueCalls |= op.accumulates;
      if (op.accumulator)
        accumulated.insert(op.accumulator);
    }
    forEachExpr(loop, [&](const Expr &e) {
      if (auto *element = dyn_cast<ElementExpr>(&e)) {
        touched.insert(element->array);
      } else if (auto *variable = dyn_cast<VarExpr>(&e)) {
        read.insert(variable->variable);
        readsReference |= variable->variable->byReference;
      } else if (auto *bound = dyn_cast<BoundExpr>(&e)) {
        regions.insert(bound->region);
      }
      auto *call = dyn_cast<CallExpr>(&e);
      hasCalls |= call != nullptr;
      hasOpaqueCalls |= call && !isTransparent(*call->callee);
    });
  }
};

/// The level whose steps delays count; null if the nest has no two loops or the
/// steps are no rows.
const LoopLevel *rowLevel(const MLoopStmt &loop) {
  auto isLoop = [](const LoopLevel &level) { return !level.flat; };
  if (count_if(loop.levels, isLoop) < 2)
    return nullptr;
  const LoopLevel *row = &*find_if(loop.levels, isLoop);
  return loop.region->shape[row->dim] == DimKind::Strided ? nullptr : row;
}

bool hasDelays(const MLoopStmt &loop) {
  return any_of(loop.body, [](const ElementOp &op) { return op.delay != 0; });
}

/// The search for the smallest delay with which one loop can follow another.
class DelayFinder {
public:
  DelayFinder(const MLoopStmt &first, const MLoopStmt &second,
              const Lenders &lenders)
      : row(rowLevel(first)), lenders(lenders) {
    for (const ElementOp &a : first.body)
      for (const ElementOp &b : second.body)
        compare(a, b);
    if (delay > maxDelay)
      why = "it would have to stay " + std::to_string(delay) +
            " rows behind, to write " + sourceName(*cause);
  }

  int64_t delay = 0;
  std::string why; ///< that there is none; else empty

private:
  void compare(const ElementOp &a, const ElementOp &b) {
    SmallVector<const Array *, 2> storedFirst = storedBy(a),
                                  storedThen = storedBy(b);
    forEachExpr(b, [&](const Expr &e) {
      auto *access = dyn_cast<ElementExpr>(&e);
      if (!access || !is_contained(storedFirst, access->array))
        return;
      if (access->isShifted())
        why = "it reads " + sourceName(*access->array) + " at another index";
      require(a.delay, access->array);
    });
    forEachExpr(a, [&](const Expr &e) {
      auto *access = dyn_cast<ElementExpr>(&e);
      if (!access)
        return;
      if (is_contained(storedThen, access->array))
        require(a.delay + rowsBetween(*access->array, access->offset),
                access->array);
      const Lenders::Reach *view = lenders.reachOf(access->array);
      if (view && is_contained(storedThen, view->source))
        require(a.delay + rowsBetween(*view), view->source);
    });
  }

  /// A wrapped one may be found at the other side of the index.
  int64_t rowsBetween(const Lenders::Reach &view) {
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
  const Lenders &lenders;
  const Array *cause = nullptr; ///< of the delay
};

class LoopFuser {
public:
  LoopFuser(const Module &module, Procedure &procedure, const Effects &effects,
            PassContext &context)
      : procedure(procedure), effects(effects), context(context),
        lenders(module, procedure) {}

  void list(StmtList &list) {
    numberRegions(list);
    for (size_t i = 0; i < list.size(); ++i)
      if (auto *first = dyn_cast<MLoopStmt>(list[i]))
        while (absorbNext(*first, list, i)) {
        }
    // What a loop has nothing in common with may have absorbed one with which
    // it has.
    for (size_t i = list.size(); i-- > 0;)
      if (auto *first = dyn_cast<MLoopStmt>(list[i]))
        for (size_t at = i; absorbNext(*first, list, at);) {
        }
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  /// Notes which M-loops of a list are over equal regions. What is not set in
  /// it has the value that it had at its begin.
  void numberRegions(const StmtList &list) {
    RegionValues values;
    RegionState state;
    loopRegions.clear();
    for (const Stmt *stmt : list) {
      if (auto *loop = dyn_cast<MLoopStmt>(stmt))
        loopRegions[loop] = values.number(loop->region, state);
      if (auto *set = dyn_cast<SetRegionStmt>(stmt))
        values.set(*set, state);
      else
        values.forget(effects.writes(procedure, *stmt), state);
    }
  }

  bool haveEqualRegions(const MLoopStmt &a, const MLoopStmt &b) const {
    return a.region->shape == b.region->shape &&
           loopRegions.lookup(&a) == loopRegions.lookup(&b);
  }

  /// Fuses the next M-loop behind position \p i with \p first, if it can be.
  /// Keeps \p i at \p first.
  bool absorbNext(MLoopStmt &first, StmtList &list, size_t &i) {
    LoopAccesses a(first);
    size_t j = i + 1;
    Passed passed;
    ArrayRef<Stmt *> before = ArrayRef(list).take_front(i);
    for (; j < list.size(); ++j) {
      if (mayBePassed(*list[j]))
        passed.add(*list[j]);
      else if (!mayComeFirst(*list[j], a, passed, before))
        break;
    }
    auto *second = j < list.size() ? dyn_cast<MLoopStmt>(list[j]) : nullptr;
    if (!second || !haveEqualRegions(first, *second) ||
        !first.walkers.empty() || !second->walkers.empty() ||
        hasDelays(*second) || refused.contains({&first, second}))
      return false;
    LoopAccesses b(*second);
    if (none_of(a.touched,
                [&](auto *array) { return b.touched.contains(array); }))
      return false;
    DelayFinder found(first, *second, lenders);
    std::string why = obstacle(a, b);
    if (why.empty())
      why = found.why;
    for (size_t k = i + 1; why.empty() && k < j; ++k)
      why = obstacle(*list[k], b);
    std::string place = context.atLine(first.range);
    if (!why.empty()) {
      refused.insert({&first, second});
      context.missed(second->range,
                     "not fused with the loop before" + place + ": " + why);
      return false;
    }
    std::string text = "fused with the loop before" + place;
    if (found.delay != 0)
      text += ", " + std::to_string(found.delay) +
              (found.delay == 1 ? " row" : " rows") + " behind";
    context.applied(second->range, text);
    append(first, *second, found.delay);
    reorder(list, i, j, b);
    return true;
  }

  /// Puts the operations of \p second behind the part of \p first that has
  /// this delay.
  static void append(MLoopStmt &first, MLoopStmt &second, unsigned delay) {
    for (ElementOp &op : second.body)
      op.delay = delay;
    auto behind = find_if(
        first.body, [&](const ElementOp &op) { return op.delay > delay; });
    first.body.insert(behind, second.body.begin(), second.body.end());
  }

  /// Removes the loop at position \p end and moves what comes first from
  /// between the loops in front of the one at \p i: also SV points of arrays
  /// that the second one writes.
  void reorder(StmtList &list, size_t &i, size_t end, const LoopAccesses &b) {
    list.erase(list.begin() + end);
    auto comesFirst = [&](const Stmt *stmt) {
      auto *point = dyn_cast<TransferPointStmt>(stmt);
      return !mayBePassed(*stmt) ||
             (point && any_of(point->transfer->items, [&](const auto &item) {
                return lenders.mayHold(b.stored, item.first);
              }));
    };
    auto between = list.begin() + i + 1;
    auto behind =
        std::stable_partition(between, list.begin() + end, comesFirst);
    std::rotate(list.begin() + i, between, behind);
    i += behind - between;
  }

  /// What statements between two loops, which the second one passes, write and
  /// read.
  struct Passed {
    DenseSet<const Variable *> written;
    DenseSet<const Region *> regions;
    DenseSet<const Transfer *> waiting; ///< whose SV comes behind the loops

    void add(const Stmt &stmt) {
      if (auto *combine = dyn_cast<CombineStmt>(&stmt)) {
        written.insert(combine->variable);
        regions.insert(combine->region);
      } else if (auto *set = dyn_cast<SetStmt>(&stmt)) {
        written.insert(rootVariable(set->target));
      } else if (auto *point = dyn_cast<TransferPointStmt>(&stmt)) {
        waiting.insert(point->transfer);
      }
      forEachExpr(stmt, [&](const Expr &e) {
        if (auto *bound = dyn_cast<BoundExpr>(&e))
          regions.insert(bound->region);
      });
    }
  };

  /// Whether no expression of \p stmt reads what a loop accumulates or what
  /// is \p passed.
  static bool isIndependent(const Stmt &stmt, const LoopAccesses &loop,
                            const Passed &passed) {
    bool isFree = true;
    forEachExpr(stmt, [&](const Expr &e) {
      auto *variable = dyn_cast<VarExpr>(&e);
      isFree &= !isa<CallExpr>(e) &&
                !(variable && (loop.accumulated.contains(variable->variable) ||
                               passed.written.contains(variable->variable) ||
                               variable->variable->byReference));
    });
    return isFree && none_of(passed.written, [](const Variable *variable) {
             return variable->byReference;
           });
  }

  /// Whether a transfer of \p array, or over \p region, will be under way in
  /// front of the loops: since \p before, or what is \p passed.
  bool isUnderWay(ArrayRef<Stmt *> before, const Passed &passed,
                  const Array *array, const Region *region) const {
    DenseSet<const Transfer *> open = passed.waiting;
    for (const Stmt *stmt : before)
      if (auto *point = dyn_cast<TransferPointStmt>(stmt)) {
        if (point->point == TransferPointStmt::SV)
          open.erase(point->transfer);
        else
          open.insert(point->transfer);
      }
    return any_of(open, [&](const Transfer *transfer) {
      return transfer->region == region ||
             any_of(transfer->items, [&](const auto &item) {
               return array && lenders.mayHold({array}, item.first);
             });
    });
  }

  /// Whether a statement may be executed before a loop that stands before it,
  /// and before the statements that are \p passed.
  bool mayComeFirst(const Stmt &stmt, const LoopAccesses &loop,
                    const Passed &passed, ArrayRef<Stmt *> before) const {
    if (!isIndependent(stmt, loop, passed))
      return false;
    if (auto *point = dyn_cast<TransferPointStmt>(&stmt))
      return none_of(point->transfer->items, [&](const auto &item) {
        return lenders.mayHold(loop.stored, item.first);
      });
    if (auto *set = dyn_cast<SetRegionStmt>(&stmt))
      return set->target->storage == Storage::Local &&
             !loop.regions.contains(set->target) &&
             !passed.regions.contains(set->target) &&
             !isUnderWay(before, passed, nullptr, set->target);
    if (auto *bind = dyn_cast<BindArrayStmt>(&stmt))
      return !loop.touched.contains(bind->array);
    if (auto *check = dyn_cast<CheckStmt>(&stmt))
      return check->check != CheckStmt::Maps;
    if (auto *alloc = dyn_cast<AllocArrayStmt>(&stmt))
      return !alloc->like && !alloc->follows &&
             alloc->array->storage == Storage::Local && !alloc->array->family &&
             !loop.touched.contains(alloc->array);
    if (auto *shift = dyn_cast<ShiftStmt>(&stmt))
      return none_of(shift->views,
                     [&](const ShiftView &view) {
                       return loop.touched.contains(view.target);
                     }) &&
             mayLend(shift->source, loop, passed, before);
    if (auto *flood = dyn_cast<FloodStmt>(&stmt))
      return !loop.touched.contains(flood->target) &&
             mayLend(flood->source, loop, passed, before);
    return false;
  }

  /// Whether temporaries of \p source may be made before a loop: that does not
  /// store it, nor read others of it, which a shift may leave without storage.
  bool mayLend(const Array *source, const LoopAccesses &loop,
               const Passed &passed, ArrayRef<Stmt *> before) const {
    return !lenders.mayHold(loop.stored, source) &&
           none_of(loop.touched,
                   [&](const Array *array) {
                     return lenders.isBorrower(array) &&
                            lenders.mayHold({source}, array);
                   }) &&
           !isUnderWay(before, passed, source, nullptr);
  }

  /// Statements that another may move across, if obstacle() says so.
  static bool mayBePassed(const Stmt &stmt) {
    auto *point = dyn_cast<TransferPointStmt>(&stmt);
    return isa<SetStmt, CombineStmt, FreeArrayStmt>(stmt) ||
           (point && point->point == TransferPointStmt::SV);
  }

  /// Why two loops must stay apart whatever the delay; empty if they need not.
  std::string obstacle(const LoopAccesses &a, const LoopAccesses &b) const {
    if (procedure.mayAlias)
      return "arrays of '" + procedure.sourceName + "' may be the same";
    if (a.hasOpaqueCalls || b.hasOpaqueCalls)
      return "a procedure is called for each element";
    for (const auto &[x, y] : {std::pair(&a, &b), std::pair(&b, &a)})
      for (const Variable *variable : x->accumulated)
        if (y->hasCalls && variable->storage != Storage::Local)
          return "'" + variable->name +
                 "' is accumulated, and a procedure may read it";
    for (const Variable *variable : a.accumulated)
      if (b.accumulated.contains(variable) || b.read.contains(variable))
        return "'" + variable->name + "' is accumulated by both, or read";
    for (const Array *x : procedure.arrays)
      for (const Array *y : procedure.arrays)
        if (x->family && x != y && x->family == y->family &&
            ((a.stored.contains(x) && b.touched.contains(y)) ||
             (a.touched.contains(x) && b.stored.contains(y))))
          return "two members of " + sourceName(*x) + " may be the same";
    if (writesLent(a, b, /*isLater=*/false) ||
        writesLent(b, a, /*isLater=*/true))
      return "a shifted temporary may share what the other one writes";
    for (const auto &[x, y] : {std::pair(&a, &b), std::pair(&b, &a)})
      for (const Array *array : x->partial)
        if (y->touched.contains(array))
          return "elements of " + sourceName(*array) +
                 " are complete only behind the loop that sets them for many "
                 "indices";
    return "";
  }

  /// Whether \p writer stores what temporaries of \p reader may lie in, unless
  /// it \p isLater and the delay takes care of it: of views of arrays without
  /// strides.
  bool writesLent(const LoopAccesses &writer, const LoopAccesses &reader,
                  bool isLater) const {
    auto isKnown = [&](const Array *view, const Array *source) {
      const Lenders::Reach *reach = lenders.reachOf(view);
      return isLater && reach && reach->source == source &&
             !is_contained(source->shape, DimKind::Strided);
    };
    return any_of(reader.touched, [&](const Array *array) {
      return lenders.isBorrower(array) &&
             any_of(writer.stored, [&](const Array *stored) {
               return lenders.mayHold({stored}, array) &&
                      !isKnown(array, stored);
             });
    });
  }

  /// Why a loop must not move up across \p stmt; empty if it may.
  static std::string obstacle(const Stmt &stmt, const LoopAccesses &loop) {
    const Variable *written = nullptr;
    if (auto *combine = dyn_cast<CombineStmt>(&stmt))
      written = combine->variable;
    bool isReadBefore = false;
    if (auto *set = dyn_cast<SetStmt>(&stmt)) {
      written = rootVariable(set->target);
      forEachExpr(*set, [&](const Expr &e) {
        auto *variable = dyn_cast<VarExpr>(&e);
        isReadBefore |=
            isa<CallExpr>(e) ||
            (variable && loop.accumulated.contains(variable->variable));
      });
    }
    if (written && (isReadBefore || loop.read.contains(written) ||
                    (loop.hasCalls && written->storage != Storage::Local) ||
                    loop.accumulated.contains(written) || loop.readsReference ||
                    written->byReference))
      return "'" + written->name + "' is set in between";
    return "";
  }

  Procedure &procedure;
  const Effects &effects;
  PassContext &context;
  Lenders lenders;
  DenseMap<const MLoopStmt *, ValueNumber> loopRegions;
  DenseSet<std::pair<const MLoopStmt *, const MLoopStmt *>> refused; ///< told
};

} // namespace

void fuseLoops(Module &module, PassContext &context) {
  Effects effects(module);
  for (Procedure *procedure : module.procedures)
    LoopFuser(module, *procedure, effects, context).list(procedure->body);
}

} // namespace zpl::air
