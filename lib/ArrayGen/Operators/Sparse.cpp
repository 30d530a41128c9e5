//===- Sparse.cpp - Sparse regions and their patterns ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region S = R where (abs(Index1 - Index2) < 2);
//
//     alloc %T                                        T: bool over @R
//     [@R] %T = lt(abs(sub(index(0), index(1))), i32 2)
//     region @S = @R where %T
//     free %T
//
// Where arrays over S are named is no matter here: the pass `sparse` brings
// their elements to where a statement needs them.
//
//     S |= M;             pattern @S or= %bounds where %M
//     (of conditions that name sparse regions: MergedPatterns.cpp)
//     modify S begin      modify-begin @S
//       add [i, j];       add @S (%i, %j)
//     end;                modify-end @S
//
// A region in a variable is made a region of the array IR, changed, and kept in
// the variable again, with arrays that follow it.
//
// `A.irv` is a variable that is read before and stored after its statement. A
// region as an array of booleans is an array over it, true, and false elsewhere.
// What `add` and `inside` take from arrays goes by maps into and out of such
// arrays over the bounds.
//
//===----------------------------------------------------------------------===//

#include "Operators/Sparse.h"
#include "Expressions.h"
#include "Families.h"
#include "Operators/Domains.h"
#include "Operators/MergedPatterns.h"
#include "Operators/Regions.h"
#include "Places.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"
#include "Statements/Statements.h"
#include "Values.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

bool isSparse(const ProcedureState &p, const sema::Symbol &symbol) {
  return p.instance.sparse.contains(&symbol) ||
         p.builder.program.initializer.sparse.contains(&symbol);
}

bool isSparse(const ProcedureState &p, const sema::RegionExpr &expr) {
  if (!p.builder.program.hasSparse)
    return false;
  sema::SparseCovers covers;
  for (unsigned rank = 1; rank <= sema::MaxRank; ++rank)
    covers[rank] = p.covers[rank] && p.covers[rank].region->isSparse;
  return sema::isSparse(expr, covers, [&](const sema::Symbol &symbol) {
    return isSparse(p, symbol);
  });
}

void checkPattern(ProcedureState &p, air::Region *region, StringRef unset,
                  SourceRange range) {
  if (unset.empty() || !region->isSparse)
    return;
  const air::Expr *has = p.module.make<air::BoundExpr>(
      region, 0, air::BoundExpr::Patterned, range);
  const air::Expr *condition = p.module.make<air::CompareExpr>(
      air::CompareOp::Ne, has, constant(p, air::Type::I64, 0, range), range);
  emit<air::CheckThatStmt>(p, condition, unset.str(),
                           ArrayRef<const air::Expr *>(), range);
}

air::Region *unchecked(ProcedureState &p, const sema::RegionExpr &expr) {
  if (expr.kind == sema::RegionExpr::Ref)
    return find(p, expr.region);
  if (!expr.place)
    return evaluate(p, expr, "base");
  air::Region *region = makeRegion(p, "value", shapeOf(p, expr), expr.range);
  region->isSparse = isSparse(p, expr);
  if (region->isSparse)
    region->domain = nullptr; // of kept patterns
  region->text = expr.text;
  emit<air::SetRegionStmt>(p, region, unleveled(p, expr), expr.range);
  return region;
}

air::Region *boundsOf(ProcedureState &p, air::Region *region,
                      SourceRange range) {
  if (!region->isSparse)
    return region;
  return copyRegion(p, "bounds", region, region->domain, /*isSparse=*/false,
                    range);
}

air::RegionExpr whereRegion(ProcedureState &p, const sema::RegionExpr &expr) {
  air::RegionExpr result;
  result.kind = air::RegionExpr::Where;
  if (!expr.pattern) {
    result.base = unchecked(p, *expr.base);
    return result;
  }
  result.base = evaluate(p, *expr.base, "base");
  if (air::Region *merged = mergedPattern(p, expr.pattern, result.base)) {
    result.base = merged;
    result.isWhole = true;
    return result;
  }
  Cover base = result.base;
  open(p, base, [&] {
    prepare(p, expr.pattern, base);
    result.array = readable(p, expr.pattern, base);
  });
  return result;
}

air::Region *withPattern(ProcedureState &p, air::Region *region,
                         SourceRange range) {
  if (region->isSparse)
    return region;
  air::Region *all = makeRegion(p, "all", region->shape, range);
  all->domain = region->domain;
  all->isSparse = true;
  air::RegionExpr value;
  value.kind = air::RegionExpr::Where;
  value.base = region;
  value.isWhole = true;
  emit<air::SetRegionStmt>(p, all, value, range);
  return all;
}

const air::Expr *patternPlace(ProcedureState &p, const air::Expr *place,
                              unsigned rank, SourceRange range) {
  constexpr int64_t Pattern = 2; // TypeInfo::storage
  auto *whole = dyn_cast<air::VarExpr>(place);
  const air::Expr *subscripts[] = {
      constant(p, air::Type::I64, int64_t(rank), range),
      constant(p, air::Type::I64, Pattern, range)};
  return p.module.make<air::SubscriptExpr>(
      place, subscripts, whole ? StringRef(whole->variable->name) : "",
      air::Type(air::Type::I64), range);
}

air::Region *keptRegion(ProcedureState &p, const air::Region &target,
                        const air::RegionExpr &value, SourceRange range) {
  air::Region *region = makeRegion(p, "kept", target.shape, range);
  region->isSparse = true;
  region->domain = nullptr;
  region->text = target.text;
  emit<air::SetRegionStmt>(p, region, value, range);
  return region;
}

void adoptPattern(ProcedureState &p, const air::Expr *place, sema::Type type,
                  SourceRange range) {
  const sema::Shape &shape = type.info()->shape;
  const air::Expr *kept = patternPlace(p, place, shape.size(), range);
  const air::Expr *has = p.module.make<air::CompareExpr>(
      air::CompareOp::Ne, kept, constant(p, air::Type::I64, 0, range), range);
  auto *branch = emit<air::IfStmt>(p, has, range);
  appendTo(p, branch->thenBody, [&] {
    air::Region *region = makeRegion(p, "kept", convert(shape), range);
    region->isSparse = true;
    region->domain = nullptr;
    air::RegionExpr value = storedRegion(p, place, shape);
    value.pattern = kept;
    emit<air::SetRegionStmt>(p, region, value, range);
    emit<air::KeepPatternStmt>(p, kept, region, range);
  });
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Keeps a region that has been changed in the variable that it is the value
/// of, if it is.
static void keepChanged(ProcedureState &p, const sema::RegionExpr &target,
                        air::Region *region, SourceRange range) {
  if (target.place)
    emit<air::KeepPatternStmt>(p, placeExpr(p, target.patternNumber, Cover()),
                               region, range);
}

void patternAssignment(ProcedureState &p, const sema::PatternAssignStmt *stmt) {
  TemporaryScope scope(p);
  const air::Expr *file = stmt->file ? value(p, stmt->file) : nullptr;
  air::Region *target = unchecked(p, *stmt->target);
  const sema::RegionExpr &value = *stmt->value;
  const sema::Expr *place = stmt->target->place;
  SaveAndRestore domain(p.domains[value.rank],
                        place ? domainOf(p, *stmt, value.rank, *place)
                              : target->domain);
  air::Region *from = nullptr;
  air::Array *mask = nullptr;
  if (value.kind == sema::RegionExpr::Where && value.pattern) {
    air::RegionExpr where = whereRegion(p, value);
    from = where.base;
    mask = where.array;
  } else {
    from = evaluate(p, value, "pattern");
  }
  auto op = static_cast<air::PatternStmt::Op>(stmt->op);
  auto *made = emit<air::PatternStmt>(p, target, op, from, stmt->range);
  made->array = mask;
  made->file = file;
  keepChanged(p, *stmt->target, target, stmt->range);
  scope.free(stmt->range);
}

void modifyStatement(ProcedureState &p, const sema::ModifyStmt *stmt) {
  SourceRange range = stmt->range;
  TemporaryScope scope(p);
  air::Region *outer = p.frame.modified;
  air::Region *target = unchecked(p, *stmt->target);
  p.frame.modified = target;
  emit<air::ModifyStmt>(p, target, /*begins=*/true, range);
  statements(p, stmt->body);
  emit<air::ModifyStmt>(p, target, /*begins=*/false, range);
  p.frame.modified = outer;
  keepChanged(p, *stmt->target, target, range);
  scope.free(range);
}

/// A temporary with the value over all of \p over.
static air::Array *storedOver(ProcedureState &p, const air::Expr *value,
                              Cover over) {
  TemporaryScope scope(p);
  return store(p, value, over.unmasked(), scope);
}

/// The operands over \p over, as maps.
static MapList mapsOf(ProcedureState &p, ArrayRef<const sema::Expr *> indices,
                      Cover over) {
  MapList maps;
  ExprList values = operands(p, indices, over);
  for (auto [d, value] : enumerate(values)) {
    air::Map &map = maps.emplace_back();
    map.dim = d;
    if (indices[d]->isArray())
      map.array = storedOver(p, castTo(p, air::Type::I64, value), over);
    else
      map.scalar = castTo(p, air::Type::I64, value);
  }
  return maps;
}

void addStatement(ProcedureState &p, const sema::AddStmt *stmt) {
  SourceRange range = stmt->range;
  air::Region *region = p.frame.modified;
  if (stmt->rank == 0) {
    auto *add =
        emit<air::AddIndexStmt>(p, region, operands(p, stmt->indices), range);
    add->isReplicated =
        none_of(stmt->indices, [](const sema::Expr *e) { return e->isFree; });
    return;
  }
  Cover over = p.covers[stmt->rank];
  TemporaryScope scope(p);
  for (const sema::Expr *index : stmt->indices)
    prepare(p, index, over);
  MapList maps = mapsOf(p, stmt->indices, over);
  auto *add =
      emit<air::AddIndexStmt>(p, region, ArrayRef<const air::Expr *>(), range);
  add->maps = maps;
  add->over = over.region;
  add->mask = over.mask;
  scope.free(range);
}

//===----------------------------------------------------------------------===//
// What regions are asked for
//===----------------------------------------------------------------------===//

/// `a op b` of 64-bit numbers.
static const air::Expr *compute(ProcedureState &p, air::BinaryOp op,
                                const air::Expr *a, const air::Expr *b,
                                SourceRange range) {
  return p.module.make<air::BinaryExpr>(op, a, b, range);
}

/// Whether the value, an I64, is an index of the dimension of a dense region.
static const air::Expr *isIndex(ProcedureState &p, const air::Expr *value,
                                air::Region *region, unsigned dim,
                                SourceRange range) {
  auto bound = [&](air::BoundExpr::Which which) {
    return p.module.make<air::BoundExpr>(region, dim, which, range);
  };
  auto compare = [&](air::CompareOp op, const air::Expr *a,
                     const air::Expr *b) {
    return p.module.make<air::CompareExpr>(op, a, b, range);
  };
  const air::Expr *result = compute(
      p, air::BinaryOp::And,
      compare(air::CompareOp::Ge, value, bound(air::BoundExpr::Lo)),
      compare(air::CompareOp::Le, value, bound(air::BoundExpr::Hi)), range);
  if (region->shape[dim] != air::DimKind::Strided)
    return result;
  const air::Expr *distance = compute(p, air::BinaryOp::Sub, value,
                                      bound(air::BoundExpr::Align), range);
  const air::Expr *rest = compute(p, air::BinaryOp::Rem, distance,
                                  bound(air::BoundExpr::Stride), range);
  return compute(
      p, air::BinaryOp::And, result,
      compare(air::CompareOp::Eq, rest, constant(p, air::Type::I64, 0, range)),
      range);
}

/// Whether all of them are, in the dimensions of the region.
static const air::Expr *areIndices(ProcedureState &p,
                                   ArrayRef<const air::Expr *> values,
                                   air::Region *region, SourceRange range) {
  const air::Expr *result = nullptr;
  for (auto [d, value] : enumerate(values)) {
    if (air::isPerProcessor(region->shape[d]))
      continue;
    const air::Expr *one =
        isIndex(p, castTo(p, air::Type::I64, value), region, d, range);
    result = result ? compute(p, air::BinaryOp::And, result, one, range) : one;
  }
  return result ? result : constant(p, air::Type::Bool, 1, range);
}

/// An array over the sparse region that is true.
static air::Array *marksOf(ProcedureState &p, air::Region *region,
                           SourceRange range) {
  air::Array *marks = temporaryArray(p, air::Type::Bool, region, range);
  storeElements(p, elementOf(p, marks, range),
                constant(p, air::Type::Bool, 1, range), region, range);
  return marks;
}

const air::Expr *patternValue(ProcedureState &p, const sema::PatternExpr *expr,
                              Cover over) {
  SourceRange range = expr->range;
  air::Region *region = evaluate(p, *expr->region, "asked");
  if (region->isSparse)
    return elementOf(p, marksOf(p, region, range), range);
  ExprList here;
  for (unsigned d = 0; d != over.rank(); ++d)
    if (air::isPerProcessor(over.region->shape[d]))
      here.push_back(
          p.module.make<air::BoundExpr>(region, d, air::BoundExpr::Lo, range));
    else
      here.push_back(p.module.make<air::IndexExpr>(d, range));
  return areIndices(p, here, region, range);
}

/// What is inside at each index of \p over: looked up in an array over the
/// bounds, for what is within them.
static const air::Expr *insideEach(ProcedureState &p,
                                   const sema::InsideExpr *expr,
                                   air::Region *region, Cover over) {
  SourceRange range = expr->range;
  TemporaryScope scope(p);
  MapList maps = mapsOf(p, expr->indices, over);
  ExprList values;
  for (const air::Map &map : maps)
    values.push_back(map.array ? elementOf(p, map.array, range) : map.scalar);
  const air::Expr *within =
      areIndices(p, values, boundsOf(p, region, range), range);
  if (!region->isSparse) {
    air::Array *result = storedOver(p, within, over);
    scope.freeAllBut(result, range);
    return elementOf(p, result, range);
  }
  air::Array *mask = storedOver(p, within, over);
  air::Array *marks = marksOf(p, region, range);
  air::Array *result = temporaryArray(p, air::Type::Bool, over.region, range);
  emit<air::GatherStmt>(p, result, marks, maps, over.region,
                        air::Mask{mask, true}, range);
  scope.freeAllBut(result, range);
  return elementOf(p, result, range);
}

const air::Expr *insideValue(ProcedureState &p, const sema::InsideExpr *expr,
                             Cover over) {
  SourceRange range = expr->range;
  air::Region *region = evaluate(p, *expr->region, "asked");
  if (expr->isArray())
    return insideEach(p, expr, region, over);
  ExprList index = operands(p, expr->indices);
  if (!region->isSparse)
    return areIndices(p, index, region, range);
  air::Variable *answer = temporary(p, air::Type::Bool, range);
  emit<air::AskPatternStmt>(p, answer, region, index, range);
  return variableExpr(p, answer, range);
}

/// How many indices a dimension of a dense region has.
static const air::Expr *extent(ProcedureState &p, air::Region *region,
                               unsigned dim, SourceRange range) {
  auto number = [&](int64_t value) {
    return constant(p, air::Type::I64, value, range);
  };
  auto bound = [&](air::BoundExpr::Which which) {
    return p.module.make<air::BoundExpr>(region, dim, which, range);
  };
  if (air::isPerProcessor(region->shape[dim]))
    return number(1);
  const air::Expr *lo = bound(air::BoundExpr::Lo);
  const air::Expr *hi = bound(air::BoundExpr::Hi);
  const air::Expr *count =
      compute(p, air::BinaryOp::Add,
              compute(p, air::BinaryOp::Sub, hi, lo, range), number(1), range);
  if (region->shape[dim] == air::DimKind::Strided) {
    // To the first index: ((align - lo) mod stride), never negative.
    const air::Expr *stride = bound(air::BoundExpr::Stride);
    const air::Expr *rest = compute(
        p, air::BinaryOp::Rem,
        compute(p, air::BinaryOp::Sub, bound(air::BoundExpr::Align), lo, range),
        stride, range);
    rest = compute(p, air::BinaryOp::Rem,
                   compute(p, air::BinaryOp::Add, rest, stride, range), stride,
                   range);
    count = compute(p, air::BinaryOp::Sub, count, rest, range);
    count = compute(p, air::BinaryOp::Max, count, number(0), range);
    count = compute(
        p, air::BinaryOp::Div,
        compute(p, air::BinaryOp::Add, count,
                compute(p, air::BinaryOp::Sub, stride, number(1), range),
                range),
        stride, range);
  }
  return compute(p, air::BinaryOp::Max, count, number(0), range);
}

const air::Expr *sizeValue(ProcedureState &p,
                           const sema::RegionBoundExpr *expr) {
  SourceRange range = expr->range;
  air::Region *region = evaluate(p, *expr->region, "asked");
  if (region->isSparse) {
    air::Variable *size = temporary(p, air::Type::I64, range);
    emit<air::AskPatternStmt>(p, size, region, ArrayRef<const air::Expr *>(),
                              range);
    return variableExpr(p, size, range);
  }
  const air::Expr *size = constant(p, air::Type::I64, 1, range);
  for (unsigned d = 0; d != region->rank(); ++d)
    size = compute(p, air::BinaryOp::Mul, size, extent(p, region, d, range),
                   range);
  return size;
}

//===----------------------------------------------------------------------===//
// Implicitly replicated values
//===----------------------------------------------------------------------===//

const air::Expr *irvValue(ProcedureState &p, const sema::IrvExpr *expr,
                          bool isPlace) {
  SourceRange range = expr->range;
  bind(p, expr->array);
  air::Array *array = find(p, expr->array);
  air::Variable *value =
      temporary(p, "irv", array->element, range, /*isZero=*/true);
  if (array->isSparse)
    emit<air::IrvStmt>(p, array, value, /*sets=*/false, range);
  if (isPlace) {
    p.known.stableVariables.erase(value);
    p.statement.changedIrvs.push_back({array, value});
  }
  return variableExpr(p, value, range);
}

void storeIrvs(ProcedureState &p, size_t first, SourceRange range) {
  auto &changed = p.statement.changedIrvs;
  for (auto [array, value] : ArrayRef(changed).drop_front(first))
    if (array->isSparse)
      emit<air::IrvStmt>(p, array, value, /*sets=*/true, range);
  changed.truncate(first);
}

void copyIrv(ProcedureState &p, air::Array *target, air::Array *source,
             SourceRange range) {
  if (!target->isSparse || !source->isSparse)
    return;
  air::Variable *value = scratch(p, "irv", target->element, range);
  emit<air::IrvStmt>(p, source, value, /*sets=*/false, range);
  emit<air::IrvStmt>(p, target, value, /*sets=*/true, range);
}

} // namespace zpl::arraygen
