//===- CrashReport.h - Ends that nobody else would explain ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_CRASHREPORT_H
#define ZRT_ENTRY_CRASHREPORT_H

#include <csignal>

namespace zrt {

/// In a handler of a memory fault that gets \p info and \p context: reports that
/// the stack is full, and ends the run.
[[noreturn]] void reportFullStack(const siginfo_t &info, const void *context);

/// Notes which signals nobody handles. Before transports are started, whose
/// libraries have handlers of their own.
void noteSignals();

/// From now on this processor says what has happened, and what it did last,
/// when
/// - the runtime finds no memory for something of its own: the run ends with
///   status 1;
/// - its stack is full: likewise, with the procedure that was at work;
/// and, unless the transport reports deaths by itself,
/// - a signal ends it that is a mistake of the program (a segmentation fault)
///   and that nobody handled at noteSignals; it dies of the signal
///   nevertheless;
/// - linked code calls `exit` or `_exit`: the run ends with status 1; on one
///   processor a status that is not 0 remains, and says enough.
/// For once the processors run.
void prepareCrashReport();

/// The run has come to its regular end: no more of that.
void dropCrashReport();

} // namespace zrt

#endif // ZRT_ENTRY_CRASHREPORT_H
