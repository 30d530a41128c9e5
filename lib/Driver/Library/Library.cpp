//===- Library.cpp - The files of a library -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `zplc --library kernel.z -o out/libkernel.so` writes out/kernel.h,
/// out/kernel.f90 and out/kernel.py as well, named after the program.
///
//===----------------------------------------------------------------------===//

#include "Library/Library.h"
#include "Library/Exports.h"
#include "Output.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace zpl::driver {

LibraryTexts makeLibraryTexts(const ast::Module &syntax,
                              const sema::Program &program, StringRef name,
                              StringRef file, DiagnosticEngine &diags) {
  Exports exports = collectExports(syntax, program, name, diags);
  exports.file = sys::path::filename(file).str();
  return {exports.name, glueText(exports), headerText(exports),
          fortranText(exports), pythonText(exports)};
}

bool writeLibraryTexts(const LibraryTexts &texts, StringRef output) {
  auto write = [&](StringRef ending, StringRef text) {
    SmallString<128> path = sys::path::parent_path(output);
    sys::path::append(path, texts.name + ending);
    return writeOutput(path.str().str(), text);
  };
  return write(".h", texts.header) && write(".f90", texts.fortran) &&
         write(".py", texts.python);
}

} // namespace zpl::driver
