//===- StandardNames.cpp - The predeclared names, for editors -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Predeclared.def has, in a form that needs nothing else of the checker.
//
//===----------------------------------------------------------------------===//

#include "Names/Predeclared.h"
#include "zpl/Sema/Standard.h"

namespace zpl::sema {

std::vector<StandardName> standardNames() {
  std::vector<StandardName> all;
  for (const Predeclared &row : predeclaredNames())
    all.push_back({row.name,
                   row.isFunction() || row.kind == Predeclared::Reduction,
                   row.least, row.most});
  return all;
}

} // namespace zpl::sema
