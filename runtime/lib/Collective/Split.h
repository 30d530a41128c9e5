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

/// Brings small parts of all members to all, or that of one, in two steps that
/// other collectives and transfers may stand between.
class PartExchange {
public:
  static constexpr int Everyone = -1;

  /// Whether parts of \p bytes bytes, if not more than \p most, go through one:
  /// else there is too much to send to everybody.
  static bool suits(const Slice &slice, size_t bytes, size_t most);

  /// For parts of \p bytes bytes from all members, or only from the one at the
  /// place \p root. Collective over all processors, each with its own slice.
  PartExchange(Transport &transport, const Slice &slice, size_t bytes,
               int root = Everyone);
  ~PartExchange();
  PartExchange(const PartExchange &) = delete;
  PartExchange &operator=(const PartExchange &) = delete;

  /// Where a member that gives a part puts it before it publishes it. Waits for
  /// nothing but that the last one has been taken.
  char *mine();
  /// Gives the part away, or makes room for that of the root.
  void publish();
  /// Waits for the parts: side by side, in the members' order, or the one,
  /// until the next `mine` or `publish`. Not to be changed.
  const char *collect();
  /// From one part to the next.
  size_t partBytes() const { return bytes; }

private:
  Transport &transport;
  size_t bytes, allBytes;
  char *parts; ///< of all members
  char *own;   ///< this one's, among them; null if it gives none
  std::unique_ptr<Exchange> exchange;
  bool isOut = false; ///< the last part may not have been taken yet
};

/// Exchanges that floods and scans take for a time, so that one that is
/// repeated costs no more than its messages.
class PartExchanges {
public:
  /// One that nobody has, for parts of up to \p bytes bytes; until `give`.
  /// Collective: with the same numbers on all processors.
  PartExchange &take(Transport &transport, const Slice &slice, size_t bytes,
                     int root = PartExchange::Everyone);
  void give(const PartExchange &exchange);
  /// Before the transport ends.
  void clear() { all.clear(); }

private:
  struct Entry {
    const Slice *slice;
    size_t bytes;
    int root;
    bool isTaken;
    std::unique_ptr<PartExchange> exchange;
  };
  /// The one that was taken longest ago comes first.
  std::vector<Entry> all;
};

/// A reduction between its begin and its end.
class SplitReduction {
public:
  SplitReduction(Transport &transport, const Slice &slice, size_t bytes)
      : transport(transport), slice(slice), value(bytes) {}

  /// Copies \p bytes bytes at \p mine and returns.
  void begin(const void *mine, const OperatorTable &table);
  void begin(const void *mine, zrt_state_combine combine);
  /// The same of a record of several values.
  void begin(const char *mine, RecordReducer reducer);
  /// What `reduce` would have made of the values given to \p begin.
  void end(void *result);

  bool isFor(const Slice &other, size_t bytes) const {
    return &slice == &other && value.size() == bytes;
  }
  bool isUnderWay() const { return builtIn || states || isRecord; }

  /// Of the last record.
  const RecordReducer &record() const { return records; }

private:
  const Reducer &reducer() const;
  void settle();
  void publish();

  Transport &transport;
  const Slice &slice;
  std::vector<char> value;
  /// One of them while it is under way.
  std::optional<BuiltInReducer> builtIn;
  std::optional<StateReducer> states;
  bool isRecord = false; ///< then `records` is the one
  RecordReducer records;
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
