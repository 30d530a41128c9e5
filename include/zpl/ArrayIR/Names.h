//===- Names.h - New names beside old ones ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_NAMES_H
#define ZPL_ARRAYIR_NAMES_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/StringSet.h"

namespace zpl::air {

/// Gives names that no variable, region, array or transfer of one scope has.
class NameAllocator {
public:
  /// For a scope of its own.
  NameAllocator() = default;
  /// For new locals of a procedure.
  explicit NameAllocator(const Procedure &procedure);
  /// For new globals (not procedures).
  explicit NameAllocator(const Module &module);

  /// \p base if it is free, else `base.1`, `base.2` ...; taken from now on.
  std::string make(llvm::StringRef base);

private:
  llvm::StringSet<> taken;
};

} // namespace zpl::air

#endif // ZPL_ARRAYIR_NAMES_H
