//===- Carries.cpp - What precedes the parts of lines ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program goes through a scan itself and has summed up its part of each
// line along the fastest dimension. `+||[2, 1]` of a row on each of two rows of
// two processors:
//
//     1 2 | 3 4      sums     3 |  7      carries    0 |  3
//     5 6 | 7 8              11 | 15                10 | 21
//
// A chain along the lines gives what the processors before have of each line,
// and what whole lines come to. Of the latter, prefixes along the other
// dimensions are what precedes each line (LinesImpl.h). Both together are the
// carry.
//
// Cost: messages as of a scan in the runtime, one value per line.
//
//===----------------------------------------------------------------------===//

#include "Collective/LinesImpl.h"
#include "Collective/Scan.h"

namespace zrt {

namespace {

template <int Size> class Carrier {
  using Pair = Segmented<Size>;

public:
  Carrier(const Parallel &parallel, zrt_array &carries,
          const zrt_region &region, const zrt_scan &scan)
      : parallel(parallel),
        table(operatorTable(carries.type->kind, scan.reduction)), op(table),
        part(ownPart(parallel.distribution, region, parallel.transport.rank())),
        view(viewOf(carries, part)) {
    for (int k = 0; k < scan.count; ++k) {
      int d = std::abs(scan.dims[k]) - 1;
      levels.push_back({d, scan.dims[k] < 0, &sliceAlong(parallel, region, d)});
    }
  }

  void run(const zrt_array *restarts) {
    Dense<Pair> lines = read(restarts);
    std::vector<Pair> before;
    chainLines(parallel.transport, op, levels.front(), lines.values, before);
    Dense<Pair> carry =
        carriesOfLines(parallel.transport, op, levels, Grouping::Blocks, lines);
    eachLine([&](const int64_t *at) {
      auto line = static_cast<size_t>(carry.place(at));
      Pair value = op.combine(carry.values[line], before[line]);
      std::memcpy(addressIn(view, at), value.value.bytes,
                  static_cast<size_t>(table.size));
    });
  }

private:
  template <typename F> void eachLine(F &&f) {
    forEachLine(view.rank, view.count, levels.front().dim, f);
  }

  /// What the lines of this processor's part come to.
  Dense<Pair> read(const zrt_array *restarts) {
    ElementView flags;
    if (restarts)
      flags = viewOf(*restarts, part);
    int64_t counts[ZRT_MAX_RANK];
    std::copy(view.count, view.count + view.rank, counts);
    counts[levels.front().dim] = 1;
    Dense<Pair> lines = Dense<Pair>::like(view.rank, counts, op.identity());
    eachLine([&](const int64_t *at) {
      lines.values[static_cast<size_t>(lines.place(at))] = op.valueOf(
          addressIn(view, at), restarts && *addressIn(flags, at) != 0);
    });
    return lines;
  }

  const Parallel parallel;
  const OperatorTable &table;
  SegmentedOperator<Size> op;
  Box part;
  ElementView view;
  std::vector<LineDim> levels; ///< from the fastest
};

} // namespace

void carriesOf(const Parallel &parallel, zrt_array &carries,
               const zrt_array *restarts, const zrt_region &region,
               const zrt_scan &scan) {
  withSlotSize(carries.type->size, [&]<int Size>() {
    Carrier<Size>(parallel, carries, region, scan).run(restarts);
  });
}

} // namespace zrt
