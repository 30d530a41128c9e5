//===- LongBlocks.cpp - Straight code in pieces ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of 50 000 elements, a sum of 10 000 terms and 5000 statements without
// a branch each are one basic block, and several parts of LLVM, its scheduler
// first of all, take time that grows as the square of a block's length:
//
//     entry:                              entry:
//       store i32 %1, ptr @t                call @main.piece()
//       ...                        =>       call @main.piece.1()
//       store i32 %50000, ptr @t+...        ...
//
// A block of more than longestBlock instructions is cut into pieces of
// pieceLength, and LLVM's CodeExtractor makes a function of each but the first
// and the last one. Values that a later piece needs come back through memory,
// of which there are few: variables of the program are in memory here. Pieces
// with memory on the stack of their own stay where they are.
//
// Cost: linear. The calls are nothing beside what they run.
//
//===----------------------------------------------------------------------===//

#include "zpl/Backend/LongBlocks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;

namespace zpl {

static constexpr unsigned longestBlock = 2000;
static constexpr unsigned pieceLength = 500;

/// Does the instruction belong to the function that it stands in?
static bool isBound(const Instruction &instruction) {
  if (isa<AllocaInst>(instruction))
    return true;
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic && (intrinsic->getIntrinsicID() == Intrinsic::stacksave ||
                       intrinsic->getIntrinsicID() == Intrinsic::stackrestore);
}

/// Cuts \p block; gives what may become functions.
static SmallVector<BasicBlock *, 0> piecesOf(BasicBlock *block) {
  SmallVector<BasicBlock *, 0> pieces;
  while (block->size() > 2 * pieceLength) {
    BasicBlock *rest =
        block->splitBasicBlock(std::next(block->begin(), pieceLength));
    pieces.push_back(block);
    block = rest;
  }
  if (!pieces.empty())
    pieces.erase(pieces.begin());
  erase_if(pieces, [](BasicBlock *piece) { return any_of(*piece, isBound); });
  return pieces;
}

static void divide(Function &function) {
  SmallVector<BasicBlock *, 0> pieces;
  for (BasicBlock &block : make_early_inc_range(function))
    if (block.size() > longestBlock)
      append_range(pieces, piecesOf(&block));
  if (pieces.empty())
    return;
  CodeExtractorAnalysisCache cache(function);
  for (BasicBlock *piece : pieces) {
    CodeExtractor extractor(piece, nullptr, false, nullptr, nullptr, nullptr,
                            false, false, nullptr, "piece");
    if (!extractor.isEligible())
      continue;
    if (Function *made = extractor.extractCodeRegion(cache))
      made->addFnAttr(Attribute::NoInline);
  }
}

void divideLongBlocks(Module &module) {
  for (Function &function : make_early_inc_range(module))
    if (!function.isDeclaration())
      divide(function);
}

} // namespace zpl
