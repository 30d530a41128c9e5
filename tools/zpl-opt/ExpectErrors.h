//===- ExpectErrors.h - Many small rejected inputs in one file --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_TOOLS_ZPL_OPT_EXPECTERRORS_H
#define ZPL_TOOLS_ZPL_OPT_EXPECTERRORS_H

#include "zpl/ArrayIR/ArrayIR.h"

namespace zpl {

/// Reads \p file as parts, which lines `-- ---` separate. What stands before
/// the first such line belongs to each part. Each part must be rejected with
/// one error that contains TEXT, at the line that ends in the comment
/// `-- error: TEXT`. A part without such a comment must be accepted.
///
/// Prints each disappointment to standard error; true if there was none and
/// there was at least one part.
bool expectErrors(uint32_t file, const SourceManager &sources);

/// Parses and verifies. Null, and \p error set to `name:line:column: error:
/// ...`, if the text is not a module in order.
std::unique_ptr<air::Module> load(uint32_t file, const SourceManager &sources,
                                  std::string &error);

} // namespace zpl

#endif // ZPL_TOOLS_ZPL_OPT_EXPECTERRORS_H
