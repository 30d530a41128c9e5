//===- PairOrder.h - Whom an exchange goes to first -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_PAIRORDER_H
#define ZRT_TRANSPORT_PAIRORDER_H

#include "Transport/Transport.h"

namespace zrt {

/// Puts the pairs of an exchange between many of \p transport's processors into
/// the order in which they are sent and received: by the partner's number, or,
/// from `exchange.rounds-from` partners on, in rounds. Local: others may choose
/// otherwise.
void orderPairs(const Transport &transport, std::vector<Pair> &pairs);

} // namespace zrt

#endif // ZRT_TRANSPORT_PAIRORDER_H
