//===- Domains.cpp - Whose indices a processor owns -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region R: D = [1..n];  V: E = [1..n];
//     [2..n] begin                       region %scope : <..> in @D = [2..n]
//       A := A@[-1];                     ... in @D
//       X := 2 * X;                      region %in : <..> in @E = %scope
//     end;                               ... in @E
//
// Sema has seen to it that the arrays of a statement agree, so the first one of
// a rank says which domain its temporaries belong to. A literal in a scope is
// made for the first array in the scope and copied for statements of others.
//
// Cost: each statement is looked through once more, if the program has domains.
//
//===----------------------------------------------------------------------===//

#include "Operators/Domains.h"
#include "Calls.h"
#include "Expressions.h"
#include "Families.h"
#include "Operators/Regions.h"
#include "Places.h"
#include "Procedure.h"
#include "References.h"
#include "zpl/Sema/Visit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

const air::Domain *domainOf(const ProcedureState &p,
                            const sema::Symbol &symbol) {
  const sema::Domain *found = p.instance.domains.lookup(&symbol);
  if (!found)
    found = p.builder.program.initializer.domains.lookup(&symbol);
  return p.builder.domains.lookup(found);
}

const air::Domain *domainOf(const ProcedureState &p, const sema::Array &array,
                            const Family &family) {
  return family.isMoved ? nullptr : domainOf(p, array);
}

/// The same of the array that stands for it here.
static const air::Domain *domainHere(const ProcedureState &p,
                                     const sema::Array &array) {
  if (array.family != sema::Type::Error)
    return domainOf(p, array, family(p, &array));
  const air::Array *made = find(p, &array);
  return made ? made->domain : domainOf(p, array);
}

//===----------------------------------------------------------------------===//
// The first array
//===----------------------------------------------------------------------===//

/// The first array of the rank that \p expr works on; the source of a gather
/// may be of any domain.
static const sema::Array *firstArray(const sema::Expr &expr, unsigned rank) {
  if (auto *array = dyn_cast<sema::ArrayExpr>(&expr))
    return array->array->rank == rank ? array->array : nullptr;
  const sema::Array *found = nullptr;
  auto look = [&](const sema::Expr &operand) {
    if (!found)
      found = firstArray(operand, rank);
  };
  if (auto *gather = dyn_cast<sema::GatherExpr>(&expr)) {
    for (sema::Map map : gather->maps)
      if (map)
        look(*map);
    return found;
  }
  sema::forEachOperand(expr, look);
  return found;
}

static const sema::Array *firstArray(const sema::Stmt &stmt, unsigned rank);

static const sema::Array *firstArray(const sema::StmtList &list,
                                     unsigned rank) {
  for (const sema::Stmt *stmt : list)
    if (const sema::Array *found = firstArray(*stmt, rank))
      return found;
  return nullptr;
}

/// The same of several, of which some may be null.
static const sema::Array *firstOf(ArrayRef<const sema::Expr *> exprs,
                                  unsigned rank) {
  for (const sema::Expr *expr : exprs)
    if (expr)
      if (const sema::Array *found = firstArray(*expr, rank))
        return found;
  return nullptr;
}

static const sema::Array *firstOfScatter(const sema::ScatterStmt &stmt,
                                         unsigned rank) {
  if (const sema::Array *found = firstArray(*stmt.value, rank))
    return found;
  for (sema::Map map : stmt.maps)
    if (map)
      if (const sema::Array *found = firstArray(*map, rank))
        return found;
  return nullptr;
}

/// The same of the items of input and output.
template <typename Items>
static const sema::Array *firstOfItems(const Items &items, unsigned rank) {
  for (const auto &item : items) {
    const sema::Expr *value;
    if constexpr (std::is_same_v<decltype(item), const sema::ReadItem &>)
      value = item.place;
    else
      value = item.value;
    if (const sema::Array *found = firstOf(value, rank))
      return found;
  }
  return nullptr;
}

/// The same of the conditions that a region is made by.
static const sema::Array *firstArray(const sema::RegionExpr &region,
                                     unsigned rank) {
  for (const sema::RegionExpr *part = &region; part; part = part->base)
    if (const sema::Array *found = firstOf(part->pattern, rank))
      return found;
  return nullptr;
}

namespace {

/// The first array of a rank in the parts of each kind of statement.
struct FirstArray {
  unsigned rank;
  using Array = const sema::Array *;

  Array
  of(const OneOf<sema::BlockStmt, sema::WaveStmt, sema::ModifyStmt> auto &s) {
    return firstArray(s.body, rank);
  }
  Array of(const OneOf<sema::AssignStmt, sema::ArrayAssignStmt> auto &s) {
    return firstOf({s.target, s.value}, rank);
  }
  Array of(const sema::ScatterStmt &s) { return firstOfScatter(s, rank); }
  Array of(const OneOf<sema::BoundaryStmt, sema::SortStmt> auto &s) {
    return s.arrays.empty() ? nullptr : firstArray(*s.arrays.front(), rank);
  }
  Array of(const sema::CallStmt &s) { return firstArray(*s.call, rank); }
  Array
  of(const OneOf<sema::WriteStmt, sema::ReadStmt, sema::HaltStmt> auto &s) {
    return firstOfItems(s.items, rank);
  }
  Array of(const sema::IfStmt &s) {
    if (Array found = firstArray(*s.condition, rank))
      return found;
    if (Array found = firstArray(s.thenBody, rank))
      return found;
    return firstArray(s.elseBody, rank);
  }
  Array of(const sema::WhileStmt &s) {
    if (Array found = firstArray(*s.condition, rank))
      return found;
    return firstArray(s.body, rank);
  }
  Array of(const sema::RepeatStmt &s) {
    if (Array found = firstArray(s.body, rank))
      return found;
    return firstArray(*s.condition, rank);
  }
  Array of(const sema::ForStmt &s) {
    if (Array found = firstOf({s.from, s.bound, s.step}, rank))
      return found;
    return firstArray(s.body, rank);
  }
  Array of(const sema::ReturnStmt &s) { return firstOf(s.value, rank); }
  Array of(const sema::RedistributeStmt &s) { return firstOf(s.weights, rank); }
  Array of(const sema::ScopeStmt &s) {
    if (Array found = firstOf(s.mask.mask, rank))
      return found;
    return s.region->rank == rank ? nullptr : firstArray(*s.body, rank);
  }
  Array
  of(const OneOf<sema::RegionAssignStmt, sema::PatternAssignStmt> auto &s) {
    return firstArray(*s.value, rank);
  }
  Array
  of(const OneOf<sema::BuiltinStmt, sema::BindIoStmt, sema::CheckShapeStmt,
                 sema::TimerStmt, sema::ExitStmt, sema::ContinueStmt,
                 sema::ResizeStmt, sema::AddStmt> auto &) {
    return nullptr;
  }
};

} // namespace

static const sema::Array *firstArray(const sema::Stmt &stmt, unsigned rank) {
  return sema::visitKind(
      stmt, [&](const auto &known) { return FirstArray{rank}.of(known); });
}

const air::Domain *domainOf(const ProcedureState &p, const sema::Stmt &stmt,
                            unsigned rank, const air::Domain *otherwise) {
  if (p.module.domains.empty())
    return otherwise;
  const sema::Array *array = firstArray(stmt, rank);
  return array ? domainHere(p, *array) : otherwise;
}

const air::Domain *domainOf(const ProcedureState &p, const sema::Stmt &stmt,
                            unsigned rank, const sema::Expr &place) {
  auto *root = dyn_cast<sema::VariableExpr>(sema::rootOf(&place));
  return domainOf(
      p, stmt, rank,
      p.builder.domains.lookup(root ? root->variable->domain : nullptr));
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

air::Region *coverIn(ProcedureState &p, unsigned rank,
                     const air::Domain *domain, SourceRange range) {
  air::Region *cover = p.covers[rank].region;
  return cover ? inDomain(p, cover, domain, range) : nullptr;
}

/// The mask of a region in its domain, of which it has a copy there.
static air::Mask maskIn(ProcedureState &p, const air::Mask &mask,
                        air::Region *cover, SourceRange range) {
  if (!mask.array || mask.array->domain == cover->domain)
    return mask;
  air::Array *copy =
      makeArray(p, "M", mask.array->element, cover->shape, range);
  copy->text = mask.array->text;
  copy->declared = cover;
  copy->domain = cover->domain;
  copy->isSparse = cover->isSparse;
  emit<air::AllocArrayStmt>(p, copy, range);
  p.frame.temporaries.push_back(copy);
  emit<air::MoveStmt>(p, copy, mask.array, cover, range);
  air::Mask moved = mask;
  moved.array = copy;
  return moved;
}

DomainScope::DomainScope(ProcedureState &p, unsigned rank,
                         const air::Domain *domain, SourceRange range)
    : p(p), rank(rank), cover(p.covers[rank]), domain(p.domains[rank]) {
  p.domains[rank] = domain;
  if (!cover)
    return;
  air::Region *moved = coverIn(p, rank, domain, range);
  p.covers[rank] = Cover(moved, maskIn(p, cover.mask, moved, range));
}

DomainScope::~DomainScope() {
  p.covers[rank] = cover;
  p.domains[rank] = domain;
}

/// The first call in \p expr whose result is an array of rank \p rank.
static const sema::CallExpr *firstCall(const sema::Expr &expr, unsigned rank) {
  auto *call = dyn_cast<sema::CallExpr>(&expr);
  if (call && call->callee->resultRank == rank)
    return call;
  const sema::CallExpr *found = nullptr;
  sema::forEachOperand(expr, [&](const sema::Expr &operand) {
    if (!found)
      found = firstCall(operand, rank);
  });
  return found;
}

/// Where \p expr has no array, what a call is compiled for or what covers says;
/// a literal has what was found.
static const air::Domain *domainOfPart(const ProcedureState &p,
                                       const sema::Expr *expr, unsigned rank) {
  if (p.module.domains.empty())
    return nullptr;
  if (const sema::Array *array = firstArray(*expr, rank))
    return domainHere(p, *array);
  if (const sema::CallExpr *call = firstCall(*expr, rank))
    return p.builder.domains.lookup(calleeOf(p, call)->coverDomains[rank]);
  return p.covers[rank] ? p.covers[rank].region->domain : p.domains[rank];
}

PartScope::PartScope(ProcedureState &p, const sema::Expr *expr, unsigned rank)
    : DomainScope(p, rank, domainOfPart(p, expr, rank), expr->range) {}

} // namespace zpl::arraygen
