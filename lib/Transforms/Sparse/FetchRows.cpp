//===- FetchRows.cpp - Sparse arrays in dense loops -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] D := A + B;                   A: [S], sparse;  S = R where ...
//
// A dense loop reads the elements of a sparse array where there are any, and the
// implicitly replicated value elsewhere: a dense copy of A, made before, is
// written to memory and read from there, and may be much larger than A. But a
// loop needs one row of the copy at a time:
//
//     mloop @R {                        array %T : f64 <.., ..> lines (1, _)
//       store @D = add(%T, @B)                       rows of @A
//     }
//
// So %T becomes a contracted array of one row, which stays in the cache. Where
// the loop comes to a row the run time fills it with the replicated value and
// the elements that are stored (zrtA_fetch_row). The innermost loop keeps its
// form, with all that other passes have made of it. (The dissertation, 6.6.3,
// takes loops apart at stored indices instead; they would be as many pieces as
// there are elements.)
//
// The fetch moves from before the loops into them. That is right if no statement
// between writes A or its pattern, the loops included, and nothing else names
// the copy.
//
// Cost: two visits of a procedure, and one of a list per fetch.
//
//===----------------------------------------------------------------------===//

#include "Sparse/FetchRows.h"
#include "Communication/TransferEdits.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Lets.h"
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

bool hasIndicesOnly(const Region &region) {
  return !region.isSparse && !isScattered(region) && region.rank() > 1 &&
         all_of(region.shape, [](DimKind k) { return k == DimKind::Range; });
}

/// Why \p fetch cannot be made row by row, or "".
std::string obstacle(const FetchStmt &fetch) {
  const Array &source = *fetch.source;
  if (!fetch.direction.empty() || source.domain != fetch.region->domain)
    return "it is read at another index";
  if (!hasIndicesOnly(*fetch.region))
    return "the region has one dimension, strides or scattered indices";
  if (!source.element.isInteger() && !source.element.isFloat() &&
      !source.element.isComplex())
    return "its elements are no numbers";
  return "";
}

/// Why the loop cannot take the copy row by row, or "".
std::string obstacle(const MLoopStmt &loop, const Array &copy) {
  const LoopLevel *inner = innermostLevel(loop);
  if (!hasIndicesOnly(*loop.region) || !inner || inner->down ||
      inner->dim + 1 != loop.region->rank())
    return "the loop does not go along rows";
  if (isInBlocks(loop) || loop.rows > 1 || loop.times || !loop.walkers.empty())
    return "the loop works on several rows at a time";
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

class RowFetcher {
public:
  RowFetcher(Module &module, Procedure &procedure, PassContext &context)
      : module(module), procedure(procedure), context(context), effects(module),
        counts(countNames(procedure)), names(procedure) {}

  void run() {
    list(procedure.body);
    removeOld();
  }

private:
  void list(StmtList &list) {
    for (size_t i = 0; i < list.size(); ++i) {
      // Tiles of a wave or of loops in turn take their rows by themselves.
      if (!isa<WaveStmt, InterleaveStmt>(list[i]))
        forEachList(*list[i], [&](StmtList &inner) { this->list(inner); });
      if (auto *fetch = dyn_cast<FetchStmt>(list[i]))
        replace(*fetch, ArrayRef(list).drop_front(i + 1));
    }
  }

  void replace(FetchStmt &fetch, ArrayRef<Stmt *> behind) {
    const Array &copy = *fetch.target;
    if (copy.isSparse || copy.storage != Storage::Local)
      return;
    SmallVector<MLoopStmt *, 2> loops;
    std::string why = findLoops(fetch, behind, loops);
    std::string name = sourceName(*fetch.source);
    if (!why.empty())
      return context.missed(fetch.range,
                            name + " is copied before it is read: " + why);
    for (MLoopStmt *loop : loops)
      readRows(*loop, fetch);
    gone.push_back(&copy);
    context.count("copies");
    context.applied(fetch.range, name + " is fetched row by row");
  }

  /// The loops that read the copy. Why it cannot go, or "".
  std::string findLoops(const FetchStmt &fetch, ArrayRef<Stmt *> behind,
                        SmallVectorImpl<MLoopStmt *> &loops) {
    const Array &copy = *fetch.target, &source = *fetch.source;
    if (std::string why = obstacle(fetch); !why.empty())
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
      if (std::string why = obstacle(*loop, copy); !why.empty())
        return why;
      left -= names;
      loops.push_back(loop);
    }
    return left == 0 && !loops.empty() ? ""
                                       : "the copy is used outside of loops";
  }

  /// Lets \p loop read rows of what the fetch fetches.
  void readRows(MLoopStmt &loop, const FetchStmt &fetch) {
    auto *row = module.make<Array>();
    row->name = names.make(fetch.target->name);
    row->text = fetch.source->text;
    row->element = fetch.target->element;
    row->shape = loop.region->shape;
    row->domain = loop.region->domain;
    row->lines.assign(row->rank(), 1);
    row->lines.back() = AllLines;
    row->fetched = fetch.source;
    row->range = fetch.target->range;
    procedure.arrays.push_back(row);
    ExprRewriter rewriter(module, [&](const Expr *leaf) -> const Expr * {
      auto *element = dyn_cast<ElementExpr>(leaf);
      if (!element || element->array != fetch.target)
        return leaf;
      return module.make<ElementExpr>(row, element->offset, element->range);
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
  Effects effects;
  Counts counts;
  NameAllocator names;
  SmallVector<const Array *, 4> gone;
};

} // namespace

void fetchRows(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures) {
    bool fetches = false;
    forEachStmt(procedure->body,
                [&](const Stmt &stmt) { fetches |= isa<FetchStmt>(stmt); });
    if (fetches)
      RowFetcher(module, *procedure, context).run();
  }
}

} // namespace zpl::air
