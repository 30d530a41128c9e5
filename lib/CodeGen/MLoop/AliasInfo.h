//===- AliasInfo.h - What an M-loop's accesses do not touch -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_ALIASINFO_H
#define ZPL_LIB_CODEGEN_MLOOP_ALIASINFO_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/KnownStrides.h"
#include "zpl/CodeGen/CodeGen.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace zpl::codegen {

/// How LLVM may make vectors of a loop, and place it.
struct VectorChoice {
  unsigned width = 0; ///< elements; 0: as LLVM likes, 1: there are none
  bool alone = false; ///< one vector at a time: rows are short
  LaneUse lanes = LaneUse::Never; ///< if there are loops of each index inside
  bool isInLine = false; ///< the code begins where 32 bytes can be fetched
};

/// Metadata for the element accesses and loops of one M-loop.
class AliasInfo {
public:
  using Storages = llvm::EquivalenceClasses<const air::Array *>;

  /// Arrays of one class of \p storages may overlap. Nothing is said (all
  /// functions do nothing) if \p mayAlias. \p strides: what keeps indices of
  /// the loop's region apart; null: nothing.
  AliasInfo(llvm::LLVMContext &context, const air::MLoopStmt &loop,
            const Storages &storages, bool mayAlias, llvm::StringRef loopName,
            const air::KnownStrides *strides);

  /// Whether no element of one array is one of the other.
  bool areApart(const air::Array *a, const air::Array *b) const;
  /// Whether it is known that no step of the innermost loop of the part with
  /// this delay depends on another.
  bool isParallel(unsigned delay) const {
    return accessGroups.lookup(delay) != nullptr;
  }
  /// Marks a load or store of an element of \p array in the part with this
  /// delay.
  void annotate(llvm::Instruction *access, const air::Array *array,
                unsigned delay) const;
  /// Marks a load of an element of a row whose memory is asked for ahead
  /// (MLoopStmt::ahead), after annotate; \p isWay: in LoopWay::Ahead.
  void annotateAhead(llvm::Instruction *load, bool isWay) const;
  /// Marks a load from memory that is no array's.
  void annotateOther(llvm::Instruction *access, unsigned delay) const;
  /// Marks the jump back to the head of one of the loops around the part with
  /// this delay; none: around several, or with steps that depend on each other.
  /// \p place is noted if it is valid.
  void annotateLoop(llvm::BranchInst *latch, bool isInnermost,
                    std::optional<unsigned> delay, VectorChoice vectors,
                    SourceRange place) const;

private:
  const air::Array *scopeOf(const air::Array *array) const;

  llvm::LLVMContext &context;
  const Storages &storages;
  /// Rows that take turns with an array (air::TimeSteps::swaps).
  llvm::DenseMap<const air::Array *, const air::Array *> turns;
  /// Per class of arrays, by its leader, its own scope and those of all others.
  struct Scopes {
    llvm::MDNode *own, *others;
  };
  llvm::MapVector<const air::Array *, Scopes> scopes;
  llvm::MDNode *all = nullptr; ///< the scopes of all arrays
  /// By delay; none where iterations may depend on each other.
  llvm::DenseMap<unsigned, llvm::MDNode *> accessGroups;
  /// The delays of parts whose iterations are independent, calls included.
  llvm::SmallSet<unsigned, 4> independent;
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_ALIASINFO_H
