//===- Identity.h - What reductions start from ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_STATEMENTS_IDENTITY_H
#define ZPL_LIB_TRANSFORMS_STATEMENTS_IDENTITY_H

#include "zpl/ArrayIR/ArrayIR.h"

namespace zpl::air {

/// The identity of an operator in a type that the verifier allows it: what a
/// reduction over no element gives.
const Expr *identityOf(Reduction op, Type type, Module &module,
                       SourceRange range);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_STATEMENTS_IDENTITY_H
