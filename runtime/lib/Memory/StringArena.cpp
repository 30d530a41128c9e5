//===- StringArena.cpp - Strings at equal addresses everywhere ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that reads words into an array of strings,
//
//     while !eof(f) do read(f, name); [i] Names := name; ... A := Names@east;
//     end
//
// stores pointers in Names; they go to other processors as they are. That
// works because every processor reads the same words in the same order and
// appends those that are new to one stretch of memory at one address:
//
//     0x120000000000   north\0east\0south\0...
//
// The address is fixed: the kernel places mappings from the top of the address
// space downwards and programs at its lower end or at 0x55.., and address
// sanitizers keep their shadow right below the arena. 64 GiB are reserved
// without memory, less where the address space is limited; memory is added by
// the MiB.
//
// A word met before costs a hash and a comparison and no memory.
//
//===----------------------------------------------------------------------===//

#include "Memory/StringArena.h"

#include "Support/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>

namespace zrt {

static constexpr size_t MiB = size_t(1) << 20;
static constexpr size_t Most = size_t(64) << 30;

static char *arenaStart() {
  return reinterpret_cast<char *>(StringArena::Start);
}

/// How much address space to take: a sixteenth of it where it is limited.
static size_t reservation() {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return Most;
  return std::clamp(limit.rlim_cur / 16 / MiB * MiB, MiB, Most);
}

StringArena::StringArena() {
  size_t bytes = reservation();
  void *memory = mmap(
      arenaStart(), bytes, PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == arenaStart()) {
    reserved = bytes;
    return;
  }
  reason = errno;
  if (memory == MAP_FAILED)
    return;
  munmap(memory, bytes); // a system that takes the address for a wish
  reason = EEXIST;
}

StringArena::~StringArena() {
  if (reserved)
    munmap(arenaStart(), reserved);
}

void StringArena::commit(size_t bytes) {
  if (!reserved)
    fatal(nullptr, ErrorScope::Local, "cannot keep strings at address %#zx: %s",
          Start,
          reason == EEXIST ? "something else is there" : std::strerror(reason));
  size_t more = (used + bytes - committed + MiB - 1) / MiB * MiB;
  if (more > reserved - committed ||
      mprotect(arenaStart() + committed, more, PROT_READ | PROT_WRITE) != 0)
    fatal(nullptr, ErrorScope::Local,
          "out of memory: a string of %zu bytes, after %zu bytes of others",
          bytes - 1, used);
  committed += more;
}

const char *StringArena::intern(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  auto found = strings.find(text);
  if (found != strings.end())
    return found->data();
  size_t bytes = text.size() + 1;
  if (bytes > committed - used)
    commit(bytes);
  char *copy = arenaStart() + used; // fresh memory: the final 0 is there
  std::copy(text.begin(), text.end(), copy);
  used += bytes;
  strings.insert({copy, text.size()});
  return copy;
}

} // namespace zrt
