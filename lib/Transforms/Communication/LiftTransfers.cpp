//===- LiftTransfers.cpp - Data sent by the callers -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     proc @f(region %R2, array %X, ...)      proc @f(region %R2, array %X,
//     ...)
//       dr %t  sr %t  dn %t                     transfer %t.sent = {%X: (0,1)}
//       [%R2] @B = %X@(0,1)                         over %R2 by callers
//       sv %t                                   [%R2] @B = %X@(0,1)
//
//     for %i ... {                      =>    for %i ... {
//       call @f(region @R, array @A)            dr %t  sr %t  dn %t  sv %t
//     }                                         call @f(region @R, array @A)
//                                             }
//
// The passes that follow see the transfer in the caller: it goes if the data
// are there already, and out of loops that do not write A. In f, what callers
// have sent is there from the beginning (AvailableData.cpp), so a second
// transfer of it goes as well.
//
// A transfer may move in front of all calls if
//
//  - its region and arrays are parameters or global, so that callers have them,
//  - nothing before it in the procedure writes these or returns, so that it
//    would bring the same, and be executed, at each call,
//  - all calls are CallStmts that pass whole arrays.
//
// What the array's checks say is said a little later; a transfer of indices
// that an array does not have brings nothing (docs/ArrayIR.md, section 3).
//
// It is worth it if at one call at least the data are there already, or the
// call stands in a loop that does not write what is sent. Else it stays: in
// the callee it may travel while what stands before is computed.
//
// Callees come before callers, so that a transfer may rise through several.
//
// Cost: per procedure that may give one up, AvailableData for its callers.
//
//===----------------------------------------------------------------------===//

#include "Communication/LiftTransfers.h"
#include "Communication/AvailableData.h"
#include "Communication/TransferEdits.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

using Item = std::pair<Array *, Offset>;

/// A transfer of a callee, and what of it may move.
struct Candidate {
  Transfer *transfer;
  Transfer moved;
};

struct CallSite {
  Procedure *caller;
  const CallStmt *stmt;
  const Stmt *loop; ///< in whose list it stands; null: none
};

class TransferLifter {
public:
  TransferLifter(Module &module, PassContext &context)
      : module(module), context(context), effects(module), strides(module) {
    for (Procedure *procedure : module.procedures) {
      findCalls(*procedure, procedure->body, nullptr);
      forEachStmt(procedure->body, [&](const Stmt &stmt) {
        if (auto *bind = dyn_cast<BindIoStmt>(&stmt); bind && bind->procedure)
          fixed.insert(bind->procedure);
        if (auto *alloc = dyn_cast<AllocArrayStmt>(&stmt))
          hasFollowers |= alloc->follows != nullptr;
      });
    }
    fixed.insert(module.entry);
    fixed.insert(module.initialize);
  }

  void run() {
    for (Procedure *procedure : module.procedures)
      visit(*procedure);
  }

private:
  void findCalls(Procedure &caller, StmtList &list, const Stmt *loop) {
    for (Stmt *stmt : list) {
      if (auto *call = dyn_cast<CallStmt>(stmt))
        sites[call->call->callee].push_back({&caller, call, loop});
      bool isLoop = isa<ForStmt, WhileStmt, RepeatStmt>(stmt);
      forEachList(*stmt, [&](StmtList &inner) {
        findCalls(caller, inner, isLoop ? stmt : nullptr);
      });
    }
  }

  void visit(Procedure &procedure) {
    if (!visited.insert(&procedure).second)
      return;
    forEachStmt(procedure.body, [&](Stmt &stmt) {
      if (auto *call = dyn_cast<CallStmt>(&stmt))
        visit(*call->call->callee);
    });
    if (!fixed.contains(&procedure) && !sites[&procedure].empty())
      for (const Candidate &each : candidates(procedure))
        lift(procedure, each);
  }

  /// Transfers that begin a procedure, with what of them callers have.
  std::vector<Candidate> candidates(const Procedure &callee) {
    std::vector<Candidate> result;
    WriteSet written;
    for (const Stmt *stmt : callee.body) {
      auto *point = dyn_cast<TransferPointStmt>(stmt);
      if (point && point->point == TransferPointStmt::DR) {
        Candidate found{point->transfer, *point->transfer};
        erase_if(found.moved.items, [&](const Item &item) {
          return !isPassed(callee, item.first) ||
                 written.arrays.contains(item.first);
        });
        const Region *region = found.moved.region;
        if (!found.moved.items.empty() && region->storage != Storage::Local &&
            !written.regions.contains(region))
          result.push_back(std::move(found));
      }
      if (leaves(*stmt))
        break;
      written.add(effects.writes(callee, *stmt));
    }
    return result;
  }

  static bool leaves(const Stmt &stmt) {
    bool found = isa<ReturnStmt, HaltStmt>(stmt);
    forEachList(stmt, [&](const StmtList &list) {
      found |= any_of(list, [](const Stmt *inner) { return leaves(*inner); });
    });
    return found;
  }

  /// Whether all callers have the array under a name of their own, and it is
  /// sure to be there: one over a region variable may have no value yet.
  bool isPassed(const Procedure &callee, const Array *array) {
    if (array->storage == Storage::Local || array->family || hasFollowers)
      return false;
    return all_of(sites[&callee], [&](const CallSite &site) {
      const Array *passed = passedFor(array, *site.stmt->call);
      return passed && !passed->family &&
             (passed->storage != Storage::Local || passed->declared);
    });
  }

  /// Why a transfer in front of the call would not be made there each time;
  /// empty if it would.
  std::string gainAt(const CallSite &site, const Transfer &transfer) {
    std::string why;
    AvailableData *data = nullptr;
    AvailableData analysis(
        *site.caller, effects, strides,
        [&](const Stmt &stmt, const AvailableState &state) {
          if (&stmt != site.stmt)
            return;
          bool isThere = all_of(transfer.items, [&](const Item &item) {
            return data->find(item.first, item.second, transfer.region, state)
                       .transfer != nullptr;
          });
          if (isThere)
            why =
                "is there already at a call" + context.atLine(site.stmt->range);
        });
    data = &analysis;
    analysis.run();
    if (!why.empty() || !site.loop)
      return why;
    WriteSet written = effects.writes(*site.caller, *site.loop);
    bool isSame = !written.regions.contains(transfer.region) &&
                  none_of(transfer.items, [&](const Item &item) {
                    return written.arrays.contains(item.first);
                  });
    return isSame ? "stays the same in the loop around a call" +
                        context.atLine(site.loop->range)
                  : "";
  }

  void lift(Procedure &callee, const Candidate &candidate) {
    const Transfer &moved = candidate.moved;
    std::string what = sourceName(*moved.items.front().first), why;
    for (const CallSite &site : sites[&callee])
      if (why.empty())
        why = gainAt(site, inCaller(moved, *site.stmt->call));
    if (why.empty())
      return context.missed(
          moved.range, what + " is sent in each call of '" + callee.sourceName +
                           "': no caller has it already, nor keeps it in "
                           "a loop around the call");
    context.applied(moved.range, what + " is sent by callers of '" +
                                     callee.sourceName + "': it " + why);
    for (const CallSite &site : sites[&callee])
      sendBefore(site, inCaller(moved, *site.stmt->call));
    takeOut(callee, candidate);
  }

  void sendBefore(const CallSite &site, Transfer sent) {
    sent.name = NameAllocator(*site.caller).make("t");
    auto *transfer = module.make<Transfer>(std::move(sent));
    site.caller->transfers.push_back(transfer);
    using Point = TransferPointStmt;
    rewriteStmts(site.caller->body, [&](Stmt *stmt, StmtList &result) {
      if (stmt == site.stmt)
        for (Point::Point p : {Point::DR, Point::SR, Point::DN, Point::SV})
          result.push_back(module.make<Point>(p, transfer, transfer->range));
      result.push_back(stmt);
    });
  }

  /// What the callee has no longer to send.
  void takeOut(Procedure &callee, const Candidate &candidate) {
    Transfer sent = candidate.moved;
    sent.byCallers = true;
    sent.name = NameAllocator(callee).make(sent.name + ".sent");
    callee.transfers.push_back(module.make<Transfer>(std::move(sent)));
    erase_if(candidate.transfer->items, [&](const auto &item) {
      return is_contained(candidate.moved.items, item);
    });
    if (candidate.transfer->items.empty()) {
      TransferSet empty;
      empty.insert(candidate.transfer);
      eraseTransfers(callee, empty);
    }
  }

  Module &module;
  PassContext &context;
  Effects effects;
  KnownStrides strides;
  DenseMap<const Procedure *, SmallVector<CallSite, 4>> sites;
  DenseSet<const Procedure *> fixed, visited;
  bool hasFollowers = false;
};

} // namespace

void liftTransfers(Module &module, PassContext &context) {
  TransferLifter(module, context).run();
}

} // namespace zpl::air
