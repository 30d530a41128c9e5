//===- Blanks.cpp - Blank references --------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var a: array [1..n] of double;
//         b: array [0..n-1] of array [1..2] of point;
//
//     b[][].x := a[] ...      one level on the right, two on the left: an error
//     a[] := b[][1].x + index1;
//
// becomes, with a hidden variable i,
//
//     check-shape n, n
//     for i := 1 to n do  a[i] := b[i + (0 - 1)][1].x + integer(i);  end;
//
// Each `[]` is one level of arrays within arrays, with one loop per dimension;
// nested levels and later dimensions run faster. The first reference that is
// met leads: its bounds are those of the loops. The others must have the same
// extents; where they begin elsewhere, their subscripts are moved. Extents that
// are not constants are compared at run time, before the loops. `index2` is the
// position in the leading reference, `index1[2]` that at the second level.
//
// An initializer `= index2 * 2` is promoted in the same way: the variable leads
// with all its levels, and the loops go as deep as the value needs.
//
// Cost: linear in the statement.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Blanks.h"
#include "Check/FirstValues.h"

#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

Variable *Checker::hiddenVariable(llvm::StringRef name, Type type,
                                  SourceRange range) {
  return makeHidden(*this, name, type, range);
}

/// The variable of the loop over dimension \p dim of \p level.
Variable *Checker::loopVariable(unsigned level, unsigned dim,
                                SourceRange range) {
  auto &levels = blanks->levels;
  if (levels.size() <= level)
    levels.resize(level + 1);
  auto &variables = levels[level].variables;
  if (variables.size() <= dim)
    variables.resize(dim + 1);
  if (!variables[dim])
    variables[dim] = hiddenVariable(llvm::formatv("index{0}", dim + 1).str(),
                                    Type::Longint, range);
  return variables[dim];
}

/// hi - lo + 1.
const Expr *Checker::extentExpr(const TypeInfo &info, unsigned dim,
                                SourceRange range) {
  const Expr *last = build.binary(BinaryOp::Sub, boundExpr(info.hi[dim], range),
                                  boundExpr(info.lo[dim], range), range);
  return build.binary(BinaryOp::Add, last,
                      build.integer(1, Type::Longint, range), range);
}

/// Whether a reference may follow the leading one of its level. Extents that
/// are not known are compared by the run.
bool Checker::followsShape(const TypeInfo &info, unsigned level,
                           llvm::StringRef written, SourceRange range) {
  const Blanks::Level &lead = blanks->levels[level];
  bool agrees = info.lo.size() == lead.array->lo.size();
  for (unsigned dim = 0; agrees && dim != info.lo.size(); ++dim) {
    if (info.lo[dim] == lead.array->lo[dim] &&
        info.hi[dim] == lead.array->hi[dim])
      continue;
    std::optional<int64_t> a = extentOf(*lead.array, dim);
    std::optional<int64_t> b = extentOf(info, dim);
    agrees = !a || !b || *a == *b;
    if (!a || !b)
      blanks->checks.push_back(program.make<CheckShapeStmt>(
          extentExpr(*lead.array, dim, range), lead.text,
          extentExpr(info, dim, range), written.str(), dim, range));
  }
  if (!agrees)
    diags
        .report(range, Diag::BlankShape, written, info.boundsText, lead.text,
                lead.array->boundsText)
        .done();
  return agrees;
}

/// `base[]` at \p level, which goes up by one.
const Expr *Checker::blankSubscript(const Expr *base, SourceRange range,
                                    unsigned &level) {
  if (!isIndexed(base, base->type, range))
    return build.error(range);
  if (!blanks) {
    diags.report(range, Diag::BlankOutside).done();
    return build.error(range);
  }
  const TypeInfo &info = *base->type.info();
  llvm::StringRef written = diags.sources().text(range);
  for (unsigned dim = 0; dim != info.lo.size(); ++dim)
    loopVariable(level, dim, range);
  Blanks::Level &lead = blanks->levels[level];
  if (!lead.array) {
    lead.array = &info;
    lead.text = written.str();
  } else if (!followsShape(info, level, written, range)) {
    return build.error(range);
  }
  return elementOf(base, level++, range);
}

/// The element of \p base at the position of the loops of \p level.
const Expr *Checker::elementOf(const Expr *base, unsigned level,
                               SourceRange range) {
  const TypeInfo &info = *base->type.info();
  const TypeInfo &lead = *blanks->levels[level].array;
  llvm::SmallVector<const Expr *, 2> subscripts;
  for (unsigned dim = 0; dim != info.lo.size(); ++dim) {
    const Expr *index =
        program.make<VariableExpr>(loopVariable(level, dim, range), range);
    if (info.lo[dim] != lead.lo[dim])
      index = build.binary(BinaryOp::Add, index,
                           build.binary(BinaryOp::Sub,
                                        boundExpr(info.lo[dim], range),
                                        boundExpr(lead.lo[dim], range), range),
                           range);
    subscripts.push_back(index);
  }
  if (const ArrayExpr *family = unfinishedMember(base))
    return memberOf(*family, subscripts, range);
  return build.subscript(base, subscripts, diags.sources().text(base->range),
                         range);
}

/// A designator with \p levels blank references ends.
bool Checker::endDesignator(unsigned levels, SourceRange range) {
  if (levels == 0 || !blanks)
    return true;
  if (blanks->isPromotion) {
    blanks->depth = std::max(blanks->depth, levels);
    return true;
  }
  if (blanks->depth == 0)
    blanks->depth = levels;
  if (blanks->depth == levels)
    return true;
  diags.report(range, Diag::BlankLevels, levels, blanks->depth).done();
  return false;
}

/// `index2`, `index1[2]`: \p dim and \p level count from 0.
const Expr *Checker::positionIndex(unsigned dim, unsigned level,
                                   SourceRange range) {
  if (!blanks || level >= MaxBlankLevels) {
    diags.report(range, Diag::PositionOutside, diags.sources().text(range))
        .done();
    return build.error(range);
  }
  blanks->positions.push_back({range, dim, level});
  if (blanks->isPromotion)
    blanks->depth = std::max(blanks->depth, level + 1);
  Variable *variable = loopVariable(level, dim, range);
  return build.cast(program.make<VariableExpr>(variable, range), Type::Integer);
}

/// `index1[2]`
const Expr *Checker::positionAtLevel(const ast::Subscript &e, unsigned dim) {
  auto *level = e.indices.size() == 1
                    ? llvm::dyn_cast<ast::IntLiteral>(e.indices[0])
                    : nullptr;
  uint64_t depth = level ? level->value : 0;
  return positionIndex(
      dim, depth == 0 || depth > MaxBlankLevels ? MaxBlankLevels : depth - 1,
      e.range);
}

/// Whether all positions are those of loops.
bool Checker::checkPositions(const Blanks &over) {
  bool isFine = true;
  for (const Blanks::Position &position : over.positions) {
    llvm::StringRef written = diags.sources().text(position.range);
    const TypeInfo *array = position.level < over.depth
                                ? over.levels[position.level].array
                                : nullptr;
    if (array && position.dim < array->lo.size())
      continue;
    isFine = false;
    if (!array)
      diags.report(position.range, Diag::PositionOutside, written).done();
    else
      diags
          .report(position.range, Diag::PositionDimension, written,
                  llvm::formatv("{0} dimension{1}", array->lo.size(),
                                array->lo.size() == 1 ? "" : "s")
                      .str())
          .done();
  }
  return isFine;
}

void Checker::repeat(Blanks &over, StmtList body, SourceRange range,
                     StmtList &to) {
  if (!checkPositions(over))
    return;
  to.insert(to.end(), over.checks.begin(), over.checks.end());
  body.insert(body.begin(), over.firsts.begin(), over.firsts.end());
  for (unsigned level = over.depth; level-- != over.given;) {
    const TypeInfo &array = *over.levels[level].array;
    for (unsigned dim = array.lo.size(); dim-- != 0;) {
      Variable *variable = over.levels[level].variables[dim];
      auto *loop = program.make<ForStmt>(
          program.make<VariableExpr>(variable, range),
          boundExpr(array.lo[dim], range), boundExpr(array.hi[dim], range),
          build.integer(1, Type::Longint, range), /*down=*/false, range);
      loop->body = std::move(body);
      body = {loop};
    }
  }
  to.insert(to.end(), body.begin(), body.end());
}

/// Makes the levels of \p type, down to its innermost elements, lead; the
/// outermost one is number \p first.
void Checker::leadWith(Type type, llvm::StringRef written, SourceRange range,
                       unsigned first) {
  for (unsigned level = first; type == Type::Array; ++level) {
    const TypeInfo &info = *type.info();
    for (unsigned dim = 0; dim != info.lo.size(); ++dim)
      loopVariable(level, dim, range);
    blanks->levels[level].array = &info;
    blanks->levels[level].text = written.str();
    type = info.element;
  }
}

void Checker::promoteOver(const Expr *target, const ast::Expr &init,
                          StmtList &to) {
  if (wrongPromotions.contains(&init)) // for another name of the definition
    return;
  unsigned errors = diags.errors();
  promote(target, init, to);
  if (diags.errors() != errors)
    wrongPromotions.insert(&init);
}

void Checker::promote(const Expr *target, const ast::Expr &init, StmtList &to) {
  Blanks over;
  over.isPromotion = true;
  llvm::SaveAndRestore<Blanks *> outer(blanks, &over);
  SourceRange range = init.range;
  const Expr *root = rootOf(target);
  auto *array = llvm::dyn_cast<ArrayExpr>(root);
  if (array && array->array->family != Type::Error)
    leadWithMember(*array->array);
  leadWith(target->type,
           array ? array->array->name
                 : llvm::cast<VariableExpr>(root)->variable->name,
           range, over.given);
  unsigned known = over.levels.size();
  Type innermost = innermostElement(target->type);
  bool isValue = (innermost == Type::Region || innermost == Type::Direction) &&
                 kindOf(init) != Type::Error;
  const Expr *value = isValue ? typedValue(init, innermost)
                      : array ? initialElements(init, array->rank)
                              : expr(init);
  if (over.depth > known) {
    over.depth = known;
    checkPositions(over);
    return;
  }
  if (isError(value) || !checkAssigned(value, target, range))
    return;
  Type type = target->type;
  unsigned depth = over.given;
  for (; type == Type::Array; ++depth) {
    if (depth >= over.depth && value->type == type)
      break;
    type = type.info()->element;
  }
  over.depth = depth;
  for (unsigned level = over.given; level != depth; ++level)
    target = elementOf(target, level, range);
  value = convert(value, target->type);
  if (!isError(value))
    repeat(over, {assignment(target, value, range)}, range, to);
}

} // namespace zpl::sema
