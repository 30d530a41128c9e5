//===- MergePatterns.cpp - Loops over several patterns --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [C] Cs := As + Bs;      As: [A], Bs: [B], Cs: [C], all sparse;  C := A | B
//
// The elements of As that the statement reads do not lie as it goes through the
// pattern of C. The pass `sparse` fetches them into an array over C, by a plan of
// where they are: 16 bytes and some steps for each, and a copy every time. But
// the loop comes to the indices in row-major order, in which As has its own, and
// in one domain the same processor owns both. So it walks through the rows of A
// beside those of C,
//
//     at each index:   while the column in A is less than that in C, go on
//                      As, if the columns are equal; else its replicated value
//
// as a merge of two lists does: the copy becomes a contracted array of one
// element (Array::fetched), for which the loop keeps a place in A
// (CodeGen, Sparse/MergedRows.cpp).
//
// The fetch moves from before the loops into them (LoopFetches.cpp). Cost of the
// merge: the indices of the region, and of the rows of A that it meets.
//
//===----------------------------------------------------------------------===//

#include "Sparse/MergePatterns.h"
#include "Sparse/LoopFetches.h"

using namespace llvm;

namespace zpl::air {
namespace {

class PatternMerger : public LoopFetcher {
public:
  bool concerns(const FetchStmt &fetch) const override {
    return fetch.target->isSparse;
  }
  std::string obstacle(const FetchStmt &fetch) const override {
    if (!fetch.direction.empty() ||
        fetch.source->domain != fetch.region->domain)
      return "it is read at another index";
    Type element = fetch.source->element;
    if (element.isAggregate() || element == Type::Str)
      return "its elements are not of a simple type";
    return "";
  }
  std::string obstacle(const MLoopStmt &loop,
                       const FetchStmt &fetch) const override {
    if (loop.region != fetch.region || !loop.walkers.empty())
      return "the loop has not the region of the copy";
    return obstacleToReading(loop, *fetch.target);
  }
  SmallVector<unsigned, 6> linesFor(const FetchStmt &fetch) const override {
    return SmallVector<unsigned, 6>(fetch.region->rank(), 1);
  }
  StringRef done() const override {
    return "'s pattern is merged with the loop's";
  }
  StringRef refused() const override { return " is fetched before it is read"; }
};

} // namespace

void mergePatterns(Module &module, PassContext &context) {
  fetchInLoops(module, context, PatternMerger());
}

} // namespace zpl::air
