//===- LoopPlan.h - How an M-loop is executed -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is decided of an M-loop from its text alone, before any code is made:
/// its loops, the parts of its body, which innermost loops each part has, and
/// how those move the walkers. Code generation follows the plan; it decides
/// nothing of that sort itself.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_LOOPPLAN_H
#define ZPL_LIB_CODEGEN_MLOOP_LOOPPLAN_H

#include "MLoop/AliasInfo.h"
#include "TypeLowering.h"
#include "zpl/Analysis/RowConditions.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Lets.h"
#include "zpl/CodeGen/CodeGen.h"
#include "llvm/ADT/SmallSet.h"
#include <set>

namespace llvm {
class raw_ostream;
}

namespace zpl::codegen {

/// Walker and offset; constant displacements along a row left out.
using RowKey = std::pair<int, air::Offset>;

/// By what the innermost loop moves walkers along rows where only the run
/// knows it (LowerSteps.cpp).
enum class InnerStrides {
  Any,
  Unit,     ///< one element
  StoreTwo, ///< two for what is stored, which goes in pairs; one for the rest
  LoadTwo,  ///< two for what is read at several indices; one for the rest
  Blend     ///< two for all, but elements between are computed, too
};

/// What the loops go over.
enum class Traversal : uint8_t {
  Box,       ///< in each dimension over its indices, or places
  Positions, ///< over the positions of a sparse region's pattern
  Rows       ///< over the pattern's rows, and in each over its positions
};

/// A level of the M-loop that is a loop. Over a sparse region it is none of
/// MLoopStmt::levels: its `dim` is the rank for rows, one more for positions.
struct NestLevel {
  const air::LoopLevel *level;
  unsigned number; ///< in MLoopStmt::levels, of Walker::bumps
};

/// An innermost loop for one case.
struct PlannedVersion {
  InnerStrides inner = InnerStrides::Any;
  unsigned stride = 0;      ///< of the carries that hold; 0: none does
  bool asksCarries = false; ///< the run is asked whether they hold,
  bool asksHalves = false;  ///< and whether neighbours lie side by side
  bool isInStrips = false;  ///< results go past the caches (LowerStreams.cpp)
  bool ofLongRows = false;  ///< of a pattern; others have no vectors there
  /// Only if the run takes this way of the loop.
  std::optional<air::LoopWay> way{};
  llvm::StringRef suffix{}; ///< of its block
};

/// Operations of one delay: they have inner loops of their own.
struct PlannedPart {
  llvm::ArrayRef<air::ElementOp> ops;
  unsigned delay = 0;
  std::string name;               ///< of its blocks: "mloop.L33.after1"
  llvm::SmallSet<int, 8> walkers; ///< that it uses: the leaders
  std::set<RowKey> rows;          ///< that it touches
  /// Walkers whose arrays, or views of them, it reads at several places.
  llvm::SmallSet<int, 8> readAround;
  /// The run is asked whether its walkers move by single elements.
  bool asksUnit = false;
  /// The last version has one for pairs before it, where the run finds any.
  bool storesPairs = false;
  bool copiesRows = false; ///< it is a memcpy per row (LowerRowCopies.cpp)
  bool hasTail = false;    ///< it leaves bytes over (LowerTails.cpp)
  /// Without which it does nothing in a row (RowTests.cpp); empty: not known.
  std::vector<air::RowTerms> tests{};
  /// Procedures that it calls have loops: vectors are those of lanes
  /// (lib/Backend/Lanes).
  bool hasLoopsInside = false;
  /// The versions of its innermost loop, the last one for all other cases; at
  /// least one.
  llvm::SmallVector<PlannedVersion, 3> planned{};
};

/// What a plan is made of.
struct LoopPlan {
  const air::MLoopStmt &loop;
  bool isTiled = false; ///< the block is one of several tiles
  Traversal traversal = Traversal::Box;
  /// Over a sparse region: by dimension whether the loops look up the index at
  /// hand, and the place.
  uint32_t indices = 0, places = 0;
  /// There is a nest for complete patterns (ElementOp::anew).
  bool startsAnew = false;
  /// It walks through rows of other patterns beside its own.
  bool merges = false;
  /// There is one for rows of one shape, of which it takes several at a time.
  bool hasBands = false;
  /// The levels that are loops, outermost first.
  llvm::SmallVector<NestLevel, 6> nest;
  /// The first walker of those whose arrays have one layout.
  llvm::SmallVector<unsigned, 8> leaders;
  /// The innermost loop counts its steps, because Strided dimensions say by how
  /// much it moves.
  bool isCounted = false;
  llvm::SmallVector<PlannedPart, 2> parts; ///< by delay; at least one
  /// What `nest` is made of over a sparse region.
  std::vector<air::LoopLevel> ofPattern{};
};

/// Whether the loops go over the pattern of a sparse region.
inline bool isSparse(const LoopPlan &plan) {
  return plan.traversal != Traversal::Box;
}

/// What is known around the loop. Everything outlives the plan.
struct PlanContext {
  const AliasInfo &aliases; ///< of the loop
  /// What makes an array that is made by one shift.
  const llvm::DenseMap<const air::Array *, const air::ShiftStmt *> &shifts;
  const TypeLowering &types;
  const CodeGenOptions &options;
  bool mayAlias; ///< parameters of the procedure may be the same arrays
};

/// Plans \p loop, whose blocks have names that begin with \p name. Cost: linear
/// in the body, but for what reads around: elements times walkers.
LoopPlan planLoop(const air::MLoopStmt &loop, llvm::StringRef name,
                  bool isTiled, const PlanContext &context);

/// For people and tests (`zplc --dump-loop-plans`): the loops, outermost first,
/// and for each part its innermost loops, in the order in which the run tries
/// them, as in LoopPlan.cpp.
void print(const LoopPlan &plan, llvm::StringRef name, llvm::raw_ostream &os);

/// What the loop at \p depth goes over, for names: "dim0", "rows".
std::string levelName(const LoopPlan &plan, unsigned depth);
/// The same of one step: "i0", "row".
std::string indexName(const LoopPlan &plan, unsigned depth);

/// The kind of a dimension of a walker's array. In a scattered domain the
/// positions of a Strided one are places, at any distance in memory.
inline air::DimKind kind(const LoopPlan &plan, unsigned walker, unsigned dim) {
  return plan.loop.walkers[walker].array->shape[dim];
}

/// Whether the loop takes strides in that dimension, which it does not through
/// places or a pattern.
inline bool isStrided(const LoopPlan &plan, unsigned dim) {
  const air::Region &region = *plan.loop.region;
  return dim < region.rank() && region.shape[dim] == air::DimKind::Strided &&
         !air::isScattered(region) && !region.isSparse;
}

/// The dimension in which the innermost loop moves a walker, or -1.
int innerDim(const LoopPlan &plan, unsigned walker);

/// Whether each step of the loop at \p depth moves a walker to another element.
bool isMoved(const LoopPlan &plan, unsigned walker, unsigned depth);

/// Whether the innermost loop moves a walker in the last dimension, in which
/// elements of a known size lie side by side or, if it is Strided, may do so.
bool walksRows(const LoopPlan &plan, unsigned walker);

/// Whether an offset along the row is a constant displacement.
bool hasDisplacements(const LoopPlan &plan, unsigned walker);

/// Whether the innermost loop goes from element to element.
bool isUnitStride(const LoopPlan &plan, unsigned walker);

/// Whether it may turn out to, at run time.
bool mayBeUnitStride(const LoopPlan &plan, unsigned walker);

/// What is left of an offset when flooded dimensions and displacements along
/// the row are.
air::Offset rowOffset(const LoopPlan &plan, const air::ElementExpr *element);

/// By how many elements the innermost loop moves a walker in that case; 0 if
/// that is not known, or it does not move along rows.
unsigned stepOf(const LoopPlan &plan, const PlannedPart &part, unsigned walker,
                InnerStrides how);

/// Whether an element that is accumulated into is kept in a register during
/// the innermost loop. \p mayAlias: as in PlanContext.
bool staysInRegister(const LoopPlan &plan, const air::ElementOp &op,
                     bool mayAlias);

/// Calls \p visit for each element of the part's lets of a stride and what it
/// is carried from.
void forEachCarried(
    llvm::ArrayRef<air::ElementOp> ops, unsigned stride,
    llvm::function_ref<void(const air::ElementExpr &, const air::ElementExpr &,
                            const air::Carry &)>
        visit);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_LOOPPLAN_H
