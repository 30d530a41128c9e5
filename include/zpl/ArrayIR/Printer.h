//===- Printer.h - Array IR to text -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints the text form of docs/ArrayIR.md. What is printed of a verified
/// module, air::parse reads back as an equal module; source ranges are not
/// part of the text. Modules that would not verify can be printed too (a
/// missing operand shows as `<null>`), for debugging.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_PRINTER_H
#define ZPL_ARRAYIR_PRINTER_H

#include "zpl/ArrayIR/ArrayIR.h"

namespace llvm {
class raw_ostream;
}

namespace zpl::air {

/// Prints all of it; what is nested is indented.
void print(const Module &module, llvm::raw_ostream &os);
void print(const Procedure &procedure, llvm::raw_ostream &os);
/// Nested statements included; ends with a line end.
void print(const Stmt &stmt, llvm::raw_ostream &os);
void print(const Expr &expr, llvm::raw_ostream &os);

/// A name as the text form has it: `%A`, `@n`, `%"odd name"`.
std::string printedName(const Variable &variable);
std::string printedName(const Region &region);
std::string printedName(const Array &array);
std::string printedName(const Transfer &transfer);
std::string printedName(const Procedure &procedure);
/// `(-1,0)`.
std::string printed(const Offset &offset);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_PRINTER_H
