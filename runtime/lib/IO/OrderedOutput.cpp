//===- OrderedOutput.cpp - Pieces of one file from all processors ---------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three processors have formatted one piece each, of 900, 1000 and 950 bytes:
//
//   - into a regular file, they tell each other the lengths and write at the
//     offsets 0, 900 and 1900 of the round, all at the same time;
//   - into a pipe or terminal, processor 0 writes its own piece, then asks the
//     next one for its piece, and so on. Nobody sends before it was asked, so
//     that a slow reader holds all up instead of filling processor 0's memory.
//
// After a failed write at an offset the processor goes on without writing, so
// that all come to `finish` and report once. Cost per round: two messages per
// processor beside the pieces.
//
//===----------------------------------------------------------------------===//

#include "IO/OrderedOutput.h"

#include "Collective/Collective.h"
#include "IO/Descriptor.h"
#include "IO/Slabs.h"

namespace zrt {

OrderedOutput::OrderedOutput(Transport &transport, File &file, bool small)
    : transport(transport), file(file),
      atOffsets(!small && transport.size() > 1 && file.isShared(transport)) {
  if (!atOffsets)
    return;
  if (transport.rank() == 0)
    position = file.position();
  broadcast(transport, &position, sizeof position);
}

void OrderedOutput::write(int count, std::string_view text) {
  if (atOffsets)
    writeAtOffset(text);
  else
    writeThroughFirst(count, text);
}

void OrderedOutput::writeAtOffset(std::string_view text) {
  int64_t offset = position;
  std::vector<int64_t> lengths =
      gatherNumbers(transport, static_cast<int64_t>(text.size()));
  for (int p = 0; p < transport.size(); ++p) {
    position += lengths[static_cast<size_t>(p)];
    if (p < transport.rank())
      offset = position;
  }
  if (error == 0)
    error = writeFullyAt(file.descriptor(), text.data(), text.size(), offset);
}

void OrderedOutput::writeThroughFirst(int count, std::string_view text) {
  char request = 1;
  int64_t length = static_cast<int64_t>(text.size());
  int self = transport.rank();
  if (self > 0 && self < count) {
    transport.receive(0, &request, sizeof request);
    transport.send(0, &length, sizeof length);
    if (length > 0)
      transport.send(0, text.data(), text.size());
  }
  if (self != 0)
    return;
  file.write(text);
  std::string piece;
  for (int p = 1; p < count; ++p) {
    transport.send(p, &request, sizeof request);
    transport.receive(p, &length, sizeof length);
    piece.resize(static_cast<size_t>(length));
    if (length > 0)
      transport.receive(p, piece.data(), piece.size());
    file.write(piece);
  }
}

void OrderedOutput::finish() {
  if (!atOffsets)
    return;
  checkWritten(transport, file, error);
  if (transport.rank() == 0)
    file.setPosition(position);
}

void checkWritten(Transport &transport, File &file, int32_t error) {
  reduce(transport, &error, ZRT_I32, ZRT_MAX);
  if (error != 0)
    file.failWrite(error);
}

} // namespace zrt
