//===- Operation.cpp - What a processor is doing --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry behind `m := max<< A` at line 12 runs inside of
//
//     OperationScope scope(OperationKind::Reduction, loc);
//
// which leaves {line 12, reduction, inside} in the state. A processor that
// waits for others finds itself described there, and so does one that computes:
// by its last operation. Relaxed stores cost a nanosecond together; the
// observer, when there is none, a branch.
//
//===----------------------------------------------------------------------===//

#include "Support/Operation.h"

namespace zrt {

static OperationState ownState;
static OperationState *state = &ownState;
static OperationObserver *observer = nullptr;

const char *text(OperationKind kind) {
  static const char *const texts[] = {
#define ZRT_OPERATION(identifier, text) text,
#include "Support/Operations.def"
  };
  return texts[static_cast<int>(kind)];
}

OperationState &operationState() { return *state; }
void setOperationState(OperationState *other) { state = other; }
void setOperationObserver(OperationObserver *other) { observer = other; }

OperationScope::OperationScope(OperationKind kind, const zrt_loc *loc)
    : kind(kind), loc(loc),
      isOuter(!state->inside.load(std::memory_order_relaxed)) {
  if (!isOuter)
    return;
  state->loc.store(loc, std::memory_order_relaxed);
  state->kind.store(kind, std::memory_order_relaxed);
  state->count.store(state->count.load(std::memory_order_relaxed) + 1,
                     std::memory_order_relaxed);
  state->inside.store(true, std::memory_order_relaxed);
  if (observer)
    observer->begin(kind, loc);
}

OperationScope::~OperationScope() {
  if (!isOuter)
    return;
  if (observer)
    observer->end(kind, loc);
  state->inside.store(false, std::memory_order_relaxed);
}

} // namespace zrt
