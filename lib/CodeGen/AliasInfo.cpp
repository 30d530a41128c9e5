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
// 1. One domain per M-loop and a scope per array in it. Shifted temporaries
//    (ShiftStmt) may share storage with their source, but neither is written
//    while both live, so loads may pass each other.
// 2. The access group promises that no iteration depends on another: then the
//    vectorizer asks nothing at all. It holds if each array that is stored to
//    is accessed at one offset only; single statements are so by construction,
//    fused ones may not be. An element passed by reference is accessed by
//    instructions of the callee that carry no group, so such loops make no
//    promise either. Parts of different delays have inner loops, and groups, of
//    their own; the loop around them promises nothing, for one part overwrites
//    what the other has read some steps before.
//
// Outer loops also say that they must not be unrolled: LLVM does so with short
// vectorized inner loops, which gains nothing here and doubles the code.
//
// Cost: linear in the accesses of the body plus quadratic in its arrays (lists
// of the others), of which there are few.
//
//===----------------------------------------------------------------------===//

#include "AliasInfo.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
using namespace zpl::air;

namespace zpl::codegen {

/// True if no element that one iteration of a part stores is touched by
/// another.
static bool iterationsAreIndependent(ArrayRef<ElementOp> part) {
  DenseSet<const Array *> stored;
  for (const ElementOp &op : part) {
    if (op.kind == ElementOp::Call)
      return false;
    if (op.target)
      stored.insert(rootElement(op.target)->array);
  }
  DenseMap<const Array *, const Offset *> offsets;
  bool areEqual = true;
  for (const ElementOp &op : part)
    forEachExpr(op, [&](const Expr &e) {
      auto *access = dyn_cast<ElementExpr>(&e);
      if (!access || !stored.contains(access->array))
        return;
      const Offset *&first = offsets[access->array];
      if (!first)
        first = &access->offset;
      areEqual &= *first == access->offset;
    });
  return areEqual;
}

AliasInfo::AliasInfo(LLVMContext &context, const MLoopStmt &loop, bool mayAlias,
                     StringRef loopName)
    : context(context) {
  if (mayAlias)
    return;
  MDBuilder builder(context);
  MDNode *domain = builder.createAnonymousAliasScopeDomain(loopName);
  DenseMap<const Array *, Metadata *> single;
  for (const Walker &walker : loop.walkers) {
    Metadata *&scope = single[walker.array];
    if (scope)
      continue;
    scope = builder.createAnonymousAliasScope(domain, walker.array->name);
    scopes[walker.array].own = MDNode::get(context, scope);
  }
  for (auto &[array, lists] : scopes) {
    SmallVector<Metadata *, 8> others;
    for (const auto &entry : scopes)
      if (entry.first != array)
        others.push_back(single.lookup(entry.first));
    lists.others = others.empty() ? nullptr : MDNode::get(context, others);
  }
  SmallVector<Metadata *, 8> everything;
  for (const auto &entry : scopes)
    everything.push_back(single.lookup(entry.first));
  if (!everything.empty())
    all = MDNode::get(context, everything);
  for (ArrayRef<ElementOp> part : partsOf(loop))
    if (iterationsAreIndependent(part))
      accessGroups[part.front().delay] = MDNode::getDistinct(context, {});
}

void AliasInfo::annotate(Instruction *access, const Array *array,
                         unsigned delay) const {
  auto it = scopes.find(array);
  if (it == scopes.end())
    return;
  access->setMetadata(LLVMContext::MD_alias_scope, it->second.own);
  if (it->second.others)
    access->setMetadata(LLVMContext::MD_noalias, it->second.others);
  if (MDNode *group = accessGroups.lookup(delay))
    access->setMetadata(LLVMContext::MD_access_group, group);
}

void AliasInfo::annotateOther(Instruction *access, unsigned delay) const {
  if (all)
    access->setMetadata(LLVMContext::MD_noalias, all);
  if (MDNode *group = accessGroups.lookup(delay))
    access->setMetadata(LLVMContext::MD_access_group, group);
}

void AliasInfo::annotateLoop(BranchInst *latch, bool isInnermost,
                             std::optional<unsigned> delay) const {
  // The first operand of a loop's node is the node itself.
  SmallVector<Metadata *, 3> parts = {nullptr};
  parts.push_back(
      MDNode::get(context, MDString::get(context, "llvm.loop.mustprogress")));
  if (MDNode *group = delay ? accessGroups.lookup(*delay) : nullptr)
    parts.push_back(MDNode::get(
        context,
        {MDString::get(context, "llvm.loop.parallel_accesses"), group}));
  if (!isInnermost)
    parts.push_back(MDNode::get(
        context, MDString::get(context, "llvm.loop.unroll.disable")));
  MDNode *node = MDNode::getDistinct(context, parts);
  node->replaceOperandWith(0, node);
  latch->setMetadata(LLVMContext::MD_loop, node);
}

} // namespace zpl::codegen
