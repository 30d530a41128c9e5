//===- Printer.cpp - The syntax tree as text ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For `[R] A := B@east;` the dump is
//
//     Scope <7:3-20>
//       RegionLit <7:3-6>
//         Single <7:4-5>
//           NameRef R <7:4-5>
//       Assign := <7:7-19>
//         NameRef A <7:7-8>
//         At @ <7:12-18>
//           NameRef B <7:12-13>
//           NameRef east <7:14-18>
//
// A recursive walk; the parser bounds the depth of a tree.
//
//===----------------------------------------------------------------------===//

#include "zpl/AST/Printer.h"
#include "TreePrinter.h"

using namespace llvm;

namespace zpl::ast {

raw_ostream &TreePrinter::begin(StringRef kind) {
  os.indent(2 * depth) << kind;
  return os;
}

void TreePrinter::line(StringRef kind, SourceRange range) {
  begin(kind);
  end(range);
}

void TreePrinter::quoted(StringRef text) {
  os << " \"";
  os.write_escaped(text) << '"';
}

void TreePrinter::end(SourceRange range) {
  if (!range.isValid()) {
    os << " <>\n";
    return;
  }
  LineColumn from = sources.lineColumn(range);
  LineColumn to = sources.lineColumn({range.file, range.end, range.end});
  os << " <";
  if (range.file != file)
    os << sources.name(range.file) << ':';
  os << from.line << ':' << from.column << '-';
  if (to.line != from.line)
    os << to.line << ':';
  os << to.column << ">\n";
}

void TreePrinter::print(const Module &module) {
  begin("Program ") << module.name.text;
  end(module.name.range);
  Nested nested(depth);
  for (const Decl *decl : module.decls)
    print(decl);
}

void print(const Module &module, const SourceManager &sources,
           raw_ostream &os) {
  TreePrinter(sources, os, module.name.range.file).print(module);
}

} // namespace zpl::ast
