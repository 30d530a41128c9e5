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
// The fetch moves from before the loops into them (LoopFetches.cpp).
//
//===----------------------------------------------------------------------===//

#include "Sparse/FetchRows.h"
#include "Sparse/LoopFetches.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Lets.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

bool hasIndicesOnly(const Region &region) {
  return !region.isSparse && !isScattered(region) && region.rank() > 1 &&
         all_of(region.shape, [](DimKind k) { return k == DimKind::Range; });
}

class RowFetcher : public LoopFetcher {
public:
  bool concerns(const FetchStmt &fetch) const override {
    return !fetch.target->isSparse;
  }
  std::string obstacle(const FetchStmt &fetch) const override {
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
  std::string obstacle(const MLoopStmt &loop,
                       const FetchStmt &fetch) const override {
    const LoopLevel *inner = innermostLevel(loop);
    if (!hasIndicesOnly(*loop.region) || !inner || inner->down ||
        inner->dim + 1 != loop.region->rank())
      return "the loop does not go along rows";
    if (isInBlocks(loop) || loop.rows > 1 || loop.times || loop.time.most ||
        !loop.walkers.empty())
      return "the loop works on several rows at a time";
    return obstacleToReading(loop, *fetch.target);
  }
  SmallVector<unsigned, 6> linesFor(const FetchStmt &fetch) const override {
    SmallVector<unsigned, 6> lines(fetch.region->rank(), 1);
    lines.back() = AllLines;
    return lines;
  }
  StringRef done() const override { return " is fetched row by row"; }
  StringRef refused() const override { return " is copied before it is read"; }
};

} // namespace

void fetchRows(Module &module, PassContext &context) {
  fetchInLoops(module, context, RowFetcher());
}

} // namespace zpl::air
