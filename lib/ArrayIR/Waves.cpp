//===- Waves.cpp - The array IR: wavefronts -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Printer, parser and verifier of
//
//     wave @R tile %tile order (1, -2) steps 1 primed {@A: (-1,1) (-1,-1)} {
//       mloop %tile levels(0 up, 1 up) { ... }
//     }
//
// An offset d of `primed` is *met* if, in the order, its first component that
// is not 0 points against the traversal: what it reads has been stored by then.
// After the steps, tiles and processors come in a partial order only: of those
// that differ in two dimensions nothing is known but that they do not run
// before both. So there no other component of d may point along the traversal.
// What is read of stored arrays at another offset must be what was there before
// the wave: the opposite of that offset is met.
//
// Over a sparse region the tile is the region itself. The M-loop, upward in its
// text, goes through the positions in the order of the wave, and elements
// conform. What it stores it *pushes* to those that read it, into arrays that
// have what was there before the wave:
//
//     wave @S tile @S order (1, 2) primed {%C: (-1,0)} {
//       mloop @S levels(0 up, 1 up) {
//         store %C = add(%N, %B)
//         store %N@(1,0) = %C           where S has that index
//       }
//     }
//
//===----------------------------------------------------------------------===//

#include "Text/ParseForms.h"
#include "Text/ParseStatements.h"
#include "Text/Parser.h"
#include "Text/Parsing.h"
#include "Text/PrinterImpl.h"
#include "Verify/Declarations.h"
#include "Verify/Expressions.h"
#include "Verify/LoopForms.h"
#include "Verify/Statements.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include <cstdlib>

using namespace llvm;

namespace zpl::air {

void Printer::wave(const WaveStmt &stmt) {
  os << "wave ";
  name(stmt.region);
  os << " tile ", name(stmt.tile);
  os << " order (";
  commas(stmt.order, [&](int dim) { os << dim; });
  os << ')';
  if (stmt.steps != 0)
    os << " steps " << stmt.steps;
  os << " primed ", items(stmt.primed);
  os << ' ', block(stmt.body);
}

Stmt *parseWave(Parsing &p, const Token &first) {
  Region *region = parseRegion(p), *tile = nullptr;
  if (!region || !expect(p, "tile") || !(tile = parseRegion(p)) ||
      !expect(p, "order") || !expect(p, "("))
    return nullptr;
  auto *stmt = p.module.make<WaveStmt>(region, tile, range(p, first));
  auto parseDim = [&] {
    Token token = peek(p);
    int64_t dim = 0;
    if (!parseInteger(p, dim))
      return false;
    if (dim < -64 || dim > 64)
      return fail(p, token, "expected a number from -64 to 64");
    stmt->order.push_back(int(dim));
    return true;
  };
  if (!parseList(p, ")", parseDim) ||
      (accept(p, "steps") && !parseUnsigned(p, stmt->steps, 64)) ||
      !expect(p, "primed") || !parseItems(p, stmt->primed))
    return nullptr;
  stmt->range = rangeFrom(p, first);
  return parseBlock(p, stmt->body) ? stmt : nullptr;
}

//===----------------------------------------------------------------------===//
// The verifier
//===----------------------------------------------------------------------===//

static bool verifyWaveOrder(Verifying &state, const WaveStmt &s) {
  unsigned rank = s.region->rank();
  DenseSet<int> dims;
  for (int dim : s.order) {
    if (dim == 0 || unsigned(std::abs(dim)) > rank)
      return fail(state, s.range,
                  "a wave goes through dimension " + Twine(dim) +
                      " of a region of rank " + Twine(rank));
    dims.insert(std::abs(dim));
  }
  if (dims.size() != rank || s.order.size() != rank)
    return fail(state, s.range,
                "a wave has not one place in its order for each "
                "dimension");
  return s.steps <= rank ||
         fail(state, s.range, "a wave has more steps than dimensions");
}

/// Whether \p offset is met.
static bool isReached(const WaveStmt &s, const Offset &offset) {
  auto along = [&](int dim) {
    int64_t component = offset[std::abs(dim) - 1];
    return dim > 0 ? component : -component;
  };
  for (unsigned i = 0; i < s.steps; ++i)
    if (int64_t component = along(s.order[i]))
      return component < 0;
  bool anyAgainst = false;
  for (int dim : ArrayRef(s.order).drop_front(s.steps)) {
    if (along(dim) > 0)
      return false;
    anyAgainst |= along(dim) < 0;
  }
  return anyAgainst;
}

/// Whether the M-loop, which goes through one tile, comes to \p offset first.
static bool isEarlier(const MLoopStmt &loop, const Offset &offset) {
  for (const LoopLevel &level : loop.levels)
    if (int64_t component = offset[level.dim])
      return level.flat || (component < 0) != level.down;
  return false;
}

static Offset opposite(Offset offset) {
  for (int64_t &component : offset)
    component = -component;
  return offset;
}

/// The arrays that a loop stores to, itself or by calls.
static DenseSet<const Array *> storedIn(const MLoopStmt &loop) {
  DenseSet<const Array *> stored;
  for (const ElementOp &op : loop.body) {
    if (op.target)
      stored.insert(rootElement(op.target)->array);
    if (auto *call = dyn_cast<CallExpr>(op.value))
      for (const Argument &arg : call->args)
        if (auto *element = arg.place ? rootElement(arg.place) : nullptr)
          stored.insert(element->array);
  }
  return stored;
}

/// Of a wave over a pattern: what is shifted is pushed to, by what is stored at
/// the index itself.
static bool verifyPushes(Verifying &state, const WaveStmt &s) {
  bool good = true;
  for (const ElementOp &op : s.loop().body) {
    auto *target = dyn_cast_or_null<ElementExpr>(op.target);
    bool isPush = target && target->isShifted();
    auto *source = dyn_cast<ElementExpr>(op.value);
    if (isPush && (!source || source->array == target->array ||
                   !target->array->isSparse || !source->array->isSparse))
      return fail(state, s.range,
                  "a push is not from one sparse array to another");
    if (isPush && !isReached(s, opposite(target->offset)))
      return fail(state, s.range,
                  printedName(*target->array) + "@" + printed(target->offset) +
                      " is pushed to when the wave has been there");
    forEachExpr(op, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (good && element && element != target && element->isShifted())
        good = fail(state, s.range,
                    printedName(*element->array) +
                        " is not at the index of a wave over a pattern");
    });
  }
  return good;
}

/// The primed offsets, and what else the body reads of arrays that it stores.
static bool verifyPrimed(Verifying &state, const WaveStmt &s) {
  const MLoopStmt &loop = s.loop();
  DenseSet<const Array *> stored = storedIn(loop);
  auto isMet = [&](const Offset &offset) {
    return isReached(s, offset) &&
           (isOverPattern(&s) || isEarlier(loop, offset));
  };
  for (const auto &[array, offset] : s.primed) {
    if (!visible(state, array, s.range) ||
        !sameRank(state, offset.size(), s.region->rank(), "a primed offset",
                  s.range))
      return false;
    std::string name = printedName(*array) + "@" + printed(offset);
    auto isThis = [&, primed = array](const Array *other) {
      return mayBeSame(state.module, *primed, *other, state.proc->mayAlias);
    };
    if (none_of(stored, isThis))
      return fail(state, s.range, name + " is primed, but not stored");
    if (!isMet(offset))
      return fail(state, s.range,
                  name + " is primed, but the wave comes to it later");
  }
  if (isOverPattern(&s))
    return verifyPushes(state, s);
  bool good = true;
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (!good || !element || !element->isShifted() ||
        !stored.contains(element->array) ||
        is_contained(s.primed, std::pair(element->array, element->offset)) ||
        isMet(opposite(element->offset)))
      return;
    good = fail(state, s.range,
                printedName(*element->array) + "@" + printed(element->offset) +
                    " is read when the wave may have changed it");
  });
  return good;
}

bool verifyWave(Verifying &state, const WaveStmt &s) {
  if (state.inWave)
    return fail(state, s.range, "a wave stands in a wave");
  if (!visible(state, s.region, s.range) || !visible(state, s.tile, s.range) ||
      !verifyWaveOrder(state, s))
    return false;
  if (!isOverPattern(&s) &&
      (s.tile->storage != Storage::Local || s.tile->shape != s.region->shape))
    return fail(state, s.range,
                printedName(*s.tile) + " is no local region of the shape of " +
                    printedName(*s.region));
  auto *loop =
      s.body.size() == 1 ? dyn_cast_or_null<MLoopStmt>(s.body[0]) : nullptr;
  if (!loop || loop->region != s.tile)
    return fail(state, s.range, "a wave consists of one M-loop over its tile");
  for (const ElementOp &op : loop->body)
    if (op.kind == ElementOp::Accumulate || op.delay != 0)
      return fail(state, s.range, "a wave accumulates or has delayed parts");
  state.inWave = &s;
  bool good = verifyList(state, s.body);
  state.inWave = nullptr;
  return good && verifyPrimed(state, s);
}

} // namespace zpl::air
