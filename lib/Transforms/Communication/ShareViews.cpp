//===- ShareViews.cpp - Views made once -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     shift {%T by (i64 0, i64 -1) wrap} = @A over @R
//     [@R] @B = %T
//     free %T
//     for %i = i32 1 to @n by i32 1 {
//       shift {%U by (i64 0, i64 -1) wrap, %V by (i64 0, i64 1) wrap} = @A over
//       @R
//       [@R] @C = add(@C, mul(%U, %V))
//       free %V
//       free %U
//     }
//
// Nothing writes A here. So the shift of the loop may stand in front of it and
// its frees after it; there the first one may make %V as well, and %T, which
// is the same as %U, stays until %U would end:
//
//     shift {%T by (i64 0, i64 -1) wrap, %V by (i64 0, i64 1) wrap} = @A over
//     @R
//     [@R] @B = %T
//     for %i = i32 1 to @n by i32 1 {
//       [@R] @C = add(@C, mul(%T, %V))
//     }
//     free %V
//     free %T
//
// Inner loops first, each list from top to bottom; a shift joins the nearest
// one before it that serves. Nothing is evaluated or sent earlier than a check
// of the same array, and a `free` moves over nothing that leaves the list.
//
// While it has views an array does not move to storage with more room: shifts
// that may want that, by directions that are not constant, would become copies.
// Views do not live longer over these. What constants shift by more than the
// room that an array can have is a copy always, and takes memory: such shifts
// leave loops, but join others only as the same.
//
// Cost: what each statement writes, per list; the values of regions.
//
//===----------------------------------------------------------------------===//

#include "Communication/ShareViews.h"
#include "Communication/AvailableData.h"
#include "Communication/TransferEdits.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/KnownStrides.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// By at most so many indices a shift surely is a view: GhostPlan.cpp.
constexpr int64_t MostNear = 16;

bool areConstant(ArrayRef<const Expr *> exprs) {
  return all_of(exprs, [](const Expr *e) { return isa<ConstExpr>(e); });
}

bool isNear(const ShiftView &view) {
  return all_of(view.direction, [](const Expr *e) {
    auto *constant = dyn_cast<ConstExpr>(e);
    return constant && std::abs(constant->integer) <= MostNear;
  });
}

/// Whether the direction of \p view has one value wherever nothing but
/// \p written changes, and can be evaluated anywhere.
bool isFixed(const ShiftView &view, const WriteSet &written) {
  bool fixed = true;
  for (const Expr *component : view.direction)
    forEachExpr(*component, [&](const Expr &e) {
      auto *read = dyn_cast<VarExpr>(&e);
      auto *sum = dyn_cast<BinaryExpr>(&e);
      auto *part = dyn_cast<SubscriptExpr>(&e);
      fixed &= isa<ConstExpr, CastExpr>(e) ||
               (part && !part->isChecked && areConstant(part->subscripts)) ||
               (read && read->variable->thunk.empty() &&
                !written.variables.contains(read->variable)) ||
               (sum && is_contained({BinaryOp::Add, BinaryOp::Sub}, sum->op));
    });
  return fixed;
}

bool areSame(const ShiftView &a, const ShiftView &b) {
  return a.wraps == b.wraps && equal(a.direction, b.direction, haveSameValue);
}

/// Where \p list first frees \p array; its end if nowhere.
StmtList::iterator findFree(StmtList &list, const Array *array) {
  return find_if(list, [&](const Stmt *stmt) {
    auto *free = dyn_cast<FreeArrayStmt>(stmt);
    return free && free->array == array;
  });
}

/// Whether the next statement may not be the next one that is executed.
bool mayLeave(const Stmt &stmt, bool isInLoop = false) {
  bool found =
      isa<ReturnStmt>(stmt) || (isa<ExitStmt, ContinueStmt>(stmt) && !isInLoop);
  isInLoop |= isa<ForStmt, WhileStmt, RepeatStmt>(stmt);
  forEachList(stmt, [&](const StmtList &inner) {
    found |= any_of(inner, [&](Stmt *s) { return mayLeave(*s, isInLoop); });
  });
  return found;
}

/// Whether a check in \p stmt may be what allows to shift \p source.
bool mayCheck(const Stmt &stmt, const Array *source) {
  auto *check = dyn_cast<CheckStmt>(&stmt);
  bool found = isa<CheckShapeStmt, CheckThatStmt>(stmt) ||
               (check && (!check->array || check->array == source));
  forEachList(stmt, [&](const StmtList &inner) {
    found |= any_of(inner, [&](Stmt *s) { return mayCheck(*s, source); });
  });
  return found;
}

/// Procedures in which an array may move to storage with more room.
class Wideners {
public:
  explicit Wideners(const Module &module) {
    for (size_t before = 1; before != procedures.size();) {
      before = procedures.size();
      for (const Procedure *p : module.procedures)
        if (any_of(p->body, [&](Stmt *s) { return mayWiden(*s, nullptr); }))
          procedures.insert(p);
    }
  }

  /// Whether \p stmt may move \p source so, or, if that is null, anything.
  bool mayWiden(const Stmt &stmt, const Array *source) const {
    auto *shift = dyn_cast<ShiftStmt>(&stmt);
    bool found = shift && (!source || shift->source == source) &&
                 !all_of(shift->views, [](const ShiftView &view) {
                   return areConstant(view.direction);
                 });
    forEachExpr(stmt, [&](const Expr &e) {
      auto *call = dyn_cast<CallExpr>(&e);
      found |= call && procedures.contains(call->callee);
    });
    forEachList(stmt, [&](const StmtList &inner) {
      found |= any_of(inner, [&](Stmt *s) { return mayWiden(*s, source); });
    });
    return found;
  }

private:
  DenseSet<const Procedure *> procedures;
};

class ViewSharer {
public:
  ViewSharer(Procedure &procedure, Module &module, const Effects &effects,
             const Wideners &wideners, PassContext &context)
      : procedure(procedure), module(module), effects(effects),
        wideners(wideners), context(context) {}

  /// False if there is nothing to share.
  bool collect() {
    forEachStmt(procedure.body, [&](const Stmt &stmt) {
      if (auto *shift = dyn_cast<ShiftStmt>(&stmt))
        for (const ShiftView &view : shift->views)
          ++makers[view.target];
    });
    return !makers.empty();
  }

  void hoist(StmtList &list) {
    StmtList result;
    for (Stmt *stmt : list) {
      forEachList(*stmt, [&](StmtList &inner) { hoist(inner); });
      StmtList frees;
      if (isa<ForStmt, WhileStmt, RepeatStmt>(stmt))
        forEachList(*stmt, [&](StmtList &body) {
          hoistFrom(*stmt, body, result, frees);
        });
      result.push_back(stmt);
      result.insert(result.end(), frees.begin(), frees.end());
    }
    list = std::move(result);
  }

  /// Afterwards, when shifts stand where they stay.
  void joinAll(const KnownStrides &strides) {
    AvailableData *data = nullptr;
    AvailableData analysis(procedure, effects, strides,
                           [&](const Stmt &stmt, const AvailableState &state) {
                             if (auto *shift = dyn_cast<ShiftStmt>(&stmt))
                               regions[shift] =
                                   data->number(shift->region, state);
                           });
    data = &analysis;
    analysis.run();
    join(procedure.body);
  }

private:
  //===--------------------------------------------------------------------===//
  // Out of loops
  //===--------------------------------------------------------------------===//

  /// Takes shifts out of \p body to \p before, and their frees to \p after.
  void hoistFrom(const Stmt &loop, StmtList &body, StmtList &before,
                 StmtList &after) {
    if (none_of(body, [](Stmt *s) { return isa<ShiftStmt>(s); }))
      return;
    WriteSet written = effects.writes(procedure, loop);
    for (size_t i = 0; i < body.size(); ++i) {
      auto *shift = dyn_cast<ShiftStmt>(body[i]);
      if (!shift)
        continue;
      std::string why = obstacle(*shift, loop, body, written);
      if (!why.empty()) {
        context.missed(shift->range, sourceName(*shift->source) +
                                         " is sent in each iteration of the "
                                         "loop" +
                                         context.atLine(loop.range) + ": " +
                                         why);
        continue;
      }
      before.push_back(shift);
      body.erase(body.begin() + i--);
      for (const ShiftView &view : reverse(shift->views)) {
        auto free = findFree(body, view.target);
        after.push_back(*free);
        body.erase(free);
      }
      context.applied(shift->range, "sent once, in front of the loop" +
                                        context.atLine(loop.range));
    }
  }

  /// Why \p shift must stay in \p loop; empty if it need not.
  std::string obstacle(const ShiftStmt &shift, const Stmt &loop, StmtList &body,
                       const WriteSet &written) {
    const Array *source = shift.source;
    if (written.arrays.contains(source))
      return sourceName(*source) + " is written in it";
    if (written.regions.contains(shift.region))
      return sourceName(*shift.region) +
             " is set in it; set it before the loop";
    if (!all_of(shift.views, [&](auto &v) { return isFixed(v, written); }))
      return "not always by the same direction; set the direction before the "
             "loop";
    bool leaves =
        mayLeave(loop) || !all_of(shift.views, [&](const ShiftView &view) {
          return makers[view.target] == 1 &&
                 findFree(body, view.target) != body.end();
        });
    if (leaves)
      return "it may be left at several places";
    if (mayCheck(loop, source) || !effects.isThere(*source))
      return "whether that is legal is found there";
    bool widens = false;
    forEachList(loop, [&](const StmtList &list) {
      widens |= any_of(list, [&](const Stmt *stmt) {
        return stmt != &shift && wideners.mayWiden(*stmt, source);
      });
    });
    return widens ? "other shifts may want more room around it" : "";
  }

  //===--------------------------------------------------------------------===//
  // In a list
  //===--------------------------------------------------------------------===//

  /// A shift that others may join.
  struct Open {
    ShiftStmt *shift;
    WriteSet written;       ///< since then
    bool isChecked = false; ///< the source, since then
    std::string lost;       ///< why nothing joins it any more; or empty
  };

  void join(StmtList &list) {
    SmallVector<Open, 4> open;
    for (size_t i = 0; i < list.size(); ++i) {
      if (auto *shift = dyn_cast<ShiftStmt>(list[i])) {
        if (joinOne(*shift, open, list, i)) {
          --i; // there is another statement
          continue;
        }
        open.push_back({shift, {}, false, ""});
      }
      forEachList(*list[i], [&](StmtList &inner) { join(inner); });
      pass(*list[i], open);
    }
  }

  /// What \p stmt does to the shifts before it.
  void pass(const Stmt &stmt, SmallVectorImpl<Open> &open) {
    if (open.empty())
      return;
    WriteSet written = effects.writes(procedure, stmt);
    bool leaves = mayLeave(stmt);
    for (Open &each : open) {
      const Array *source = each.shift->source;
      if (!each.lost.empty() || each.shift == &stmt)
        continue;
      each.written.add(written);
      each.isChecked |= mayCheck(stmt, source);
      if (written.arrays.contains(source))
        each.lost = sourceName(*source) + " is written in between" +
                    context.atLine(stmt.range) +
                    "; write it before or after both statements";
      else if (leaves || wideners.mayWiden(stmt, source))
        each.lost = "what is in between may want it to end" +
                    context.atLine(stmt.range);
    }
  }

  /// Lets the shift at \p i of \p list join one of \p open; it is gone then.
  bool joinOne(ShiftStmt &shift, SmallVectorImpl<Open> &open, StmtList &list,
               size_t &i) {
    std::string nearest;
    for (Open &each : reverse(open)) {
      if (each.shift->source != shift.source)
        continue;
      std::string why = obstacle(shift, each, list);
      if (why.empty()) {
        merge(shift, each, list, i);
        return true;
      }
      if (nearest.empty())
        nearest = "not combined with the shift before" +
                  context.atLine(each.shift->range) + ": " + why;
    }
    if (!nearest.empty())
      context.missed(shift.range, nearest);
    return false;
  }

  /// Why \p shift of \p list cannot join; empty if it can.
  std::string obstacle(const ShiftStmt &shift, const Open &open,
                       StmtList &list) {
    if (!open.lost.empty())
      return open.lost;
    auto first = regions.find(open.shift), second = regions.find(&shift);
    if (first == regions.end() || second == regions.end() ||
        first->second != second->second)
      return "that one is over " + otherRegion(*open.shift->region) +
             "; put both statements in one scope";
    for (const ShiftView &view : shift.views) {
      bool shares = sharable(view, open, list);
      if (!shares && !isNear(view))
        return "by directions that are not constant, or far; write constant "
               "ones of at most 16";
      if (!shares && open.isChecked)
        return "whether that is legal is found in between";
    }
    return "";
  }

  /// The view of \p open that \p view of a later shift of \p list always
  /// equals, and may be instead of it; null if there is none.
  const ShiftView *sharable(const ShiftView &view, const Open &open,
                            StmtList &list) {
    auto *found = find_if(open.shift->views, [&](const ShiftView &other) {
      return areSame(view, other);
    });
    if (found == open.shift->views.end() || !isFixed(view, open.written))
      return nullptr;
    bool end = findFree(list, found->target) != list.end() &&
               findFree(list, view.target) != list.end();
    bool isSent = any_of(procedure.transfers, [&](const Transfer *transfer) {
      return any_of(transfer->items, [&](const auto &item) {
        return item.first == view.target;
      });
    });
    bool areMadeOnce = makers[view.target] == 1 && makers[found->target] == 1;
    return end && !isSent && areMadeOnce ? found : nullptr;
  }

  /// Lets \p open serve for \p shift, which stands at \p i of \p list: what is
  /// there afterwards comes next.
  void merge(const ShiftStmt &shift, Open &open, StmtList &list, size_t &i) {
    list.erase(list.begin() + i);
    SmallVector<ShiftView, 2> more;
    for (const ShiftView &view : shift.views) {
      if (const ShiftView *same = sharable(view, open, list))
        replace(view.target, same->target, list, i);
      else
        more.push_back(view);
    }
    open.shift->views.append(more.begin(), more.end());
    context.applied(shift.range,
                    (more.empty()
                         ? "nothing is sent: an earlier shift has brought it"
                         : "combined with an earlier shift") +
                        context.atLine(open.shift->range));
  }

  /// From \p i of \p list on, \p same takes the place of \p array; it ends
  /// where the later one of both did.
  void replace(Array *array, Array *same, StmtList &list, size_t &i) {
    Renaming names;
    names.arrays[array] = same;
    StmtCloner cloner(module, names);
    auto end = findFree(list, array);
    for (auto stmt = list.begin() + i; stmt <= end; ++stmt) {
      bool isNamed = false;
      forEachStmt(StmtList{*stmt}, [&](const Stmt &s) {
        forEachArray(s, [&](const Array &a) { isNamed |= &a == array; });
      });
      if (isNamed)
        *stmt = cloner.clone(**stmt);
    }
    auto first = findFree(list, same);
    if (first < list.begin() + i)
      --i;
    list.erase(first);
    erase(procedure.arrays, array);
  }

  Procedure &procedure;
  Module &module;
  const Effects &effects;
  const Wideners &wideners;
  PassContext &context;
  DenseMap<const Array *, unsigned> makers; ///< shifts that make a view
  DenseMap<const ShiftStmt *, ValueNumber> regions;
};

} // namespace

void shareViews(Module &module, PassContext &context) {
  Effects effects(module);
  KnownStrides strides(module);
  Wideners wideners(module);
  for (Procedure *procedure : module.procedures) {
    ViewSharer sharer(*procedure, module, effects, wideners, context);
    if (!sharer.collect())
      continue;
    sharer.hoist(procedure->body);
    sharer.joinAll(strides);
  }
}

} // namespace zpl::air
