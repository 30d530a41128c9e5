//===- HoistTransfers.cpp - Data sent before the loop ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for %i = i32 1 to @n by i32 1 {         dr %t  sr %t  dn %t  sv %t
//       dr %t  sr %t  dn %t                   for %i = i32 1 to @n by i32 1 {
//       [@R] @B = fma(@A@(0,1), ...)     =>     [@R] @B = fma(@A@(0,1), ...)
//       sv %t                                 }
//     }
//
// Nothing in the loop writes A, so each iteration brings the same, and what has
// arrived in front of the loop stays. If the loop is not executed the transfer
// was in vain; nobody can tell.
//
// If a transfer is of several arrays, those move that may. Inner loops first,
// so that an item may leave several. Only transfers of the body's own list
// move: what stands under a condition may name arrays that are not there
// otherwise.
//
// Cost: what each loop writes, and its statements.
//
//===----------------------------------------------------------------------===//

#include "Communication/HoistTransfers.h"
#include "Communication/TransferEdits.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

class TransferHoister {
public:
  TransferHoister(Procedure &procedure, Module &module, const Effects &effects,
                  PassContext &context)
      : procedure(procedure), module(module), effects(effects),
        context(context), names(procedure) {}

  void list(StmtList &list) {
    StmtList result;
    for (Stmt *stmt : list) {
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
      if (StmtList *body = bodyOf(*stmt))
        hoist(*stmt, *body, result);
      result.push_back(stmt);
    }
    list = std::move(result);
  }

private:
  static StmtList *bodyOf(Stmt &stmt) {
    if (auto *loop = dyn_cast<ForStmt>(&stmt))
      return &loop->body;
    if (auto *loop = dyn_cast<WhileStmt>(&stmt))
      return &loop->body;
    if (auto *loop = dyn_cast<RepeatStmt>(&stmt))
      return &loop->body;
    return nullptr;
  }

  /// Takes items of transfers out of \p body; \p before gets their points.
  void hoist(const Stmt &loop, StmtList &body, StmtList &before) {
    SmallVector<Transfer *, 4> all;
    for (const Stmt *stmt : body)
      if (auto *point = dyn_cast<TransferPointStmt>(stmt);
          point && point->point == TransferPointStmt::DR)
        all.push_back(point->transfer);
    if (all.empty())
      return;
    WriteSet written = effects.writes(procedure, loop);
    TransferSet empty;
    for (Transfer *transfer : all) {
      Transfer moved = *transfer;
      erase_if(moved.items, [&](const auto &item) {
        return !mayMove(*transfer, *item.first, written, loop);
      });
      if (moved.items.empty())
        continue;
      erase_if(transfer->items, [&](const auto &item) {
        return is_contained(moved.items, item);
      });
      if (transfer->items.empty())
        empty.insert(transfer);
      moved.name = names.make(transfer->name + ".before");
      send(*module.make<Transfer>(std::move(moved)), before);
      context.applied(transfer->range, "sent once, in front of the loop" +
                                           context.atLine(loop.range));
    }
    erase_if(body, [&](const Stmt *stmt) {
      auto *point = dyn_cast<TransferPointStmt>(stmt);
      return point && empty.contains(point->transfer);
    });
    erase_if(procedure.transfers,
             [&](const Transfer *t) { return empty.contains(t); });
  }

  void send(Transfer &transfer, StmtList &before) {
    using Point = TransferPointStmt;
    procedure.transfers.push_back(&transfer);
    for (Point::Point p : {Point::DR, Point::SR, Point::DN, Point::SV})
      before.push_back(module.make<Point>(p, &transfer, transfer.range));
  }

  bool mayMove(const Transfer &transfer, const Array &array,
               const WriteSet &written, const Stmt &loop) {
    bool isWritten = written.arrays.contains(&array);
    bool isSet = written.regions.contains(transfer.region);
    if (isWritten || isSet)
      context.missed(
          transfer.range,
          sourceName(array) + " is sent in each iteration of the loop" +
              context.atLine(loop.range) + ": " +
              (isWritten ? sourceName(array) + " is written in it"
                         : sourceName(*transfer.region) +
                               " is set in it; set it before the loop"));
    return !isWritten && !isSet && effects.isThere(array);
  }

  Procedure &procedure;
  Module &module;
  const Effects &effects;
  PassContext &context;
  NameAllocator names;
};

} // namespace

void hoistTransfers(Module &module, PassContext &context) {
  Effects effects(module);
  for (Procedure *procedure : module.procedures)
    if (!procedure->transfers.empty())
      TransferHoister(*procedure, module, effects, context)
          .list(procedure->body);
}

} // namespace zpl::air
