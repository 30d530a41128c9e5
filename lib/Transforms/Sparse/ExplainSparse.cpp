//===- ExplainSparse.cpp - How sparse regions are kept --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The run keeps patterns in compressed rows, and adds to that what is asked for:
//
//     [S] A := A * F;              along rows, or all positions
//     [Column] Y := +<<[S] A;      sums of rows: of rows of one shape, bands, it
//                                  takes several side by side
//     [Row] X := +<<[S] A;         sums of columns: along rows all the same
//     [S] [ , j] A := 0;           single columns: a directory of columns, made
//     [1..n, j] x := +<< A;        at the second one (runtime, ColumnDirectory)
//     V := A#[I, J];               elements: by bisection
//
// (The dissertation, 6.4.3, chooses between representations by the same
// traversals.) What is remarked is that, with the first place of each.
//
//===----------------------------------------------------------------------===//

#include "Sparse/ExplainSparse.h"
#include "Communication/TransferEdits.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// Where the program first does each; invalid: it does not.
struct Traversals {
  SourceRange rows, columns, rowSums, columnSums, elements;
};

class SparseExplainer {
public:
  SparseExplainer(const Module &module, PassContext &context)
      : module(module), context(context) {}

  void run() {
    for (const Array *array : module.arrays)
      note(*array);
    for (const Procedure *procedure : module.procedures)
      for (const Array *array : procedure->arrays)
        note(*array);
    for (const Procedure *procedure : module.procedures)
      forEachStmt(procedure->body, [&](const Stmt &stmt) { visit(stmt); });
    for (const auto &[region, found] : regions)
      explain(*region, found);
  }

private:
  /// The region is one that the program declares arrays over.
  void note(const Array &array) {
    if (array.isSparse && array.declared && !array.declared->isTemporary &&
        !array.declared->text.empty() && !array.text.empty())
      regions.insert({array.declared, {}});
  }

  void mark(const Region *region, SourceRange Traversals::*what,
            SourceRange range) {
    auto it = region ? regions.find(region) : regions.end();
    if (it != regions.end() && !(it->second.*what).isValid())
      it->second.*what = range;
  }

  void visit(const Stmt &stmt) {
    if (auto *assign = dyn_cast<ArrayAssignStmt>(&stmt))
      mark(assign->region, &Traversals::rows, stmt.range);
    else if (auto *reduce = dyn_cast<ReduceStmt>(&stmt))
      mark(reduce->region, &Traversals::rows, stmt.range);
    else if (auto *call = dyn_cast<ElementCallStmt>(&stmt))
      mark(call->region, &Traversals::rows, stmt.range);
    else if (auto *reduce = dyn_cast<ReduceArrayStmt>(&stmt))
      partial(*reduce);
    else if (auto *set = dyn_cast<SetRegionStmt>(&stmt))
      open(*set);
    else if (auto *fetch = dyn_cast<FetchStmt>(&stmt))
      move(*fetch->source, *fetch->region, stmt.range);
    else if (auto *store = dyn_cast<StoreStmt>(&stmt))
      move(*store->target, *store->region, stmt.range);
    else if (auto *gather = dyn_cast<GatherStmt>(&stmt))
      mark(gather->source->declared, &Traversals::elements, stmt.range);
    else if (auto *scatter = dyn_cast<ScatterStmt>(&stmt))
      mark(scatter->target->declared, &Traversals::elements, stmt.range);
  }

  void partial(const ReduceArrayStmt &reduce) {
    bool isOfRows = isPerProcessor(reduce.target->shape.back());
    mark(reduce.region,
         isOfRows ? &Traversals::rowSums : &Traversals::columnSums,
         reduce.range);
  }

  /// `[ , j]` of a sparse region.
  void open(const SetRegionStmt &set) {
    const RegionExpr &value = set.value;
    if (set.target->isSparse && value.kind == RegionExpr::Dims &&
        value.dims.size() > 1 && value.dims.back().kind == DimExpr::Single)
      mark(value.base, &Traversals::columns, set.range);
  }

  void move(const Array &array, const Region &region, SourceRange range) {
    bool isColumn = !region.isSparse && region.rank() > 1 &&
                    region.shape.back() == DimKind::Singleton;
    mark(array.declared, isColumn ? &Traversals::columns : &Traversals::rows,
         range);
  }

  void explain(const Region &region, const Traversals &found) {
    std::string why;
    auto add = [&](SourceRange range, const Twine &text) {
      if (range.isValid())
        why += (why.empty() ? "" : ", ") + text.str() + context.atLine(range);
    };
    add(found.columns, "single columns are taken");
    add(found.rows, found.columns.isValid() ? "rows as well"
                    : region.rank() == 1    ? "the program goes along it"
                                         : "the program goes along its rows");
    add(found.rowSums, region.rank() == 2
                           ? "sums of rows take rows of one shape side by side"
                           : "sums of rows");
    add(found.columnSums, "sums of columns go along rows, too");
    add(found.elements, "elements are found by bisection");
    if (!why.empty())
      context.applied(region.range,
                      sourceName(region) + " is kept in compressed rows" +
                          (found.columns.isValid()
                               ? ", and with a directory of columns from the "
                                 "second one on that is asked for: "
                               : ": ") +
                          why);
  }

  const Module &module;
  PassContext &context;
  MapVector<const Region *, Traversals> regions;
};

} // namespace

void explainSparse(Module &module, PassContext &context) {
  SparseExplainer(module, context).run();
}

} // namespace zpl::air
