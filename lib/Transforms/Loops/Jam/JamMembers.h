//===- JamMembers.h - Iterations over members of families -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_JAM_JAMMEMBERS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_JAM_JAMMEMBERS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/Names.h"
#include <optional>

namespace zpl::air {

/// The statements of \p iterations iterations of \p loop, from that of its
/// variable on, in one M-loop, where each of them updates the same arrays from
/// members of families that the variable chooses. The last one has the names of
/// the loop's body. None if the loop is not of this kind: see JamMembers.cpp.
/// It steps up by 1; the procedure's arrays have no other names.
std::optional<StmtList> jamMembers(const ForStmt &loop, int64_t iterations,
                                   Procedure &procedure, Module &module,
                                   NameAllocator &names);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_JAM_JAMMEMBERS_H
