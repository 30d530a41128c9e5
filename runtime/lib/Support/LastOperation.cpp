//===- LastOperation.cpp - What a processor did last, in words ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For reports of a run that has failed, such as
///
///     p: error: no processor can advance
///       processors 0 and 2-3: waiting in transfer at p.z:12:9
///       processor 1: waiting in reduction at p.z:14:9
///
/// Locations are constants of the executable, at the same addresses in all
/// processes of a run. Whoever reports the death of another processor reads
/// them through the pointer that is in that one's state. Its program may have
/// written anything there, and the report must come nevertheless; so the memory
/// goes through a pipe first: the kernel tells of bad addresses by an error.
///
//===----------------------------------------------------------------------===//

#include "Support/LastOperation.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace zrt;

namespace {

/// A pipe to copy through memory that may not be there.
class Prober {
  int ends[2];
  bool isOpen;

public:
  Prober() : isOpen(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {}
  ~Prober() {
    if (isOpen) {
      close(ends[0]);
      close(ends[1]);
    }
  }
  Prober(const Prober &) = delete;
  Prober &operator=(const Prober &) = delete;

  bool copy(const void *from, void *to, size_t bytes) {
    ssize_t size = static_cast<ssize_t>(bytes);
    return isOpen && write(ends[1], from, bytes) == size &&
           read(ends[0], to, bytes) == size;
  }

  /// The string at \p from up to \p most bytes; empty if it is none.
  std::string copyText(const char *from, size_t most) {
    std::string text;
    for (char c; text.size() < most && copy(from + text.size(), &c, 1);) {
      if (c == 0)
        return text;
      text += c;
    }
    return "";
  }
};

constexpr size_t LongestPath = 4096;

constexpr uint8_t Kinds = 0
#define ZRT_OPERATION(identifier, text, isCollective) +1
#include "Support/Operations.def"
    ;

/// " at file.z:12:7", or nothing if it is not known.
std::string placeText(const zrt_loc *where) {
  Prober prober;
  zrt_loc loc;
  if (!where || !prober.copy(where, &loc, sizeof loc))
    return "";
  std::string file = prober.copyText(loc.file, LongestPath);
  if (file.empty())
    return "";
  return " at " + file + ':' + std::to_string(loc.line) + ':' +
         std::to_string(loc.column);
}

/// "0-2 and 5" of ascending numbers.
std::string numbersText(const std::vector<int> &numbers) {
  std::vector<std::string> pieces;
  for (size_t first = 0, last; first < numbers.size(); first = last + 1) {
    for (last = first;
         last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1;)
      ++last;
    if (last == first + 1) // Two are better listed than a range.
      last = first;
    pieces.push_back(std::to_string(numbers[first]));
    if (last > first)
      pieces.back() += '-' + std::to_string(numbers[last]);
  }
  std::string text = pieces.front();
  for (size_t i = 1; i < pieces.size(); ++i)
    text += (i + 1 == pieces.size() ? " and " : ", ") + pieces[i];
  return text;
}

} // namespace

std::string zrt::lastOperation(const OperationState &state) {
  if (state.count.load(std::memory_order_relaxed) == 0)
    return "before its first operation";
  OperationKind kind = state.kind.load(std::memory_order_relaxed);
  if (static_cast<uint8_t>(kind) >= Kinds)
    return "in an unknown operation";
  bool inside = state.inside.load(std::memory_order_relaxed);
  return std::string(inside ? "in " : "after ") + text(kind) +
         placeText(state.loc.load(std::memory_order_relaxed));
}

std::string zrt::hangReport(const std::vector<std::string> &doing) {
  std::vector<std::string> kinds;
  for (const std::string &text : doing)
    if (std::find(kinds.begin(), kinds.end(), text) == kinds.end())
      kinds.push_back(text);
  std::string lines = "no processor can advance";
  for (const std::string &text : kinds) {
    std::vector<int> ranks;
    for (size_t rank = 0; rank < doing.size(); ++rank)
      if (doing[rank] == text)
        ranks.push_back(static_cast<int>(rank));
    lines += ranks.size() == 1 ? "\n  processor " : "\n  processors ";
    lines += numbersText(ranks) + ": " + text;
  }
  return lines;
}
