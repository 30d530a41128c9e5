//===- Operation.h - What a processor is doing ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Entries of Abi.h that communicate, allocate, read or write say so for as
/// long as they run. Who reports a fault or counts costs looks here; nothing
/// else does.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_OPERATION_H
#define ZRT_SUPPORT_OPERATION_H

#include "zrt/Abi.h"

#include <atomic>
#include <cstdint>

namespace zrt {

/// An operation of the program, as a table of costs names it.
enum class OperationKind : uint8_t {
#define ZRT_OPERATION(identifier, text, isCollective) identifier,
#include "Support/Operations.def"
};

/// "reduction", "transfer", ...
const char *text(OperationKind kind);
/// Whether all processors do it, in the same order.
constexpr bool isCollective(OperationKind kind) {
  constexpr bool areCollective[] = {
#define ZRT_OPERATION(identifier, text, isCollective) isCollective,
#include "Support/Operations.def"
  };
  return areCollective[static_cast<int>(kind)];
}

/// The entries that an operation of several has, in their order; others have
/// `First` only. How often an operation was done is how often that began.
enum class OperationPart : uint8_t {
  First,       ///< DR of a transfer, the begin of a wave
  SourceReady, ///< SR
  Needed,      ///< DN; a tile of a wave
  Volatile     ///< SV
};
inline constexpr int OperationParts = 4;

/// What one processor is doing, or did last. Written by that processor only,
/// without a lock; may be read by others where it lies in shared memory.
struct OperationState {
  std::atomic<const zrt_loc *> loc = nullptr; ///< null: none known
  std::atomic<OperationKind> kind = OperationKind::Start;
  std::atomic<bool> inside = false; ///< false: the program computes
  std::atomic<uint64_t> count = 0;  ///< operations and parts begun so far
  /// Collective operations begun so far: equal numbers are equal places in the
  /// program.
  std::atomic<uint64_t> steps = 0;
};

/// An entry that runs.
struct Operation {
  OperationKind kind = OperationKind::Start;
  OperationPart part = OperationPart::First;
  const zrt_loc *loc = nullptr; ///< null: none
  /// The program's domain in which it takes place, the distribution that it
  /// changes; null: a default one.
  const char *where = nullptr;
};

/// Told of operations as they begin and end; for profiles, traces and checks.
class OperationObserver {
public:
  virtual ~OperationObserver() = default;
  virtual void begin(const Operation &operation) = 0;
  virtual void end(const Operation &operation) = 0;
};

namespace detail {
extern OperationState *operationState;
extern bool hasOperationObservers;
void observeBegin(const Operation &operation);
void observeEnd(const Operation &operation);
} // namespace detail

/// That of this processor.
inline OperationState &operationState() { return *detail::operationState; }
/// Puts it elsewhere, before the first operation.
void setOperationState(OperationState *state);

/// Adds one, which is told of begins after those that were added before, and of
/// ends before them. Not owned.
void addOperationObserver(OperationObserver *observer);
/// Forgets all; from then on nobody is told.
void dropOperationObservers();

/// Marks an operation while it is in scope. Scopes do not nest: of one inside
/// another nothing is seen.
class OperationScope {
public:
  OperationScope(OperationKind kind, const zrt_loc *loc,
                 OperationPart part = OperationPart::First)
      : OperationScope(kind, loc, nullptr, part) {}
  /// The same in the domain \p where, or of a distribution.
  OperationScope(OperationKind kind, const zrt_loc *loc, const char *where,
                 OperationPart part = OperationPart::First)
      : operation{kind, part, loc, where} {
    OperationState &state = operationState();
    isOuter = !state.inside.load(std::memory_order_relaxed);
    if (!isOuter)
      return;
    constexpr auto Relaxed = std::memory_order_relaxed;
    state.loc.store(loc, Relaxed);
    state.kind.store(kind, Relaxed);
    state.count.store(state.count.load(Relaxed) + 1, Relaxed);
    state.inside.store(true, Relaxed);
    if (part == OperationPart::First && isCollective(kind))
      state.steps.store(state.steps.load(Relaxed) + 1,
                        std::memory_order_release);
    if (detail::hasOperationObservers) [[unlikely]]
      detail::observeBegin(operation);
  }
  ~OperationScope() {
    if (!isOuter)
      return;
    if (detail::hasOperationObservers) [[unlikely]]
      detail::observeEnd(operation);
    operationState().inside.store(false, std::memory_order_release);
  }
  OperationScope(const OperationScope &) = delete;
  OperationScope &operator=(const OperationScope &) = delete;

private:
  Operation operation;
  bool isOuter;
};

} // namespace zrt

#endif // ZRT_SUPPORT_OPERATION_H
