//===- Sparse.cpp - Sparse regions in the array IR ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Printer, parser and rules of what SparseStatements.h declares:
//
//     region @S : <.., ..> sparse "S"
//     array @A : f64 <.., ..> sparse over @S "A"
//     ...
//     region @S = @R where %M
//     pattern @S or= %N
//     set-irv @A = %x
//     fetch %T = @A by (i32 0, i32 1) over @R
//     store @A = %T over @R where %M "A"
//
// In Block form sparse arrays stand wherever dense ones do, as long as the pass
// `sparse` is still to come; in Loop form element code names only those whose
// elements lie in the order of its loop, at the index itself but for what waves
// push.
//
//===----------------------------------------------------------------------===//

#include "Text/Lexer.h"
#include "Text/ParseCommunication.h"
#include "Text/ParseExpressions.h"
#include "Text/ParseForms.h"
#include "Text/Parser.h"
#include "Text/PrinterImpl.h"
#include "Verify/Communication.h"
#include "Verify/Declarations.h"
#include "Verify/Expressions.h"
#include "Verify/LoopForms.h"
#include "Verify/Statements.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Verifier.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zpl::air {

//===----------------------------------------------------------------------===//
// Printer
//===----------------------------------------------------------------------===//

void Printer::pattern(const PatternStmt &stmt) {
  static constexpr const char *Ops[] = {" = ", " or= ", " and= ", " and not= "};
  os << "pattern ", name(stmt.region);
  os << Ops[stmt.op], name(stmt.value);
  if (stmt.array)
    os << " where ", name(stmt.array);
  else if (stmt.condition)
    os << " where each ", expr(stmt.condition);
  if (stmt.file)
    os << " from ", expr(stmt.file);
}

void Printer::addIndex(const AddIndexStmt &stmt) {
  os << "add ", name(stmt.region);
  if (stmt.over) {
    maps(stmt.maps);
    over(stmt.over);
    return mask(stmt.mask);
  }
  os << ' ', operands(stmt.index);
  os << (stmt.isReplicated ? " replicated" : "");
}

void Printer::askPattern(const AskPatternStmt &stmt) {
  os << (stmt.index.empty() ? "ask-size " : "ask-inside ");
  name(stmt.result), os << " = ";
  name(stmt.region);
  if (!stmt.index.empty())
    os << ' ', operands(stmt.index);
}

void Printer::irv(const IrvStmt &stmt) {
  if (stmt.sets) {
    os << "set-irv ", name(stmt.array);
    os << " = ", name(stmt.variable);
  } else {
    os << "get-irv ", name(stmt.variable);
    os << " = ", name(stmt.array);
  }
}

/// `%A`, `%A by (i32 0, i32 1)`, `... wrap`.
void Printer::moved(const Array *array, ArrayRef<const Expr *> direction,
                    bool wraps) {
  name(array);
  if (direction.empty())
    return;
  os << " by ", operands(direction);
  os << (wraps ? " wrap" : "");
}

void Printer::fetch(const FetchStmt &stmt) {
  os << "fetch ", name(stmt.target);
  os << " = ", moved(stmt.source, stmt.direction, stmt.wraps);
  over(stmt.region);
}

void Printer::store(const StoreStmt &stmt) {
  os << "store ", moved(stmt.target, stmt.direction, stmt.wraps);
  os << " = ", name(stmt.source);
  over(stmt.region);
  mask(stmt.mask);
  optionalText(stmt.text);
}

//===----------------------------------------------------------------------===//
// Parser
//===----------------------------------------------------------------------===//

static Stmt *parsePattern(Parsing &p, const Token &first) {
  Region *region = parseRegion(p);
  auto op = PatternStmt::Assign;
  if (accept(p, "or"))
    op = PatternStmt::Or;
  else if (accept(p, "and"))
    op = accept(p, "not") ? PatternStmt::AndNot : PatternStmt::And;
  Region *value = nullptr;
  if (!region || !expect(p, "=") || !(value = parseRegion(p)))
    return nullptr;
  Array *array = nullptr;
  const Expr *condition = nullptr;
  if (accept(p, "where")) {
    if (accept(p, "each"))
      condition = parseExpr(p);
    else
      array = parseArray(p);
    if (!array && !condition)
      return nullptr;
  }
  const Expr *file = nullptr;
  if (accept(p, "from") && !(file = parseExpr(p)))
    return nullptr;
  auto *stmt =
      p.module.make<PatternStmt>(region, op, value, rangeFrom(p, first));
  stmt->array = array;
  stmt->condition = condition;
  stmt->file = file;
  return stmt;
}

static Stmt *parseKeepPattern(Parsing &p, const Token &first) {
  const Expr *place = parsePlace(p);
  Region *region = nullptr;
  if (!place || !expect(p, "=") || !(region = parseRegion(p)))
    return nullptr;
  return p.module.make<KeepPatternStmt>(place, region, rangeFrom(p, first));
}

static Stmt *parseAskPattern(Parsing &p, const Token &first) {
  Variable *result = parseVariable(p);
  Region *region = nullptr;
  ExprVector index;
  if (!result || !expect(p, "=") || !(region = parseRegion(p)) ||
      (first.text == "ask-inside" && !parseOperands(p, index)))
    return nullptr;
  return p.module.make<AskPatternStmt>(result, region, index,
                                       rangeFrom(p, first));
}

static Stmt *parseModify(Parsing &p, const Token &first) {
  Region *region = parseRegion(p);
  return region ? p.module.make<ModifyStmt>(
                      region, first.text == "modify-begin", rangeFrom(p, first))
                : nullptr;
}

static Stmt *parseAddIndex(Parsing &p, const Token &first) {
  Region *region = parseRegion(p), *over = nullptr;
  ExprVector index;
  MapVector maps;
  Mask mask;
  bool isByMaps = region && isAt(p, "at");
  if (!region || !(isByMaps ? parseMaps(p, maps) && expect(p, "over") &&
                                  (over = parseRegion(p)) && parseMask(p, mask)
                            : parseOperands(p, index)))
    return nullptr;
  auto *stmt = p.module.make<AddIndexStmt>(region, index, rangeFrom(p, first));
  stmt->maps.assign(maps.begin(), maps.end());
  stmt->over = over;
  stmt->mask = mask;
  stmt->isReplicated = accept(p, "replicated");
  return stmt;
}

static Stmt *parseIrv(Parsing &p, const Token &first) {
  bool sets = first.text == "set-irv";
  Array *array = nullptr;
  Variable *variable = nullptr;
  bool good = sets ? (array = parseArray(p)) && expect(p, "=") &&
                         (variable = parseVariable(p))
                   : (variable = parseVariable(p)) && expect(p, "=") &&
                         (array = parseArray(p));
  return good ? p.module.make<IrvStmt>(array, variable, sets,
                                       rangeFrom(p, first))
              : nullptr;
}

static bool parseMoved(Parsing &p, Array *&array, ExprVector &direction,
                       bool &wraps) {
  if (!(array = parseArray(p)))
    return false;
  if (!accept(p, "by"))
    return true;
  if (!parseOperands(p, direction))
    return false;
  wraps = accept(p, "wrap");
  return true;
}

static Stmt *parseFetch(Parsing &p, const Token &first) {
  Array *target = parseArray(p), *source = nullptr;
  Region *region = nullptr;
  ExprVector direction;
  bool wraps = false;
  if (!target || !expect(p, "=") || !parseMoved(p, source, direction, wraps) ||
      !expect(p, "over") || !(region = parseRegion(p)))
    return nullptr;
  auto *stmt = p.module.make<FetchStmt>(target, source, direction, region,
                                        rangeFrom(p, first));
  stmt->wraps = wraps;
  return stmt;
}

static Stmt *parseStore(Parsing &p, const Token &first) {
  Array *target = nullptr, *source = nullptr;
  Region *region = nullptr;
  ExprVector direction;
  bool wraps = false;
  Mask mask;
  std::string text;
  if (!parseMoved(p, target, direction, wraps) || !expect(p, "=") ||
      !(source = parseArray(p)) || !expect(p, "over") ||
      !(region = parseRegion(p)) || !parseMask(p, mask) ||
      !parseOptionalString(p, text))
    return nullptr;
  auto *stmt = p.module.make<StoreStmt>(target, direction, source, region, mask,
                                        text, rangeFrom(p, first));
  stmt->wraps = wraps;
  return stmt;
}

Stmt *parseSparseStmt(Parsing &p, const Token &first) {
  auto parse = StringSwitch<Stmt *(*)(Parsing &, const Token &)>(first.text)
                   .Case("pattern", &parsePattern)
                   .Case("keep-pattern", &parseKeepPattern)
                   .Cases("ask-size", "ask-inside", &parseAskPattern)
                   .Cases("modify-begin", "modify-end", &parseModify)
                   .Case("add", &parseAddIndex)
                   .Cases("get-irv", "set-irv", &parseIrv)
                   .Case("fetch", &parseFetch)
                   .Case("store", &parseStore)
                   .Default(nullptr);
  return parse ? parse(p, first) : nullptr;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static bool isSparseRegion(Verifying &state, const Region *r,
                           SourceRange range) {
  return visible(state, r, range) &&
         (r->isSparse ||
          fail(state, range, printedName(*r) + " is not sparse"));
}

bool isReadBesideIndices(const ElementExpr &element) {
  const Array &array = *element.array;
  Type type = array.element;
  return !element.isShifted() && !array.isSparse && !isScattered(array) &&
         !array.isContracted() && array.panel < 0 &&
         none_of(
             array.shape,
             [](DimKind kind) {
               return kind == DimKind::Strided || kind == DimKind::Grid;
             }) &&
         (type.isInteger() || type.isFloat());
}

static bool isSparseArray(Verifying &state, const Array *a, SourceRange range) {
  return visible(state, a, range) &&
         (a->isSparse ||
          fail(state, range, printedName(*a) + " is not sparse"));
}

/// What stands behind `where`: one of both, if any, fit for \p base.
static bool verifyPatternOf(Verifying &state, const Array *array,
                            const Expr *condition, const Region *base,
                            SourceRange range) {
  if (!visible(state, base, range))
    return false;
  if (array)
    return (!condition ||
            fail(state, range, "a pattern is an array and a condition")) &&
           readable(state, array, base, range) &&
           (array->element == Type::Bool ||
            fail(state, range, "a pattern is not of bools"));
  if (!condition)
    return true;
  if (base->isSparse || any_of(base->shape, isPerProcessor))
    return fail(state, range,
                printedName(*base) + " is not dense, as 'where each' needs it");
  bool readsOthers = false;
  forEachExpr(*condition, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    readsOthers |=
        isa<RemapExpr>(e) || (element && !isReadBesideIndices(*element));
  });
  return (!readsOthers ||
          fail(state, range, "'where each' reads an array in another way")) &&
         inElements(state, base, condition, range) &&
         (condition->type == Type::Bool ||
          fail(state, range, "a pattern is not of bools"));
}

/// Patterns are kept as those of the default domain.
static bool verifyKeptDomain(Verifying &state, const Region &region,
                             SourceRange range) {
  return !region.domain ||
         fail(state, range,
              printedName(region) + " is kept, but not in the default domain");
}

bool verifySparseValue(Verifying &state, const SetRegionStmt &s) {
  const RegionExpr &value = s.value;
  const Region &target = *s.target;
  if (value.kind == RegionExpr::Where) {
    if (!target.isSparse)
      return fail(state, s.range, printedName(target) + " is not sparse");
    return verifyPatternOf(state, value.array, value.condition, value.base,
                           s.range);
  }
  bool hasPattern = value.base && value.base->isSparse;
  if (value.kind == RegionExpr::Declared)
    hasPattern = value.array && value.array->isSparse;
  else if (value.kind == RegionExpr::Of)
    hasPattern = false;
  else if (value.pattern)
    hasPattern = target.isSparse && value.kind == RegionExpr::Dims &&
                 verifyVariablePlace(state, value.pattern, s.range) &&
                 verifyKeptDomain(state, target, s.range);
  return !target.isSparse || hasPattern ||
         fail(state, s.range, printedName(target) + " gets no pattern");
}

/// Of a statement that reads the pattern, if it does.
static bool verifyPatternFile(Verifying &state, const PatternStmt &s) {
  return !s.file ||
         (typed(state, s.file, Type::File, s.range) &&
          ((s.op == PatternStmt::Assign && !s.array && !s.condition) ||
           fail(state, s.range, "a pattern that is read is the whole one")));
}

bool verifyPattern(Verifying &state, const PatternStmt &s) {
  return verifyPatternFile(state, s) &&
         isSparseRegion(state, s.region, s.range) &&
         visible(state, s.value, s.range) &&
         sameRank(state, s.value->rank(), s.region->rank(), "a pattern",
                  s.range) &&
         verifyPatternOf(state, s.array, s.condition, s.value, s.range);
}

bool verifyKeepPattern(Verifying &state, const KeepPatternStmt &s) {
  return isSparseRegion(state, s.region, s.range) &&
         verifyKeptDomain(state, *s.region, s.range) &&
         verifyVariablePlace(state, s.place, s.range) &&
         (s.place->type == Type::I64 ||
          fail(state, s.range,
               "a pattern is kept in a " + text(s.place->type)));
}

bool verifyAskPattern(Verifying &state, const AskPatternStmt &s) {
  return isSparseRegion(state, s.region, s.range) &&
         (s.index.empty() ||
          verifyDirection(state, s.index, s.region->rank(), s.range)) &&
         scalarTarget(state, s.result, s.index.empty() ? Type::I64 : Type::Bool,
                      s.range);
}

bool verifyModify(Verifying &state, const ModifyStmt &s) {
  return isSparseRegion(state, s.region, s.range);
}

bool verifyAddIndex(Verifying &state, const AddIndexStmt &s) {
  if (!isSparseRegion(state, s.region, s.range))
    return false;
  if (!s.over)
    return s.maps.empty() && !s.mask.array &&
           verifyDirection(state, s.index, s.region->rank(), s.range);
  if (s.maps.size() != s.region->rank() || !s.index.empty())
    return fail(state, s.range, "an index has not one map per dimension");
  return visible(state, s.over, s.range) &&
         verifyMapList(state, s.maps, s.over, nullptr, s.range) &&
         verifyMask(state, s.mask, s.over, nullptr, s.range);
}

bool verifyIrv(Verifying &state, const IrvStmt &s) {
  return isSparseArray(state, s.array, s.range) &&
         visible(state, s.variable, s.range) &&
         (s.variable->type == s.array->element ||
          fail(state, s.range,
               printedName(*s.variable) + " has type " +
                   text(s.variable->type) + ", not " + text(s.array->element)));
}

/// What fetch and store have in common: \p whole is sparse, \p part as it is
/// over \p r.
static bool verifyMoved(Verifying &state, const Array *whole, const Array *part,
                        ArrayRef<const Expr *> direction, bool wraps,
                        const Region *r, SourceRange range) {
  if (!isSparseArray(state, whole, range) || !visible(state, part, range) ||
      !visible(state, r, range) || !sameDomain(state, whole, r, range) ||
      !sameDomain(state, part, r, range) ||
      !sameRank(state, whole->rank(), r->rank(), printedName(*whole), range) ||
      !sameRank(state, part->rank(), r->rank(), printedName(*part), range) ||
      (!direction.empty() &&
       !verifyDirection(state, direction, r->rank(), range)))
    return false;
  if (wraps && direction.empty())
    return fail(state, range, "nothing is wrapped around");
  if (part->isSparse && (!r->isSparse || !conforms(*part, *r)))
    return fail(state, range,
                printedName(*part) + " is sparse, but not over " +
                    printedName(*r));
  return whole->element == part->element ||
         fail(state, range,
              printedName(*whole) + " and " + printedName(*part) +
                  " have different elements");
}

bool verifyFetch(Verifying &state, const FetchStmt &s) {
  return verifyMoved(state, s.source, s.target, s.direction, s.wraps, s.region,
                     s.range) &&
         (s.source != s.target ||
          fail(state, s.range, "an array is fetched into itself"));
}

bool verifyStore(Verifying &state, const StoreStmt &s) {
  return verifyMoved(state, s.target, s.source, s.direction, s.wraps, s.region,
                     s.range) &&
         (s.source != s.target ||
          fail(state, s.range, "an array is stored into itself")) &&
         verifyMask(state, s.mask, s.region, s.target, s.range);
}

bool verifyPatterns(Verifying &state, const CallExpr &e) {
  for (auto [arg, param] : zip(e.args, e.callee->params)) {
    Region *wanted = param.array ? param.array->pattern : nullptr;
    if (!wanted)
      continue;
    for (auto [other, of] : zip(e.args, e.callee->params))
      if (of.region == param.array->pattern)
        wanted = other.region;
    if (!arg.array || !conforms(*arg.array, *wanted))
      return fail(state, e.range,
                  "an array has not the pattern of " +
                      printedName(*param.array));
  }
  return true;
}

bool verifyConforms(Verifying &state, const Array &a, const Region &r,
                    bool isShifted, SourceRange range) {
  if (!a.isSparse || state.proc->form != Form::Loop)
    return true;
  return (conforms(a, r) && (!isShifted || isOverPattern(state.inWave))) ||
         fail(state, range,
              printedName(a) + " is sparse, and " +
                  (isShifted ? "read at another index"
                             : "not declared over " + printedName(r)));
}

} // namespace zpl::air
