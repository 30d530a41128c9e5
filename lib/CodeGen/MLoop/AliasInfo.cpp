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
//    no group, so such loops make no promise either. Parts of different delays
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

/// True if no element that one iteration of a part stores is touched by
/// another: all accesses of a storage that is stored to are of one array at the
/// index itself, or where strides or guards keep them apart from what is
/// stored.
static bool iterationsAreIndependent(ArrayRef<air::ElementOp> part,
                                     const air::Region *region,
                                     const AliasInfo::Storages &storages,
                                     const air::KnownStrides *strides) {
  SmallVector<const air::ElementOp *, 4> stores;
  for (const air::ElementOp &op : part) {
    if (op.kind == air::ElementOp::Call)
      return false;
    if (op.target && !rootElement(op.target)->array->isPerIndex())
      stores.push_back(&op);
  }
  bool areIndependent = true;
  for (const air::ElementOp &op : part)
    forEachElement(op, [&](const air::ElementExpr &access,
                           const air::Expr *guard) {
      areIndependent &= all_of(stores, [&](const air::ElementOp *store) {
        const air::Array *target = rootElement(store->target)->array;
        if (storageOf(storages, access.array) != storageOf(storages, target))
          return true;
        return access.array == target &&
               (!access.isShifted() ||
                guardsKeepApart(guard, store->guard, *target, access.offset) ||
                (strides && strides->isIndependentOfItself(*target, region,
                                                           access.offset)));
      });
    });
  return areIndependent;
}

AliasInfo::AliasInfo(LLVMContext &context, const air::MLoopStmt &loop,
                     const Storages &storages, bool mayAlias,
                     StringRef loopName, const air::KnownStrides *strides)
    : context(context), storages(storages) {
  if (mayAlias)
    return;
  MDBuilder builder(context);
  MDNode *domain = builder.createAnonymousAliasScopeDomain(loopName);
  DenseMap<const air::Array *, Metadata *> single;
  auto addScope = [&](const air::Array *array) {
    if (array->isPerIndex())
      return;
    const air::Array *storage = storageOf(storages, array);
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
    if (iterationsAreIndependent(part, loop.region, storages, strides))
      accessGroups[part.front().delay] = MDNode::getDistinct(context, {});
}

bool AliasInfo::areApart(const air::Array *a, const air::Array *b) const {
  return !scopes.empty() && storageOf(storages, a) != storageOf(storages, b);
}

void AliasInfo::annotate(Instruction *access, const air::Array *array,
                         unsigned delay) const {
  auto it = scopes.find(storageOf(storages, array));
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
void AliasInfo::annotateAhead(Instruction *load) const {
  MDBuilder builder(context);
  Metadata *scope = builder.createAliasScope(
      "zpl.ahead", builder.createAliasScopeDomain("zpl.ahead"));
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
