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

#include "Text/ParserImpl.h"
#include "Text/PrinterImpl.h"
#include "VerifierImpl.h"
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

Stmt *Parser::parseInterleave(const Token &first) {
  constexpr unsigned MostLoops = 1U << 16;
  auto *stmt = module.make<InterleaveStmt>(range(first));
  if (accept("joined") && !(expect("(") && parseList(")", [&] {
                              InterleaveStmt::Join &join =
                                  stmt->joins.emplace_back();
                              return parseUnsigned(join.before, MostLoops) &&
                                     parseUnsigned(join.after, MostLoops);
                            })))
    return nullptr;
  return parseBlock(stmt->body) ? stmt : nullptr;
}

//===----------------------------------------------------------------------===//
// The verifier
//===----------------------------------------------------------------------===//

/// One loop of several in turn, over regions of this rank.
bool Verifier::inTurn(const Stmt &s, unsigned rank) {
  auto *loop = dyn_cast<MLoopStmt>(&s);
  if (!loop)
    return fail(s.range, "only M-loops can run in turn");
  if (loop->region->rank() != rank)
    return fail(s.range, "loops over regions of different ranks run in turn");
  if (any_of(loop->region->shape, isPerProcessor))
    return fail(s.range, "a loop over flooded or grid dimensions runs in turn "
                         "with others");
  bool accumulates = any_of(loop->body, [](const ElementOp &op) {
    return op.kind == ElementOp::Accumulate;
  });
  return (!accumulates && mayRunInBoxes(*loop, &knownStrides())) ||
         fail(s.range, "a loop that runs in turn with others has an order");
}

/// What is said of elements side by side.
bool Verifier::joins(const InterleaveStmt &s) {
  DenseSet<unsigned> seen;
  for (const auto &[before, after] : s.joins)
    for (unsigned number : {before, after}) {
      if (number >= s.body.size() || !seen.insert(number).second)
        return fail(s.range, "loop " + std::to_string(number) +
                                 " is joined twice or is none");
      auto &first = *cast<MLoopStmt>(s.body[before]);
      auto &loop = *cast<MLoopStmt>(s.body[number]);
      const Array *target = onlyStored(loop);
      if (!target || target != onlyStored(first))
        return fail(loop.range,
                    "joined loops do other things than store into one array");
      if (!haveSameLevels(loop, first))
        return fail(loop.range, "joined loops have different levels");
    }
  return true;
}

bool Verifier::interleave(const InterleaveStmt &s) {
  if (s.body.size() < 2)
    return fail(s.range, "fewer than two loops run in turn");
  if (!list(s.body))
    return false;
  auto *first = dyn_cast<MLoopStmt>(s.body.front());
  unsigned rank = first ? first->region->rank() : 0;
  if (!all_of(s.body, [&](const Stmt *inner) { return inTurn(*inner, rank); }))
    return false;
  for (const Stmt *reader : s.body)
    for (const Stmt *writer : s.body)
      if (const ElementExpr *read =
              readsStored(*cast<MLoopStmt>(reader), *cast<MLoopStmt>(writer),
                          &knownStrides()))
        return fail(reader->range, printedName(*read->array) + "@" +
                                       printed(read->offset) +
                                       " is read in turn with what stores it");
  return joins(s);
}

const KnownStrides &Verifier::knownStrides() {
  if (!strides)
    strides.emplace(module);
  return *strides;
}

} // namespace zpl::air
