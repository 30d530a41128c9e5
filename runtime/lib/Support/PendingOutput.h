//===- PendingOutput.h - Output on its way to the system --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_PENDINGOUTPUT_H
#define ZRT_SUPPORT_PENDINGOUTPUT_H

#include <atomic>
#include <cstddef>
#include <memory>
#include <string_view>

namespace zrt {

/// What was written to one file and has not been handed to the system. The
/// keeper of the process (Support/Keeper) may hand it on at any time, and does
/// after the process has ended, however that was.
class PendingOutput {
public:
  static constexpr size_t Bytes = 64 * 1024;

  /// Of the file behind \p descriptor, which stays open as long as this lives.
  PendingOutput(int descriptor, bool isRegular);
  ~PendingOutput();
  PendingOutput(const PendingOutput &) = delete;
  PendingOutput &operator=(const PendingOutput &) = delete;

  /// Takes \p text of at most Bytes; hands on first what leaves no room for
  /// it. Like all of these, errno of a write that failed, now or since the
  /// last call, or 0. What could not be written is dropped.
  int append(std::string_view text);
  /// Hands everything on.
  int handOn();
  /// Hands everything on, and then \p text.
  int handOn(std::string_view text);

private:
  friend void handOnAllOutput();
  friend void handOnLastOutput();
  void handOnHere();

  const int descriptor;
  const bool isRegular;
  std::unique_ptr<char[]> data;
  std::atomic<size_t> first = 0, last = 0; ///< data from here to there
  int failure = 0;
  PendingOutput *next = nullptr;
};

/// What keepers call, while the process runs: hands on what all files have, if
/// nobody else is about to.
void handOnAllOutput();

/// The same at the end of the process, which may have been in the midst of
/// anything: called by its signal handlers, and after it has gone.
void handOnLastOutput();

} // namespace zrt

#endif // ZRT_SUPPORT_PENDINGOUTPUT_H
