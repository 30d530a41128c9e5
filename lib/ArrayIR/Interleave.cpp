//===- Interleave.cpp - Loops in turn: text and verifier ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     interleave {
//       mloop %even levels(0 up, 1 up) {
//         store @A = add(@A, @B)
//       }
//       mloop %odd levels(0 up, 1 up) {
//         store @A = add(@A, mul(@B, f64 0.5))
//       }
//     }
//
// For each box of indices the loops come in their order, then for the next box.
// That is the same as one loop after the other if each may run in boxes, and
// what one of them stores another one touches at the same index only, for the
// box of that index is the same for both, or not at all, because of strides.
//
//     interleave joined (1 0) {
//
// guesses that the second loop stores the elements in front of those of the
// first; if they do, one sweep may store both. docs/ArrayIR.md, section 4.
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
#include "zpl/ArrayIR/LoopOrder.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace zpl::air {

void Printer::interleave(const InterleaveStmt &stmt) {
  os << "interleave ";
  if (!stmt.joins.empty()) {
    os << "joined (";
    commas(stmt.joins, [&](const InterleaveStmt::Join &join) {
      os << join.before << ' ' << join.after;
    });
    os << ") ";
  }
  block(stmt.body);
}

Stmt *parseInterleave(Parsing &p, const Token &first) {
  constexpr unsigned MostLoops = 1U << 16;
  auto *stmt = p.module.make<InterleaveStmt>(range(p, first));
  if (accept(p, "joined") &&
      !(expect(p, "(") && parseList(p, ")", [&] {
          InterleaveStmt::Join &join = stmt->joins.emplace_back();
          return parseUnsigned(p, join.before, MostLoops) &&
                 parseUnsigned(p, join.after, MostLoops);
        })))
    return nullptr;
  return parseBlock(p, stmt->body) ? stmt : nullptr;
}

//===----------------------------------------------------------------------===//
// The verifier
//===----------------------------------------------------------------------===//

static const KnownStrides &knownStrides(Verifying &state);

/// One loop of several in turn, over regions of this rank and domain.
static bool inTurn(Verifying &state, const Stmt &s, unsigned rank,
                   const Domain *domain) {
  auto *loop = dyn_cast<MLoopStmt>(&s);
  if (!loop)
    return fail(state, s.range, "only M-loops can run in turn");
  if (loop->region->rank() != rank || loop->region->domain != domain)
    return fail(state, s.range,
                "loops over regions of different ranks or domains run in turn");
  if (any_of(loop->region->shape, isPerProcessor))
    return fail(state, s.range,
                "a loop over flooded or grid dimensions runs in turn "
                "with others");
  bool accumulates = any_of(loop->body, [](const ElementOp &op) {
    return op.kind == ElementOp::Accumulate;
  });
  return (!accumulates && mayRunInBoxes(*loop, &knownStrides(state))) ||
         fail(state, s.range,
              "a loop that runs in turn with others has an order");
}

/// What is said of elements side by side.
static bool verifyJoins(Verifying &state, const InterleaveStmt &s) {
  DenseSet<unsigned> seen;
  for (const auto &[before, after] : s.joins)
    for (unsigned number : {before, after}) {
      if (number >= s.body.size() || !seen.insert(number).second)
        return fail(state, s.range,
                    "loop " + std::to_string(number) +
                        " is joined twice or is none");
      auto &first = *cast<MLoopStmt>(s.body[before]);
      auto &loop = *cast<MLoopStmt>(s.body[number]);
      const Array *target = onlyStored(loop);
      if (!target || target != onlyStored(first))
        return fail(state, loop.range,
                    "joined loops do other things than store into one array");
      if (!haveSameLevels(loop, first))
        return fail(state, loop.range, "joined loops have different levels");
    }
  return true;
}

bool verifyInterleave(Verifying &state, const InterleaveStmt &s) {
  if (s.body.size() < 2)
    return fail(state, s.range, "fewer than two loops run in turn");
  if (!verifyList(state, s.body))
    return false;
  auto *first = dyn_cast<MLoopStmt>(s.body.front());
  unsigned rank = first ? first->region->rank() : 0;
  const Domain *domain = first ? first->region->domain : nullptr;
  if (!all_of(s.body, [&](const Stmt *inner) {
        return inTurn(state, *inner, rank, domain);
      }))
    return false;
  for (const Stmt *reader : s.body)
    for (const Stmt *writer : s.body)
      if (const ElementExpr *read =
              readsStored(*cast<MLoopStmt>(reader), *cast<MLoopStmt>(writer),
                          &knownStrides(state)))
        return fail(state, reader->range,
                    printedName(*read->array) + "@" + printed(read->offset) +
                        " is read in turn with what stores it");
  return verifyJoins(state, s);
}

static const KnownStrides &knownStrides(Verifying &state) {
  if (!state.strides)
    state.strides.emplace(state.module);
  return *state.strides;
}

} // namespace zpl::air
