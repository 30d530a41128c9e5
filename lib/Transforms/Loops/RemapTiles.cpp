//===- RemapTiles.cpp - Transposes in tiles -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A remap *crosses* the rows of its array if its last map, the one along them,
// does not change in the innermost loop but in one around it, and another map
// changes in the innermost. Then each step of the innermost loop is in another
// line of the cache, and the next step of that other loop wants the same lines:
// both loops are tiled, so that the lines of a tile are still there, and become
// the innermost ones:
//
//     mloop @R levels(0 up, 1 up, 2 up) {          B[i,j,k] = A[k,j,i]
//       store @B, @A#(index(2), index(1), index(0))
//  =>
//     mloop @R levels(1 up, 0 up tile 128, 2 up tile 256) {
//
// How large tiles are. A tile reads 256 lines of the first cache again and again,
// until all their elements are used, and what it reads of A in all is in the
// second cache: 256 KB of doubles. Smaller tiles have shorter pieces of rows, on
// both sides, which the machine does not fetch ahead; rows lie an odd number of
// lines apart (zrtA_array_new), so that long columns fit into caches. Adding a
// transpose of 3000 x 3000 doubles, milliseconds on a Zen 1 core with huge pages
// (least of 5):
//
//     16 x 16   64 x 64   64 x 256   128 x 256   256 x 256   64 x 512   128 x 512
//        30.1      23.1       19.4        17.7        17.5       16.8        16.1
//
// and of 4096 x 4096 floats 55.6, 34.6, 25.6, 23.0, 23.0, 25.5 and 20.8. The last
// one would fill the whole second cache of that machine.
//
// Cost: linear in the expressions of loops with remaps.
//
//===----------------------------------------------------------------------===//

#include "Loops/RemapTiles.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

/// In indices: along the rows of what is crossed, and across them.

static bool mentionsIndex(const Expr &map, unsigned dim) {
  bool found = false;
  forEachExpr(map, [&](const Expr &e) {
    auto *index = dyn_cast<IndexExpr>(&e);
    found |= index && index->dim == dim;
  });
  return found;
}

/// The level, around the innermost, that moves along the rows which the
/// innermost one crosses; null if there is none.
static LoopLevel *crossed(MLoopStmt &loop, const RemapExpr &remap,
                          unsigned inner) {
  const Expr &along = *remap.maps.back();
  bool crosses =
      !mentionsIndex(along, inner) && any_of(remap.maps, [&](const Expr *map) {
        return mentionsIndex(*map, inner);
      });
  if (!crosses)
    return nullptr;
  for (LoopLevel &level : reverse(loop.levels))
    if (!level.flat && level.dim != inner && mentionsIndex(along, level.dim))
      return &level;
  return nullptr;
}

static std::string obstacle(const MLoopStmt &loop, const LoopLevel &inner,
                            const LoopLevel &outer) {
  std::string why;
  for (const LoopLevel *level : {&inner, &outer})
    if (level->down || level->isTimes ||
        loop.region->shape[level->dim] == DimKind::Strided)
      why = "a loop is strided, or goes down";
  if (loop.times || loop.rows != 1 || !loop.awaits.empty())
    why = "its indices have an order";
  if (loop.region->isSparse)
    why = "the region is sparse";
  for (const ElementOp &op : loop.body) {
    bool isStore =
        op.kind == ElementOp::Store || op.kind == ElementOp::Accumulate;
    if (!isStore || op.accumulator || op.delay != 0 || op.guard ||
        !isa<ElementExpr>(op.target)) {
      why = "it does more than to store elements everywhere";
      break;
    }
    if (isOneForMany(*cast<ElementExpr>(op.target)->array, *loop.region))
      why = "it stores one element for many indices";
  }
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    auto *remap = dyn_cast<RemapExpr>(&e);
    if (element && (element->array->isContracted() ||
                    is_contained(element->array->shape, DimKind::Strided)))
      why = "an array is contracted or strided";
    if (element && element->isShifted())
      why = "it reads elements at other indices";
    if (remap && remap->checked)
      why = "its indices are tested in order";
    if (isa<CallExpr>(e))
      why = "it calls a procedure";
  });
  return why;
}

void tileRemaps(MLoopStmt &loop, PassContext &context) {
  LoopLevel *inner = nullptr, *outer = nullptr;
  for (LoopLevel &level : loop.levels)
    inner = level.flat ? inner : &level;
  if (!inner || isInBlocks(loop))
    return;
  forEachExpr(loop, [&](const Expr &e) {
    auto *remap = dyn_cast<RemapExpr>(&e);
    if (remap && !outer)
      outer = crossed(loop, *remap, inner->dim);
  });
  if (!outer)
    return;
  std::string why = obstacle(loop, *inner, *outer);
  if (!why.empty())
    return context.missed(loop.range, "rows are crossed without tiles: " + why);
  inner->tile = context.figures.remapAcross;
  outer->tile = context.figures.remapAlong;
  std::rotate(outer, outer + 1, inner);
  context.count("remaps");
  context.applied(loop.range,
                  "in tiles, for rows are crossed" +
                      context.measured({"remap.along", "remap.across"}));
}

} // namespace zpl::air
