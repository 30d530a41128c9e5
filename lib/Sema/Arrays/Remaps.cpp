//===- Remaps.cpp - Gathers and scatters ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     B := A#[Index2, Index1];     the transpose
//     B := A#[k, ];                row k in every row: the blank map is Index2
//     X := P.x#[I];                a part of the elements
//     H#[K] += 1;                  a histogram
//     S := (+<<[R] P)#[Index1, n]; from the values of an expression
//
// The maps have one rank, that of the result; where none is an array with a
// rank of its own, the remap is like an expression of Index1 ... and takes the
// rank of what it meets. In a scatter it meets the value, else the innermost
// visible scope.
//
// `A#[I] op= e` is `a := a op b` for each source element b in turn, so what it
// computes is an expression of two hidden variables, the old value and the new
// one, with the conversions of `a op= b`.
//
// The source is an array, or a part of its elements; maps name indices of its
// declared region. What another expression gathers from is its values over the
// covering region of its rank: it is passed, with the maps, to a hidden
// function of whose parameter `source` it becomes the value.
//
// Cost: linear in the expression.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Remaps.h"
#include "Arrays/Blanks.h"
#include "Arrays/Scopes.h"
#include "Check/Calls.h"
#include "Check/Checking.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/Operators.h"
#include "Program/Free.h"
#include "Statements/Assign.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"

namespace zpl::sema {

struct Maps {
  llvm::SmallVector<Map, 6> list;
  unsigned rank = 0, minRank = 0; ///< as of an expression
};

/// Whether \p place is a whole array, or a part of its elements that is the
/// same for all.
static bool isWholeArray(const Expr *place) {
  auto *array = llvm::dyn_cast<ArrayExpr>(rootOf(place));
  if (!array || !array->direction.empty())
    return false;
  while (place != array) {
    auto *field = llvm::dyn_cast<FieldExpr>(place);
    auto *element = llvm::dyn_cast<SubscriptExpr>(place);
    if (element && llvm::any_of(element->subscripts, [](const Expr *index) {
          return index->isArray();
        }))
      return false;
    place = field ? field->base : element->base;
  }
  return true;
}

static const Expr *gatherFrom(Checking &c, const Expr &source, unsigned rank,
                              const Maps &maps, SourceRange range);

/// A map as written; of type Error after a report.
static const Expr *mapValue(Checking &c, const ast::Expr &e) {
  const Expr *value = checkExpr(c, e);
  if (isError(value) || reportFree(c, value))
    return c.build.error(e.range);
  if (!isIntegral(value->type)) {
    c.diags.report(e.range, Diag::IndexType, "map", text(value->type)).done();
    return c.build.error(e.range);
  }
  return c.build.cast(value, indexTypeOf(value->type));
}

/// The maps of a remap of something of rank \p rank; none after a report.
static std::optional<Maps> checkMaps(Checking &c, const ast::Remap &e,
                                     unsigned rank, const Expr *source) {
  Maps made;
  bool isFine = e.maps.size() == rank;
  if (!isFine) {
    auto *array = llvm::dyn_cast<ArrayExpr>(rootOf(source));
    auto report = c.diags.report(e.range, Diag::MapCount,
                                 c.diags.sources().text(e.base->range), rank,
                                 llvm::formatv("{0} map{1}", e.maps.size(),
                                               e.maps.size() == 1 ? "" : "s")
                                     .str());
    if (array)
      report.note(array->array->range, Diag::DeclaredHere, array->array->name);
  }
  const Expr *lead = nullptr; // a map with a rank
  for (const ast::Expr *written : e.maps) {
    Map map = written ? mapValue(c, *written) : nullptr;
    made.list.push_back(map);
    if (!map)
      continue;
    isFine &= !isError(map);
    if (!lead && map->isArray() && map->rank != Expr::AnyRank)
      lead = map;
  }
  if (!isFine)
    return std::nullopt;
  made.rank = lead ? lead->rank : Expr::AnyRank;
  for (unsigned d = 0; d != rank; ++d) {
    Map map = made.list[d];
    made.minRank = std::max(made.minRank, map ? map->minRank : d + 1);
    if (!lead)
      continue;
    if (map && !haveConformingRanks(c, lead, map, map->range))
      return std::nullopt;
    if (!map && d >= lead->rank) {
      c.diags.report(e.range, Diag::BlankMap, d + 1, lead->rank)
          .highlight(lead->range);
      return std::nullopt;
    }
  }
  return made;
}

const Expr *checkGather(Checking &c, const ast::Remap &e) {
  const Expr *source = checkPlace(c, *e.base);
  bool isWrong = isError(source) || reportFree(c, source);
  if (!isWrong && !source->isArray()) {
    c.diags.report(e.base->range, Diag::RemapOfValue).done();
    isWrong = true;
  }
  // What is made of Index1 ... has the rank that the maps say.
  unsigned rank = source->rank;
  if (isWrong || rank == Expr::AnyRank)
    rank = std::min<size_t>(e.maps.size(), MaxRank);
  std::optional<Maps> made = checkMaps(c, e, rank, source);
  if (!made || isWrong || !fitsRank(c, source, rank))
    return c.build.error(e.range);
  if (!isWholeArray(source))
    return gatherFrom(c, *source, rank, *made, e.range);
  auto *node =
      c.program.make<GatherExpr>(source, made->list, made->rank, e.range);
  node->minRank = made->minRank;
  node->text = c.diags.sources().text(e.range).str();
  return node;
}

/// The rank of a gather that must be known now; 0 after a report.
static unsigned gatheredRank(Checking &c, const Maps &maps, SourceRange range) {
  if (maps.rank != Expr::AnyRank)
    return maps.rank;
  if (c.statementRank >= std::max(maps.minRank, 1U))
    return c.statementRank;
  return visibleRank(c, maps.minRank, range);
}

/// A gather from the values of an expression: the call of
///
///     procedure remap(source: [ , ] T; map: [ , ] integer; ...): [ , ] T;
///     return source#[map, Index2, ...];
static const Expr *gatherFrom(Checking &c, const Expr &source, unsigned rank,
                              const Maps &maps, SourceRange range) {
  unsigned resultRank = gatheredRank(c, maps, range);
  if (resultRank == 0)
    return c.build.error(range);
  auto *procedure = c.program.make<Procedure>("remap", range);
  procedure->result = source.type;
  procedure->resultRank = resultRank;
  auto *call = c.program.make<CallExpr>(procedure, range);
  call->rank = resultRank;
  auto parameter = [&](llvm::StringRef name, const Expr &arg, unsigned rank) {
    Builder::settle(arg, rank);
    auto *array = c.program.make<Array>(name, arg.range);
    array->element = arg.type;
    array->rank = rank;
    array->storage = Storage::Param;
    procedure->params.push_back(array);
    call->args.push_back(&arg);
    auto *use = c.program.make<ArrayExpr>(array, arg.range);
    use->text = c.diags.sources().text(arg.range).str();
    return use;
  };
  llvm::SmallVector<Map, 6> own;
  const Expr *from = parameter("source", source, rank);
  for (const auto &[d, map] : llvm::enumerate(maps.list)) {
    std::string name = llvm::formatv("map{0}", d + 1).str();
    own.push_back(map);
    if (!map || llvm::isa<LiteralExpr, IndexExpr>(map))
      continue;
    if (map->isArray()) {
      own.back() = parameter(name, *map, resultRank);
      continue;
    }
    auto *scalar = c.program.make<Variable>(name, map->range);
    scalar->type = map->type;
    scalar->storage = Storage::Param;
    procedure->params.push_back(scalar);
    call->args.push_back(map);
    own.back() = c.program.make<VariableExpr>(scalar, map->range);
  }
  auto *value = c.program.make<GatherExpr>(from, own, resultRank, range);
  value->text = c.diags.sources().text(range).str();
  procedure->body = c.program.make<ReturnStmt>(value, resultRank, range);
  procedure->bodyRange = range;
  c.program.procedures.push_back(procedure);
  call->copies.assign(call->args.size(), false);
  return call;
}

/// The rank of a scatter; 0 after a report.
static unsigned scatterRank(Checking &c, const Maps &maps, const Expr *value,
                            SourceRange range) {
  bool hasRank = value->isArray() && value->rank != Expr::AnyRank;
  if (maps.rank == Expr::AnyRank) {
    unsigned least = std::max(maps.minRank, value->minRank);
    if (!hasRank)
      return visibleRank(c, least, range);
    if (value->rank >= least)
      return value->rank;
    c.diags.report(range, Diag::NeedsRank, least, value->rank).done();
    return 0;
  }
  if (hasRank && value->rank != maps.rank) {
    c.diags.report(value->range, Diag::ScatterRank, value->rank, maps.rank)
        .done();
    return 0;
  }
  return fitsRank(c, value, maps.rank) ? maps.rank : 0;
}

bool checkScatter(Checking &c, const ast::AssignStmt &s, const ast::Remap &e,
                  StmtList &to) {
  const Expr *target = checkPlace(c, *e.base);
  const Expr *value = checkExpr(c, *s.value);
  if (isError(target) || isError(value) || reportFree(c, value))
    return false;
  if (!isWholeArray(target)) {
    c.diags.report(e.base->range, Diag::ScatteredValue).done();
    return false;
  }
  const Array &array = *llvm::cast<ArrayExpr>(rootOf(target))->array;
  if (!checkWritable(c, array, e.base->range, false))
    return false;
  std::optional<Maps> made = checkMaps(c, e, array.rank, target);
  unsigned rank = made ? scatterRank(c, *made, value, s.range) : 0;
  if (rank == 0)
    return false;
  auto *node =
      c.program.make<ScatterStmt>(target, made->list, rank, value, s.range);
  node->text = c.diags.sources().text(e.range).str();
  if (!s.op) {
    node->value = convert(c, value, target->type);
  } else {
    node->oldValue = hiddenVariable(c, "old", target->type, s.range);
    node->newValue = hiddenVariable(c, "new", value->type, s.range);
    node->combine = combinedValue(
        c, s, c.program.make<VariableExpr>(node->oldValue, s.range),
        c.program.make<VariableExpr>(node->newValue, s.range), value);
    if (!isError(node->combine) && node->combine->type != target->type)
      node->combine = convert(c, node->combine, target->type);
  }
  if (isError(node->value) || (node->combine && isError(node->combine)))
    return false;
  Builder::settle(*node->value, rank);
  for (Map map : node->maps)
    if (map)
      Builder::settle(*map, rank);
  to.push_back(node);
  return true;
}

} // namespace zpl::sema
