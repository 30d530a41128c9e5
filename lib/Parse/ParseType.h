//===- ParseType.h - Types --------------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_PARSETYPE_H
#define ZPL_LIB_PARSE_PARSETYPE_H

#include "Parsing.h"

namespace zpl {

/// A type: NAME, '[' Dims ']' Type, 'array' '[' Bounds ']' 'of' Type, 'record'
/// Fields 'end', '(' values ')', 'region<...>', 'direction<...>' ... Never
/// null: anything else is reported, starts a panic and gives a type of no name.
ast::TypeExpr *parseType(Parsing &p);

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSETYPE_H
