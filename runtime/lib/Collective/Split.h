//===- Split.h - Collectives in two phases ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_SPLIT_H
#define ZRT_COLLECTIVE_SPLIT_H

#include "Collective/Collective.h"

#include <memory>
#include <optional>
#include <vector>

namespace zrt {

/// Brings small parts of all members to all, in two steps that other
/// collectives and transfers may stand between.
class PartExchange {
public:
  /// Whether parts of \p bytes bytes, if not more than \p most, go through one:
  /// else there is too much to send to everybody.
  static bool suits(const Slice &slice, size_t bytes, size_t most);

  /// Collective over all processors, each with its own slice. In slices with
  /// nothing to bring \p bytes is 0.
  PartExchange(Transport &transport, const Slice &slice, size_t bytes);
  ~PartExchange();
  PartExchange(const PartExchange &) = delete;
  PartExchange &operator=(const PartExchange &) = delete;

  /// Gives this member's part away; waits for nothing but that the last one
  /// has been taken.
  void publish(const void *mine);
  /// Waits for all parts: side by side, in the members' order, until the next
  /// `publish`. Not to be changed.
  const char *collect();

private:
  Transport &transport;
  size_t bytes, allBytes;
  char *parts; ///< of all members
  char *own;   ///< this one's, among them
  std::unique_ptr<Exchange> exchange;
  bool isOut = false; ///< the last part may not have been taken yet
};

/// A reduction between its begin and its end.
class SplitReduction {
public:
  SplitReduction(Transport &transport, const Slice &slice, size_t bytes)
      : transport(transport), slice(slice), value(bytes) {}

  /// Copies \p bytes bytes at \p mine and returns.
  void begin(const void *mine, const OperatorTable &table);
  void begin(const void *mine, zrt_state_combine combine);
  /// What `reduce` would have made of the values given to \p begin.
  void end(void *result);

  bool isFor(const Slice &other, size_t bytes) const {
    return &slice == &other && value.size() == bytes;
  }
  bool isUnderWay() const { return builtIn || states; }

private:
  void publish();

  Transport &transport;
  const Slice &slice;
  std::vector<char> value;
  /// One of them while it is under way.
  std::optional<BuiltInReducer> builtIn;
  std::optional<StateReducer> states;
  std::unique_ptr<PartExchange> exchange; ///< if parts suit one
};

/// The split reductions of a processor. Each keeps what its exchange needs, so
/// one that is repeated costs no more than its messages.
class SplitReductions {
public:
  /// One over \p slice that is not under way. Collective.
  SplitReduction &next(Transport &transport, const Slice &slice, size_t bytes);
  /// Before the transport ends.
  void clear() { all.clear(); }

private:
  /// The one that ended longest ago comes first.
  std::vector<std::unique_ptr<SplitReduction>> all;
};

} // namespace zrt

#endif // ZRT_COLLECTIVE_SPLIT_H
