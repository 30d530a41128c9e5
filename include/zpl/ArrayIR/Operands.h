//===- Operands.h - What statements name ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Everything that a statement names, and whether it writes it: the one place
/// that knows this of each kind of statement. Who looks for arrays, copies
/// statements under other names or wants to know what may be written asks here.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_OPERANDS_H
#define ZPL_ARRAYIR_OPERANDS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/PointerUnion.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace zpl::air {

/// What a statement does with an operand.
enum class Use : uint8_t {
  Read,  ///< or tests, calls, executes
  Write, ///< changes it or a part of it; may read it, too
  Bind,  ///< a view, which names another array afterwards; the procedure that
         ///< is going to write or read elements
  Again  ///< names it beside another operand that says what happens to it:
         ///< walkers, rows asked for ahead, what values are carried along from
};

/// An operand: where it stands in the statement. What stands there may be null.
struct Operand {
  llvm::PointerUnion<const Expr **, const CallExpr **, Array **, Region **,
                     Variable **, Procedure **, StmtList *>
      slot;
  Use use;

  /// What stands there, if it is of this sort: as<Array *>(). Else null.
  template <typename Sort> Sort as() const {
    auto *place = llvm::dyn_cast<Sort *>(slot);
    return place ? *place : nullptr;
  }
};

/// The operands of a statement itself, not those of statements nested in it or
/// of its transfers; of an expression, the root. Each sort in the order of the
/// text.
void forEachOperand(Stmt &stmt,
                    llvm::function_ref<void(const Operand &)> visit);
/// The same, for who leaves them as they are.
void forEachOperand(const Stmt &stmt,
                    llvm::function_ref<void(const Operand &)> visit);

/// Calls \p visit with a statement as what it is: a `SetStmt &`, say.
template <typename Visit> decltype(auto) visitKind(Stmt &stmt, Visit visit) {
  switch (stmt.kind) {
#define ZPL_KIND(KIND)                                                         \
  case StmtKind::KIND:                                                         \
    return visit(llvm::cast<KIND##Stmt>(stmt));
    ZPL_KIND(Set)
    ZPL_KIND(SetRegion)
    ZPL_KIND(DeclareRegion)
    ZPL_KIND(SetGrid)
    ZPL_KIND(SetDistribution)
    ZPL_KIND(Move)
    ZPL_KIND(Pattern)
    ZPL_KIND(KeepPattern)
    ZPL_KIND(AskPattern)
    ZPL_KIND(Modify)
    ZPL_KIND(AddIndex)
    ZPL_KIND(Irv)
    ZPL_KIND(Fetch)
    ZPL_KIND(Store)
    ZPL_KIND(BindArray)
    ZPL_KIND(AllocArray)
    ZPL_KIND(Realloc)
    ZPL_KIND(FreeArray)
    ZPL_KIND(AllocVariable)
    ZPL_KIND(FreeVariable)
    ZPL_KIND(Resize)
    ZPL_KIND(Shift)
    ZPL_KIND(Flood)
    ZPL_KIND(Put)
    ZPL_KIND(Fold)
    ZPL_KIND(CombineArray)
    ZPL_KIND(Scan)
    ZPL_KIND(OperatorEnd)
    ZPL_KIND(Gather)
    ZPL_KIND(Scatter)
    ZPL_KIND(Window)
    ZPL_KIND(Boxes)
    ZPL_KIND(Boundary)
    ZPL_KIND(Check)
    ZPL_KIND(CheckShape)
    ZPL_KIND(CheckThat)
    ZPL_KIND(Call)
    ZPL_KIND(Combine)
    ZPL_KIND(Write)
    ZPL_KIND(Read)
    ZPL_KIND(Builtin)
    ZPL_KIND(BindIo)
    ZPL_KIND(Sort)
    ZPL_KIND(Config)
    ZPL_KIND(Halt)
    ZPL_KIND(MissingReturn)
    ZPL_KIND(Timer)
    ZPL_KIND(If)
    ZPL_KIND(While)
    ZPL_KIND(Repeat)
    ZPL_KIND(For)
    ZPL_KIND(Exit)
    ZPL_KIND(Continue)
    ZPL_KIND(Return)
    ZPL_KIND(TransferPoint)
    ZPL_KIND(Wave)
    ZPL_KIND(ArrayAssign)
    ZPL_KIND(Reduce)
    ZPL_KIND(ReduceArray)
    ZPL_KIND(ElementCall)
    ZPL_KIND(MLoop)
    ZPL_KIND(Interleave)
#undef ZPL_KIND
  }
  llvm_unreachable("a statement outside its enumeration");
}

} // namespace zpl::air

#endif // ZPL_ARRAYIR_OPERANDS_H
