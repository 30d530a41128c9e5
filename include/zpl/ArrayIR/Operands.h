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
#include "zpl/ArrayIR/Walk.h"
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

} // namespace zpl::air

#endif // ZPL_ARRAYIR_OPERANDS_H
