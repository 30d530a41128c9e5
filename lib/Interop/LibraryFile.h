//===- LibraryFile.h - libzplInterop.so before it is loaded -----*- C++ -*-===//
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

/// Why the file \p path is not this zplc's libzplInterop.so, as "it is cut
/// off"; empty if it is. Nothing of it is loaded or run.
std::string libraryFault(llvm::StringRef path);

} // namespace zpl::interop

#endif // ZPL_LIB_INTEROP_LIBRARYFILE_H
