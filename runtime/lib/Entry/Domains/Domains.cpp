//===- Domains.cpp - Grids, distributions and domains of a run ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a domain gets its distribution (dissertation 2.2.2): the program declares
// its global regions,
//
//     region R = [1..n, 1..n];  BigR = [0..n+1, 0..n+1];
//
// and the first array of the domain, or the first loop that asks for its
// bounds, ends that: the bounding box [0..n+1, 0..n+1] is cut over the grid,
// and every array and region of the domain, declared before or after, follows
// it. Indices outside of the box belong to the processors at the edges. Flooded
// dimensions have no indices and add nothing: [1..n, *] only tells that rows
// are 1..n. Without a region of its own, a rank's default domain takes the box
// of all others of the rank: statements that cannot be executed where the
// elements are go there.
//
// The program's own distributions say what to do dimension by dimension
// (language 12). A domain of blocks of any sizes is a Distribution; a scattered
// one has Places as well, and its box in blocks besides.
//
//===----------------------------------------------------------------------===//

#include "Entry/Domains/Domains.h"

#include "Support/Error.h"

#include <cinttypes>
#include <limits>

namespace zrt {

Domains::Domains(const zrt_program &program, const GridRequest &request)
    : program(program), request(request),
      named(static_cast<size_t>(program.domain_count)),
      grids(static_cast<size_t>(program.grid_count)),
      distributions(static_cast<size_t>(program.distribution_count)),
      inBlocks(static_cast<size_t>(program.domain_count)) {
  for (int rank = 1; rank <= ZRT_MAX_RANK; ++rank)
    ranks[rank].declared = emptyBox(rank);
  for (int32_t number = 1; number <= program.domain_count; ++number)
    named[number - 1].declared = emptyBox(regionIn(number).rank);
  for (int32_t k = 0; k < program.distribution_count; ++k)
    distributions[k].grid = program.distributions[k].grid;
}

zrt_region Domains::regionIn(int32_t number) const {
  zrt_region region = {};
  int32_t distribution = program.domains[number - 1].distribution;
  region.rank =
      static_cast<int16_t>(program.distributions[distribution - 1].rank);
  region.domain = static_cast<int16_t>(number);
  return region;
}

const char *Domains::nameOfDistribution(int32_t domain) const {
  return program.distributions[program.domains[domain - 1].distribution - 1]
      .name;
}

const Domains::DistributionValue &Domains::valueOf(int32_t domain) const {
  return distributions[program.domains[domain - 1].distribution - 1];
}

void Domains::declareRegion(const zrt_region &region) {
  // Bounds that are no indices are an error of the program, but not of this
  // place; they must only not upset the arithmetic.
  Range indices = {std::numeric_limits<int32_t>::min(),
                   std::numeric_limits<int32_t>::max()};
  DomainState &state = stateOf(region);
  Box box = boxOf(region), &declared = state.declared;
  if (isEmpty(box) || state.fixed)
    return;
  for (int d = 0; d < box.rank; ++d)
    if (!(region.floods >> d & 1)) {
      Seq all = hull(declared.dim[d], intersect(box.dim[d], indices));
      declared.dim[d] = seqOf(rangeOf(all));
    }
}

//===----------------------------------------------------------------------===//
// Grids and distributions
//===----------------------------------------------------------------------===//

void Domains::setGrid(int32_t number, const int64_t *extents, int processors,
                      const zrt_loc *loc) {
  const zrt_grid_info &info = program.grids[number - 1];
  std::vector<int> fixed;
  for (int d = 0; d < info.rank; ++d) {
    if (extents[d] < 0 || extents[d] > std::numeric_limits<int>::max())
      fatal(loc, ErrorScope::Replicated,
            "grid %s has the extent %" PRId64 " in dimension %d", info.name,
            extents[d], d + 1);
    fixed.push_back(static_cast<int>(extents[d]));
  }
  auto given = request.named.find(info.name);
  if (given != request.named.end()) {
    for (int d = 0; d < info.rank; ++d)
      if (fixed[d] != 0 && fixed[d] != given->second[d])
        fatal(loc, ErrorScope::Replicated,
              "grid %s is %s, and the command line asks for %s", info.name,
              toString(fixed).c_str(), toString(given->second).c_str());
    fixed = given->second;
  }
  if (!completeGrid(fixed, processors, grids[number - 1]))
    fatal(loc, ErrorScope::Replicated,
          "grid %s is %s, and %d processors do not make such a grid", info.name,
          toString(fixed).c_str(), processors);
}

void Domains::setDistribution(int32_t number, const zrt_rule *rules,
                              const zrt_loc *loc) {
  DistributionValue &value = distributions[number - 1];
  const zrt_distribution_info &info = program.distributions[number - 1];
  value.loc = loc;
  value.rules.clear();
  for (int d = 0; d < info.rank; ++d) {
    const zrt_rule &from = rules[d];
    DimensionRule rule{static_cast<zrt_rule_kind>(from.kind),
                       from.lo,
                       from.hi,
                       {},
                       from.owner};
    if (from.points) {
      Range bounds = from.type->bounds[0];
      rule.points.assign(from.points, from.points + size(bounds));
    }
    if (rule.kind == ZRT_BLOCK_CYCLIC && rule.lo < 1)
      fatal(loc, ErrorScope::Replicated,
            "distribution %s has blocks of %" PRId64 " indices in dimension %d",
            info.name, rule.lo, d + 1);
    value.rules.push_back(std::move(rule));
  }
}

std::vector<int32_t> Domains::reopen(bool (*lies)(const Domains &, int32_t,
                                                  int32_t),
                                     int32_t number) {
  std::vector<int32_t> reopened;
  for (int32_t domain = 1; domain <= program.domain_count; ++domain) {
    if (!lies(*this, domain, number))
      continue;
    DomainState &state = named[domain - 1];
    if (state.fixed)
      reopened.push_back(domain);
    state.fixed = false;
    state.placement.reset();
    inBlocks[domain - 1].reset();
    for (std::vector<PlaceTable> &tables : state.tables)
      tables.clear();
  }
  return reopened;
}

std::vector<int32_t> Domains::assignGrid(int32_t number, int32_t value) {
  grids[number - 1] = grids[value - 1];
  return reopen([](const Domains &all, int32_t domain,
                   int32_t grid) { return all.valueOf(domain).grid == grid; },
                number);
}

std::vector<int32_t> Domains::assignDistribution(int32_t number,
                                                 int32_t value) {
  distributions[number - 1] = distributions[value - 1];
  return reopenOver(number);
}

std::vector<int32_t> Domains::reopenOver(int32_t number) {
  return reopen(
      [](const Domains &all, int32_t domain, int32_t distribution) {
        return all.program.domains[domain - 1].distribution == distribution;
      },
      number);
}

Box Domains::boxOver(int32_t number) const {
  Box box = emptyBox(program.distributions[number - 1].rank);
  for (int32_t domain = 1; domain <= program.domain_count; ++domain)
    if (program.domains[domain - 1].distribution == number)
      for (int d = 0; d < box.rank; ++d)
        box.dim[d] = hull(box.dim[d], named[domain - 1].declared.dim[d]);
  return box;
}

ProcessGrid Domains::gridOver(int32_t number, int processors) const {
  const zrt_distribution_info &info = program.distributions[number - 1];
  return gridOf(distributions[number - 1].grid, info.rank, processors,
                {info.name});
}

std::vector<int32_t>
Domains::assignCuts(int32_t number,
                    const std::vector<std::vector<int64_t>> &points,
                    const zrt_loc *loc) {
  DistributionValue &value = distributions[number - 1];
  for (size_t d = 0; d < points.size(); ++d)
    if (!points[d].empty())
      value.rules[d] = {ZRT_CUT, 0, 0, points[d], nullptr};
  value.loc = loc;
  return reopenOver(number);
}

ProcessGrid Domains::gridOf(int32_t number, int rank, int processors,
                            std::initializer_list<const char *> names) const {
  if (number != 0)
    return grid(number);
  ProcessGrid made;
  std::string error;
  for (const char *name : names) {
    auto given = request.named.find(name);
    if (given == request.named.end())
      continue;
    if (!completeGrid(given->second, processors, made))
      fatal(nullptr, ErrorScope::Replicated,
            "the command line asks for the grid %s of %s, and there are %d "
            "processors",
            toString(given->second).c_str(), name, processors);
    return made;
  }
  ZRT_CHECK(makeGrid(request, rank, processors, made, error));
  return made;
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

BlockCut Domains::cutOf(const DimensionRule &rule, int d, const Range &box,
                        int64_t parts, int32_t number) const {
  switch (rule.kind) {
  case ZRT_NONE:
    return {EmptyRange, parts};
  case ZRT_BOUNDED:
    return {Range{rule.lo, rule.hi}, parts};
  case ZRT_CUT: {
    const std::vector<int64_t> &points = rule.points;
    const zrt_loc *loc = valueOf(number).loc;
    const char *name = nameOfDistribution(number);
    if (static_cast<int64_t>(points.size()) != parts + 1)
      fatal(loc, ErrorScope::Replicated,
            "distribution %s cuts dimension %d at %zu points, where its grid "
            "has %" PRId64 " processors: it needs %" PRId64,
            name, d + 1, points.size(), parts, parts + 1);
    for (size_t k = 1; k < points.size(); ++k)
      if (points[k] < points[k - 1])
        fatal(loc, ErrorScope::Replicated,
              "the cut points of distribution %s decrease in dimension %d, "
              "from %" PRId64 " to %" PRId64,
              name, d + 1, points[k - 1], points[k]);
    return {Range{points.front() + 1, points.back()}, parts, points};
  }
  case ZRT_BLOCK:
  case ZRT_CYCLIC:
  case ZRT_BLOCK_CYCLIC:
  case ZRT_OWNER:
    break;
  }
  return {box, parts};
}

/// What the program's procedure says of an index; 0 and a \p fault if that is
/// wrong. Perhaps it is so on this processor alone, so nothing ends here.
static int64_t askOwner(const DimensionRule &rule, int64_t index,
                        const Range &box, int64_t parts, const char *name,
                        std::string &fault) {
  auto ask = [&] {
    auto number = [](int64_t wide) { return static_cast<int32_t>(wide); };
    return rule.owner(number(index), number(box.lo), number(box.hi),
                      number(parts));
  };
  auto fail = [&](const std::string &text) {
    if (fault.empty())
      fault = std::string("the procedure of distribution ") + name + " gives " +
              "processor " + text;
    return 0;
  };
  int32_t owner = ask();
  std::string answer =
      std::to_string(owner) + " for index " + std::to_string(index);
  if (owner < 0 || owner >= parts)
    return fail(answer + " of " + std::to_string(box.lo) + ".." +
                std::to_string(box.hi) + ", and must give one from 0 to " +
                std::to_string(parts - 1));
  int32_t again = ask();
  if (again != owner)
    return fail(answer + " and then " + std::to_string(again) +
                ": it is no function of its arguments");
  return owner;
}

Places Domains::placesOf(const DimensionRule &rule, int d, const Range &box,
                         int64_t parts, int32_t number,
                         std::string &fault) const {
  switch (rule.kind) {
  case ZRT_CYCLIC:
    return Places::cyclic(isEmpty(box) ? 0 : box.lo, parts);
  case ZRT_BLOCK_CYCLIC:
    return Places::blockCyclic(box, rule.lo, parts);
  case ZRT_OWNER:
    return Places::byOwner(box, parts, [&](int64_t index) {
      return isEmpty(box) ? 0
                          : askOwner(rule, index, box, parts,
                                     nameOfDistribution(number), fault);
    });
  case ZRT_BLOCK:
  case ZRT_BOUNDED:
  case ZRT_CUT:
  case ZRT_NONE:
    break;
  }
  return Places(cutOf(rule, d, box, parts, number));
}

bool Domains::isSaid(int32_t domain) const {
  return std::any_of(valueOf(domain).rules.begin(), valueOf(domain).rules.end(),
                     [](const DimensionRule &rule) {
                       return rule.kind == ZRT_CUT || rule.kind == ZRT_OWNER;
                     });
}

Domains::Said Domains::saidOf(int32_t domain, int d) const {
  const DistributionValue &value = valueOf(domain);
  const DimensionRule &rule = value.rules[static_cast<size_t>(d)];
  const DomainState &state = named[static_cast<size_t>(domain - 1)];
  Said said;
  if (rule.kind == ZRT_CUT)
    said.numbers = rule.points;
  Range box = rangeOf(state.declared.dim[d]);
  if (rule.kind != ZRT_OWNER || isEmpty(box))
    return said;
  said.isByOwner = true;
  said.first = box.lo;
  said.numbers.resize(static_cast<size_t>(size(box)));
  const Places &places = state.placement->dims[d];
  for (int64_t part = 0; part < places.parts(); ++part)
    for (const Segment &segment : places.of(part))
      for (int64_t i = std::max(segment.indices.lo, box.lo);
           i <= std::min(segment.indices.hi, box.hi); ++i)
        if (contains(segment.indices, i))
          said.numbers[static_cast<size_t>(i - box.lo)] = part;
  return said;
}

void Domains::fixBlocks(DomainState &state, int self) {
  const ProcessGrid &grid = state.distribution.grid;
  int place[ZRT_MAX_RANK];
  grid.coordinates(self, place);
  for (int d = 0; d < grid.rank; ++d)
    state.domain.own[d] = state.distribution.cut[d].own(place[d]);
  state.fixed = true;
  state.isAgreed = false;
}

void Domains::fix(const zrt_region &region, int self, int processors) {
  DomainState &state = stateOf(region);
  int rank = region.rank;
  int32_t number = region.domain & ~InBlocksBit;
  ZRT_CHECK(1 <= rank && rank <= ZRT_MAX_RANK);
  if (number == 0) {
    if (isEmpty(state.declared))
      for (const DomainState &other : named)
        if (other.declared.rank == rank)
          state.declared = hull(state.declared, other.declared);
    state.distribution =
        Distribution(gridOf(0, rank, processors, {}), state.declared);
    return fixBlocks(state, self);
  }
  const DistributionValue &value = valueOf(number);
  ZRT_CHECK(!value.rules.empty());
  ProcessGrid grid =
      gridOf(value.grid, rank, processors,
             {program.domains[number - 1].name, nameOfDistribution(number)});
  state.distribution = Distribution(grid, state.declared);
  if (program.domains[number - 1].is_scattered) {
    state.placement = std::make_unique<Placement>();
    state.placement->grid = grid;
    state.placement->isScattered = true;
    state.fault.clear();
    for (int d = 0; d < rank; ++d)
      state.placement->dims[d] =
          placesOf(value.rules[d], d, rangeOf(state.declared.dim[d]),
                   grid.extent[d], number, state.fault);
  } else {
    for (int d = 0; d < rank; ++d)
      state.distribution.cut[d] =
          cutOf(value.rules[d], d, rangeOf(state.declared.dim[d]),
                grid.extent[d], number);
  }
  fixBlocks(state, self);
}

void Domains::checkHolds(const zrt_region &region, const zrt_loc *loc) {
  if (region.domain <= 0 || region.domain >= InBlocksBit)
    return;
  const DistributionValue &value = valueOf(region.domain);
  Box box = boxOf(region);
  for (int d = 0; d < region.rank && !isEmpty(box); ++d) {
    const DimensionRule &rule = value.rules[d];
    if ((rule.kind != ZRT_BOUNDED && rule.kind != ZRT_CUT) ||
        region.floods >> d & 1)
      continue;
    Range holds = rule.kind == ZRT_BOUNDED
                      ? Range{rule.lo, rule.hi}
                      : Range{rule.points.front() + 1, rule.points.back()};
    if (!contains(holds, rangeOf(box.dim[d])))
      fatal(loc, ErrorScope::Replicated,
            "distribution %s has the indices %" PRId64 "..%" PRId64
            " in dimension %d, and not all of region %s%s%s",
            nameOfDistribution(region.domain), holds.lo, holds.hi, d + 1,
            region.name ? region.name : "", region.name ? " = " : "",
            toString(region).c_str());
  }
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The dimensions of \p distribution as places.
static std::unique_ptr<Placement> blocksOf(const Distribution &distribution) {
  auto placement = std::make_unique<Placement>();
  placement->grid = distribution.grid;
  for (int d = 0; d < distribution.grid.rank; ++d)
    placement->dims[d] = Places(distribution.cut[d]);
  return placement;
}

const Placement &Domains::placementOf(const zrt_region &region) {
  DomainState &state = stateOf(region);
  ZRT_CHECK(state.fixed);
  std::unique_ptr<Placement> &known =
      region.domain & InBlocksBit ? inBlocks[(region.domain & ~InBlocksBit) - 1]
                                  : state.placement;
  if (!known)
    known = blocksOf(state.distribution);
  return *known;
}

Box Domains::placesOf(const zrt_region &region, int self) {
  const Placement &placement = placementOf(region);
  int at[ZRT_MAX_RANK];
  placement.grid.coordinates(self, at);
  Box places;
  places.rank = region.rank;
  for (int d = 0; d < region.rank; ++d)
    places.dim[d] = region.floods >> d & 1
                        ? Seq{0, 0, 1}
                        : seqOf(placement.dims[d].placesOf(
                              at[d], rangeOf(seqOf(region.dim[d]))));
  return places;
}

/// The places that a table for \p wanted had better have: those of \p box too,
/// if they are not many more, so that regions that grow find them there.
static Range worthwhile(Range wanted, Range box) {
  constexpr int64_t Few = int64_t(1) << 20;
  Range both = {std::min(wanted.lo, box.lo), std::max(wanted.hi, box.hi)};
  bool isSmall = size(both) <= std::max(Few, 4 * size(wanted));
  return isEmpty(box) || !isSmall ? wanted : both;
}

const int64_t *Domains::indicesAt(DomainState &state, int d, Range places,
                                  int self) {
  auto atPlaceZero = [](const PlaceTable &table) {
    return reinterpret_cast<const int64_t *>(
        reinterpret_cast<uintptr_t>(table.indices.data()) -
        static_cast<uintptr_t>(table.start) * sizeof(int64_t));
  };
  std::vector<PlaceTable> &tables = state.tables[d];
  for (const PlaceTable &table : tables)
    if (contains(table.places(), places))
      return atPlaceZero(table);
  int at[ZRT_MAX_RANK];
  state.placement->grid.coordinates(self, at);
  const Places &dim = state.placement->dims[d];
  Range range =
      worthwhile(places, dim.placesOf(at[d], rangeOf(state.declared.dim[d])));
  // What is near goes into the new one.
  std::erase_if(tables, [&](const PlaceTable &table) {
    Range known = table.places();
    Range both = {std::min(known.lo, range.lo), std::max(known.hi, range.hi)};
    bool isNear = size(both) <= 2 * (size(known) + size(range));
    range = isNear ? both : range;
    return isNear;
  });
  PlaceTable &made = tables.emplace_back(PlaceTable{range.lo, {}});
  made.indices.reserve(static_cast<size_t>(size(range)));
  for (int64_t place = range.lo; place <= range.hi; ++place)
    made.indices.push_back(dim.indexOf(at[d], place));
  return atPlaceZero(made);
}

} // namespace zrt
