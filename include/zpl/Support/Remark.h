//===- Remark.h - What the optimizer did and refused ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_SUPPORT_REMARK_H
#define ZPL_SUPPORT_REMARK_H

#include "zpl/Support/SourceManager.h"
#include <string>

namespace llvm {
class raw_ostream;
}

namespace zpl {

/// One decision of an optimization pass. Remarks never stop a compilation;
/// passes collect them, the driver prints those it was asked for.
struct Remark {
  enum Kind : uint8_t { Applied, Missed } kind = Applied;
  std::string pass;  ///< as in --remarks=PASS; may go on: "fuse:OtherRegion"
  SourceRange range; ///< invalid: the program as a whole
  std::string text;  ///< lower case, no full stop
};

/// Prints `file.z:7:3: remark: text [pass]`, `file.z:7:3: remark: missed: text
/// [pass]`; without a place, the line begins with `remark:`.
void print(const Remark &remark, const SourceManager &sources,
           llvm::raw_ostream &os);

} // namespace zpl

#endif // ZPL_SUPPORT_REMARK_H
