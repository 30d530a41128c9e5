//===- RemapBoxes.cpp - Gathers that loops read box by box ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     check maps @A at (index(1), index(0)) over @R "A#[Index2, Index1]"
//     alloc %T
//     gather %T = @A at (index(1), index(0)) over @R
//     [@R] @B = add(@B, %T)
//     free %T
//  =>
//     boxes %box of @R with %part = @A at (index(1), index(0)) "A#[...]" {
//       [%box] @B = add(@B, %part#(index(1), index(0)))
//     }
//
// Where maps are indices and scalars, the elements that one processor has of
// another's are a box, and of own ones nothing has to be moved. The statement is
// executed for each of them, and no memory is written and read for T.
//
// Boxes come in any order, and some processors have more of them. So the
// statement stores elements only, reads others at the index itself, and calls
// nothing.
//
// Cost: linear in the statement's expressions.
//
//===----------------------------------------------------------------------===//

#include "Remaps/RemapBoxes.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

/// Numbers in plain boxes on each processor.
static bool hasPlainNumbers(const Array &array) {
  Type type = array.element;
  return (type.isInteger() || type.isFloat() || type.isComplex()) &&
         !array.isSparse && !isScattered(array) &&
         all_of(array.shape,
                [](DimKind kind) { return kind == DimKind::Range; });
}

/// Whether the statement does nothing but to store elements of an array that is
/// not the source, from others at the index.
static bool storesPlainly(const ArrayAssignStmt &user, const Array &source,
                          const Module &module, bool mayAlias) {
  const auto *target = dyn_cast<ElementExpr>(user.target);
  bool good = target && hasPlainNumbers(*target->array) &&
              !mayBeSame(module, *target->array, source, mayAlias);
  forEachExpr(user, [&](const Expr &expr) {
    auto *element = dyn_cast<ElementExpr>(&expr);
    good &= !isa<CallExpr, RemapExpr>(expr) &&
            (!element || (!element->isShifted() && !element->array->isSparse));
  });
  return good;
}

bool mayReadInBoxes(const GatherStmt &gather, const ArrayAssignStmt &user,
                    const Procedure &procedure, const Module &module) {
  const Region &region = *gather.region;
  bool hasRanges =
      all_of(region.shape, [](DimKind kind) { return kind == DimKind::Range; });
  return user.region == gather.region && !gather.mask.array && hasRanges &&
         !region.isSparse && !isScattered(region) &&
         hasPlainNumbers(*gather.source) &&
         none_of(gather.maps,
                 [](const Map &map) { return map.array || map.value; }) &&
         storesPlainly(user, *gather.source, module, procedure.mayAlias);
}

BoxesStmt *boxesOf(const GatherStmt &gather, StringRef text,
                   Procedure &procedure, Module &module, NameAllocator &names) {
  auto *box = module.make<Region>();
  box->name = names.make("box");
  box->shape = gather.region->shape;
  box->domain = gather.region->domain;
  box->isTemporary = true;
  box->range = gather.range;
  procedure.regions.push_back(box);
  auto *part = module.make<Array>();
  part->name = names.make("part");
  part->element = gather.source->element;
  part->shape = gather.source->shape;
  part->domain = gather.source->domain;
  part->range = gather.range;
  procedure.arrays.push_back(part);
  return module.make<BoxesStmt>(box, gather.region, part, gather.source,
                                gather.maps, module.copy(text), gather.range);
}

} // namespace zpl::air
