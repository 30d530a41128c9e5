//===- Transport.cpp - Messages with their lengths in front ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     Content-Length: 52\r\n
//     \r\n
//     {"jsonrpc":"2.0","id":1,"method":"shutdown"}
//
// A header ends at an empty line. One without a length, or with one that is no
// number or too large, cannot be skipped with what belongs to it: it is told,
// and reading goes on behind it, where the next header stands if the sender has
// only confused one message.
//
//===----------------------------------------------------------------------===//

#include "Transport.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <optional>
#include <poll.h>
#include <unistd.h>

using namespace llvm;

namespace zpl::editor {

static constexpr size_t longestMessage = 256u << 20;
static constexpr size_t longestHeader = 1u << 16;

/// Reads more into the buffer; false at the end.
static bool fill(Input &input) {
  if (input.at > 0) {
    input.buffer.erase(0, input.at);
    input.at = 0;
  }
  size_t old = input.buffer.size();
  input.buffer.resize(old + (1u << 16));
  ssize_t count;
  do
    count = read(input.descriptor, input.buffer.data() + old, 1u << 16);
  while (count < 0 && errno == EINTR);
  input.buffer.resize(old + (count > 0 ? static_cast<size_t>(count) : 0));
  return count > 0;
}

/// A line of the header without its end; none at the end of the input.
static std::optional<std::string> headerLine(Input &input) {
  for (;;) {
    size_t end = input.buffer.find('\n', input.at);
    if (end != std::string::npos) {
      StringRef line = StringRef(input.buffer).slice(input.at, end).rtrim('\r');
      std::string copy = line.str();
      input.at = end + 1;
      return copy;
    }
    // A line without end is dropped rather than kept for ever.
    if (input.buffer.size() - input.at > longestHeader)
      input.at = input.buffer.size();
    if (!fill(input))
      return std::nullopt;
  }
}

Received receive(Input &input, std::string &message) {
  std::optional<size_t> length;
  bool isGarbage = false;
  for (;;) {
    std::optional<std::string> line = headerLine(input);
    if (!line)
      return Received::End;
    if (line->empty() && (length || isGarbage))
      break;
    StringRef value(*line);
    // The body of a message whose header was wrong ends without a line's end.
    if (size_t found = value.find_insensitive("content-length:");
        found != StringRef::npos) {
      size_t number = 0;
      isGarbage =
          value.drop_front(found + 15).trim().getAsInteger(10, number) ||
          number > longestMessage;
      length = number;
    } else if (!value.starts_with_insensitive("content-type:") &&
               !line->empty()) {
      isGarbage = true;
    }
  }
  if (isGarbage)
    return Received::Garbage;
  while (input.buffer.size() - input.at < *length)
    if (!fill(input))
      return Received::End;
  message = input.buffer.substr(input.at, *length);
  input.at += *length;
  return Received::Message;
}

bool hasMore(const Input &input) {
  if (input.at < input.buffer.size())
    return true;
  pollfd waiting{input.descriptor, POLLIN, 0};
  return poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN);
}

bool send(int descriptor, const json::Value &message) {
  std::string body;
  raw_string_ostream(body) << message;
  std::string whole =
      "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  for (size_t at = 0; at < whole.size();) {
    ssize_t count = write(descriptor, whole.data() + at, whole.size() - at);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    at += static_cast<size_t>(count);
  }
  return true;
}

} // namespace zpl::editor
