//===- MapForms.h - What form the maps of a remap have ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_REMAPS_MAPFORMS_H
#define ZPL_LIB_TRANSFORMS_REMAPS_MAPFORMS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include <optional>
#include <string>

namespace zpl::air {

/// A map as element code: `@P`, `index(1)`, `add(index(0), @k)`.
const Expr *mapValue(const Map &map, Module &module, SourceRange range);

/// The text of a map: equal ones have equal values at one place of a list.
std::string mapText(const Map &map);

/// A map whose values follow from the bounds of the region.
struct ClosedMap {
  const Expr *value = nullptr; ///< the map, an I64; null: its values do not
  const Expr *lo = nullptr;    ///< scalars, I64: no value is less
  const Expr *hi = nullptr;    ///< no value is greater
  /// Scalar conditions, Bool, under which all this holds: no operation wraps
  /// around.
  llvm::SmallVector<const Expr *, 4> when;
};

/// The closed form of a map over \p region. It is made of indices, constants
/// I32 scalars and bounds of regions with `+ - *`, min, max, and division and remainder by what
/// is positive.
ClosedMap closedMap(const Expr &map, Region &region, Module &module);

/// The cheapest form of a remap, of which its maps are an example, for remarks:
/// `a transpose`, `whole rows`, `a shift`, `one element`.
std::string remapForm(llvm::ArrayRef<Map> maps, const Region &region,
                      Module &module);

/// How the elements of a remap go between processors, for remarks.
struct RemapTraffic {
  llvm::StringRef unit; ///< `boxes`, `whole rows`, `single elements`
  std::string why;      ///< nothing cheaper: of single elements
};
RemapTraffic remapTraffic(const GatherStmt &gather);
RemapTraffic remapTraffic(const ScatterStmt &scatter);

/// Of a gather that moves whole rows: the dimension of the region that says
/// which.
std::optional<unsigned> rowDimension(const GatherStmt &gather);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_REMAPS_MAPFORMS_H
