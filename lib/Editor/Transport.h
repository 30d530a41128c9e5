//===- Transport.h - Messages with their lengths in front -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_EDITOR_TRANSPORT_H
#define ZPL_LIB_EDITOR_TRANSPORT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace zpl::editor {

/// The bytes that come in, as far as they are read.
struct Input {
  int descriptor = 0;
  std::string buffer;
  size_t at = 0; ///< what of the buffer was used
};

/// What reading gave.
enum class Received : uint8_t {
  Message, ///< a whole one
  Garbage, ///< a header that cannot be used; reading can go on
  End      ///< the other side has closed
};

/// Waits for the next message, of at most 256 MiB, and stores it.
Received receive(Input &input, std::string &message);

/// Whether there is more to read without waiting.
bool hasMore(const Input &input);

/// Writes a message with its header. False: nobody reads it any more.
bool send(int descriptor, const llvm::json::Value &message);

} // namespace zpl::editor

#endif // ZPL_LIB_EDITOR_TRANSPORT_H
