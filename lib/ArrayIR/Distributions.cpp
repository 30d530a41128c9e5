//===- Distributions.cpp - Grids, distributions, domains: text and rules --===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is declared in a module, in this order, before its regions:
//
//     grid @G rank 2 variable "G"
//     distribution @D rank 2 over @G "D"
//     domain @Big of @D scattered "Big"
//     region @R : <.., ..> in @Big "R"
//
// and the statements that give them what they are at run time:
//
//     grid @G = (i32 4, i32 0)
//     distribution @D = (block, block(i32 1, @n), cyclic, blockcyclic(@b),
//                        cut(@c), none, owner @f)
//     distribution @V = @D keeping
//     distribution @V = balance %W over %R keeping
//     move %T = %A over %R
//
// All that meets over a region, but for the three statements that carry values
// between domains, is in the domain of the region. In a scattered one no
// element is read at another index, and there are no transfers.
//
//===----------------------------------------------------------------------===//

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
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void Printer::distributions(const Module &module) {
  for (const Grid *grid : module.grids) {
    os << "grid ", name('@', grid->name);
    os << " rank " << grid->rank << (grid->isVariable ? " variable" : "");
    optionalText(grid->text);
    os << '\n';
  }
  for (const Distribution *distribution : module.distributions) {
    os << "distribution ", name('@', distribution->name);
    os << " rank " << distribution->rank;
    if (distribution->grid)
      os << " over ", name('@', distribution->grid->name);
    os << (distribution->isVariable ? " variable" : "");
    optionalText(distribution->text);
    os << '\n';
  }
  for (const Domain *domain : module.domains) {
    os << "domain ", name('@', domain->name);
    os << " of ", name('@', domain->distribution->name);
    os << (domain->isScattered ? " scattered" : "");
    optionalText(domain->text);
    os << '\n';
  }
}

void Printer::in(const Domain *domain) {
  if (domain)
    os << " in ", name('@', domain->name);
}

void Printer::setGrid(const SetGridStmt &stmt) {
  os << "grid ", name('@', stmt.target->name);
  os << " = ";
  if (stmt.value)
    name('@', stmt.value->name);
  else
    operands(stmt.extents);
  os << (stmt.keeps ? " keeping" : "");
}

void Printer::rule(const DistributionRule &rule) {
  switch (rule.kind) {
  case DistributionRule::Block:
    os << "block";
    return;
  case DistributionRule::Bounded:
    os << "block";
    return operands({rule.lo, rule.hi});
  case DistributionRule::Cyclic:
    os << "cyclic";
    return;
  case DistributionRule::BlockCyclic:
    os << "blockcyclic";
    return operands(rule.lo);
  case DistributionRule::Cut:
    os << "cut";
    return operands(rule.points);
  case DistributionRule::None:
    os << "none";
    return;
  case DistributionRule::Owner:
    os << "owner ";
    return name(rule.owner);
  }
  llvm_unreachable("a rule outside its enumeration");
}

void Printer::setDistribution(const SetDistributionStmt &stmt) {
  os << "distribution ", name('@', stmt.target->name);
  os << " = ";
  if (stmt.value) {
    name('@', stmt.value->name);
  } else if (stmt.weights.array) {
    os << "balance ", name(stmt.weights.array);
    over(stmt.weights.region);
    mask(stmt.weights.mask);
  } else {
    os << '(';
    commas(stmt.rules, [&](const DistributionRule &r) { rule(r); });
    os << ')';
  }
  os << (stmt.keeps ? " keeping" : "");
}

void Printer::move(const MoveStmt &stmt) {
  os << "move ", name(stmt.target);
  os << " = ", name(stmt.source);
  over(stmt.region);
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// The name of a thing of the sort that \p member keeps, which is declared.
template <typename T>
static const T *parseNamedThing(Parsing &p, const T *Named::*member,
                                StringRef sort) {
  Token token = peek(p);
  const Named *named = parseNamed(p);
  if (named && !(named->*member))
    fail(p, token, "'" + token.text + "' is not a " + sort);
  return named ? named->*member : nullptr;
}

static const Grid *parseGridName(Parsing &p) {
  return parseNamedThing(p, &Named::grid, "grid");
}

static const Distribution *parseDistributionName(Parsing &p) {
  return parseNamedThing(p, &Named::distribution, "distribution");
}

bool parseIn(Parsing &p, const Domain *&domain) {
  return !accept(p, "in") ||
         (domain = parseNamedThing(p, &Named::domain, "domain"));
}

static bool parseRank(Parsing &p, unsigned &rank) {
  return expect(p, "rank") && parseUnsigned(p, rank, 64);
}

/// `grid @G rank 2 "G"`, from its first word.
static bool parseGrid(Parsing &p) {
  next(p);
  Token name;
  auto *grid = p.module.make<Grid>();
  if (!parseNewName(p, Token::Global, p.globals, name) ||
      !parseRank(p, grid->rank))
    return false;
  grid->isVariable = accept(p, "variable");
  grid->name = nameOf(name);
  grid->range = range(p, name);
  p.globals[grid->name].grid = grid;
  p.module.grids.push_back(grid);
  return parseOptionalString(p, grid->text);
}

/// `distribution @D rank 2 over @G "D"`, from its first word.
static bool parseDistribution(Parsing &p) {
  next(p);
  Token name;
  auto *made = p.module.make<Distribution>();
  if (!parseNewName(p, Token::Global, p.globals, name) ||
      !parseRank(p, made->rank) ||
      (accept(p, "over") && !(made->grid = parseGridName(p))))
    return false;
  made->isVariable = accept(p, "variable");
  made->name = nameOf(name);
  made->range = range(p, name);
  p.globals[made->name].distribution = made;
  p.module.distributions.push_back(made);
  return parseOptionalString(p, made->text);
}

/// `domain @Big of @D scattered "Big"`, from its first word.
static bool parseDomain(Parsing &p) {
  next(p);
  Token name;
  auto *domain = p.module.make<Domain>();
  if (!parseNewName(p, Token::Global, p.globals, name) || !expect(p, "of") ||
      !(domain->distribution = parseDistributionName(p)))
    return false;
  domain->isScattered = accept(p, "scattered");
  domain->name = nameOf(name);
  domain->range = range(p, name);
  p.globals[domain->name].domain = domain;
  p.module.domains.push_back(domain);
  return parseOptionalString(p, domain->text);
}

bool parseDistributionDecl(Parsing &p) {
  return isAt(p, "grid")           ? parseGrid(p)
         : isAt(p, "distribution") ? parseDistribution(p)
                                   : parseDomain(p);
}

Stmt *parseSetGrid(Parsing &p, const Token &first) {
  const Grid *target = parseGridName(p);
  if (!target || !expect(p, "="))
    return nullptr;
  auto *stmt = p.module.make<SetGridStmt>(target, range(p, first));
  if (isAt(p, "(") ? !parseOperands(p, stmt->extents)
                   : !(stmt->value = parseGridName(p)))
    return nullptr;
  stmt->keeps = accept(p, "keeping");
  stmt->range = rangeFrom(p, first);
  return stmt;
}

/// \p count numbers in parentheses, to \p rule.
static bool parseNumbers(Parsing &p, DistributionRule &rule, size_t count) {
  Token token = peek(p);
  ExprVector numbers;
  if (!parseOperands(p, numbers))
    return false;
  if (numbers.size() != count)
    return fail(p, token, "expected " + Twine(count) + " operands");
  rule.lo = numbers[0];
  rule.hi = count > 1 ? numbers[1] : nullptr;
  return true;
}

static bool parseRule(Parsing &p, DistributionRule &rule) {
  using Rule = DistributionRule;
  if (accept(p, "block")) {
    rule.kind = isAt(p, "(") ? Rule::Bounded : Rule::Block;
    return rule.kind == Rule::Block || parseNumbers(p, rule, 2);
  }
  if (accept(p, "blockcyclic")) {
    rule.kind = Rule::BlockCyclic;
    return parseNumbers(p, rule, 1);
  }
  if (accept(p, "cut")) {
    rule.kind = Rule::Cut;
    return expect(p, "(") && (rule.points = parsePlace(p)) && expect(p, ")");
  }
  if (accept(p, "owner")) {
    rule.kind = Rule::Owner;
    return (rule.owner = parseProcedureName(p)) != nullptr;
  }
  rule.kind = isAt(p, "cyclic") ? Rule::Cyclic : Rule::None;
  return accept(p, "cyclic") || accept(p, "none") ||
         fail(p, peek(p), "expected how a dimension is distributed");
}

/// `%W over %R where %M`
static bool parseWeights(Parsing &p, Weights &weights) {
  return (weights.array = parseArray(p)) && expect(p, "over") &&
         (weights.region = parseRegion(p)) && parseMask(p, weights.mask);
}

Stmt *parseSetDistribution(Parsing &p, const Token &first) {
  const Distribution *target = parseDistributionName(p);
  if (!target || !expect(p, "="))
    return nullptr;
  auto *stmt = p.module.make<SetDistributionStmt>(target, range(p, first));
  auto rule = [&] { return parseRule(p, stmt->rules.emplace_back()); };
  if (accept(p, "balance") ? !parseWeights(p, stmt->weights)
      : accept(p, "(")     ? !parseList(p, ")", rule)
                           : !(stmt->value = parseDistributionName(p)))
    return nullptr;
  stmt->keeps = accept(p, "keeping");
  stmt->range = rangeFrom(p, first);
  return stmt;
}

Stmt *parseMove(Parsing &p, const Token &first) {
  Array *target = parseArray(p), *source = nullptr;
  Region *region = nullptr;
  if (!target || !expect(p, "=") || !(source = parseArray(p)) ||
      !expect(p, "over") || !(region = parseRegion(p)))
    return nullptr;
  return p.module.make<MoveStmt>(target, source, region, rangeFrom(p, first));
}

//===----------------------------------------------------------------------===//
// The verifier
//===----------------------------------------------------------------------===//

static std::string nameOf(const Domain *domain) {
  return domain ? "@" + domain->name : "the default domain";
}

bool sameDomain(Verifying &state, const Array *a, const Region *r,
                SourceRange range) {
  return a->domain == r->domain || a->isContracted() ||
         fail(state, range,
              printedName(*a) + " is in " + nameOf(a->domain) + ", " +
                  printedName(*r) + " in " + nameOf(r->domain));
}

bool verifyDistributions(Verifying &state, StringSet<> &names) {
  auto declare = [&](auto *thing, unsigned rank) {
    if (thing->name.empty())
      return fail(state, thing->range, "a declared thing has no name");
    if (!names.insert(thing->name).second)
      return fail(state, thing->range,
                  "two things are named '" + thing->name + "'");
    state.globals.insert(thing);
    return (rank >= 1 && rank <= 6) ||
           fail(state, thing->range,
                "'" + thing->name + "' has no rank from 1 to 6");
  };
  for (const Grid *grid : state.module.grids)
    if (!declare(grid, grid->rank))
      return false;
  for (const Distribution *d : state.module.distributions) {
    if (!declare(d, d->rank))
      return false;
    if (d->grid &&
        (!state.globals.contains(d->grid) || d->grid->rank != d->rank))
      return fail(state, d->range,
                  "'" + d->name + "' is over no grid of its rank");
  }
  for (const Domain *domain : state.module.domains)
    if (!state.globals.contains(domain->distribution))
      return fail(state, domain->range,
                  "'" + domain->name + "' has no distribution");
    else if (!declare(domain, domain->rank()))
      return false;
  return true;
}

bool verifyDomain(Verifying &state, const Domain *domain, unsigned rank,
                  SourceRange range) {
  return !domain ||
         ((state.globals.contains(domain) && domain->rank() == rank) ||
          fail(state, range, "a domain is none of the module of that rank"));
}

static bool isWord(Verifying &state, const Expr *e, SourceRange range) {
  if (!verifyExpr(state, e, range))
    return false;
  return e->type == Type::I32 || e->type == Type::I64 ||
         fail(state, range,
              "a number of a distribution is neither i32 nor "
              "i64");
}

bool verifySetGrid(Verifying &state, const SetGridStmt &s) {
  if (!state.globals.contains(s.target))
    return fail(state, s.range, "a grid is not declared");
  if (s.value)
    return (state.globals.contains(s.value) && s.target->isVariable &&
            s.value->rank == s.target->rank) ||
           fail(state, s.range,
                "@" + s.target->name + " does not become that grid");
  return (s.extents.size() == s.target->rank ||
          fail(state, s.range, "a grid has not one extent per dimension")) &&
         all_of(s.extents,
                [&](const Expr *e) { return isWord(state, e, s.range); });
}

static bool verifyOwner(Verifying &state, const Procedure *owner,
                        SourceRange range) {
  auto isNumber = [](const Parameter &param) {
    return param.variable && !param.variable->byReference &&
           param.variable->type == Type::I32;
  };
  return (state.procedures.contains(owner) && owner->isScalar &&
          owner->thunk.empty() && owner->result == Type::I32 &&
          owner->params.size() == 4 && all_of(owner->params, isNumber)) ||
         fail(state, range, "a procedure is no owner of indices");
}

static bool verifyRule(Verifying &state, const DistributionRule &rule,
                       SourceRange range) {
  switch (rule.kind) {
  case DistributionRule::Block:
  case DistributionRule::Cyclic:
  case DistributionRule::None:
    return true;
  case DistributionRule::Bounded:
    return isWord(state, rule.lo, range) && isWord(state, rule.hi, range);
  case DistributionRule::BlockCyclic:
    return isWord(state, rule.lo, range);
  case DistributionRule::Cut: {
    if (!verifyVariablePlace(state, rule.points, range))
      return false;
    const TypeInfo *type = rule.points->type.info();
    return (rule.points->type == Type::Array && type->lo.size() == 1 &&
            type->element == Type::I32) ||
           fail(state, range, "the points of a cut are no list of i32");
  }
  case DistributionRule::Owner:
    return verifyOwner(state, rule.owner, range);
  }
  llvm_unreachable("a rule outside its enumeration");
}

static bool verifyWeights(Verifying &state, const SetDistributionStmt &s) {
  const Weights &weights = s.weights;
  if (!readable(state, weights.array, weights.region, s.range) ||
      !verifyMask(state, weights.mask, weights.region, nullptr, s.range))
    return false;
  return (s.target->isVariable && weights.array->element == Type::F64 &&
          weights.region->rank() == s.target->rank) ||
         fail(state, s.range,
              "@" + s.target->name + " is not balanced by " +
                  printedName(*weights.array));
}

bool verifySetDistribution(Verifying &state, const SetDistributionStmt &s) {
  if (!state.globals.contains(s.target))
    return fail(state, s.range, "a distribution is not declared");
  if (s.weights.array)
    return verifyWeights(state, s);
  if (s.value)
    return (state.globals.contains(s.value) && s.target->isVariable &&
            s.value->rank == s.target->rank) ||
           fail(state, s.range,
                "@" + s.target->name + " does not become that distribution");
  return (s.rules.size() == s.target->rank ||
          fail(state, s.range,
               "a distribution has not one rule per dimension")) &&
         all_of(s.rules, [&](const DistributionRule &rule) {
           return verifyRule(state, rule, s.range);
         });
}

bool verifyMove(Verifying &state, const MoveStmt &s) {
  if (!visible(state, s.target, s.range) ||
      !visible(state, s.source, s.range) ||
      !visible(state, s.region, s.range) ||
      !sameDomain(state, s.target, s.region, s.range))
    return false;
  bool isAlike = s.target->element == s.source->element &&
                 s.target->rank() == s.region->rank() &&
                 s.source->rank() == s.region->rank() && s.target != s.source;
  for (unsigned d = 0; isAlike && d < s.region->rank(); ++d)
    isAlike = isPerProcessor(s.target->shape[d]) ==
                  isPerProcessor(s.source->shape[d]) &&
              s.target->shape[d] != DimKind::Grid &&
              s.source->shape[d] != DimKind::Grid;
  return isAlike || fail(state, s.range,
                         printedName(*s.source) + " does not move to " +
                             printedName(*s.target));
}

} // namespace zpl::air
