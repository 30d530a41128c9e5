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
//     var A, B: [R] double;
//
// One keyword introduces any number of definitions; each becomes a node of its
// own, in the order of the text. A definition begins with a name, so a name
// that no definition can go on from is looked at as a misspelt keyword.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

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
    Token keyword = take();
    return {textOf(keyword), keyword.range};
  }
  SourceRange place = firstOnLine() ? endOfPrevious() : token().range;
  report(place, Diag::ExpectedName, what, found());
  panic = true;
  return {"", endOfPrevious()};
}

//===----------------------------------------------------------------------===//
// Global and local declarations
//===----------------------------------------------------------------------===//

void Parser::parseGlobal(std::vector<Decl *> &decls) {
  correctDeclarationWord();
  if (isAny(TokenKind::Procedure, TokenKind::Prototype)) {
    decls.push_back(parseProcedure());
  } else if (is(TokenKind::Config)) {
    parseConfig(decls);
  } else if (accept(TokenKind::Semicolon)) {
    return;
  } else if (!parseUnsupportedGlobal() && !parseLocal(decls)) {
    report(token().range, Diag::ExpectedDeclaration, found());
    take();
    while (!is(TokenKind::End) && !atDeclaration())
      take();
    panic = false;
  }
}

/// Declarations that only the full language has. Returns false at others.
bool Parser::parseUnsupportedGlobal() {
  if (isWord("regionop")) {
    notSupported(token().range, "'regionop'");
    parseProcedure();
    return true;
  }
  if (!isAny(TokenKind::Grid, TokenKind::Distribution, TokenKind::Domain,
             TokenKind::Extern))
    return false;
  notSupported(token().range, "'" + textOf(token()) + "'");
  take();
  skipToDeclaration();
  return true;
}

/// A declaration that may be global or local. Returns false at anything else.
bool Parser::parseLocal(std::vector<Decl *> &decls) {
  if (isAny(TokenKind::Free, TokenKind::Type)) {
    notSupported(token().range, "'" + textOf(token()) + "'");
    take();
    skipToDeclaration();
    return true;
  }
  if (is(TokenKind::Static) && kind(1) == TokenKind::Free) {
    take();
    return parseLocal(decls);
  }
  bool isStatic = accept(TokenKind::Static);
  if (isStatic && !is(TokenKind::Var))
    missing("'var' after 'static'", " var");
  if (accept(TokenKind::Var) || isStatic) {
    parseVariables(VariableDecl::Var, isStatic, decls);
  } else if (accept(TokenKind::Const) || accept(TokenKind::Constant)) {
    parseVariables(VariableDecl::Const, false, decls);
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
/// like a statement behind declarations.
bool Parser::atDefinition(bool first) {
  correctDeclarationWord();
  if (first)
    return is(TokenKind::Name) || atReservedName();
  return is(TokenKind::Name) && !isWord("regionop") &&
         !isOneOf(kind(1), TokenKind::LParen, TokenKind::LBracket,
                  TokenKind::At, TokenKind::PlusAssign, TokenKind::MinusAssign);
}

/// A keyword that is used like a name in a declaration.
bool Parser::atReservedName() const {
  return isKeyword(kind()) && !firstOnLine() &&
         isOneOf(kind(1), TokenKind::Comma, TokenKind::Colon,
                 TokenKind::Semicolon, TokenKind::Equal, TokenKind::Assign,
                 TokenKind::LParen, TokenKind::RParen);
}

void Parser::parseConfig(std::vector<Decl *> &decls) {
  take();
  if (!accept(TokenKind::Var) && !accept(TokenKind::Const) &&
      !accept(TokenKind::Constant))
    missing("'var' after 'config'", " var");
  parseVariables(VariableDecl::Config, false, decls);
}

void Parser::parseVariables(VariableDecl::Flavor flavor, bool isStatic,
                            std::vector<Decl *> &decls) {
  for (bool first = true; panic || atDefinition(first); first = false) {
    if (!first && atAssignment())
      return; // a statement: variables have types
    VariableDecl *decl = parseVariable(flavor, isStatic);
    endConstruct("the declaration", decl->range);
    if (flavor == VariableDecl::Config)
      decl->comment = diags.sources().text(buffer.commentAfter(position - 1));
    decls.push_back(decl);
  }
}

/// NAME { ',' NAME } ':' Type [ Eq Init ]
VariableDecl *Parser::parseVariable(VariableDecl::Flavor flavor,
                                    bool isStatic) {
  SourceRange begin = token().range;
  auto *decl = make<VariableDecl>(flavor, begin);
  decl->isStatic = isStatic;
  do {
    decl->names.push_back(parseName("a variable's name"));
    skipMultiRange();
  } while (!panic && accept(TokenKind::Comma));
  if (!panic && !accept(TokenKind::Colon))
    missing("':' and a type", ":");
  decl->type = parseType();
  if (!panic && isAny(TokenKind::Equal, TokenKind::Assign)) {
    take();
    if (is(TokenKind::LBrace)) {
      notSupported(token().range, "an initializer list");
      panic = true;
    } else {
      decl->init = parseArgument();
    }
  }
  decl->range = rangeFrom(begin);
  return decl;
}

/// `{1..n}` behind a name: an indexed family.
void Parser::skipMultiRange() {
  if (panic || !is(TokenKind::LBrace))
    return;
  notSupported(token().range, "a range in braces");
  take();
  skipToClose(TokenKind::RBrace);
}

void Parser::expectInitializer(StringRef what) {
  if (!panic && !accept(TokenKind::Equal) && !accept(TokenKind::Assign))
    missing(what, " =");
}

/// { NAME [ ':' NAME ] Eq RegExpr ';' }
void Parser::parseRegions(std::vector<Decl *> &decls) {
  for (bool first = true; panic || atDefinition(first); first = false) {
    SourceRange begin = token().range;
    Name name = parseName("a region's name");
    skipMultiRange();
    if (!panic && is(TokenKind::Colon)) {
      notSupported(token().range, "a distribution");
      take();
      parseName("a distribution's name");
    }
    expectInitializer("'=' and a region");
    Expr *value = asRegion(parseRegion());
    decls.push_back(make<RegionDecl>(name, value, rangeFrom(begin)));
    endConstruct("the region", begin);
  }
}

/// { NAME Eq DirExpr ';' }
void Parser::parseDirections(std::vector<Decl *> &decls) {
  for (bool first = true; panic || atDefinition(first); first = false) {
    SourceRange begin = token().range;
    Name name = parseName("a direction's name");
    skipMultiRange();
    expectInitializer("'=' and a direction");
    Expr *value = asDirection(parseDirection());
    decls.push_back(make<DirectionDecl>(name, value, rangeFrom(begin)));
    endConstruct("the direction", begin);
  }
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// [ '[' Dims ']' ] Type
TypeRef Parser::parseType() {
  Nesting nesting(*this);
  TypeRef type;
  SourceRange begin = token().range;
  if (!panic && is(TokenKind::LBracket))
    type.dims = parseBracket();
  type.element = parseElementType();
  type.range = rangeFrom(begin);
  return type;
}

Name Parser::parseElementType() {
  if (panic)
    return {"", endOfPrevious()};
  if (isAny(TokenKind::Boolean, TokenKind::IntegerWord, TokenKind::Longint,
            TokenKind::FloatWord, TokenKind::Double, TokenKind::StringWord,
            TokenKind::Name)) {
    Token name = take();
    return {textOf(name), name.range};
  }
  SourceRange range = token().range;
  if (isAny(TokenKind::Char, TokenKind::File, TokenKind::Sbyte,
            TokenKind::Ubyte, TokenKind::Shortint, TokenKind::Ushortint,
            TokenKind::Uinteger, TokenKind::Ulongint, TokenKind::Quad,
            TokenKind::Complex, TokenKind::Dcomplex, TokenKind::Qcomplex,
            TokenKind::Opaque, TokenKind::Generic, TokenKind::Record,
            TokenKind::Union, TokenKind::Array, TokenKind::Region,
            TokenKind::Direction, TokenKind::Grid, TokenKind::Distribution)) {
    notSupported(range, "the type '" + textOf(token()) + "'");
    skipType();
  } else if (is(TokenKind::LParen)) {
    notSupported(range, "an enumeration");
    skipType();
  } else {
    SourceRange place = firstOnLine() ? endOfPrevious() : range;
    report(place, Diag::ExpectedType, found());
    panic = true;
  }
  return {"", range};
}

/// A type that is not supported.
void Parser::skipType() {
  Token first = take();
  if (first.kind == TokenKind::Array) {
    if (is(TokenKind::LBracket))
      parseBracket();
    expectWord(TokenKind::Of, "and the type of the elements");
    parseType();
  } else if (first.kind == TokenKind::LParen) {
    panic |= !skipToClose(TokenKind::RParen);
  } else if (isOneOf(first.kind, TokenKind::Record, TokenKind::Union)) {
    unsigned open = 1;
    for (; open != 0 && !is(TokenKind::End) && !is(TokenKind::Begin); take()) {
      open += isAny(TokenKind::Record, TokenKind::Union);
      open -= is(TokenKind::EndWord);
    }
  } else if (accept(TokenKind::Less)) {
    skipToClose(TokenKind::Greater);
  }
}

//===----------------------------------------------------------------------===//
// Procedures
//===----------------------------------------------------------------------===//

/// At 'procedure', 'prototype' or `regionop`.
ProcedureDecl *Parser::parseProcedure() {
  Token word = take();
  procedureColumn = columnOf(word.range);
  suspect.reset();
  Name name = parseName("the procedure's name");
  auto *decl = make<ProcedureDecl>(name, word.range);
  parseSignature(*decl);
  decl->range = rangeFrom(word.range);
  endConstruct("the heading", word.range);
  if (word.kind == TokenKind::Prototype)
    return decl;
  for (correctDeclarationWord(); parseLocal(decl->locals);)
    correctDeclarationWord();
  parseBody(*decl);
  decl->range = rangeFrom(word.range);
  endConstruct("the procedure", word.range);
  return decl;
}

/// '(' [ Formal { ';' Formal } ] ')' [ ':' Type ]
void Parser::parseSignature(ProcedureDecl &decl) {
  if (panic)
    return;
  Token open = token();
  if (accept(TokenKind::LParen)) {
    parseFormals(decl.formals);
    expectClose(TokenKind::RParen, open);
  } else if (isAny(TokenKind::Semicolon, TokenKind::Colon)) {
    SourceRange place = endOfPrevious();
    if (auto message = report(place, Diag::ExpectedToken,
                              "'()' after the procedure's name", ""))
      message->fixIt(place, "()");
  } else {
    missing("'(' after the procedure's name", "()");
  }
  if (!panic && accept(TokenKind::Colon))
    decl.result = parseType();
}

void Parser::parseFormals(std::vector<Formal> &formals) {
  if (is(TokenKind::RParen))
    return;
  do {
    if (is(TokenKind::Free)) {
      notSupported(token().range, "'free'");
      take();
    }
    Formal formal;
    if (accept(TokenKind::In))
      formal.mode = Formal::In;
    else if (accept(TokenKind::Inout))
      formal.mode = Formal::InOut;
    else if (accept(TokenKind::Var))
      formal.mode = Formal::Var;
    else if (accept(TokenKind::Out))
      formal.mode = Formal::Out;
    else
      accept(TokenKind::Const);
    size_t first = formals.size();
    do {
      formal.name = parseName("a parameter's name");
      formals.push_back(formal);
    } while (!panic && accept(TokenKind::Comma));
    if (!panic && !accept(TokenKind::Colon))
      missing("':' and the parameter's type", ":");
    TypeRef type = parseType();
    for (size_t index = first; index < formals.size(); ++index)
      formals[index].type = type;
    if (!panic && is(TokenKind::Comma)) {
      if (auto message = report(token().range, Diag::ExpectedToken,
                                "';' between parameters of different types",
                                ", found ','"))
        message->fixIt(token().range, ";");
      take();
      continue;
    }
    if (panic || !accept(TokenKind::Semicolon))
      return;
  } while (true);
}

/// 'begin' ... 'end' or a region scope. Without 'begin', statements are read to
/// their `end` all the same.
void Parser::parseBody(ProcedureDecl &decl) {
  openIfs = openRepeats = 0;
  correctStatementWord();
  if (isAny(TokenKind::Begin, TokenKind::LBracket)) {
    decl.body = parseStatement();
    return;
  }
  SourceRange place = firstOnLine() ? endOfPrevious() : token().range;
  report(place, Diag::ExpectedBody, decl.name.text, found());
  if (atStatementWord() || is(TokenKind::Name)) {
    parseStatements();
    if (!accept(TokenKind::EndWord))
      report(endOfPrevious(), Diag::ExpectedToken,
             ("'end' of '" + decl.name.text + "'").str(), "");
  } else if (!atDeclaration()) {
    panic = true;
  }
}

} // namespace zpl
