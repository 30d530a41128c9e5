//===- PieceCache.h - Released memory for the next array --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A procedure with a local array allocates and releases the same size on every
/// call. Fresh pages cost the system a fault and a clearing each, five to
/// twenty times what clearing known pages costs, so heaps keep released pieces
/// for a while and give them out again.
///
/// The rule that keeps this from costing memory: before fresh pages are taken,
/// as many kept bytes go back. So what is in use and what is kept together
/// never exceed what was once in use.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_PIECECACHE_H
#define ZRT_TRANSPORT_PIECECACHE_H

#include <cstddef>
#include <deque>
#include <iterator>

namespace zrt {

/// A piece of memory and its size.
struct Piece {
  void *memory = nullptr;
  size_t bytes = 0;
};

/// Released pieces, oldest first. Belongs to a heap, which alone knows how to
/// return a piece to the system.
class PieceCache {
public:
  /// Hands out a piece of exactly \p bytes, with its old content, and counts it
  /// as used; null if none is kept.
  void *take(size_t bytes) {
    for (auto piece = kept.rbegin(); piece != kept.rend(); ++piece)
      if (piece->bytes == bytes) {
        void *memory = piece->memory;
        kept.erase(std::next(piece).base());
        keptBytes -= bytes;
        used += bytes;
        return memory;
      }
    return nullptr;
  }

  /// Counts \p bytes of fresh memory as used.
  void addUsed(size_t bytes) { used += bytes; }

  /// Keeps a piece that was used until now.
  void keep(Piece piece) {
    kept.push_back(piece);
    keptBytes += piece.bytes;
    used -= piece.bytes;
  }

  /// Hands to \p giveBack what has to go before \p bytes of fresh memory are
  /// taken.
  template <typename GiveBack> void makeRoom(size_t bytes, GiveBack giveBack) {
    shrinkTo(keptBytes > bytes ? keptBytes - bytes : 0, giveBack);
  }

  /// Hands to \p giveBack what is more than should be kept for long.
  template <typename GiveBack> void trim(GiveBack giveBack) {
    shrinkTo(used + Slack, giveBack);
  }

private:
  static constexpr size_t Slack = 32 << 20;

  template <typename GiveBack> void shrinkTo(size_t limit, GiveBack giveBack) {
    while (keptBytes > limit) {
      Piece oldest = kept.front();
      kept.pop_front();
      keptBytes -= oldest.bytes;
      giveBack(oldest);
    }
  }

  std::deque<Piece> kept;
  size_t keptBytes = 0;
  size_t used = 0;
};

} // namespace zrt

#endif // ZRT_TRANSPORT_PIECECACHE_H
