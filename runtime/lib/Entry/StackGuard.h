//===- StackGuard.h - Recursion without an end ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_STACKGUARD_H
#define ZRT_ENTRY_STACKGUARD_H

#include "zrt/AbiTypes.h"

#include <csignal>

namespace zrt {

/// Lets the stack of this process grow far enough for deep recursions, if the
/// system's limit allows it. Before processors are started.
void extendStack();

/// Whether a handler of a memory fault, which gets these arguments, was called
/// because the stack is full. Asynchronously safe, as is procedureAt.
bool isStackExhausted(const siginfo_t &info, const void *context);

/// Whether it was called in code of the program, and not of the runtime or of C.
bool isProgramCode(const void *context);

/// The procedure of the program that was at work then, or that had called what
/// was; null if there is none. The page of the fault's address is not read.
const zrt_procedure *procedureAt(const siginfo_t &info, const void *context);

} // namespace zrt

#endif // ZRT_ENTRY_STACKGUARD_H
