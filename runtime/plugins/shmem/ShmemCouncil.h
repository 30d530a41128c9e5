//===- ShmemCouncil.h - How PEs tell each other -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_SHMEM_SHMEMCOUNCIL_H
#define ZRT_PLUGINS_SHMEM_SHMEMCOUNCIL_H

#include "watch/RunWatch.h"

namespace zrt::shmem {

/// What one PE tells another one, in symmetric memory. Zero at the start.
struct alignas(64) Notes {
  uint64_t rounds;      ///< a flag: how often it has told a word
  watch::Word words[2]; ///< of even and odd rounds
  uint64_t process;     ///< its id
  uint64_t last;        ///< a flag: its text has come
  char text[watch::Council::TextBytes];
};

/// A round is a put of each PE to each.
class ShmemCouncil final : public watch::Council {
public:
  /// \p notes: those of each PE, by number; they lie in symmetric memory, and
  /// at the same place on all PEs.
  void open(std::vector<Notes *> notes);

  void beginRound(const watch::Word &mine) override;
  bool isRoundOver(std::vector<watch::Word> &words) override;
  void tellLast(const char *text, char *all) override;

  /// The processes of this machine but for this one. Collective.
  std::vector<watch::Neighbour> findNeighbours() const;

private:
  /// What this PE writes into, at any other one.
  Notes &own() const { return *notes[self]; }

  std::vector<Notes *> notes; ///< by who writes into them
  int self = 0;
  uint64_t round = 0; ///< the one begun last, from 1
  watch::Word mine = {};
};

} // namespace zrt::shmem

#endif // ZRT_PLUGINS_SHMEM_SHMEMCOUNCIL_H
