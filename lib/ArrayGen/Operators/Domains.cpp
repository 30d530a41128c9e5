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

static const sema::Array *firstArray(const sema::Stmt &stmt, unsigned rank) {
  switch (stmt.kind) {
  case sema::StmtKind::Block:
    return firstArray(cast<sema::BlockStmt>(stmt).body, rank);
  case sema::StmtKind::Wave:
    return firstArray(cast<sema::WaveStmt>(stmt).body, rank);
  case sema::StmtKind::Assign:
    return firstOf({cast<sema::AssignStmt>(stmt).target,
                    cast<sema::AssignStmt>(stmt).value},
                   rank);
  case sema::StmtKind::ArrayAssign:
    return firstOf({cast<sema::ArrayAssignStmt>(stmt).target,
                    cast<sema::ArrayAssignStmt>(stmt).value},
                   rank);
  case sema::StmtKind::Scatter:
    return firstOfScatter(cast<sema::ScatterStmt>(stmt), rank);
  case sema::StmtKind::Boundary:
    for (const sema::ArrayExpr *array : cast<sema::BoundaryStmt>(stmt).arrays)
      return firstArray(*array, rank);
    return nullptr;
  case sema::StmtKind::Call:
    return firstArray(*cast<sema::CallStmt>(stmt).call, rank);
  case sema::StmtKind::Write:
    return firstOfItems(cast<sema::WriteStmt>(stmt).items, rank);
  case sema::StmtKind::Read:
    return firstOfItems(cast<sema::ReadStmt>(stmt).items, rank);
  case sema::StmtKind::Halt:
    return firstOfItems(cast<sema::HaltStmt>(stmt).items, rank);
  case sema::StmtKind::If: {
    auto &branch = cast<sema::IfStmt>(stmt);
    if (const sema::Array *found = firstArray(*branch.condition, rank))
      return found;
    if (const sema::Array *found = firstArray(branch.thenBody, rank))
      return found;
    return firstArray(branch.elseBody, rank);
  }
  case sema::StmtKind::While:
    if (const sema::Array *found =
            firstArray(*cast<sema::WhileStmt>(stmt).condition, rank))
      return found;
    return firstArray(cast<sema::WhileStmt>(stmt).body, rank);
  case sema::StmtKind::Repeat:
    if (const sema::Array *found =
            firstArray(cast<sema::RepeatStmt>(stmt).body, rank))
      return found;
    return firstArray(*cast<sema::RepeatStmt>(stmt).condition, rank);
  case sema::StmtKind::For: {
    auto &loop = cast<sema::ForStmt>(stmt);
    if (const sema::Array *found =
            firstOf({loop.from, loop.bound, loop.step}, rank))
      return found;
    return firstArray(loop.body, rank);
  }
  case sema::StmtKind::Return:
    return firstOf(cast<sema::ReturnStmt>(stmt).value, rank);
  case sema::StmtKind::Sort:
    for (const sema::ArrayExpr *array : cast<sema::SortStmt>(stmt).arrays)
      return firstArray(*array, rank);
    return nullptr;
  case sema::StmtKind::Redistribute:
    return firstOf(cast<sema::RedistributeStmt>(stmt).weights, rank);
  case sema::StmtKind::Scope: {
    auto &scope = cast<sema::ScopeStmt>(stmt);
    if (const sema::Array *found = firstOf(scope.mask.mask, rank))
      return found;
    return scope.region->rank == rank ? nullptr : firstArray(*scope.body, rank);
  }
  case sema::StmtKind::Builtin:
  case sema::StmtKind::BindIo:
  case sema::StmtKind::CheckShape:
  case sema::StmtKind::Timer:
  case sema::StmtKind::Exit:
  case sema::StmtKind::Continue:
  case sema::StmtKind::RegionAssign:
  case sema::StmtKind::Resize:
  case sema::StmtKind::PatternAssign:
  case sema::StmtKind::Add:
    return nullptr;
  case sema::StmtKind::Modify:
    return firstArray(cast<sema::ModifyStmt>(stmt).body, rank);
  }
  llvm_unreachable("a statement outside its enumeration");
}

const air::Domain *domainOf(const ProcedureState &p, const sema::Stmt &stmt,
                            unsigned rank, const air::Domain *otherwise) {
  if (p.module.domains.empty())
    return otherwise;
  const sema::Array *array = firstArray(stmt, rank);
  return array ? domainHere(p, *array) : otherwise;
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
