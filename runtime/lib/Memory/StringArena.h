//===- StringArena.h - Strings at equal addresses everywhere ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_MEMORY_STRINGARENA_H
#define ZRT_MEMORY_STRINGARENA_H

#include <cstddef>
#include <string_view>
#include <unordered_set>

namespace zrt {

/// The strings that a run makes, each distinct one once. They lie in a part of
/// the address space that is the same in every process, so processors that
/// intern the same texts in the same order get the same addresses, and a
/// string may be sent to another processor as a pointer. Strings live as long
/// as the arena; a process has one.
class StringArena {
public:
  /// Reserves addresses, which costs no memory. Should be made before other
  /// large pieces of address space are taken. A failure is reported by the
  /// first `intern`, since most programs never come there.
  StringArena();
  ~StringArena();
  StringArena(const StringArena &) = delete;
  StringArena &operator=(const StringArena &) = delete;

  /// The string with the bytes of \p text up to its first 0. Ends the run if
  /// there is no room.
  const char *intern(std::string_view text);

  /// Where the arena starts.
  static constexpr size_t Start = size_t(0x120000000000);

private:
  void commit(size_t bytes);

  size_t reserved = 0;  ///< bytes of address space
  size_t committed = 0; ///< of these, bytes with memory behind them
  size_t used = 0;
  int reason = 0; ///< errno of a failed reservation
  std::unordered_set<std::string_view> strings; ///< all of them, in the arena
};

} // namespace zrt

#endif // ZRT_MEMORY_STRINGARENA_H
