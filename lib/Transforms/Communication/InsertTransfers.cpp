//===- InsertTransfers.cpp - Communication made explicit ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simplest communication that is right: directly before a statement, all
// shifted elements that it reads arrive, over its own region.
//
//     [@R] @B = add(@A@(0,1), @A@(0,-1))
//
// becomes
//
//     transfer %t = {@A: (0,1) (0,-1)} over @R
//     dr %t
//     sr %t
//     dn %t
//     [@R] @B = add(@A@(0,1), @A@(0,-1))
//     sv %t
//
// A wave is one statement here: it gets what it reads of the time before it,
// at primed offsets as well, where its region ends. It stores what it sends, so
// SV comes before it.
//
// One transfer per statement, so one message per neighbour however many
// directions and arrays the statement reads. Fewer, larger and earlier
// transfers are for later passes. SV comes after the statement, where it costs
// nothing: the statement does not write what it sends. Where that is not plain
// to see, as of two members of a family, SV comes before it.
//
// Cost: one visit of each expression, one look at what each statement writes.
//
//===----------------------------------------------------------------------===//

#include "Communication/InsertTransfers.h"
#include "Communication/TransferEdits.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

/// The transfer of what the statement reads at other indices; null if nothing.
static Transfer *transferFor(const Stmt &stmt, Module &module,
                             NameAllocator &names) {
  Transfer transfer;
  auto *wave = dyn_cast<WaveStmt>(&stmt);
  forEachExpr(wave ? wave->loop() : stmt, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (element && element->isShifted() && !element->array->isSparse)
      transfer.items.push_back({element->array, element->offset});
  });
  if (transfer.items.empty())
    return nullptr;
  mergeItems(transfer);
  transfer.name = names.make("t");
  transfer.region = wave ? wave->region : elementRegion(stmt);
  transfer.range = stmt.range;
  return module.make<Transfer>(std::move(transfer));
}

/// Whether \p stmt may store into what \p transfer sends.
static bool mayStore(const Procedure &procedure, const Effects &effects,
                     const Stmt &stmt, const Transfer &transfer) {
  if (isa<WaveStmt>(&stmt))
    return true;
  WriteSet written = effects.writes(procedure, stmt);
  return any_of(transfer.items, [&](const auto &item) {
    return written.arrays.contains(item.first);
  });
}

static void insertInto(Procedure &procedure, Module &module,
                       const Effects &effects, PassContext &context) {
  NameAllocator names(procedure);
  rewriteStmts(procedure.body, [&](Stmt *stmt, StmtList &result) {
    // M-loops stand in waves only.
    bool reads =
        isa<WaveStmt>(stmt) || (elementRegion(*stmt) && !isa<MLoopStmt>(stmt));
    Transfer *transfer = reads ? transferFor(*stmt, module, names) : nullptr;
    if (!transfer) {
      result.push_back(stmt);
      return;
    }
    auto point = [&](TransferPointStmt::Point p) {
      result.push_back(
          module.make<TransferPointStmt>(p, transfer, stmt->range));
    };
    procedure.transfers.push_back(transfer);
    context.count("transfers");
    context.count("items", transfer->items.size());
    point(TransferPointStmt::DR);
    point(TransferPointStmt::SR);
    point(TransferPointStmt::DN);
    bool isLast = !mayStore(procedure, effects, *stmt, *transfer);
    if (isLast)
      result.push_back(stmt);
    point(TransferPointStmt::SV);
    if (!isLast)
      result.push_back(stmt);
  });
}

void insertTransfers(Module &module, PassContext &context) {
  Effects effects(module);
  for (Procedure *procedure : module.procedures)
    insertInto(*procedure, module, effects, context);
}

} // namespace zpl::air
