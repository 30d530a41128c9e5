//===- RemoveRedundantTransfers.cpp - Data sent once ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     dr %t  sr %t  dn %t             -- {@A: (0,1)} over @R
//     [@R] @B = @A@(0,1)
//     sv %t
//     dr %t.1  sr %t.1  dn %t.1       -- {@A: (0,1) (0,-1)} over @R
//     [@R] @C = sub(@A@(0,1), @A@(0,-1))
//     sv %t.1
//
// The second transfer needs to send only (0,-1). An item is redundant if it is
// present (AvailableData.h) at its SR: what would be sent is what is there.
// Removing it leaves the same data present from then on, so the decisions can
// all be made in the one walk of the analysis and carried out afterwards.
//
// Each item that had a chance, because it was transferred before, gives a
// remark: removed, or why not.
//
// Cost: that of the analysis.
//
//===----------------------------------------------------------------------===//

#include "Communication/RemoveRedundantTransfers.h"
#include "Communication/AvailableData.h"
#include "Communication/TransferEdits.h"

using namespace llvm;

namespace zpl::air {
namespace {

class RedundantTransfers {
public:
  RedundantTransfers(Procedure &procedure, const Effects &effects,
                     const KnownStrides &strides, PassContext &context)
      : procedure(procedure), context(context),
        data(procedure, effects, strides,
             [this](const Stmt &stmt, const AvailableState &state) {
               auto *point = dyn_cast<TransferPointStmt>(&stmt);
               if (point && point->point == TransferPointStmt::SR)
                 decide(*point->transfer, state);
             }) {}

  void run() {
    data.run();
    TransferSet empty;
    for (auto &[transfer, kept] : decisions) {
      transfer->items = std::move(kept);
      if (transfer->items.empty())
        empty.insert(transfer);
    }
    context.count("transfers", empty.size());
    eraseTransfers(procedure, empty);
  }

private:
  void decide(Transfer &transfer, const AvailableState &state) {
    decltype(transfer.items) kept;
    for (const auto &item : transfer.items) {
      const auto &[array, offset] = item;
      auto answer = data.find(array, offset, transfer.region, state);
      std::string what = designator(*array, offset);
      if (answer.transfer) {
        context.applied(transfer.range,
                        what +
                            " is not sent again: it has been there since an "
                            "earlier transfer" +
                            context.atLine(answer.transfer->range));
        continue;
      }
      kept.push_back(item);
      if (!answer.why.empty())
        context.missed(transfer.range,
                       what + " is sent again: " +
                           withPlace(answer.why, context.atLine(answer.where)));
    }
    if (kept.size() < transfer.items.size())
      decisions.push_back({&transfer, std::move(kept)});
  }

  Procedure &procedure;
  PassContext &context;
  AvailableData data;
  std::vector<std::pair<Transfer *, decltype(Transfer::items)>> decisions;
};

} // namespace

void removeRedundantTransfers(Module &module, PassContext &context) {
  Effects effects(module);
  KnownStrides strides(module);
  for (Procedure *procedure : module.procedures)
    if (!procedure->transfers.empty())
      RedundantTransfers(*procedure, effects, strides, context).run();
}

} // namespace zpl::air
