//===- StatementCosts.cpp - What statements send --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] New := (A@north + A@east) / 2.0;   -- R = [1..n, 1..m]
//
//     @  1 message of m/p2*8 B, 1 message of n/p1*8 B
//
// In ZPL's model the operators alone tell what communicates. A direction with k
// components that are not 0 takes the elements of up to 2^k - 1 neighbours: of
// each set of those dimensions one message with |component| layers in them and
// a processor's part of the covering region in the others. Full reductions and
// scans combine a value or a line of values over the processors, floods spread
// a part, remaps send each element to where its index lies. p1, p2 ... are the
// extents of the processor grid, which only the run knows, as it knows what is
// still there from a statement before: the counts are upper bounds for blocks.
//
// All of this is read from the checked program, statement by statement, with
// the covering region of each rank. Cost: linear in the program.
//
//===----------------------------------------------------------------------===//

#include "zpl/StatementCosts/StatementCosts.h"
#include "zpl/Sema/Program.h"
#include "zpl/Sema/Tree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>
#include <tuple>

using namespace llvm;

namespace zpl {

namespace {
/// A covering region; its blank dimensions are those of the one around it.
struct Cover {
  const sema::RegionExpr *region;
  const Cover *outer; ///< null: the caller's
};

/// What is collected, and where in the program we are.
struct Collecting {
  const SourceManager &sources;
  std::vector<StatementCost> costs;
  std::set<std::tuple<uint32_t, uint32_t, std::string>>
      seen; ///< instances repeat bodies
  std::array<const Cover *, sema::MaxRank + 1> covers{}; ///< null: the caller's
  SourceRange statement;
};
} // namespace

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

static std::string sizeText(sema::Type type) {
  if (type.isNumeric() || type == sema::Type::Enum)
    return std::to_string(sema::scalarBytes(type)) + " B";
  return "sizeof(" + sema::text(type) + ")";
}

static std::optional<int64_t> literal(const sema::Expr *e) {
  while (auto *cast = dyn_cast_or_null<sema::CastExpr>(e))
    e = cast->operand;
  if (auto *value = dyn_cast_or_null<sema::LiteralExpr>(e))
    return value->integer;
  return std::nullopt;
}

/// An expression as written, in parentheses if it has operators.
static std::string exprText(const Collecting &c, const sema::Expr *e) {
  if (std::optional<int64_t> value = literal(e))
    return std::to_string(*value);
  if (!e->range.isValid())
    return "";
  StringRef text = c.sources.text(e->range).trim();
  if (all_of(text, [](char x) { return isAlnum(x) || x == '_' || x == '.'; }))
    return text.str();
  return "(" + text.str() + ")";
}

/// How many indices lo..hi has; empty: nobody can say it shortly.
static std::string extentText(const Collecting &c, const sema::RegionDim &dim) {
  if (dim.kind == sema::RegionDim::Single ||
      dim.kind == sema::RegionDim::Flood || dim.kind == sema::RegionDim::Grid)
    return "1";
  if (dim.kind == sema::RegionDim::Blank || !dim.lo || !dim.hi)
    return "";
  std::optional<int64_t> lo = literal(dim.lo), hi = literal(dim.hi);
  if (lo && hi)
    return std::to_string(std::max<int64_t>(0, *hi - *lo + 1));
  std::string high = exprText(c, dim.hi), low = exprText(c, dim.lo);
  if (high.empty() || low.empty() || (lo && *lo == 1))
    return low.empty() ? "" : high;
  return "(" + high + "-" + low + "+1)";
}

/// The extent of a region in a dimension; "n1": that of the caller's region.
static std::string extentOf(const Collecting &c, const sema::RegionExpr *region,
                            const Cover *outer, unsigned dim,
                            unsigned depth = 0) {
  std::string unknown = "n" + std::to_string(dim + 1);
  if (!region || depth > 50)
    return unknown;
  auto baseExtent = [&] {
    return extentOf(c, region->base, outer, dim, depth + 1);
  };
  switch (region->kind) {
  case sema::RegionExpr::Ref:
    return extentOf(c, region->region->init, outer, dim, depth + 1);
  case sema::RegionExpr::Declared:
    return extentOf(c, region->array->declared, outer, dim, depth + 1);
  case sema::RegionExpr::Dims: {
    std::string text =
        dim < region->dims.size() ? extentText(c, region->dims[dim]) : "";
    bool isBlank = dim < region->dims.size() &&
                   region->dims[dim].kind == sema::RegionDim::Blank;
    if (isBlank && outer)
      return extentOf(c, outer->region, outer->outer, dim, depth + 1);
    return text.empty() ? unknown : text;
  }
  case sema::RegionExpr::Of:
  case sema::RegionExpr::In: {
    std::optional<int64_t> component = dim < region->direction.size()
                                           ? literal(region->direction[dim])
                                           : std::nullopt;
    if (!component)
      return unknown;
    return *component == 0 ? baseExtent()
                           : std::to_string(std::abs(*component));
  }
  case sema::RegionExpr::At:
  case sema::RegionExpr::Where:
  case sema::RegionExpr::Bounds:
    return baseExtent();
  case sema::RegionExpr::By: {
    std::optional<int64_t> step = dim < region->direction.size()
                                      ? literal(region->direction[dim])
                                      : std::nullopt;
    if (!step || *step == 0)
      return unknown;
    return std::abs(*step) == 1
               ? baseExtent()
               : baseExtent() + "/" + std::to_string(std::abs(*step));
  }
  case sema::RegionExpr::Quote:
    return outer ? extentOf(c, outer->region, outer->outer, dim, depth + 1)
                 : unknown;
  case sema::RegionExpr::User:
    return unknown;
  }
  llvm_unreachable("region");
}

/// A processor's part of the covering region in a dimension: "n/p1", "1".
static std::string blockText(const Collecting &c, unsigned rank, unsigned dim) {
  const Cover *cover = c.covers[rank];
  std::string extent = cover ? extentOf(c, cover->region, cover->outer, dim)
                             : "n" + std::to_string(dim + 1);
  return extent == "1" ? extent : extent + "/p" + std::to_string(dim + 1);
}

/// A processor's part in all dimensions: "n/p1*m/p2".
static std::string partText(const Collecting &c, unsigned rank) {
  std::string text;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (std::string block = blockText(c, rank, dim); block != "1")
      text += (text.empty() ? "" : "*") + block;
  return text;
}

static std::string timesSize(std::string factors, sema::Type type) {
  return (factors.empty() ? "" : factors + "*") + sizeText(type);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

using Partners = StatementCost::Partners;

static void add(Collecting &c, Partners partners, SourceRange range,
                StringRef mark, std::string messages, std::string text,
                std::string sides = "") {
  if (c.seen.insert({range.file, range.begin, text}).second)
    c.costs.push_back({c.statement, range, mark, std::move(messages),
                       std::move(text), partners, std::move(sides)});
}

/// As StatementCost::sides.
static std::string sidesOf(const sema::ArrayExpr &e) {
  std::string sides;
  for (const sema::Expr *component : e.direction) {
    std::optional<int64_t> value = literal(component);
    sides += !value ? '?' : *value < 0 ? '-' : *value > 0 ? '+' : '0';
  }
  return sides;
}

/// One message for each set of the dimensions in which \p e leads elsewhere.
static std::string shiftMessages(const Collecting &c, const sema::ArrayExpr &e,
                                 ArrayRef<unsigned> moved) {
  std::map<std::string, unsigned> counts;
  std::vector<std::string> order;
  for (unsigned set = 1; set < 1u << moved.size(); ++set) {
    std::string factors;
    for (unsigned dim = 0; dim < e.rank; ++dim) {
      auto *place = find(moved, dim);
      bool isSide =
          place != moved.end() && (set >> (place - moved.begin()) & 1);
      std::optional<int64_t> component = literal(e.direction[dim]);
      std::string factor = !isSide     ? blockText(c, e.rank, dim)
                           : component ? std::to_string(std::abs(*component))
                                       : "|d" + std::to_string(dim + 1) + "|";
      if (factor != "1")
        factors += (factors.empty() ? "" : "*") + factor;
    }
    std::string size = timesSize(factors, e.type);
    if (counts[size]++ == 0)
      order.push_back(size);
  }
  std::string text;
  for (const std::string &size : order)
    text += (text.empty() ? "" : ", ") + std::to_string(counts[size]) +
            (counts[size] == 1 ? " message of " : " messages of ") + size;
  return text;
}

static void addShift(Collecting &c, const sema::ArrayExpr &e) {
  SmallVector<unsigned, 6> moved;
  for (const auto &[dim, component] : enumerate(e.direction))
    if (std::optional<int64_t> value = literal(component);
        !value || *value != 0)
      moved.push_back(static_cast<unsigned>(dim));
  if (moved.empty())
    return;
  std::string messages = shiftMessages(c, e, moved);
  std::string name = "`" + e.text + "`: ";
  if (e.isPrimed)
    return add(c, Partners::Wave, e.range, "'@", messages,
               name +
                   "wavefront: processors start one behind the other and "
                   "send in tiles, in all " +
                   messages,
               sidesOf(e));
  std::string where;
  for (unsigned dim : moved)
    where += (where.empty() ? "p" : " and p") + std::to_string(dim + 1);
  std::string kind = e.wraps ? "neighbours, around the end" : "neighbours";
  add(c, Partners::Neighbours, e.range, e.wraps ? "@^" : "@", messages,
      name + kind + ", at most " + messages + " for each processor; none if " +
          where + (moved.size() == 1 ? " is 1" : " are 1"),
      sidesOf(e));
}

/// A region as written.
static std::string regionText(const Collecting &c,
                              const sema::RegionExpr &region) {
  if (region.text.empty() && region.range.isValid())
    return c.sources.text(region.range).str();
  return region.text;
}

static void addReduce(Collecting &c, const sema::ReduceExpr &e) {
  if (!e.source) {
    std::string size = sizeText(e.type);
    return add(c, Partners::All, e.range, "<<", "1 reduction of " + size,
               "full reduction: all p processors combine one value of " + size +
                   "; about log2(p) messages one after the other");
  }
  std::string size = timesSize(partText(c, e.source->rank), e.type);
  add(c, Partners::Lines, e.range, "<<", "1 partial reduction of " + size,
      "partial reduction over `" + regionText(c, *e.source) +
          "`: the processors along the reduced dimensions combine lines of at "
          "most " +
          size);
}

static void addFlood(Collecting &c, const sema::FloodExpr &e) {
  std::string size = timesSize(partText(c, e.operand->rank), e.type);
  add(c, Partners::Lines, e.range, ">>", "1 broadcast of " + size,
      "flood: who owns `" + regionText(c, *e.source) +
          "` sends its part, at most " + size +
          ", to the processors along the flooded dimensions");
}

static void addScan(Collecting &c, const sema::ScanExpr &e) {
  std::string size = sizeText(e.type);
  add(c, Partners::Lines, e.range, "||", "1 scan of " + size + " per line",
      "scan: the processors along the scanned dimensions combine one value "
      "of " +
          size + " for each line of elements; about log2(p) messages");
}

static void addRemap(Collecting &c, SourceRange range, unsigned rank,
                     sema::Type type, StringRef what) {
  std::string size = timesSize(partText(c, rank), type);
  add(c, Partners::Pairs, range, "#", "all to all of " + size,
      what.str() +
          ": all to all, each processor sends up to p-1 messages with "
          "in all " +
          size + " and the indices of these elements");
}

static void visitExpr(Collecting &c, const sema::Expr &e) {
  if (auto *array = dyn_cast<sema::ArrayExpr>(&e))
    addShift(c, *array);
  else if (auto *scan = dyn_cast<sema::ScanExpr>(&e))
    addScan(c, *scan);
  else if (auto *gather = dyn_cast<sema::GatherExpr>(&e))
    addRemap(c, e.range, gather->rank, e.type, "remap, a gather");
  auto *reduce = dyn_cast<sema::ReduceExpr>(&e);
  auto *flood = dyn_cast<sema::FloodExpr>(&e);
  const sema::RegionExpr *source = reduce  ? reduce->source
                                   : flood ? flood->source
                                           : nullptr;
  if (reduce)
    addReduce(c, *reduce);
  if (!source)
    return sema::forEachOperand(
        e, [&](const sema::Expr &operand) { visitExpr(c, operand); });
  // What a source covers is evaluated over it.
  Cover cover{source, c.covers[source->rank]};
  c.covers[source->rank] = &cover;
  if (flood)
    addFlood(c, *flood);
  sema::forEachOperand(
      e, [&](const sema::Expr &operand) { visitExpr(c, operand); });
  c.covers[source->rank] = cover.outer;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

static void visitStmt(Collecting &c, const sema::Stmt &s);

static void visitStmts(Collecting &c, const sema::StmtList &list) {
  for (const sema::Stmt *s : list)
    visitStmt(c, *s);
}

/// \p e, if there is one, as what the statement at \p range evaluates.
static void visitTop(Collecting &c, const sema::Expr *e, SourceRange range) {
  c.statement = range;
  if (e)
    visitExpr(c, *e);
}

static void visitScope(Collecting &c, const sema::ScopeStmt &scope) {
  unsigned rank = scope.region->rank;
  Cover cover{scope.region, c.covers[rank]};
  c.covers[rank] = &cover;
  visitTop(c, scope.mask.mask, scope.region->range);
  visitStmt(c, *scope.body);
  c.covers[rank] = cover.outer;
}

static void visitScatter(Collecting &c, const sema::ScatterStmt &s) {
  c.statement = s.range;
  addRemap(c, s.range, s.rank, s.target->type, "remap, a scatter");
  visitExpr(c, *s.value);
  for (sema::Map map : s.maps)
    if (map)
      visitExpr(c, *map);
}

static void visitBoundary(Collecting &c, const sema::BoundaryStmt &s) {
  c.statement = s.range;
  StringRef what = s.reflects ? "reflect" : "wrap";
  add(c, Partners::Border, s.range, what,
      s.reflects ? "mirrors a border" : "1 message for each border",
      s.reflects ? "`reflect`: the border is the mirror of what lies inside, "
                   "mostly on the same processor"
                 : "`wrap`: the processors at one end send a border to those "
                   "at the other");
}

static void visitSort(Collecting &c, const sema::SortStmt &s) {
  c.statement = s.range;
  add(c, Partners::Pairs, s.range, "sort", "all to all",
      "`sort`: all to all, each element moves to the processor where it "
      "belongs in the order");
}

/// The statements that have others in them.
static void visitCompound(Collecting &c, const sema::Stmt &s) {
  if (auto *block = dyn_cast<sema::BlockStmt>(&s)) {
    visitStmts(c, block->body);
  } else if (auto *branch = dyn_cast<sema::IfStmt>(&s)) {
    visitTop(c, branch->condition, branch->condition->range);
    visitStmts(c, branch->thenBody);
    visitStmts(c, branch->elseBody);
  } else if (auto *loop = dyn_cast<sema::WhileStmt>(&s)) {
    visitTop(c, loop->condition, loop->condition->range);
    visitStmts(c, loop->body);
  } else if (auto *loop = dyn_cast<sema::RepeatStmt>(&s)) {
    visitStmts(c, loop->body);
    visitTop(c, loop->condition, loop->condition->range);
  } else if (auto *loop = dyn_cast<sema::ForStmt>(&s)) {
    visitTop(c, loop->from, loop->from->range);
    visitTop(c, loop->bound, loop->bound->range);
    visitStmts(c, loop->body);
  } else if (auto *scope = dyn_cast<sema::ScopeStmt>(&s)) {
    visitScope(c, *scope);
  } else if (auto *wave = dyn_cast<sema::WaveStmt>(&s)) {
    visitStmts(c, wave->body);
  } else if (auto *modify = dyn_cast<sema::ModifyStmt>(&s)) {
    visitStmts(c, modify->body);
  }
}

static void visitStmt(Collecting &c, const sema::Stmt &s) {
  if (auto *assign = dyn_cast<sema::AssignStmt>(&s)) {
    visitTop(c, assign->value, s.range);
  } else if (auto *array = dyn_cast<sema::ArrayAssignStmt>(&s)) {
    visitTop(c, array->value, s.range);
    visitTop(c, array->target, s.range);
  } else if (auto *call = dyn_cast<sema::CallStmt>(&s)) {
    visitTop(c, call->call, s.range);
  } else if (auto *result = dyn_cast<sema::ReturnStmt>(&s)) {
    visitTop(c, result->value, s.range);
  } else if (auto *write = dyn_cast<sema::WriteStmt>(&s)) {
    for (const sema::WriteItem &item : write->items)
      visitTop(c, item.value, s.range);
  } else if (auto *scatter = dyn_cast<sema::ScatterStmt>(&s)) {
    visitScatter(c, *scatter);
  } else if (auto *boundary = dyn_cast<sema::BoundaryStmt>(&s)) {
    visitBoundary(c, *boundary);
  } else if (auto *sort = dyn_cast<sema::SortStmt>(&s)) {
    visitSort(c, *sort);
  } else {
    visitCompound(c, s);
  }
}

std::vector<StatementCost> statementCosts(const sema::Program &program,
                                          const SourceManager &sources) {
  Collecting c{sources, {}, {}, {}, {}};
  for (const sema::Procedure *procedure : program.procedures) {
    c.covers = {};
    if (procedure->body)
      visitStmt(c, *procedure->body);
  }
  stable_sort(c.costs, [](const StatementCost &a, const StatementCost &b) {
    return std::pair(a.range.file, a.range.begin) <
           std::pair(b.range.file, b.range.begin);
  });
  return std::move(c.costs);
}

} // namespace zpl
