//===- Operation.h - What a processor is doing ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Entries of Abi.h that communicate, read or write say so for as long as they
/// run. Who reports a fault or counts costs looks here; nothing else does.
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
#define ZRT_OPERATION(identifier, text) identifier,
#include "Support/Operations.def"
};

/// "reduction", "transfer", ...
const char *text(OperationKind kind);

/// What one processor is doing, or did last. Written by that processor only,
/// without a lock; may be read by others where it lies in shared memory.
struct OperationState {
  std::atomic<const zrt_loc *> loc = nullptr; ///< null: none known
  std::atomic<OperationKind> kind = OperationKind::Start;
  std::atomic<bool> inside = false; ///< false: the program computes
  std::atomic<uint64_t> count = 0;  ///< operations begun so far
};

/// That of this processor.
OperationState &operationState();
/// Puts it elsewhere, before the first operation.
void setOperationState(OperationState *state);

/// Told of operations as they begin and end; for profiles, traces and checks.
class OperationObserver {
public:
  virtual ~OperationObserver() = default;
  virtual void begin(OperationKind kind, const zrt_loc *loc) = 0;
  virtual void end(OperationKind kind, const zrt_loc *loc) = 0;
};
/// Null, the default, for none. Not owned.
void setOperationObserver(OperationObserver *observer);

/// Marks an operation while it is in scope. Scopes do not nest: of one inside
/// another nothing is seen.
class OperationScope {
public:
  OperationScope(OperationKind kind, const zrt_loc *loc);
  ~OperationScope();
  OperationScope(const OperationScope &) = delete;
  OperationScope &operator=(const OperationScope &) = delete;

private:
  OperationKind kind;
  const zrt_loc *loc;
  bool isOuter;
};

} // namespace zrt

#endif // ZRT_SUPPORT_OPERATION_H
