//===- MapNotes.cpp - Values of maps that loops found wrong ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over a processor's part meets wrong values of maps in the order of its
// indices. On several processors the first of all is told, so the loops go on,
// and the notes are compared behind them: one reduction of 8 bytes.
//
//===----------------------------------------------------------------------===//

#include "Remap/MapNotes.h"

#include "Collective/Collective.h"
#include "Remap/MapMessage.h"
#include "Support/Error.h"

#include <limits>

namespace zrt {

void MapNotes::note(const zrt_array &array, const zrt_region &region,
                    const int64_t *at, int map, int64_t value, const char *what,
                    const zrt_loc *loc) {
  if (first)
    return;
  int64_t place = 0;
  for (int d = 0; d < region.rank; ++d) {
    const zrt_dim &dim = region.dim[d];
    if (!(region.floods >> d & 1))
      place = place * ((dim.hi - dim.lo) / dim.stride + 1) +
              (at[d] - dim.lo) / dim.stride;
  }
  first = Note{place, mapMessage(array, region, at, map, value, what), loc};
}

void MapNotes::confirm(Transport &transport, const zrt_loc *loc) {
  constexpr int64_t None = std::numeric_limits<int64_t>::max();
  int64_t place = first ? first->place : None, least = place;
  reduce(transport, &least, ZRT_I64, ZRT_MIN);
  if (least == None)
    return;
  bool isMine = place == least;
  int32_t owner = isMine ? transport.rank() : transport.size();
  reduce(transport, &owner, ZRT_I32, ZRT_MIN);
  isMine = owner == transport.rank();
  struct {
    int64_t length;
    int32_t line, column;
  } told = {};
  if (isMine)
    told = {static_cast<int64_t>(first->message.size()), first->loc->line,
            first->loc->column};
  broadcast(transport, everybody(transport), owner, &told, sizeof told);
  std::string message =
      isMine ? first->message
             : std::string(static_cast<size_t>(told.length), ' ');
  broadcast(transport, everybody(transport), owner, message.data(),
            message.size());
  zrt_loc wrong = *loc;
  wrong.line = told.line;
  wrong.column = told.column;
  message += onProcessor(owner, transport.size());
  fatal(&wrong, ErrorScope::Replicated, "%s", message.c_str());
}

} // namespace zrt
