//===- Multi.cpp - The multi notation -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     direction step{0..3} = [1] scaledby 2^{};
//     region    Level{0..3} = [1..n] by step{};
//
//     [Level{2}] A := A@step{};        A@step[level of A's region]
//     [Level{{}-1} at step{}] ...      Level[level of the covering region - 1]
//                                      at step[level of that]
//
// is another way to write indexed arrays: `const step: array [0..3] of
// direction<> = [1] scaledby 2^index1`, and `step[2]` for `step{2}`. An element
// of an array of regions has its index with it (zrt_region::level), and so has
// what region operators make of it. That is what `{}` stands for in a
// reference: of a region, the index of the covering region of that rank; of a
// direction, that of the array or region it is applied to. Where it is seen
// that this has none, it is an error here, else one of the run.
//
// Cost: linear in the reference, and in the visible scopes.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Multi.h"
#include "Arrays/Blanks.h"
#include "Arrays/Boundaries.h"
#include "Arrays/Families.h"
#include "Arrays/Regions.h"
#include "Check/Calls.h"
#include "Check/Designators.h"
#include "Check/Values.h"
#include "Sparse/SparseRegions.h"
#include "Statements/Assign.h"
#include "Statements/Declarations.h"
#include "Types/TypeExprs.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

namespace {

/// Calls \p visit with the parts of an expression that a definition may consist
/// of.
void forEachPart(const ast::Expr &e,
                 llvm::function_ref<void(const ast::Expr &)> visit) {
  auto all = [&](ast::ExprList list) {
    for (const ast::Expr *part : list)
      visit(*part);
  };
  if (auto *operation = llvm::dyn_cast<ast::RegionOp>(&e)) {
    visit(*operation->direction);
    visit(*operation->region);
  } else if (auto *user = llvm::dyn_cast<ast::UserRegionOp>(&e)) {
    visit(*user->direction);
    visit(*user->region);
  } else if (auto *where = llvm::dyn_cast<ast::Where>(&e)) {
    visit(*where->region);
    if (where->pattern)
      visit(*where->pattern);
  } else if (auto *literal = llvm::dyn_cast<ast::RegionLit>(&e)) {
    for (const ast::Dim &dim : literal->dims)
      for (const ast::Expr *bound : {dim.lo, dim.hi})
        if (bound)
          visit(*bound);
  } else if (auto *list = llvm::dyn_cast<ast::List>(&e)) {
    all(list->items);
  } else if (auto *scaled = llvm::dyn_cast<ast::Scaledby>(&e)) {
    visit(*scaled->direction);
    visit(*scaled->factor);
  } else if (auto *paren = llvm::dyn_cast<ast::Paren>(&e)) {
    visit(*paren->inner);
  } else if (auto *unary = llvm::dyn_cast<ast::Unary>(&e)) {
    visit(*unary->operand);
  } else if (auto *binary = llvm::dyn_cast<ast::Binary>(&e)) {
    visit(*binary->left);
    visit(*binary->right);
  } else if (auto *call = llvm::dyn_cast<ast::Call>(&e)) {
    all(call->args);
  } else if (auto *argument = llvm::dyn_cast<ast::NamedArgument>(&e)) {
    visit(*argument->value);
  } else if (auto *subscript = llvm::dyn_cast<ast::Subscript>(&e)) {
    visit(*subscript->base);
    all(subscript->indices);
  } else if (auto *field = llvm::dyn_cast<ast::Field>(&e)) {
    visit(*field->base);
  } else if (auto *multi = llvm::dyn_cast<ast::Multi>(&e)) {
    if (multi->index)
      visit(*multi->index);
  }
}

bool mentionsParameter(const ast::Expr &e) {
  bool found = llvm::isa<ast::MultiParam>(e);
  forEachPart(e, [&](const ast::Expr &part) {
    found = found || mentionsParameter(part);
  });
  return found;
}

/// The first `X{}` in a definition, or null.
const ast::Multi *firstBlank(const ast::Expr &e) {
  auto *multi = llvm::dyn_cast<ast::Multi>(&e);
  if (multi && !multi->index)
    return multi;
  const ast::Multi *found = nullptr;
  forEachPart(e, [&](const ast::Expr &part) {
    if (!found)
      found = firstBlank(part);
  });
  return found;
}

} // namespace

//===----------------------------------------------------------------------===//
// What is inherited
//===----------------------------------------------------------------------===//

/// The part of \p region that shows that it is none of a multi-region; null if
/// it may be one.
static const RegionExpr *withoutLevel(const Checking &c,
                                      const RegionExpr &region, size_t depth) {
  if (region.level)
    return nullptr;
  switch (region.kind) {
  case RegionExpr::Ref:
    return withoutLevel(c, *region.region->init, 0);
  case RegionExpr::Dims: {
    bool inherits = llvm::any_of(region.dims, [](const RegionDim &dim) {
      return dim.kind == RegionDim::Blank;
    });
    return inherits ? nullptr : &region;
  }
  case RegionExpr::Quote:
    while (depth-- != 0)
      if (c.visibleScopes[depth]->region->rank == region.rank)
        return withoutLevel(c, *c.visibleScopes[depth]->region, depth);
    return nullptr;
  case RegionExpr::Declared:
    return region.array->declared ? withoutLevel(c, *region.array->declared, 0)
                                  : nullptr;
  case RegionExpr::Of:
  case RegionExpr::In:
  case RegionExpr::At:
  case RegionExpr::By:
  case RegionExpr::User:
  case RegionExpr::Where:
  case RegionExpr::Bounds:
    return withoutLevel(c, *region.base, depth);
  }
  llvm_unreachable("region");
}

/// Which region of a multi-region \p region is, a Longint, for the reference at
/// \p range; null after a report.
static const Expr *levelOf(Checking &c, const RegionExpr &region,
                           SourceRange range) {
  bool isInScope = c.scopeRanks.size() == c.visibleScopes.size();
  size_t depth = isInScope ? c.visibleScopes.size() : 0;
  if (const RegionExpr *plain = withoutLevel(c, region, depth)) {
    c.diags.report(range, Diag::MultiNoIndex, c.diags.sources().text(range))
        .note(plain->range, Diag::MultiPlainRegion,
              c.diags.sources().text(plain->range));
    return nullptr;
  }
  return c.program.make<RegionBoundExpr>(RegionBoundExpr::Level, &region, 0,
                                         range);
}

const Expr *levelOfCover(Checking &c, unsigned rank, SourceRange range) {
  if (!c.mayInherit) {
    c.diags.report(range, Diag::MultiNothing, c.diags.sources().text(range))
        .done();
    return nullptr;
  }
  auto *quote = c.program.make<RegionExpr>();
  quote->kind = RegionExpr::Quote;
  quote->rank = rank;
  quote->range = range;
  return levelOf(c, *quote, range);
}

/// The same for the declared region of the array that \p reference means.
static const Expr *levelOfArray(Checking &c, const ArrayExpr &reference,
                                SourceRange range) {
  auto *declared = c.program.make<RegionExpr>();
  declared->kind = RegionExpr::Declared;
  declared->rank = reference.array->rank;
  declared->array = reference.array;
  declared->subscripts = reference.subscripts;
  declared->range = reference.range;
  return levelOf(c, *declared, range);
}

std::optional<DirectionExprs> directionFor(Checking &c, const ast::Expr &e,
                                           const RegionExpr *region,
                                           const ArrayExpr *array) {
  llvm::SaveAndRestore<const RegionExpr *> outerRegion(c.multi.region, region);
  llvm::SaveAndRestore<const ArrayExpr *> outerArray(c.multi.array, array);
  return checkDirection(c, e);
}

/// The index that a blank `{}` of an element of type \p element, or one in its
/// index, stands for; null after a report.
static const Expr *inheritedIndex(Checking &c, Type element,
                                  SourceRange range) {
  if (c.multi.definedIndex)
    return c.multi.definedIndex;
  const RegionExpr *covering = c.multi.covering;
  if (element == Type::Region && covering && covering->rank == rankOf(element))
    return levelOf(c, *covering, range);
  if (element == Type::Region)
    return levelOfCover(c, rankOf(element), range);
  if (c.multi.array)
    return levelOfArray(c, *c.multi.array, range);
  if (c.multi.region)
    return levelOf(c, *c.multi.region, range);
  c.diags.report(range, Diag::MultiNothing, c.diags.sources().text(range))
      .done();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

const Expr *multiIndex(Checking &c, const ast::Multi &e, Type index,
                       llvm::function_ref<const Expr *()> inherited) {
  const Expr *parameter = nullptr;
  if (!e.index || mentionsParameter(*e.index)) {
    parameter = inherited();
    if (!parameter)
      return c.build.error(e.range);
  }
  if (!e.index)
    return parameter;
  llvm::SaveAndRestore<const Expr *> outer(c.multi.parameter, parameter);
  return subscriptValue(c, *e.index, index,
                        c.diags.sources().text(e.base->range));
}

const Expr *multiElement(Checking &c, const ast::Multi &e, unsigned &levels) {
  const Expr *base = checkDesignator(c, *e.base, levels);
  if (isError(base))
    return base;
  if (const ArrayExpr *family = unfinishedMember(base))
    return multiMember(c, e, *family);
  Type type = base->type;
  Type element = type == Type::Array ? type.info()->element : Type(Type::Error);
  if ((element != Type::Region && element != Type::Direction) ||
      type.info()->lo.size() != 1 || type.info()->index[0] == Type::Enum) {
    auto report =
        c.diags.report(e.range, Diag::NotMulti,
                       c.diags.sources().text(e.base->range), text(type));
    if (auto *variable = llvm::dyn_cast<VariableExpr>(rootOf(base)))
      report.note(variable->variable->range, Diag::DeclaredHere,
                  variable->variable->name);
    return c.build.error(e.range);
  }
  const Expr *index = multiIndex(c, e, type.info()->index[0], [&] {
    return inheritedIndex(c, element, e.range);
  });
  llvm::StringRef written = c.diags.sources().text(e.base->range);
  if (isError(index) || !checkBounds(c, index, *base, 0, written))
    return c.build.error(e.range);
  return c.build.subscript(base, index, written, e.range);
}

const Expr *multiParam(Checking &c, const ast::MultiParam &e) {
  const Expr *stands =
      c.multi.parameter ? c.multi.parameter : c.multi.definedIndex;
  if (stands)
    return c.build.cast(stands, Type::Integer);
  c.diags.report(e.range, Diag::MultiParameter).done();
  return c.build.error(e.range);
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

std::optional<DimType> multiRange(Checking &c, const ast::DefinedName &name,
                                  const ast::Expr &value, std::string &text) {
  const ast::MultiRange &multi = *name.multi;
  if (multi.lo)
    return dimType(c, {multi.lo, multi.hi, multi.range}, multi.range, text);
  const ast::Multi *from = firstBlank(value);
  Type type = from ? designatedType(c, *from->base) : Type(Type::Error);
  if (type == Type::Array && type.info()->lo.size() == 1) {
    text = type.info()->boundsText;
    return DimType{type.info()->lo[0], type.info()->hi[0],
                   type.info()->index[0]};
  }
  c.diags.report(multi.range, Diag::MultiRange, name.text).done();
  return std::nullopt;
}

void multiDefinition(Checking &c, const ast::DefinedName &name, Type::Kind kind,
                     const ast::Expr &value) {
  std::string text;
  std::optional<DimType> dim = multiRange(c, name, value, text);
  Type element = typeFrom(c, value, kind);
  if (!dim || element == Type::Error) {
    unsigned errors = c.diags.errors();
    llvm::SaveAndRestore<const Expr *> index(
        c.multi.definedIndex, c.build.integer(0, Type::Longint, name.range));
    if (kind == Type::Region)
      checkRegion(c, value, 0);
    else
      checkDirection(c, value);
    if (dim && c.diags.errors() == errors)
      c.diags
          .report(value.range,
                  kind == Type::Region ? Diag::NotARegion : Diag::NotADirection)
          .done();
    return declareDummy(c, name);
  }
  auto *variable = c.program.make<Variable>(name.text, name.range);
  variable->type = c.types.array(element, *dim, text);
  variable->storage = c.current ? Storage::Local : Storage::Global;
  Blanks over;
  over.isPromotion = true;
  over.depth = 1;
  llvm::SaveAndRestore<Blanks *> outer(c.blanks, &over);
  leadWith(c, variable->type, name.text, value.range);
  llvm::SaveAndRestore<const Expr *> index(
      c.multi.definedIndex,
      c.program.make<VariableExpr>(loopVariable(c, 0, 0, value.range),
                                   value.range));
  const Expr *made = typedValue(c, value, element);
  if (isError(made))
    return declareDummy(c, name);
  variable->isConst =
      kind != Type::Region || !isSurelySparse(*regionOf(c, made));
  const Expr *target = elementOf(
      c, c.program.make<VariableExpr>(variable, name.range), 0, name.range);
  repeat(c, over, {assignment(c, target, made, value.range)}, value.range,
         variable->setup);
  addSymbol(c, variable);
}

} // namespace zpl::sema
