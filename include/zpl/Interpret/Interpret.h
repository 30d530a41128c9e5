//===- Interpret.h - Executes a checked program directly --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_INTERPRET_INTERPRET_H
#define ZPL_INTERPRET_INTERPRET_H

#include "zpl/Sema/Program.h"
#include "zpl/Support/SourceManager.h"
#include <string>
#include <vector>

namespace zpl {

struct InterpretOptions {
  /// The program's own arguments: `-sn=10`, `--n=10`.
  std::vector<std::string> arguments;
  /// Floating sums and products are those of the tree over positions
  /// (-freproducible); else they are made in row-major order.
  bool reproducible = false;
  /// Signed integers that wrap around end the run (-fcheck).
  bool checksOverflow = false;
  /// Compiled programs multiply and add with one rounding: the machine can, and
  /// the user wants it (docs/Rounding.md).
  bool fusesMultiplyAdd = false;
  /// Functions of VectorMath.h are SLEEF's, as in compiled programs; zplc is
  /// built with it, and this machine can run them.
  bool usesVectorMath = false;
  /// Where plug-ins for formats of files are.
  std::string pluginDir;
};

/// Executes \p program as if on one processor; \p sources are those it was made
/// of. Gives its exit status: 0; 1 after a run-time error or `halt`; 2 if the
/// arguments are wrong.
int interpret(const sema::Program &program, const SourceManager &sources,
              const InterpretOptions &options);

} // namespace zpl

#endif // ZPL_INTERPRET_INTERPRET_H
