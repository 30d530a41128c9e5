//===- UserFolds.h - Operators that programs define -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the overloads of one name are to the operator of that name (language
/// 8.3).
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_USERFOLDS_H
#define ZPL_LIB_SEMA_ARRAYS_USERFOLDS_H

#include "Check/Checking.h"
#include "Names/Overloads.h"

namespace zpl::sema {

/// What a signature can be.
enum class FoldRole : uint8_t {
  Identity,    ///< f(): T, f(inout id: T)
  Accumulator, ///< f(v1: S1; ...; vk: Sk; inout acc: T)
  Combiner,    ///< f(a, b: T): T
  States,      ///< f(inout a, acc: T)
  None
};

struct FoldOverload {
  Procedure *procedure = nullptr;
  FoldRole role = FoldRole::None;
  Type state;      ///< T as written; may have blank bounds
  std::string why; ///< None: why not, "takes a parallel array"
};

/// What \p procedure can be among the overloads of an operator's name, by its
/// signature; `why` not, if nothing. Reports nothing.
FoldOverload classify(Procedure &procedure);

/// A choice of an accumulator.
struct FoldChoice {
  const FoldOverload *overload;
  Type state; ///< one that an identity makes
  Fit fit;
};

/// The user's operator \p op of a reduction or scan of \p operands: chooses
/// identity, accumulator and combiner among the overloads of its name and makes
/// the steps that call them. Null after a report.
const UserFold *userFold(Checking &c, const ast::FoldOperator &op,
                         llvm::ArrayRef<const Expr *> operands);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_USERFOLDS_H
