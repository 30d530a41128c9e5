//===- StringArena.h - Strings at equal addresses everywhere ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_MEMORY_STRINGARENA_H
#define ZRT_MEMORY_STRINGARENA_H

#include "Memory/StringHeap.h"

#include <string_view>
#include <unordered_set>

namespace zrt {

/// The strings that all processors have, each distinct one once. They lie in a
/// part of the address space that is the same in every process, so processors
/// that intern the same texts in the same order get the same addresses, and a
/// string may be sent to another processor as a pointer. A process has one, or
/// one for each processor that it simulates, all over the same memory: what one
/// puts there the others put there, too.
class StringArena {
public:
  /// Reserves addresses, which costs no memory. Should be made before other
  /// large pieces of address space are taken. \p isThere: another one of this
  /// process has.
  explicit StringArena(bool isThere = false, bool isLast = true)
      : heap(Start, Most, isThere, isLast) {}

  /// The string with the bytes of \p text up to its first 0. Ends the run if
  /// there is no room.
  const char *intern(std::string_view text);

  /// Forgets what a sweep of the heap has taken.
  void forgetSwept();

  /// Where the strings lie.
  StringHeap heap;

  /// Where the arena starts, and how far it reaches.
  static constexpr size_t Start = size_t(0x120000000000);
  static constexpr size_t Most = size_t(64) << 30;

private:
  std::unordered_set<std::string_view> strings; ///< all of them, in the heap
};

} // namespace zrt

#endif // ZRT_MEMORY_STRINGARENA_H
