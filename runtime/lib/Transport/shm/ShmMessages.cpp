//===- ShmMessages.cpp - Messages through shared memory -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A byte ring per ordered pair, one writer, one reader. A message is its size
/// in 8 bytes and its data; long ones stream through in pieces of half a ring:
///
///     scan, processor 1 to 2:  | 8000 | 1000 doubles | 8000 | 1000 ...
///
/// Both sides cut a message into the same pieces, and wait for whole pieces, so
/// that each has something to do for a while. They cannot wait for each other:
/// if the writer is ahead, the piece the reader wants is complete; if not, the
/// ring is as good as empty.
///
/// `exchange` alternates between the pieces of both directions, one piece out
/// ahead: out 0, size, out 1, in 0, out 2, in 1 ... Out k waits until the
/// partner has taken our piece k-2 (for out 1: the size), which it does before
/// its own out k; in k waits for its out k, which comes before its in k. So
/// each waits only for steps that stand earlier in the common order, and one of
/// the two can always go on.
///
/// Cost: two cache line transfers for a short message, some 200 ns; two copies
/// through the cache for a long one.
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/ShmTransport.h"

#include "Support/Error.h"

#include <algorithm>
#include <cstring>

using namespace zrt;
using namespace zrt::shm;

namespace {

constexpr uint64_t Portion = Channel::RingBytes / 2;

/// Copies between memory and the ring position \p at, which may wrap around.
void putIntoRing(Channel &channel, uint64_t at, const char *data,
                 size_t bytes) {
  size_t start = at % Channel::RingBytes;
  size_t first = std::min<size_t>(bytes, Channel::RingBytes - start);
  memcpy(channel.ring + start, data, first);
  memcpy(channel.ring, data + first, bytes - first);
}
void takeFromRing(const Channel &channel, uint64_t at, char *data,
                  size_t bytes) {
  size_t start = at % Channel::RingBytes;
  size_t first = std::min<size_t>(bytes, Channel::RingBytes - start);
  memcpy(data, channel.ring + start, first);
  memcpy(data + first, channel.ring, bytes - first);
}

} // namespace

/// Appends to the ring; a piece that is no full portion is not announced yet.
void ShmTransport::put(int to, const char *data, size_t bytes) {
  Channel &channel = segment->channel(self, to);
  uint64_t &at = partners[to].written;
  while (bytes > 0) {
    size_t piece = std::min<uint64_t>(bytes, Portion);
    uint64_t end = at + piece;
    if (end > channel.read.load() + Channel::RingBytes) {
      raise(channel.written, at);
      await(to, channel.read, end - Channel::RingBytes);
    }
    putIntoRing(channel, at, data, piece);
    at = end;
    data += piece;
    bytes -= piece;
    if (piece == Portion)
      raise(channel.written, at);
  }
}

void ShmTransport::get(int from, char *data, size_t bytes) {
  Channel &channel = segment->channel(from, self);
  uint64_t &at = partners[from].read;
  while (bytes > 0) {
    size_t piece = std::min<uint64_t>(bytes, Portion);
    await(from, channel.written, at + piece);
    takeFromRing(channel, at, data, piece);
    at += piece;
    data += piece;
    bytes -= piece;
    if (piece == Portion)
      raise(channel.read, at);
  }
}

void ShmTransport::putHeader(int to, uint64_t bytes) {
  ZRT_CHECK(to >= 0 && to < size() && to != self);
  put(to, reinterpret_cast<const char *>(&bytes), sizeof bytes);
  traffic.sent(to, bytes);
}

void ShmTransport::getHeader(int from, uint64_t bytes) {
  ZRT_CHECK(from >= 0 && from < size() && from != self);
  uint64_t header = 0;
  get(from, reinterpret_cast<char *>(&header), sizeof header);
  ZRT_CHECK(header == bytes);
}

void ShmTransport::send(int to, const void *data, size_t bytes) {
  putHeader(to, bytes);
  put(to, static_cast<const char *>(data), bytes);
  raise(segment->channel(self, to).written, partners[to].written);
}

void ShmTransport::receive(int from, void *data, size_t bytes) {
  getHeader(from, bytes);
  get(from, static_cast<char *>(data), bytes);
  raise(segment->channel(from, self).read, partners[from].read);
}

void ShmTransport::exchange(int partner, const void *out, void *in,
                            size_t bytes) {
  Flag &written = segment->channel(self, partner).written;
  Flag &read = segment->channel(partner, self).read;
  const char *source = static_cast<const char *>(out);
  char *target = static_cast<char *>(in);
  size_t sent = 0;
  auto sendPiece = [&] {
    size_t piece = std::min<size_t>(bytes - sent, Portion);
    put(partner, source + sent, piece);
    raise(written, partners[partner].written);
    sent += piece;
  };
  putHeader(partner, bytes);
  sendPiece();
  getHeader(partner, bytes);
  raise(read, partners[partner].read);
  for (size_t got = 0; got < bytes;) {
    if (sent < bytes)
      sendPiece();
    size_t piece = std::min<size_t>(bytes - got, Portion);
    get(partner, target + got, piece);
    raise(read, partners[partner].read);
    got += piece;
  }
}
