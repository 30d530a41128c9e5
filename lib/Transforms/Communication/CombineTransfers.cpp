//===- CombineTransfers.cpp - One message for several arrays --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     dr %t  sr %t  dn %t             -- {@A: (0,1)} over @R
//     [@R] @C = @A@(0,1)
//     sv %t
//     dr %t.1  sr %t.1  dn %t.1       -- {@B: (0,1)} over @R
//     [@R] @D = @B@(0,1)
//     sv %t.1
//
// B is final already at the first DR, and both regions have the same value: %t
// becomes {@A: (0,1), @B: (0,1)} and %t.1 goes. What stays of the four points
// is right for both: the later one's data arrive earlier than they must, and
// its arrays, not being written since the first DR, are not written before the
// first SV either.
//
// In each statement list: transfers that a later one may join are those before
// it whose region has the same value and whose DR comes after the last write
// of all its arrays. The nearest is taken. If none will do, the remark says
// what is against the nearest one.
//
// Cost: the analysis, and per transfer the transfers before it in its list.
//
//===----------------------------------------------------------------------===//

#include "Communication/CombineTransfers.h"
#include "Communication/AvailableData.h"
#include "Communication/TransferEdits.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

class TransferCombiner {
public:
  TransferCombiner(Procedure &procedure, const Effects &effects,
                   const KnownStrides &strides, PassContext &context)
      : procedure(procedure), effects(effects), strides(strides),
        context(context) {}

  void run() {
    numberRegions();
    forEachListInside(procedure.body, [&](const StmtList &l) { list(l); });
    for (Transfer *transfer : procedure.transfers)
      mergeItems(*transfer);
    eraseTransfers(procedure, joined);
  }

private:
  /// A write at a place in the list.
  struct Write {
    size_t position;
    SourceRange range;
  };
  struct Earlier {
    Transfer *transfer;
    size_t position; ///< of its DR
  };

  /// The value of each reachable transfer's region at its DR.
  void numberRegions() {
    AvailableData *data = nullptr;
    AvailableData analysis(procedure, effects, strides,
                           [&](const Stmt &stmt, const AvailableState &state) {
                             auto *point = dyn_cast<TransferPointStmt>(&stmt);
                             if (point && point->point == TransferPointStmt::DR)
                               regions[point->transfer] =
                                   data->number(point->transfer->region, state);
                           });
    data = &analysis;
    analysis.run();
  }

  void list(const StmtList &list) {
    std::vector<Earlier> earlier;
    DenseMap<const Array *, Write> lastWrite;
    for (auto [position, stmt] : enumerate(list)) {
      auto *point = dyn_cast<TransferPointStmt>(stmt);
      if (!point) {
        for (const Array *a : effects.writes(procedure, *stmt).arrays)
          lastWrite[a] = {position, stmt->range};
        continue;
      }
      Transfer *transfer = point->transfer;
      if (point->point != TransferPointStmt::DR || !regions.contains(transfer))
        continue;
      if (!join(*transfer, earlier, lastWrite))
        earlier.push_back({transfer, position});
    }
  }

  /// Why \p transfer cannot join \p candidate; empty if it can.
  std::string obstacle(const Transfer &transfer, const Earlier &candidate,
                       const DenseMap<const Array *, Write> &lastWrite) {
    if (regions[&transfer] != regions[candidate.transfer])
      return "that one is over " + otherRegion(*candidate.transfer->region) +
             "; put both statements in one scope";
    for (const auto &[array, offset] : transfer.items) {
      auto written = lastWrite.find(array);
      if (written != lastWrite.end() &&
          written->second.position > candidate.position)
        return sourceName(*array) + " is written in between" +
               context.atLine(written->second.range) +
               "; write it before or after both statements";
    }
    return "";
  }

  bool join(Transfer &transfer, std::vector<Earlier> &earlier,
            const DenseMap<const Array *, Write> &lastWrite) {
    std::string nearest;
    for (const Earlier &candidate : reverse(earlier)) {
      std::string why = obstacle(transfer, candidate, lastWrite);
      if (nearest.empty() && !why.empty())
        nearest = "not combined with the transfer before" +
                  context.atLine(candidate.transfer->range) + ": " + why;
      if (!why.empty())
        continue;
      candidate.transfer->items.append(transfer.items.begin(),
                                       transfer.items.end());
      joined.insert(&transfer);
      context.applied(transfer.range,
                      "combined with an earlier transfer" +
                          context.atLine(candidate.transfer->range));
      return true;
    }
    if (!nearest.empty())
      context.missed(transfer.range, nearest);
    return false;
  }

  Procedure &procedure;
  const Effects &effects;
  const KnownStrides &strides;
  PassContext &context;
  DenseMap<const Transfer *, ValueNumber> regions;
  TransferSet joined;
};

} // namespace

void combineTransfers(Module &module, PassContext &context) {
  Effects effects(module);
  KnownStrides strides(module);
  for (Procedure *procedure : module.procedures)
    if (!procedure->transfers.empty())
      TransferCombiner(*procedure, effects, strides, context).run();
}

} // namespace zpl::air
