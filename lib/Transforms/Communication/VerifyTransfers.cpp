//===- VerifyTransfers.cpp - Are shifted elements transferred? ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that forgets a transfer makes a program that is right on one processor
// and wrong on two. So the rule is checked after every pass, by the analysis
// that the passes use themselves:
//
//     dn %t                           -- {@A: (0,1)} over @R
//     [@R] @A = f64 0.0
//     [@R] @B = @A@(0,1)              -- error: @A is written in between
//
// What a procedure has its callers send is wanted at each call of it.
//
// The second check is between the points. From DR to SV nothing may stand that
// does not go on to the next statement, or in which the program's procedures
// may do anything. From SR to SV the arrays are being read by other processors;
// from DR to SV their storage stays where it is; from DR to DN the region must
// be the one that DR has seen. And what is still to be read in their fluff must
// not be overwritten too early, by what the neighbours send once they know of
// the DR:
//
//     dr %u                           -- {@A: (0,1)} over @R
//     [@R] @B = @A@(0,1)              -- what an earlier %t brought
//     [@R] @A = f64 0.0               -- error: the DR comes before that read
//     sr %u
//
//===----------------------------------------------------------------------===//

#include "zpl/Transforms/VerifyTransfers.h"
#include "Communication/AvailableData.h"
#include "Communication/TransferEdits.h"
#include "zpl/Analysis/Overlap.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace zpl::air {
namespace {

class TransferVerifier {
public:
  TransferVerifier(const Module &module, const Procedure &procedure,
                   const Effects &effects, const KnownStrides &strides)
      : module(module), procedure(procedure), effects(effects),
        data(procedure, effects, strides,
             [this](const Stmt &stmt, const AvailableState &state) {
               if (message.empty() && elementRegion(stmt))
                 elements(stmt, state);
               if (auto *call = dyn_cast<CallStmt>(&stmt))
                 demands(*call, state);
             }) {}

  bool run() {
    data.run();
    if (message.empty() && !procedure.transfers.empty())
      points(procedure.body);
    return message.empty();
  }
  std::string message;
  SourceRange place;

private:
  void fail(SourceRange range, const Twine &text) {
    if (!message.empty())
      return;
    message = (text + " (in " + printedName(procedure) + ")").str();
    place = range;
  }

  void elements(const Stmt &stmt, const AvailableState &state) {
    auto *loop = dyn_cast<MLoopStmt>(&stmt);
    if (loop && loop->time.wraps != 0)
      return; // The run brings what is around.
    forEachExpr(stmt, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (!element || !element->isShifted() || element->array->isSparse ||
          element->array->isContracted())
        return;
      auto answer = data.find(element->array, element->offset,
                              elementRegion(stmt), state);
      if (answer.transfer)
        return;
      std::string name =
          printedName(*element->array) + "@" + printed(element->offset);
      fail(stmt.range, name + " is read without a transfer" +
                           (answer.why.empty() ? "" : ": " + answer.why));
    });
  }

  /// What the callee has its callers send.
  void demands(const CallStmt &call, const AvailableState &state) {
    const Procedure &callee = *call.call->callee;
    for (const Transfer *transfer : callee.transfers) {
      if (!transfer->byCallers)
        continue;
      Transfer sent = inCaller(*transfer, *call.call);
      for (const auto &[array, offset] : sent.items)
        if (!array || !data.find(array, offset, sent.region, state).transfer)
          fail(call.range, printedName(callee) + " is called without what " +
                               printedName(*transfer) + " brings");
    }
  }

  /// A transfer between its DR and its SV.
  struct Open {
    const Transfer *transfer;
    bool isSent = false, hasArrived = false;
    const Array *fluffInUse = nullptr; ///< read or filled since DR
  };

  void points(const StmtList &list) {
    SmallVector<Open, 4> open;
    for (const Stmt *s : list) {
      forEachList(*s, [&](const StmtList &inner) { points(inner); });
      auto *point = dyn_cast<TransferPointStmt>(s);
      auto *loop = dyn_cast<MLoopStmt>(s);
      for (Open &each : open)
        if (loop && is_contained(loop->awaits, each.transfer))
          each.hasArrived = true;
      for (Open &each : open)
        if (!point || point->transfer != each.transfer)
          between(*s, each);
      if (!point || point->transfer->items.empty())
        continue;
      auto its = find_if(open, [&](const Open &each) {
        return each.transfer == point->transfer;
      });
      switch (point->point) {
      case TransferPointStmt::DR:
        open.push_back({point->transfer});
        break;
      case TransferPointStmt::SR:
        its->isSent = true;
        break;
      case TransferPointStmt::DN:
        its->hasArrived = true;
        break;
      case TransferPointStmt::SV:
        open.erase(its);
        break;
      }
    }
  }

  /// \p stmt stands in the same list as the points and belongs to none.
  void between(const Stmt &stmt, Open &open) {
    const Transfer &transfer = *open.transfer;
    std::string name = printedName(transfer);
    if (!mayStandInTransfer(stmt))
      return fail(stmt.range,
                  "this must not stand between dr and sv of " + name);
    TransferUse use = useOf(transfer, stmt, module, procedure, effects);
    if (open.isSent && use.written)
      fail(stmt.range, printedName(*use.written) +
                           " may be written between sr and sv of " + name);
    if (use.moved)
      fail(stmt.range, printedName(*use.moved) +
                           " may get other storage between dr and sv of " +
                           name);
    if (!open.hasArrived && use.setsRegion)
      fail(stmt.range, printedName(*transfer.region) +
                           " may be set between dr and dn of " + name);
    if (open.isSent)
      return;
    if (use.fluff)
      open.fluffInUse = use.fluff;
    if (use.written && open.fluffInUse)
      fail(stmt.range, "the fluff of " + printedName(*open.fluffInUse) +
                           " is in use behind dr of " + name + ", and " +
                           printedName(*use.written) + " is written before sr");
  }

  const Module &module;
  const Procedure &procedure;
  const Effects &effects;
  AvailableData data;
};

} // namespace

bool verifyTransfers(const Module &module, std::string *error,
                     SourceRange *where) {
  Effects effects(module);
  KnownStrides strides(module);
  for (const Procedure *procedure : module.procedures) {
    TransferVerifier verifier(module, *procedure, effects, strides);
    if (verifier.run())
      continue;
    if (error)
      *error = verifier.message;
    if (where)
      *where = verifier.place;
    return false;
  }
  return true;
}

bool hasTransfers(const Module &module) {
  return any_of(module.procedures,
                [](const Procedure *p) { return !p->transfers.empty(); });
}

} // namespace zpl::air
