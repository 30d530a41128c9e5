//===- TrapNaN.cpp - Assignments that must not make a NaN -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R with M] A := B / C;
//
//     [R with M] begin
//       A := B / C;
//       assert !isnan(A);
//     end;
//
// The assertion stands in the scope of the assignment, so it looks at the
// elements that were assigned and no others, and its message has the first of
// them (Statements/Assertions.h): the first statement of the program's order and
// the first index in row-major order, however the loops are fused or shared out.
//
// Scalar procedures have no such assertions, since these would make them
// parallel: a NaN that they give is found where the caller assigns it. Neither
// have what depends on more than the target's own index (`A@d := e`,
// `A#[I] := e`), scan blocks and whole records. Of flooded arrays, and of
// parameters whose regions are those of the arguments, the message has no index.
//
// Cost: a pass over the target and a reduction over processors per assignment.
//
//===----------------------------------------------------------------------===//

#include "Program/TrapNaN.h"
#include "Check/Functions.h"
#include "Statements/Assertions.h"
#include "Tree/Walk.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

static void trapIn(Checking &c, StmtList &list);
static Stmt *trapped(Checking &c, Stmt *s);

void trapNaN(Checking &c) {
  // Hidden variables are added meanwhile, and no procedures.
  for (Procedure *procedure : c.program.procedures) {
    bool isSearched = procedure->isParallel && !procedure->isFree &&
                      !procedure->isShard && procedure->body;
    if (!isSearched)
      continue;
    llvm::SaveAndRestore<Procedure *> current(c.current, procedure);
    procedure->body = trapped(c, procedure->body);
  }
}

/// Whether \p place means the same when it is evaluated again: no call chooses a
/// part of it.
static bool isRepeatable(const Expr &place) {
  bool repeats = true;
  forEachExpr(place, [&](const Expr &part) {
    auto *array = llvm::dyn_cast<ArrayExpr>(&part);
    repeats &= !llvm::isa<CallExpr, BuiltinExpr, ReduceExpr>(part) &&
               !(array && !array->direction.empty());
  });
  return repeats;
}

/// Whether each element of an array that is declared over \p region is known to
/// have an index: no dimension is flooded, of a grid, or as the caller has it.
static bool hasIndices(const RegionExpr *region) {
  while (region && region->kind != RegionExpr::Ref &&
         region->kind != RegionExpr::Dims)
    region = region->kind == RegionExpr::Declared ? region->array->declared
                                                  : region->base;
  if (!region)
    return false;
  if (region->kind == RegionExpr::Ref)
    return llvm::none_of(region->region->shape, isPerProcessor);
  return llvm::none_of(region->dims, [](const RegionDim &dim) {
    return dim.kind == RegionDim::Flood || dim.kind == RegionDim::Grid ||
           dim.kind == RegionDim::Blank;
  });
}

/// The assertion that \p target is no NaN; null if it cannot be one.
static Stmt *noNaN(Checking &c, const Expr *target, unsigned rank,
                   SourceRange range) {
  Type type = target->type;
  bool isSearched = (type.isFloating() || type.isComplex()) &&
                    !target->isFree && isRepeatable(*target);
  if (!isSearched)
    return nullptr;
  const Expr *isNaN = nullptr;
  for (unsigned part = 0; part <= unsigned(type.isComplex()); ++part) {
    const Expr *number = type.isComplex() ? c.build.part(target, part) : target;
    const Expr *found = floatingKind(c, Function::IsNaN, number, range);
    isNaN = isNaN ? c.build.binary(BinaryOp::Or, isNaN, found, range) : found;
  }
  std::string what = llvm::formatv("a NaN is assigned to '{0}'",
                                   c.diags.sources().text(target->range));
  auto *array = llvm::dyn_cast<ArrayExpr>(rootOf(target));
  bool namesPlace = array && hasIndices(array->array->declared);
  return assertion(c, c.build.unary(UnaryOp::Not, isNaN, range), rank,
                   namesPlace, what, {}, range);
}

static Stmt *assertionAfter(Checking &c, const Stmt &s) {
  if (auto *assign = llvm::dyn_cast<AssignStmt>(&s))
    return noNaN(c, assign->target, 0, s.range);
  if (auto *assign = llvm::dyn_cast<ArrayAssignStmt>(&s))
    return noNaN(c, assign->target, assign->target->rank, s.range);
  return nullptr;
}

static void trapInside(Checking &c, Stmt &s) {
  if (auto *block = llvm::dyn_cast<BlockStmt>(&s))
    return trapIn(c, block->body);
  if (auto *branch = llvm::dyn_cast<IfStmt>(&s)) {
    trapIn(c, branch->thenBody);
    return trapIn(c, branch->elseBody);
  }
  if (auto *loop = llvm::dyn_cast<WhileStmt>(&s))
    return trapIn(c, loop->body);
  if (auto *loop = llvm::dyn_cast<RepeatStmt>(&s))
    return trapIn(c, loop->body);
  if (auto *loop = llvm::dyn_cast<ForStmt>(&s))
    return trapIn(c, loop->body);
  if (auto *scope = llvm::dyn_cast<ScopeStmt>(&s))
    scope->body = trapped(c, scope->body);
}

/// \p s with what it needs, as one statement.
static Stmt *trapped(Checking &c, Stmt *s) {
  StmtList list = {s};
  trapIn(c, list);
  if (list.size() == 1)
    return s;
  auto *block = c.program.make<BlockStmt>(s->range);
  block->body = std::move(list);
  return block;
}

static void trapIn(Checking &c, StmtList &list) {
  StmtList made;
  for (Stmt *s : list) {
    trapInside(c, *s);
    made.push_back(s);
    if (Stmt *assertion = assertionAfter(c, *s))
      made.push_back(assertion);
  }
  list = std::move(made);
}

} // namespace zpl::sema
