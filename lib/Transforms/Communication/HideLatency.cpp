//===- HideLatency.cpp - Compute while data travel ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R { store @A = ... }          dr %t
//     mloop @R { store @B = @C }           mloop @R { store @A = ... }
//     dr %t       -- {@A: (0,1)}           sr %t
//     sr %t                           =>   mloop @R { store @B = @C }
//     dn %t                                dn %t
//     mloop @R { store @D = @A@(0,1) }     mloop @R { store @D = @A@(0,1) }
//     sv %t                                mloop @R { store @E = @D }
//     mloop @R { store @E = @D }           sv %t
//     mloop @R { store @A = @E }           mloop @R { store @A = @E }
//
// Points move within their list, over whole statements. What may be passed by
// all of them says mayStandInTransfer (Overlap.h); besides, by each:
//
//   dr, up     what does not set the region, nor give the arrays other storage,
//              nor leaves values in their fluff that are still to be read: what
//              reads or fills it comes before no write of the arrays that dr
//              has passed
//   sr, up     what writes none of the arrays, to after dr
//   dn, down   what reads nothing of the arrays' fluff, and no dr of a later
//              transfer of one of them
//   sv, down   what writes none of the arrays
//
// A point stops after (before) the farthest statement on its way that takes
// time; if there is none it stays, for then nothing is gained.
//
// Points of other transfers are passed like anything else: transports let any
// number be under way. Nothing moves across a loop's back edge: a transfer
// whose arrays the loop writes begins and ends in one iteration.
//
// Cost: per transfer the statements that its points pass, and their effects.
//
//===----------------------------------------------------------------------===//

#include "Communication/HideLatency.h"
#include "Communication/TransferEdits.h"
#include "zpl/Analysis/Overlap.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace zpl::air {
namespace {

/// Combinations that wait for the others take time here as well.
bool isWorthPassing(const Stmt &stmt) {
  auto *combine = dyn_cast<CombineStmt>(&stmt);
  return takesTime(stmt) || (combine && combine->phase != CombineStmt::Begin);
}

class LatencyHider {
public:
  LatencyHider(const Module &module, const Procedure &procedure,
               const Effects &effects, PassContext &context)
      : module(module), procedure(procedure), effects(effects),
        context(context) {}

  void list(StmtList &list) {
    SmallVector<const Transfer *, 4> here;
    for (const Stmt *stmt : list)
      if (auto *point = dyn_cast<TransferPointStmt>(stmt))
        if (point->point == TransferPointStmt::DN)
          here.push_back(point->transfer);
    for (const Transfer *transfer : here)
      hide(*transfer, list);
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  using Point = TransferPointStmt::Point;

  static size_t find(const StmtList &list, const Transfer &transfer, Point p) {
    return find_if(list,
                   [&](const Stmt *stmt) {
                     auto *point = dyn_cast<TransferPointStmt>(stmt);
                     return point && point->transfer == &transfer &&
                            point->point == p;
                   }) -
           list.begin();
  }

  void hide(const Transfer &transfer, StmtList &list) {
    const Stmt *awaited = moveDown(transfer, list, TransferPointStmt::SV);
    const Stmt *needed = moveDown(transfer, list, TransferPointStmt::DN);
    moveUp(transfer, list, TransferPointStmt::DR);
    behindOwn = why;
    const Stmt *sent = moveUp(transfer, list, TransferPointStmt::SR);
    std::string what = names(transfer);
    if (sent)
      context.applied(transfer.range,
                      what +
                          " is sent earlier: it travels during what precedes" +
                          context.atLine(sent->range));
    if (needed)
      context.applied(transfer.range,
                      what +
                          " is waited for later: it travels during what "
                          "follows" +
                          context.atLine(needed->range));
    if (awaited)
      context.applied(transfer.range, "that " + what +
                                          " may be written again is waited for "
                                          "behind what follows" +
                                          context.atLine(awaited->range));
    if (!sent && !needed)
      context.missed(transfer.range,
                     what + " travels while nothing is computed: " + why);
  }

  /// Moves \p p down; returns the last statement that it passes, null if it
  /// stays.
  const Stmt *moveDown(const Transfer &transfer, StmtList &list, Point p) {
    size_t from = find(list, transfer, p), to = from;
    for (size_t k = from + 1;
         k < list.size() && mayPassDown(transfer, *list[k], p); ++k)
      if (isWorthPassing(*list[k]))
        to = k;
    if (to == from)
      return nullptr;
    const Stmt *last = list[to];
    std::rotate(list.begin() + from, list.begin() + from + 1,
                list.begin() + to + 1);
    return last;
  }

  bool mayPassDown(const Transfer &transfer, const Stmt &stmt, Point p) {
    if (!mayStandInTransfer(stmt))
      return false;
    TransferUse use = useOf(transfer, stmt, module, procedure, effects);
    if (use.written || use.moved)
      return false;
    if (p == TransferPointStmt::SV)
      return true;
    auto *point = dyn_cast<TransferPointStmt>(&stmt);
    bool refills = point && point->point == TransferPointStmt::DR &&
                   sharesArray(*point->transfer, transfer);
    return !use.fluff && !use.setsRegion && !refills &&
           !(point && point->transfer == &transfer);
  }

  bool sharesArray(const Transfer &a, const Transfer &b) {
    return any_of(a.items, [&](const auto &x) {
      return any_of(b.items, [&](const auto &y) {
        return mayBeSame(module, *x.first, *y.first, procedure.mayAlias);
      });
    });
  }

  /// Moves \p p up; returns the first statement that it passes, null if it
  /// stays, and sets `why`.
  const Stmt *moveUp(const Transfer &transfer, StmtList &list, Point p) {
    size_t from = find(list, transfer, p), to = from, k = from;
    bool hasPassedWrite = false;
    for (; k > 0; --k) {
      why = obstacle(transfer, *list[k - 1], p, hasPassedWrite);
      if (!why.empty())
        break;
      if (isWorthPassing(*list[k - 1]))
        to = k - 1;
    }
    if (k == 0)
      why = "nothing that takes time precedes it in its block; put statements "
            "there that do not need it";
    if (to == from)
      return nullptr;
    const Stmt *first = list[to];
    std::rotate(list.begin() + to, list.begin() + from,
                list.begin() + from + 1);
    return first;
  }

  /// Why \p p must not move up over \p stmt; empty if it may.
  std::string obstacle(const Transfer &transfer, const Stmt &stmt, Point p,
                       bool &hasPassedWrite) {
    std::string place = context.atLine(stmt.range);
    if (!mayStandInTransfer(stmt))
      return "something else than array statements precedes it" + place;
    auto *point = dyn_cast<TransferPointStmt>(&stmt);
    if (point && point->transfer == &transfer)
      return behindOwn;
    TransferUse use = useOf(transfer, stmt, module, procedure, effects);
    if (use.moved)
      return sourceName(*use.moved) + " gets other storage" + place;
    if (use.setsRegion)
      return sourceName(*transfer.region) + " is set" + place +
             "; set it earlier";
    if (p == TransferPointStmt::SR)
      return use.written ? sourceName(*use.written) + " is written" + place
                         : "";
    hasPassedWrite |= use.written != nullptr;
    if (use.fluff && hasPassedWrite)
      return "old values of " + sourceName(*use.fluff) + " are read" + place;
    return "";
  }

  /// "A, B", with their names in the source.
  static std::string names(const Transfer &transfer) {
    std::string text;
    const Array *last = nullptr;
    for (const auto &[array, offset] : transfer.items) {
      if (array != last)
        text += (text.empty() ? "" : ", ") + sourceName(*array);
      last = array;
    }
    return text;
  }

  const Module &module;
  const Procedure &procedure;
  const Effects &effects;
  PassContext &context;
  std::string behindOwn; ///< why a dr did not go farther
  std::string why; ///< the last point that was to move up did not go farther
};

} // namespace

void hideLatency(Module &module, PassContext &context) {
  Effects effects(module);
  for (Procedure *procedure : module.procedures)
    if (!procedure->transfers.empty())
      LatencyHider(module, *procedure, effects, context).list(procedure->body);
}

} // namespace zpl::air
