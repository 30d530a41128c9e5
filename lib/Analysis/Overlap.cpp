//===- Overlap.cpp - What may happen while data travel --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The questions that passes ask before they move points of transfers and ends
// of combinations, and the verifier afterwards:
//
//     sr %t                            -- {@A: (0,1)} over @R
//     mloop @R { store @B = @C }       takes time; has nothing to do with %t
//     if %c { return }                 may not stand here: dn %t would be
//     missed mloop @R { store @A = @B }       writes A dn %t
//
// Cost: one look at each nested statement and its effects.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/Overlap.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/TimeSteps.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

bool takesTime(const Stmt &stmt) {
  auto *point = dyn_cast<TransferPointStmt>(&stmt);
  if (isa<MLoopStmt, WaveStmt, ShiftStmt, FloodStmt, PutStmt, FoldStmt,
          CombineArrayStmt, ScanStmt, OperatorEndStmt, GatherStmt, ScatterStmt,
          WindowStmt, BoxesStmt, BoundaryStmt>(stmt) ||
      (point && point->point == TransferPointStmt::DN))
    return true;
  bool found = false;
  forEachList(stmt, [&](const StmtList &list) {
    found |= any_of(list, [](const Stmt *inner) { return takesTime(*inner); });
  });
  return found;
}

bool callsProcedure(const Stmt &stmt) {
  bool found = false;
  forEachExpr(stmt, [&](const Expr &e) { found |= isa<CallExpr>(e); });
  forEachOperand(stmt, [&](const Operand &operand) {
    found |= operand.as<Procedure *>() && operand.use == Use::Read;
  });
  return found;
}

bool mayStandInTransfer(const Stmt &stmt) {
  switch (groupOf(stmt)) {
  case StmtGroup::Scalar:
  case StmtGroup::Memory:
  case StmtGroup::Array:
  case StmtGroup::Elements:
  case StmtGroup::ElementCall:
  case StmtGroup::Sweep:
  case StmtGroup::Sweeps:
  case StmtGroup::Wave:
  case StmtGroup::Boxes:
    return true;
  case StmtGroup::Branch: {
    bool good = true;
    forEachList(stmt, [&](const StmtList &list) {
      good = good && all_of(list, [](const Stmt *inner) {
               return mayStandInTransfer(*inner);
             });
    });
    return good;
  }
  case StmtGroup::Call:
  case StmtGroup::Runtime:
  case StmtGroup::Leave:
    return false;
  }
  llvm_unreachable("a group outside its enumeration");
}

/// The array of the transfer that \p other may be; null if none.
static const Array *itemOf(const Transfer &transfer, const Array &other,
                           const Module &module, const Procedure &procedure) {
  for (const auto &[array, offset] : transfer.items)
    if (mayBeSame(module, *array, other, procedure.mayAlias))
      return array;
  return nullptr;
}

TransferUse useOf(const Transfer &transfer, const Stmt &stmt,
                  const Module &module, const Procedure &procedure,
                  const Effects &effects) {
  TransferUse use;
  auto note = [&](const Array *&what, const Array &array) {
    if (!what)
      what = itemOf(transfer, array, module, procedure);
  };
  WriteSet written = effects.writes(procedure, stmt);
  for (const auto &[array, offset] : transfer.items)
    if (!use.written && written.arrays.contains(array))
      use.written = array;
  for (const auto &[array, offset] : transfer.items)
    if (!use.moved && written.bound.contains(array))
      use.moved = array; // a view: other views stay what they are
  use.setsRegion = written.regions.contains(transfer.region);

  auto look = [&](const Stmt &s) {
    if (auto *alloc = dyn_cast<AllocArrayStmt>(&s))
      note(use.moved, *alloc->array);
    else if (auto *free = dyn_cast<FreeArrayStmt>(&s))
      note(use.moved, *free->array);
    else if (auto *shift = dyn_cast<ShiftStmt>(&s))
      note(use.moved, *shift->source);
    auto arrives = [&](const Transfer &other) {
      for (const auto &[array, offset] : other.items)
        note(use.fluff, *array);
    };
    auto *point = dyn_cast<TransferPointStmt>(&s);
    if (point && point->point == TransferPointStmt::DN)
      arrives(*point->transfer);
    if (auto *loop = dyn_cast<MLoopStmt>(&s))
      for (const Transfer *awaited : loop->awaits)
        arrives(*awaited);
    auto *strips = dyn_cast<StripsStmt>(&s);
    if (auto *loop = dyn_cast<MLoopStmt>(&s); loop && maySeekRoom(*loop))
      forEachArray(s, [&](const Array &array) { note(use.moved, array); });
    for (const MLoopStmt *loop : strips && strips->time.most
                                     ? strips->loops()
                                     : SmallVector<MLoopStmt *, 4>())
      forEachArray(*loop, [&](const Array &array) { note(use.moved, array); });
    forEachExpr(s, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (element && element->isShifted())
        note(use.fluff, *element->array);
    });
  };
  look(stmt);
  forEachList(stmt, [&](const StmtList &inner) { forEachStmt(inner, look); });
  return use;
}

} // namespace zpl::air
