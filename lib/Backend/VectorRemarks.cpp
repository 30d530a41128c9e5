//===- VectorRemarks.cpp - What LLVM's vectorizer did with M-loops --------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's loop vectorizer tells a handler of its context what it did with a
// loop, and why not. It names the loop by its first block; which statement that
// was CodeGen has written at the jump back to it:
//
//   br i1 %last, label %done, label %mloop.L33.body, !llvm.loop !7
//   !7 = distinct !{!7, ..., !{!"zpl.place", i32 0, i32 812, i32 840}}
//
//     "vectorized loop (vectorization width: 4, interleaved count: 2)"
//       -> remark: vectorized: 4 indices at a time, 2 times in flight
//     "loop not vectorized: call instruction cannot be vectorized"
//       -> remark: missed: not vectorized: a function is called ...
//
// The reasons are translated by LLVM's name of them, as far as programs of ours
// can cause them; what is not in the table is told in LLVM's words. The
// vectorizer looks at innermost loops only, so an M-loop that it never spoke of
// and that is still there has a loop inside, of a scalar procedure. A loop that
// became a call of memset, was unrolled or removed is not there any more.
//
//===----------------------------------------------------------------------===//

#include "VectorRemarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace zpl {

namespace {

/// Orders ranges as they stand in the sources.
struct BySource {
  bool operator()(const SourceRange &a, const SourceRange &b) const {
    return std::tie(a.file, a.begin, a.end) < std::tie(b.file, b.begin, b.end);
  }
};

/// The remarks of each place, by kind and text.
using Found =
    std::map<SourceRange, std::map<std::string, Remark::Kind>, BySource>;

/// Notes what the vectorizer says; all else goes where it would have gone.
class Listener : public DiagnosticHandler {
public:
  explicit Listener(Found &found) : found(found) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override;
  bool isAnalysisRemarkEnabled(StringRef pass) const override {
    return isVectorizer(pass);
  }
  bool isMissedOptRemarkEnabled(StringRef pass) const override {
    return isVectorizer(pass);
  }
  bool isPassedOptRemarkEnabled(StringRef pass) const override {
    return isVectorizer(pass);
  }
  bool isAnyRemarkEnabled() const override { return true; }

private:
  static bool isVectorizer(StringRef pass) {
    return pass == "loop-vectorize" || pass == "zpl-lanes";
  }
  Found &found;
};

} // namespace

/// What is written at a jump back to the head of a loop; invalid if nothing is.
static SourceRange placeOf(const Instruction &jump) {
  const MDNode *loop = jump.getMetadata(LLVMContext::MD_loop);
  for (unsigned i = 1; loop && i < loop->getNumOperands(); ++i) {
    auto *part = dyn_cast<MDNode>(loop->getOperand(i));
    if (!part || part->getNumOperands() != 4)
      continue;
    auto *name = dyn_cast<MDString>(part->getOperand(0));
    if (!name || name->getString() != "zpl.place")
      continue;
    auto number = [&](unsigned which) -> uint32_t {
      return mdconst::extract<ConstantInt>(part->getOperand(which))
          ->getZExtValue();
    };
    return {number(1), number(2), number(3)};
  }
  return {};
}

/// The place of the loop with this first block.
static SourceRange placeOf(const BasicBlock *header) {
  for (const BasicBlock *latch : predecessors(header))
    if (SourceRange place = placeOf(*latch->getTerminator()); place.isValid())
      return place;
  return {};
}

/// Why a loop was not vectorized, in terms of ZPL.
static std::string reason(const DiagnosticInfoIROptimization &info) {
  StringRef text =
      StringSwitch<StringRef>(info.getRemarkName())
          .Cases("CantVectorizeCall", "CantVectorizeLibcall",
                 "CantVectorizeCallReturnType", "MissedExplicitlyDisabled",
                 "a function is called for each index; exp, sin, sqrt, tables "
                 "and arithmetic become vectors")
          .Cases("UnsafeDep", "UnsafeMemDep", "ConstantDistanceDep",
                 "an index may need what another one stores; use separate "
                 "arrays, or a scan block over another dimension")
          .Cases("CantIdentifyArrayBounds", "CantReorderMemOps",
                 "arrays may overlap; pass separate arrays")
          .Cases("NonReductionValueUsedOutsideLoop", "CantReorderFPOps",
                 "a value goes from index to index in a fixed order; leave "
                 "out -freproducible, or use a reduction of the language")
          .Cases("CFGNotUnderstood", "NoCFGForSelect", "LoopContainsSwitch",
                 "IfConversionDisabled", "NoInductionVariable",
                 "indices take different ways; write an expression that is "
                 "defined everywhere, or a mask")
          .Cases("CantComputeNumberOfIterations", "UnsupportedUncountableLoop",
                 "its end depends on what it computes; write a fixed number of "
                 "steps")
          .Case("VectorizationNotBeneficial",
                "no faster on this processor, by LLVM's estimate")
          .Default("");
  if (!text.empty())
    return text.str();
  return "a part of the statement has no form for vectors";
}

static std::string argument(const DiagnosticInfoIROptimization &info,
                            StringRef key) {
  for (const auto &each : info.getArgs())
    if (each.Key == key)
      return each.Val;
  return "1";
}

bool Listener::handleDiagnostics(const DiagnosticInfo &info) {
  auto *remark = dyn_cast<DiagnosticInfoIROptimization>(&info);
  if (!remark)
    return false;
  if (!isVectorizer(remark->getPassName()))
    return true;
  auto *header = dyn_cast_or_null<BasicBlock>(remark->getCodeRegion());
  SourceRange place = header ? placeOf(header) : SourceRange();
  StringRef name = remark->getRemarkName();
  // MissedDetails comes after a remark with the reason; what is only not
  // interleaved is vectorized, which is told.
  if (!place.isValid() || name == "MissedDetails" ||
      name.starts_with("Interleaving")) // ...NotBeneficial, ...Disabled
    return true;
  if (name == "InLanes")
    found[place].try_emplace("vectorized: " + argument(*remark, "Lanes") +
                                 " indices at a time go through loops together",
                             Remark::Applied);
  if (name == "NoLanes")
    found[place].try_emplace(
        "not vectorized: there are loops of each index, and " +
            argument(*remark, "Reason"),
        Remark::Missed);
  if (remark->getPassName() == "zpl-lanes")
    return true;
  std::string times = argument(*remark, "InterleaveCount");
  std::string interleaved =
      times == "1" ? "" : ", " + times + " times in flight";
  if (name == "Vectorized") {
    found[place].try_emplace(
        "vectorized: " + argument(*remark, "VectorizationFactor") +
            " indices at a time" + interleaved,
        Remark::Applied);
  } else if (name != "Interleaved") { // what was in the way has been told
    found[place].try_emplace("not vectorized: " + reason(*remark),
                             Remark::Missed);
  }
  return true;
}

void runWithVectorRemarks(llvm::Module &module, bool vectorizes,
                          function_ref<void()> passes,
                          function_ref<void(const Remark &)> onRemark) {
  LLVMContext &context = module.getContext();
  Found found;
  std::unique_ptr<DiagnosticHandler> usual = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<Listener>(found));
  passes();
  context.setDiagnosticHandler(std::move(usual));
  if (!vectorizes)
    return;
  for (const Function &function : module)
    for (const BasicBlock &block : function)
      if (SourceRange place = placeOf(*block.getTerminator()); place.isValid())
        if (auto &texts = found[place]; texts.empty())
          texts["not vectorized: there are loops of each index; write a fixed "
                "number of steps over all indices"] = Remark::Missed;
  for (const auto &[place, texts] : found)
    for (const auto &[text, kind] : texts)
      onRemark({kind, "vectorize", place, text});
}

} // namespace zpl
