//===- Boundaries.cpp - wrap and reflect ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [north of R] begin A := 0; wrap B; end;      wrap B in (-1, 0) of R
//     [N] reflect A, B;                            N = north of R
//     [R] [north of "] wrap A;                     wrap A in (-1, 0) of R
//
// The statement needs what the `of` was applied to, so the scope must be
// visible in the procedure; the region itself does not tell. By the time the
// statement is executed, what the scope was made of may have changed: k in
// `[north of [1..k, ]]`. Where it may have, it is kept when the scope opens, in
// hidden variables for the bounds of each dimension:
//
//     lo := lo([1..k, ], 1);  hi := hi([1..k, ], 1);
//     [north of [1..k, ]] ... wrap A in (-1, 0) of [lo..hi, ]
//
// A dimension in which the direction is 0 is the same in the scope, from where
// the blank inherits it. What a named region was made of is kept, if it may
// change, under a hidden name before it.
//
// Cost: linear in the region; the scopes around are looked through once.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Boundaries.h"
#include "Check/Calls.h"
#include "Check/Designators.h"
#include "Check/Inquiry.h"
#include "Statements/Assign.h"
#include "Statements/Statements.h"

#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"

namespace zpl::sema {

namespace {

/// Whether the value is the same wherever in the procedure it is asked for.
bool isFixed(const Expr &e);

bool isFixed(const RegionExpr &region) {
  bool inherits = region.kind == RegionExpr::Quote ||
                  llvm::any_of(region.dims, [](const RegionDim &dim) {
                    return dim.kind == RegionDim::Blank;
                  });
  bool isFine = !inherits && (!region.base || isFixed(*region.base));
  forEachOperand(region, [&](const Expr &e) { isFine &= isFixed(e); });
  return isFine;
}

bool isFixed(const Expr &e) {
  bool isFine = llvm::isa<LiteralExpr, ComponentExpr, UnaryExpr, BinaryExpr,
                          CastExpr, MathExpr, ProcessorsExpr>(e);
  if (auto *variable = llvm::dyn_cast<VariableExpr>(&e)) {
    const Variable &used = *variable->variable;
    isFine = used.isConst ||
             (used.storage == Storage::Param && used.mode == Mode::Const);
  }
  if (auto *bound = llvm::dyn_cast<RegionBoundExpr>(&e))
    isFine = isFixed(*bound->region);
  forEachOperand(e, [&](const Expr &part) { isFine &= isFixed(part); });
  return isFine;
}

bool isFixed(llvm::ArrayRef<const Expr *> direction) {
  return llvm::all_of(direction, [](const Expr *e) { return isFixed(*e); });
}

/// The region that was made by `of`, itself or under names; null: none. \p
/// named: the name whose declaration it is.
const RegionExpr *madeByOf(const RegionExpr &region, Region *&named) {
  if (region.kind == RegionExpr::Of)
    return &region;
  if (region.kind != RegionExpr::Ref)
    return nullptr;
  named = region.region;
  return madeByOf(*region.region->init, named);
}

/// The hidden symbol \p name, set up directly before \p user.
template <typename T>
T *findOrMake(Program &program, std::vector<Symbol *> &list, const Symbol &user,
              llvm::StringRef name) {
  for (Symbol *known : list)
    if (known->name == name)
      return llvm::cast<T>(known);
  auto *made = program.make<T>(name, user.range);
  list.insert(llvm::find(list, &user), made);
  return made;
}

} // namespace

static const ArrayExpr *boundaryArray(Checking &c, const ast::Expr &e,
                                      llvm::StringRef word);
static bool resolveBoundary(Checking &c, BoundaryStmt &node, unsigned rank);
static void keepBoundary(Checking &c, VisibleScope &scope,
                         const RegionExpr &of);
static const Expr *keptValue(Checking &c, const Expr *value,
                             llvm::StringRef name, StmtList &before);
static const RegionExpr *keptRegion(Checking &c, const RegionExpr &region,
                                    llvm::ArrayRef<const Expr *> direction,
                                    StmtList &before);
static void nameBoundary(Checking &c, VisibleScope &scope, const Region &named,
                         const RegionExpr &of);

Stmt *checkBoundary(Checking &c, const ast::WrapStmt &s) {
  llvm::StringRef word = s.reflects ? "reflect" : "wrap";
  llvm::SmallVector<BoundaryStmt *, 1> made;
  for (const ast::Expr *written : s.arrays) {
    const ArrayExpr *array = boundaryArray(c, *written, word);
    if (!array)
      continue;
    auto known = llvm::find_if(made, [&](const BoundaryStmt *other) {
      return other->arrays.front()->rank == array->rank;
    });
    if (known != made.end()) {
      (*known)->arrays.push_back(array);
      continue;
    }
    auto *node = c.program.make<BoundaryStmt>(s.reflects, s.range);
    node->arrays.push_back(array);
    if (resolveBoundary(c, *node, array->rank))
      made.push_back(node);
  }
  return singleStmt(c, StmtList(made.begin(), made.end()), s.range);
}

/// Null after a report.
static const ArrayExpr *boundaryArray(Checking &c, const ast::Expr &e,
                                      llvm::StringRef word) {
  const Expr *named = checkPlace(c, e);
  if (isError(named))
    return nullptr;
  auto *array = llvm::dyn_cast<ArrayExpr>(rootOf(named));
  if (!array) {
    c.diags.report(e.range, Diag::NotAnArray, word).done();
    return nullptr;
  }
  if (array != named) {
    c.diags.report(e.range, Diag::BoundaryPart, word).done();
    return nullptr;
  }
  return checkWritable(c, *array->array, e.range, false) ? array : nullptr;
}

/// Sets the base and the direction from the innermost scope of rank \p rank.
static bool resolveBoundary(Checking &c, BoundaryStmt &node, unsigned rank) {
  // `[" with M]` is the region around it.
  auto isRank = [&](const VisibleScope *scope) {
    return scope->region->rank == rank &&
           scope->region->kind != RegionExpr::Quote;
  };
  auto found =
      std::find_if(c.visibleScopes.rbegin(), c.visibleScopes.rend(), isRank);
  VisibleScope *scope = found == c.visibleScopes.rend() ? nullptr : *found;
  Region *named = nullptr;
  const RegionExpr *of = scope ? madeByOf(*scope->region, named) : nullptr;
  if (!of) {
    auto report = c.diags.report(node.range, Diag::BoundaryScope,
                                 node.reflects ? "reflect" : "wrap", rank);
    if (scope)
      report.note(scope->region->range, Diag::NoBoundary);
    return false;
  }
  if (!scope->base) {
    // `[R] [d of "]`: what the quote means is visible.
    auto outer = std::find_if(std::next(found), c.visibleScopes.rend(), isRank);
    bool isOuter = of->base->kind == RegionExpr::Quote && !named &&
                   outer != c.visibleScopes.rend() &&
                   isFixed(*(*outer)->region);
    scope->base = isOuter ? (*outer)->region : of->base;
    scope->direction = of->direction;
    if (!isFixed(*scope->base) || !isFixed(scope->direction)) {
      if (named)
        nameBoundary(c, *scope, *named, *of);
      else
        keepBoundary(c, *scope, *of);
    }
  }
  node.base = scope->base;
  node.direction = scope->direction;
  return true;
}

/// Keeps in variables what \p of, the region of \p scope, is made of.
static void keepBoundary(Checking &c, VisibleScope &scope,
                         const RegionExpr &of) {
  for (const Expr *&component : scope.direction)
    component = keptValue(c, component, "component", scope.before);
  if (!isFixed(*scope.base))
    scope.base = keptRegion(c, *of.base, scope.direction, scope.before);
}

/// \p value, in a variable if it may change.
static const Expr *keptValue(Checking &c, const Expr *value,
                             llvm::StringRef name, StmtList &before) {
  return isFixed(*value) ? value : keptOnce(c, value, name, before);
}

/// \p region with its bounds kept in variables.
static const RegionExpr *keptRegion(Checking &c, const RegionExpr &region,
                                    llvm::ArrayRef<const Expr *> direction,
                                    StmtList &before) {
  SourceRange range = region.range;
  auto *kept = c.program.make<RegionExpr>();
  kept->kind = RegionExpr::Dims;
  auto *strided = c.program.make<RegionExpr>();
  strided->kind = RegionExpr::By;
  strided->base = kept;
  kept->rank = strided->rank = region.rank;
  kept->range = strided->range = range;
  kept->text = strided->text = region.text;
  bool isStrided = false;
  for (unsigned d = 0; d != region.rank; ++d) {
    const Expr *stride = c.build.integer(0, Type::Longint, range);
    RegionDim dim;
    auto *component = llvm::dyn_cast<LiteralExpr>(direction[d]);
    if (!component || component->integer != 0) {
      dim.kind = RegionDim::Range;
      dim.lo =
          keptValue(c, memberBound(c, RegionBoundExpr::Lo, region, d, range),
                    "lo", before);
      dim.hi =
          keptValue(c, memberBound(c, RegionBoundExpr::Hi, region, d, range),
                    "hi", before);
      const Expr *own =
          regionBound(c, RegionBoundExpr::Stride, region, d, range);
      if (!llvm::isa<LiteralExpr>(own)) {
        stride = keptValue(c, own, "stride", before);
        isStrided = true;
      }
    }
    kept->dims.push_back(dim);
    strided->direction.push_back(stride);
  }
  return isStrided ? strided : kept;
}

/// Gives names to what \p named, the region of \p scope, is made of.
static void nameBoundary(Checking &c, VisibleScope &scope, const Region &named,
                         const RegionExpr &of) {
  bool isLocal = c.current && llvm::is_contained(c.current->locals, &named);
  auto &owner = isLocal ? c.current->locals : c.program.globals;
  if (!isFixed(*scope.base)) {
    auto *base =
        findOrMake<Region>(c.program, owner, named, named.name + ".base");
    base->init = of.base;
    Covers covers; // as of any declaration
    for (unsigned rank = 1; rank <= MaxRank; ++rank)
      covers[rank] = Shape(rank, DimKind::Strided);
    base->shape = shapeOf(*of.base, covers);
    auto *ref = c.program.make<RegionExpr>();
    ref->kind = RegionExpr::Ref;
    ref->rank = base->rank();
    ref->region = base;
    ref->range = of.range;
    scope.base = ref;
  }
  if (isFixed(scope.direction))
    return;
  auto *direction =
      findOrMake<Direction>(c.program, owner, named, named.name + ".direction");
  direction->components.clear();
  for (const auto &[d, component] : llvm::enumerate(of.direction)) {
    direction->components.push_back({component, std::nullopt});
    scope.direction[d] = c.program.make<ComponentExpr>(direction, d, of.range);
  }
}

} // namespace zpl::sema
