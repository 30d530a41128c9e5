//===- ConstantElements.h - Constant indexed arrays -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which values the elements of a constant indexed array have, where its
/// declaration lists them: `const w: array [0..1] of double = {0.5, 0.25}`.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_CONSTANTELEMENTS_H
#define ZPL_SEMA_CONSTANTELEMENTS_H

#include "zpl/Sema/Tree.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <vector>

namespace zpl::sema {

/// Finds and remembers the elements of constants. Of a constant whose
/// declaration does anything but to give single elements constant values,
/// nothing is known.
class ConstantElements {
public:
  /// The element of \p variable at \p subscripts, of all levels: a Literal, or
  /// a DirectionValue whose components are Literals. Null: not known.
  const Expr *find(const Variable &variable,
                   llvm::ArrayRef<int64_t> subscripts);

  /// Calls \p visit with all elements of \p variable that are known.
  void forEach(const Variable &variable,
               llvm::function_ref<void(const Expr &)> visit);

private:
  using Elements = std::map<std::vector<int64_t>, const Expr *>;
  const Elements &of(const Variable &variable);
  llvm::DenseMap<const Variable *, Elements> known;
};

} // namespace zpl::sema

#endif // ZPL_SEMA_CONSTANTELEMENTS_H
