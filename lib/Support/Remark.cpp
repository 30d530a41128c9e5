//===- Remark.cpp - What the optimizer did and refused --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remarks are one line each, without the source line: a program has hundreds,
// and tests and editors read them by line.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/Remark.h"
#include "llvm/Support/raw_ostream.h"

namespace zpl {

void print(const Remark &remark, const SourceManager &sources,
           llvm::raw_ostream &os) {
  if (remark.range.isValid()) {
    LineColumn at = sources.lineColumn(remark.range);
    os << sources.name(remark.range.file) << ':' << at.line << ':' << at.column
       << ": ";
  }
  os << "remark: " << (remark.kind == Remark::Missed ? "missed: " : "")
     << remark.text << " [" << remark.pass << "]\n";
}

} // namespace zpl
