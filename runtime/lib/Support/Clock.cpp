//===- Clock.cpp - Time that only goes forward ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run on a simulated machine has a time of its own, which profiles, traces
// and the program's timers see: `timer_read(t)` gives what the loop before it
// would take there. All of them ask `monotonicSeconds`, and the transport `sim`
// sets another clock behind it. Cost of the question: a branch.
//
//===----------------------------------------------------------------------===//

#include "Support/Clock.h"

namespace zrt {

double (*detail::virtualClock)() = nullptr;

void setVirtualClock(double (*clock)()) { detail::virtualClock = clock; }

} // namespace zrt
