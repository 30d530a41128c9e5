//===- LoopNeighbours.cpp - M-loops that move up to others ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R { ... }                   region %s = ...
//     sv %t                              check read @B over %s
//     set %x = ...                       sv %t
//     region %s = ...              =>    mloop @R { ... }  mloop %s { ... }
//     check read @B over %s              set %x = ...
//     mloop %s { store @A = @B }
//
// What fuse-loops and interleave-loops have in common. For the statements
// between two loops:
//
//  1. `set`, `combine`, `sv` and `free` can be passed if the second loop
//     neither reads what they write nor writes what they read. An `sv` of an
//     array that it writes moves in front of the loops; it waits for
//     neighbours that the transfer's `dn` has just waited for.
//  2. What the second loop may need moves in front of the first one, in its
//     order, if it depends on nothing that is passed and does not change what
//     the first one uses: regions, `alloc`, `bind`, checks, the other points of
//     transfers of arrays that the first loop does not store, or not where the
//     transfer's region reads them (KnownStrides.h), shifts and floods of
//     arrays that it does not store.
//  3. Anything else keeps them apart.
//
// The other way, a loop may move down across statements that neither change what
// it uses nor use what it stores: loops, `combine`, `set`, points of transfers.
//
// A procedure that is called for each element, and only computes, changes the
// elements that it gets by reference and may read variables that are not the
// caller's. Others (of C, with checks, accumulating ones) stay where they are.
//
// A loop that accumulates into an array which is flooded where the region is
// not adds many indices up in one element. Its parts are complete only after
// the loop (and its combine-array), so no other loop that touches the array
// comes to it.
//
// Cost: linear in the statements.
//
//===----------------------------------------------------------------------===//

#include "Loops/LoopNeighbours.h"
#include "Communication/TransferEdits.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

bool isTransparent(const Procedure &callee) {
  bool isKnown = callee.thunk.empty();
  forEachStmt(callee.body, [&](const Stmt &stmt) {
    isKnown &= isa<SetStmt, IfStmt, WhileStmt, RepeatStmt, ForStmt, ReturnStmt,
                   ExitStmt, ContinueStmt>(stmt);
    forEachExpr(stmt, [&](const Expr &e) { isKnown &= !isa<CallExpr>(e); });
  });
  return isKnown;
}

/// The element by maps that a procedure gets by reference, or null.
static const RemapExpr *remappedPlace(const Argument &arg) {
  return arg.place ? dyn_cast<RemapExpr>(rootOf(arg.place)) : nullptr;
}

SmallVector<const Array *, 2> storedBy(const ElementOp &op) {
  SmallVector<const Array *, 2> arrays;
  if (op.target)
    arrays.push_back(rootElement(op.target)->array);
  forEachExpr(op, [&](const Expr &e) {
    auto *call = dyn_cast<CallExpr>(&e);
    if (!call)
      return;
    for (const Argument &arg : call->args) {
      if (const ElementExpr *element =
              arg.place ? rootElement(arg.place) : nullptr)
        arrays.push_back(element->array);
      else if (const RemapExpr *remap = remappedPlace(arg))
        arrays.push_back(remap->array);
    }
  });
  return arrays;
}

void LoopAccesses::add(const MLoopStmt &loop) {
  regions.insert(loop.region);
  loops.push_back(&loop);
  for (const ElementOp &op : loop.body) {
    for (const Array *array : storedBy(op)) {
      stored.insert(array);
      if (isOneForMany(*array, *loop.region))
        partial.insert(array);
      hasCarries |= array->isCarries() && isOneForMany(*array, *loop.region);
      storesGrid |= is_contained(array->shape, DimKind::Grid);
    }
    hasOpaqueCalls |= op.accumulates;
    callsForElements |= op.kind == ElementOp::Call;
    if (op.accumulator)
      accumulated.insert(op.accumulator);
  }
  forEachExpr(loop, [&](const Expr &e) {
    if (auto *element = dyn_cast<ElementExpr>(&e)) {
      touched.insert(element->array);
    } else if (auto *remap = dyn_cast<RemapExpr>(&e)) {
      touched.insert(remap->array);
      remapped.insert(remap->array);
    } else if (auto *variable = dyn_cast<VarExpr>(&e)) {
      read.insert(variable->variable);
      readsReference |= variable->variable->byReference;
    } else if (auto *bound = dyn_cast<BoundExpr>(&e)) {
      regions.insert(bound->region);
    }
    auto *call = dyn_cast<CallExpr>(&e);
    hasCalls |= call != nullptr;
    hasOpaqueCalls |= call && !isTransparent(*call->callee);
    if (call)
      for (const Argument &arg : call->args)
        if (const RemapExpr *remap = remappedPlace(arg))
          scattered.insert(remap->array);
  });
}

bool LoopAccesses::sharesArray(const LoopAccesses &other) const {
  return any_of(touched, [&](const Array *array) {
    return other.touched.contains(array);
  });
}

/// What statements between two loops, which the second one passes, write and
/// read.
struct LoopNeighbours::Passed {
  DenseSet<const Variable *> written;
  DenseSet<const Region *> regions;
  DenseSet<const Transfer *> waiting; ///< whose SV comes after the loops
  DenseSet<const Array *> freed;

  void add(const Stmt &stmt) {
    if (auto *release = dyn_cast<FreeArrayStmt>(&stmt))
      freed.insert(release->array);
    else if (auto *combine = dyn_cast<CombineStmt>(&stmt)) {
      for (const CombineStmt::Value &value : combine->values())
        written.insert(value.variable);
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

bool LoopNeighbours::isIndependent(const Stmt &stmt, const LoopAccesses &loop,
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

bool LoopNeighbours::isUnderWay(ArrayRef<Stmt *> before, const Passed &passed,
                                const Array *array,
                                const Region *region) const {
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
             return array && aliases.mayHold({array}, item.first);
           });
  });
}

bool LoopNeighbours::isSentOfOthers(const Transfer &transfer,
                                    const LoopAccesses &loop) const {
  auto storesNoneOf = [&](const MLoopStmt &writer, const auto &item) {
    const auto &[array, offset] = item;
    return writer.region->rank() == array->rank() &&
           strides.areIndependent(*array, writer.region, transfer.region,
                                  offset);
  };
  return all_of(transfer.items, [&](const auto &item) {
    return !aliases.mayHold(loop.stored, item.first) ||
           (!aliases.isBorrower(item.first) &&
            all_of(loop.loops, [&](const MLoopStmt *writer) {
              return storesNoneOf(*writer, item);
            }));
  });
}

/// Whether a transfer, of which a point stands at \p at, has its end before the
/// next M-loop: what that stores may be its arrays.
static bool endsBeforeNextLoop(const StmtList &list, size_t at,
                               const Transfer &transfer) {
  for (; at < list.size() && !isa<MLoopStmt>(list[at]); ++at)
    if (auto *point = dyn_cast<TransferPointStmt>(list[at]))
      if (point->transfer == &transfer && point->point == TransferPointStmt::SV)
        return true;
  return false;
}

bool LoopNeighbours::mayComeFirst(const StmtList &list, size_t at, size_t first,
                                  const LoopAccesses &loop,
                                  const Passed &passed) const {
  const Stmt &stmt = *list[at];
  ArrayRef<Stmt *> before = ArrayRef(list).take_front(first);
  bool isOfFreed = false;
  forEachArray(stmt, [&](const Array &array) {
    isOfFreed |= aliases.mayHold(passed.freed, &array);
  });
  if (isOfFreed || !isIndependent(stmt, loop, passed))
    return false;
  if (auto *point = dyn_cast<TransferPointStmt>(&stmt))
    return none_of(point->transfer->items,
                   [&](const auto &item) {
                     return aliases.mayHold(loop.stored, item.first);
                   }) ||
           (isSentOfOthers(*point->transfer, loop) &&
            endsBeforeNextLoop(list, at, *point->transfer));
  if (auto *set = dyn_cast<SetRegionStmt>(&stmt))
    return set->target->storage == Storage::Local && !set->value.condition &&
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

bool LoopNeighbours::mayLend(const Array *source, const LoopAccesses &loop,
                             const Passed &passed,
                             ArrayRef<Stmt *> before) const {
  bool hasViews = any_of(loop.touched, [&](const Array *array) {
    return aliases.isBorrower(array) && aliases.mayHold({source}, array);
  });
  return !aliases.mayHold(loop.stored, source) && (besideViews || !hasViews) &&
         !isUnderWay(before, passed, source, nullptr);
}

bool LoopNeighbours::mayBePassed(const Stmt &stmt) {
  auto *point = dyn_cast<TransferPointStmt>(&stmt);
  auto *combine = dyn_cast<CombineStmt>(&stmt);
  return isa<SetStmt, FreeArrayStmt>(stmt) ||
         (combine && combine->others.empty()) ||
         (point && point->point == TransferPointStmt::SV);
}

std::string LoopNeighbours::obstacle(const LoopAccesses &a,
                                     const LoopAccesses &b) const {
  if (procedure.mayAlias)
    return "arrays of '" + procedure.sourceName +
           "' may be the same; pass separate arrays";
  bool scatters = !a.scattered.empty() || !b.scattered.empty();
  if (a.hasOpaqueCalls || b.hasOpaqueCalls || (scatters && !delays))
    return "a procedure is called for each element; write one that only "
           "computes";
  for (const auto &[x, y] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (x->hasCarries && (y->callsForElements || y->storesGrid))
      return "a scan is computed there, whose sums may be needed twice; give "
             "calls and grid dimensions a scope of their own";
  for (const auto &[x, y] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const Variable *variable : x->accumulated)
      if (y->hasCalls && variable->storage != Storage::Local)
        return sourceName(*variable) +
               " is accumulated, and a procedure may read it; accumulate into "
               "a local variable";
  for (const auto &[x, y] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const Variable *variable : x->accumulated)
      if (y->accumulated.contains(variable) || y->read.contains(variable))
        return sourceName(*variable) + " is accumulated by both, or read";
  for (const Array *x : procedure.arrays)
    for (const Array *y : procedure.arrays)
      if (x->family && x != y && x->family == y->family &&
          !x->isOtherMemberThan(*y) &&
          ((a.stored.contains(x) && b.touched.contains(y)) ||
           (a.touched.contains(x) && b.stored.contains(y))))
        return "two members of " + sourceName(*x) +
               " may be the same; use constant subscripts, or two arrays";
  if (writesLent(a, b, /*isLater=*/false) ||
      writesLent(b, a, /*isLater=*/delays))
    return "a shifted temporary may share what the other one writes";
  for (const auto &[x, y] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const Array *array : x->remapped)
      if (aliases.mayHold(y->stored, array))
        return "elements of " + sourceName(*array) +
               " are read by maps in one and stored in the other";
  for (const auto &[x, y] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const Array *array : x->scattered)
      if (aliases.mayHold(y->touched, array))
        return "elements of " + sourceName(*array) +
               " are set by maps in one and used in the other";
  for (const auto &[x, y] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const Array *array : x->partial)
      if (y->touched.contains(array))
        return "elements of " + sourceName(*array) +
               " are complete only behind the loop that sets them for many "
               "indices";
  return "";
}

bool LoopNeighbours::writesLent(const LoopAccesses &writer,
                                const LoopAccesses &reader,
                                bool isLater) const {
  auto isKnown = [&](const Array *view, const Array *source) {
    const StorageAliases::Reach *reach = aliases.reachOf(view);
    return isLater && reach && reach->source == source &&
           !is_contained(source->shape, DimKind::Strided);
  };
  return any_of(reader.touched, [&](const Array *array) {
    return aliases.isBorrower(array) &&
           any_of(writer.stored, [&](const Array *stored) {
             return aliases.mayHold({stored}, array) && !isKnown(array, stored);
           });
  });
}

std::string LoopNeighbours::obstacle(const Stmt &stmt,
                                     const LoopAccesses &loop) {
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
    return sourceName(*written) +
           " is set in between; set it before or after both";
  return "";
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

size_t LoopNeighbours::findNext(const StmtList &list, size_t first,
                                const LoopAccesses &a) const {
  Passed passed;
  size_t next = first + 1;
  for (; next < list.size(); ++next) {
    if (mayBePassed(*list[next]))
      passed.add(*list[next]);
    else if (!mayComeFirst(list, next, first, a, passed))
      break;
  }
  return next;
}

std::string LoopNeighbours::obstacle(const StmtList &list, size_t first,
                                     size_t next, const LoopAccesses &a,
                                     const LoopAccesses &b) const {
  std::string why = obstacle(a, b);
  for (size_t k = first + 1; why.empty() && k < next; ++k)
    why = obstacle(*list[k], b);
  return why;
}

void LoopNeighbours::closeUp(StmtList &list, size_t &i, size_t end,
                             const LoopAccesses &b) const {
  list.erase(list.begin() + end);
  auto comesFirst = [&](const Stmt *stmt) {
    auto *point = dyn_cast<TransferPointStmt>(stmt);
    return !mayBePassed(*stmt) ||
           (point && any_of(point->transfer->items, [&](const auto &item) {
              return aliases.mayHold(b.stored, item.first);
            }));
  };
  auto between = list.begin() + i + 1;
  auto behind = std::stable_partition(between, list.begin() + end, comesFirst);
  std::rotate(list.begin() + i, between, behind);
  i += behind - between;
}

bool LoopNeighbours::mayChangePlaces(const LoopAccesses &a,
                                     const LoopAccesses &b) const {
  if (!obstacle(a, b).empty())
    return false;
  auto disturbs = [&](const LoopAccesses &writer, const LoopAccesses &reader) {
    return any_of(reader.touched,
                  [&](const Array *array) {
                    return aliases.mayHold(writer.stored, array);
                  }) ||
           any_of(writer.accumulated, [&](const Variable *variable) {
             return reader.read.contains(variable) || reader.readsReference;
           });
  };
  return !disturbs(a, b) && !disturbs(b, a);
}

bool LoopNeighbours::mayComeAfter(const Stmt &stmt,
                                  const LoopAccesses &loop) const {
  auto uses = [&](const Array *array) {
    return any_of(loop.touched, [&](const Array *used) {
      return aliases.mayHold({array}, used);
    });
  };
  if (isa<SetStmt, CombineStmt>(stmt))
    return obstacle(stmt, loop).empty();
  if (auto *point = dyn_cast<TransferPointStmt>(&stmt))
    return none_of(point->transfer->items, [&](const auto &item) {
      bool onlyReads = point->point == TransferPointStmt::SR ||
                       point->point == TransferPointStmt::SV;
      return aliases.mayHold(loop.stored, item.first) ||
             (!onlyReads && uses(item.first));
    });
  if (auto *release = dyn_cast<FreeArrayStmt>(&stmt))
    return !uses(release->array);
  if (auto *alloc = dyn_cast<AllocArrayStmt>(&stmt))
    return !uses(alloc->array);
  if (auto *set = dyn_cast<SetRegionStmt>(&stmt))
    return set->target->storage == Storage::Local && !set->value.condition &&
           !loop.regions.contains(set->target);
  if (auto *check = dyn_cast<CheckStmt>(&stmt))
    return check->check != CheckStmt::Maps;
  return false;
}

} // namespace zpl::air
