//===- SelfTransport.h - The transport of one processor ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SELF_SELFTRANSPORT_H
#define ZRT_TRANSPORT_SELF_SELFTRANSPORT_H

#include "Transport/Transport.h"

namespace zrt {

/// The transport of a run of one processor, in this process.
std::unique_ptr<Transport> makeSelfTransport();

} // namespace zrt

#endif // ZRT_TRANSPORT_SELF_SELFTRANSPORT_H
