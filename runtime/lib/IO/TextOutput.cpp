//===- TextOutput.cpp - Standard output and standard error ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer of 64 KiB in front of write(2). Not C's stdio: the buffer must not
// be inherited filled by forked processes nor written twice, an error must be
// seen when it happens, and nothing may be written after it. `prog | head -1`
// ends with
//
//     prog: error: cannot write to standard output: Broken pipe
//
// and status 1 (the signal SIGPIPE is ignored by Entry).
//
//===----------------------------------------------------------------------===//

#include "IO/TextOutput.h"

#include "Support/Error.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace zrt {

static constexpr size_t BufferBytes = 64 * 1024;

TextOutput::TextOutput() : lineBuffered(isatty(STDOUT_FILENO) == 1) {}

void TextOutput::write(int32_t stream, std::string_view text) {
  if (stream == ZRT_ERR) {
    flush();
    writeOut(STDERR_FILENO, "standard error", text);
    return;
  }
  buffer += text;
  if (buffer.size() >= BufferBytes ||
      (lineBuffered && text.find('\n') != text.npos))
    flush();
}

void TextOutput::flush() {
  // Taken first: an error below asks for a flush again.
  std::string pending;
  pending.swap(buffer);
  writeOut(STDOUT_FILENO, "standard output", pending);
  pending.clear();
  buffer.swap(pending); // keeps the memory
}

void TextOutput::writeOut(int descriptor, const char *name,
                          std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready = {descriptor, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      fatal(nullptr, ErrorScope::Local, "cannot write to %s: %s", name,
            std::strerror(errno));
    }
  }
}

} // namespace zrt
