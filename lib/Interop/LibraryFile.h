//===- LibraryFile.h - Whether libzplInterop.so is ours ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTEROP_LIBRARYFILE_H
#define ZPL_LIB_INTEROP_LIBRARYFILE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace zpl::interop {

/// Says why \p file, of any kind and content, must not be loaded: it is no
/// whole shared library, or not the one that was built with this zplc. "" for
/// the right one. Executes nothing of it.
std::string faultOfLibrary(llvm::StringRef file);

} // namespace zpl::interop

#endif // ZPL_LIB_INTEROP_LIBRARYFILE_H
