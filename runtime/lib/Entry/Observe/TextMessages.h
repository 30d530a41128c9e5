//===- TextMessages.h - Texts between processors ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_OBSERVE_TEXTMESSAGES_H
#define ZRT_ENTRY_OBSERVE_TEXTMESSAGES_H

#include "Transport/Transport.h"

#include <string>

namespace zrt {

/// Sends a text of any length, which the other one receives.
inline void sendText(Transport &transport, int to, const std::string &text) {
  uint64_t size = text.size();
  transport.send(to, &size, sizeof size);
  if (size != 0)
    transport.send(to, text.data(), text.size());
}

inline std::string receiveText(Transport &transport, int from) {
  uint64_t size = 0;
  transport.receive(from, &size, sizeof size);
  std::string text(size, '\0');
  if (size != 0)
    transport.receive(from, text.data(), text.size());
  return text;
}

} // namespace zrt

#endif // ZRT_ENTRY_OBSERVE_TEXTMESSAGES_H
