//===- Fingerprint.h - Which machine something was measured on --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_COST_FINGERPRINT_H
#define ZPL_COST_FINGERPRINT_H

#include <cstdint>
#include <string>
#include <vector>

namespace zpl {

/// What figures of one machine do not hold for another one without.
struct Fingerprint {
  std::string vendor;                ///< "AuthenticAMD"
  int64_t family = 0;                ///< as the processor counts
  int64_t model = 0;                 ///< as well
  std::vector<std::string> features; ///< LLVM's names, sorted
  int64_t processors = 0;            ///< that programs may use
  std::vector<int64_t> caches;       ///< bytes of data, from the first level
  int64_t memory = 0;                ///< bytes
};

/// That of this machine. What the system does not tell is empty or 0.
Fingerprint thisMachine();

/// What differs, for people: "caches 32768, 524288 there, 49152 here; ...". Empty
/// if nothing does; memory may differ by a tenth.
std::string differences(const Fingerprint &there, const Fingerprint &here);

/// Sixteen digits that differ between machines that differ (in more than their
/// memory): part of the name of the file.
std::string digits(const Fingerprint &fingerprint);

/// The file with the figures of a machine in the user's folder for caches:
/// ~/.cache/zpl/machine-DIGITS.json; empty if there is no such folder.
std::string cacheFile(const Fingerprint &fingerprint);

} // namespace zpl

#endif // ZPL_COST_FINGERPRINT_H
