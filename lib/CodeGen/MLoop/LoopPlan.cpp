//===- LoopPlan.cpp - How an M-loop is executed ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [Level] A := B + C          at line 9: a level of a hierarchy, [R by [2,2]]
//
// is planned as
//
//     mloop.L9: dim0 dim1 counted
//       part after 0: 3 rows, pairs
//         version strides: unit
//         version .any strides: any
//
//  1. Levels that are not flat are loops. The innermost one counts its steps if
//     a strided dimension of the region or of an array has to do with it.
//  2. Walkers of arrays that one shift makes have one layout: the first one
//     leads, the others are a distance away from it.
//  3. Each part of the body has versions of its innermost loop, in the order in
//     which the run tries them: carries of each stride that only the run knows
//     (LowerLets.cpp), single elements, every second element of what is read,
//     and of what is stored in place (LowerSteps.cpp); the last one is for
//     everything else. A version whose condition is known takes the place of
//     that one.
//  4. A part that stores every second element has a loop for pairs before the
//     last version.
//
//  5. Ways of the loop that differ in the innermost loop have one of their own
//     before the one that they are like.
//
// Over a sparse region the loops are those of its pattern instead
// (Sparse/PatternLoops.cpp), with a version for long rows, as vectors.
//
// Conditions themselves are code: LowerLets.cpp makes them, in the order of the
// plan, in front of the nest.
//
// Cost: linear in the body, but for arrays that are read around, which are
// looked for in the whole body for each walker.
//
//===----------------------------------------------------------------------===//

#include "MLoop/LoopPlan.h"
#include "Rows/RowTests.h"
#include "zpl/Analysis/Speculation.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::codegen {

int innerDim(const LoopPlan &plan, unsigned walker) {
  if (isSparse(plan)) {
    const air::Array &array = *plan.loop.walkers[walker].array;
    int last = int(array.rank()) - 1;
    return array.isContracted() || array.standsIn(last) ? -1 : last;
  }
  return plan.nest.empty()
             ? -1
             : plan.loop.walkers[walker].bumps[plan.nest.back().number];
}

bool isMoved(const LoopPlan &plan, unsigned walker, unsigned depth) {
  if (!isSparse(plan))
    return plan.loop.walkers[walker].bumps[plan.nest[depth].number] >= 0;
  if (plan.loop.walkers[walker].array->isSparse)
    return true;
  // Positions of different rows may be in one column.
  return depth + 1 == plan.nest.size() && innerDim(plan, walker) >= 0 &&
         (plan.traversal == Traversal::Rows || plan.loop.region->rank() == 1);
}

bool walksRows(const LoopPlan &plan, unsigned walker) {
  const air::Array *array = plan.loop.walkers[walker].array;
  if (array->isContracted())
    return innerDim(plan, walker) >= 0;
  return innerDim(plan, walker) == int(array->rank()) - 1 &&
         !array->element.isRunTimeSized();
}

bool hasDisplacements(const LoopPlan &plan, unsigned walker) {
  return walksRows(plan, walker) &&
         kind(plan, walker, innerDim(plan, walker)) != air::DimKind::Strided;
}

bool isUnitStride(const LoopPlan &plan, unsigned walker) {
  return hasDisplacements(plan, walker) && !isSparse(plan) &&
         !isStrided(plan, plan.nest.back().level->dim);
}

bool mayBeUnitStride(const LoopPlan &plan, unsigned walker) {
  return walksRows(plan, walker) && !isSparse(plan) &&
         !isUnitStride(plan, walker);
}

air::Offset rowOffset(const LoopPlan &plan, const air::ElementExpr *element) {
  air::Offset offset = element->offset;
  for (unsigned d = 0; d < offset.size(); ++d)
    if (isPerProcessor(kind(plan, element->walker, d)))
      offset[d] = 0;
  if (hasDisplacements(plan, element->walker))
    offset[innerDim(plan, element->walker)] = 0;
  return offset;
}

bool staysInRegister(const LoopPlan &plan, const air::ElementOp &op,
                     bool mayAlias) {
  auto *target = dyn_cast<air::ElementExpr>(op.target);
  if (!target || plan.nest.empty() || innerDim(plan, target->walker) >= 0 ||
      target->array->isContracted())
    return false;
  return !mayAlias || target->array->storage == air::Storage::Local;
}

/// Whether the part stores into the walker's array, or one of its layout.
static bool isStored(const LoopPlan &plan, const PlannedPart &part,
                     unsigned walker) {
  return any_of(part.ops, [&](const air::ElementOp &op) {
    return op.target && plan.leaders[air::rootElement(op.target)->walker] ==
                            plan.leaders[walker];
  });
}

unsigned stepOf(const LoopPlan &plan, const PlannedPart &part, unsigned walker,
                InnerStrides how) {
  if (!mayBeUnitStride(plan, walker))
    return 0;
  switch (how) {
  case InnerStrides::Any:
    return 0;
  case InnerStrides::Unit:
    return 1;
  case InnerStrides::StoreTwo:
    return isStored(plan, part, walker) || hasDisplacements(plan, walker) ? 2
                                                                          : 1;
  case InnerStrides::Blend:
    return 2;
  case InnerStrides::LoadTwo:
    return part.readAround.contains(walker) || hasDisplacements(plan, walker)
               ? 2
               : 1;
  }
  llvm_unreachable("covered switch");
}

void forEachCarried(
    ArrayRef<air::ElementOp> ops, unsigned stride,
    function_ref<void(const air::ElementExpr &, const air::ElementExpr &,
                      const air::Carry &)>
        visit) {
  SmallDenseMap<const air::Variable *, const air::ElementOp *> made;
  for (const air::ElementOp &op : ops) {
    if (op.kind != air::ElementOp::Let)
      continue;
    made[op.variable] = &op;
    for (const air::Carry &carry : op.carries)
      if (carry.stride == stride)
        air::areAlike(*op.value, *made.lookup(carry.source)->value,
                      [&](const auto &element, const auto &source) {
                        visit(element, source, carry);
                        return true;
                      });
  }
}

//===----------------------------------------------------------------------===//
// What the text of a part allows
//===----------------------------------------------------------------------===//

/// Integers and floating-point numbers of at least four bytes.
static bool isPlain(air::Type type, const PlanContext &context) {
  return (type.isInteger() || type.isFloat()) && context.types.size(type) >= 4;
}

/// Whether the part reads the walker's array, and views of it, at several
/// places.
static bool isReadAround(const LoopPlan &plan, const PlannedPart &part,
                         unsigned walker, const PlanContext &context) {
  auto root = [&](const air::Array *array) {
    const air::ShiftStmt *shift = context.shifts.lookup(array);
    return shift ? static_cast<const air::Array *>(shift->source) : array;
  };
  const air::Array *array = root(plan.loop.walkers[walker].array);
  std::set<RowKey> places;
  for (const air::ElementOp &op : part.ops)
    air::forEachExpr(op, [&](const air::Expr &e) {
      auto *element = dyn_cast<air::ElementExpr>(&e);
      if (element && root(element->array) == array)
        places.insert({element->walker, element->offset});
    });
  return places.size() > 1;
}

/// Whether the part may read every second element of rows and store all of
/// others.
static bool mayLoadTwo(const LoopPlan &plan, const PlannedPart &part) {
  if (plan.isTiled || !part.asksUnit)
    return false;
  bool reads = false;
  for (int w : part.walkers) {
    if (stepOf(plan, part, w, InnerStrides::LoadTwo) != 2)
      continue;
    if (isStored(plan, part, w))
      return false;
    reads = true;
  }
  return reads;
}

/// Calls \p visit with the procedures that an expression calls.
static void forEachCallee(const air::Expr &e,
                          function_ref<void(const air::Procedure &)> visit) {
  if (auto *call = dyn_cast<air::CallExpr>(&e))
    visit(*call->callee);
}

static bool hasLoops(const air::Procedure &procedure,
                     SmallPtrSet<const air::Procedure *, 8> &seen) {
  if (!seen.insert(&procedure).second)
    return false;
  bool result = false;
  forEachStmt(procedure.body, [&](const air::Stmt &stmt) {
    result |= isa<air::WhileStmt, air::RepeatStmt, air::ForStmt>(stmt);
    forEachExpr(stmt, [&](const air::Expr &e) {
      forEachCallee(e, [&](const air::Procedure &callee) {
        result |= hasLoops(callee, seen);
      });
    });
  });
  return result;
}

/// Whether an index of the part may go through loops of its own, in which its
/// time passes.
static bool hasLoopsInside(const PlannedPart &part) {
  SmallPtrSet<const air::Procedure *, 8> seen;
  bool result = false;
  for (const air::ElementOp &op : part.ops)
    forEachExpr(op, [&](const air::Expr &e) {
      forEachCallee(e, [&](const air::Procedure &callee) {
        result |= hasLoops(callee, seen);
      });
    });
  return result;
}

/// Whether the part may store pairs of elements.
static bool mayStorePairs(const LoopPlan &plan, const PlannedPart &part,
                          const PlanContext &context) {
  bool isLikely = all_of(part.walkers, [&](int w) {
    return innerDim(plan, w) < 0 || (plan.isTiled && walksRows(plan, w)) ||
           hasDisplacements(plan, w);
  });
  if (!isLikely || !part.asksUnit || plan.loop.rows > 1 ||
      plan.nest.back().level->down || !context.aliases.isParallel(part.delay) ||
      part.hasLoopsInside)
    return false;
  bool stores = false;
  for (const air::ElementOp &op : part.ops) {
    auto *target = dyn_cast_or_null<air::ElementExpr>(op.target);
    if (op.kind == air::ElementOp::Let && op.carries.empty())
      continue;
    if (op.kind != air::ElementOp::Store || op.guard || !target)
      return false;
    if (target->array->isPerIndex())
      continue;
    stores = true;
    if (!isPlain(op.value->type, context) || target->array->isContracted() ||
        !mayBeUnitStride(plan, plan.leaders[target->walker]))
      return false;
  }
  return stores;
}

/// Whether the part stores, in rows without gaps, what it reads around.
static bool mayStoreEvery(const LoopPlan &plan, const PlannedPart &part,
                          const PlanContext &context) {
  if (!part.asksUnit || plan.loop.rows > 1 ||
      !context.aliases.isParallel(part.delay) ||
      any_of(part.walkers, [&](int w) {
        return innerDim(plan, w) >= 0 && !hasDisplacements(plan, w);
      }))
    return false;
  bool isAround = false;
  for (const air::ElementOp &op : part.ops) {
    auto *target = dyn_cast_or_null<air::ElementExpr>(op.target);
    if (op.kind != air::ElementOp::Store || op.guard || !target ||
        !isPlain(op.value->type, context) ||
        !air::maySpeculate(op, context.options.checks))
      return false;
    if (target->array->isPerIndex())
      continue;
    if (target->array->isContracted() || !mayBeUnitStride(plan, target->walker))
      return false;
    for (const air::ElementOp &other : part.ops)
      air::forEachExpr(other, [&](const air::Expr &e) {
        auto *element = dyn_cast<air::ElementExpr>(&e);
        isAround |=
            element && element->array == target->array && element->isShifted();
      });
  }
  return isAround;
}

/// Whether the part is one copy, of rows that lie side by side.
static bool mayCopyRows(const LoopPlan &plan, const PlannedPart &part,
                        const PlanContext &context) {
  if (part.ops.size() != 1 || plan.isCounted)
    return false;
  const air::ElementOp &op = part.ops.front();
  if (op.kind != air::ElementOp::Store || op.guard)
    return false;
  auto *target = dyn_cast<air::ElementExpr>(op.target);
  auto *source = dyn_cast<air::ElementExpr>(op.value);
  return target && source &&
         context.aliases.areApart(target->array, source->array) &&
         isUnitStride(plan, target->walker) &&
         isUnitStride(plan, source->walker);
}

/// Whether the part only computes bytes from bytes, in an upward loop.
static bool leavesBytes(const LoopPlan &plan, const PlannedPart &part,
                        const PlanContext &context) {
  if (!is_contained(context.options.cpuFeatures, "avx512bw") ||
      plan.isCounted || plan.nest.empty() || plan.nest.back().level->down ||
      context.options.optLevel < 2)
    return false;
  bool accumulates = any_of(plan.loop.body, [&](const air::ElementOp &op) {
    bool isCarry = op.kind == air::ElementOp::Store &&
                   air::rootElement(op.target)->array->isCarries();
    return (op.kind == air::ElementOp::Accumulate || isCarry) &&
           (op.accumulator || staysInRegister(plan, op, context.mayAlias));
  });
  auto isByte = [&](const air::Expr &e) {
    return !isa<air::RemapExpr>(e) &&
           (!isa<air::ElementExpr>(e) || context.types.size(e.type) == 1);
  };
  return !accumulates && all_of(part.ops, [&](const air::ElementOp &op) {
    bool isStored = op.kind == air::ElementOp::Store ||
                    (op.kind == air::ElementOp::Let && op.carries.empty());
    bool isOfBytes = isStored && context.types.size(op.value->type) == 1;
    air::forEachExpr(
        op, [&](const air::Expr &e) { isOfBytes = isOfBytes && isByte(e); });
    return isOfBytes;
  });
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Whether the part has lets of a stride, and the run is asked about any.
static std::pair<bool, bool> carriesOf(const PlannedPart &part,
                                       const air::MLoopStmt &loop,
                                       unsigned stride) {
  bool isAny = false, asks = false;
  forEachCarried(part.ops, stride,
                 [&](const auto &element, const auto &source, const auto &) {
                   isAny = true;
                   asks |= !air::hasKnownSteps(element, source, loop);
                 });
  return {isAny, asks};
}

static void planVersions(const LoopPlan &plan, PlannedPart &part,
                         const PlanContext &context) {
  SmallVector<PlannedVersion, 3> &versions = part.planned;
  unsigned last = 0;
  for (const air::ElementOp &op : part.ops)
    for (const air::Carry &carry : op.carries)
      last = std::max(last, carry.stride);
  auto [isAny, asks] = carriesOf(part, plan.loop, 1);
  unsigned known = isAny && !asks ? 1 : 0;
  bool loadsTwo = mayLoadTwo(plan, part);
  if (asks)
    versions.push_back(
        {.inner = part.asksUnit ? InnerStrides::Unit : InnerStrides::Any,
         .stride = 1,
         .asksCarries = true});
  for (unsigned stride = 2; stride <= last; ++stride)
    if (carriesOf(part, plan.loop, stride).second)
      versions.push_back(
          {.inner = loadsTwo ? InnerStrides::LoadTwo : InnerStrides::Any,
           .stride = stride,
           .asksCarries = true,
           .asksHalves = loadsTwo && isAny,
           .suffix = ".stride2"});
  if (part.asksUnit)
    versions.push_back({.inner = InnerStrides::Unit,
                        .stride = known,
                        .suffix = asks ? ".unit" : ""});
  if (last < 2 && loadsTwo)
    versions.push_back({.inner = InnerStrides::LoadTwo, .suffix = ".halves"});
  bool storesEvery = mayStoreEvery(plan, part, context);
  if (storesEvery)
    versions.push_back({.inner = InnerStrides::Blend, .suffix = ".every"});
  versions.push_back({.stride = known,
                      .suffix = part.asksUnit ? ".any"
                                : asks        ? ".plain"
                                              : ""});
  bool streams =
      any_of(part.ops, [](const air::ElementOp &op) { return op.streams; });
  for (PlannedVersion &version : versions)
    version.isInStrips =
        streams && (!plan.isCounted || version.inner == InnerStrides::Unit);
  part.storesPairs = !storesEvery && mayStorePairs(plan, part, context);
}

/// Adds innermost loops for the ways that have their own: copies of the one for
/// single elements, or for everything.
static void planWays(const LoopPlan &plan, PlannedPart &part,
                     const PlanContext &context) {
  if (part.copiesRows || part.hasTail || plan.isTiled ||
      context.options.tuning == Tuning::None)
    return;
  SmallVector<PlannedVersion, 3> &versions = part.planned;
  auto *usual = find_if(versions, [&](const PlannedVersion &version) {
    return &version == &versions.back() ||
           (version.inner == InnerStrides::Unit && !version.asksCarries);
  });
  SmallVector<PlannedVersion, 2> added;
  for (air::LoopWay way : plan.loop.ways) {
    PlannedVersion version = *usual;
    version.way = way;
    if (way == air::LoopWay::Afresh && version.stride != 0) {
      version.stride = 0;
      version.suffix = ".afresh";
      added.push_back(version);
    } else if (way == air::LoopWay::Ahead || way == air::LoopWay::Unasked) {
      version.suffix = way == air::LoopWay::Ahead ? ".ahead" : ".unasked";
      added.push_back(version);
    }
  }
  versions.insert(usual, added.begin(), added.end());
}

/// Vectors gain in long rows of a pattern, and cost in short ones. Along all of
/// its positions they gain.
static void planPatternVersions(const LoopPlan &plan, PlannedPart &part) {
  bool mayBeVectors = plan.traversal == Traversal::Rows && !plan.merges &&
                      none_of(part.ops, [](const air::ElementOp &op) {
                        return op.kind == air::ElementOp::Call;
                      });
  if (mayBeVectors)
    part.planned.push_back({.ofLongRows = true, .suffix = ".long"});
  part.planned.push_back({});
}

static void planPart(const LoopPlan &plan, PlannedPart &part,
                     const PlanContext &context) {
  for (const air::ElementOp &op : part.ops)
    air::forEachExpr(op, [&](const air::Expr &e) {
      if (auto *element = dyn_cast<air::ElementExpr>(&e)) {
        part.walkers.insert(plan.leaders[element->walker]);
        part.rows.insert({element->walker, rowOffset(plan, element)});
      }
    });
  part.hasLoopsInside = hasLoopsInside(part);
  if (isSparse(plan))
    return planPatternVersions(plan, part);
  for (unsigned w = 0; w < plan.loop.walkers.size(); ++w)
    if (mayBeUnitStride(plan, w) && isReadAround(plan, part, w, context))
      part.readAround.insert(w);
  part.asksUnit = plan.isCounted && any_of(part.walkers, [&](int w) {
                    return mayBeUnitStride(plan, w);
                  });
  planVersions(plan, part, context);
  part.copiesRows = mayCopyRows(plan, part, context);
  part.hasTail = leavesBytes(plan, part, context);
  planWays(plan, part, context);
  part.tests = planTests(plan, part, context);
}

/// Whether the walker's place depends on that dimension of the index.
static bool asks(const air::Array &array, unsigned dim) {
  return !array.isSparse && !array.isContracted() &&
         !isPerProcessor(array.shape[dim]);
}

/// The loops over a pattern, and what they look up. Rows are needed for what is
/// the same along one, and for what is stored once per index of the others.
static void planPattern(LoopPlan &plan) {
  const air::MLoopStmt &loop = plan.loop;
  unsigned rank = loop.region->rank(), last = rank - 1;
  for (const air::ElementOp &op : loop.body)
    air::forEachExpr(op, [&](const air::Expr &e) {
      if (auto *index = dyn_cast<air::IndexExpr>(&e))
        plan.indices |= 1u << index->dim;
    });
  bool storesDense = false;
  for (const air::Walker &walker : loop.walkers)
    plan.merges |= walker.array->fetched != nullptr;
  if (plan.merges)
    plan.indices |= (1u << rank) - 1;
  for (const air::Walker &walker : loop.walkers)
    for (unsigned d = 0; d < rank; ++d)
      if (asks(*walker.array, d))
        (air::isScattered(*walker.array) ? plan.places : plan.indices) |= 1u
                                                                          << d;
  for (const air::ElementOp &op : loop.body)
    if (const air::ElementExpr *target =
            op.target ? air::rootElement(op.target) : nullptr) {
      storesDense |= !target->array->isSparse && !target->array->isContracted();
      plan.startsAnew |= op.anew;
    }
  uint32_t outer = (plan.indices | plan.places) & ~(1u << last);
  plan.traversal = rank > 1 && (outer || storesDense) ? Traversal::Rows
                                                      : Traversal::Positions;
  if (plan.traversal == Traversal::Rows)
    plan.ofPattern.push_back({rank, /*flat=*/false, /*down=*/false});
  plan.ofPattern.push_back({rank + 1, /*flat=*/false, /*down=*/false});
  for (const air::LoopLevel &level : plan.ofPattern)
    plan.nest.push_back({&level, 0});
}

/// Whether all that the loop does are sums of rows of a matrix that begin here
/// and stay in registers, so that several rows can be summed side by side.
static bool sumsRows(const LoopPlan &plan, const PlanContext &context) {
  const air::Region &region = *plan.loop.region;
  return plan.startsAnew && !plan.merges && region.rank() == 2 &&
         !air::isScattered(region) && plan.parts.size() == 1 &&
         plan.parts.front().ops.size() <= 4 &&
         all_of(plan.parts.front().ops, [&](const air::ElementOp &op) {
           return op.anew && staysInRegister(plan, op, context.mayAlias);
         });
}

/// The loops of a region that has all its indices.
static void planBox(LoopPlan &plan) {
  const air::MLoopStmt &loop = plan.loop;
  for (auto [i, level] : enumerate(loop.levels))
    if (!level.flat)
      plan.nest.push_back({&level, static_cast<unsigned>(i)});
  plan.isCounted =
      !plan.nest.empty() && isStrided(plan, plan.nest.back().level->dim);
  for (unsigned w = 0; w < loop.walkers.size(); ++w)
    if (int dim = innerDim(plan, w); dim >= 0)
      plan.isCounted |= kind(plan, w, dim) == air::DimKind::Strided;
}

LoopPlan planLoop(const air::MLoopStmt &loop, StringRef name, bool isTiled,
                  const PlanContext &context) {
  LoopPlan plan{
      .loop = loop, .isTiled = isTiled, .nest = {}, .leaders = {}, .parts = {}};
  loop.region->isSparse ? planPattern(plan) : planBox(plan);
  DenseMap<const air::ShiftStmt *, unsigned> first;
  for (auto [w, walker] : enumerate(loop.walkers)) {
    const air::ShiftStmt *shift = context.shifts.lookup(walker.array);
    bool isLed = shift && !isSparse(plan);
    plan.leaders.push_back(isLed ? first.try_emplace(shift, w).first->second
                                 : w);
  }
  for (ArrayRef<air::ElementOp> ops : air::partsOf(loop)) {
    unsigned delay = ops.front().delay;
    std::string suffix = delay ? ".after" + std::to_string(delay) : "";
    plan.parts.push_back({ops, delay, (name + suffix).str(), {}, {}, {}});
  }
  if (plan.parts.empty())
    plan.parts.push_back({{}, 0, name.str(), {}, {}, {}});
  for (PlannedPart &part : plan.parts)
    planPart(plan, part, context);
  plan.hasBands = sumsRows(plan, context);
  return plan;
}

//===----------------------------------------------------------------------===//
// As text
//===----------------------------------------------------------------------===//

static StringRef nameOf(InnerStrides strides) {
  switch (strides) {
  case InnerStrides::Any:
    return "any";
  case InnerStrides::Unit:
    return "unit";
  case InnerStrides::StoreTwo:
    return "store-two";
  case InnerStrides::LoadTwo:
    return "load-two";
  case InnerStrides::Blend:
    return "blend";
  }
  llvm_unreachable("covered switch");
}

static void print(const PlannedVersion &version, raw_ostream &os) {
  os << "    version " << version.suffix << (version.suffix.empty() ? "" : " ")
     << "strides: " << nameOf(version.inner);
  if (version.stride != 0)
    os << ", carries: " << version.stride
       << (version.asksCarries ? " if the run finds so" : "");
  if (version.asksHalves)
    os << ", halves asked";
  if (version.isInStrips)
    os << ", in strips";
  if (version.ofLongRows)
    os << ", long rows";
  if (version.way)
    os << ", way " << nameOf(*version.way);
  os << '\n';
}

std::string levelName(const LoopPlan &plan, unsigned depth) {
  unsigned dim = plan.nest[depth].level->dim;
  if (!isSparse(plan))
    return "dim" + std::to_string(dim);
  return dim == plan.loop.region->rank() ? "rows" : "positions";
}

std::string indexName(const LoopPlan &plan, unsigned depth) {
  unsigned dim = plan.nest[depth].level->dim;
  if (!isSparse(plan))
    return "i" + std::to_string(dim);
  return dim == plan.loop.region->rank() ? "row" : "position";
}

void print(const LoopPlan &plan, StringRef name, raw_ostream &os) {
  os << name << ":";
  for (auto [depth, entry] : enumerate(plan.nest))
    os << ' ' << levelName(plan, depth) << (entry.level->down ? " down" : "");
  auto printDims = [&](const char *text, uint32_t dims) {
    for (unsigned d = 0; dims >> d; ++d)
      if (dims >> d & 1)
        os << text << d;
  };
  printDims(" index", plan.indices);
  printDims(" place", plan.places);
  if (plan.startsAnew)
    os << ", complete or not";
  if (plan.merges)
    os << ", merged";
  if (plan.hasBands)
    os << ", in bands";
  os << (plan.isCounted ? " counted" : "") << (plan.isTiled ? " tiled" : "")
     << '\n';
  for (const PlannedPart &part : plan.parts) {
    os << "  part after " << part.delay << ": " << part.rows.size() << " rows";
    if (part.copiesRows)
      os << ", copied";
    if (part.storesPairs)
      os << ", pairs";
    if (part.hasTail)
      os << ", tail";
    if (!part.tests.empty())
      os << ", each row tested";
    os << '\n';
    for (const PlannedVersion &version : part.planned)
      print(version, os);
  }
}

} // namespace zpl::codegen
