//===- RegionKinds.cpp - Kinds of dimensions that are stored --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure keep();
//     begin R := [ , 1]; end;           -- R: region<.., ..>
//     ...
//     [*, 1..n] keep();                 -- R cannot hold the flooded dimension
//
// What a variable's type says of the dimensions is compared with the region
// that is stored where the region is written (Values.cpp). What blank
// dimensions and quotes inherit depends on the call: it is looked at here, once
// per instance.
//
// Cost: one visit per instance.
//
//===----------------------------------------------------------------------===//

#include "Program/Legality.h"
#include "Types/Types.h"

namespace zpl::sema {

namespace {

class StoreChecker : public PlaceVisitor {
public:
  StoreChecker(const Program &program, const Surveyor &surveyor,
               InstanceInfo &info, llvm::DenseSet<const void *> &reported,
               DiagnosticEngine &diags)
      : PlaceVisitor(program, surveyor, info), reported(reported),
        diags(diags) {}

protected:
  void onExpr(const Expr &e) override {
    if (auto *value = llvm::dyn_cast<RegionValueExpr>(&e))
      store(*value->region, value->type);
  }
  void onStmt(const Stmt &s) override {
    PlaceVisitor::onStmt(s);
    if (auto *assign = llvm::dyn_cast<RegionAssignStmt>(&s))
      store(*assign->value, assign->target->type);
  }

private:
  void store(const RegionExpr &region, Type type);

  llvm::DenseSet<const void *> &reported; ///< nodes
  DiagnosticEngine &diags;
};

void StoreChecker::store(const RegionExpr &region, Type type) {
  Shape shape = survey(region).shape;
  for (unsigned d = 0; d != shape.size(); ++d) {
    DimKind wanted = type.info()->shape[d];
    if (holds(wanted, shape[d]) || !reported.insert(&region).second)
      continue;
    auto report = diags.report(region.range, Diag::RegionValueKind, d + 1,
                               nameOf(shape[d]), text(type), nameOf(wanted),
                               componentText(shape[d]));
    for (const InstanceInfo *at = &info; at->firstCall; at = at->firstCaller)
      report.note(at->firstCall->range, Diag::CalledFromHere,
                  at->firstCall->callee->name);
    return;
  }
}

} // namespace

void checkStoredRegions(const Program &program, const Surveyor &surveyor,
                        InstanceInfos &infos, DiagnosticEngine &diags) {
  llvm::DenseSet<const void *> reported;
  for (auto &info : infos)
    StoreChecker(program, surveyor, *info, reported, diags).run();
}

} // namespace zpl::sema
