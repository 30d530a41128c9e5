//===- ShmRecord.h - What two processors know of a transfer -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_SHMRECORD_H
#define ZRT_TRANSPORT_SHM_SHMRECORD_H

#include "Transport/Transport.h"
#include "Transport/shm/Flag.h"

namespace zrt::shm {

/// How the data of one round come to the receiver.
enum class Way : uint64_t {
  Packed, ///< they lie in the slot; the receiver unpacks them at DN
  Pulled, ///< the receiver copies them from the sources at DN
  Pushed, ///< the sender has copied them to the destinations
};

/// What the sender says of one round. Data that are packed follow: in the rest
/// of the cache line if they fit, so that they need no other one, else in the
/// next ones, because copies between boundaries of lines are faster.
struct alignas(CacheLine) SendSlot {
  Flag round; ///< the number of the round that the slot holds, from 1
  Way way;

  /// Where \p bytes of data lie.
  char *data(size_t bytes) {
    return reinterpret_cast<char *>(this) +
           (bytes <= Room ? CacheLine - Room : CacheLine);
  }
  /// The size of a slot with so much data.
  static size_t bytes(size_t data) {
    return data <= Room ? CacheLine
                        : (data + 2 * CacheLine - 1) / CacheLine * CacheLine;
  }

private:
  static constexpr size_t Room = 48;
};

/// Memory blocks in shared memory.
struct BlockList {
  int64_t count;
  MemoryBlock blocks[]; ///< `count` of them

  static size_t bytes(size_t count) {
    return sizeof(BlockList) + count * sizeof(MemoryBlock);
  }
};

/// What one processor sends to one partner in one exchange. Lies in the
/// sender's slice.
struct alignas(CacheLine) SendRecord {
  // Written by the receiver.
  Flag done;              ///< the round whose data it has
  Flag ready;             ///< the round that may be pushed to `offer`
  const BlockList *offer; ///< its destinations; valid once `ready` is not 0

  // Written by the sender before the receiver sees the record.
  alignas(CacheLine) uint64_t slotCount;
  uint64_t slotBytes;
  char *slots;
  const BlockList *sources; ///< null if partners cannot read them
  uint64_t bytes;           ///< of the data
  bool mayPush;             ///< whether an offer is of use

  /// The slot of \p round.
  SendSlot &slot(uint64_t round) const {
    return *reinterpret_cast<SendSlot *>(slots + round % slotCount * slotBytes);
  }
};

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_SHMRECORD_H
