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
//  1. `set`, `combine` and `sv` can be passed if the loop that follows neither
//     reads what they write nor writes what they read. An `sv` of an array that
//     it writes moves in front of the fused loop; it waits for neighbours that
//     the transfer's `dn` has just waited for.
//  2. An M-loop over the same region (the same value: nothing in between sets
//     one) that shares an array is fused, with the delay that dependences ask
//     for.
//  3. `bind` and checks, of which the second loop may need what they do, move
//  in
//     front of the first one if they depend on nothing that is passed.
//  4. Anything else ends the search.
//
// A fused loop is tried again with what follows it.
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
//     the row.)
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

/// What an M-loop reads and writes.
struct LoopAccesses {
  DenseSet<const Array *> touched, stored;
  /// One element accumulates, or in a grid dimension takes, many indices.
  DenseSet<const Array *> partial;
  DenseSet<const Variable *> read, accumulated;
  bool readsReference = false;
  bool borrows = false; ///< reads what a shift or flood made of another array
  bool hasCalls = false;

  explicit LoopAccesses(const MLoopStmt &loop) {
    for (const ElementOp &op : loop.body) {
      if (op.target)
        stored.insert(rootElement(op.target)->array);
      if (op.target &&
          isOneForMany(*rootElement(op.target)->array, *loop.region))
        partial.insert(rootElement(op.target)->array);
      if (op.accumulator)
        accumulated.insert(op.accumulator);
    }
    forEachExpr(loop, [&](const Expr &e) {
      if (auto *element = dyn_cast<ElementExpr>(&e)) {
        touched.insert(element->array);
        borrows |= element->array->storage == Storage::Local &&
                   !element->array->declared && !element->array->family &&
                   !element->array->isContracted();
      } else if (auto *variable = dyn_cast<VarExpr>(&e)) {
        read.insert(variable->variable);
        readsReference |= variable->variable->byReference;
      }
      hasCalls |= isa<CallExpr>(e);
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
  DelayFinder(const MLoopStmt &first, const MLoopStmt &second)
      : row(rowLevel(first)) {
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
    const Array *storedFirst =
        a.target ? rootElement(a.target)->array : nullptr;
    const Array *storedThen = b.target ? rootElement(b.target)->array : nullptr;
    forEachExpr(b, [&](const Expr &e) {
      auto *access = dyn_cast<ElementExpr>(&e);
      if (!access || access->array != storedFirst)
        return;
      if (access->isShifted())
        why = "it reads " + sourceName(*storedFirst) + " at another index";
      require(a.delay, access->array);
    });
    forEachExpr(a, [&](const Expr &e) {
      auto *access = dyn_cast<ElementExpr>(&e);
      if (access && access->array == storedThen)
        require(a.delay + rowsBetween(*access), access->array);
    });
  }

  /// How much later than a read an element may be overwritten.
  int64_t rowsBetween(const ElementExpr &read) {
    if (!read.isShifted())
      return 0;
    if (!row) {
      why = "it writes " + sourceName(*read.array) +
            ", which that one reads at another index";
      return 0;
    }
    int64_t ahead = read.offset[row->dim];
    return std::max<int64_t>(1, row->down ? ahead : -ahead);
  }

  void require(int64_t least, const Array *array) {
    if (least <= delay)
      return;
    delay = least;
    cause = array;
  }

  const LoopLevel *row;
  const Array *cause = nullptr; ///< of the delay
};

class LoopFuser {
public:
  LoopFuser(Procedure &procedure, PassContext &context)
      : procedure(procedure), context(context) {}

  void list(StmtList &list) {
    for (size_t i = 0; i < list.size(); ++i)
      if (auto *first = dyn_cast<MLoopStmt>(list[i]))
        while (absorbNext(*first, list, i)) {
        }
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  /// Fuses the next M-loop behind position \p i with \p first, if it can be.
  /// Keeps \p i at \p first.
  bool absorbNext(MLoopStmt &first, StmtList &list, size_t &i) {
    LoopAccesses a(first);
    size_t j = i + 1;
    bool setsVariables = false; // that what comes first may not move across
    for (; j < list.size(); ++j) {
      if (!mayBePassed(*list[j]) &&
          (setsVariables || !mayComeFirst(*list[j], a)))
        break;
      setsVariables |= isa<SetStmt, CombineStmt>(list[j]);
    }
    auto *second = j < list.size() ? dyn_cast<MLoopStmt>(list[j]) : nullptr;
    if (!second || second->region != first.region || !first.walkers.empty() ||
        !second->walkers.empty() || hasDelays(*second))
      return false;
    LoopAccesses b(*second);
    if (none_of(a.touched,
                [&](auto *array) { return b.touched.contains(array); }))
      return false;
    DelayFinder found(first, *second);
    std::string why = obstacle(a, b);
    if (why.empty())
      why = found.why;
    for (size_t k = i + 1; why.empty() && k < j; ++k)
      why = obstacle(*list[k], b);
    std::string place = context.atLine(first.range);
    if (!why.empty()) {
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
    list.erase(list.begin() + j);
    waitFirst(list, i, j, b);
    moveFirst(list, i, j);
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

  /// Moves the SV points behind position \p i and before \p end whose arrays
  /// \p loop writes in front of \p i.
  static void waitFirst(StmtList &list, size_t &i, size_t end,
                        const LoopAccesses &loop) {
    for (size_t k = i + 1; k < end; ++k) {
      auto *point = dyn_cast<TransferPointStmt>(list[k]);
      auto isWritten = [&](const auto &item) {
        return loop.stored.contains(item.first);
      };
      if (point && any_of(point->transfer->items, isWritten)) {
        std::rotate(list.begin() + i, list.begin() + k, list.begin() + k + 1);
        ++i;
      }
    }
  }

  /// Moves what may come first from behind position \p i and before \p end in
  /// front of it.
  static void moveFirst(StmtList &list, size_t &i, size_t end) {
    for (size_t k = i + 1; k < end; ++k)
      if (isa<BindArrayStmt, CheckStmt>(list[k])) {
        std::rotate(list.begin() + i, list.begin() + k, list.begin() + k + 1);
        ++i;
      }
  }

  /// Bindings of views and checks may be executed before a loop that they do
  /// not depend on.
  static bool mayComeFirst(const Stmt &stmt, const LoopAccesses &loop) {
    auto *bind = dyn_cast<BindArrayStmt>(&stmt);
    auto *check = dyn_cast<CheckStmt>(&stmt);
    if (!(bind && !loop.touched.contains(bind->array)) &&
        !(check && check->check != CheckStmt::Maps))
      return false;
    bool isFree = true;
    forEachExpr(stmt, [&](const Expr &e) {
      auto *variable = dyn_cast<VarExpr>(&e);
      isFree &= !isa<CallExpr>(e) &&
                !(variable && (loop.accumulated.contains(variable->variable) ||
                               variable->variable->byReference));
    });
    return isFree;
  }

  /// Statements that another may move across, if obstacle() says so.
  static bool mayBePassed(const Stmt &stmt) {
    auto *point = dyn_cast<TransferPointStmt>(&stmt);
    return isa<SetStmt>(stmt) || isa<CombineStmt>(stmt) ||
           (point && point->point == TransferPointStmt::SV);
  }

  /// Why two loops must stay apart whatever the delay; empty if they need not.
  std::string obstacle(const LoopAccesses &a, const LoopAccesses &b) const {
    if (procedure.mayAlias)
      return "arrays of '" + procedure.sourceName + "' may be the same";
    if (a.hasCalls || b.hasCalls)
      return "a procedure is called for each element";
    for (const Array *x : procedure.arrays)
      for (const Array *y : procedure.arrays)
        if (x->family && x != y && x->family == y->family &&
            ((a.stored.contains(x) && b.touched.contains(y)) ||
             (a.touched.contains(x) && b.stored.contains(y))))
          return "two members of " + sourceName(*x) + " may be the same";
    if ((a.borrows && !b.stored.empty()) || (b.borrows && !a.stored.empty()))
      return "a shifted temporary may share what the other one writes";
    for (const auto &[x, y] : {std::pair(&a, &b), std::pair(&b, &a)})
      for (const Array *array : x->partial)
        if (y->touched.contains(array))
          return "elements of " + sourceName(*array) +
                 " are complete only behind the loop that sets them for many "
                 "indices";
    return "";
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
                    loop.accumulated.contains(written) || loop.readsReference ||
                    written->byReference))
      return "'" + written->name + "' is set in between";
    return "";
  }

  Procedure &procedure;
  PassContext &context;
};

} // namespace

void fuseLoops(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    LoopFuser(*procedure, context).list(procedure->body);
}

} // namespace zpl::air
