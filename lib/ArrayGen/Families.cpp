//===- Families.cpp - Indexed arrays of parallel arrays -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var U: array [0..k] of [Level[index1]] double;
//
//     var @U : array[0..@k] of handle 2 of f64
//
//     for %member = i64 0 to @k by i64 1 {      -- its set-up: so it is made,
//       region %U.region = ...                  -- initialized and freed
//       bind %U = @U[%member]
//       alloc %U
//     }
//
//     [Level[l]] U[l] := U[l-1] + 1.0;          bind %U.1 = @U[@l]
//                                               bind %U.2 = @U[sub(@l, i32 1)]
//                                               [%scope] %U.1 = add(%U.2, ...)
//
// A reference is bound to a view of its own before its statement is checked; so
// a subscript outside the bounds ends the run before anything is changed. While
// the variables of the subscripts cannot have changed, later references with
// equal subscripts use the view that there is. Two views of one family may be
// one array unless their subscripts differ by a constant.
//
// Cost: a list of the views that are still good is searched per reference.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Expressions.h"
#include "Followers.h"
#include "Operators/Domains.h"
#include "Operators/Regions.h"
#include "Operators/Sparse.h"
#include "Overlap.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"
#include "Types.h"

using namespace llvm;

namespace zpl::arraygen {

air::Type familyType(ProcedureState &p, const sema::Array *array) {
  SmallVector<air::Type, 2> levels;
  sema::Type type = array->family;
  size_t known = 0;
  while (known != array->member.size()) {
    levels.push_back(typeFor(p, type)); // for its bounds
    known += type.info()->lo.size();
    type = type.info()->element;
  }
  air::Type made = p.module.handleType(typeFor(p, array->element), array->rank);
  for (air::Type level : reverse(levels))
    made = p.module.arrayType(level.info()->lo, level.info()->hi, made,
                              level.info()->index);
  return made;
}

const Family &family(const ProcedureState &p, const sema::Array *array) {
  auto local = p.frame.locals.families.find(array);
  return local != p.frame.locals.families.end()
             ? local->second
             : p.builder.globals.families.find(array)->second;
}

/// A new view of the family.
/// The sparse region that all members are declared over, if it has a name.
static air::Region *namedRegion(const ProcedureState &p,
                                const sema::Array *array) {
  const sema::RegionExpr *declared = array->declared;
  bool isNamed =
      declared && !array->over && declared->kind == sema::RegionExpr::Ref;
  return isNamed ? find(p, declared->region) : nullptr;
}

static air::Array *makeView(ProcedureState &p, const sema::Array *array,
                            SourceRange range) {
  const Family &known = family(p, array);
  air::Array *view =
      makeArray(p, array->name, typeFor(p, array->element), known.shape, range);
  view->text = array->name;
  view->domain = domainOf(p, *array, known);
  view->isSparse = isSparse(p, *array);
  if (view->isSparse && array->storage != sema::Storage::Param)
    view->declared = namedRegion(p, array); // whose pattern all members have
  view->family = known.variable;
  return view;
}

/// `@U[i, j][k]`.
static const air::Expr *memberPlace(ProcedureState &p, const sema::Array *array,
                                    ArrayRef<const air::Expr *> subscripts,
                                    SourceRange range) {
  const air::Expr *place = variableExpr(p, family(p, array).variable, range);
  while (!subscripts.empty()) {
    const air::TypeInfo &level = *place->type.info();
    size_t count = level.lo.size();
    place = p.module.make<air::SubscriptExpr>(
        place, subscripts.take_front(count), p.module.copy(array->name),
        level.element, range);
    subscripts = subscripts.drop_front(count);
  }
  return place;
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

/// The view that is bound to the member with these subscripts already, or null.
static air::Array *boundView(const ProcedureState &p, const sema::Array *array,
                             ArrayRef<const air::Expr *> subscripts) {
  for (const BoundView &bound : reverse(p.known.boundViews)) {
    if (bound.view->family != family(p, array).variable ||
        !all_of(zip_equal(bound.subscripts, subscripts), [](auto pair) {
          return air::haveSameValue(std::get<0>(pair), std::get<1>(pair));
        }))
      continue;
    bool isGood =
        bound.time == p.known.time ||
        all_of(subscripts, [&](const air::Expr *e) { return isStable(p, e); });
    if (isGood)
      return bound.view;
  }
  return nullptr;
}

/// The constants that \p subscripts of the family are, within its bounds; empty
/// if they are not, or if the family is not there at the entry.
static SmallVector<int64_t, 2>
fixedMember(const ProcedureState &p, const sema::Array *array,
            ArrayRef<const air::Expr *> subscripts) {
  const Family &known = family(p, array);
  if (!p.instance.procedure || known.isMoved ||
      known.variable->storage == air::Storage::Local)
    return {};
  SmallVector<int64_t, 2> member;
  const air::Expr *const *next = subscripts.begin();
  for (air::Type level = known.variable->type; level == air::Type::Array;
       level = level.info()->element)
    for (auto [lo, hi] : zip(level.info()->lo, level.info()->hi)) {
      auto *constant = dyn_cast<air::ConstExpr>(*next++);
      if (!constant || lo.variable || hi.variable ||
          constant->integer < lo.value || constant->integer > hi.value)
        return {};
      member.push_back(constant->integer);
    }
  return member;
}

/// The view of that member, which is bound at the entry.
static air::Array *fixedView(ProcedureState &p, const sema::Array *array,
                             ArrayRef<const air::Expr *> subscripts,
                             ArrayRef<int64_t> member, SourceRange range) {
  for (air::Stmt *stmt : p.frame.memberBinds) {
    air::Array *view = cast<air::BindArrayStmt>(stmt)->array;
    if (view->family == family(p, array).variable &&
        ArrayRef(view->member) == member)
      return view;
  }
  air::Array *view = makeView(p, array, range);
  view->member.assign(member.begin(), member.end());
  p.frame.memberBinds.push_back(p.module.make<air::BindArrayStmt>(
      view, memberPlace(p, array, subscripts, range), range));
  return view;
}

static air::Array *bindMember(ProcedureState &p, const sema::Array *array,
                              ArrayRef<const sema::Expr *> subscripts,
                              SourceRange range) {
  TemporaryScope scope(p);
  ExprList values = operands(p, subscripts);
  SmallVector<int64_t, 2> fixed = fixedMember(p, array, values);
  if (!fixed.empty())
    return fixedView(p, array, values, fixed, range);
  if (air::Array *known = boundView(p, array, values))
    return known;
  air::Array *view = makeView(p, array, range);
  emit<air::BindArrayStmt>(p, view, memberPlace(p, array, values, range),
                           range);
  p.known.boundViews.push_back({view, values, p.known.time});
  return view;
}

void bind(ProcedureState &p, const sema::ArrayExpr *expr) {
  if (!expr->subscripts.empty())
    p.known.views[expr] =
        bindMember(p, expr->array, expr->subscripts, expr->range);
}

air::Array *find(const ProcedureState &p, const sema::ArrayExpr *expr) {
  if (expr->subscripts.empty())
    return find(p, expr->array);
  air::Array *view = p.known.views.lookup(expr);
  assert(view && "references are prepared before they are used");
  return view;
}

air::Array *find(ProcedureState &p, const sema::RegionExpr &expr) {
  return expr.subscripts.empty()
             ? find(p, expr.array)
             : bindMember(p, expr.array, expr.subscripts, expr.range);
}

/// Whether the subscripts of two views of one family differ by a constant, or
/// are other constants.
bool areDistinct(const Knowledge &known, const air::Array *a,
                 const air::Array *b) {
  if (a->isOtherMemberThan(*b))
    return true;
  auto boundTo = [&](const air::Array *view) {
    auto *found = find_if(known.boundViews, [&](const BoundView &bound) {
      return bound.view == view;
    });
    return found == known.boundViews.end() || found->time != known.time
               ? nullptr
               : found;
  };
  const BoundView *left = boundTo(a), *right = boundTo(b);
  return left && right &&
         any_of(zip_equal(left->subscripts, right->subscripts), [](auto pair) {
           auto [x, y] = pair;
           return isLess(x, y) || isLess(y, x);
         });
}

//===----------------------------------------------------------------------===//
// Members one after the other
//===----------------------------------------------------------------------===//

void forEachMember(ProcedureState &p, const sema::Array *array,
                   SourceRange range,
                   function_ref<void(ArrayRef<const air::Expr *>)> generate) {
  SmallVector<const air::Expr *, 2> indices;
  SmallVector<std::pair<const air::Expr *, const air::Expr *>, 2> bounds;
  air::Type level = family(p, array).variable->type;
  auto bound = [&](const air::Bound &b) -> const air::Expr * {
    return b.variable ? variableExpr(p, b.variable, range)
                      : constant(p, air::Type::I64, b.value, range);
  };
  for (sema::Variable *member : array->member) {
    air::Variable *index = find(p, member);
    if (!index)
      index = makeVariable(p, "index", air::Type::I64, range);
    indices.push_back(variableExpr(p, index, range));
  }
  for (; level == air::Type::Array; level = level.info()->element)
    for (auto [lo, hi] : zip(level.info()->lo, level.info()->hi))
      bounds.push_back({bound(lo), bound(hi)});
  std::function<void(size_t)> nest = [&](size_t dim) {
    if (dim == indices.size())
      return generate(indices);
    auto *loop = emit<air::ForStmt>(
        p, indices[dim], bounds[dim].first, bounds[dim].second,
        constant(p, air::Type::I64, 1, range), /*down=*/false, range);
    appendTo(p, loop->body, [&] { nest(dim + 1); });
  };
  nest(0);
}

air::Array *memberView(ProcedureState &p, const sema::Array *array,
                       ArrayRef<const air::Expr *> indices) {
  air::Array *view = makeView(p, array, array->range);
  emit<air::BindArrayStmt>(
      p, view, memberPlace(p, array, indices, array->range), array->range);
  return view;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void addLocalFamily(ProcedureState &p, const sema::Array *array) {
  air::Variable *made =
      makeVariable(p, array->name, familyType(p, array), array->range);
  made->text = array->name;
  p.frame.locals.families[array] = {made, shapeOf(p, *array->declared)};
  allocate(p, made, array->range);
  p.frame.localMemory.push_back(array);
  allocateFamily(p, array);
  initialize(p, array);
}

void declareFamily(ProcedureState &p, const sema::Array *array) {
  if (array->over || isSparse(p, *array)) // it was told of that, or will be
    return;
  air::Region *region = makeRegion(p, array->name + ".region",
                                   family(p, array).shape, array->range);
  region->domain = domainOf(p, *array);
  forEachMember(p, array, array->range, [&](ArrayRef<const air::Expr *>) {
    setDeclared(p, region, array);
    emit<air::DeclareRegionStmt>(p, region, array->range);
  });
}

/// For the declared region of one member after the other.
static air::Region *memberRegion(ProcedureState &p, const sema::Array *array) {
  air::Region *region = makeRegion(p, array->name + ".region",
                                   family(p, array).shape, array->range);
  region->domain = domainOf(p, *array);
  region->isSparse = isSparse(p, *array);
  region->text = array->declared->text;
  return region;
}

void allocateFamily(ProcedureState &p, const sema::Array *array) {
  bool isNamed = isSparse(p, *array) && namedRegion(p, array);
  air::Region *region =
      isNamed ? namedRegion(p, array) : memberRegion(p, array);
  forEachMember(p, array, array->range,
                [&](ArrayRef<const air::Expr *> indices) {
                  if (!isNamed)
                    setDeclared(p, region, array);
                  air::Array *view = memberView(p, array, indices);
                  view->declared = region;
                  view->fluff = fluffOf(*array, *region);
                  allocate(p, array, view);
                });
}

void initializeFamily(ProcedureState &p, const sema::Array *array) {
  if (!array->init && array->setup.empty())
    return;
  SourceRange range = array->range;
  forEachMember(p, array, range, [&](ArrayRef<const air::Expr *> indices) {
    air::Array *view = memberView(p, array, indices);
    air::Region *declared = declaredRegion(p, view, range);
    open(p, declared, [&] { initializeElements(p, array, view, declared); });
  });
}

void freeFamily(ProcedureState &p, const sema::Array *array,
                SourceRange range) {
  forEachMember(p, array, range, [&](ArrayRef<const air::Expr *> indices) {
    emit<air::FreeArrayStmt>(p, memberView(p, array, indices), range);
  });
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void addFamilyParameter(ProcedureState &p, const sema::Array *array,
                        const sema::Shape &shape) {
  auto *made = p.module.make<air::Variable>();
  made->name = p.frame.names.unique(array->name);
  made->text = array->name;
  made->storage = air::Storage::Param;
  made->byReference = sema::isByReference(array->mode);
  made->range = array->range;
  p.frame.locals.families[array] = {made, convert(shape)};
  air::Parameter parameter;
  parameter.variable = made;
  p.procedure.params.push_back(parameter);
}

void copyInFamily(ProcedureState &p, const sema::Array *array) {
  SourceRange range = array->range;
  Family given = family(p, array);
  air::Variable *copy =
      makeVariable(p, array->name, given.variable->type, range);
  copy->text = array->name;
  allocate(p, copy, range);
  air::Region *region =
      makeRegion(p, array->name + ".region", given.shape, range);
  region->domain = domainOf(p, *array);
  region->isSparse = isSparse(p, *array);
  forEachMember(p, array, range, [&](ArrayRef<const air::Expr *> indices) {
    p.frame.locals.families[array] = given;
    air::Array *source = memberView(p, array, indices);
    air::RegionExpr declared;
    declared.kind = air::RegionExpr::Declared;
    declared.array = source;
    emit<air::SetRegionStmt>(p, region, declared, range);
    p.frame.locals.families[array] = {copy, given.shape};
    air::Array *target = memberView(p, array, indices);
    target->declared = region;
    target->fluff = fluffOf(*array, *region);
    emit<air::AllocArrayStmt>(p, target, range);
    storeElements(p, elementOf(p, target, range), elementOf(p, source, range),
                  region, range);
    copyIrv(p, target, source, range);
  });
  p.frame.localMemory.push_back(array);
}

void clearFamily(ProcedureState &p, const sema::Array *array) {
  SourceRange range = array->range;
  forEachMember(p, array, range, [&](ArrayRef<const air::Expr *> indices) {
    air::Array *view = memberView(p, array, indices);
    storeElements(p, elementOf(p, view, range), zero(p, view->element, range),
                  declaredRegion(p, view, range), range);
  });
}

} // namespace zpl::arraygen
