//===- Profile.cpp - What operations cost on one processor ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time on a processor is cut where operations begin and end:
//
//     | computing | DR |..| SR |..| DN | computing | reduction | computing ...
//
// A piece inside an operation belongs to it as waiting, a piece between two of
// them to the later one as computing before it: the loop that makes others
// wait at a reduction is above that reduction. So all pieces together are the
// time of the run. Messages are what the transport has counted meanwhile.
//
// Cost: two looks at the clock and one in a hash table per entry, some 100 ns.
//
//===----------------------------------------------------------------------===//

#include "Entry/Observe/Profile.h"

#include "Support/Clock.h"

namespace zrt {

Profile::Profile(const Transport &transport)
    : transport(transport), last(monotonicSeconds()) {}

ProfileRow &Profile::row(const Operation &operation) {
  // Locations are at least eight bytes apart, kinds are fewer than 256.
  uint64_t key = reinterpret_cast<uintptr_t>(operation.loc) << 8 |
                 static_cast<uint8_t>(operation.kind);
  // The later parts of an operation do not say where it is.
  const char *&where = begun[key];
  if (operation.part == OperationPart::First)
    where = operation.where;
  auto [place, isNew] = places.try_emplace(Key{key, where}, all.size());
  if (isNew) {
    all.emplace_back();
    all.back().kind = operation.kind;
    all.back().loc = operation.loc;
    all.back().where = where;
  }
  now = place->second;
  return all[now];
}

void Profile::begin(const Operation &operation) {
  double time = monotonicSeconds();
  ProfileRow &at = row(operation);
  at.calls += operation.part == OperationPart::First;
  at.computing += time - last;
  last = time;
  traffic = transport.traffic;
}

void Profile::end(const Operation &operation) {
  double time = monotonicSeconds();
  ProfileRow &at = all[now];
  at.inside[static_cast<int>(operation.part)] += time - last;
  at.messages += transport.traffic.messages - traffic.messages;
  at.bytes += transport.traffic.bytes - traffic.bytes;
  last = time;
}

} // namespace zrt
