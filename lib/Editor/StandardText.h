//===- StandardText.h - Predeclared names in words --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_EDITOR_STANDARDTEXT_H
#define ZPL_LIB_EDITOR_STANDARDTEXT_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace zpl::editor {

/// What there is to say of a predeclared name.
struct StandardText {
  bool isFunction;
  llvm::StringRef parameters; ///< "x, y"; "<<A" of what is a reduction only
  llvm::StringRef what;       ///< may be empty
};

/// None: \p name is not predeclared.
std::optional<StandardText> standardText(llvm::StringRef name);

} // namespace zpl::editor

#endif // ZPL_LIB_EDITOR_STANDARDTEXT_H
