//===- InputBuffer.cpp - A file's bytes, looked at ahead ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window on the file that grows when somebody looks far ahead (`eof` skips
// blanks without taking them) and else stays at 64 KiB:
//
//     ... 12  34\n 5 ...
//         ^begin     ^end        peek() is '1', peek(2) is ' '
//
// Line and column are counted as bytes are taken: the line's number and where
// it starts, so that the column costs nothing until an error asks for it.
//
//===----------------------------------------------------------------------===//

#include "IO/InputBuffer.h"

#include "IO/Descriptor.h"
#include "Support/Error.h"

#include <cstring>

namespace zrt {

static constexpr size_t ReadBufferBytes = 64 * 1024;

int64_t InputBuffer::request(char *to, size_t count) {
  if (ended)
    return 0;
  beforeWait();
  int64_t n = readSome(descriptor, to, count);
  if (n < 0)
    fatal(loc, ErrorScope::Replicated, "cannot read from %s: %s", name.c_str(),
          std::strerror(static_cast<int>(-n)));
  ended = n == 0;
  return n;
}

bool InputBuffer::fill(size_t needed) {
  while (end - begin < needed) {
    if (begin > 0 && (begin == end || bytes.size() - begin < needed)) {
      std::memmove(bytes.data(), bytes.data() + begin, end - begin);
      end -= begin;
      begin = 0;
    }
    if (bytes.size() - begin < std::max(needed, ReadBufferBytes) &&
        end == bytes.size())
      bytes.resize(std::max(bytes.size() * 2, ReadBufferBytes));
    int64_t n = request(bytes.data() + end, bytes.size() - end);
    if (n == 0)
      return false;
    end += static_cast<size_t>(n);
  }
  return true;
}

size_t InputBuffer::take(char *to, size_t count) {
  size_t done = std::min(count, end - begin);
  if (done > 0)
    std::memcpy(to, bytes.data() + begin, done);
  begin += done;
  while (done < count) {
    int64_t n = request(to + done, count - done);
    if (n == 0)
      break;
    done += static_cast<size_t>(n);
  }
  consumed += static_cast<int64_t>(done);
  return done;
}

void InputBuffer::restart(int64_t taken) {
  begin = end = 0;
  ended = false;
  consumed += taken;
}

} // namespace zrt
