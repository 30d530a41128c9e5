//===- Process.cpp - The state of one processor's run ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a rank gets its distribution (dissertation 2.2.2): the program declares
// its global regions,
//
//     region R = [1..n, 1..n];  BigR = [0..n+1, 0..n+1];
//
// and the first array of rank 2, or the first loop that asks for its bounds,
// ends that: the bounding box [0..n+1, 0..n+1] is cut over the grid, and every
// array and region of the rank, declared before or after, follows it. Indices
// outside of the box belong to the processors at the edges.
//
//===----------------------------------------------------------------------===//

#include "Entry/Process.h"

#include "Support/Error.h"

#include <limits>

extern "C" {
/// What debuggers read of a run, which know this name but no types of ours
/// (tools/gdb/zpl.py): the blocks of the ranks that are distributed, by rank,
/// and which processor this is.
struct {
  const zrt_domain *domain[ZRT_MAX_RANK + 1];
  int64_t processor;
} zrt_debugger;
}

namespace zrt {

static Process *theProcess = nullptr;

Process &process() { return *theProcess; }
void setProcess(Process *object) { theProcess = object; }

Process::Process(const zrt_program &program, std::string name,
                 CommandLine options)
    : program(program), name(std::move(name)), options(std::move(options)) {
  for (int rank = 1; rank <= ZRT_MAX_RANK; ++rank)
    ranks[rank].declared = emptyBox(rank);
}

void Process::declareRegion(const zrt_region &region) {
  // Bounds that are no indices are an error of the program, but not of this
  // place; they must only not upset the arithmetic.
  Range indices = {std::numeric_limits<int32_t>::min(),
                   std::numeric_limits<int32_t>::max()};
  RankState &state = ranks[region.rank];
  Box box = boxOf(region);
  for (int d = 0; d < box.rank; ++d)
    box.dim[d] = intersect(box.dim[d], indices);
  state.declared = hull(state.declared, box);
}

void Process::fix(int rank) {
  ZRT_CHECK(1 <= rank && rank <= ZRT_MAX_RANK);
  RankState &state = ranks[rank];
  ProcessGrid grid;
  std::string error;
  ZRT_CHECK(makeGrid(options.grid, rank, transport->size(), grid, error));
  state.distribution = Distribution(grid, state.declared);
  Box own = state.distribution.own(transport->rank());
  std::copy(own.dim, own.dim + ZRT_MAX_RANK, state.domain.own);
  state.fixed = true;
  zrt_debugger.domain[rank] = &state.domain;
  zrt_debugger.processor = transport->rank();
}

TransferSite &Process::site(zrt_transfer &transfer) {
  if (!transfer.plan) {
    sites.push_back(std::make_unique<TransferSite>());
    transfer.plan = sites.back().get();
  }
  return *static_cast<TransferSite *>(transfer.plan);
}

void Process::dropPlansOf(uint64_t array) {
  for (const std::unique_ptr<TransferSite> &site : sites)
    site->dropPlansOf(array);
}

} // namespace zrt
