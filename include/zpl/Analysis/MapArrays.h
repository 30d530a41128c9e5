//===- MapArrays.h - Arrays that are maps of remaps -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_MAPARRAYS_H
#define ZPL_ANALYSIS_MAPARRAYS_H

#include "zpl/Analysis/Effects.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace zpl::air {

/// Which arrays may be maps or masks of remaps, under any name, and which
/// statements write one: these are told to the runtime, so that it need not
/// compare maps that nobody has written. Arrays that may have elements in common
/// are a *set*, which has a number of a bit from 0 to 62; different ones may
/// have the same. Valid as long as Effects are.
class MapArrays {
public:
  explicit MapArrays(const Module &module);

  /// The bits of the sets of these maps and mask.
  uint64_t setsOf(llvm::ArrayRef<Map> maps, const Mask &mask) const;
  /// The bits of the sets of which a statement of \p procedure may write
  /// elements. Lists in it are not looked at, but for those of waves and loops
  /// in turn.
  uint64_t writtenBy(const Procedure &procedure, const Stmt &stmt) const;

private:
  /// The bit of an array's or family's set; 0 if it has no maps.
  uint64_t setOf(const void *name) const;
  /// Joins names that a statement makes names of the same elements.
  void addNames(const Stmt &stmt);
  /// The same of arguments and parameters.
  void addArguments(const CallExpr &call);
  /// Gives the sets of maps and mask bits.
  void addMaps(llvm::ArrayRef<Map> maps, const Mask &mask);

  const Module &module;
  /// Arrays, and the variables of families.
  llvm::EquivalenceClasses<const void *> names;
  llvm::DenseMap<const void *, unsigned> bits; ///< by leader; of maps
  std::optional<Effects> effects;              ///< if there are maps
};

} // namespace zpl::air

#endif // ZPL_ANALYSIS_MAPARRAYS_H
