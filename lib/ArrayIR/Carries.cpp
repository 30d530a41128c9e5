//===- Carries.cpp - The array IR: scans in M-loops -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     array %C : f64 <.., *> carries sum (2) over %lines
//     mloop @R levels(0 up, 1 up) {
//       store %S = %C                         S := +||[2] A
//       store %C = add(%C, @A)
//     }
//
// One element of C stands for all indices of a line. Unlike others it is read
// and stored by the loop, which thus has an order: that of the scan. Along the
// dimensions that C floods, levels come from the slowest one of the scan to the
// fastest, each in its direction. The other levels may stand anywhere.
//
// Cost: the operations of a loop, times its levels.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Carries.h"
#include "Verify/ArrayStatements.h"
#include "Verify/Declarations.h"
#include "Verify/LoopForms.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

SmallVector<Array *, 2> carriedAlong(const MLoopStmt &loop) {
  SmallVector<Array *, 2> result;
  for (const ElementOp &op : loop.body) {
    if (op.kind != ElementOp::Store)
      continue;
    Array *array = rootElement(op.target)->array;
    if (array->isCarries() && isOneForMany(*array, *loop.region) &&
        !is_contained(result, array))
      result.push_back(array);
  }
  return result;
}

bool goInScanOrder(ArrayRef<LoopLevel> levels, const Region &region,
                   const Array &carries) {
  auto isCarried = [&](unsigned dim) {
    return dim < region.rank() && isPerProcessor(carries.shape[dim]) &&
           !isPerProcessor(region.shape[dim]);
  };
  SmallVector<int, 6> wanted, found;
  for (int dim : reverse(carries.carryDims))
    if (isCarried(std::abs(dim) - 1u))
      wanted.push_back(dim);
  for (const LoopLevel &level : levels) {
    if (!isCarried(level.dim))
      continue;
    int dim = int(level.dim) + 1;
    if (level.flat) // of one index, whatever its direction
      erase_if(wanted, [&](int other) { return std::abs(other) == dim; });
    else
      found.push_back(level.down ? -dim : dim);
  }
  return found == wanted;
}

bool verifyCarriesOf(Verifying &state, const MLoopStmt &s) {
  for (const Array *array : carriedAlong(s)) {
    if (!goInScanOrder(s.levels, *s.region, *array))
      return fail(state, s.range,
                  "the loop does not take indices in the order in which " +
                      printedName(*array) + " goes along");
    const ElementOp *first = nullptr;
    for (const ElementOp &op : s.body) {
      bool names = false, isShifted = false;
      forEachExpr(op, [&](const Expr &e) {
        auto *element = dyn_cast<ElementExpr>(&e);
        names |= element && element->array == array;
        isShifted |= element && element->array == array && element->isShifted();
      });
      if (!names)
        continue;
      if (isShifted || op.kind == ElementOp::Call ||
          (first && first->delay != op.delay))
        return fail(state, s.range,
                    printedName(*array) + " is carried along, but not by "
                                          "operations of one part");
      first = &op;
    }
  }
  return true;
}

bool verifyCarriesDeclaration(Verifying &state, const Array &a) {
  if (a.storage != Storage::Local || !a.declared || a.isContracted() ||
      a.isSparse || a.element.isAggregate() || !a.fluff.isNone() ||
      !a.borders.empty())
    return fail(state, a.range, printedName(a) + " cannot be carries");
  unsigned used = 0;
  for (int dim : a.carryDims) {
    unsigned d = std::abs(dim) - 1u;
    if (dim == 0 || d >= a.rank() || (used >> d & 1))
      return fail(state, a.range,
                  "the dimensions of " + printedName(a) +
                      " are not different ones");
    used |= 1u << d;
  }
  for (unsigned d = 0; d < a.rank(); ++d)
    if (a.shape[d] == DimKind::Flood && !(used >> d & 1) &&
        a.declared->shape[d] != DimKind::Flood)
      return fail(state, a.range,
                  printedName(a) + " is flooded where nothing is scanned");
  return reducible(state, a.carryOp, nullptr, a.element, a.range);
}

} // namespace zpl::air
