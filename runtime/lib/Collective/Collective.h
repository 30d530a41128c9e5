//===- Collective.h - Reductions and broadcasts -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_COLLECTIVE_H
#define ZRT_COLLECTIVE_COLLECTIVE_H

#include "Transport/Transport.h"
#include "zrt/Abi.h"

namespace zrt {

/// Combines one value per processor, in place, and gives all processors the
/// same bits. \p kind is an enum zrt_kind: boolean, char, integer, enumeration
/// or real. For a given number of processors the order of combining is fixed.
/// The rules of enum zrt_reduction hold for a single processor too: NaN becomes
/// the identity, -0 becomes +0, logical results are 0 or 1.
void reduce(Transport &transport, void *value, int32_t kind, int32_t reduction);

/// Gives every processor the \p bytes bytes of processor 0.
void broadcast(Transport &transport, void *value, size_t bytes);

/// Returns when all processors have called it.
void barrier(Transport &transport);

} // namespace zrt

#endif // ZRT_COLLECTIVE_COLLECTIVE_H
