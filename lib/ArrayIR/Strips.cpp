//===- Strips.cpp - M-loops in strips of rows -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     strips of dim 0 behind (0, 1) {
//       mloop %faces levels(0 up, 1 up) {
//         store @Flux = sub(@U@(0,0), @U@(-1,0))
//       }
//       dr %t  sr %t  dn %t  sv %t                -- @Flux@(1,0)
//       mloop %cells levels(0 up, 1 up) {
//         store @U = add(@U, sub(@Flux@(1,0), @Flux))
//       }
//     }
//
// Strip s has the rows s*h .. s*h+h-1 of the first loop, and of loop k those
// d(k) rows before them; within a strip the loops come in their order. When loop
// k executes row i, an earlier loop j has done all rows up to i + d(k) - d(j),
// and perhaps some more. So for an array that one of them stores and the other
// one touches:
//
//   k reads at offset o what j stores:   row i + o is there if
//                                        i + o <= i + d(k) - d(j)
//   j reads at offset o what k stores:   row i, stored by k, has been read by
//                                        row i - o of j: -o <= d(k) - d(j)
//   both store:                          0 <= d(k) - d(j)
//
// where o is counted in rows. The other components do not matter, for all of a
// row comes in one strip; nor do regions, which may differ: each loop executes
// what its own region has of a strip.
//
// Cost: pairs of accesses of one array.
//
//===----------------------------------------------------------------------===//

#include "Text/ParseForms.h"
#include "Text/ParseStatements.h"
#include "Text/Parser.h"
#include "Text/Parsing.h"
#include "Text/PrinterImpl.h"
#include "Verify/Declarations.h"
#include "Verify/LoopForms.h"
#include "Verify/Statements.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/KnownStrides.h"
#include "zpl/ArrayIR/LoopOrder.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

void Printer::strips(const StripsStmt &stmt) {
  os << "strips of dim " << stmt.dim << " behind (";
  commas(stmt.delays, [&](unsigned delay) { os << delay; });
  os << ")";
  if (stmt.time.most)
    timeSteps(stmt.time);
  os << ' ';
  block(stmt.body);
}

Stmt *parseStrips(Parsing &p, const Token &first) {
  auto *stmt = p.module.make<StripsStmt>(0, range(p, first));
  bool good = expect(p, "of") && expect(p, "dim") &&
              parseUnsigned(p, stmt->dim, 5) && expect(p, "behind") &&
              expect(p, "(") && parseList(p, ")", [&] {
                return parseUnsigned(p, stmt->delays.emplace_back(),
                                     StripsStmt::MaxDelay);
              });
  good = good && (!accept(p, "steps") || parseTimeSteps(p, stmt->time));
  return good && parseBlock(p, stmt->body) ? stmt : nullptr;
}

//===----------------------------------------------------------------------===//
// The order of rows
//===----------------------------------------------------------------------===//

/// The arrays that an M-loop stores into.
static SmallVector<const Array *, 4> arraysStoredBy(const MLoopStmt &loop) {
  SmallVector<const Array *, 4> result;
  for (const ElementOp &op : loop.body)
    if (op.target)
      result.push_back(rootElement(op.target)->array);
  return result;
}

/// How many rows \p later must stay behind \p earlier, of which it may be the
/// next execution; INT64_MIN if they have nothing to do with each other.
static int64_t rowsBehind(const MLoopStmt &earlier, const MLoopStmt &later,
                          unsigned dim) {
  int64_t least = INT64_MIN;
  auto compare = [&](const MLoopStmt &reader, const MLoopStmt &writer,
                     int64_t sign) {
    SmallVector<const Array *, 4> stored = arraysStoredBy(writer);
    forEachExpr(reader, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (element && dim < element->offset.size() &&
          is_contained(stored, element->array))
        least = std::max(least, sign * element->offset[dim]);
    });
  };
  compare(later, earlier, 1);
  compare(earlier, later, -1);
  return least;
}

std::vector<MLoopStmt> separated(ArrayRef<const MLoopStmt *> loops) {
  std::vector<MLoopStmt> parts;
  for (const MLoopStmt *loop : loops)
    for (ArrayRef<ElementOp> ops : partsOf(*loop)) {
      MLoopStmt &part = parts.emplace_back(*loop);
      part.awaits.clear();
      part.body.assign(ops.begin(), ops.end());
      for (ElementOp &op : part.body)
        op.delay = 0;
    }
  return parts;
}

std::optional<SmallVector<unsigned, 4>> leastDelays(ArrayRef<MLoopStmt> loops,
                                                    unsigned dim) {
  SmallVector<unsigned, 4> delays;
  for (auto [k, loop] : enumerate(loops)) {
    int64_t delay = k == 0 ? 0 : delays.back();
    for (auto [earlier, before] : zip(loops, delays))
      if (int64_t behind = rowsBehind(earlier, loop, dim); behind != INT64_MIN)
        delay = std::max(delay, before + behind);
    if (delay > StripsStmt::MaxDelay)
      return std::nullopt;
    delays.push_back(static_cast<unsigned>(delay));
  }
  return delays;
}

std::optional<unsigned> leastLag(ArrayRef<MLoopStmt> loops,
                                 ArrayRef<unsigned> delays, unsigned dim) {
  int64_t least = 0;
  for (auto [earlier, before] : zip(loops, delays))
    for (auto [later, behind] : zip(loops, delays))
      if (int64_t rows = rowsBehind(earlier, later, dim); rows != INT64_MIN)
        least = std::max(least, rows + int64_t(before) - behind);
  bool accumulates = any_of(loops, [](const MLoopStmt &loop) {
    return any_of(loop.body, [](const ElementOp &op) {
      return op.kind == ElementOp::Accumulate;
    });
  });
  if (accumulates || least > int64_t(TimeSteps::MaxLag))
    return std::nullopt;
  return static_cast<unsigned>(least);
}

std::string whyNotInStrips(const MLoopStmt &loop, unsigned dim,
                           const KnownStrides *strides) {
  if (loop.region->rank() < 2 || dim >= loop.region->rank() ||
      any_of(loop.region->shape, isPerProcessor))
    return "it has no rows, or flooded or grid dimensions";
  if (!mayRunInStrips(loop, dim, strides))
    return "its indices have an order, or a procedure is called for each";
  if (loop.times || loop.rows != 1 || loop.inLanes || isInBlocks(loop))
    return "its elements are taken in another order";
  for (const ElementOp &op : loop.body)
    if (op.kind == ElementOp::Accumulate &&
        (!op.accumulator || op.value->type.isFloat() ||
         op.value->type.isComplex()) &&
        op.op != Reduction::Max && op.op != Reduction::Min)
      return "it adds up, in an order of its own";
  for (const ElementOp &op : loop.body)
    if (op.kind == ElementOp::Accumulate && !op.accumulator)
      return "it reduces to elements";
  return "";
}

//===----------------------------------------------------------------------===//
// The verifier
//===----------------------------------------------------------------------===//

/// One part of the body; \p first is the first one.
static bool inStrips(Verifying &state, const MLoopStmt &part,
                     const MLoopStmt &first, unsigned dim) {
  if (part.region->rank() != first.region->rank() ||
      part.region->domain != first.region->domain)
    return fail(
        state, part.range,
        "loops over regions of different ranks or domains run in strips");
  if (!state.strides)
    state.strides.emplace(state.module);
  std::string why = whyNotInStrips(part, dim, &*state.strides);
  return why.empty() ||
         fail(state, part.range, "a loop runs in strips, but " + why);
}

/// The time steps.
static bool verifySteps(Verifying &state, const StripsStmt &s,
                        ArrayRef<MLoopStmt> loops) {
  if (!s.time.most)
    return true;
  std::optional<unsigned> least = leastLag(loops, s.delays, s.dim);
  if (!least || s.time.lag < *least)
    return fail(state, s.range,
                least
                    ? "time steps of strips lag by " + Twine(*least) +
                          " rows at least"
                    : "strips have time steps, but accumulate or lag too far");
  if (!s.time.swaps.empty() || !s.time.brings.empty())
    return fail(state, s.range, "strips take no turns and bring nothing");
  return verifyCounts(state, s.time, s.range);
}

bool verifyStrips(Verifying &state, const StripsStmt &s) {
  if (!all_of(s.body, [](const Stmt *inner) {
        return isa<MLoopStmt, TransferPointStmt>(inner);
      }))
    return fail(state, s.range, "only M-loops and transfers can run in strips");
  if (!verifyList(state, s.body))
    return false;
  std::vector<MLoopStmt> loops = separated(s.loops());
  if (loops.size() < 2 || loops.size() != s.delays.size())
    return fail(state, s.range,
                "strips have fewer than two parts, or delays of others");
  for (const MLoopStmt &part : loops)
    if (!inStrips(state, part, loops.front(), s.dim))
      return false;
  for (unsigned k = 1; k < loops.size(); ++k)
    for (unsigned j = 0; j < k; ++j)
      if (s.delays[k] < s.delays[j] ||
          int64_t(s.delays[k]) - s.delays[j] <
              rowsBehind(loops[j], loops[k], s.dim))
        return fail(state, loops[k].range,
                    "a loop in strips is too few rows behind one before it");
  return verifySteps(state, s, loops);
}

} // namespace zpl::air
