//===- Pipeline.cpp - Running the passes ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline is the table of Passes.def, from top to bottom:
//
//     Block form, shifted elements without communication
//       select-indices, sparse
//       inline-procedures, merge-slices, reduce-to-targets, forward-floods
//       forward-copies, jam-shifts, remap, store-maps
//       insert-transfers
//     ... from here on every shifted element has been transferred
//       lift-transfers, remove-redundant-transfers, hoist-transfers,
//       combine-transfers, share-views, explain-scattered, explain-sparse
//       masks-to-regions
//       scalarize
//     Loop form: what loops there are, and what each does
//       scan-loops, gather-loops, fuse-loops, contract-arrays
//       start-carries, inline-scalars, skew-rows, lane-rows
//       stencil-cse, carry-neighbours
//       skew-time-steps
//       delay-updates, jam-loops, block-loops, interleave-loops
//     when they communicate
//       hide-latency, split-boundary
//       join-combines, split-combines, split-operators
//     how they use the machine
//       fetch-rows, merge-patterns
//       likely-bounds, strip-loops, stream-stores, fetch-ahead, keep-ways
//       materialize-walkers
//     ... from here on no element needs an index
//
// Around each pass stand the same steps: is the module in the form the pass
// takes; run it; verify; report. Verification costs about as much as a pass
// and is always on: a broken module shows at the pass that broke it.
//
//===----------------------------------------------------------------------===//

#include "zpl/Transforms/Pipeline.h"
#include "Communication/CombineTransfers.h"
#include "Communication/ExplainScattered.h"
#include "Communication/HideLatency.h"
#include "Communication/HoistTransfers.h"
#include "Communication/InsertTransfers.h"
#include "Communication/Joins/JoinCombines.h"
#include "Communication/LiftTransfers.h"
#include "Communication/RemoveRedundantTransfers.h"
#include "Communication/ShareViews.h"
#include "Communication/SplitBoundary.h"
#include "Communication/SplitCombines.h"
#include "Communication/SplitOperators.h"
#include "Inlining/InlineProcedures.h"
#include "Loops/BlockLoops.h"
#include "Loops/CarryNeighbours.h"
#include "Loops/ContractArrays.h"
#include "Loops/Delay/DelayUpdates.h"
#include "Loops/FetchAhead.h"
#include "Loops/FuseLoops.h"
#include "Loops/GatherLoops.h"
#include "Loops/InterleaveLoops.h"
#include "Loops/Jam/JamLoops.h"
#include "Loops/Jam/JamShifts.h"
#include "Loops/KeepWays.h"
#include "Loops/LikelyBounds.h"
#include "Loops/MaterializeWalkers.h"
#include "Loops/Scans/ScanLoops.h"
#include "Loops/Scans/StartCarries.h"
#include "Loops/StencilCse.h"
#include "Loops/StreamStores.h"
#include "Loops/Strips/StripLoops.h"
#include "Loops/Time/SkewTimeSteps.h"
#include "Loops/Waves/InlineScalars.h"
#include "Loops/Waves/LaneRows.h"
#include "Loops/Waves/SkewRows.h"
#include "Remaps/LocalRemaps.h"
#include "Remaps/StoreMaps.h"
#include "Sparse/ExplainSparse.h"
#include "Sparse/FetchRows.h"
#include "Sparse/MergePatterns.h"
#include "Statements/ForwardCopies.h"
#include "Statements/ForwardFloods.h"
#include "Statements/MasksToRegions.h"
#include "Statements/MergeSlices.h"
#include "Statements/ReduceToTargets.h"
#include "Statements/Scalarize.h"
#include "Statements/SelectIndices.h"
#include "Statements/SparseArrays.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Verifier.h"
#include "zpl/Transforms/VerifyTransfers.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace llvm;

namespace zpl::air {

ArrayRef<PassInfo> allPasses() {
  enum Need { Required, Optional };
  static constexpr PassInfo Passes[] = {
#define PASS(name, function, from, to, need, summary)                          \
  {name, summary, function, Form::from, Form::to, Need::need == Optional},
#include "zpl/Transforms/Passes.def"
  };
  return Passes;
}

const PassInfo *findPass(StringRef name) {
  for (const PassInfo &pass : allPasses())
    if (pass.name == name)
      return &pass;
  return nullptr;
}

bool PipelineOptions::runs(const PassInfo &pass) const {
  return !pass.isOptional || (optimize && !is_contained(without, pass.name));
}

static bool checkForm(const PassInfo &pass, const Module &module,
                      PassContext &context) {
  for (const Procedure *procedure : module.procedures) {
    if (procedure->form == pass.from)
      continue;
    context.error =
        (pass.name + " takes " + (pass.from == Form::Block ? "Block" : "Loop") +
         " form, and " + printedName(*procedure) + " is not")
            .str();
    context.errorRange = procedure->range;
    return false;
  }
  return true;
}

static bool checkModule(const Module &module, const Twine &when,
                        PassContext &context) {
  std::string error;
  bool good = verify(module, &error, &context.errorRange) &&
              (!hasTransfers(module) ||
               verifyTransfers(module, &error, &context.errorRange));
  if (!good)
    context.error = (when + ": " + error).str();
  return good;
}

bool runPass(const PassInfo &pass, Module &module, PassContext &context) {
  std::optional<PhaseTimers::Scope> timer;
  if (context.timers)
    timer.emplace(*context.timers, pass.name);
  context.pass = pass.name;
  if (!checkForm(pass, module, context))
    return false;
  pass.run(module, context);
  if (!context.error.empty())
    return false;
  if (!checkModule(module, "after " + pass.name, context))
    return false;
  if (context.afterPass)
    context.afterPass(pass.name, module);
  return true;
}

bool runPipeline(Module &module, const PipelineOptions &options,
                 PassContext &context) {
  if (!checkModule(module, "before the passes", context))
    return false;
  for (const PassInfo &pass : allPasses()) {
    if (options.runs(pass) && !runPass(pass, module, context))
      return false;
  }
  return true;
}

} // namespace zpl::air
