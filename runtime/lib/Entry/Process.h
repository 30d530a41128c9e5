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
#include "Entry/Domains/Domains.h"
#include "Entry/Domains/PlacedShifts.h"
#include "Entry/Observe/Observation.h"
#include "Entry/Restart.h"
#include "Entry/Sparse/SparseRegions.h"
#include "Entry/Strings.h"
#include "Entry/Tune/Tuning.h"
#include "IO/FileTable.h"
#include "IO/Text/ElementHooks.h"
#include "Layout/Tiles.h"
#include "Memory/Array.h"
#include "Memory/Followers.h"
#include "Memory/WorkStack.h"
#include "Remap/Boxes/BoxLoop.h"
#include "Remap/MapNotes.h"
#include "Remap/Windows.h"
#include "Transfer/BoundaryCopies.h"
#include "Transfer/Pieces.h"
#include "Transfer/StepGhosts.h"
#include "Transfer/TransferSite.h"
#include "Transfer/Views.h"
#include "Transfer/Wave.h"
#include "Transport/PrivateHeap.h"
#include "Transport/Transport.h"

#include <memory>
#include <optional>
#include <vector>

namespace zrt {

/// What this processor has of a scattered domain, dimension by dimension.
struct OwnSegments {
  struct {
    int64_t count;
    const Segment *first;
  } dims[ZRT_MAX_RANK];
};

/// All state of the runtime on this processor. There is one object, made by
/// zrtA_main, and all entries of Abi.h work on it.
class Process {
public:
  /// \p places: how many processors are in this operating-system process, of
  /// which this one is the one at \p place.
  Process(const zrt_program &program, std::string name, CommandLine options,
          int place = 0, int places = 1);
  ~Process() { heap.release(scratch, scratchBytes); }

  /// The domain of \p region, whose distribution the first call fixes.
  DomainState &domain(const zrt_region &region) {
    DomainState &state = domains.stateOf(region);
    if (!state.fixed)
      fix(region);
    return state;
  }
  /// The same of a rank's default domain, or with its number negated of
  /// another one.
  DomainState &domainAt(int32_t reference);
  const Distribution &distribution(const zrt_region &region) {
    return domain(region).distribution;
  }
  /// What this processor owns in the domain of \p region, in dimensions of its
  /// floods everything. Of a scattered domain in blocks.
  Box own(const zrt_region &region) {
    return distribution(region).own(transport->rank(), region.floods);
  }
  /// The name of the program's domain of \p region; null of a default one.
  const char *domainName(const zrt_region &region) const {
    int32_t number = region.domain & ~InBlocksBit;
    return number > 0 ? program.domains[number - 1].name : nullptr;
  }
  /// Who has what in the domain of \p region.
  const Placement &placement(const zrt_region &region) {
    domain(region);
    return domains.placementOf(region);
  }
  /// Copies \p pieces between arrays of any domains.
  void copyPieces(zrt_array &target, const zrt_array &source,
                  const std::vector<CopyPiece> &pieces);

  /// Makes an array with an id of its own.
  void newArray(zrt_array &array, const ArraySpec &spec, const zrt_loc *loc);
  /// The same of an array of the runtime's own, to which assignments to its
  /// distribution do nothing. Its elements hold no strings.
  void create(zrt_array &array, const ArraySpec &spec, const zrt_loc *loc);
  /// It is about to be freed: assignments to its distribution leave it.
  void forget(const zrt_array &array);
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

  /// Makes the arrays of the domains with these numbers anew, which are open
  /// again, with their elements if \p keeps; \p old: who had what, in order.
  void redistribute(const std::vector<int32_t> &numbers,
                    const std::vector<Placement> &old, bool keeps,
                    const zrt_loc *loc);

  bool isFirst() const { return transport->rank() == 0; }

  /// The site behind a zrt_transfer, made by the first call.
  TransferSite &site(zrt_transfer &transfer);
  /// The same behind one of a loop with time steps.
  StepGhosts &stepGhosts(zrt_transfer &place);
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
  /// Copies of the arrays of pictures that are not yet written.
  std::vector<std::shared_ptr<void>> pictured;
  ElementHooks hooks;
  Followers followers;
  std::optional<int64_t> streamBytes; ///< once it was asked for
  uint64_t lastArrayId = 0;
  double timerStart = 0;
  uint64_t randomNumbers = 0; ///< of random() so far
  RestartState restart;
  std::vector<std::unique_ptr<TransferSite>> sites;
  std::vector<std::unique_ptr<StepGhosts>> stepSites;
  std::optional<Caches> caches; ///< once they were asked for
  Pieces pieces; ///< of the last loop that waited for transfers itself
  BoundaryCopies boundaries;
  Wave wave;                        ///< the last one that was begun
  const zrt_loc *waveLoc = nullptr; ///< where that stands
  Tiles tiles;                      ///< of the loops that run in turn
  ViewPlans views;
  PlacedShifts placedShifts;
  Observation observation;
  Tuning tuning;
  SliceCache slices;
  SplitReductions reductions;
  PartExchanges exchanges;           ///< of floods and scans in two phases
  MapMemory maps;                    ///< of remaps
  Windows windows;                   ///< of remapped arrays
  MapNotes mapNotes;                 ///< of loops with windows
  BoxLoop boxes;                     ///< the gather that is read box by box
  const zrt_loc *boxesLoc = nullptr; ///< where that stands
  SparseRegions sparse;

  Domains domains;

private:
  // For debuggers, by the numbers of domains - 1.
  std::vector<const zrt_domain *> debuggerDomains;
  std::vector<const OwnSegments *> debuggerSegments;
  std::vector<std::unique_ptr<OwnSegments>> ownSegments;
  void fix(const zrt_region &region);
  /// Sees to it that all processors deal out the indices of the domain alike.
  void agreeOnPlaces(const zrt_region &region);
  void copyKept(zrt_array &target, const zrt_array &old);
};

/// The object; it exists from the start of zrtA_main to its end.
Process &process();
void setProcess(Process *object);
/// Whether it exists; a library is asked outside of that, too.
bool hasProcess();

} // namespace zrt

#endif // ZRT_ENTRY_PROCESS_H
