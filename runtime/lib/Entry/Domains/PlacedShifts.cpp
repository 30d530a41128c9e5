//===- PlacedShifts.cpp - Shifted arrays of scattered domains -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where no neighbour is on the same processor a shifted array is a copy:
//
//     [R] New := A@north + A@south;        T1[i] := A[i + north]   one exchange
//                                          T2[i] := A[i + south]   another one
//
// A program comes to the same statements again and again. A copy's storage is
// lent to the statement, and when that gives it back it serves the next shift
// over an equal region of elements of the same type. What goes where follows
// from the array, the direction, and the storage of the copy: such plans are
// kept until the array goes or the domain is distributed anew.
//
// Copies that no statement uses take at most as many bytes as were in use at
// one time so far: a region that shrinks from step to step leaves the copies of
// two steps, not of all. Those used longest ago go first.
//
// Cost of a statement that is found: the elements, and a search among the
// plans, at most 256.
//
//===----------------------------------------------------------------------===//

#include "Entry/Domains/PlacedShifts.h"

#include "Entry/Process.h"

#include <algorithm>

namespace zrt {

static bool isSameRegion(const zrt_region &a, const zrt_region &b) {
  if (a.rank != b.rank || a.domain != b.domain || a.floods != b.floods ||
      a.grids != b.grids || a.singletons != b.singletons)
    return false;
  return std::equal(a.dim, a.dim + a.rank, b.dim,
                    [](const zrt_dim &x, const zrt_dim &y) {
                      return x.lo == y.lo && x.hi == y.hi &&
                             x.stride == y.stride && x.align == y.align;
                    });
}

static bool isSameShift(const zrt_view &a, const zrt_view &b, int rank) {
  return a.wraps == b.wraps &&
         std::equal(a.direction, a.direction + rank, b.direction);
}

/// Of all processors together.
static int64_t bytesOf(const zrt_region &region, const zrt_type &type) {
  Box box = boxOf(region);
  double bytes = static_cast<double>(type.size);
  for (int d = 0; d < box.rank; ++d)
    bytes *= static_cast<double>(size(box.dim[d]));
  return static_cast<int64_t>(std::min(bytes, 0x1p60));
}

static std::vector<CopyPiece>
piecesOf(const zrt_array &copy, const zrt_array &source, const zrt_view &view) {
  Box box = boxOf(copy.region);
  if (isEmpty(box))
    return {};
  return view.wraps ? wrapPieces(box, source.region, view.direction)
                    : std::vector<CopyPiece>{shiftPiece(box, view.direction)};
}

//===----------------------------------------------------------------------===//
// What is kept
//===----------------------------------------------------------------------===//

void PlacedShifts::dropPlan(size_t place) {
  plans.erase(plans.begin() + static_cast<ptrdiff_t>(place));
}

void PlacedShifts::dropRoom(size_t place) {
  for (size_t k = plans.size(); k-- > 0;)
    if (plans[k]->room == rooms[place].get())
      dropPlan(k);
  destroyArray(*process().transport, rooms[place]->array);
  rooms.erase(rooms.begin() + static_cast<ptrdiff_t>(place));
}

void PlacedShifts::keepWithinLimits() {
  auto isOlder = [](const auto &a, const auto &b) {
    return a->lastUse < b->lastUse;
  };
  int64_t inUse = 0, kept = 0;
  for (const std::unique_ptr<Room> &room : rooms)
    (room->array.keeper->views > 0 ? inUse : kept) += room->bytes;
  mostInUse = std::max(mostInUse, inUse);
  std::sort(rooms.begin(), rooms.end(), isOlder);
  for (size_t k = 0; k < rooms.size();) {
    bool isFree = rooms[k]->array.keeper->views == 0;
    if (!isFree || (kept <= mostInUse && !rooms[k]->isStale)) {
      ++k;
      continue;
    }
    kept -= rooms[k]->bytes;
    dropRoom(k);
  }
  while (plans.size() > MostPlans)
    dropPlan(static_cast<size_t>(
        std::min_element(plans.begin(), plans.end(), isOlder) - plans.begin()));
}

void PlacedShifts::dropArray(uint64_t id) {
  for (size_t k = plans.size(); k-- > 0;)
    if (plans[k]->source == id)
      dropPlan(k);
}

void PlacedShifts::dropDomain(int32_t number) {
  for (size_t k = rooms.size(); k-- > 0;) {
    if (rooms[k]->array.region.domain != number)
      continue;
    rooms[k]->isStale = true;
    if (rooms[k]->array.keeper->views == 0)
      dropRoom(k);
  }
}

void PlacedShifts::clear() {
  while (!rooms.empty())
    dropRoom(rooms.size() - 1);
}

//===----------------------------------------------------------------------===//
// One statement
//===----------------------------------------------------------------------===//

PlacedShifts::Room &PlacedShifts::roomFor(const zrt_region &region,
                                          const zrt_array &source,
                                          const zrt_loc *loc) {
  for (const std::unique_ptr<Room> &room : rooms)
    if (room->array.keeper->views == 0 && !room->isStale &&
        room->array.type == source.type &&
        isSameRegion(room->array.region, region))
      return *room;
  auto room = std::make_unique<Room>();
  Process &p = process();
  p.domains.checkHolds(region, loc);
  p.create(room->array, {region, *source.type, source.name}, loc);
  room->bytes = bytesOf(region, *source.type);
  return *rooms.emplace_back(std::move(room));
}

PlacedShifts::Plan &PlacedShifts::planFor(const ShiftStatement &statement,
                                          const zrt_view &view,
                                          const zrt_loc *loc) {
  zrt_array &source = statement.source;
  zrt_region region = floodedAs(statement.region, source);
  for (const std::unique_ptr<Plan> &plan : plans)
    if (plan->source == source.id && plan->room->array.keeper->views == 0 &&
        !plan->room->isStale && isSameShift(plan->shift, view, region.rank) &&
        isSameRegion(plan->room->array.region, region))
      return *plan;
  auto plan = std::make_unique<Plan>();
  plan->source = source.id;
  std::copy(view.direction, view.direction + region.rank, plan->direction);
  plan->shift = {nullptr, plan->direction, view.wraps};
  plan->room = &roomFor(region, source, loc);
  const zrt_array &copy = plan->room->array;
  Process &p = process();
  plan->copy = copyOf(*p.transport, {p.placement(copy.region), copy},
                      {p.placement(source.region), source},
                      piecesOf(copy, source, view));
  source.planned = 1;
  return *plans.emplace_back(std::move(plan));
}

void PlacedShifts::run(const ShiftStatement &statement, const zrt_loc *loc) {
  Process &p = process();
  std::vector<Copy *> copies;
  for (int64_t k = 0; k < statement.count; ++k) {
    const zrt_view &view = statement.views[k];
    Plan &plan = planFor(statement, view, loc);
    Room &room = *plan.room;
    plan.lastUse = room.lastUse = ++uses;
    *view.result = room.array;
    view.result->region = floodedAs(statement.region, statement.source);
    view.result->name = statement.source.name;
    view.result->id = ++p.lastArrayId;
    lendStorage(*view.result, room.array);
    plan.copy.begin();
    copies.push_back(&plan.copy);
  }
  for (Copy *copy : copies) {
    copy->await();
    copy->finish();
  }
  keepWithinLimits();
}

} // namespace zrt
