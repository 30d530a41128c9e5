//===- ShmemMessages.cpp - Messages and gathers by puts -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Messages: a byte ring per ordered pair, in the receiver's memory. The sender
/// puts bytes into it and then raises `written`; the receiver takes them and,
/// from time to time, raises `read` in the sender's memory.
///
///     PE 0: send(1, data, 24)          in the memory of PE 1
///       put 8 + 24 bytes         ->    inboxes[0].ring
///       signal 32                ->    inboxes[0].written
///
/// A message is its size in eight bytes and its data. Long ones go in pieces
/// of a quarter of a ring. `read` is told when half a ring has been taken
/// since the last time. So whoever waits for room has a partner with something
/// to take: if there were nothing, at most half a ring would be untold, and
/// there would be room for a piece. For the same reason `exchange`, which sends
/// and receives pieces in turns, cannot block.
///
/// Gathers: each member puts its payload into a slot of each other one. There
/// are two slots per pair, used in turns: who starts gather n+2 of a pair has
/// the partner's payload of gather n+1, so the partner has left gather n.
///
/// Cost: a short message is a put, a fence and a flag: 0.13 us between two
/// running processes of one machine. A gather of n members is n-1 of each.
///
//===----------------------------------------------------------------------===//

#include "ShmemTransport.h"

#include <algorithm>
#include <cstring>

using namespace zrt;
using namespace zrt::shmem;

namespace {

constexpr uint64_t RingBytes = Inbox::RingBytes;
constexpr uint64_t Portion = RingBytes / 4;

/// Members up to which everybody writing to everybody beats a tree.
constexpr int MostMembers = 16;

} // namespace

void ShmemTransport::checkPartner(int partner) const {
  if (partner < 0 || partner >= size() || partner == self)
    core->fatal("a message to or from no other processor");
}

/// Puts bytes, at most a portion, after what is in the ring.
void ShmemTransport::putPiece(int to, const char *data, size_t bytes) {
  Peer &peer = peers[to];
  if (peer.sent + bytes > peer.roomUntil) {
    await(to, &inbox(to).read, peer.sent + bytes - RingBytes);
    peer.roomUntil =
        __atomic_load_n(&inbox(to).read, __ATOMIC_ACQUIRE) + RingBytes;
  }
  uint64_t ring = placeOfOwnInbox() + offsetof(Inbox, ring);
  uint64_t start = peer.sent % RingBytes;
  size_t first = std::min<size_t>(bytes, RingBytes - start);
  put(to, ring + start, data, first);
  if (first < bytes)
    put(to, ring, data + first, bytes - first);
  peer.sent += bytes;
}

void ShmemTransport::takePiece(int from, char *data, size_t bytes) {
  Peer &peer = peers[from];
  const char *ring = inbox(from).ring;
  uint64_t start = peer.taken % RingBytes;
  size_t first = std::min<size_t>(bytes, RingBytes - start);
  memcpy(data, ring + start, first);
  memcpy(data + first, ring, bytes - first);
  peer.taken += bytes;
}

void ShmemTransport::sendPiece(int to, const char *data, size_t bytes) {
  putPiece(to, data, bytes);
  signal(to, placeOfOwnInbox() + offsetof(Inbox, written), peers[to].sent);
}

void ShmemTransport::receivePiece(int from, char *data, size_t bytes) {
  Peer &peer = peers[from];
  await(from, &inbox(from).written, peer.taken + bytes);
  takePiece(from, data, bytes);
  if (peer.taken - peer.announcedRead < RingBytes / 2)
    return;
  peer.announcedRead = peer.taken;
  signal(from, placeOfOwnInbox() + offsetof(Inbox, read), peer.taken);
}

void ShmemTransport::send(int to, const void *data, size_t bytes) {
  checkPartner(to);
  traffic.sent(to, bytes);
  constexpr size_t Short = 256; // Copying it is cheaper than a second put.
  uint64_t header = bytes;
  if (bytes <= Short) {
    char whole[sizeof header + Short];
    memcpy(whole, &header, sizeof header);
    memcpy(whole + sizeof header, data, bytes);
    sendPiece(to, whole, sizeof header + bytes);
    return;
  }
  putPiece(to, reinterpret_cast<const char *>(&header), sizeof header);
  auto *from = static_cast<const char *>(data);
  for (size_t at = 0, piece; at < bytes; at += piece) {
    piece = std::min<size_t>(bytes - at, Portion);
    sendPiece(to, from + at, piece);
  }
}

void ShmemTransport::receive(int from, void *data, size_t bytes) {
  checkPartner(from);
  uint64_t header = 0;
  receivePiece(from, reinterpret_cast<char *>(&header), sizeof header);
  if (header != bytes)
    core->fatal("a message has another size than its receiver expects");
  auto *to = static_cast<char *>(data);
  for (size_t at = 0, piece; at < bytes; at += piece) {
    piece = std::min<size_t>(bytes - at, Portion);
    receivePiece(from, to + at, piece);
  }
}

void ShmemTransport::exchange(int partner, const void *out, void *in,
                              size_t bytes) {
  checkPartner(partner);
  if (bytes <= Portion) { // There is always room for one.
    send(partner, out, bytes);
    receive(partner, in, bytes);
    return;
  }
  traffic.sent(partner, bytes);
  uint64_t header = bytes;
  sendPiece(partner, reinterpret_cast<const char *>(&header), sizeof header);
  receivePiece(partner, reinterpret_cast<char *>(&header), sizeof header);
  if (header != bytes)
    core->fatal("a message has another size than its receiver expects");
  auto *from = static_cast<const char *>(out);
  auto *to = static_cast<char *>(in);
  for (size_t at = 0, piece; at < bytes; at += piece) {
    piece = std::min<size_t>(bytes - at, Portion);
    sendPiece(partner, from + at, piece);
    receivePiece(partner, to + at, piece);
  }
}

// --- Gathers ----------------------------------------------------------------

size_t ShmemTransport::gatherLimit(int members) const {
  return members <= MostMembers ? GatherSlot::Bytes : 0;
}

void ShmemTransport::gather(const int *members, int count, int place,
                            const void *mine, size_t bytes, void *all) {
  auto slotPlace = [&](int partner) {
    return placeOfOwnInbox() + offsetof(Inbox, gathered) +
           peers[partner].gathers % 2 * sizeof(GatherSlot);
  };
  auto *to = static_cast<char *>(all);
  memcpy(to + place * bytes, mine, bytes);
  // All data first: one wait for their order serves all flags.
  for (int i = 1; i < count; ++i) {
    int partner = members[(place + i) % count];
    put(partner, slotPlace(partner) + offsetof(GatherSlot, data), mine, bytes);
  }
  for (int i = 1; i < count; ++i) {
    int partner = members[(place + i) % count];
    signal(partner, slotPlace(partner) + offsetof(GatherSlot, arrived),
           peers[partner].gathers + 1);
  }
  for (int i = 1; i < count; ++i) {
    int from = (place + i) % count, partner = members[from];
    GatherSlot &slot = inbox(partner).gathered[peers[partner].gathers % 2];
    await(partner, &slot.arrived, ++peers[partner].gathers);
    memcpy(to + from * bytes, slot.data, bytes);
  }
  for (int i = 1; i < count; ++i)
    traffic.sent(members[(place + i) % count], bytes);
}
