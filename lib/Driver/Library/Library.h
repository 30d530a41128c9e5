//===- Library.h - Programs that are called ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `zplc --library kernel.z -o libkernel.so`. Three steps stand between the
/// phases: after the parser a frame is added to the program, which calls what
/// it exports (Frame.cpp); after Sema it is known of which types that is
/// (Exports.cpp), and texts are made: C code that is linked in, a C header, a
/// Fortran and a Python module.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_DRIVER_LIBRARY_LIBRARY_H
#define ZPL_LIB_DRIVER_LIBRARY_LIBRARY_H

#include "zpl/AST/AST.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"
#include <string>

namespace zpl::driver {

/// What a library has beside its object.
struct LibraryTexts {
  std::string name; ///< of the program
  std::string glue; ///< C
  std::string header, fortran, python;
};

/// Adds the frame to \p syntax, whose nodes live in \p context. Reports exports
/// that cannot be; then there may be errors.
void addFrame(ast::Module &syntax, ast::Context &context,
              SourceManager &sources, DiagnosticEngine &diags);

/// The texts for \p program, which has been checked with its frame, \p name
/// being what it was called before; \p file is that of the library. Reports
/// types that cannot cross.
LibraryTexts makeLibraryTexts(const ast::Module &syntax,
                              const sema::Program &program,
                              llvm::StringRef name, llvm::StringRef file,
                              DiagnosticEngine &diags);

/// Writes header and modules beside the library at \p output.
bool writeLibraryTexts(const LibraryTexts &texts, llvm::StringRef output);

} // namespace zpl::driver

#endif // ZPL_LIB_DRIVER_LIBRARY_LIBRARY_H
