//===- RemapElements.h - Elements by maps, and when -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_REMAPS_REMAPELEMENTS_H
#define ZPL_LIB_TRANSFORMS_REMAPS_REMAPELEMENTS_H

#include "zpl/ArrayIR/Names.h"
#include "zpl/Support/Figures.h"
#include <optional>

namespace zpl::air {

/// A gather or scatter: the elements of `array` that `maps` name over `region`,
/// where the mask is true.
struct Remapped {
  Array *array;
  llvm::ArrayRef<Map> maps;
  Region *region;
  Mask mask;
  llvm::StringRef text; ///< as written
  SourceRange range;
};

/// Makes elements by maps of remaps, and the condition under which they may be
/// used.
class RemapElements {
public:
  /// Regions that the condition names become locals of \p procedure.
  RemapElements(Module &module, Procedure &procedure, const Figures &figures)
      : module(module), procedure(procedure), figures(figures),
        names(procedure) {}

  /// The element; adds to the conditions, and to what comes before them.
  const RemapExpr *of(const Remapped &remap);
  /// The element of \p whole, an array like the remapped one with all elements
  /// on each processor, whose maps are checked later.
  const RemapExpr *later(const Remapped &remap, Array *whole);

  /// Whether what belongs to one index of dimension \p dim of \p region is worth
  /// a message or block of its own.
  const Expr *hasLongRows(Region *region, unsigned dim, SourceRange range);

  /// A region of the array's domain, which comes before the condition.
  Region *imageRegion(Array &array, llvm::ArrayRef<DimExpr> dims,
                      SourceRange range);

  const Expr *condition = nullptr; ///< of all since it was null last
  /// All arrays have far fewer elements than a processor has indices.
  const Expr *few = nullptr;
  StmtList before; ///< what these name

private:
  Region *newRegion(Array &array, llvm::StringRef name, SourceRange range);
  Region *declaredRegion(Array &array, SourceRange range);
  void require(const Expr *next);
  void requireFew(Region *whole, Region *region, SourceRange range);
  const Expr *sizeOf(Region *region, SourceRange range,
                     std::optional<unsigned> without = std::nullopt);
  const Expr *number(int64_t value, SourceRange range);
  void compare(CompareOp op, const Expr *a, const Expr *b);

  Module &module;
  Procedure &procedure;
  const Figures &figures;
  NameAllocator names;
};

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_REMAPS_REMAPELEMENTS_H
