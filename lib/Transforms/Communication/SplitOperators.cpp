//===- SplitOperators.cpp - Floods and scans in two phases ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R { store @B = ... }            region %s = [_, @k] from @R
//     region %s = [_, @k] from @R            check read @A over %s
//     check read @A over %s                  flood-begin %T = @A from %s
//     flood %T = @A from %s             =>   mloop @R { store @B = ... }
//     mloop @R { store @D = @E }             mloop @R { store @D = @E }
//     mloop @R { store @C = mul(%T, @C) }    flood-end %T
//                                            mloop @R { store @C = mul(%T, @C)
//                                            }
//
//  1. From the top of a list, each operator begins as early as it can: it and
//     what prepares it (regions, `alloc`, checks directly before it) move up
//     over statements that write nothing these mention, under any name or as
//     the lender of its storage, wait for no views that they mention, and
//     mention nothing that these make. No check,
//     no region and no call is passed, so checks keep their order; and no
//     shift of what an operator reads, which may give that other storage.
//  2. From the bottom, each ends as late as it can: before what mentions its
//     result, may write or shift what it reads, or calls a procedure.
//
// Both stop at the farthest statement on their way that takes time; if there is
// none in either direction the operator stays whole.
//
// Cost: per operator the statements that are passed, and their effects.
//
//===----------------------------------------------------------------------===//

#include "Communication/SplitOperators.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/Analysis/Overlap.h"
#include "zpl/Analysis/StorageAliases.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace zpl::air {
namespace {

bool isPreparation(const Stmt &stmt) {
  return isa<SetRegionStmt, CheckStmt, AllocArrayStmt>(stmt);
}

/// The result of an operator that can be split; null of other statements.
Array *resultOf(const Stmt &stmt) {
  Array *result = nullptr;
  if (auto *flood = dyn_cast<FloodStmt>(&stmt))
    result = flood->times || flood->begins ? nullptr : flood->target;
  else if (auto *scan = dyn_cast<ScanStmt>(&stmt))
    result = scan->with || scan->begins ? nullptr : scan->target;
  bool isOwn = result && result->storage == Storage::Local && !result->family;
  return isOwn ? result : nullptr;
}

void setBegins(Stmt &op, bool begins) {
  if (auto *flood = dyn_cast<FloodStmt>(&op))
    flood->begins = begins;
  else
    cast<ScanStmt>(op).begins = begins;
}

/// Whether computing or waiting happens there that others need not wait for.
bool isWork(const Stmt &stmt) {
  auto *flood = dyn_cast<FloodStmt>(&stmt);
  auto *scan = dyn_cast<ScanStmt>(&stmt);
  bool isPart = isa<OperatorEndStmt>(stmt) || (flood && flood->begins) ||
                (scan && scan->begins);
  return takesTime(stmt) && !isPart;
}

bool mentions(const Stmt &stmt, const Array *array) {
  bool found = false;
  forEachArray(stmt, [&](const Array &other) { found |= &other == array; });
  return found;
}

bool mentions(const Stmt &stmt, const Region *region) {
  auto *point = dyn_cast<TransferPointStmt>(&stmt);
  bool found = point && point->transfer->region == region;
  forEachOperand(stmt, [&](const Operand &operand) {
    found |= operand.as<Region *>() == region;
  });
  forEachExpr(stmt, [&](const Expr &e) {
    auto *bound = dyn_cast<BoundExpr>(&e);
    found |= bound && bound->region == region;
  });
  return found;
}

class OperatorSplitter {
public:
  OperatorSplitter(Module &module, const Procedure &procedure,
                   const Effects &effects, PassContext &context)
      : module(module), procedure(procedure), effects(effects),
        aliases(module, procedure), context(context) {
    forEachStmt(procedure.body, [&](const Stmt &stmt) {
      auto *shift = dyn_cast<ShiftStmt>(&stmt);
      if (shift && shift->sends)
        sent[shift->sends] = shift;
    });
  }

  void list(StmtList &list) {
    SmallVector<Split, 4> splits;
    for (size_t i = 0; i < list.size(); ++i)
      if (resultOf(*list[i]))
        begin(splits.emplace_back(Split{list[i]}), list, i);
    for (Split &split : reverse(splits))
      end(split, list);
    for (const Split &split : splits)
      report(split);
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  struct Split {
    Stmt *op;
    const Stmt *before = nullptr; ///< work that the begin came in front of
    const Stmt *after = nullptr;  ///< that the end came after
    OperatorEndStmt *end = nullptr;
  };

  /// Moves the operator at \p i up with its preparations, and leaves its end
  /// where it was.
  void begin(Split &split, StmtList &list, size_t i) {
    Array *result = resultOf(*split.op);
    split.end = module.make<OperatorEndStmt>(result, isa<ScanStmt>(*split.op),
                                             split.op->range);
    list.insert(list.begin() + i + 1, split.end);
    size_t first = i;
    while (first > 0 && isPreparation(*list[first - 1]))
      --first;
    ArrayRef<Stmt *> moved(list.data() + first, i + 1 - first);
    size_t to = first;
    for (size_t k = first; k > 0 && mayBePassed(*list[k - 1], moved); --k)
      if (isWork(*list[k - 1])) {
        to = k - 1;
        split.before = list[k - 1];
      }
    std::rotate(list.begin() + to, list.begin() + first, list.begin() + i + 1);
    setBegins(*split.op, true);
  }

  /// Moves the end down; makes the operator whole again if there is no use in
  /// its being split.
  void end(Split &split, StmtList &list) {
    auto at = find(list, split.end);
    auto to = at;
    for (auto next = at + 1;
         next != list.end() && mayStandBetween(**next, split); ++next)
      if (isWork(**next)) {
        to = next;
        split.after = *next;
      }
    if (split.before || split.after) {
      std::rotate(at, at + 1, to + 1);
      return;
    }
    list.erase(at);
    setBegins(*split.op, false);
  }

  void report(const Split &split) {
    auto *flood = dyn_cast<FloodStmt>(split.op);
    const std::string &of =
        flood ? flood->source->text : cast<ScanStmt>(split.op)->source->text;
    std::string what =
        (flood ? "the flood" : "the scan") + (of.empty() ? "" : " of " + of);
    if (!split.before && !split.after) {
      context.missed(split.op->range,
                     what + " is not split: nothing is computed between what "
                            "it needs and what needs it; put statements there "
                            "that have to do with neither");
      return;
    }
    if (split.before)
      context.applied(split.op->range, what + " begins before what precedes" +
                                           context.atLine(split.before->range));
    if (split.after)
      context.applied(split.op->range,
                      what + " is waited for behind what follows" +
                          context.atLine(split.after->range));
    context.count("operators");
  }

  /// Whether \p stmt writes an array that \p other mentions, or one that lends
  /// it its storage, or a variable in its expressions.
  bool writesFor(const Stmt &stmt, const Stmt &other) const {
    WriteSet written = effects.writes(procedure, stmt);
    bool found = false;
    forEachArray(other, [&](const Array &array) {
      found |= aliases.mayHold(written.arrays, &array);
    });
    forEachExpr(other, [&](const Expr &e) {
      auto *variable = dyn_cast<VarExpr>(&e);
      found |= variable && written.variables.contains(variable->variable);
    });
    return found;
  }

  /// Whether a shift in \p stmt may give other storage to an array that \p
  /// other mentions: views need more room than it has.
  bool movesFor(const Stmt &stmt, const Stmt &other) const {
    DenseSet<const Array *> shifted;
    auto look = [&](const Stmt &s) {
      if (auto *shift = dyn_cast<ShiftStmt>(&s))
        shifted.insert(shift->source);
    };
    look(stmt);
    forEachList(stmt, [&](const StmtList &inner) { forEachStmt(inner, look); });
    bool found = false;
    forEachArray(other, [&](const Array &array) {
      found |= aliases.mayHold(shifted, &array);
    });
    return found;
  }

  /// Whether \p stmt waits for elements of views that \p other mentions.
  bool waitsFor(const Stmt &stmt, const Stmt &other) const {
    SmallVector<const Transfer *, 2> awaited;
    if (auto *loop = dyn_cast<MLoopStmt>(&stmt))
      awaited.append(loop->awaits.begin(), loop->awaits.end());
    else if (auto *point = dyn_cast<TransferPointStmt>(&stmt))
      awaited.push_back(point->transfer);
    return any_of(awaited, [&](const Transfer *transfer) {
      const ShiftStmt *shift = sent.lookup(transfer);
      return shift && any_of(shift->views, [&](const ShiftView &view) {
               return mentions(other, view.target);
             });
    });
  }

  /// Upward: M-loops, communication, and what ends the life of an array.
  bool mayBePassed(const Stmt &stmt, ArrayRef<Stmt *> moved) const {
    if (!isa<MLoopStmt, TransferPointStmt, CombineStmt, FreeArrayStmt,
             ShiftStmt, FloodStmt, ScanStmt, OperatorEndStmt>(stmt) ||
        callsProcedure(stmt))
      return false;
    return none_of(moved, [&](const Stmt *other) {
      auto *set = dyn_cast<SetRegionStmt>(other);
      auto *alloc = dyn_cast<AllocArrayStmt>(other);
      auto *result = resultOf(*other);
      return writesFor(stmt, *other) || waitsFor(stmt, *other) ||
             (set && mentions(stmt, set->target)) ||
             (alloc && mentions(stmt, alloc->array)) ||
             (result && (mentions(stmt, result) || movesFor(stmt, *other)));
    });
  }

  bool mayStandBetween(const Stmt &stmt, const Split &split) const {
    return mayStandInSplit(stmt) && !callsProcedure(stmt) &&
           !mentions(stmt, split.end->target) && !writesFor(stmt, *split.op) &&
           !movesFor(stmt, *split.op);
  }

  Module &module;
  const Procedure &procedure;
  const Effects &effects;
  StorageAliases aliases;
  PassContext &context;
  DenseMap<const Transfer *, const ShiftStmt *> sent; ///< whose views travel
};

} // namespace

void splitOperators(Module &module, PassContext &context) {
  Effects effects(module);
  for (Procedure *procedure : module.procedures)
    OperatorSplitter(module, *procedure, effects, context)
        .list(procedure->body);
}

} // namespace zpl::air
