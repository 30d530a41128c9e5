//===- Frame.h - ZPL text around what is exported ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Names that frame, glue and types have in common.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_DRIVER_LIBRARY_FRAME_H
#define ZPL_LIB_DRIVER_LIBRARY_FRAME_H

#include "zpl/AST/AST.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace zpl::driver {

/// The variable of C, or the array, in which a parameter of an exported
/// procedure passes.
inline std::string placeName(llvm::StringRef procedure, llvm::StringRef param) {
  return procedure.str() + "__" + param.str();
}

/// The function of C that keeps a string result.
inline std::string keepName(llvm::StringRef procedure) {
  return procedure.str() + "__keep";
}

inline constexpr const char *FrameName = "zplL_frame";
inline constexpr const char *NextName = "zplL_next";

/// What is exported, in the order of the source.
struct ExportedSyntax {
  std::vector<const ast::ProcedureDecl *> procedures;
  struct Array {
    std::string name; ///< of the global variable
    const ast::ParallelType *type;
    SourceRange range;
  };
  /// Those that are exported, then those of parameters.
  std::vector<Array> arrays;
  size_t exportedArrays = 0;
};

ExportedSyntax exportsOf(const ast::Module &syntax);

/// \p type behind names that \p syntax declares for types.
const ast::TypeExpr *plainType(const ast::Module &syntax,
                               const ast::TypeExpr *type);

/// Whether it is `string`.
bool isString(const ast::Module &syntax, const ast::TypeExpr *type);

/// Whether the library has a function of its own that is called so.
bool isLibraryName(llvm::StringRef name);

} // namespace zpl::driver

#endif // ZPL_LIB_DRIVER_LIBRARY_FRAME_H
