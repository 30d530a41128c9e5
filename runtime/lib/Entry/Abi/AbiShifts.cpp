//===- AbiShifts.cpp - Entry for shifted arrays ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shifted array is one of three things:
//
//     A@[0, k] + A@^[1, 0]     views of A's storage, whose ghosts are filled;
//     A@[0, 5000]              the same without ghosts, where no dimension in
//                              which A is distributed is concerned;
//     A@[5000, 0]              a copy of the elements.
//
// All of a statement are the same. In scattered domains they are copies, whose
// storage and plans are kept (PlacedShifts). For views A may have to move to
// storage with more room, which it does if nothing else looks into it; what the
// compiler says about the directions of A makes that rare. What is decided
// follows from replicated values.
//
//===----------------------------------------------------------------------===//

#include "Entry/Process.h"
#include "IO/Text/ValueReader.h"
#include "Memory/Array.h"
#include "Support/Operation.h"
#include "Transfer/Copy.h"
#include "Transfer/Views.h"

using namespace zrt;

/// Whether \p source may have views of these shifts; makes room for them.
static bool makeRoom(zrt_array &source, const zrt_region &region,
                     const ShiftStatement &statement,
                     const std::vector<GhostShift> &shifts,
                     const zrt_loc *loc) {
  Process &p = process();
  if (p.domains.isScattered(region) || !mayLendRows(source, region))
    return false;
  std::optional<zrt_fluff> needed = ghostRoom(
      p.distribution(region), statement.ghostSource(), region, shifts);
  if (!needed)
    return false;
  // What a view of another array stores beside its elements is not its own.
  bool isOwner = !source.borrowed;
  static const zrt_fluff none = {};
  if (isWithin(*needed, isOwner ? source.keeper->room : none, region.rank))
    return true;
  if (!isOwner || source.keeper->views > 0)
    return false;
  p.dropPlansOf(source.id);
  widenArray(*p.transport, source,
             widened(source.keeper->room, *needed, source.region),
             p.own(source.region), loc);
  return true;
}

/// Copies the elements of one shift.
static void copyShifted(const ShiftStatement &statement, const zrt_view &view,
                        const zrt_loc *loc) {
  Process &p = process();
  const zrt_array &source = statement.source;
  zrt_array &result = *view.result;
  p.newArray(result,
             {floodedAs(statement.region, source), *source.type, source.name},
             loc);
  Box box = boxOf(result.region);
  if (isEmpty(box))
    return;
  std::vector<CopyPiece> pieces =
      view.wraps ? wrapPieces(box, source.region, view.direction)
                 : std::vector<CopyPiece>{shiftPiece(box, view.direction)};
  p.copyPieces(result, source, pieces);
}

/// Makes the views of \p statement; gives the plan of the ghosts that are on
/// their way, null if none are: where the results are copies.
static ViewPlan *begin(const ShiftStatement &statement, const zrt_loc *loc) {
  Process &p = process();
  if (p.domains.isScattered(statement.region) &&
      !hasStrings(*statement.source.type)) {
    p.placedShifts.run(statement, loc);
    return nullptr;
  }
  ViewPlan *plan = p.views.find(statement);
  if (!plan) {
    std::vector<GhostShift> shifts = statement.shifts();
    const zrt_region &region = statement.region;
    if (!makeRoom(statement.source, region, statement, shifts, loc)) {
      for (int64_t k = 0; k < statement.count; ++k)
        copyShifted(statement, statement.views[k], loc);
      return nullptr;
    }
    plan = &p.views.add(
        ViewPlan(*p.transport, p.distribution(region), statement, shifts));
  }
  plan->begin(statement, p.lastArrayId);
  return plan;
}

extern "C" {

void zrtA_array_shift(zrt_array *source, const zrt_region *region,
                      const zrt_view *views, int64_t count,
                      const zrt_loc *loc) {
  OperationScope scope(OperationKind::Shift, loc,
                       process().domainName(*region));
  if (ViewPlan *plan = begin({*source, *region, views, count}, loc)) {
    plan->await();
    plan->finish();
  }
}

void zrtA_array_shift_begin(zrt_transfer *transfer, zrt_array *source,
                            const zrt_region *region, const zrt_view *views,
                            int64_t count, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Shift, loc,
                       process().domainName(*region));
  TransferSite &site = process().site(*transfer);
  site.loc = loc;
  ++process().strings.underway;
  site.beginViews(begin({*source, *region, views, count}, loc));
}

} // extern "C"
