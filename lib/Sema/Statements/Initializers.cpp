//===- Initializers.cpp - What declarations start with --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var p: point = {1, 2};                      -- p.x := 1; p.y := 2;
//         m: array [1..2, 1..2] of integer = {{1, 2}, {3, 4}};
//                                                 -- m[1, 1] := 1; ...
//         s: array [1..n] of integer = index1 ^ 2;   -- a loop nest
//         q: point = origin;                      -- one value
//
// An initializer is checked once into a tree of values that follows the type;
// then each name of the definition gets statements of its own, which assign the
// values part by part. Lists of an array of several dimensions may be nested
// row by row or give all elements in row-major order. How many values a list
// must have is compared here if the bounds are constants, else by the run.
//
// Cost: one statement per value.
//
//===----------------------------------------------------------------------===//

#include "Statements/Initializers.h"
#include "Arrays/Blanks.h"
#include "Check/Expressions.h"
#include "Check/Operators.h"
#include "Check/Values.h"
#include "Program/Free.h"
#include "Statements/Assign.h"

#include "Arithmetic/Stencils.h"
#include "Check/Checking.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

namespace {

/// Are the items the rows of an array of several dimensions rather than its
/// elements?
bool isByRows(const ast::InitList &list, const TypeInfo &info, size_t dim) {
  if (dim + 1 == info.lo.size() || list.items.empty())
    return false;
  auto *first = llvm::dyn_cast<ast::InitList>(list.items.front());
  if (!first)
    return false;
  bool isPart = info.element.isAggregate() && info.element != Type::Region &&
                info.element != Type::Direction;
  return !isPart || (!first->items.empty() &&
                     llvm::isa<ast::InitList>(first->items.front()));
}

} // namespace

static const Expr *freeValue(Checking &c, const ast::Expr &e);
static bool recordList(Checking &c, const ast::InitList &list, Type type,
                       unsigned rank, Initializer &to);
static bool arrayList(Checking &c, const ast::InitList &list, Type type,
                      size_t dim, unsigned rank, Initializer &to);
static bool arrayItems(Checking &c, const ast::InitList &list, Type type,
                       size_t dim, size_t last, unsigned rank, Initializer &to);

const Expr *boundExpr(Checking &c, TypeBound bound, SourceRange range) {
  if (bound.variable)
    return c.program.make<VariableExpr>(bound.variable, range);
  return c.build.integer(bound.value, Type::Longint, range);
}

std::unique_ptr<Initializer> checkInitializer(Checking &c, const ast::Expr &e,
                                              Type type, unsigned rank,
                                              bool isFree) {
  auto made = std::make_unique<Initializer>();
  made->range = e.range;
  made->isFree = isFree;
  if (auto *list = llvm::dyn_cast<ast::InitList>(&e)) {
    bool isFine = false;
    if (type == Type::Array)
      isFine = arrayList(c, *list, type, 0, rank, *made);
    else if (type == Type::Record || type == Type::Union)
      isFine = recordList(c, *list, type, rank, *made);
    else if (type != Type::Error)
      c.diags.report(e.range, Diag::ListForScalar, text(type)).done();
    return isFine ? std::move(made) : nullptr;
  }
  if (type == Type::Region || type == Type::Direction) {
    made->value = typedValue(c, e, type);
    return isError(made->value) ? nullptr : std::move(made);
  }
  if (type == Type::Array) { // perhaps a value of that type
    made->promoted = &e;
    return made;
  }
  const Expr *value = rank != 0 ? initialElements(c, e, rank)
                      : isFree  ? freeValue(c, e)
                                : checkScalar(c, e, "initializer of a scalar");
  if (isError(value) || type == Type::Error)
    return nullptr;
  made->value = convert(c, value, type);
  return isError(made->value) ? nullptr : std::move(made);
}

const Expr *elementValue(Checking &c, const ast::Expr &e, unsigned rank) {
  const Expr *value = checkExpr(c, e);
  if (isError(value) || reportFree(c, value))
    return c.build.error(e.range);
  if (value->isArray() && value->rank != Expr::AnyRank && value->rank != rank) {
    c.diags.report(e.range, Diag::InitializerRank, value->rank, rank).done();
    return c.build.error(e.range);
  }
  if (!fitsRank(c, value, rank))
    return c.build.error(e.range);
  Builder::settle(*value, rank);
  return value;
}

const Expr *initialElements(Checking &c, const ast::Expr &e, unsigned rank) {
  llvm::SaveAndRestore<bool> inherits(c.mayInherit, true);
  c.scopeRanks.push_back(rank);
  const Expr *value = elementValue(c, e, rank);
  c.scopeRanks.pop_back();
  return value;
}

/// A value that may differ between processors.
static const Expr *freeValue(Checking &c, const ast::Expr &e) {
  const Expr *value = checkExpr(c, e);
  if (!value->isArray())
    return value;
  reportArray(c, value, "initializer of a scalar");
  return c.build.error(e.range);
}

static bool recordList(Checking &c, const ast::InitList &list, Type type,
                       unsigned rank, Initializer &to) {
  const std::vector<TypeField> &fields = type.info()->fields;
  size_t wanted = type == Type::Union ? 1 : fields.size();
  bool isFine = list.items.size() == wanted;
  if (!isFine)
    c.diags
        .report(list.range, Diag::ListCount, list.items.size(), wanted,
                type == Type::Union ? "field of a union" : "fields")
        .done();
  for (unsigned i = 0; i != std::min(wanted, list.items.size()); ++i) {
    auto part =
        checkInitializer(c, *list.items[i], fields[i].type, rank, to.isFree);
    isFine &= part != nullptr;
    to.parts.push_back({i, {}, std::move(part)});
  }
  return isFine;
}

/// A list of what stands in dimension \p dim, or from there on; \p to knows the
/// place in the dimensions before.
static bool arrayList(Checking &c, const ast::InitList &list, Type type,
                      size_t dim, unsigned rank, Initializer &to) {
  const TypeInfo &info = *type.info();
  bool byRows = isByRows(list, info, dim);
  size_t last = byRows ? dim + 1 : info.lo.size();
  std::optional<int64_t> wanted = 1;
  for (size_t d = dim; d != last; ++d) {
    std::optional<int64_t> extent = extentOf(info, d);
    wanted = wanted && extent ? std::optional(*wanted * *extent) : std::nullopt;
  }
  int64_t count = list.items.size();
  if (wanted && *wanted != count) {
    c.diags
        .report(list.range, Diag::ListCount, count, *wanted,
                byRows ? "rows" : "elements")
        .done();
    return false;
  }
  if (!wanted && last - dim > 1) {
    c.diags.report(list.range, Diag::ListNeedsRows, text(type)).done();
    return false;
  }
  if (!wanted)
    to.extents.push_back({dim, count, list.range});
  return arrayItems(c, list, type, dim, last, rank, to);
}

static bool arrayItems(Checking &c, const ast::InitList &list, Type type,
                       size_t dim, size_t last, unsigned rank,
                       Initializer &to) {
  const TypeInfo &info = *type.info();
  bool isFine = true;
  llvm::SmallVector<int64_t, 4> prefix = to.prefix;
  for (int64_t i = 0; i != static_cast<int64_t>(list.items.size()); ++i) {
    llvm::SmallVector<int64_t, 4> offsets(last - dim);
    int64_t rest = i;
    for (size_t d = last; d-- != dim;) {
      int64_t extent = d == dim ? rest + 1 : *extentOf(info, d);
      offsets[d - dim] = rest % extent;
      rest /= extent;
    }
    offsets.insert(offsets.begin(), prefix.begin(), prefix.end());
    if (last == info.lo.size()) {
      auto part =
          checkInitializer(c, *list.items[i], info.element, rank, to.isFree);
      isFine &= part != nullptr;
      to.parts.push_back({0, std::move(offsets), std::move(part)});
      continue;
    }
    auto *row = llvm::dyn_cast<ast::InitList>(list.items[i]);
    if (!row) {
      c.diags.report(list.items[i]->range, Diag::ListRow).done();
      return false;
    }
    to.prefix = std::move(offsets);
    isFine &= arrayList(c, *row, type, last, rank, to);
  }
  to.prefix = std::move(prefix);
  return isFine;
}

/// `place[lo + offset, ...]`
static const Expr *elementPlace(Checking &c, const Expr *place,
                                llvm::ArrayRef<int64_t> offsets,
                                SourceRange range) {
  const TypeInfo &info = *place->type.info();
  llvm::SmallVector<const Expr *, 2> subscripts;
  for (size_t d = 0; d != offsets.size(); ++d) {
    const Expr *offset = c.build.integer(offsets[d], Type::Longint, range);
    if (info.index[d] == Type::Enum)
      subscripts.push_back(
          c.build.integer(info.lo[d].value + offsets[d], info.index[d], range));
    else
      subscripts.push_back(c.build.binary(
          BinaryOp::Add, boundExpr(c, info.lo[d], range), offset, range));
  }
  auto *element =
      c.program.make<SubscriptExpr>(place, subscripts, info.element, range);
  element->rank = place->rank;
  element->isFree = place->isFree;
  return element;
}

void setUp(Checking &c, const Expr *place, const Initializer &init,
           StmtList &to) {
  if (init.promoted)
    return promoteOver(c, place, *init.promoted, to);
  if (init.value) {
    if (llvm::isa<ArrayExpr>(rootOf(place)))
      to.push_back(c.program.make<ArrayAssignStmt>(
          place, arrangeSums(c.program, init.value, c.options.strictFp),
          init.range));
    else
      to.push_back(assignment(c, place, init.value, init.range));
    return;
  }
  for (const Initializer::Extent &extent : init.extents) {
    const TypeInfo &info = *place->type.info();
    to.push_back(c.program.make<CheckShapeStmt>(
        extentExpr(c, info, extent.dim, init.range),
        "array [" + info.boundsText + "]",
        c.build.integer(extent.count, Type::Longint, init.range),
        "its initializer", extent.dim, extent.range));
  }
  for (const Initializer::Part &part : init.parts) {
    const Expr *target =
        place->type == Type::Array
            ? elementPlace(c, place, part.offsets, part.init->range)
            : c.program.make<FieldExpr>(
                  place, part.field,
                  place->type.info()->fields[part.field].type,
                  part.init->range);
    setUp(c, target, *part.init, to);
  }
}

} // namespace zpl::sema
