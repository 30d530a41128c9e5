//===- InputBuffer.h - A file's bytes, looked at ahead ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_INPUTBUFFER_H
#define ZRT_IO_INPUTBUFFER_H

#include "zrt/Abi.h"

#include <functional>
#include <string>
#include <vector>

namespace zrt {

/// Blanks and line ends, which separate items.
inline bool isBlank(int c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

/// The bytes of a file in order, on the processor that reads it. Takes from the
/// system only what is there: waits only when the next byte asked for is not.
/// A failed read ends the run with status 1.
class InputBuffer {
public:
  /// \p beforeWait is called before each request to the system.
  InputBuffer(int descriptor, const std::string &name,
              std::function<void()> beforeWait)
      : descriptor(descriptor), name(name), beforeWait(std::move(beforeWait)) {}

  /// The byte \p ahead places after the next one; End if the file ends before.
  static constexpr int End = -1;
  int peek(size_t ahead = 0) {
    if (ahead >= end - begin && !fill(ahead + 1)) [[unlikely]]
      return End;
    return static_cast<unsigned char>(bytes[begin + ahead]);
  }

  /// Takes the next byte, which was looked at.
  void skip() {
    ++consumed;
    if (bytes[begin++] == '\n') {
      ++line;
      lineStart = consumed;
    }
  }

  /// Takes up to \p count bytes; fewer at the end of the file only.
  size_t take(char *to, size_t count);

  /// Bytes that the system has given and nobody has taken.
  int64_t unread() const { return static_cast<int64_t>(end - begin); }
  /// Forgets those, after the descriptor was moved; \p taken more bytes count
  /// as taken.
  void restart(int64_t taken);
  /// The same, and goes on with another descriptor.
  void moveTo(int newDescriptor) {
    descriptor = newDescriptor;
    restart(0);
  }

  int64_t lineNumber() const { return line; }
  int64_t column() const { return consumed - lineStart + 1; }
  int64_t offset() const { return consumed; }

  const zrt_loc *loc = nullptr; ///< of the statement that reads

private:
  bool fill(size_t needed);
  int64_t request(char *to, size_t count);

  int descriptor;
  std::string name;
  std::function<void()> beforeWait;
  std::vector<char> bytes;
  size_t begin = 0, end = 0; ///< what is unread lies there in `bytes`
  bool ended = false;
  int64_t consumed = 0, line = 1, lineStart = 0;
};

} // namespace zrt

#endif // ZRT_IO_INPUTBUFFER_H
