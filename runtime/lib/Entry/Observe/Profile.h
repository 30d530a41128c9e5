//===- Profile.h - What operations cost on one processor --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_OBSERVE_PROFILE_H
#define ZRT_ENTRY_OBSERVE_PROFILE_H

#include "Support/Operation.h"
#include "Transport/Transport.h"

#include <unordered_map>
#include <vector>

namespace zrt {

/// What one operation of the program has cost this processor.
struct ProfileRow {
  OperationKind kind = OperationKind::Start;
  const zrt_loc *loc = nullptr;
  uint64_t calls = 0;    ///< how often its first part began
  uint64_t messages = 0; ///< sent in it
  uint64_t bytes = 0;
  double computing = 0;               ///< seconds since the operation before it
  double inside[OperationParts] = {}; ///< seconds in it, by part
  const char *where = nullptr;        ///< as of the operation
};

/// Counts the operations of this processor from its construction on.
class Profile final : public OperationObserver {
public:
  explicit Profile(const Transport &transport);

  void begin(const Operation &operation) override;
  void end(const Operation &operation) override;

  /// One per operation that was met, in the order of their first calls.
  const std::vector<ProfileRow> &rows() const { return all; }

private:
  ProfileRow &row(const Operation &operation);

  const Transport &transport;
  std::vector<ProfileRow> all;
  /// A location and kind, and a domain.
  struct Key {
    uint64_t place;
    const char *where;
    bool operator==(const Key &other) const = default;
  };
  struct Hash {
    size_t operator()(const Key &key) const {
      return std::hash<uint64_t>()(key.place) ^
             std::hash<const char *>()(key.where);
    }
  };
  std::unordered_map<Key, size_t, Hash> places;     ///< of rows
  std::unordered_map<uint64_t, const char *> begun; ///< domains, by place
  double last;     ///< when the last operation ended, or the one at hand began
  Traffic traffic; ///< of the transport then
  size_t now = 0;  ///< the row of the operation at hand
};

} // namespace zrt

#endif // ZRT_ENTRY_OBSERVE_PROFILE_H
