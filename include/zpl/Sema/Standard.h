//===- Standard.h - The predeclared names, for editors ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_STANDARD_H
#define ZPL_SEMA_STANDARD_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace zpl::sema {

/// A name that every program knows without declaring it.
struct StandardName {
  llvm::StringRef name; ///< lives for ever
  bool isFunction;      ///< called with arguments, or `f<< A`
  unsigned least, most; ///< isFunction: how many arguments; 0 for `f<< A`
};

/// All of them; keywords that convert (`double(x)`) as well.
std::vector<StandardName> standardNames();

} // namespace zpl::sema

#endif // ZPL_SEMA_STANDARD_H
