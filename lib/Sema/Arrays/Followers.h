//===- Followers.h - Arrays whose region may change -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_FOLLOWERS_H
#define ZPL_LIB_SEMA_ARRAYS_FOLLOWERS_H

#include "zpl/Sema/Program.h"
#include "llvm/ADT/DenseSet.h"

namespace zpl::sema {

/// The arrays that follow a region variable (Array::over), in the order of the
/// declarations.
std::vector<Array *> followersIn(const Program &program);

/// Those over named sparse regions, whose patterns they follow.
std::vector<Array *> patternFollowersIn(const Program &program);

/// The followers of variables, and the parameters that they may be passed for.
llvm::DenseSet<const Array *> findResizable(const Program &program);

/// Whether all of \p array, a family or not, has one region: that of no family
/// depends on the member.
bool hasOneRegion(const Array &array);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_FOLLOWERS_H
