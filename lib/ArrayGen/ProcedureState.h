//===- ProcedureState.h - A procedure being generated -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the functions that generate a procedure share.
///
/// Statements are appended to the current list. Evaluating an expression may
/// append statements, too; what it returns is valid at the end of the list.
/// Array temporaries that the returned expression reads are freed by whoever
/// appends the statement that uses it (TemporaryScope); after a *scalar*
/// expression there are none.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_PROCEDURESTATE_H
#define ZPL_LIB_ARRAYGEN_PROCEDURESTATE_H

#include "ModuleBuilder.h"
#include "llvm/ADT/PointerUnion.h"
#include "llvm/ADT/SmallBitVector.h"
#include <array>

namespace zpl::arraygen {

using ExprList = llvm::SmallVector<const air::Expr *, 6>;
using MapList = llvm::SmallVector<air::Map, 6>;

/// Where elements are computed: at the indices of a region that a mask leaves.
/// Nowhere, of a scalar, if there is no region.
struct Cover {
  air::Region *region = nullptr;
  air::Mask mask;

  Cover() = default;
  Cover(air::Region *region, air::Mask mask = {})
      : region(region), mask(mask) {}

  /// Whether there is a region.
  explicit operator bool() const { return region; }
  /// The rank of the region, which is there.
  unsigned rank() const { return region->rank(); }
  /// The same region, all of it.
  Cover unmasked() const { return Cover(region); }
};

/// The names of a procedure, and the memory that it allocates and frees.
struct Frame {
  SymbolMap locals;
  NameSet names; ///< printed with %
  /// Where the result goes if it is not given back; exactly one or none is set.
  air::Parameter result;
  /// Which parameters by value of a shattered statement are passed by
  /// reference, because what it writes may be the same. Empty: none.
  llvm::SmallBitVector shared;
  /// Allocated at entry; sema::Array: a family.
  std::vector<
      llvm::PointerUnion<air::Array *, air::Variable *, const sema::Array *>>
      localMemory;
  std::vector<air::Array *> temporaries; ///< alive here
  size_t loopMark = 0; ///< how many were when the innermost loop began
  /// Temporaries on the heap, alive in the whole procedure.
  std::vector<air::Variable *> heapTemporaries;
  size_t allocationPoint = 0;         ///< in the body: where they are allocated
  std::vector<air::Variable *> zeros; ///< see zero()
  air::Region *modified = nullptr;    ///< by the ModifyStmt at hand
  /// The values of the variables of unrolled loops, in the copy at hand.
  llvm::DenseMap<const sema::Variable *, int64_t> counters;
  /// Binds views that are one member throughout; finish() puts it at the entry.
  air::StmtList memberBinds;
};

/// What a reference was checked for, and how many calls came before.
struct Checked {
  air::CheckStmt::Kind kind;
  air::Region *over;
  unsigned parallelCalls;
};

/// What a statement writes; anywhere in the array if there is no region.
struct Target {
  air::Array *array;
  air::Region *region;
};

/// What is about the current statement. References and expressions of others
/// may stay in the tables: nobody asks for them.
struct StatementScope {
  size_t start = 0; ///< where in the current list it begins
  /// The evaluated directions of references.
  llvm::DenseMap<const sema::ArrayExpr *, ExprList> directions;
  llvm::DenseMap<const sema::ArrayExpr *, Checked> checkedReferences;
  /// The source regions of floods and partial reductions.
  llvm::DenseMap<const sema::Expr *, air::Region *> sources;
  llvm::SmallVector<Target, 4> targets;
  /// Where the states of user-defined operators lie that are elements.
  llvm::DenseMap<const sema::Variable *, air::Array *> foldStates;
  /// Results of floods. Nothing that it writes is in them.
  llvm::DenseSet<const air::Array *> floods;
  /// The shifted array that the statement is computed at, if it is: what it
  /// reads is that much nearer.
  const sema::ArrayExpr *movedTo = nullptr;
  /// Arrays of whole elements that stand for shifted ones.
  llvm::DenseMap<const sema::ArrayExpr *, air::Array *> standIns;
  /// While its operations are generated: what is element-wise goes there
  /// instead of into statements.
  air::WaveStmt *openWave = nullptr;
  /// Variables that the statement changes in place of the implicitly
  /// replicated values of these arrays.
  llvm::SmallVector<std::pair<air::Array *, air::Variable *>, 1> changedIrvs;
};

/// What a region was set to, and when; see Overlap.cpp.
struct RegionValue {
  air::RegionExpr expr;
  unsigned time;
};

/// A view, what it is bound to, and since when.
struct BoundView {
  air::Array *view;
  ExprList subscripts;
  unsigned time;
};

/// What is known of the values that variables, regions and views have here.
struct Knowledge {
  unsigned time = 0;          ///< a new one after what may write variables
  unsigned parallelCalls = 0; ///< so far
  /// Variables that nobody writes from here on.
  llvm::DenseSet<const air::Variable *> stableVariables;
  llvm::DenseMap<const air::Region *, RegionValue> regionValues;
  llvm::SmallVector<BoundView, 4> boundViews; ///< on the way here
  /// The view of a family that a reference is bound to.
  llvm::DenseMap<const sema::ArrayExpr *, air::Array *> views;
  /// Arrays that statements made of others, whose storage they may share.
  llvm::DenseMap<const air::Array *, const air::Array *> borrowedFrom;
};

/// The procedure that is being generated: an instance, or the global
/// initializers.
struct ProcedureState {
  ProcedureState(ModuleBuilder &builder, const sema::Instance &instance,
                 air::Procedure &procedure);

  ModuleBuilder &builder;
  air::Module &module;
  const sema::Instance &instance;
  air::Procedure &procedure;

  air::StmtList *current; ///< what statements are appended to
  /// The covering region of each rank, with its mask.
  std::array<Cover, sema::MaxRank + 1> covers{};
  /// The domain, of each rank, of the regions and arrays that are made.
  std::array<const air::Domain *, sema::MaxRank + 1> domains{};
  /// What the scope covers that is being opened.
  Cover enclosing;
  Frame frame;
  StatementScope statement;
  Knowledge known;
};

/// Frees the array temporaries made since its construction when told to.
class TemporaryScope {
public:
  explicit TemporaryScope(ProcedureState &p)
      : p(p), mark(p.frame.temporaries.size()) {}

  /// Appends `free` for each, the last first. What the operations of an open
  /// wave use stays until that is complete.
  void free(SourceRange range);

  /// The same but for \p array, which the scope around frees if it is one.
  void freeAllBut(air::Array *array, SourceRange range);

  /// They have been freed wherever control goes.
  void drop() { p.frame.temporaries.resize(mark); }

private:
  ProcedureState &p;
  size_t mark;
};

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_PROCEDURESTATE_H
