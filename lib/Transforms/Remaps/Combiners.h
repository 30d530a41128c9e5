//===- Combiners.h - What local scatters call -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_REMAPS_COMBINERS_H
#define ZPL_LIB_TRANSFORMS_REMAPS_COMBINERS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include <map>

namespace zpl::air {

/// Procedures that put one value into an element that they get by reference:
/// those that scatters combine with, but for the value, which comes by value.
///
///     proc @combine(ref %old : f64, ref %new : f64) block scalar {
///       set %old = add(%old, %new)
///     }                              =>   (ref %old : f64, var %new : f64)
class Combiners {
public:
  explicit Combiners(Module &module) : module(module) {}

  /// Adds to the module what a scatter needs, if it is none that it has. Null:
  /// its procedure is more than one assignment, or its elements are no numbers.
  Procedure *of(const ScatterStmt &scatter);

private:
  using Key = std::pair<const Procedure *, std::string>;

  Procedure *make(const ScatterStmt &scatter);
  std::string freeName() const;

  Module &module;
  std::map<Key, Procedure *> known; ///< by procedure and type of the elements
};

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_REMAPS_COMBINERS_H
