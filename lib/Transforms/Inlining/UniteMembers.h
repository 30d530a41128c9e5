//===- UniteMembers.h - One name for each member ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What bodies that were put into a procedure call the members of families.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_INLINING_UNITEMEMBERS_H
#define ZPL_LIB_TRANSFORMS_INLINING_UNITEMEMBERS_H

#include "zpl/ArrayIR/ArrayIR.h"

namespace zpl::air {

/// Leaves of all fixed views (Array::member) that \p procedure has of a member
/// of a global family the first, bound at the entry. The procedure has no
/// transfers yet.
void uniteMembers(Module &module, Procedure &procedure);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_INLINING_UNITEMEMBERS_H
