//===- Masks.cpp - Masked scopes ------------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mask is an array of booleans that covers the region of its scope; array
// statements in the scope are guarded by its elements:
//
//     [R without A > 1.0] begin       alloc %T over @R
//       A := A / 2.0;                 [@R] %T = gt(@A, f64 1.0)
//       smooth();                     [@R where not(%T)] @A = div(@A, f64 2.0)
//     end;                            call @smooth(region @R, array %T)
//                                     free %T
//
// It is evaluated when the scope is opened and does not change in it. So a
// plain array can be the mask itself only if nothing that is executed in the
// scope may write it; any other mask is a temporary, which lives as long as the
// scope: whatever leaves the scope frees it.
//
// Whether there is a mask, and whether its elements are true or false at the
// indices that take part, is known at compile time, in procedures too: their
// instances differ in it.
//
// Scopes inside of a sparse one may go to other indices, and have the elements
// that a plain array has there by `with "`. If the array is written in the scope
// the copy is over the bounds then, which is what legality asks for; else it is
// as sparse as the scope. So are masks that procedures get, unless they have a
// quote as a mask.
//
// A quote as a mask is the enclosing one, as it was written, without a copy.
//
//===----------------------------------------------------------------------===//

#include "Operators/Masks.h"
#include "Families.h"
#include "Operators/Domains.h"
#include "Operators/Regions.h"
#include "Operators/Sparse.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"
#include "Statements/Statements.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

const air::Expr *guardExpr(ProcedureState &p, Cover over, SourceRange range) {
  if (!over.mask.array)
    return nullptr;
  const air::Expr *element = elementOf(p, over.mask.array, range);
  return over.mask.value
             ? element
             : p.module.make<air::UnaryExpr>(air::UnaryOp::Not, element, range);
}

/// The array that a mask consists of, or null.
static const sema::ArrayExpr *plainArray(const sema::Mask &mask) {
  auto *array = dyn_cast_or_null<sema::ArrayExpr>(mask.mask);
  return array && array->direction.empty() ? array : nullptr;
}

/// The checks of what evaluate() evaluates.
void prepareMask(ProcedureState &p, const sema::Mask &mask,
                 air::Region *region) {
  if (const sema::ArrayExpr *array = plainArray(mask)) {
    bind(p, array);
    check(p, array, air::CheckStmt::Mask, region);
  } else if (mask.mask)
    prepare(p, mask.mask, region);
}

air::Mask evaluate(ProcedureState &p, const sema::Mask &mask,
                   air::Region *region, bool mayBeArrayItself) {
  if (!mask.mask)
    return {};
  if (isa<sema::EnclosingMaskExpr>(mask.mask)) {
    if (p.enclosing.mask.array)
      return {p.enclosing.mask.array, mask.isWith};
    if (mask.isWith) // true everywhere
      return {};
  }
  const sema::ArrayExpr *array = plainArray(mask);
  auto hasFloodsOf = [&](const air::Array *array) {
    return all_of(zip(array->shape, region->shape), [](auto kinds) {
      auto [kind, regionKind] = kinds;
      return kind == regionKind ||
             (!air::isPerProcessor(kind) && !air::isPerProcessor(regionKind));
    });
  };
  if (array && mayBeArrayItself && hasFloodsOf(find(p, array)))
    return {find(p, array), mask.isWith};
  return {materialize(p, mask.mask, region), mask.isWith};
}

/// Whether executing \p body may change the array that \p mask consists of.
static bool mayWrite(const ProcedureState &p, const sema::Stmt *body,
                     const sema::Mask &mask) {
  const sema::ArrayExpr *array = plainArray(mask);
  return array && any_of(p.builder.writes.writtenBy(*body),
                         [&](const sema::Array *other) {
                           if (other == array->array)
                             return true;
                           // Other procedures' locals are not concerned.
                           if (other->family != sema::Type::Error)
                             return p.instance.mayAlias;
                           const air::Array *written = find(p, other);
                           return written &&
                                  mayShareStorage(p, written, find(p, array));
                         });
}

/// The mask of a scope over \p region.
static air::Mask maskOfScope(ProcedureState &p, const sema::ScopeStmt *stmt,
                             air::Region *region) {
  bool changes = mayWrite(p, stmt->body, stmt->mask);
  if (changes && region->isSparse &&
      !find(p, plainArray(stmt->mask))->isSparse &&
      p.builder.writes.mayQuoteMask(*stmt->body))
    region = boundsOf(p, region, stmt->range);
  return evaluate(p, stmt->mask, region, /*mayBeArrayItself=*/!changes);
}

void scopeStatement(ProcedureState &p, const sema::ScopeStmt *stmt) {
  TemporaryScope scope(p);
  unsigned rank = stmt->region->rank;
  Cover cover;
  {
    // A literal belongs to the domain of what it is opened for.
    const air::Domain *domain = domainOf(p, *stmt->body, rank, p.domains[rank]);
    if (stmt->mask.mask)
      domain = domainOf(p, *stmt, rank, domain);
    SaveAndRestore literal(p.domains[rank], domain);
    cover = evaluate(p, *stmt->region, "scope");
  }
  SaveAndRestore domain(p.domains[rank], cover.region->domain);
  if (stmt->mask.mask) {
    SaveAndRestore outer(p.enclosing, p.covers[cover.rank()]);
    open(p, cover, [&] {
      prepareMask(p, stmt->mask, cover.region);
      cover.mask = maskOfScope(p, stmt, cover.region);
    });
  }
  open(p, cover, [&] { statement(p, stmt->body); });
  if (fallsThrough(stmt->body))
    scope.free(stmt->range);
  else
    scope.drop();
}

bool hasSparseMask(const ProcedureState &p, const sema::Instance &instance,
                   const air::Region &region) {
  return region.isSparse && !p.builder.writes.mayQuoteMask(*instance.procedure);
}

air::Array *maskArgument(ProcedureState &p, const sema::Instance &callee,
                         unsigned rank, SourceRange range) {
  Cover over = p.covers[rank];
  [[maybe_unused]] bool value = callee.masks[rank] == sema::MaskKind::With;
  assert(over.mask.array && over.mask.value == value &&
         "instances differ in their masks");
  bool isSparse = hasSparseMask(p, callee, *over.region);
  if (over.mask.array->isSparse == isSparse &&
      mayServeAs(over.mask.array->shape, convert(*callee.covers[rank])))
    return over.mask.array;
  TemporaryScope scope(p);
  Cover wanted =
      isSparse ? over.unmasked() : Cover(boundsOf(p, over.region, range));
  return store(p, elementOf(p, over.mask.array, range), wanted, scope);
}

} // namespace zpl::arraygen
