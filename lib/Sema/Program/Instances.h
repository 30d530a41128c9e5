//===- Instances.h - Finds the instances of procedures ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A procedure is compiled once for each combination of shapes, masks and
/// aliasing that the program calls it with (docs/ArrayIR.md, section 5).
/// Here the combinations are found, with what is known of the regions in each.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_INSTANCES_H
#define ZPL_LIB_SEMA_PROGRAM_INSTANCES_H

#include "Check/Places.h"
#include "Program/Covers.h"
#include "Program/Effects.h"
#include "Tree/Walk.h"
#include "zpl/Sema/Program.h"

#include <bitset>
#include <memory>
#include <vector>

namespace zpl::sema {

/// An instance, and what all calls of it agree on.
struct InstanceInfo {
  Instance *instance = nullptr;
  std::unique_ptr<Instance> owned; ///< null: Program::initializer
  CoverPlaces covers;              ///< regions that cover the calls
  std::vector<Place> params; ///< declared regions of the arguments; rank 0 for
                             ///< scalars
  std::vector<InstanceInfo *> callees; ///< in order of the calls
  /// The call that asked for it first, and whose it is; null at the roots.
  const CallExpr *firstCall = nullptr;
  const InstanceInfo *firstCaller = nullptr;
  bool isQueued = false;
};
using InstanceInfos = std::vector<std::unique_ptr<InstanceInfo>>;

/// Goes through the code of one instance and keeps track of the regions.
class PlaceVisitor : public Visitor {
public:
  PlaceVisitor(const Program &program, const Surveyor &surveyor,
               InstanceInfo &info)
      : program(program), surveyor(surveyor), info(info), covers(info.covers),
        masks(info.instance->masks), written(info.covers) {
    reachesFurther.set();
  }
  /// Goes through the procedure of the instance, or the initializers.
  void run();

protected:
  /// Makes \p region the cover of its rank, unmasked.
  void onOpen(const RegionExpr &region) override;
  /// Notes that \p mask masks it; an inherited one may not exist.
  void onMask(const RegionExpr &region, const Mask &mask) override;
  /// Brings back the cover that \p region has replaced.
  void onClose(const RegionExpr &region) override;
  /// Notes which array is assigned.
  void onStmt(const Stmt &s) override;

  /// The covering region of rank \p rank, which exists.
  const Place &cover(unsigned rank) const { return *covers[rank]; }
  /// The kind of mask on it.
  MaskKind mask(unsigned rank) const { return masks[rank]; }
  /// What the scope that was opened last has replaced.
  const Place &enclosing() const { return *outer.back().cover; }
  /// The kind of mask on that.
  MaskKind enclosingMask() const { return outer.back().mask; }
  /// The region that this mask was written for, as far as this procedure knows.
  const Place &enclosingMaskPlace() const { return *outer.back().written; }
  /// Whether that may have been written for another region, of an outer scope
  /// or a caller.
  bool enclosingReachesFurther() const { return outer.back().reachesFurther; }
  /// What is known of \p region at the place at hand.
  Place survey(const RegionExpr &region) const;
  /// The same where the procedure has been entered.
  Place surveyAtEntry(const RegionExpr &region) const;
  /// Whether \p region is (a part of) what a parameter is declared over: it
  /// inherits from the argument.
  bool isOfParameter(const RegionExpr &region) const;
  /// The region over which \p array is declared.
  Place declaredPlace(const Array &array) const;
  /// The same of what \p reference means, there.
  Place declaredPlace(const ArrayExpr &reference) const {
    return surveyor.here(declaredPlace(*reference.array), *reference.array,
                         &reference);
  }
  /// The domain of the array of rank \p rank that the statement at hand assigns;
  /// null: it assigns none.
  const Domain *statementDomain(unsigned rank) const;
  /// The region of what is passed for array parameter \p i.
  Place argumentPlace(const CallExpr &call, unsigned i) const;

  const Program &program;
  const Surveyor &surveyor;
  InstanceInfo &info;

private:
  struct Outer {
    std::optional<Place> cover;
    MaskKind mask;
    std::optional<Place> written;
    bool reachesFurther;
  };
  CoverPlaces covers;
  CoverMasks masks;
  CoverPlaces written;                     ///< as enclosingMaskPlace
  std::bitset<MaxRank + 1> reachesFurther; ///< as enclosingReachesFurther
  std::vector<Outer> outer;                ///< of the open scopes
  const Array *assigned = nullptr;         ///< by the statement at hand
};

/// Finds the instances that \p program needs, from \p entry and the
/// initializers on; the first two are theirs.
InstanceInfos findInstances(Program &program, const Procedure &entry,
                            const NeededCovers &needed, const Effects &effects,
                            const Surveyor &surveyor);

/// Moves the instances into the program, callees before callers.
void storeInstances(Program &program, InstanceInfos &infos);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_INSTANCES_H
