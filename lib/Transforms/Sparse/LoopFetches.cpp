//===- LoopFetches.cpp - Fetches that move into loops ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     fetch %T = @A over @R             what loops read of A
//     mloop @R {                        array %T.1 ... of @A
//       store @D = add(%T, @B)     =>   mloop @R {
//     }                                   store @D = add(%T.1, @B)
//     free %T                           }
//
// is right if no statement between the fetch and the last loop writes A or its
// pattern, the loops included, and nothing but loops names the copy.
//
// Cost: two visits of a procedure, and one of a list per fetch.
//
//===----------------------------------------------------------------------===//

#include "Sparse/LoopFetches.h"
#include "Communication/TransferEdits.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace llvm;

namespace zpl::air {

namespace {

/// How often the statements of a procedure name its arrays, `alloc` and `free`
/// left out.
using Counts = DenseMap<const Array *, unsigned>;

Counts countNames(const Procedure &procedure) {
  Counts counts;
  forEachStmt(procedure.body, [&](const Stmt &stmt) {
    if (!isa<AllocArrayStmt, FreeArrayStmt>(stmt))
      forEachArray(stmt, [&](const Array &array) { ++counts[&array]; });
  });
  for (const Transfer *transfer : procedure.transfers)
    for (const auto &item : transfer->items)
      ++counts[item.first];
  return counts;
}

unsigned countNames(const Stmt &stmt, const Array &array) {
  unsigned count = 0;
  forEachArray(stmt, [&](const Array &named) { count += &named == &array; });
  return count;
}

class FetchMover {
public:
  FetchMover(Module &module, Procedure &procedure, PassContext &context,
             const LoopFetcher &fetcher)
      : module(module), procedure(procedure), context(context),
        fetcher(fetcher), effects(module), counts(countNames(procedure)),
        names(procedure) {}

  void run() {
    list(procedure.body);
    removeOld();
  }

private:
  void list(StmtList &list) {
    for (size_t i = 0; i < list.size(); ++i) {
      // Tiles of a wave or of loops in turn take their rows by themselves.
      if (!isa<WaveStmt, InterleaveStmt, StripsStmt>(list[i]))
        forEachList(*list[i], [&](StmtList &inner) { this->list(inner); });
      if (auto *fetch = dyn_cast<FetchStmt>(list[i]))
        replace(*fetch, ArrayRef(list).drop_front(i + 1));
    }
  }

  void replace(FetchStmt &fetch, ArrayRef<Stmt *> behind) {
    const Array &copy = *fetch.target;
    if (copy.storage != Storage::Local || !fetcher.concerns(fetch))
      return;
    SmallVector<MLoopStmt *, 2> loops;
    std::string why = findLoops(fetch, behind, loops);
    std::string name = sourceName(*fetch.source);
    if (!why.empty())
      return context.missed(fetch.range, name + fetcher.refused() + ": " + why);
    for (MLoopStmt *loop : loops)
      readInLoop(*loop, fetch);
    gone.push_back(&copy);
    context.count("copies");
    context.applied(fetch.range, name + fetcher.done());
  }

  /// The loops that read the copy. Why it cannot go, or "".
  std::string findLoops(const FetchStmt &fetch, ArrayRef<Stmt *> behind,
                        SmallVectorImpl<MLoopStmt *> &loops) {
    const Array &copy = *fetch.target, &source = *fetch.source;
    if (std::string why = fetcher.obstacle(fetch); !why.empty())
      return why;
    unsigned left = counts.lookup(&copy) - 1;
    for (Stmt *stmt : behind) {
      if (left == 0)
        break;
      WriteSet writes = effects.writes(procedure, *stmt);
      if (writes.arrays.contains(&source) || writes.reallocates ||
          any_of(writes.regions, [](const Region *r) { return r->isSparse; }))
        return sourceName(source) + " is written before all is read";
      unsigned names = countNames(*stmt, copy);
      if (names == 0 || isa<FreeArrayStmt>(stmt))
        continue;
      auto *loop = dyn_cast<MLoopStmt>(stmt);
      if (!loop)
        return "the copy is used outside of loops";
      if (std::string why = fetcher.obstacle(*loop, fetch); !why.empty())
        return why;
      left -= names;
      loops.push_back(loop);
    }
    return left == 0 && !loops.empty() ? ""
                                       : "the copy is used outside of loops";
  }

  /// Lets \p loop fetch by itself.
  void readInLoop(MLoopStmt &loop, const FetchStmt &fetch) {
    auto *read = module.make<Array>();
    read->name = names.make(fetch.target->name);
    read->text = fetch.source->text;
    read->element = fetch.target->element;
    read->shape = loop.region->shape;
    read->domain = loop.region->domain;
    read->lines = fetcher.linesFor(fetch);
    read->fetched = fetch.source;
    read->range = fetch.target->range;
    procedure.arrays.push_back(read);
    ExprRewriter rewriter(module, [&](const Expr *leaf) -> const Expr * {
      auto *element = dyn_cast<ElementExpr>(leaf);
      if (!element || element->array != fetch.target)
        return leaf;
      return module.make<ElementExpr>(read, element->offset, element->range);
    });
    for (ElementOp &op : loop.body)
      for (const Expr **expr : {&op.target, &op.value, &op.guard})
        if (*expr)
          *expr = rewriter.rewrite(*expr);
  }

  /// Takes the copies that nobody reads any more out of the procedure.
  void removeOld() {
    auto isGone = [&](const Array *array) { return is_contained(gone, array); };
    erase_if(procedure.arrays, isGone);
    rewriteStmts(procedure.body, [&](Stmt *stmt, StmtList &result) {
      auto *alloc = dyn_cast<AllocArrayStmt>(stmt);
      auto *free = dyn_cast<FreeArrayStmt>(stmt);
      auto *fetch = dyn_cast<FetchStmt>(stmt);
      if (!(alloc && isGone(alloc->array)) && !(free && isGone(free->array)) &&
          !(fetch && isGone(fetch->target)))
        result.push_back(stmt);
    });
  }

  Module &module;
  Procedure &procedure;
  PassContext &context;
  const LoopFetcher &fetcher;
  Effects effects;
  Counts counts;
  NameAllocator names;
  SmallVector<const Array *, 4> gone;
};

} // namespace

std::string obstacleToReading(const MLoopStmt &loop, const Array &copy) {
  std::string why;
  std::optional<unsigned> delay;
  for (const ElementOp &op : loop.body) {
    const ElementExpr *target = op.target ? rootElement(op.target) : nullptr;
    forEachExpr(op, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (!element || element->array != &copy)
        return;
      if (element->isShifted())
        why = "it is read at another index";
      if (element == target || op.kind == ElementOp::Call ||
          !op.carries.empty() || delay.value_or(op.delay) != op.delay)
        why = "the loop does more than read its elements";
      delay = op.delay;
    });
  }
  return why;
}

void fetchInLoops(Module &module, PassContext &context,
                  const LoopFetcher &fetcher) {
  for (Procedure *procedure : module.procedures) {
    bool fetches = false;
    forEachStmt(procedure->body,
                [&](const Stmt &stmt) { fetches |= isa<FetchStmt>(stmt); });
    if (fetches)
      FetchMover(module, *procedure, context, fetcher).run();
  }
}

} // namespace zpl::air
