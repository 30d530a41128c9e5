//===- Format.h - Programs in the one style ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_FORMAT_FORMAT_H
#define ZPL_FORMAT_FORMAT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace zpl {

/// \p text, called \p name in messages, in the style of zpl-format: the same
/// tokens, comments and lines `#include` in the same order, which is verified.
/// Formatting what this returns changes nothing. Fails on texts that the lexer
/// has errors in.
llvm::Expected<std::string> format(llvm::StringRef name, llvm::StringRef text);

} // namespace zpl

#endif // ZPL_FORMAT_FORMAT_H
