//===- Views.cpp - Shifted arrays in the storage of their source ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] B := A@^north + A@^south + A@^east + A@^west;
//
// is four views of A, made by one call: the ghosts of all of them are filled by
// one exchange and a few copies within A, then each view is A's descriptor with
// another origin (Memory/Array.cpp).
//
// A program comes to the same statements again and again. What follows from the
// array, the region's bounds and the directions is kept: the patterns of the
// views, the exchange, and the memory blocks. A statement is found again by a
// hash of these numbers; ids are never used twice, and plans go with the
// storage of their array. Among 256 plans the one used longest ago goes first:
// a multigrid program has some ten statements times as many levels.
//
// Cost of a statement that is found: some 50 nanoseconds per view, and the
// elements at the rim.
//
//===----------------------------------------------------------------------===//

#include "Transfer/Views.h"

#include <algorithm>

namespace zrt {

std::vector<GhostShift> ShiftStatement::shifts() const {
  std::vector<GhostShift> result;
  for (const zrt_view *view = views; view != views + count; ++view) {
    GhostShift shift;
    std::copy(view->direction, view->direction + region.rank, shift.direction);
    shift.wraps = view->wraps != 0;
    result.push_back(nearest(ghostSource(), region, shift));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// One plan
//===----------------------------------------------------------------------===//

/// The memory of the sources, or of the targets, of \p pieces.
static std::vector<MemoryBlock> blocksOf(const zrt_array &array,
                                         const std::vector<CopyPiece> &pieces,
                                         bool areSources) {
  std::vector<MemoryBlock> blocks;
  for (const CopyPiece &piece : pieces)
    blocks.push_back(areSources ? blockOf(array, piece.target, piece.source)
                                : blockOf(array, piece.target));
  return blocks;
}

/// Leaves in \p travels whether something comes from a processor far away.
static Copy ghostCopy(Transport &transport, const Distribution &distribution,
                      const ShiftStatement &statement,
                      const std::vector<GhostShift> &shifts, bool &travels) {
  const zrt_array &array = statement.source;
  bool isAny = std::any_of(shifts.begin(), shifts.end(), [&](auto &shift) {
    return shift.wraps ||
           distribution.crosses(shift.direction, array.region.floods);
  });
  if (!isAny || array.type->size == 0)
    return Copy();
  GhostParts parts = planGhosts(distribution, statement.ghostSource(),
                                statement.region, shifts, transport.rank());
  std::vector<Pair> pairs;
  for (const PartnerGhosts &both : parts.partners)
    pairs.push_back({both.partner, blocksOf(array, both.sends, true),
                     blocksOf(array, both.receives, false)});
  bool takesPart = !pairs.empty();
  travels = travel(transport, pairs);
  std::unique_ptr<Exchange> exchange;
  if (transport.size() > 1)
    exchange = transport.makeExchange(std::move(pairs));
  if (!takesPart)
    exchange.reset();
  std::vector<Copy::Local> here;
  for (const CopyPiece &piece : parts.here)
    here.push_back({blockOf(array, piece.target, piece.source),
                    blockOf(array, piece.target)});
  return Copy(std::move(exchange), std::move(here));
}

ViewPlan::ViewPlan(Transport &transport, const Distribution &distribution,
                   const ShiftStatement &statement,
                   const std::vector<GhostShift> &shifts)
    : ghosts(ghostCopy(transport, distribution, statement, shifts, travels)) {
  zrt_array &source = statement.source;
  for (const GhostShift &shift : shifts) {
    int floods = source.region.floods | statement.region.floods;
    far.add(distribution, statement.region, floods, shift.direction);
    for (int d = 0; shift.wraps && d < source.region.rank; ++d)
      if (distribution.distributed(d) && (floods >> d & 1) == 0)
        far.wrapped[d] = {source.region.dim[d].lo, source.region.dim[d].hi};
  }
  for (const GhostShift &shift : shifts) {
    borrowArray(views.emplace_back(), source, statement.region, shift.direction,
                0);
    --source.keeper->views; // a pattern is none
  }
  source.planned = 1;
}

void ViewPlan::begin(const ShiftStatement &statement, uint64_t &lastId) {
  if (underWay++ == 0) {
    ghosts.begin();
    arrived = false;
  }
  zrt_region region = floodedAs(statement.region, statement.source);
  for (size_t k = 0; k < views.size(); ++k) {
    zrt_array &view = *statement.views[k].result;
    view = views[k];
    view.region = region;
    view.name = statement.source.name;
    view.id = ++lastId;
  }
  statement.source.keeper->views += statement.count;
}

void ViewPlan::await() {
  if (!arrived)
    ghosts.await();
  arrived = true;
}

/// Nothing was written since the first of them began.
void ViewPlan::finish() {
  if (--underWay == 0)
    ghosts.finish();
}

//===----------------------------------------------------------------------===//
// The plans
//===----------------------------------------------------------------------===//

/// Leaves the key of \p statement and gives its hash back.
uint64_t ViewPlans::makeKey(const ShiftStatement &statement) {
  const zrt_region &region = statement.region;
  key.clear();
  key.push_back(static_cast<int64_t>(statement.source.id));
  key.push_back(region.rank);
  key.push_back(region.floods);
  for (int d = 0; d < region.rank; ++d) {
    const zrt_dim &dim = region.dim[d];
    key.insert(key.end(), {dim.lo, dim.hi, dim.stride, dim.align});
  }
  for (int64_t k = 0; k < statement.count; ++k) {
    const zrt_view &view = statement.views[k];
    key.push_back(view.wraps);
    key.insert(key.end(), view.direction, view.direction + region.rank);
  }
  uint64_t sum = 0;
  for (int64_t number : key) // odd multipliers: no number is lost
    sum = (sum ^ static_cast<uint64_t>(number)) * 0x9E3779B97F4A7C15u;
  return sum ^ sum >> 32;
}

ViewPlan *ViewPlans::find(const ShiftStatement &statement) {
  hash = makeKey(statement);
  auto [first, last] = entries.equal_range(hash);
  auto found = std::find_if(
      first, last, [&](const auto &entry) { return entry.second.key == key; });
  if (found == last)
    return nullptr;
  found->second.lastUse = ++uses;
  return &found->second.plan;
}

ViewPlan &ViewPlans::add(ViewPlan plan) {
  if (entries.size() == MostEntries)
    entries.erase(std::min_element(entries.begin(), entries.end(),
                                   [](const auto &a, const auto &b) {
                                     return a.second.lastUse < b.second.lastUse;
                                   }));
  auto place = entries.emplace(hash, Entry{key, std::move(plan), ++uses});
  return place->second.plan;
}

void ViewPlans::dropArray(uint64_t id) {
  std::erase_if(entries, [id](const auto &entry) {
    return static_cast<uint64_t>(entry.second.key[0]) == id;
  });
}

} // namespace zrt
