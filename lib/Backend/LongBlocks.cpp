//===- LongBlocks.cpp - Very long straight code in pieces -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An initializer of 50,000 values, or as many assignments in a row, are one
// basic block. What LLVM does within a block, the two schedulers above all, the
// vectorizer of straight code and the search for dead stores, takes time that
// grows faster than the block: minutes, where the code without optimization is
// there in a second. So before anything else is done, such a block is cut into
// pieces, and each piece becomes a function:
//
//     store i32 %x, ptr @a               call void @p.part(i32 %x)
//     ... 150,000 instructions    ==>    call void @p.part.1(i32 %x)
//     ret void                           ... ; ret void
//
// A call of a piece is little beside its 250 instructions; blocks in loops stay
// whole, since there a block may be what the loop vectorizer looks for. For a
// piece alone the schedulers take some milliseconds at most: they compare each
// load with each store.
//
// Constants are not worth instructions: tables are copied first
// (ConstantTables.h), also in shorter blocks.
//
// Scalars are taken from memory into values first: a variable whose address is
// given to a piece would be in memory also in the loops of the function; and
// tables need to see that all stores are to one object.
//
// Cost: linear in the size of the function, once; nothing without such a block.
//
//===----------------------------------------------------------------------===//

#include "LongBlocks.h"
#include "ConstantTables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace zpl {

/// With blocks of this size all of LLVM takes the time of its linear parts.
static constexpr size_t PieceSize = 250;
static constexpr size_t LongBlock = 8000;

/// In a block with more instructions constants are stored by tables.
static constexpr size_t BlockWithTables = 250;

/// A piece with more values that come from or go elsewhere stays where it is.
static constexpr size_t MostValues = 512;

/// The blocks of \p function with more than \p size instructions.
static SmallVector<BasicBlock *> blocksAbove(size_t size, Function &function) {
  SmallVector<BasicBlock *> result;
  for (BasicBlock &block : function)
    if (block.size() > size)
      result.push_back(&block);
  return result;
}

/// The long blocks of \p function that are executed once per call at most.
static SmallVector<BasicBlock *> longBlocks(Function &function) {
  SmallVector<BasicBlock *> result = blocksAbove(LongBlock, function);
  if (result.empty())
    return result;
  LoopInfo loops((DominatorTree(function)));
  erase_if(result, [&](BasicBlock *block) { return loops.getLoopFor(block); });
  return result;
}

/// Takes scalars from memory into values.
static void promoteScalars(Function &function) {
  std::vector<AllocaInst *> scalars;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && isAllocaPromotable(variable))
      scalars.push_back(variable);
  DominatorTree tree(function);
  PromoteMemToReg(scalars, tree);
}

/// Cuts \p block after its last variable: each piece is a block, and what is
/// before and after them stays in blocks of their own.
static SmallVector<BasicBlock *> cut(BasicBlock &block) {
  BasicBlock::iterator begin = block.getFirstNonPHIIt();
  for (auto it = begin; it != block.end(); ++it)
    if (isa<AllocaInst>(*it))
      begin = std::next(it);
  SmallVector<Instruction *> starts;
  size_t count = 0;
  for (Instruction &instruction : make_range(begin, block.end()))
    if (count++ % PieceSize == 0)
      starts.push_back(&instruction);
  // From the last one on, so that each instruction moves once.
  SmallVector<BasicBlock *> pieces;
  for (Instruction *start : reverse(starts))
    pieces.push_back(block.splitBasicBlock(start, "piece"));
  pieces.erase(pieces.begin()); // with the terminator
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

static void extract(BasicBlock *piece,
                    const CodeExtractorAnalysisCache &cache) {
  CodeExtractor extractor(piece, /*DT=*/nullptr, /*AggregateArgs=*/false,
                          /*BFI=*/nullptr, /*BPI=*/nullptr, /*AC=*/nullptr,
                          /*AllowVarArgs=*/false, /*AllowAlloca=*/false,
                          /*AllocationBlock=*/nullptr, "part");
  if (!extractor.isEligible())
    return;
  SetVector<Value *> inputs, outputs, sunk;
  extractor.findInputsOutputs(inputs, outputs, sunk);
  if (inputs.size() + outputs.size() > MostValues)
    return;
  if (Function *part = extractor.extractCodeRegion(cache)) {
    part->removeFnAttr(Attribute::AlwaysInline);
    part->addFnAttr(Attribute::NoInline);
  }
}

static bool cutLongBlocks(Function &function) {
  if (blocksAbove(BlockWithTables, function).empty())
    return false;
  promoteScalars(function);
  for (BasicBlock *block : blocksAbove(BlockWithTables, function))
    storeByTables(*block);
  SmallVector<BasicBlock *> pieces;
  for (BasicBlock *block : longBlocks(function))
    pieces.append(cut(*block));
  if (pieces.empty())
    return true;
  CodeExtractorAnalysisCache cache(function);
  for (BasicBlock *piece : pieces)
    extract(piece, cache);
  return true;
}

PreservedAnalyses LongBlocksPass::run(llvm::Module &module,
                                      ModuleAnalysisManager &) {
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  bool changed = false;
  for (Function *function : functions)
    changed |= cutLongBlocks(*function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace zpl
