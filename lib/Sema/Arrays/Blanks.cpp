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
#include "Arrays/Families.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/FirstValues.h"
#include "Check/Operators.h"
#include "Check/Values.h"
#include "Statements/Assign.h"
#include "Statements/Initializers.h"
#include "Types/ValueTypes.h"

#include "Check/Calls.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

static void promote(Checking &c, const Expr *target, const ast::Expr &init,
                    StmtList &to);

Variable *hiddenVariable(Checking &c, llvm::StringRef name, Type type,
                         SourceRange range) {
  return makeHidden(c, name, type, range);
}

Variable *loopVariable(Checking &c, unsigned level, unsigned dim,
                       SourceRange range) {
  auto &levels = c.blanks->levels;
  if (levels.size() <= level)
    levels.resize(level + 1);
  auto &variables = levels[level].variables;
  if (variables.size() <= dim)
    variables.resize(dim + 1);
  if (!variables[dim])
    variables[dim] = hiddenVariable(c, llvm::formatv("index{0}", dim + 1).str(),
                                    Type::Longint, range);
  return variables[dim];
}

const Expr *extentExpr(Checking &c, const TypeInfo &info, unsigned dim,
                       SourceRange range) {
  const Expr *last =
      c.build.binary(BinaryOp::Sub, boundExpr(c, info.hi[dim], range),
                     boundExpr(c, info.lo[dim], range), range);
  return c.build.binary(BinaryOp::Add, last,
                        c.build.integer(1, Type::Longint, range), range);
}

bool followsShape(Checking &c, const TypeInfo &info, unsigned level,
                  llvm::StringRef written, SourceRange range) {
  const Blanks::Level &lead = c.blanks->levels[level];
  bool agrees = info.lo.size() == lead.array->lo.size();
  for (unsigned dim = 0; agrees && dim != info.lo.size(); ++dim) {
    if (info.lo[dim] == lead.array->lo[dim] &&
        info.hi[dim] == lead.array->hi[dim])
      continue;
    std::optional<int64_t> a = extentOf(*lead.array, dim);
    std::optional<int64_t> b = extentOf(info, dim);
    agrees = !a || !b || *a == *b;
    if (!a || !b)
      c.blanks->checks.push_back(c.program.make<CheckShapeStmt>(
          extentExpr(c, *lead.array, dim, range), lead.text,
          extentExpr(c, info, dim, range), written.str(), dim, range));
  }
  if (!agrees)
    c.diags
        .report(range, Diag::BlankShape, written, info.boundsText, lead.text,
                lead.array->boundsText)
        .done();
  return agrees;
}

const Expr *blankSubscript(Checking &c, const Expr *base, SourceRange range,
                           unsigned &level) {
  if (!isIndexed(c, base, base->type, range))
    return c.build.error(range);
  if (!c.blanks) {
    c.diags.report(range, Diag::BlankOutside).done();
    return c.build.error(range);
  }
  const TypeInfo &info = *base->type.info();
  llvm::StringRef written = c.diags.sources().text(range);
  for (unsigned dim = 0; dim != info.lo.size(); ++dim)
    loopVariable(c, level, dim, range);
  Blanks::Level &lead = c.blanks->levels[level];
  if (!lead.array) {
    lead.array = &info;
    lead.text = written.str();
  } else if (!followsShape(c, info, level, written, range)) {
    return c.build.error(range);
  }
  return elementOf(c, base, level++, range);
}

const Expr *elementOf(Checking &c, const Expr *base, unsigned level,
                      SourceRange range) {
  const TypeInfo &info = *base->type.info();
  const TypeInfo &lead = *c.blanks->levels[level].array;
  llvm::SmallVector<const Expr *, 2> subscripts;
  for (unsigned dim = 0; dim != info.lo.size(); ++dim) {
    const Expr *index =
        c.program.make<VariableExpr>(loopVariable(c, level, dim, range), range);
    if (info.lo[dim] != lead.lo[dim])
      index = c.build.binary(
          BinaryOp::Add, index,
          c.build.binary(BinaryOp::Sub, boundExpr(c, info.lo[dim], range),
                         boundExpr(c, lead.lo[dim], range), range),
          range);
    subscripts.push_back(index);
  }
  if (const ArrayExpr *family = unfinishedMember(base))
    return memberOf(c, *family, subscripts, range);
  return c.build.subscript(base, subscripts,
                           c.diags.sources().text(base->range), range);
}

bool endDesignator(Checking &c, unsigned levels, SourceRange range) {
  if (levels == 0 || !c.blanks)
    return true;
  if (c.blanks->isPromotion) {
    c.blanks->depth = std::max(c.blanks->depth, levels);
    return true;
  }
  if (c.blanks->depth == 0)
    c.blanks->depth = levels;
  if (c.blanks->depth == levels)
    return true;
  c.diags.report(range, Diag::BlankLevels, levels, c.blanks->depth).done();
  return false;
}

const Expr *positionIndex(Checking &c, unsigned dim, unsigned level,
                          SourceRange range) {
  if (!c.blanks || level >= MaxBlankLevels) {
    c.diags.report(range, Diag::PositionOutside, c.diags.sources().text(range))
        .done();
    return c.build.error(range);
  }
  c.blanks->positions.push_back({range, dim, level});
  if (c.blanks->isPromotion)
    c.blanks->depth = std::max(c.blanks->depth, level + 1);
  Variable *variable = loopVariable(c, level, dim, range);
  return c.build.cast(c.program.make<VariableExpr>(variable, range),
                      Type::Integer);
}

const Expr *positionAtLevel(Checking &c, const ast::Subscript &e,
                            unsigned dim) {
  auto *level = e.indices.size() == 1
                    ? llvm::dyn_cast<ast::IntLiteral>(e.indices[0])
                    : nullptr;
  uint64_t depth = level ? level->value : 0;
  return positionIndex(
      c, dim, depth == 0 || depth > MaxBlankLevels ? MaxBlankLevels : depth - 1,
      e.range);
}

bool checkPositions(Checking &c, const Blanks &over) {
  bool isFine = true;
  for (const Blanks::Position &position : over.positions) {
    llvm::StringRef written = c.diags.sources().text(position.range);
    const TypeInfo *array = position.level < over.depth
                                ? over.levels[position.level].array
                                : nullptr;
    if (array && position.dim < array->lo.size())
      continue;
    isFine = false;
    if (!array)
      c.diags.report(position.range, Diag::PositionOutside, written).done();
    else
      c.diags
          .report(position.range, Diag::PositionDimension, written,
                  llvm::formatv("{0} dimension{1}", array->lo.size(),
                                array->lo.size() == 1 ? "" : "s")
                      .str())
          .done();
  }
  return isFine;
}

void repeat(Checking &c, Blanks &over, StmtList body, SourceRange range,
            StmtList &to) {
  if (!checkPositions(c, over))
    return;
  to.insert(to.end(), over.checks.begin(), over.checks.end());
  body.insert(body.begin(), over.firsts.begin(), over.firsts.end());
  for (unsigned level = over.depth; level-- != over.given;) {
    const TypeInfo &array = *over.levels[level].array;
    for (unsigned dim = array.lo.size(); dim-- != 0;) {
      Variable *variable = over.levels[level].variables[dim];
      auto *loop = c.program.make<ForStmt>(
          c.program.make<VariableExpr>(variable, range),
          boundExpr(c, array.lo[dim], range),
          boundExpr(c, array.hi[dim], range),
          c.build.integer(1, Type::Longint, range), /*down=*/false, range);
      loop->body = std::move(body);
      body = {loop};
    }
  }
  to.insert(to.end(), body.begin(), body.end());
}

void leadWith(Checking &c, Type type, llvm::StringRef written,
              SourceRange range, unsigned first) {
  for (unsigned level = first; type == Type::Array; ++level) {
    const TypeInfo &info = *type.info();
    for (unsigned dim = 0; dim != info.lo.size(); ++dim)
      loopVariable(c, level, dim, range);
    c.blanks->levels[level].array = &info;
    c.blanks->levels[level].text = written.str();
    type = info.element;
  }
}

void promoteOver(Checking &c, const Expr *target, const ast::Expr &init,
                 StmtList &to) {
  if (c.handled.promotions.contains(
          &init)) // for another name of the definition
    return;
  unsigned errors = c.diags.errors();
  promote(c, target, init, to);
  if (c.diags.errors() != errors)
    c.handled.promotions.insert(&init);
}

static void promote(Checking &c, const Expr *target, const ast::Expr &init,
                    StmtList &to) {
  Blanks over;
  over.isPromotion = true;
  llvm::SaveAndRestore<Blanks *> outer(c.blanks, &over);
  SourceRange range = init.range;
  const Expr *root = rootOf(target);
  auto *array = llvm::dyn_cast<ArrayExpr>(root);
  if (array && array->array->family != Type::Error)
    leadWithMember(c, *array->array);
  leadWith(c, target->type,
           array ? array->array->name
                 : llvm::cast<VariableExpr>(root)->variable->name,
           range, over.given);
  unsigned known = over.levels.size();
  Type innermost = innermostElement(target->type);
  bool isValue = (innermost == Type::Region || innermost == Type::Direction) &&
                 kindOf(c, init) != Type::Error;
  const Expr *value = isValue ? typedValue(c, init, innermost)
                      : array ? initialElements(c, init, array->rank)
                              : checkExpr(c, init);
  if (over.depth > known) {
    over.depth = known;
    checkPositions(c, over);
    return;
  }
  if (isError(value) || !checkAssigned(c, value, target, range))
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
    target = elementOf(c, target, level, range);
  value = convert(c, value, target->type);
  if (!isError(value))
    repeat(c, over, {assignment(c, target, value, range)}, range, to);
}

} // namespace zpl::sema
