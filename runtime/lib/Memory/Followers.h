//===- Followers.h - Arrays over region variables ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_MEMORY_FOLLOWERS_H
#define ZRT_MEMORY_FOLLOWERS_H

#include "Memory/Array.h"

#include <array>
#include <optional>
#include <unordered_map>

namespace zrt {

/// An array that follows a region variable, and what it is made of.
struct Follower {
  zrt_array *array;
  std::optional<zrt_fluff> fluff;
  /// Its borders are `direction of` its region.
  std::vector<std::array<int64_t, ZRT_MAX_RANK>> borders;
  bool hasRegion; ///< the variable has been assigned

  const zrt_fluff *fluffOrNull() const { return fluff ? &*fluff : nullptr; }
  std::vector<zrt_region> bordersOf(const zrt_region &region) const;
};

/// Which arrays follow which region variables, these by their address.
class Followers {
public:
  /// \p spec: what the array is made of now.
  Follower &add(zrt_array &array, const void *variable, const ArraySpec &spec,
                bool hasRegion);
  /// Forgets an array that is freed; it need not be here.
  void drop(const zrt_array &array);

  bool has(const void *variable) const { return all.contains(variable); }
  /// Those of one variable, in the order in which they came.
  std::vector<Follower> &of(const void *variable) { return all[variable]; }
  /// Null if the array follows no variable.
  const Follower *find(const zrt_array &array) const;

private:
  std::unordered_map<const void *, std::vector<Follower>> all;
  std::unordered_map<const zrt_array *, const void *> variables;
};

/// \p region without an index, for arrays over a variable that has no value.
zrt_region withoutIndices(const zrt_region &region);

/// Copies to \p target, stored over some regions, what \p source, of the same
/// type, has there: both of one processor that owns \p own.
void copyCommon(zrt_array &target, const zrt_array &source, const Box &own);

} // namespace zrt

#endif // ZRT_MEMORY_FOLLOWERS_H
