//===- LaneRows.cpp - The array IR: rows as lanes -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `rows K skew s lanes` of an M-loop demands beside what skewed rows do:
//
//     mloop %t levels(0 up, 1 up) rows 8 skew 1 lanes {
//       store @A = max(@A@(-1,0), @A@(0,-1))
//     }
//
// An operation of vectors computes all rows in one step. So what a row reads of
// one before must be older than this step, columns + s rows <= -1; with
// A@(-1,1) the skew is 2. Nothing may be executed lane by lane, or go to other
// elements than those of the row: calls, maps, strings, integer division by
// what may be 0. Rows lie in the last dimension of every array that moves
// along them, so that a piece of one is a vector in memory.
//
// Cost: linear in the body times the arrays that it stores.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/LaneRows.h"
#include "Verify/Declarations.h"
#include "Verify/LoopForms.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/Carries.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/SkewedRows.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace zpl::air {

/// 0: there are no vectors of that type.
static unsigned bytesOfLane(Type type) {
  switch (type.kind()) {
  case Type::Bool:
  case Type::Char:
  case Type::I8:
  case Type::U8:
    return 1;
  case Type::I16:
  case Type::U16:
    return 2;
  case Type::I32:
  case Type::U32:
  case Type::F32:
  case Type::Enum:
    return 4;
  case Type::I64:
  case Type::U64:
  case Type::F64:
    return 8;
  default: // strings, complex numbers, F80, aggregates: in no vector
    return 0;
  }
}

unsigned largestElement(const MLoopStmt &loop) {
  unsigned bytes = 1;
  forEachExpr(loop, [&](const Expr &e) {
    if (auto *element = dyn_cast<ElementExpr>(&e))
      bytes = std::max(bytes, bytesOfLane(element->type));
  });
  return bytes;
}

static bool isOperatorOfLanes(const BinaryExpr &e) {
  if (e.op == BinaryOp::Pow || (e.op == BinaryOp::Rem && e.type.isFloat()))
    return false;
  if (e.type.isFloat() || (e.op != BinaryOp::Div && e.op != BinaryOp::Rem))
    return true;
  auto *divisor = dyn_cast<ConstExpr>(e.right);
  return divisor && divisor->integer != 0;
}

static bool isOfLanes(const Expr &e) {
  if (bytesOfLane(e.type) == 0)
    return false;
  switch (e.kind) {
  case ExprKind::Const:
  case ExprKind::Var:
  case ExprKind::Element:
  case ExprKind::Index:
  case ExprKind::Bound:
  case ExprKind::Unary:
  case ExprKind::Compare:
  case ExprKind::Fma:
  case ExprKind::Cast:
    return true;
  case ExprKind::Binary:
    return isOperatorOfLanes(*cast<BinaryExpr>(&e));
  case ExprKind::Math: {
    MathFn fn = cast<MathExpr>(&e)->fn;
    return fn == MathFn::Sqrt || fn == MathFn::Floor || fn == MathFn::Ceil ||
           fn == MathFn::Trunc;
  }
  default: // calls, maps, parts of elements: not the same for all lanes
    return false;
  }
}

/// Whether elements of a row are pieces of memory, or one for all columns.
static bool liesInRows(const MLoopStmt &loop, const Array &array) {
  if (array.isPerIndex())
    return true;
  unsigned columns = rowLoops(loop).columns->dim;
  DimKind kind = array.shape[columns];
  return isPerProcessor(kind) ||
         (kind == DimKind::Range && columns + 1 == array.rank() &&
          !array.isContracted());
}

/// Why rows of the M-loop are no lanes whatever the skew; empty: they may be.
static std::string whyNeverInLanes(const Module &module, const MLoopStmt &loop,
                                   bool mayAlias) {
  RowLoops loops = rowLoops(loop);
  if (!carriedAlong(loop).empty())
    return "it is a scan";
  if (loop.region->isSparse || isScattered(*loop.region))
    return "its indices are no ranges";
  for (const LoopLevel *level : {loops.rows, loops.columns})
    if (loop.region->shape[level->dim] != DimKind::Range)
      return "its indices are no ranges";
  SmallVector<const Array *, 4> stored;
  for (const ElementOp &op : loop.body) {
    auto *target = dyn_cast_or_null<ElementExpr>(op.target);
    if (op.kind != ElementOp::Store || !target)
      return "it does more than store elements";
    if (!target->array->isPerIndex())
      stored.push_back(target->array);
  }
  std::string why;
  forEachExpr(loop, [&](const Expr &e) {
    if (!why.empty())
      return;
    if (!isOfLanes(e))
      why = "an operation has no form for vectors";
    auto *element = dyn_cast<ElementExpr>(&e);
    if (!element)
      return;
    if (!liesInRows(loop, *element->array))
      why = "elements of a row of " + element->array->text +
            " do not lie side by side";
    for (const Array *array : stored)
      if (array != element->array &&
          mayBeSame(module, *array, *element->array, mayAlias))
        why = element->array->text + " and " + array->text +
              " may be the same array";
  });
  return why;
}

std::optional<unsigned> leastLaneSkew(const Module &module,
                                      const MLoopStmt &loop, bool mayAlias,
                                      std::string &why) {
  std::optional<unsigned> least = leastSkew(module, loop, mayAlias, why);
  if (!least)
    return std::nullopt;
  why = whyNeverInLanes(module, loop, mayAlias);
  if (!why.empty())
    return std::nullopt;
  int64_t skew = *least;
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (!element || element->array->isPerIndex() ||
        !mayBeStored(module, loop, *element->array, mayAlias))
      return;
    std::optional<RowDistance> at = rowDistance(loop, *element);
    if (at && at->rows < 0 && at->columns >= 0)
      skew = std::max<int64_t>(skew, divideCeil(at->columns + 1, -at->rows));
  });
  if (skew <= int64_t(MLoopStmt::MaxSkew))
    return static_cast<unsigned>(skew);
  why = "a row would have to be " + std::to_string(skew) +
        " elements behind the one before it";
  return std::nullopt;
}

bool verifyLaneRows(Verifying &state, const MLoopStmt &s) {
  if (!s.inLanes)
    return true;
  if (!isPowerOf2_32(s.rows))
    return fail(state, s.range, "the number of lanes is no power of two");
  std::string why;
  std::optional<unsigned> least =
      leastLaneSkew(state.module, s, state.proc->mayAlias, why);
  if (!least)
    return fail(state, s.range, "an M-loop has rows in lanes, but " + why);
  return s.skew >= *least ||
         fail(state, s.range,
              "rows in lanes are to be skewed by " + Twine(*least) +
                  " at least: what is read of another row is stored too late");
}

} // namespace zpl::air
