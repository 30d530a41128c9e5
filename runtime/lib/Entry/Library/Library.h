//===- Library.h - A program that is called ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_LIBRARY_LIBRARY_H
#define ZRT_ENTRY_LIBRARY_LIBRARY_H

#include "zrt/Library.h"

#include <string>

namespace zrt {

/// Whether this program is a library, which must leave the process as it is.
bool isLibrary();

/// The communicator that it runs over; null: none.
const int *libraryCommunicator();

/// The options are wrong, nothing has begun: the caller may try again.
[[noreturn]] void refuseToCaller(const std::string &message);

} // namespace zrt

#endif // ZRT_ENTRY_LIBRARY_LIBRARY_H
