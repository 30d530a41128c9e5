//===- LaneCode.h - Vector code of a loop in lanes --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_LANES_LANECODE_H
#define ZPL_LIB_BACKEND_LANES_LANECODE_H

#include "Lanes/LanePlan.h"
#include "llvm/IR/IRBuilder.h"

namespace zpl::lanes {

/// An edge from block to block of the scalar loop.
using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;

/// The code that is being made, and what stands for what of the scalar loop.
/// Values are keyed by those of the scalar loop; masks are vectors of
/// LanePlan::maskElement.
struct LaneCode {
  const LanePlan &plan;
  llvm::IRBuilder<> builder;
  /// Of Uniform values and, for the first lane, of Linear ones; and where a
  /// chain stands.
  llvm::DenseMap<const llvm::Value *, llvm::Value *> scalars{};
  /// Of Varying values, all lanes.
  llvm::DenseMap<const llvm::Value *, llvm::Value *> vectors{};
  /// The lanes that take an edge.
  llvm::DenseMap<Edge, llvm::Value *> edgeMasks{};
  /// What a phi gets from a block in a loop that lanes leave one by one: for
  /// each lane the value that it left with.
  llvm::DenseMap<std::pair<const llvm::PHINode *, const llvm::BasicBlock *>,
                 llvm::Value *>
      leaving{};
  /// Memory that loads for no lane read.
  llvm::AllocaInst *nowhere = nullptr;
};

/// The value that all lanes have, or of Linear ones the first.
llvm::Value *scalarOf(const LaneCode &code, llvm::Value *value);

/// The value of each lane, of any shape; made here if it is not Varying.
llvm::Value *vectorOf(LaneCode &code, llvm::Value *value);

/// A vector of this element type; of a mask, too.
llvm::VectorType *wide(const LaneCode &code, llvm::Type *element);

// Masks. Conditions are vectors of i1.

llvm::Value *toCondition(LaneCode &code, llvm::Value *mask);
llvm::Value *toMask(LaneCode &code, llvm::Value *condition);
/// The lanes of \p mask for which \p condition, an i1 of the scalar loop, is
/// true. Other lanes may have any condition, even poison.
llvm::Value *narrow(LaneCode &code, llvm::Value *mask, llvm::Value *condition);
/// The lanes of \p mask that are not in \p part, which is one of it.
llvm::Value *without(LaneCode &code, llvm::Value *mask, llvm::Value *part);
/// An i1: whether there is a lane in the mask.
llvm::Value *isAny(LaneCode &code, llvm::Value *mask);
/// The elements of \p chosen in the lanes of the mask, else of \p other.
llvm::Value *blend(LaneCode &code, llvm::Value *mask, llvm::Value *chosen,
                   llvm::Value *other, const llvm::Twine &name);

/// Emits what \p inst, no phi and no terminator, computes or stores in the
/// lanes of \p mask. See LaneInstructions.cpp.
void emitInstruction(LaneCode &code, llvm::Instruction &inst,
                     llvm::Value *mask);

/// Replaces the loop by one over lanes; what it was is kept for few indices.
/// Analyses of the function do not hold afterwards. See LaneLoops.cpp.
void emitLanes(const LanePlan &plan);

} // namespace zpl::lanes

#endif // ZPL_LIB_BACKEND_LANES_LANECODE_H
