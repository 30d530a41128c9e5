//===- Faults.h - A full stack in a library ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_LIBRARY_FAULTS_H
#define ZRT_ENTRY_LIBRARY_FAULTS_H

namespace zrt {

/// From now on a full stack of the program is an error that its caller hears
/// of. Handlers of memory faults that there are get all other faults.
void watchStack();
/// The handlers are those of before, unless somebody has replaced ours.
void unwatchStack();

/// Gives the calling thread a stack for handlers, if it has none.
void takeSignalStackOfThread();

} // namespace zrt

#endif // ZRT_ENTRY_LIBRARY_FAULTS_H
