//===- Faults.h - A slow and fickle transport -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_FAULTS_H
#define ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_FAULTS_H

#include "Transport/Transport.h"

namespace zrt::test {

/// \p inner with all the freedom that the contract leaves, taken at random from
/// \p seed, which is the same on all processors: calls take their time, DR and
/// SR happen later than they are called, an exchange becomes several ones or
/// goes through buffers in pieces, messages go in pieces.
std::unique_ptr<Transport> makeFaulty(std::unique_ptr<Transport> inner,
                                      unsigned seed);

} // namespace zrt::test

#endif // ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_FAULTS_H
