//===- Strings.h - Strings that the program makes ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_STRINGS_H
#define ZRT_ENTRY_STRINGS_H

#include "IO/Text/Format.h"
#include "Memory/StringArena.h"
#include "zrt/Abi.h"

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace zrt {

/// The strings of one processor, and where pointers to them may be.
struct Strings {
  /// Above the shared ones.
  static constexpr size_t OwnStart = StringArena::Start + StringArena::Most;

  /// Of the processor at \p place among \p places in this process.
  Strings(int place, int places)
      : shared(/*isThere=*/place > 0, /*isLast=*/places == 1),
        own(OwnStart + static_cast<size_t>(place) * ownMost(places),
            ownMost(places), /*isThere=*/false, /*isLast=*/places == 1) {}
  /// Many processors have 4 TiB of addresses together, each at most what one
  /// has alone.
  static constexpr size_t ownMost(int places) {
    constexpr size_t All = size_t(4) << 40, Step = size_t(1) << 20;
    size_t each = All / static_cast<size_t>(places) / Step * Step;
    return each < StringArena::Most ? each : StringArena::Most;
  }

  StringArena shared;      ///< at equal addresses on all processors
  StringHeap own;          ///< this processor's
  uintptr_t stackBase = 0; ///< the program's frames lie below
  /// Arrays whose elements may hold strings; variables in memory of their own,
  /// with their sizes.
  std::unordered_set<const zrt_array *> arrays;
  std::unordered_map<const void *, size_t> variables;
  /// Transfers and collectives that have begun and not ended: what is on its
  /// way is in nobody's memory.
  int64_t underway = 0;

  /// A literal that formats values of a type, taken apart.
  struct KnownFormat {
    const char *text = nullptr;
    const zrt_type *type = nullptr;
    Format format;
  };
  std::array<KnownFormat, 64> formats; ///< by the literal's address
  std::string text;                    ///< that is being made; keeps its memory
};

/// Room for a string of \p bytes bytes of this processor, its final 0 included.
/// May collect: strings that nothing reaches then are gone, also those in
/// memory of the runtime itself.
char *newString(size_t bytes);

/// This processor's copy of \p text, which is no string of its own.
const char *newString(std::string_view text);

/// Gives the strings in the elements of \p array that are stored here addresses
/// that are the same on all processors. Collective.
void shareStrings(zrt_array &array);

/// The same of one string per processor, and of those in a value.
void shareString(const char *&value);
void shareValue(const zrt_type &type, void *value);

/// Makes the strings of a value, which is the same on all processors, shared
/// ones; to be called on all alike.
void shareAlike(const zrt_type &type, void *value);

/// To be called on all processors alike, before strings are put into the arena.
void collectSharedIfDue();

} // namespace zrt

#endif // ZRT_ENTRY_STRINGS_H
