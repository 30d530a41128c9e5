//===- ParseDecl.cpp - Declarations ---------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     config var n: integer = 10;  -- the size     (kept for the program's -h)
//     region R = [1..n, 1..n]; V = [1..n];
//     direction north = [-1, 0];
//     extern type plan;
//     static free var A, B: [R] double;
//
// One keyword introduces any number of definitions; each becomes a node of its
// own, in the order of the text. A definition begins with a name, so a name
// that no definition can go on from is looked at as a misspelt keyword.
//
//===----------------------------------------------------------------------===//

#include "ParseDecl.h"
#include "Cursor.h"
#include "Habits/ForeignDecls.h"
#include "Habits/Spelling.h"
#include "ParseDistribution.h"
#include "ParseExpr.h"
#include "ParseProcedure.h"
#include "ParseRegion.h"
#include "ParseStmt.h"
#include "ParseType.h"
#include "Parsing.h"
#include "Recovery.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl {

using namespace ast;

static void skipToGlobal(Parsing &p);
static bool parseGlobalOnly(Parsing &p, Prefix prefix, Decls &decls);
static bool atLostHeading(const Parsing &p);
static bool parseDefinitions(Parsing &p, Prefix prefix, Decls &decls);
static bool atReservedName(const Parsing &p);
static void parseConfig(Parsing &p, Decls &decls);
static void parseVariables(Parsing &p, ast::VariableDecl::Flavor flavor,
                           Prefix prefix, Decls &decls);
static ast::VariableDecl *
parseVariable(Parsing &p, ast::VariableDecl::Flavor flavor, Prefix prefix);
static ast::DefinedName parseDefinedName(Parsing &p, llvm::StringRef what);
static ast::Expr *parseInit(Parsing &p);
static void parseTypes(Parsing &p, Prefix prefix, Decls &decls);
static void parseRegions(Parsing &p, Decls &decls);
static void parseDirections(Parsing &p, Decls &decls);

void parseHeading(Parsing &p, Module &module) {
  correctDeclarationWord(p);
  if (!accept(p, TokenKind::Program)) {
    module.name.range = token(p).range;
    SourceRange place = {token(p).range.file, token(p).range.begin,
                         token(p).range.begin};
    report(p, place, Diag::ExpectedToken, "'program NAME;' at the beginning",
           "");
    return;
  }
  module.name = parseName(p, "the program's name");
  endConstruct(p, "the program's name", module.name.range);
}

Name parseName(Parsing &p, StringRef what) {
  if (is(p, TokenKind::Name)) {
    Token name = take(p);
    return {textOf(p, name), name.range};
  }
  if (atReservedName(p)) {
    report(p, token(p).range, Diag::ReservedWord, textOf(p, token(p)));
    allowAsName(p, kind(p));
    Token keyword = take(p);
    return {textOf(p, keyword), keyword.range};
  }
  SourceRange place = firstOnLine(p) ? endOfPrevious(p) : token(p).range;
  report(p, place, Diag::ExpectedName, what, found(p));
  p.panic = true;
  return {"", endOfPrevious(p)};
}

std::optional<Name> parseOptionalName(Parsing &p, StringRef what) {
  if (p.panic || !accept(p, TokenKind::Colon))
    return std::nullopt;
  return parseName(p, what);
}

//===----------------------------------------------------------------------===//
// Global and local declarations
//===----------------------------------------------------------------------===//

void parseGlobal(Parsing &p, Decls &decls) {
  correctDeclarationWord(p);
  if (accept(p, TokenKind::Semicolon))
    return;
  SourceRange begin = token(p).range;
  Prefix prefix;
  prefix.isExported = atExport(p);
  if (prefix.isExported)
    take(p);
  prefix.isExtern = accept(p, TokenKind::Extern);
  if (prefix.isExtern && isWord(p, "header"))
    return parseHeader(p, decls, begin);
  if (prefix.isExtern &&
      !isAny(p, TokenKind::Const, TokenKind::Constant, TokenKind::Free,
             TokenKind::Var, TokenKind::Type, TokenKind::Prototype,
             TokenKind::Procedure))
    report(p, token(p).range, Diag::ExpectedName, "what is 'extern'", found(p));
  if (is(p, TokenKind::Static)) {
    if (auto message = report(p, token(p).range, Diag::StaticGlobal))
      message->fixIt(token(p).range, "");
    take(p);
  }
  prefix.isFree = accept(p, TokenKind::Free);
  if (!parseGlobalOnly(p, prefix, decls) && !parseDefinitions(p, prefix, decls))
    skipToGlobal(p);
}

/// No declaration: says so and skips to one, over whole blocks that have lost
/// their heading.
static void skipToGlobal(Parsing &p) {
  report(p, token(p).range, Diag::ExpectedDeclaration, found(p));
  do {
    p.panic = false;
    if (is(p, TokenKind::Begin))
      parseBlock(p);
    else
      take(p);
  } while (!is(p, TokenKind::End) && !atDeclaration(p));
  p.panic = false;
}

/// A declaration that cannot be local. Returns false at anything else.
static bool parseGlobalOnly(Parsing &p, Prefix prefix, Decls &decls) {
  if (isAny(p, TokenKind::Procedure, TokenKind::Prototype) || atRegionOpDecl(p))
    decls.push_back(parseProcedure(p, prefix, take(p)));
  else if (atLostHeading(p))
    decls.push_back(parseProcedure(
        p, prefix, missingWord(p, TokenKind::Procedure, token(p).range)));
  else if (is(p, TokenKind::Config))
    parseConfig(p, decls);
  else if (is(p, TokenKind::Grid))
    parseGrids(p, decls);
  else if (is(p, TokenKind::Distribution))
    parseDistributions(p, decls);
  else if (is(p, TokenKind::Domain))
    parseDomains(p, decls);
  else
    return false;
  return true;
}

bool parseLocal(Parsing &p, Decls &decls) {
  Prefix prefix;
  prefix.isStatic = accept(p, TokenKind::Static);
  if (is(p, TokenKind::Free) &&
      !isOneOf(kind(p, 1), TokenKind::Procedure, TokenKind::Prototype)) {
    take(p);
    prefix.isFree = true;
  }
  return parseDefinitions(p, prefix, decls);
}

/// Is it `name (` and formals?
static bool atLostHeading(const Parsing &p) {
  if (!is(p, TokenKind::Name) || kind(p, 1) != TokenKind::LParen)
    return false;
  if (kind(p, 2) == TokenKind::RParen)
    return kind(p, 3) == TokenKind::Colon ||
           (kind(p, 3) == TokenKind::Semicolon && !atStatementWord(p, 4)) ||
           kind(p, 4) == TokenKind::Begin;
  return kind(p, 3) == TokenKind::Colon ||
         isOneOf(kind(p, 2), TokenKind::Const, TokenKind::In, TokenKind::Inout,
                 TokenKind::Var, TokenKind::Out, TokenKind::Free);
}

/// Variables, constants, types, regions, directions.
static bool parseDefinitions(Parsing &p, Prefix prefix, Decls &decls) {
  bool wantsVar = prefix.isStatic || prefix.isFree;
  if (wantsVar && !is(p, TokenKind::Var))
    missing(p, prefix.isFree ? "'var' after 'free'" : "'var' after 'static'",
            " var");
  if (accept(p, TokenKind::Var) || wantsVar) {
    parseVariables(p, VariableDecl::Var, prefix, decls);
  } else if (accept(p, TokenKind::Const) || accept(p, TokenKind::Constant)) {
    parseVariables(p, VariableDecl::Const, prefix, decls);
  } else if (accept(p, TokenKind::Type)) {
    parseTypes(p, prefix, decls);
  } else if (accept(p, TokenKind::Region)) {
    parseRegions(p, decls);
  } else if (accept(p, TokenKind::Direction)) {
    parseDirections(p, decls);
  } else {
    return false;
  }
  return true;
}

bool atDefinition(Parsing &p, bool first) {
  correctDeclarationWord(p);
  if (first)
    return is(p, TokenKind::Name) || atReservedName(p);
  if (isKeyword(kind(p)) &&
      isOneOf(kind(p, 1), TokenKind::Colon, TokenKind::Comma))
    return true;
  return is(p, TokenKind::Name) && !atRegionOpDecl(p) && !atExport(p) &&
         !isOneOf(kind(p, 1), TokenKind::LParen, TokenKind::LBracket,
                  TokenKind::Dot, TokenKind::Hash, TokenKind::At,
                  TokenKind::WrapAt, TokenKind::PlusAssign,
                  TokenKind::MinusAssign);
}

/// Among definitions of other things, at `a, b: T` or `a: T`: the word 'var' is
/// missing, which is reported. \p mayBind: `a: D = ...` is one of them.
static bool missingVar(Parsing &p, bool mayBind) {
  size_t ahead = 1;
  while (kind(p, ahead) == TokenKind::Comma &&
         kind(p, ahead + 1) == TokenKind::Name)
    ahead += 2;
  if (p.panic || !is(p, TokenKind::Name) ||
      kind(p, ahead) != TokenKind::Colon ||
      (mayBind && ahead == 1 && kind(p, 2) == TokenKind::Name &&
       isOneOf(kind(p, 3), TokenKind::Equal, TokenKind::Assign)))
    return false;
  missingWord(p, TokenKind::Var, token(p).range);
  return true;
}

/// A keyword that is used like a name in a declaration.
static bool atReservedName(const Parsing &p) {
  bool isFirst = firstOnLine(p) &&
                 !isOneOf(kind(p, 1), TokenKind::Colon, TokenKind::Comma);
  return isKeyword(kind(p)) && !isFirst &&
         isOneOf(kind(p, 1), TokenKind::Comma, TokenKind::Colon,
                 TokenKind::Semicolon, TokenKind::Equal, TokenKind::Assign,
                 TokenKind::LParen, TokenKind::RParen, TokenKind::LBrace);
}

bool atRegionOpDecl(const Parsing &p) {
  return isWord(p, "regionop") && kind(p, 1) == TokenKind::Name;
}

//===----------------------------------------------------------------------===//
// Variables and constants
//===----------------------------------------------------------------------===//

static void parseConfig(Parsing &p, Decls &decls) {
  take(p);
  if (!accept(p, TokenKind::Var) && !accept(p, TokenKind::Const) &&
      !accept(p, TokenKind::Constant))
    missing(p, "'var' after 'config'", " var");
  parseVariables(p, VariableDecl::Config, {}, decls);
}

/// NAME [ Range ] Eq: a constant without its type, or a region or direction
/// without the word before.
static bool atTypeless(const Parsing &p) {
  unsigned ahead = 1;
  if (kind(p, ahead) == TokenKind::LBrace) {
    while (!isOneOf(kind(p, ahead), TokenKind::RBrace, TokenKind::Semicolon,
                    TokenKind::End))
      ++ahead;
    ++ahead;
  }
  return is(p, TokenKind::Name) && kind(p, ahead) == TokenKind::Equal;
}

static void parseVariables(Parsing &p, VariableDecl::Flavor flavor,
                           Prefix prefix, Decls &decls) {
  bool isTypeless = false;
  for (bool first = true; p.panic || atDefinition(p, first); first = false) {
    if (!first && atAssignment(p))
      return; // a statement: variables have types
    if (!first && atTypeless(p) && isTypeless) { // the same mistake once more
      synchronize(p, take(p).range);
      accept(p, TokenKind::Semicolon);
      continue;
    }
    isTypeless = atTypeless(p);
    VariableDecl *decl = parseVariable(p, flavor, prefix);
    endConstruct(p, "the declaration", decl->range);
    if (flavor == VariableDecl::Config)
      decl->comment =
          p.diags.sources().text(p.buffer.commentAfter(p.position - 1));
    decls.push_back(decl);
  }
}

/// NAME [ Range ] { ',' NAME [ Range ] } ':' Type [ Eq Init ]
static VariableDecl *parseVariable(Parsing &p, VariableDecl::Flavor flavor,
                                   Prefix prefix) {
  SourceRange begin = token(p).range;
  auto *decl = make<VariableDecl>(p, begin);
  decl->flavor = flavor;
  decl->isExtern = prefix.isExtern;
  decl->isStatic = prefix.isStatic;
  decl->isFree = prefix.isFree;
  decl->isExported = prefix.isExported;
  SmallVector<DefinedName, 4> names;
  do
    names.push_back(parseDefinedName(p, "a variable's name"));
  while (!p.panic && accept(p, TokenKind::Comma));
  decl->names = p.context.keep(names);
  if (!p.panic && !accept(p, TokenKind::Colon))
    missing(p, "':' and a type", ":");
  decl->type = parseType(p);
  if (!p.panic && isAny(p, TokenKind::Equal, TokenKind::Assign)) {
    take(p);
    decl->init = parseInit(p);
  }
  decl->range = rangeFrom(p, begin);
  return decl;
}

/// NAME [ '{' [ Expr '..' Expr ] '}' ]
static DefinedName parseDefinedName(Parsing &p, StringRef what) {
  DefinedName defined{parseName(p, what)};
  if (p.panic || !is(p, TokenKind::LBrace))
    return defined;
  Token open = take(p);
  auto *multi = make<MultiRange>(p);
  if (!is(p, TokenKind::RBrace)) {
    multi->lo = parseExpr(p);
    if (!p.panic && !accept(p, TokenKind::DotDot))
      missing(p, "'..' and the last index", "..");
    multi->hi = parseExpr(p);
  }
  expectClose(p, TokenKind::RBrace, open);
  multi->range = rangeFrom(p, open.range);
  defined.multi = multi;
  return defined;
}

/// Expr | RegExpr | DirExpr | '{' Init { ',' Init } [ ',' ] '}'
static Expr *parseInit(Parsing &p) {
  if (p.panic || !is(p, TokenKind::LBrace) || kind(p, 1) == TokenKind::RBrace)
    return parseArgument(p);
  Nesting nesting(p);
  if (p.panic)
    return dummy(p, endOfPrevious(p));
  Token open = take(p);
  SmallVector<Expr *, 8> items;
  do
    items.push_back(parseInit(p));
  while (!p.panic && accept(p, TokenKind::Comma) && !is(p, TokenKind::RBrace));
  expectClose(p, TokenKind::RBrace, open);
  return make<InitList>(p, p.context.keep(items), rangeFrom(p, open.range));
}

void expectInitializer(Parsing &p, StringRef what) {
  if (!p.panic && !accept(p, TokenKind::Equal) && !accept(p, TokenKind::Assign))
    missing(p, what, " =");
}

//===----------------------------------------------------------------------===//
// Types, regions, directions
//===----------------------------------------------------------------------===//

/// { NAME [ Eq Type ] ';' }: only extern ones may do without.
static void parseTypes(Parsing &p, Prefix prefix, Decls &decls) {
  for (bool first = true; p.panic || atDefinition(p, first); first = false) {
    if (!first && missingVar(p, false))
      return parseVariables(p, VariableDecl::Var, prefix, decls);
    SourceRange begin = token(p).range;
    Name name = parseName(p, "a type's name");
    TypeExpr *type = nullptr;
    if (!prefix.isExtern || !is(p, TokenKind::Semicolon)) {
      expectInitializer(p, "'=' and a type");
      type = parseType(p);
    }
    decls.push_back(
        make<TypeDecl>(p, name, type, prefix.isExtern, rangeFrom(p, begin)));
    endConstruct(p, "the type", begin);
  }
}

/// Reports `region R: place.d = ...` at the point or bracket.
static void skipPlace(Parsing &p) {
  report(p, token(p).range, Diag::ExpectedToken,
         "'=' and a region, for regions are bound to a distribution, a grid or "
         "a domain by its name alone",
         "");
  while (!is(p, TokenKind::Equal) && !is(p, TokenKind::Assign) &&
         !is(p, TokenKind::Semicolon) && !is(p, TokenKind::End))
    take(p);
}

/// { NAME [ Range ] [ ':' NAME ] Eq RegExpr ';' }
static void parseRegions(Parsing &p, Decls &decls) {
  for (bool first = true; p.panic || atDefinition(p, first); first = false) {
    if (!first && missingVar(p, true))
      return parseVariables(p, VariableDecl::Var, {}, decls);
    SourceRange begin = token(p).range;
    DefinedName name = parseDefinedName(p, "a region's name");
    std::optional<Name> distribution =
        parseOptionalName(p, "a distribution's name");
    if (distribution && (is(p, TokenKind::Dot) || is(p, TokenKind::LBracket)))
      skipPlace(p);
    expectInitializer(p, "'=' and a region");
    Expr *value = asRegion(p, parseArgument(p));
    decls.push_back(
        make<RegionDecl>(p, name, distribution, value, rangeFrom(p, begin)));
    endConstruct(p, "the region", begin);
  }
}

/// Is it a region that cannot be meant as a direction?
static bool isNoDirection(const Expr *expr) {
  if (const auto *bracket = dyn_cast<RegionLit>(expr))
    return any_of(bracket->dims,
                  [](const Dim &dim) { return dim.kind == Dim::Range; });
  return isRegionSyntax(expr) && !isa<List, Scaledby>(expr);
}

/// { NAME [ Range ] Eq DirExpr ';' }
static void parseDirections(Parsing &p, Decls &decls) {
  for (bool first = true; p.panic || atDefinition(p, first); first = false) {
    if (!first && missingVar(p, false))
      return parseVariables(p, VariableDecl::Var, {}, decls);
    SourceRange begin = token(p).range;
    DefinedName name = parseDefinedName(p, "a direction's name");
    expectInitializer(p, "'=' and a direction");
    Expr *value = parseArgument(p);
    if (!first && !p.panic && isNoDirection(value)) {
      missingWord(p, TokenKind::Region, begin);
      endConstruct(p, "the region", begin);
      return parseRegions(p, decls);
    }
    value = asDirection(p, value);
    decls.push_back(make<DirectionDecl>(p, name, value, rangeFrom(p, begin)));
    endConstruct(p, "the direction", begin);
  }
}

} // namespace zpl
