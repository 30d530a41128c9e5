//===- Context.h - Owner of the syntax tree ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_AST_CONTEXT_H
#define ZPL_AST_CONTEXT_H

#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <memory>
#include <type_traits>

namespace zpl::ast {

/// A name where it stands.
struct Name {
  llvm::StringRef text;
  SourceRange range;
};

/// Owns the nodes, their lists and the texts that do not stand in the source.
/// Nodes need no destructor, so the tree goes away in one piece, however deep.
class Context {
public:
  template <typename T, typename... Args> T *make(Args &&...args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (arena.Allocate<T>()) T(std::forward<Args>(args)...);
  }

  /// A copy of a list that lives as long as the tree.
  template <typename List> auto keep(const List &list) {
    using T = std::remove_const_t<
        std::remove_reference_t<decltype(*std::begin(list))>>;
    static_assert(std::is_trivially_destructible_v<T>);
    size_t size = std::size(list);
    T *copy = arena.Allocate<T>(size);
    std::uninitialized_copy(std::begin(list), std::end(list), copy);
    return llvm::ArrayRef<T>(copy, size);
  }

  /// A copy of \p text that lives as long as this.
  llvm::StringRef keepText(llvm::StringRef text) { return text.copy(arena); }

private:
  llvm::BumpPtrAllocator arena;
};

} // namespace zpl::ast

#endif // ZPL_AST_CONTEXT_H
