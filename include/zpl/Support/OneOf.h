//===- OneOf.h - One of several types ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_SUPPORT_ONEOF_H
#define ZPL_SUPPORT_ONEOF_H

#include <concepts>

namespace zpl {

/// Whether T is one of \p Types: an overload for several kinds of nodes takes a
/// `const OneOf<ExitStmt, ContinueStmt> auto &`.
template <typename T, typename... Types>
concept OneOf = (std::same_as<T, Types> || ...);

} // namespace zpl

#endif // ZPL_SUPPORT_ONEOF_H
