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
// by its last operation. Both ends are inline: six stores and, for the
// observers that a run without --profile and the like does not have, two
// branches; a few instructions together.
//
//===----------------------------------------------------------------------===//

#include "Support/Operation.h"

#include <vector>

namespace zrt {

static OperationState ownState;
static std::vector<OperationObserver *> observers;

OperationState *detail::operationState = &ownState;
bool detail::hasOperationObservers = false;

const char *text(OperationKind kind) {
  static const char *const texts[] = {
#define ZRT_OPERATION(identifier, text, isCollective) text,
#include "Support/Operations.def"
  };
  return texts[static_cast<int>(kind)];
}

void setOperationState(OperationState *state) {
  detail::operationState = state;
}

void addOperationObserver(OperationObserver *observer) {
  observers.push_back(observer);
  detail::hasOperationObservers = true;
}

void dropOperationObservers() {
  observers.clear();
  detail::hasOperationObservers = false;
}

void detail::observeBegin(const Operation &operation) {
  for (OperationObserver *observer : observers)
    observer->begin(operation);
}

void detail::observeEnd(const Operation &operation) {
  for (size_t k = observers.size(); k > 0; --k)
    observers[k - 1]->end(operation);
}

} // namespace zrt
