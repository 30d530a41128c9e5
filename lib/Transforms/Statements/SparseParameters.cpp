//===- SparseParameters.cpp - Patterns of parameters ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure axpy(inout Y: [ , ] double; X: [ , ] double; f: double);
//     begin Y += f * X; end;
//     ...
//     [S] axpy(A, B, 2.0);                            A, B: [S] double
//
// In axpy nothing says that X and Y have the pattern of the covering region. But
// if they have in each call, they conform there and are not copied.
//
// Each sparse parameter may have the pattern of each sparse region that is a
// parameter, too, or global. All that some call contradicts are taken away,
// until no call does: an argument contradicts if it is neither declared over the
// region, or the argument for it, nor a parameter of the caller that may have
// its pattern. The first one that is left is the pattern.
//
// A pattern does not change while a procedure is executed over it: Sema sees to
// that.
//
// Cost: parameters times regions, times calls, times the depth of calls.
//
//===----------------------------------------------------------------------===//

#include "Statements/SparseArrays.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace zpl::air {
namespace {

class PatternFinder {
public:
  explicit PatternFinder(Module &module) : module(module) {
    for (Procedure *procedure : module.procedures) {
      addCandidates(*procedure);
      forEachStmt(procedure->body, [&](const Stmt &stmt) {
        if (auto *call = dyn_cast<CallStmt>(&stmt))
          calls.push_back(call->call);
      });
    }
  }

  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const CallExpr *call : calls)
        changed |= contradict(*call);
    }
    for (auto &[array, regions] : candidates)
      if (!regions.empty())
        array->pattern = regions.front();
  }

private:
  using Regions = SmallSetVector<Region *, 4>;

  void addCandidates(Procedure &procedure) {
    if (!procedure.thunk.empty())
      return;
    for (const Parameter &param : procedure.params) {
      if (!param.array || !param.array->isSparse)
        continue;
      Regions &regions = candidates[param.array];
      auto add = [&](Region *region) {
        if (region && region->isSparse &&
            region->domain == param.array->domain &&
            region->shape == param.array->shape)
          regions.insert(region);
      };
      for (const Parameter &other : procedure.params)
        add(other.region);
      for (Region *global : module.regions)
        if (!global->isTemporary)
          add(global);
    }
  }

  /// Whether the call has taken candidates away.
  bool contradict(const CallExpr &call) {
    bool changed = false;
    for (auto [arg, param] : zip(call.args, call.callee->params)) {
      auto found = candidates.find(param.array);
      if (found == candidates.end())
        continue;
      Array *array = arg.array;
      changed |= found->second.remove_if([&](Region *region) {
        return !array || !hasPattern(*array, *argumentFor(call, region));
      });
    }
    return changed;
  }

  /// What a call gives for a region of its callee.
  static Region *argumentFor(const CallExpr &call, Region *region) {
    for (auto [arg, param] : zip(call.args, call.callee->params))
      if (param.region == region)
        return arg.region;
    return region;
  }

  bool hasPattern(Array &array, Region &region) const {
    auto found = candidates.find(&array);
    return conforms(array, region) ||
           (found != candidates.end() && found->second.contains(&region));
  }

  Module &module;
  DenseMap<Array *, Regions> candidates;
  std::vector<const CallExpr *> calls;
};

} // namespace

void findPatterns(Module &module) { PatternFinder(module).run(); }

} // namespace zpl::air
