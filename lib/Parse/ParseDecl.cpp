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

#include "Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl {

using namespace ast;

/// 'program' NAME ';'
void Parser::parseHeading(Module &module) {
  correctDeclarationWord();
  if (!accept(TokenKind::Program)) {
    module.name.range = token().range;
    SourceRange place = {token().range.file, token().range.begin,
                         token().range.begin};
    report(place, Diag::ExpectedToken, "'program NAME;' at the beginning", "");
    return;
  }
  module.name = parseName("the program's name");
  endConstruct("the program's name", module.name.range);
}

/// A name where one is declared. A keyword in its place is taken for it.
Name Parser::parseName(StringRef what) {
  if (is(TokenKind::Name)) {
    Token name = take();
    return {textOf(name), name.range};
  }
  if (atReservedName()) {
    report(token().range, Diag::ReservedWord, textOf(token()));
    allowAsName(kind());
    Token keyword = take();
    return {textOf(keyword), keyword.range};
  }
  SourceRange place = firstOnLine() ? endOfPrevious() : token().range;
  report(place, Diag::ExpectedName, what, found());
  panic = true;
  return {"", endOfPrevious()};
}

/// [ ':' NAME ]
std::optional<Name> Parser::parseOptionalName(StringRef what) {
  if (panic || !accept(TokenKind::Colon))
    return std::nullopt;
  return parseName(what);
}

//===----------------------------------------------------------------------===//
// Global and local declarations
//===----------------------------------------------------------------------===//

void Parser::parseGlobal(Decls &decls) {
  correctDeclarationWord();
  if (accept(TokenKind::Semicolon))
    return;
  SourceRange begin = token().range;
  Prefix prefix;
  prefix.isExtern = accept(TokenKind::Extern);
  if (prefix.isExtern && isWord("header"))
    return parseHeader(decls, begin);
  if (prefix.isExtern &&
      !isAny(TokenKind::Const, TokenKind::Constant, TokenKind::Free,
             TokenKind::Var, TokenKind::Type, TokenKind::Prototype,
             TokenKind::Procedure))
    report(token().range, Diag::ExpectedName, "what is 'extern'", found());
  if (is(TokenKind::Static)) {
    if (auto message = report(token().range, Diag::StaticGlobal))
      message->fixIt(token().range, "");
    take();
  }
  prefix.isFree = accept(TokenKind::Free);
  if (!parseGlobalOnly(prefix, decls) && !parseDefinitions(prefix, decls))
    skipToGlobal();
}

/// No declaration: says so and skips to one, over whole blocks that have lost
/// their heading.
void Parser::skipToGlobal() {
  report(token().range, Diag::ExpectedDeclaration, found());
  do {
    panic = false;
    if (is(TokenKind::Begin))
      parseBlock();
    else
      take();
  } while (!is(TokenKind::End) && !atDeclaration());
  panic = false;
}

/// A declaration that cannot be local. Returns false at anything else.
bool Parser::parseGlobalOnly(Prefix prefix, Decls &decls) {
  if (isAny(TokenKind::Procedure, TokenKind::Prototype) || atRegionOpDecl())
    decls.push_back(parseProcedure(prefix, take()));
  else if (atLostHeading())
    decls.push_back(parseProcedure(
        prefix, missingWord(TokenKind::Procedure, token().range)));
  else if (is(TokenKind::Config))
    parseConfig(decls);
  else if (is(TokenKind::Grid))
    parseGrids(decls);
  else if (is(TokenKind::Distribution))
    parseDistributions(decls);
  else if (is(TokenKind::Domain))
    parseDomains(decls);
  else
    return false;
  return true;
}

/// A declaration in front of a body. Returns false at anything else.
bool Parser::parseLocal(Decls &decls) {
  Prefix prefix;
  prefix.isStatic = accept(TokenKind::Static);
  if (is(TokenKind::Free) &&
      !isOneOf(kind(1), TokenKind::Procedure, TokenKind::Prototype)) {
    take();
    prefix.isFree = true;
  }
  return parseDefinitions(prefix, decls);
}

/// Is it `name (` and formals?
bool Parser::atLostHeading() const {
  if (!is(TokenKind::Name) || kind(1) != TokenKind::LParen)
    return false;
  if (kind(2) == TokenKind::RParen)
    return kind(3) == TokenKind::Colon ||
           (kind(3) == TokenKind::Semicolon && !atStatementWord(4)) ||
           kind(4) == TokenKind::Begin;
  return kind(3) == TokenKind::Colon ||
         isOneOf(kind(2), TokenKind::Const, TokenKind::In, TokenKind::Inout,
                 TokenKind::Var, TokenKind::Out, TokenKind::Free);
}

/// Variables, constants, types, regions, directions.
bool Parser::parseDefinitions(Prefix prefix, Decls &decls) {
  bool wantsVar = prefix.isStatic || prefix.isFree;
  if (wantsVar && !is(TokenKind::Var))
    missing(prefix.isFree ? "'var' after 'free'" : "'var' after 'static'",
            " var");
  if (accept(TokenKind::Var) || wantsVar) {
    parseVariables(VariableDecl::Var, prefix, decls);
  } else if (accept(TokenKind::Const) || accept(TokenKind::Constant)) {
    parseVariables(VariableDecl::Const, prefix, decls);
  } else if (accept(TokenKind::Type)) {
    parseTypes(prefix, decls);
  } else if (accept(TokenKind::Region)) {
    parseRegions(decls);
  } else if (accept(TokenKind::Direction)) {
    parseDirections(decls);
  } else {
    return false;
  }
  return true;
}

/// Does a definition of the keyword before follow? The first one may bear the
/// name of a keyword, which parseName() reports; the later ones must not look
/// like a statement after declarations.
bool Parser::atDefinition(bool first) {
  correctDeclarationWord();
  if (first)
    return is(TokenKind::Name) || atReservedName();
  if (isKeyword(kind()) && isOneOf(kind(1), TokenKind::Colon, TokenKind::Comma))
    return true;
  return is(TokenKind::Name) && !atRegionOpDecl() &&
         !isOneOf(kind(1), TokenKind::LParen, TokenKind::LBracket,
                  TokenKind::Dot, TokenKind::Hash, TokenKind::At,
                  TokenKind::WrapAt, TokenKind::PlusAssign,
                  TokenKind::MinusAssign);
}

/// Among definitions of other things, at `a, b: T` or `a: T`: the word 'var' is
/// missing, which is reported. \p mayBind: `a: D = ...` is one of them.
bool Parser::missingVar(bool mayBind) {
  size_t ahead = 1;
  while (kind(ahead) == TokenKind::Comma && kind(ahead + 1) == TokenKind::Name)
    ahead += 2;
  if (panic || !is(TokenKind::Name) || kind(ahead) != TokenKind::Colon ||
      (mayBind && ahead == 1 && kind(2) == TokenKind::Name &&
       isOneOf(kind(3), TokenKind::Equal, TokenKind::Assign)))
    return false;
  missingWord(TokenKind::Var, token().range);
  return true;
}

/// A keyword that is used like a name in a declaration.
bool Parser::atReservedName() const {
  bool isFirst =
      firstOnLine() && !isOneOf(kind(1), TokenKind::Colon, TokenKind::Comma);
  return isKeyword(kind()) && !isFirst &&
         isOneOf(kind(1), TokenKind::Comma, TokenKind::Colon,
                 TokenKind::Semicolon, TokenKind::Equal, TokenKind::Assign,
                 TokenKind::LParen, TokenKind::RParen, TokenKind::LBrace);
}

/// `regionop` is a keyword only here.
bool Parser::atRegionOpDecl() const {
  return isWord("regionop") && kind(1) == TokenKind::Name;
}

//===----------------------------------------------------------------------===//
// Variables and constants
//===----------------------------------------------------------------------===//

void Parser::parseConfig(Decls &decls) {
  take();
  if (!accept(TokenKind::Var) && !accept(TokenKind::Const) &&
      !accept(TokenKind::Constant))
    missing("'var' after 'config'", " var");
  parseVariables(VariableDecl::Config, {}, decls);
}

/// NAME [ Range ] Eq: a constant without its type, or a region or direction
/// without the word before.
bool Parser::atTypeless() const {
  unsigned ahead = 1;
  if (kind(ahead) == TokenKind::LBrace) {
    while (!isOneOf(kind(ahead), TokenKind::RBrace, TokenKind::Semicolon,
                    TokenKind::End))
      ++ahead;
    ++ahead;
  }
  return is(TokenKind::Name) && kind(ahead) == TokenKind::Equal;
}

void Parser::parseVariables(VariableDecl::Flavor flavor, Prefix prefix,
                            Decls &decls) {
  bool isTypeless = false;
  for (bool first = true; panic || atDefinition(first); first = false) {
    if (!first && atAssignment())
      return; // a statement: variables have types
    if (!first && atTypeless() && isTypeless) { // the same mistake once more
      synchronize(take().range);
      accept(TokenKind::Semicolon);
      continue;
    }
    isTypeless = atTypeless();
    VariableDecl *decl = parseVariable(flavor, prefix);
    endConstruct("the declaration", decl->range);
    if (flavor == VariableDecl::Config)
      decl->comment = diags.sources().text(buffer.commentAfter(position - 1));
    decls.push_back(decl);
  }
}

/// NAME [ Range ] { ',' NAME [ Range ] } ':' Type [ Eq Init ]
VariableDecl *Parser::parseVariable(VariableDecl::Flavor flavor,
                                    Prefix prefix) {
  SourceRange begin = token().range;
  auto *decl = make<VariableDecl>(begin);
  decl->flavor = flavor;
  decl->isExtern = prefix.isExtern;
  decl->isStatic = prefix.isStatic;
  decl->isFree = prefix.isFree;
  SmallVector<DefinedName, 4> names;
  do
    names.push_back(parseDefinedName("a variable's name"));
  while (!panic && accept(TokenKind::Comma));
  decl->names = context.keep(names);
  if (!panic && !accept(TokenKind::Colon))
    missing("':' and a type", ":");
  decl->type = parseType();
  if (!panic && isAny(TokenKind::Equal, TokenKind::Assign)) {
    take();
    decl->init = parseInit();
  }
  decl->range = rangeFrom(begin);
  return decl;
}

/// NAME [ '{' [ Expr '..' Expr ] '}' ]
DefinedName Parser::parseDefinedName(StringRef what) {
  DefinedName defined{parseName(what)};
  if (panic || !is(TokenKind::LBrace))
    return defined;
  Token open = take();
  auto *multi = make<MultiRange>();
  if (!is(TokenKind::RBrace)) {
    multi->lo = parseExpr();
    if (!panic && !accept(TokenKind::DotDot))
      missing("'..' and the last index", "..");
    multi->hi = parseExpr();
  }
  expectClose(TokenKind::RBrace, open);
  multi->range = rangeFrom(open.range);
  defined.multi = multi;
  return defined;
}

/// Expr | RegExpr | DirExpr | '{' Init { ',' Init } [ ',' ] '}'
Expr *Parser::parseInit() {
  if (panic || !is(TokenKind::LBrace) || kind(1) == TokenKind::RBrace)
    return parseArgument();
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  Token open = take();
  SmallVector<Expr *, 8> items;
  do
    items.push_back(parseInit());
  while (!panic && accept(TokenKind::Comma) && !is(TokenKind::RBrace));
  expectClose(TokenKind::RBrace, open);
  return make<InitList>(context.keep(items), rangeFrom(open.range));
}

void Parser::expectInitializer(StringRef what) {
  if (!panic && !accept(TokenKind::Equal) && !accept(TokenKind::Assign))
    missing(what, " =");
}

//===----------------------------------------------------------------------===//
// Types, regions, directions
//===----------------------------------------------------------------------===//

/// { NAME [ Eq Type ] ';' }: only extern ones may do without.
void Parser::parseTypes(Prefix prefix, Decls &decls) {
  for (bool first = true; panic || atDefinition(first); first = false) {
    if (!first && missingVar(false))
      return parseVariables(VariableDecl::Var, prefix, decls);
    SourceRange begin = token().range;
    Name name = parseName("a type's name");
    TypeExpr *type = nullptr;
    if (!prefix.isExtern || !is(TokenKind::Semicolon)) {
      expectInitializer("'=' and a type");
      type = parseType();
    }
    decls.push_back(
        make<TypeDecl>(name, type, prefix.isExtern, rangeFrom(begin)));
    endConstruct("the type", begin);
  }
}

/// { NAME [ Range ] [ ':' NAME ] Eq RegExpr ';' }
void Parser::parseRegions(Decls &decls) {
  for (bool first = true; panic || atDefinition(first); first = false) {
    if (!first && missingVar(true))
      return parseVariables(VariableDecl::Var, {}, decls);
    SourceRange begin = token().range;
    DefinedName name = parseDefinedName("a region's name");
    std::optional<Name> distribution =
        parseOptionalName("a distribution's name");
    expectInitializer("'=' and a region");
    Expr *value = asRegion(parseArgument());
    decls.push_back(
        make<RegionDecl>(name, distribution, value, rangeFrom(begin)));
    endConstruct("the region", begin);
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
void Parser::parseDirections(Decls &decls) {
  for (bool first = true; panic || atDefinition(first); first = false) {
    if (!first && missingVar(false))
      return parseVariables(VariableDecl::Var, {}, decls);
    SourceRange begin = token().range;
    DefinedName name = parseDefinedName("a direction's name");
    expectInitializer("'=' and a direction");
    Expr *value = parseArgument();
    if (!first && !panic && isNoDirection(value)) {
      missingWord(TokenKind::Region, begin);
      endConstruct("the region", begin);
      return parseRegions(decls);
    }
    value = asDirection(value);
    decls.push_back(make<DirectionDecl>(name, value, rangeFrom(begin)));
    endConstruct("the direction", begin);
  }
}

} // namespace zpl
