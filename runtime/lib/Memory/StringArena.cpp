//===- StringArena.cpp - Strings at equal addresses everywhere ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that reads words into an array of strings,
//
//     while !eof(f) do read(f, Names); ... A := Names@east; end
//
// stores pointers in Names; they go to other processors as they are. That
// works because every processor is told the same words in the same order and
// appends those that are new to one stretch of memory at one address:
//
//     0x120000000000   north\0east\0south\0...
//
// The address is fixed: the kernel places mappings from the top of the address
// space downwards and programs at its lower end or at 0x55.., and address
// sanitizers keep their shadow right below the arena. 64 GiB are reserved
// without memory, less where the address space is limited.
//
// A word met before costs a hash and a comparison and no memory.
//
//===----------------------------------------------------------------------===//

#include "Memory/StringArena.h"

#include <algorithm>

namespace zrt {

const char *StringArena::intern(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  auto found = strings.find(text);
  if (found != strings.end())
    return found->data();
  char *copy = heap.make(text.size() + 1);
  *std::copy(text.begin(), text.end(), copy) = 0;
  strings.insert({copy, text.size()});
  return copy;
}

void StringArena::forgetSwept() {
  std::erase_if(strings, [&](std::string_view text) {
    return !heap.isKept(reinterpret_cast<uintptr_t>(text.data()));
  });
}

} // namespace zrt
