//===- StateScan.cpp - Prefixes by user-defined operators -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// language 8.3 and 8.4. As Scan.cpp, for states of any size whose operator is a
// procedure of the program. `f||[2, 1] A`, columns fastest, on a 2 x 2 grid:
//
//     level 0, dimension 2    each row's part is folded; a chain along the
//                             columns of processors makes of the parts what
//                             comes before each part, and the row's value
//     level 1, dimension 1    the same of the rows' values, along the rows of
//                             processors
//
// Then what comes before goes down again: from whole rows to each row, from
// there to each part of a row, and one pass over the part stores the prefixes.
// Where nothing is distributed that pass is all.
//
// A state is followed by a flag: a segment begins in it, so what comes before
// does not count. The operator may destroy its first operand; where that is
// still needed, it gets a copy. All combining is in the order of traversal.
//
// Cost: one pass over the elements, two where a dimension of the list is
// distributed, each a copy and a call per element; a chain of messages along
// each such dimension.
//
//===----------------------------------------------------------------------===//

#include "Collective/StateScan.h"

#include "Memory/ElementView.h"

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace zrt {

namespace {

struct alignas(std::max_align_t) Unit {
  char bytes[alignof(std::max_align_t)];
};

/// The operator on slots: memory for a state with its flag after it.
class SlotOperator {
public:
  explicit SlotOperator(const StateOperator &op)
      : op(op), bytes(static_cast<size_t>(op.size)),
        units(bytes / sizeof(Unit) + 1) {}

  size_t slotUnits() const { return units; }
  size_t slotBytes() const { return units * sizeof(Unit); }
  bool &restarts(Unit *slot) const {
    return *reinterpret_cast<bool *>(reinterpret_cast<char *>(slot) + bytes);
  }
  void setIdentity(Unit *slot) const {
    op.identity(slot);
    restarts(slot) = false;
  }
  void copy(Unit *to, const Unit *from) const {
    std::memcpy(to, from, slotBytes());
  }
  void load(Unit *slot, const char *element) const {
    std::memcpy(slot, element, bytes);
    restarts(slot) = false;
  }
  void store(char *element, const Unit *slot) const {
    std::memcpy(element, slot, bytes);
  }
  /// \p slot becomes \p before op \p slot; \p before may be destroyed.
  void combine(Unit *before, Unit *slot) const {
    if (restarts(slot))
      return;
    op.combine(before, slot);
    restarts(slot) = restarts(before);
  }

private:
  StateOperator op;
  size_t bytes, units;
};

/// A dense block of slots; of folded dimensions the count is 1.
struct Slots {
  int rank = 0;
  int64_t count[ZRT_MAX_RANK] = {};
  size_t units = 0;
  std::vector<Unit> memory;

  Slots() = default;
  Slots(int rank, const int64_t *counts, const SlotOperator &op)
      : rank(rank), units(op.slotUnits()) {
    int64_t all = 1;
    for (int d = 0; d < rank; ++d)
      all *= count[d] = counts[d];
    memory.resize(static_cast<size_t>(all) * units);
  }
  size_t size() const { return units == 0 ? 0 : memory.size() / units; }
  size_t bytes() const { return memory.size() * sizeof(Unit); }
  Unit *operator[](size_t k) { return memory.data() + k * units; }
  Unit *at(const int64_t *place) {
    int64_t k = 0;
    for (int d = 0; d < rank; ++d)
      k = k * count[d] + (count[d] == 1 ? 0 : place[d]);
    return (*this)[static_cast<size_t>(k)];
  }
};

/// One dimension of the list.
struct Level {
  int dim;
  bool down;
  const Slice *slice; ///< the processors along it
  Slots totals;       ///< of each line along it: its value
  Slots before;       ///< what comes before this processor's part of the line
};

class StateScanner {
public:
  StateScanner(const Parallel &parallel, zrt_array &result,
               const zrt_array &source, const zrt_region &region,
               const zrt_scan &scan, const StateOperator &op,
               const zrt_array *segment, const zrt_mask &mask)
      : transport(parallel.transport), inclusive(scan.inclusive != 0), op(op) {
    Box part = ownPart(parallel.distribution, region, transport.rank());
    from = viewOf(source, part);
    to = viewOf(result, part);
    if (segment)
      segments = viewOf(*segment, part);
    if (mask.array)
      masks = viewOf(*mask.array, part);
    maskValue = mask.value != 0;
    std::copy(from.count, from.count + from.rank, counts);
    for (int k = 0; k < scan.count; ++k) {
      int d = std::abs(scan.dims[k]) - 1;
      levels.push_back(
          {d, scan.dims[k] < 0, &sliceAlong(parallel, region, d), {}, {}});
      isDistributed |= levels.back().slice->size() > 1;
    }
    scratch.resize(3 * this->op.slotUnits());
    current = scratch.data();
    next = current + this->op.slotUnits();
    spare = next + this->op.slotUnits();
  }

  void run() {
    if (isDistributed)
      return runDistributed();
    for (const Level &level : levels)
      counts[level.dim] = 1;
    forEachLine(from.rank, counts, levels.front().dim, [&](const int64_t *at) {
      int64_t place[ZRT_MAX_RANK];
      std::copy(at, at + from.rank, place);
      op.setIdentity(current);
      walk(levels.size() - 1, place);
    });
  }

private:
  int64_t traversed(const Level &level, int64_t k) const {
    return level.down ? from.count[level.dim] - 1 - k : k;
  }
  static bool flag(const ElementView &view, const int64_t *at) {
    return *reinterpret_cast<const uint8_t *>(addressIn(view, at)) != 0;
  }
  bool isTaken(const int64_t *at) const {
    return !masks.base || flag(masks, at) == maskValue;
  }

  /// The element at \p at to \p slot; masked out, the identity.
  void load(Unit *slot, const int64_t *at) {
    if (isTaken(at))
      op.load(slot, addressIn(from, at));
    else
      op.setIdentity(slot);
    op.restarts(slot) = segments.base && flag(segments, at);
  }

  /// `current` becomes current op next.
  void take() {
    op.combine(current, next);
    std::swap(current, next);
  }

  /// `current` goes over the lines of levels 0..level at \p at, leaving the
  /// prefixes.
  void walk(size_t level, int64_t *at) {
    if (level == 0)
      return storeLine(at);
    int d = levels[level].dim;
    for (int64_t k = 0; k < from.count[d]; ++k) {
      at[d] = traversed(levels[level], k);
      walk(level - 1, at);
    }
    at[d] = 0;
  }

  /// The prefixes of one line along the fastest dimension, which begin with
  /// `current`.
  void storeLine(int64_t *at) {
    const Level &level = levels.front();
    for (int64_t k = 0; k < from.count[level.dim]; ++k) {
      at[level.dim] = traversed(level, k);
      load(next, at);
      bool isStored = isTaken(at);
      if (isStored && !inclusive) {
        if (op.restarts(next))
          op.setIdentity(spare);
        op.store(addressIn(to, at), op.restarts(next) ? spare : current);
      }
      take();
      if (isStored && inclusive)
        op.store(addressIn(to, at), current);
    }
    at[level.dim] = 0;
  }

  /// Calls \p f with each line along the dimension of level \p k, 0 in it, and
  /// the dimensions of faster levels.
  template <typename F> void eachLine(size_t k, F &&f) {
    int64_t lines[ZRT_MAX_RANK];
    std::copy(from.count, from.count + from.rank, lines);
    for (size_t j = 0; j <= k; ++j)
      lines[levels[j].dim] = 1;
    forEachLine(from.rank, lines, levels[k].dim, [&](const int64_t *at) {
      int64_t place[ZRT_MAX_RANK];
      std::copy(at, at + from.rank, place);
      f(place);
    });
  }

  /// Folds this processor's parts of the lines of level \p k.
  void foldLines(size_t k) {
    Level &level = levels[k];
    counts[level.dim] = 1;
    level.totals = Slots(from.rank, counts, op);
    eachLine(k, [&](int64_t *at) {
      op.setIdentity(current);
      for (int64_t i = 0; i < from.count[level.dim]; ++i) {
        at[level.dim] = traversed(level, i);
        if (k == 0)
          load(next, at);
        else
          op.copy(next, levels[k - 1].totals.at(at));
        take();
      }
      at[level.dim] = 0;
      op.copy(level.totals.at(at), current);
    });
  }

  /// Makes of the parts what comes before each, and the lines' values.
  void chainLines(Level &level) {
    Slots &totals = level.totals;
    level.before = Slots(from.rank, counts, op);
    for (size_t k = 0; k < totals.size(); ++k)
      op.setIdentity(level.before[k]);
    const Slice &slice = *level.slice;
    if (slice.size() == 1 || totals.size() == 0)
      return;
    int first = level.down ? slice.size() - 1 : 0;
    int last = slice.size() - 1 - first, step = level.down ? -1 : 1;
    if (slice.self != first) {
      transport.receive(slice.members[slice.self - step],
                        level.before.memory.data(), totals.bytes());
      for (size_t k = 0; k < totals.size(); ++k) {
        op.copy(spare, level.before[k]);
        op.combine(spare, totals[k]);
      }
    }
    if (slice.self != last)
      transport.send(slice.members[slice.self + step], totals.memory.data(),
                     totals.bytes());
    broadcast(transport, slice, last, totals.memory.data(), totals.bytes());
  }

  /// What comes before each line of level \p k - 1, from what comes before
  /// those of level k.
  Slots descend(size_t k, Slots &carry) {
    const Level &level = levels[k];
    Slots &values = levels[k - 1].totals;
    Slots result(from.rank, values.count, op);
    eachLine(k, [&](int64_t *at) {
      start(levels[k], carry, at);
      for (int64_t i = 0; i < from.count[level.dim]; ++i) {
        at[level.dim] = traversed(level, i);
        op.copy(result.at(at), current);
        op.copy(next, values.at(at));
        take();
      }
      at[level.dim] = 0;
    });
    return result;
  }

  /// `current` becomes what comes before this processor's part of a line.
  void start(Level &level, Slots &carry, const int64_t *at) {
    op.copy(current, carry.at(at));
    op.copy(next, level.before.at(at));
    take();
  }

  void runDistributed() {
    for (size_t k = 0; k < levels.size(); ++k) {
      foldLines(k);
      chainLines(levels[k]);
    }
    Slots carry(from.rank, counts, op);
    for (size_t k = 0; k < carry.size(); ++k)
      op.setIdentity(carry[k]);
    for (size_t k = levels.size() - 1; k > 0; --k)
      carry = descend(k, carry);
    eachLine(0, [&](int64_t *at) {
      start(levels.front(), carry, at);
      storeLine(at);
    });
  }

  Transport &transport;
  bool inclusive;
  SlotOperator op;
  ElementView from, to;
  ElementView segments, masks; ///< base null: there are none
  bool maskValue = true;
  bool isDistributed = false;
  /// The counts of this processor's elements, 1 in the dimensions folded so
  /// far.
  int64_t counts[ZRT_MAX_RANK] = {};
  std::vector<Level> levels; ///< from the fastest
  std::vector<Unit> scratch;
  Unit *current, *next, *spare; ///< slots
};

} // namespace

void scanStates(const Parallel &parallel, zrt_array &result,
                const zrt_array &source, const zrt_region &region,
                const zrt_scan &scan, const StateOperator &op,
                const zrt_array *segment, const zrt_mask &mask) {
  StateScanner(parallel, result, source, region, scan, op, segment, mask).run();
}

} // namespace zrt
