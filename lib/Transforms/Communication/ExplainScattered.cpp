//===- ExplainScattered.cpp - What scattered domains cost -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four kinds of statements, by what the runtime does for them:
//
//     [R] A := A + B;              a loop over places, like one over a block
//     [R] B := A@north;            all elements of A go to another place
//     [R] B := >>[k, ] A;          a broadcast, like that of a block, but
//                                  nothing is computed meanwhile
//     [R] B := +||[1] A;           into blocks, and the result back
//
// A scan block has been moved into blocks by its own statements.
//
//===----------------------------------------------------------------------===//

#include "Communication/ExplainScattered.h"
#include "Communication/TransferEdits.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {
namespace {

std::string domainName(const Domain *domain) {
  return "domain " + domain->text + ", which is scattered";
}

class ScatteredExplainer {
public:
  explicit ScatteredExplainer(PassContext &context) : context(context) {}

  void explain(const Stmt &stmt) {
    if (auto *assign = dyn_cast<ArrayAssignStmt>(&stmt))
      loop(*assign->region, stmt.range);
    else if (auto *reduce = dyn_cast<ReduceStmt>(&stmt))
      loop(*reduce->region, stmt.range);
    else if (auto *reduce = dyn_cast<ReduceArrayStmt>(&stmt))
      loop(*reduce->region, stmt.range);
    else if (auto *call = dyn_cast<ElementCallStmt>(&stmt))
      loop(*call->region, stmt.range);
    else if (auto *move = dyn_cast<MoveStmt>(&stmt))
      explainMove(*move);
    else
      communication(stmt);
  }

private:
  void communication(const Stmt &stmt) {
    if (auto *shift = dyn_cast<ShiftStmt>(&stmt))
      explainShift(*shift);
    else if (auto *put = dyn_cast<PutStmt>(&stmt))
      copied(*put->target, stmt.range,
             "takes all that is assigned from copies");
    else if (auto *flood = dyn_cast<FloodStmt>(&stmt))
      explainFlood(*flood);
    else if (auto *scan = dyn_cast<ScanStmt>(&stmt))
      inBlocks(*scan->source, stmt.range, "for the scan, and the result back");
    else if (auto *fold = dyn_cast<FoldStmt>(&stmt))
      inBlocks(*fold->source, stmt.range, "for the reproducible reduction");
    else if (auto *combine = dyn_cast<CombineArrayStmt>(&stmt))
      inBlocks(*combine->array, stmt.range,
               "for the partial reduction, and the result back");
    else if (auto *gather = dyn_cast<GatherStmt>(&stmt))
      inBlocks(*gather->source, stmt.range,
               "for the remap, and the result back");
    else if (auto *scatter = dyn_cast<ScatterStmt>(&stmt))
      inBlocks(*scatter->target, stmt.range, "for the remap, and back");
    else
      sortsAndFiles(stmt);
  }

  void sortsAndFiles(const Stmt &stmt) {
    if (auto *sort = dyn_cast<SortStmt>(&stmt))
      for (const Array *array : sort->arrays)
        inBlocks(*array, stmt.range, "for the sort, and back");
    if (auto *write = dyn_cast<WriteStmt>(&stmt))
      for (const WriteItem &item : write->items)
        if (item.array)
          inBlocks(*item.array, item.range, "to be written in order");
    if (auto *read = dyn_cast<ReadStmt>(&stmt))
      for (const ReadItem &item : read->items)
        if (item.array)
          inBlocks(*item.array, item.range, "to be read in order, and back");
  }

  /// Element by element.
  void loop(const Region &region, SourceRange range) {
    if (!isScattered(region))
      return;
    if (region.isSparse || !is_contained(region.shape, DimKind::Strided))
      return context.applied(range, "runs over the places of domain " +
                                        region.domain->text +
                                        ", as fast as over blocks");
    context.missed(range, "tests each index against the strides: places of " +
                              domainName(region.domain) + ", have none");
  }

  void explainShift(const ShiftStmt &shift) {
    size_t count = shift.views.size();
    copied(*shift.source, shift.range,
           "is copied in " + Twine(count) +
               (count == 1 ? " direction" : " directions") +
               ", each time all of it");
  }

  void explainFlood(const FloodStmt &flood) {
    if (isScattered(*flood.source))
      context.missed(flood.range,
                     sourceName(*flood.source) +
                         " is flooded as in blocks, but nothing is computed "
                         "meanwhile, in " +
                         domainName(flood.source->domain));
  }

  void explainMove(const MoveStmt &move) {
    if (isScattered(*move.source) && !isScattered(*move.target))
      inBlocks(*move.source, move.range,
               "for the scan block, which goes from index to index");
    else if (isScattered(*move.target) && !isScattered(*move.source))
      context.missed(move.range, sourceName(*move.target) +
                                     " moves back to the places of " +
                                     domainName(move.target->domain));
  }

  void copied(const Array &array, SourceRange range, const Twine &what) {
    if (isScattered(array))
      context.missed(range, sourceName(array) + " " + what + ": in " +
                                domainName(array.domain) +
                                ", no neighbour is on the same processor");
  }

  void inBlocks(const Array &array, SourceRange range, const Twine &why) {
    if (isScattered(array))
      context.missed(range, sourceName(array) + " is copied into blocks " +
                                why + ": its indices have no order in " +
                                domainName(array.domain));
  }

  PassContext &context;
};

} // namespace

void explainScattered(Module &module, PassContext &context) {
  ScatteredExplainer explainer(context);
  for (const Procedure *procedure : module.procedures)
    forEachStmt(procedure->body,
                [&](const Stmt &stmt) { explainer.explain(stmt); });
}

} // namespace zpl::air
