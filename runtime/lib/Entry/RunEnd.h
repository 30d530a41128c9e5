//===- RunEnd.h - Who reports an error, and the end after it ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_RUNEND_H
#define ZRT_ENTRY_RUNEND_H

namespace zrt {

/// Errors before there are processors: one of the processes that a launcher has
/// started reports, and the process ends.
void reportEarly(const char *program);

/// Once processors run: makes them known to their guardians, and has errors
/// reported as the transport and they say. Collective.
void reportAsProcessors();

/// Transport::claimReport, after processor 0 has come to where this one is.
bool claimReport(bool replicated);

/// Transport::abort.
[[noreturn]] void abortRun(int status);

} // namespace zrt

#endif // ZRT_ENTRY_RUNEND_H
