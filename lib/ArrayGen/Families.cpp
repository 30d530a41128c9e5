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

#include "Procedure.h"

using namespace llvm;

namespace zpl::arraygen {

/// The indexed array of parallel arrays that \p array is.
air::Type ProcedureBuilder::familyType(const sema::Array *array) {
  SmallVector<air::Type, 2> levels;
  sema::Type type = array->family;
  size_t known = 0;
  while (known != array->member.size()) {
    levels.push_back(this->type(type)); // for its bounds
    known += type.info()->lo.size();
    type = type.info()->element;
  }
  air::Type made = module.handleType(this->type(array->element), array->rank);
  for (air::Type level : reverse(levels))
    made = module.arrayType(level.info()->lo, level.info()->hi, made,
                            level.info()->index);
  return made;
}

const Family &ProcedureBuilder::family(const sema::Array *array) const {
  auto local = locals.families.find(array);
  return local != locals.families.end()
             ? local->second
             : builder.globals.families.find(array)->second;
}

/// A new view of the family.
air::Array *ProcedureBuilder::makeView(const sema::Array *array,
                                       SourceRange range) {
  const Family &known = family(array);
  air::Array *view =
      makeArray(array->name, type(array->element), known.shape, range);
  view->text = array->name;
  view->family = known.variable;
  return view;
}

/// `@U[i, j][k]`.
const air::Expr *
ProcedureBuilder::memberPlace(const sema::Array *array,
                              ArrayRef<const air::Expr *> subscripts,
                              SourceRange range) {
  const air::Expr *place = variable(family(array).variable, range);
  while (!subscripts.empty()) {
    const air::TypeInfo &level = *place->type.info();
    size_t count = level.lo.size();
    place = module.make<air::SubscriptExpr>(place, subscripts.take_front(count),
                                            module.copy(array->name),
                                            level.element, range);
    subscripts = subscripts.drop_front(count);
  }
  return place;
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

/// The view that is bound to the member with these subscripts already, or null.
air::Array *
ProcedureBuilder::boundView(const sema::Array *array,
                            ArrayRef<const air::Expr *> subscripts) const {
  for (const BoundView &bound : reverse(boundViews)) {
    if (bound.view->family != family(array).variable ||
        !all_of(zip_equal(bound.subscripts, subscripts), [](auto pair) {
          return air::haveSameValue(std::get<0>(pair), std::get<1>(pair));
        }))
      continue;
    bool isGood =
        bound.time == time ||
        all_of(subscripts, [&](const air::Expr *e) { return isStable(e); });
    if (isGood)
      return bound.view;
  }
  return nullptr;
}

air::Array *
ProcedureBuilder::bindMember(const sema::Array *array,
                             ArrayRef<const sema::Expr *> subscripts,
                             SourceRange range) {
  TemporaryScope scope(*this);
  ExprList values = operands(subscripts);
  if (air::Array *known = boundView(array, values))
    return known;
  air::Array *view = makeView(array, range);
  emit<air::BindArrayStmt>(view, memberPlace(array, values, range), range);
  boundViews.push_back({view, values, time});
  return view;
}

void ProcedureBuilder::bind(const sema::ArrayExpr *expr) {
  if (!expr->subscripts.empty())
    views[expr] = bindMember(expr->array, expr->subscripts, expr->range);
}

air::Array *ProcedureBuilder::find(const sema::ArrayExpr *expr) const {
  if (expr->subscripts.empty())
    return find(expr->array);
  air::Array *view = views.lookup(expr);
  assert(view && "references are prepared before they are used");
  return view;
}

/// The array of `region(U[l])`.
air::Array *ProcedureBuilder::find(const sema::RegionExpr &expr) {
  return expr.subscripts.empty()
             ? find(expr.array)
             : bindMember(expr.array, expr.subscripts, expr.range);
}

/// Whether the subscripts of two views of one family differ by a constant.
bool ProcedureBuilder::areDistinct(const air::Array *a,
                                   const air::Array *b) const {
  auto boundTo = [&](const air::Array *view) {
    auto *found = find_if(
        boundViews, [&](const BoundView &bound) { return bound.view == view; });
    return found == boundViews.end() || found->time != time ? nullptr : found;
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

/// Has \p generate generate code for each member of a family: with the
/// subscripts in its hidden variables, or in new ones if it is a parameter.
void ProcedureBuilder::forEachMember(
    const sema::Array *array, SourceRange range,
    function_ref<void(ArrayRef<const air::Expr *>)> generate) {
  SmallVector<const air::Expr *, 2> indices;
  SmallVector<std::pair<const air::Expr *, const air::Expr *>, 2> bounds;
  air::Type level = family(array).variable->type;
  auto bound = [&](const air::Bound &b) -> const air::Expr * {
    return b.variable ? variable(b.variable, range)
                      : constant(air::Type::I64, b.value, range);
  };
  for (sema::Variable *member : array->member) {
    air::Variable *index = find(member);
    if (!index)
      index = makeVariable("index", air::Type::I64, range);
    indices.push_back(variable(index, range));
  }
  for (; level == air::Type::Array; level = level.info()->element)
    for (auto [lo, hi] : zip(level.info()->lo, level.info()->hi))
      bounds.push_back({bound(lo), bound(hi)});
  std::function<void(size_t)> nest = [&](size_t dim) {
    if (dim == indices.size())
      return generate(indices);
    auto *loop = emit<air::ForStmt>(
        indices[dim], bounds[dim].first, bounds[dim].second,
        constant(air::Type::I64, 1, range), /*down=*/false, range);
    appendTo(loop->body, [&] { nest(dim + 1); });
  };
  nest(0);
}

/// A view that is bound to the member at hand.
air::Array *ProcedureBuilder::memberView(const sema::Array *array,
                                         ArrayRef<const air::Expr *> indices) {
  air::Array *view = makeView(array, array->range);
  emit<air::BindArrayStmt>(view, memberPlace(array, indices, array->range),
                           array->range);
  return view;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// Makes and initializes the members of a local family.
void ProcedureBuilder::addLocalFamily(const sema::Array *array) {
  air::Variable *made =
      makeVariable(array->name, familyType(array), array->range);
  made->text = array->name;
  locals.families[array] = {made, shapeOf(*array->declared)};
  allocate(made, array->range);
  localMemory.push_back(array);
  allocateFamily(array);
  initialize(array);
}

/// Tells the runtime the regions of a global family.
void ProcedureBuilder::declareFamily(const sema::Array *array) {
  if (array->over) // which it was told of, or will be
    return;
  air::Region *region =
      makeRegion(array->name + ".region", family(array).shape, array->range);
  forEachMember(array, array->range, [&](ArrayRef<const air::Expr *>) {
    setDeclared(region, array);
    emit<air::DeclareRegionStmt>(region, array->range);
  });
}

void ProcedureBuilder::allocateFamily(const sema::Array *array) {
  air::Region *region =
      makeRegion(array->name + ".region", family(array).shape, array->range);
  region->text = array->declared->text;
  forEachMember(array, array->range, [&](ArrayRef<const air::Expr *> indices) {
    setDeclared(region, array);
    air::Array *view = memberView(array, indices);
    view->declared = region;
    view->fluff = fluffOf(*array, view->shape);
    allocate(array, view);
  });
}

void ProcedureBuilder::initializeFamily(const sema::Array *array) {
  if (!array->init && array->setup.empty())
    return;
  SourceRange range = array->range;
  forEachMember(array, range, [&](ArrayRef<const air::Expr *> indices) {
    air::Array *view = memberView(array, indices);
    air::Region *declared = declaredRegion(view, range);
    open(declared, [&] { initializeElements(array, view, declared); });
  });
}

/// Frees the members of a local family.
void ProcedureBuilder::freeFamily(const sema::Array *array, SourceRange range) {
  forEachMember(array, range, [&](ArrayRef<const air::Expr *> indices) {
    emit<air::FreeArrayStmt>(memberView(array, indices), range);
  });
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// A family as a parameter: its type is set with those of the others.
void ProcedureBuilder::addFamilyParameter(const sema::Array *array,
                                          const sema::Shape &shape) {
  auto *made = module.make<air::Variable>();
  made->name = names.unique(array->name);
  made->text = array->name;
  made->storage = air::Storage::Param;
  made->byReference = sema::isByReference(array->mode);
  made->range = array->range;
  locals.families[array] = {made, convert(shape)};
  air::Parameter parameter;
  parameter.variable = made;
  procedure.params.push_back(parameter);
}

/// What the callee does to a family of mode `in` is done to a copy.
void ProcedureBuilder::copyInFamily(const sema::Array *array) {
  SourceRange range = array->range;
  Family given = family(array);
  air::Variable *copy = makeVariable(array->name, given.variable->type, range);
  copy->text = array->name;
  allocate(copy, range);
  air::Region *region = makeRegion(array->name + ".region", given.shape, range);
  forEachMember(array, range, [&](ArrayRef<const air::Expr *> indices) {
    locals.families[array] = given;
    air::Array *source = memberView(array, indices);
    air::RegionExpr declared;
    declared.kind = air::RegionExpr::Declared;
    declared.array = source;
    emit<air::SetRegionStmt>(region, declared, range);
    locals.families[array] = {copy, given.shape};
    air::Array *target = memberView(array, indices);
    target->declared = region;
    target->fluff = fluffOf(*array, target->shape);
    emit<air::AllocArrayStmt>(target, range);
    storeElements(elementOf(target, range), elementOf(source, range), region,
                  range);
  });
  localMemory.push_back(array);
}

/// Zeroes all elements of a family parameter.
void ProcedureBuilder::clearFamily(const sema::Array *array) {
  SourceRange range = array->range;
  forEachMember(array, range, [&](ArrayRef<const air::Expr *> indices) {
    air::Array *view = memberView(array, indices);
    storeElements(elementOf(view, range), zero(view->element, range),
                  declaredRegion(view, range), range);
  });
}

} // namespace zpl::arraygen
