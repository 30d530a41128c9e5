//===- ReplicatedValues.h - What all processors should hold -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_REPLICATEDVALUES_H
#define ZRT_ENTRY_REPLICATEDVALUES_H

#include "zrt/Abi.h"

#include <cstddef>
#include <string>
#include <vector>

namespace zrt {

/// A value without parts inside of a value.
struct Leaf {
  std::string path; ///< ".x", "[3].pos[1, 2]", or "" for the whole
  const zrt_type *type;
  const char *address;
};

/// A hash of the value of \p type at \p address: equal for equal values. What
/// strings are is their text. Unions, and opaque values of C, do not count:
/// nobody knows which of their bytes mean something.
uint64_t hashValue(const zrt_type &type, const void *address);

/// How many leaves a value of \p type has.
size_t leafCount(const zrt_type &type);
/// The hash of each leaf, in their order.
std::vector<uint64_t> hashLeaves(const zrt_type &type, const void *address);
/// Leaf number \p number.
Leaf findLeaf(const zrt_type &type, const void *address, size_t number);

} // namespace zrt

#endif // ZRT_ENTRY_REPLICATEDVALUES_H
