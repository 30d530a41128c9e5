//===- Parser.h - Text to array IR ------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_PARSER_H
#define ZPL_ARRAYIR_PARSER_H

#include "zpl/ArrayIR/ArrayIR.h"

namespace zpl::air {

/// Reads the text form of docs/ArrayIR.md from a file of \p sources. The nodes'
/// ranges are places in that text. The result is well formed as text only:
/// names are declared and of the right sort, but types and forms are for
/// air::verify.
///
/// On an error gives null and sets \p error to `name:line:column: error: ...`
/// without a line end. Any bytes are legal input.
std::unique_ptr<Module> parse(uint32_t file, const SourceManager &sources,
                              std::string &error);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_PARSER_H
