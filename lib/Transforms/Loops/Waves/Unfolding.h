//===- Unfolding.h - A scalar procedure as operations -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_WAVES_UNFOLDING_H
#define ZPL_LIB_TRANSFORMS_LOOPS_WAVES_UNFOLDING_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/Names.h"
#include <string>
#include <vector>

namespace zpl::air {

/// Operations that take the place of those of an M-loop, so far.
struct Unfolding {
  Module &module;
  const MLoopStmt &loop;
  NameAllocator &names;        ///< for locals of the loop's procedure
  std::vector<ElementOp> ops;  ///< in their order
  std::vector<Array *> arrays; ///< per index, which they store; of nobody yet
  /// The operation at hand, whose guard is that of what is stored for it.
  const ElementOp *current = nullptr;
  unsigned branches = 0; ///< of `if`s, that are executed now, in each other
  std::string why = {};  ///< not empty: it cannot be done
};

/// Adds \p op, a Store or Call, with the code of the procedures that it calls
/// in their place. False where `why` says what forbids it.
bool unfold(Unfolding &state, const ElementOp &op);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_WAVES_UNFOLDING_H
