//===- LaneShapes.h - What lanes of a loop have in common -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_LANES_LANESHAPES_H
#define ZPL_LIB_BACKEND_LANES_LANESHAPES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace zpl::lanes {

/// How a value of one iteration of a loop differs from that of the next one,
/// where both are at the same place in the loop's body.
struct Shape {
  enum Kind : uint8_t {
    Uniform, ///< not at all
    Linear,  ///< by a constant: integers, and pointers by so many bytes
    Varying  ///< in any way
  };
  Kind kind = Uniform;
  int64_t stride = 0; ///< of Linear, not 0

  bool operator==(const Shape &other) const = default;
};

/// The shapes of what a loop computes.
struct Shapes {
  /// Those of values in the loop that are not Uniform.
  llvm::DenseMap<const llvm::Value *, Shape> known{};
  /// Loops inside that iterations leave after different numbers of steps, or at
  /// different places.
  llvm::SmallPtrSet<const llvm::Loop *, 4> divergent{};
};

/// The shape of any value that the loop uses.
inline Shape shapeOf(const Shapes &shapes, const llvm::Value *value) {
  return shapes.known.lookup(value);
}

/// The shapes of all that \p loop computes, which is in the simple and LCSSA
/// forms. \p strides: the phis of its head that it moves by constants, and
/// variables of which each lane has its own, by their distance; \p moved: phis
/// that it moves by other values.
/// Cost: the loop's instructions times the depth of its loops, in practice.
Shapes findShapes(llvm::Loop &loop, const llvm::LoopInfo &loops,
                  const llvm::DominatorTree &dominators,
                  const llvm::DenseMap<const llvm::Value *, int64_t> &strides,
                  const llvm::SmallPtrSetImpl<const llvm::PHINode *> &moved);

/// Whether every iteration of \p loop gets to \p block, which is not in a loop
/// inside, exactly once.
bool isAlwaysReached(const llvm::BasicBlock *block, const llvm::Loop &loop,
                     const llvm::LoopInfo &loops,
                     const llvm::DominatorTree &dominators);

} // namespace zpl::lanes

#endif // ZPL_LIB_BACKEND_LANES_LANESHAPES_H
