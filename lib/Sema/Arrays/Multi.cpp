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

#include "Arrays/Blanks.h"
#include "Arrays/Boundaries.h"
#include "Types/Types.h"
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
const RegionExpr *Checker::withoutLevel(const RegionExpr &region,
                                        size_t depth) const {
  if (region.level)
    return nullptr;
  switch (region.kind) {
  case RegionExpr::Ref:
    return withoutLevel(*region.region->init, 0);
  case RegionExpr::Dims: {
    bool inherits = llvm::any_of(region.dims, [](const RegionDim &dim) {
      return dim.kind == RegionDim::Blank;
    });
    return inherits ? nullptr : &region;
  }
  case RegionExpr::Quote:
    while (depth-- != 0)
      if (visibleScopes[depth]->region->rank == region.rank)
        return withoutLevel(*visibleScopes[depth]->region, depth);
    return nullptr;
  case RegionExpr::Declared:
    return region.array->declared ? withoutLevel(*region.array->declared, 0)
                                  : nullptr;
  case RegionExpr::Of:
  case RegionExpr::In:
  case RegionExpr::At:
  case RegionExpr::By:
  case RegionExpr::User:
    return withoutLevel(*region.base, depth);
  }
  llvm_unreachable("region");
}

/// Which region of a multi-region \p region is, a Longint, for the reference at
/// \p range; null after a report.
const Expr *Checker::levelOf(const RegionExpr &region, SourceRange range) {
  bool isInScope = scopeRanks.size() == visibleScopes.size();
  size_t depth = isInScope ? visibleScopes.size() : 0;
  if (const RegionExpr *plain = withoutLevel(region, depth)) {
    diags.report(range, Diag::MultiNoIndex, diags.sources().text(range))
        .note(plain->range, Diag::MultiPlainRegion,
              diags.sources().text(plain->range));
    return nullptr;
  }
  return program.make<RegionBoundExpr>(RegionBoundExpr::Level, &region, 0,
                                       range);
}

/// The same for the covering region of rank \p rank.
const Expr *Checker::levelOfCover(unsigned rank, SourceRange range) {
  if (!mayInherit) {
    diags.report(range, Diag::MultiNothing, diags.sources().text(range)).done();
    return nullptr;
  }
  auto *quote = program.make<RegionExpr>();
  quote->kind = RegionExpr::Quote;
  quote->rank = rank;
  quote->range = range;
  return levelOf(*quote, range);
}

/// The same for the declared region of the array that \p reference means.
const Expr *Checker::levelOfArray(const ArrayExpr &reference,
                                  SourceRange range) {
  auto *declared = program.make<RegionExpr>();
  declared->kind = RegionExpr::Declared;
  declared->rank = reference.array->rank;
  declared->array = reference.array;
  declared->subscripts = reference.subscripts;
  declared->range = reference.range;
  return levelOf(*declared, range);
}

/// The direction \p e, whose `{}` inherit the index of \p from; null: of
/// nothing.
std::optional<DirectionExprs> Checker::directionFor(const ast::Expr &e,
                                                    const RegionExpr *region,
                                                    const ArrayExpr *array) {
  llvm::SaveAndRestore<const RegionExpr *> outerRegion(appliedRegion, region);
  llvm::SaveAndRestore<const ArrayExpr *> outerArray(appliedArray, array);
  return direction(e);
}

/// The index that a blank `{}` of an element of type \p element, or one in its
/// index, stands for; null after a report.
const Expr *Checker::inheritedIndex(Type element, SourceRange range) {
  if (definedIndex)
    return definedIndex;
  if (element == Type::Region)
    return levelOfCover(rankOf(element), range);
  if (appliedArray)
    return levelOfArray(*appliedArray, range);
  if (appliedRegion)
    return levelOf(*appliedRegion, range);
  diags.report(range, Diag::MultiNothing, diags.sources().text(range)).done();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

/// The index of the reference \p e to an indexed array with one dimension,
/// whose index type is \p index; \p inherited gives what `{}` stands for. Its
/// type is Error after a report.
const Expr *Checker::multiIndex(const ast::Multi &e, Type index,
                                llvm::function_ref<const Expr *()> inherited) {
  const Expr *parameter = nullptr;
  if (!e.index || mentionsParameter(*e.index)) {
    parameter = inherited();
    if (!parameter)
      return build.error(e.range);
  }
  if (!e.index)
    return parameter;
  llvm::SaveAndRestore<const Expr *> outer(multiParameter, parameter);
  return subscriptValue(*e.index, index, diags.sources().text(e.base->range));
}

/// `Level{i}`, `step{}`.
const Expr *Checker::multiElement(const ast::Multi &e, unsigned &levels) {
  const Expr *base = designator(*e.base, levels);
  if (isError(base))
    return base;
  if (const ArrayExpr *family = unfinishedMember(base))
    return multiMember(e, *family);
  Type type = base->type;
  Type element = type == Type::Array ? type.info()->element : Type(Type::Error);
  if ((element != Type::Region && element != Type::Direction) ||
      type.info()->lo.size() != 1 || type.info()->index[0] == Type::Enum) {
    auto report = diags.report(e.range, Diag::NotMulti,
                               diags.sources().text(e.base->range), text(type));
    if (auto *variable = llvm::dyn_cast<VariableExpr>(rootOf(base)))
      report.note(variable->variable->range, Diag::DeclaredHere,
                  variable->variable->name);
    return build.error(e.range);
  }
  const Expr *index = multiIndex(e, type.info()->index[0], [&] {
    return inheritedIndex(element, e.range);
  });
  llvm::StringRef written = diags.sources().text(e.base->range);
  if (isError(index) || !checkBounds(index, *base, 0, written))
    return build.error(e.range);
  return build.subscript(base, index, written, e.range);
}

/// `{}` alone.
const Expr *Checker::multiParam(const ast::MultiParam &e) {
  const Expr *stands = multiParameter ? multiParameter : definedIndex;
  if (stands)
    return build.cast(stands, Type::Integer);
  diags.report(e.range, Diag::MultiParameter).done();
  return build.error(e.range);
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

/// The indices of the definition of a multi-region, -direction or -array, with
/// \p text as written; \p value may say the range. None after a report.
std::optional<DimType> Checker::multiRange(const ast::DefinedName &name,
                                           const ast::Expr &value,
                                           std::string &text) {
  const ast::MultiRange &multi = *name.multi;
  if (multi.lo)
    return dimType({multi.lo, multi.hi, multi.range}, multi.range, text);
  const ast::Multi *from = firstBlank(value);
  Type type = from ? designatedType(*from->base) : Type(Type::Error);
  if (type == Type::Array && type.info()->lo.size() == 1) {
    text = type.info()->boundsText;
    return DimType{type.info()->lo[0], type.info()->hi[0],
                   type.info()->index[0]};
  }
  diags.report(multi.range, Diag::MultiRange, name.text).done();
  return std::nullopt;
}

/// Declares an indexed array of regions or directions, whose elements are what
/// \p value is for each index.
void Checker::multiDefinition(const ast::DefinedName &name, Type::Kind kind,
                              const ast::Expr &value) {
  std::string text;
  std::optional<DimType> dim = multiRange(name, value, text);
  Type element = typeFrom(value, kind);
  if (!dim || element == Type::Error) {
    unsigned errors = diags.errors();
    llvm::SaveAndRestore<const Expr *> index(
        definedIndex, build.integer(0, Type::Longint, name.range));
    if (kind == Type::Region)
      region(value, 0);
    else
      direction(value);
    if (dim && diags.errors() == errors)
      diags
          .report(value.range,
                  kind == Type::Region ? Diag::NotARegion : Diag::NotADirection)
          .done();
    return declareDummy(name);
  }
  auto *variable = program.make<Variable>(name.text, name.range);
  variable->type = types.array(element, *dim, text);
  variable->isConst = true;
  variable->storage = current ? Storage::Local : Storage::Global;
  Blanks over;
  over.isPromotion = true;
  over.depth = 1;
  llvm::SaveAndRestore<Blanks *> outer(blanks, &over);
  leadWith(variable->type, name.text, value.range);
  llvm::SaveAndRestore<const Expr *> index(
      definedIndex,
      program.make<VariableExpr>(loopVariable(0, 0, value.range), value.range));
  const Expr *made = typedValue(value, element);
  if (isError(made))
    return declareDummy(name);
  const Expr *target = elementOf(
      program.make<VariableExpr>(variable, name.range), 0, name.range);
  repeat(over, {assignment(target, made, value.range)}, value.range,
         variable->setup);
  add(variable);
}

} // namespace zpl::sema
