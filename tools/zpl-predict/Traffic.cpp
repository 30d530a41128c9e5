//===- Traffic.cpp - Who sends how much in an operation -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime plans its communication by pure functions of regions, directions
// and the distribution (TransferPlan, GhostPlan, CopyPlan, WavePlan), equal on
// all processors. They are asked here, for each processor what it would send,
// so counts are those of a run. Without a closed form, planning costs a few
// microseconds for each processor and operation; equal ones are planned once
// (Evaluate.cpp).
//
// Collectives choose an algorithm by the table in Collectives.def; each has a
// number of messages that follows from that of the members. What goes where the
// data say (remaps, sorting) is taken to be spread evenly.
//
//===----------------------------------------------------------------------===//

#include "Traffic.h"

#include "Transfer/CopyPlan.h"
#include "Transfer/GhostPlan.h"
#include "Transfer/TransferPlan.h"
#include "Transfer/WavePlan.h"

#include <bit>
#include <cmath>
#include <cstring>

using namespace zrt;

namespace predict {

static double bytesOf(const std::vector<ArrayBox> &boxes,
                      const std::vector<ItemNumbers> &items) {
  double bytes = 0;
  for (const ArrayBox &entry : boxes)
    for (const ItemNumbers &item : items)
      if (item.array == entry.array) {
        bytes += double(size(entry.box)) * double(item.bytes);
        break;
      }
  return bytes;
}

namespace {
/// What one processor exchanges, added up over all of them.
class Sum {
public:
  void begin(int processor) {
    self = processor;
    sends.clear();
    receives.clear();
  }
  void send(int partner, double bytes) { sends.push_back({partner, bytes}); }
  void receive(int partner, double bytes) {
    receives.push_back({partner, bytes});
  }
  void end() {
    double own = 0;
    for (const Message &message : sends) {
      traffic.bytes += message.bytes;
      own += 1e3 + message.bytes; // a message counts as a thousand bytes
    }
    for (const Message &message : receives)
      own += 1.5e3 + message.bytes; // who receives waits
    traffic.messages += double(sends.size());
    if (own <= most)
      return;
    most = own;
    traffic.busiest = self;
    traffic.sends = sends;
    traffic.receives = receives;
  }
  Traffic traffic;

private:
  int self = 0;
  double most = 0;
  std::vector<Message> sends, receives;
};
} // namespace

static std::vector<ShiftItem>
shiftItems(const std::vector<ItemNumbers> &items) {
  std::vector<ShiftItem> result;
  for (const ItemNumbers &item : items) {
    ShiftItem shift;
    shift.array = item.array;
    shift.declared = boxOf(item.declared);
    shift.floods = item.declared.floods;
    std::copy(item.offset, item.offset + ZRT_MAX_RANK, shift.direction);
    result.push_back(shift);
  }
  return result;
}

Traffic transferTraffic(const Distribution &distribution,
                        const zrt_region &region,
                        const std::vector<ItemNumbers> &items) {
  Sum sum;
  std::vector<ShiftItem> planned = shiftItems(items);
  for (int self = 0; self < distribution.grid.size(); ++self) {
    sum.begin(self);
    for (const PartnerBoxes &partner :
         planTransfer(distribution, boxOf(region), planned, self)) {
      if (!partner.sends.empty())
        sum.send(partner.partner, bytesOf(partner.sends, items));
      if (!partner.receives.empty())
        sum.receive(partner.partner, bytesOf(partner.receives, items));
    }
    sum.end();
  }
  return sum.traffic;
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

static void addGhosts(Sum &sum, const PartnerGhosts &partner, double each) {
  auto bytes = [&](const std::vector<CopyPiece> &pieces) {
    double all = 0;
    for (const CopyPiece &piece : pieces)
      all += double(size(piece.target)) * each;
    return all;
  };
  if (!partner.sends.empty())
    sum.send(partner.partner, bytes(partner.sends));
  if (!partner.receives.empty())
    sum.receive(partner.partner, bytes(partner.receives));
}

/// Each shift by itself, into an array of its own.
static Traffic copyTraffic(const Distribution &distribution,
                           const zrt_region &region,
                           const std::vector<ItemNumbers> &items) {
  Traffic all;
  Box box = boxOf(region);
  for (const ItemNumbers &item : items) {
    if (isEmpty(box) || isEmpty(boxOf(item.declared)))
      continue;
    std::vector<CopyPiece> pieces =
        item.wraps ? wrapPieces(box, item.declared, item.offset)
                   : std::vector<CopyPiece>{shiftPiece(box, item.offset)};
    Sum sum;
    for (int self = 0; self < distribution.grid.size(); ++self) {
      sum.begin(self);
      for (const PartnerParts &partner :
           planCopy(distribution, pieces, region.floods, item.declared.floods,
                    self)
               .partners) {
        auto bytes = [&](const std::vector<PiecePart> &parts) {
          double total = 0;
          for (const PiecePart &part : parts)
            total += double(size(part.box)) * double(item.bytes);
          return total;
        };
        if (!partner.sends.empty())
          sum.send(partner.partner, bytes(partner.sends));
        if (!partner.receives.empty())
          sum.receive(partner.partner, bytes(partner.receives));
      }
      sum.end();
    }
    all.messages += sum.traffic.messages;
    all.bytes += sum.traffic.bytes;
    all.busiest = sum.traffic.busiest;
    for (auto member : {&Traffic::sends, &Traffic::receives})
      (all.*member)
          .insert((all.*member).end(), (sum.traffic.*member).begin(),
                  (sum.traffic.*member).end());
  }
  return all;
}

Traffic shiftTraffic(const Distribution &distribution, const zrt_region &region,
                     const std::vector<ItemNumbers> &items) {
  if (items.empty() || isEmpty(boxOf(region)))
    return {};
  GhostSource source{items.front().declared};
  std::vector<GhostShift> shifts;
  bool isAny = false;
  for (const ItemNumbers &item : items) {
    GhostShift shift;
    std::copy(item.offset, item.offset + ZRT_MAX_RANK, shift.direction);
    shift.wraps = item.wraps;
    shifts.push_back(nearest(source, region, shift));
    isAny |= item.wraps || distribution.crosses(shifts.back().direction,
                                                source.declared.floods);
  }
  if (!isAny)
    return {};
  if (!ghostRoom(distribution, source, region, shifts))
    return copyTraffic(distribution, region, items);
  Sum sum;
  for (int self = 0; self < distribution.grid.size(); ++self) {
    sum.begin(self);
    for (const PartnerGhosts &partner :
         planGhosts(distribution, source, region, shifts, self).partners)
      addGhosts(sum, partner, double(items.front().bytes));
    sum.end();
  }
  return sum.traffic;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static CostTerms termsOf(int members, double bytes) {
  CostTerms terms;
  unsigned m = unsigned(members);
  terms.p = m;
  terms.up = std::bit_width(m - 1);
  terms.down = std::bit_width(m) - 1;
  terms.segments = std::max(1.0, std::ceil(bytes / double(PipelineSegment)));
  terms.odd = terms.up > terms.down ? 1 : 0;
  return terms;
}

/// The algorithm that the runtime would take.
static const Algorithm &chosen(Collective operation, const CostTerms &terms,
                               double bytes, bool isExact,
                               const CollectiveCosts &costs) {
  const Algorithm *best = nullptr;
  double least = INFINITY;
  for (const Algorithm &algorithm : algorithmTable()) {
    bool canDo = algorithm.needs == Needs::Nothing ||
                 (algorithm.needs == Needs::Exact && isExact);
    if (algorithm.operation != operation || !canDo)
      continue;
    double cost = algorithm.rounds(terms) * costs.message +
                  algorithm.copies(terms) * bytes * costs.byte;
    if (cost < least) {
      least = cost;
      best = &algorithm;
    }
  }
  return *best;
}

/// Messages of all members together, and how often the payload goes in them.
struct MessageCount {
  double messages, payloads;
};
static MessageCount countOf(const Algorithm &algorithm, const CostTerms &t) {
  double p = t.p, blocks = std::exp2(t.down), pairs = p - blocks;
  std::string_view name = algorithm.name;
  if (name == "butterfly")
    return {blocks * t.down + 2 * pairs, blocks * t.down + 2 * pairs};
  if (name == "ring" || name == "pairwise")
    return {2 * p * (p - 1), 2 * (p - 1)};
  if (name == "scatter")
    return {(p - 1) * (p + 1), (p - 1) * (p + 1) / p};
  if (name == "pipeline")
    return {(p - 1) * t.segments, p - 1};
  bool isReduction = algorithm.operation == Collective::Reduce;
  return {(p - 1) * (isReduction ? 2 : 1), (p - 1) * (isReduction ? 2 : 1)};
}

static Traffic collectiveTraffic(Collective operation, int members,
                                 double payload, bool isExact,
                                 const CollectiveCosts &costs) {
  Traffic traffic;
  if (members < 2 || payload <= 0)
    return traffic;
  CostTerms terms = termsOf(members, payload);
  const Algorithm &algorithm =
      chosen(operation, terms, payload, isExact, costs);
  MessageCount count = countOf(algorithm, terms);
  traffic.messages = count.messages;
  traffic.bytes = count.payloads * payload;
  traffic.rounds = algorithm.rounds(terms);
  traffic.copied = algorithm.copies(terms) * payload;
  return traffic;
}

/// What Split.cpp sends to each member by itself.
static constexpr int MostSplitMembers = 16;
static constexpr double MostSplitPayload = 256, MostSplitFlood = 65536;

Traffic reductionTraffic(int members, double groups, double payload,
                         bool isExact, bool isSplit,
                         const CollectiveCosts &costs) {
  Traffic traffic;
  if (isSplit && members > 1 && members <= MostSplitMembers &&
      payload <= MostSplitPayload) {
    traffic.messages = double(members) * (members - 1);
    traffic.bytes = traffic.messages * payload;
    traffic.rounds = 1;
    traffic.copied = payload * (members - 1);
  } else {
    traffic =
        collectiveTraffic(Collective::Reduce, members, payload, isExact, costs);
  }
  traffic.messages *= groups;
  traffic.bytes *= groups;
  return traffic;
}

Traffic partialTraffic(const Distribution &distribution,
                       const zrt_region &region, int dims, double payload,
                       bool isExact, const CollectiveCosts &costs) {
  Traffic all;
  int members = 1;
  for (int d = 0; d < region.rank; ++d)
    if (dims >> d & 1)
      members *= distribution.grid.extent[d];
  int floods = region.floods | dims;
  Box box = flooded(boxOf(region), floods);
  for (int self = 0; self < distribution.grid.size(); ++self) {
    int place[ZRT_MAX_RANK];
    distribution.grid.coordinates(self, place);
    bool isFirst = true;
    for (int d = 0; d < region.rank; ++d)
      isFirst &= !(dims >> d & 1) || place[d] == 0;
    if (!isFirst)
      continue;
    Box part = intersect(box, distribution.own(self, floods));
    Traffic one =
        collectiveTraffic(Collective::Reduce, members,
                          double(size(part)) * payload, isExact, costs);
    all.messages += one.messages;
    all.bytes += one.bytes;
    if (one.copied >= all.copied) {
      all.rounds = one.rounds;
      all.copied = one.copied;
    }
  }
  return all;
}

/// Sizes that share an exchange there.
static double roundedUp(double bytes) {
  double step = std::max(64.0, std::exp2(std::floor(std::log2(bytes))) / 8);
  return std::ceil(bytes / step) * step;
}

/// The largest part that a processor has of \p box, flooded along \p floods.
static double mostPart(const Distribution &distribution, const Box &box,
                       int floods) {
  double most = 1;
  for (int d = 0; d < box.rank; ++d) {
    if (floods >> d & 1)
      continue;
    double length = 0;
    for (int64_t part = 0; part < distribution.grid.extent[d]; ++part)
      length = std::max(
          length,
          double(size(intersect(box.dim[d], distribution.cut[d].own(part)))));
    most *= length;
  }
  return most;
}

/// One broadcast in each slice along \p moved, of the part of \p box that its
/// owner has.
static void addBroadcasts(Traffic &all, const Distribution &distribution,
                          const Box &box, int floods, int moved, double each,
                          bool isSplit, const CollectiveCosts &costs) {
  int members = 1;
  for (int d = 0; d < box.rank; ++d)
    if (moved >> d & 1)
      members *= distribution.grid.extent[d];
  Traffic longest;
  double most = mostPart(distribution, box, floods | moved) * each;
  bool isInParts = isSplit && members > 1 && members <= MostSplitMembers &&
                   most > 0 && most <= MostSplitFlood;
  for (int self = 0; self < distribution.grid.size(); ++self) {
    int place[ZRT_MAX_RANK];
    distribution.grid.coordinates(self, place);
    bool isOwner = true;
    for (int d = 0; d < box.rank; ++d)
      if (moved >> d & 1)
        isOwner &= place[d] == distribution.cut[d].owner(box.dim[d].lo);
    Box part = intersect(box, distribution.own(self, floods));
    double payload = isOwner ? double(size(part)) * each : 0;
    Traffic one;
    if (isInParts && payload > 0) {
      one.messages = members - 1;
      one.bytes = roundedUp(most) * (members - 1);
      one.rounds = 1;
      one.copied = roundedUp(most);
    } else {
      one = collectiveTraffic(Collective::Broadcast, members, payload, false,
                              costs);
    }
    all.messages += one.messages;
    all.bytes += one.bytes;
    if (one.copied >= longest.copied)
      longest = one;
  }
  all.rounds += longest.rounds;
  all.copied += longest.copied;
}

Traffic floodTraffic(const Distribution &distribution, const zrt_region &from,
                     int moved, int64_t elementBytes, int64_t times,
                     bool isSplit, const CollectiveCosts &costs) {
  Traffic all;
  int distributed = 0, panel = 0;
  while (panel + 1 < from.rank && !(from.singletons >> panel & 1))
    ++panel;
  for (int d = 0; d < from.rank; ++d)
    if (moved >> d & 1 && distribution.distributed(d))
      distributed |= 1 << d;
  if (distributed == 0 || isEmpty(boxOf(from)))
    return all;
  int64_t first = from.dim[panel].lo;
  for (int64_t k = 0, end; k < times; k = end) {
    Box box = boxOf(from);
    end = times;
    if (times > 1 && distributed >> panel & 1) {
      const BlockCut &cut = distribution.cut[panel];
      Range block = cut.own(cut.owner(first + k));
      end = std::min(times, std::max(block.hi - first, k) + 1);
    }
    if (times > 1)
      box.dim[panel] = {first + k, first + end - 1, 1};
    addBroadcasts(all, distribution, box, from.floods, distributed,
                  double(elementBytes), isSplit && times == 1, costs);
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Waves, and what goes anywhere
//===----------------------------------------------------------------------===//

/// What goes out and comes in with one tile.
static void addTile(Sum &sum, const WavePlan &plan, const Box &tile,
                    const std::vector<ItemNumbers> &items) {
  std::map<int, double> to, from;
  auto add = [&](const WaveStrip &strip, bool sends) {
    Box here = intersect(strip.elements.box, tile);
    if (!isEmpty(here))
      (sends ? to : from)[strip.partner] +=
          bytesOf({{strip.elements.array, here}}, items);
  };
  for (const WaveStrip &strip : plan.sends)
    add(strip, true);
  for (const WaveStrip &strip : plan.receives)
    add(strip, false);
  for (const auto &[sends, strip] : plan.late)
    add(strip, sends);
  for (auto [partner, bytes] : to)
    sum.send(partner, bytes);
  for (auto [partner, bytes] : from)
    sum.receive(partner, bytes);
}

Traffic waveTraffic(const Distribution &distribution, const zrt_region &region,
                    const std::vector<ItemNumbers> &items,
                    const zrt_wave &wave) {
  constexpr double Message = 4000, Row = 60; // as Wave.cpp has them
  WaveCosts costs{Message, std::max(1.0, double(wave.cost)), Row};
  std::vector<ShiftItem> planned = shiftItems(items);
  Sum sum;
  double tiles = 1;
  int64_t every = 1; // of very many tiles only some are looked at
  for (int self = 0; self < distribution.grid.size(); ++self) {
    WavePlan plan = planWave(distribution, boxOf(region), region.floods,
                             planned, wave, costs, self);
    sum.begin(self);
    tiles = double(plan.tileCount());
    constexpr double MostTiles = 1 << 21;
    every = int64_t(tiles * distribution.grid.size() / MostTiles) + 1;
    for (int64_t tile = 0; tile < plan.tileCount(); tile += every)
      addTile(sum, plan, plan.tile(tile), items);
    sum.end();
  }
  sum.traffic.repeats = double(every);
  sum.traffic.messages *= double(every);
  sum.traffic.bytes *= double(every);
  sum.traffic.isEstimate = every > 1;
  sum.traffic.tiles = tiles;
  for (int d = 0; d < region.rank; ++d)
    if (std::any_of(items.begin(), items.end(),
                    [&](const ItemNumbers &i) { return i.offset[d] != 0; }) &&
        !(region.floods >> d & 1))
      sum.traffic.stages += distribution.grid.extent[d] - 1;
  return sum.traffic;
}

Traffic scatteredTraffic(const Distribution &distribution,
                         const zrt_region &region, int64_t elementBytes) {
  Traffic traffic;
  double p = distribution.grid.size();
  Points points = pointsOf(distribution, region);
  traffic.isEstimate = true;
  if (p < 2)
    return traffic;
  double partners = std::min(p - 1, std::max(points.most, 1.0));
  traffic.messages = p * partners;
  traffic.bytes = points.all * double(elementBytes) * (p - 1) / p;
  double each = points.most * double(elementBytes) * (p - 1) / p / partners;
  for (int k = 1; k <= int(partners); ++k) {
    traffic.sends.push_back({k, each});
    traffic.receives.push_back({k, each});
  }
  return traffic;
}

Traffic outputTraffic(const Distribution &distribution,
                      const zrt_region &region, int64_t elementBytes) {
  constexpr int64_t MostInOne = (256 << 10) / 32; // of ArrayWriter.cpp, about
  Box box = boxOf(region);
  if (size(box) > MostInOne)
    return scatteredTraffic(distribution, region, elementBytes);
  Sum sum;
  std::vector<Message> parts;
  for (int owner : distribution.owners(box, region.floods)) {
    if (owner == 0)
      continue;
    Box part = flooded(intersect(box, distribution.own(owner, region.floods)),
                       region.floods);
    double bytes = double(size(part)) * double(elementBytes);
    sum.begin(owner);
    sum.send(0, bytes);
    sum.end();
    parts.push_back({owner, bytes});
  }
  sum.traffic.busiest = 0;
  sum.traffic.sends.clear();
  sum.traffic.receives = parts;
  return sum.traffic;
}

Points pointsOf(const Distribution &distribution, const zrt_region &region) {
  Points points{1, 1};
  Box box = boxOf(region);
  for (int d = 0; d < box.rank; ++d) {
    if (region.floods >> d & 1)
      continue;
    double most = 0;
    for (int64_t part = 0; part < distribution.grid.extent[d]; ++part) {
      Range own = distribution.cut[d].own(part);
      if (!isEmpty(own))
        most = std::max(most, double(size(intersect(box.dim[d], own))));
    }
    points.most *= most;
    points.all *= double(size(box.dim[d]));
  }
  return points;
}

} // namespace predict
