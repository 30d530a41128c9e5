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
// both loops are tiled, so that the lines of a tile are still there.
//
// How large tiles are: TileSize below.
//
// Cost: linear in the expressions of loops with remaps.
//
//===----------------------------------------------------------------------===//

#include "Loops/RemapTiles.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

/// In indices. Rows that lie a power of two apart share few sets of the cache,
/// so tiles are as small as lines allow: 16 doubles are two lines.
constexpr unsigned TileSize = 16;

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
  inner->tile = outer->tile = TileSize;
  context.count("remaps");
  context.applied(loop.range, "in tiles, for rows are crossed");
}

} // namespace zpl::air
