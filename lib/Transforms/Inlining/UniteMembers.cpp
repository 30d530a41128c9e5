//===- UniteMembers.cpp - One name for each member ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     bind %F = @F[i32 3]                        bind %F = @F[i32 3]
//     for @t = ... {                             for @t = ... {
//       bind %F.1 = @F[i32 3]  -- of stream()
//       [@R] %G = %F.1                      =>     [@R] %G = %F
//       bind %F.2 = @F[i32 3]  -- of collide()
//       [@R] %F.2 = mul(%G, @w)                    [@R] %F = mul(%G, @w)
//     }                                          }
//
// Each procedure has one view of each member and binds it at its entry. Where
// bodies were put in place of calls there are several, and their `bind`s stand
// between the loops. A global family is there before any procedure runs, and
// stays where it is; so one view, bound at the entry, serves all of them.
//
// Cost: one visit of the procedure, if it has such views.
//
//===----------------------------------------------------------------------===//

#include "Inlining/UniteMembers.h"
#include "zpl/Analysis/FixedViews.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

/// Takes the `bind`s of the views out of the procedure; returns those of the
/// first ones, each once.
static StmtList takeBinds(Procedure &procedure, const FixedViews &views) {
  StmtList result;
  DenseSet<const Array *> taken;
  rewriteStmts(procedure.body, [&](Stmt *stmt, StmtList &list) {
    auto *bind = dyn_cast<BindArrayStmt>(stmt);
    Array *first = bind ? views.firstOf(bind->array) : nullptr;
    if (!first)
      list.push_back(stmt);
    else if (taken.insert(first).second) {
      bind->array = first;
      result.push_back(bind);
    }
  });
  return result;
}

/// \p call with first views as whole arrays that it is given.
static const CallExpr *withFirst(Module &module, const CallExpr *call,
                                 const FixedViews &views) {
  auto *made = module.make<CallExpr>(*call);
  bool changed = false;
  for (Argument &arg : made->args)
    if (Array *first = arg.array ? views.firstOf(arg.array) : nullptr) {
      changed |= first != arg.array;
      arg.array = first;
    }
  return changed ? made : call;
}

void uniteMembers(Module &module, Procedure &procedure) {
  FixedViews views;
  for (Array *array : procedure.arrays)
    if (array->family && array->family->storage == Storage::Global)
      views.add(*array);
  if (none_of(procedure.arrays, [&](Array *array) {
        Array *first = views.firstOf(array);
        return first && first != array;
      }))
    return;
  StmtList binds = takeBinds(procedure, views);
  ExprRewriter rewriter(module, [&](const Expr *leaf) -> const Expr * {
    auto *element = dyn_cast<ElementExpr>(leaf);
    if (auto *first = element ? views.firstOf(element->array) : nullptr)
      return module.make<ElementExpr>(first, element->offset, element->range);
    auto *remap = dyn_cast<RemapExpr>(leaf);
    auto *first = remap ? views.firstOf(remap->array) : nullptr;
    if (!first)
      return leaf;
    auto *made = module.make<RemapExpr>(*remap);
    made->array = first;
    return made;
  });
  forEachStmt(procedure.body, [&](Stmt &stmt) {
    forEachOperand(stmt, [&](const Operand &operand) {
      if (auto *slot = dyn_cast<Array **>(operand.slot)) {
        if (Array *first = views.firstOf(*slot))
          *slot = first;
      } else if (auto *slot = dyn_cast<const Expr **>(operand.slot)) {
        if (*slot)
          *slot = rewriter.rewrite(*slot);
      } else if (auto *slot = dyn_cast<const CallExpr **>(operand.slot)) {
        if (*slot)
          *slot =
              withFirst(module, cast<CallExpr>(rewriter.rewrite(*slot)), views);
      }
    });
  });
  procedure.body.insert(procedure.body.begin(), binds.begin(), binds.end());
  erase_if(procedure.arrays, [&](Array *array) {
    Array *first = views.firstOf(array);
    return first && first != array;
  });
}

} // namespace zpl::air
