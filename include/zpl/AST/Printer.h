//===- Printer.h - The syntax tree as text ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_AST_PRINTER_H
#define ZPL_AST_PRINTER_H

#include "zpl/AST/AST.h"

namespace llvm {
class raw_ostream;
}

namespace zpl::ast {

/// Prints one node per line, children indented, each with its range:
/// `Assign += <7:3-12>` (columns, the end exclusive; `<7:3-8:4>` over lines;
/// `<file.z:1:2-3>` in another file than the program's name).
void print(const Module &module, const SourceManager &sources,
           llvm::raw_ostream &os);

} // namespace zpl::ast

#endif // ZPL_AST_PRINTER_H
