//===- ClockOffset.h - The clocks of several machines -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_OBSERVE_CLOCKOFFSET_H
#define ZRT_ENTRY_OBSERVE_CLOCKOFFSET_H

#include "Transport/Transport.h"

#include <string>

namespace zrt {

/// What tells one running system from another: processors that give the same
/// share a clock.
std::string machineIdentity();

/// By how many nanoseconds this processor's \p clock is ahead of processor
/// 0's: 0 if both are on the same \p machine. Collective.
int64_t measureClockOffset(Transport &transport, const std::string &machine,
                           int64_t (*clock)());

} // namespace zrt

#endif // ZRT_ENTRY_OBSERVE_CLOCKOFFSET_H
