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
// The second check is between the points: from SR to SV the arrays are being
// read by other processors, from DR to DN the region must be the one that DR
// has seen.
//
//===----------------------------------------------------------------------===//

#include "zpl/Transforms/VerifyTransfers.h"
#include "AvailableData.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace zpl::air {
namespace {

class TransferVerifier {
public:
  TransferVerifier(const Procedure &procedure, const Effects &effects)
      : procedure(procedure), effects(effects),
        data(procedure, effects,
             [this](const Stmt &stmt, const AvailableState &state) {
               if (message.empty() && elementRegion(stmt))
                 elements(stmt, state);
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
    forEachExpr(stmt, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (!element || !element->isShifted() || element->array->isContracted())
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

  void points(const StmtList &list) {
    SmallVector<const Transfer *, 4> sending, planning;
    for (const Stmt *s : list) {
      forEachList(*s, [&](const StmtList &inner) { points(inner); });
      auto *point = dyn_cast<TransferPointStmt>(s);
      if (!point) {
        if (!sending.empty() || !planning.empty())
          between(*s, sending, planning);
        continue;
      }
      switch (point->point) {
      case TransferPointStmt::DR:
        planning.push_back(point->transfer);
        break;
      case TransferPointStmt::SR:
        sending.push_back(point->transfer);
        break;
      case TransferPointStmt::DN:
        erase(planning, point->transfer);
        break;
      case TransferPointStmt::SV:
        erase(sending, point->transfer);
        break;
      }
    }
  }

  void between(const Stmt &stmt, ArrayRef<const Transfer *> sending,
               ArrayRef<const Transfer *> planning) {
    WriteSet written = effects.writes(procedure, stmt);
    for (const Transfer *t : sending)
      for (const auto &[array, offset] : t->items)
        if (written.arrays.contains(array))
          fail(stmt.range, printedName(*array) + " may be written between sr " +
                               "and sv of " + printedName(*t));
    // Its storage may move.
    auto *shift = dyn_cast<ShiftStmt>(&stmt);
    for (const Transfer *t : concat<const Transfer *const>(sending, planning))
      for (const auto &[array, offset] : t->items)
        if (shift && shift->source == array)
          fail(stmt.range, printedName(*array) + " is shifted between dr and " +
                               "sv of " + printedName(*t));
    for (const Transfer *t : planning)
      if (written.regions.contains(t->region))
        fail(stmt.range, printedName(*t->region) + " may be set between dr " +
                             "and dn of " + printedName(*t));
  }

  const Procedure &procedure;
  const Effects &effects;
  AvailableData data;
};

} // namespace

bool verifyTransfers(const Module &module, std::string *error,
                     SourceRange *where) {
  Effects effects(module);
  for (const Procedure *procedure : module.procedures) {
    TransferVerifier verifier(*procedure, effects);
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
