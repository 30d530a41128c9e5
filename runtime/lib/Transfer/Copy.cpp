//===- Copy.cpp - Executing copies by a map of indices --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts become memory blocks; a mirrored dimension has a negative stride at the
// source. `reflect A` in [2] of R, R = [1..8], on processor 1 of two:
//
//     part [9..10]    from: base of index 8, 2 steps of -8 bytes
//                     to:   base of index 9, 2 steps of 8 bytes
//
// One exchange carries what goes to other processors, packed in the order of
// the target; what stays here is copied while that is under way.
//
// Cost: planning takes a few microseconds and then time in proportion to the
// partners and pieces, the rest is that of the elements.
//
//===----------------------------------------------------------------------===//

#include "Transfer/Copy.h"

#include "Memory/ElementView.h"
#include "Transport/Blocks.h"
#include "Transport/PairOrder.h"

#include <cstring>

namespace zrt {

/// The exchange of \p parts; null if this processor has none in it.
static std::unique_ptr<Exchange>
exchangeOf(Transport &transport, const zrt_array &target,
           const zrt_array &source, const std::vector<CopyPiece> &pieces,
           const std::vector<PartnerParts> &parts) {
  std::vector<Pair> pairs;
  for (const PartnerParts &both : parts) {
    Pair pair;
    pair.partner = both.partner;
    for (const PiecePart &part : both.sends)
      pair.sends.push_back(
          blockOf(source, part.box, pieces[part.piece].source));
    for (const PiecePart &part : both.receives)
      pair.receives.push_back(blockOf(target, part.box));
    pairs.push_back(std::move(pair));
  }
  bool takesPart = !pairs.empty();
  orderPairs(transport, pairs);
  std::unique_ptr<Exchange> exchange = transport.makeExchange(std::move(pairs));
  if (!takesPart)
    exchange.reset();
  return exchange;
}

Copy::Copy(Transport &transport, const Distribution &distribution,
           const zrt_array &target, const zrt_array &source,
           const std::vector<CopyPiece> &pieces) {
  if (pieces.empty() || source.type->size == 0)
    return;
  CopyParts parts = planCopy(distribution, pieces, target.region.floods,
                             source.region.floods, transport.rank());
  exchange = exchangeOf(transport, target, source, pieces, parts.partners);
  for (const PiecePart &part : parts.here)
    here.push_back({blockOf(source, part.box, pieces[part.piece].source),
                    blockOf(target, part.box)});
}

void Copy::run() {
  begin();
  await();
  finish();
}

void Copy::begin() {
  if (exchange) {
    exchange->destinationReady();
    exchange->sourceReady();
  }
  for (const Local &local : here)
    copyBlock(local.from, local.to);
}

void Copy::await() {
  if (exchange)
    exchange->destinationNeeded();
}

void Copy::finish() {
  if (exchange)
    exchange->sourceVolatile();
}

/// Copies the elements of equal counts whose flag is \p value.
static void copyWhere(const ElementView &to, const ElementView &from,
                      const ElementView &flags, bool value, size_t bytes) {
  int last = to.rank - 1;
  forEachLine(to.rank, to.count, last, [&](const int64_t *at) {
    char *target = addressIn(to, at);
    const char *source = addressIn(from, at), *flag = addressIn(flags, at);
    for (int64_t k = 0; k < to.count[last]; ++k)
      if ((flag[k * flags.step[last]] != 0) == value)
        std::memcpy(target + k * to.step[last], source + k * from.step[last],
                    bytes);
  });
}

void copyOwnWhere(const Distribution &distribution, int self, zrt_array &target,
                  const zrt_array &source, const std::vector<CopyPiece> &pieces,
                  const zrt_mask &mask) {
  size_t bytes = static_cast<size_t>(source.type->size);
  CopyParts parts = planCopy(distribution, pieces, target.region.floods,
                             source.region.floods, self);
  for (const PiecePart &part : parts.here) {
    Box from = applied(pieces[part.piece].source, part.box);
    copyWhere(viewOf(target, part.box), viewOf(source, from),
              viewOf(*mask.array, from), mask.value != 0, bytes);
  }
}

} // namespace zrt
