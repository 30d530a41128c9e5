//===- LanePlan.h - What a loop in lanes is made from -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_LANES_LANEPLAN_H
#define ZPL_LIB_BACKEND_LANES_LANEPLAN_H

#include "Lanes/LaneShapes.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"

namespace zpl::lanes {

/// What is known around a loop. Everything outlives the plan.
struct LoopContext {
  llvm::Loop &loop;
  llvm::LoopInfo &loops;
  llvm::DominatorTree &dominators;
  llvm::ScalarEvolution &evolution;
  const llvm::TargetTransformInfo &target;
};

/// A value that goes from iteration to iteration, as a sum does:
/// `%phi = phi [.., before], [%next, ..]`, `%next = op %phi, %x`. Nothing else
/// in the loop uses either.
struct Chain {
  llvm::PHINode *phi;
  llvm::Instruction *next;
};

/// A value that each iteration moves by what is known before the loop only.
struct Moved {
  llvm::PHINode *phi;
  llvm::Value *step; ///< of its type, or, of a pointer, an i64 in bytes
};

struct LanePlan {
  LoopContext context;
  /// The phis of the loop's head that move by constants, and by how much:
  /// integers, and pointers in bytes.
  llvm::DenseMap<const llvm::PHINode *, int64_t> strides{};
  llvm::SmallVector<Moved, 2> moved{};
  llvm::SmallVector<Chain, 2> chains{};
  /// Variables that live in one iteration at a time: each lane has its own,
  /// side by side, so that their addresses are Linear.
  llvm::SmallVector<llvm::AllocaInst *, 2> own{};
  /// How often the loop takes its back edge.
  const llvm::SCEV *backedges = nullptr;
  Shapes shapes{};
  // Set by chooseWidth:
  unsigned width = 0; ///< lanes, a power of 2
  /// What a mask consists of: i1 where the processor has registers for masks,
  /// else integers of the size of what is computed, 0 or -1.
  llvm::Type *maskElement = nullptr;
};

/// Plans the loop if it can be executed in lanes: vectors of iterations, which
/// are known to be independent. Else \p reason says why not, as a sentence that
/// begins in lower case. It has loops inside and is in the simple and LCSSA
/// forms.
std::optional<LanePlan> planLanes(const LoopContext &context,
                                  std::string &reason);

/// Before a loop is planned: computes addresses of parts of variables in the
/// loop that uses them, where LLVM has moved them out of it.
void bringAddressesBack(llvm::Loop &loop);

/// Chooses how many iterations are executed at once, at least two, and what
/// masks are made of. False: it would not be faster. See LaneCosts.cpp.
bool chooseWidth(LanePlan &plan);

/// A function that computes a call for vectors of so many lanes.
struct VectorVariant {
  llvm::Function *function = nullptr; ///< null: there is none
  unsigned lanes = 0;
};

/// The longest one that fits \p width lanes. Lanes that do not want the value
/// compute along.
VectorVariant vectorVariant(const llvm::CallInst &call, unsigned width);

/// Whether \p inst does nothing that code for lanes has to keep.
bool isMarker(const llvm::Instruction &inst);

/// In bytes, the distance of a variable of one lane from that of the next one.
int64_t strideOf(const llvm::AllocaInst &variable);

/// The type of what a load or store touches, its alignment, and its size in
/// bytes.
llvm::Type *accessType(const llvm::Instruction &access);
llvm::Align accessAlign(const llvm::Instruction &access);
int64_t accessSize(const llvm::Instruction &access);

} // namespace zpl::lanes

#endif // ZPL_LIB_BACKEND_LANES_LANEPLAN_H
