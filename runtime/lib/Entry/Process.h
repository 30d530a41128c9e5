//===- Process.h - The state of one processor's run -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_PROCESS_H
#define ZRT_ENTRY_PROCESS_H

#include "Collective/Slice.h"
#include "Collective/Split.h"
#include "Entry/Config/CommandLine.h"
#include "Entry/Observe/Observation.h"
#include "Entry/Strings.h"
#include "Grid/Distribution.h"
#include "IO/FileTable.h"
#include "IO/Text/ElementHooks.h"
#include "Layout/Tiles.h"
#include "Memory/Array.h"
#include "Memory/Followers.h"
#include "Memory/WorkStack.h"
#include "Remap/MapMemory.h"
#include "Transfer/BoundaryCopies.h"
#include "Transfer/Pieces.h"
#include "Transfer/TransferSite.h"
#include "Transfer/Views.h"
#include "Transfer/Wave.h"
#include "Transport/PrivateHeap.h"
#include "Transport/Transport.h"

#include <memory>
#include <optional>
#include <vector>

namespace zrt {

/// The distribution of one rank: open until somebody asks for it.
struct RankState {
  bool fixed = false;
  Box declared; ///< bounding box of the regions declared so far
  Distribution distribution;
  zrt_domain domain;
};

/// All state of the runtime on this processor. There is one object, made by
/// zrtA_main, and all entries of Abi.h work on it.
class Process {
public:
  Process(const zrt_program &program, std::string name, CommandLine options);
  ~Process() { heap.release(scratch, scratchBytes); }

  /// Adds a region to those that the distribution of its rank is made from;
  /// without effect once that is fixed.
  void declareRegion(const zrt_region &region);

  /// The distribution of \p rank, fixed by the first call.
  const RankState &rankState(int rank) {
    if (!ranks[rank].fixed)
      fix(rank);
    return ranks[rank];
  }
  const Distribution &distribution(int rank) {
    return rankState(rank).distribution;
  }
  /// What this processor owns of \p rank, in dimensions of \p floods
  /// everything.
  Box own(int rank, int floods = 0) {
    return distribution(rank).own(transport->rank(), floods);
  }

  /// Makes an array with an id of its own.
  void newArray(zrt_array &array, const ArraySpec &spec, const zrt_loc *loc);
  /// Its elements may hold strings from here until it is freed.
  void noteStrings(const zrt_array &array);
  /// Makes an array that follows the region variable at \p variable, which
  /// holds nothing unless the variable \p hasRegion.
  void newFollower(zrt_array &array, const void *variable,
                   const ArraySpec &spec, bool hasRegion, const zrt_loc *loc);
  /// Makes the arrays that follow \p variable anew over \p region, with the
  /// elements that they had there if \p preserve.
  void resizeFollowers(const void *variable, const zrt_region &region,
                       bool preserve, const zrt_loc *loc);

  bool isFirst() const { return transport->rank() == 0; }

  /// The site behind a zrt_transfer, made by the first call.
  TransferSite &site(zrt_transfer &transfer);
  /// Forgets all plans with the array, and at the end of the run all.
  void dropPlansOf(uint64_t array);
  void dropPlans();

  /// Writes \p text on processor 0.
  void write(zrt_file file, std::string_view text) {
    if (isFirst())
      files.write(file, text);
  }

  const zrt_program &program;
  const std::string name; ///< of the executable, for messages
  const CommandLine options;
  Strings strings;  ///< reserved before transports take address space
  PrivateHeap heap; ///< of large variables
  WorkStack workStack{heap};
  void *scratch = nullptr; ///< of zrtA_scratch, from the heap
  size_t scratchBytes = 0;
  std::unique_ptr<Transport> transport; ///< set once processors run
  FileTable files;
  ElementHooks hooks;
  Followers followers;
  std::optional<int64_t> streamBytes; ///< once it was asked for
  uint64_t lastArrayId = 0;
  double timerStart = 0;
  uint64_t randomNumbers = 0; ///< of random() so far
  std::vector<std::unique_ptr<TransferSite>> sites;
  Pieces pieces; ///< of the last loop that waited for transfers itself
  BoundaryCopies boundaries;
  Wave wave;                        ///< the last one that was begun
  const zrt_loc *waveLoc = nullptr; ///< where that stands
  Tiles tiles;                      ///< of the loops that run in turn
  ViewPlans views;
  Observation observation;
  SliceCache slices;
  SplitReductions reductions;
  PartExchanges exchanges; ///< of floods and scans in two phases
  MapMemory maps;          ///< of remaps

private:
  void fix(int rank);

  RankState ranks[ZRT_MAX_RANK + 1];
};

/// The object; it exists from the start of zrtA_main to its end.
Process &process();
void setProcess(Process *object);

} // namespace zrt

#endif // ZRT_ENTRY_PROCESS_H
