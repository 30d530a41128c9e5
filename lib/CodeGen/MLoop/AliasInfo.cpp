//===- AliasInfo.cpp - What the accesses of an M-loop do not touch --------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ZPL has no pointers: two arrays never overlap, unless an instance of a
// procedure was called with the same array twice (Procedure::mayAlias). C
// cannot say this of its arrays and checks at run time; here it goes into the
// IR.
//
//   [R] B := A@west + A@east;
//
//     load A   !alias.scope {A}, !noalias {B}, !llvm.access.group G
//     store B  !alias.scope {B}, !noalias {A}, !llvm.access.group G
//     br       !llvm.loop { llvm.loop.parallel_accesses G }
//
// 1. One domain per M-loop and a scope per array in it. Temporaries that may
//    share the storage of the array they were made of (shift, flood) have its
//    scope. Reads of flooded arrays leave the inner loop, for no store in it
//    can touch them.
//    So have rows that take turns with an array from iteration to iteration.
//    A contracted array is one like others, but an element per index is none:
//    LLVM keeps that in a register.
// 2. The access group promises that no iteration depends on another: then the
//    vectorizer asks nothing at all. It holds if each array that is stored to
//    is accessed at the index itself only; single statements are so by
//    construction, fused ones may not be. Or strides or guards keep accesses at
//    other indices apart from what is stored: stores that put back what was
//    there, where a guard is false or between strided elements, change nothing
//    that these read. An element
//    passed by reference is accessed by instructions of the callee that carry
//    no group, so such loops make no promise to LLVM, but are marked
//    `zpl.lanes` as the others are (lib/Backend/Lanes). Parts of different delays
//    have inner loops, and groups, of their own; the loop around them promises
//    nothing, for one part overwrites what the other has read some steps
//    before. Nor does a loop over a dimension that a partial reduction in
//    memory reduces, or in which an array with a grid dimension is stored to:
//    all its steps touch the same elements.
//
// Outer loops also say that they must not be unrolled: LLVM does so with short
// vectorized inner loops, which gains nothing here and doubles the code. The
// version of an inner loop for bumps that are not known (LowerMLoop.cpp) is not
// vectorized: with AVX-512 LLVM would gather, which took half as long again in
// the cache as single loads, or make vectors for the bump of one byte.
//
// Cost: linear in the accesses of the body plus quadratic in its arrays (lists
// of the others), of which there are few.
//
//===----------------------------------------------------------------------===//

#include "MLoop/AliasInfo.h"
#include "zpl/ArrayIR/GuardClasses.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace zpl::codegen {

static const air::Array *storageOf(const AliasInfo::Storages &storages,
                                   const air::Array *array) {
  auto leader = storages.findLeader(array);
  return leader == storages.member_end() ? array : *leader;
}

/// An array of which an operation changes the element at the index.
struct ChangedArray {
  const air::Array *array;
  const air::Expr *guard;
};

/// What the part changes by storing, or passes to procedures by reference.
static SmallVector<ChangedArray, 4> changedBy(ArrayRef<air::ElementOp> part) {
  SmallVector<ChangedArray, 4> result;
  for (const air::ElementOp &op : part) {
    auto add = [&](const air::Expr *place) {
      const air::ElementExpr *root = place ? rootElement(place) : nullptr;
      if (root && !root->array->isPerIndex())
        result.push_back({root->array, op.guard});
    };
    add(op.target);
    forEachExpr(*op.value, [&](const air::Expr &e) {
      if (auto *call = dyn_cast<air::CallExpr>(&e))
        for (const air::Argument &arg : call->args)
          add(arg.place);
    });
  }
  return result;
}

/// True if no element that one iteration of a part changes is touched by
/// another: all accesses of a storage that is changed are of one array at the
/// index itself, or where strides or guards keep them apart from what is
/// changed.
static bool iterationsAreIndependent(ArrayRef<air::ElementOp> part,
                                     const air::Region *region,
                                     const AliasInfo::Storages &storages,
                                     const air::KnownStrides *strides) {
  SmallVector<ChangedArray, 4> changed = changedBy(part);
  bool areIndependent = true;
  for (const air::ElementOp &op : part)
    forEachElement(
        op, [&](const air::ElementExpr &access, const air::Expr *guard) {
          areIndependent &= all_of(changed, [&](const ChangedArray &target) {
            if (storageOf(storages, access.array) !=
                storageOf(storages, target.array))
              return true;
            return access.array == target.array &&
                   (!access.isShifted() ||
                    guardsKeepApart(guard, target.guard, *target.array,
                                    access.offset) ||
                    (strides && strides->isIndependentOfItself(
                                    *target.array, region, access.offset)));
          });
        });
  return areIndependent;
}

static bool isCall(const air::ElementOp &op) {
  return op.kind == air::ElementOp::Call;
}

AliasInfo::AliasInfo(LLVMContext &context, const air::MLoopStmt &loop,
                     const Storages &storages, bool mayAlias,
                     StringRef loopName, const air::KnownStrides *strides)
    : context(context), storages(storages) {
  if (mayAlias)
    return;
  MDBuilder builder(context);
  MDNode *domain = builder.createAnonymousAliasScopeDomain(loopName);
  for (const auto &[array, rows] : loop.time.swaps)
    turns[rows] = array;
  DenseMap<const air::Array *, Metadata *> single;
  auto addScope = [&](const air::Array *array) {
    if (array->isPerIndex())
      return;
    const air::Array *storage = scopeOf(array);
    Metadata *&scope = single[storage];
    if (scope)
      return;
    scope = builder.createAnonymousAliasScope(domain, storage->name);
    scopes[storage].own = MDNode::get(context, scope);
  };
  for (const air::Walker &walker : loop.walkers)
    addScope(walker.array);
  forEachExpr(loop, [&](const air::Expr &e) {
    if (auto *remap = dyn_cast<air::RemapExpr>(&e))
      addScope(remap->array);
  });
  for (auto &[storage, lists] : scopes) {
    SmallVector<Metadata *, 8> others;
    for (const auto &entry : scopes)
      if (entry.first != storage)
        others.push_back(single.lookup(entry.first));
    lists.others = others.empty() ? nullptr : MDNode::get(context, others);
  }
  SmallVector<Metadata *, 8> everything;
  for (const auto &entry : scopes)
    everything.push_back(single.lookup(entry.first));
  if (!everything.empty())
    all = MDNode::get(context, everything);
  for (ArrayRef<air::ElementOp> part : partsOf(loop))
    if (iterationsAreIndependent(part, loop.region, storages, strides)) {
      unsigned delay = part.front().delay;
      if (none_of(part, isCall))
        accessGroups[delay] = MDNode::getDistinct(context, {});
      if (none_of(part, [](const auto &op) { return op.accumulates; }))
        independent.insert(delay);
    }
}

const air::Array *AliasInfo::scopeOf(const air::Array *array) const {
  const air::Array *other = turns.lookup(array);
  return storageOf(storages, other ? other : array);
}

bool AliasInfo::areApart(const air::Array *a, const air::Array *b) const {
  return !scopes.empty() && storageOf(storages, a) != storageOf(storages, b);
}

void AliasInfo::annotate(Instruction *access, const air::Array *array,
                         unsigned delay) const {
  auto it = scopes.find(scopeOf(array));
  if (it == scopes.end())
    return;
  access->setMetadata(LLVMContext::MD_alias_scope, it->second.own);
  if (it->second.others)
    access->setMetadata(LLVMContext::MD_noalias, it->second.others);
  if (MDNode *group = accessGroups.lookup(delay))
    access->setMetadata(LLVMContext::MD_access_group, group);
}

/// By a scope in a domain of its own, which says nothing of other accesses:
/// what LLVM makes of loads and stores keeps scopes.
void AliasInfo::annotateAhead(Instruction *load, bool isWay) const {
  MDBuilder builder(context);
  StringRef name = isWay ? "zpl.way.ahead" : "zpl.ahead";
  Metadata *scope =
      builder.createAliasScope(name, builder.createAliasScopeDomain(name));
  load->setMetadata(
      LLVMContext::MD_alias_scope,
      MDNode::concatenate(load->getMetadata(LLVMContext::MD_alias_scope),
                          MDNode::get(context, {scope})));
}

void AliasInfo::annotateOther(Instruction *access, unsigned delay) const {
  if (all)
    access->setMetadata(LLVMContext::MD_noalias, all);
  if (MDNode *group = accessGroups.lookup(delay))
    access->setMetadata(LLVMContext::MD_access_group, group);
}

void AliasInfo::annotateLoop(BranchInst *latch, bool isInnermost,
                             std::optional<unsigned> delay,
                             VectorChoice vectors, SourceRange place) const {
  auto number = [&](uint32_t value) {
    return ConstantAsMetadata::get(
        ConstantInt::get(llvm::Type::getInt32Ty(context), value));
  };
  // The first operand of a loop's node is the node itself.
  SmallVector<Metadata *, 3> parts = {nullptr};
  auto add = [&](StringRef name, ArrayRef<Metadata *> values) {
    SmallVector<Metadata *, 4> operands = {MDString::get(context, name)};
    append_range(operands, values);
    parts.push_back(MDNode::get(context, operands));
  };
  add("llvm.loop.mustprogress", {});
  if (MDNode *group = delay ? accessGroups.lookup(*delay) : nullptr)
    add("llvm.loop.parallel_accesses", {group});
  if (vectors.lanes != LaneUse::Never && delay && independent.contains(*delay))
    add("zpl.lanes", {number(vectors.lanes == LaneUse::Always)});
  if (!isInnermost)
    add("llvm.loop.unroll.disable", {});
  if (vectors.width == 1)
    add("llvm.loop.vectorize.enable",
        {ConstantAsMetadata::get(ConstantInt::getFalse(context))});
  else if (vectors.width != 0)
    add("llvm.loop.vectorize.width", {number(vectors.width)});
  if (vectors.alone)
    add("llvm.loop.interleave.count", {number(1)});
  if (vectors.isInLine)
    add("llvm.loop.align", {number(32)});
  if (place.isValid())
    add("zpl.place",
        {number(place.file), number(place.begin), number(place.end)});
  MDNode *node = MDNode::getDistinct(context, parts);
  node->replaceOperandWith(0, node);
  latch->setMetadata(LLVMContext::MD_loop, node);
}

} // namespace zpl::codegen
