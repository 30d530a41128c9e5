//===- HybridTransport.h - Shared memory inside nodes -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_HYBRID_HYBRIDTRANSPORT_H
#define ZRT_TRANSPORT_HYBRID_HYBRIDTRANSPORT_H

#include "Transport/Transport.h"

namespace zrt {

/// The processors of \p between, of which those on one node also share memory:
/// what goes between two of them does not go through \p between. Collective.
/// Nodes are the machines, or (ZRT_NODE_SIZE) so many processors each, in
/// ascending order. On failure ends the run with a message.
std::unique_ptr<Transport>
makeHybridTransport(std::unique_ptr<Transport> between);

} // namespace zrt

#endif // ZRT_TRANSPORT_HYBRID_HYBRIDTRANSPORT_H
