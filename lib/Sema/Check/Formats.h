//===- Formats.h - Formats of input and output ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_FORMATS_H
#define ZPL_LIB_SEMA_CHECK_FORMATS_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

/// A format cut into pieces with one conversion each.
struct Format {
  std::vector<std::string> pieces;
  std::vector<char> conversions; ///< of each piece
  const char *error = nullptr;   ///< what is wrong with it; null: nothing
};

/// Cuts \p text, `"k = %d, %5.2f\n"`, into pieces that end with one conversion
/// each; what follows the last belongs to it. `error` says what is wrong, also
/// that there is none.
Format parseFormat(llvm::StringRef text);

/// Whether \p conversion prints or reads values of scalar type \p type
/// (language 14); of a complex type one of its parts.
bool fits(char conversion, Type type);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_FORMATS_H
