//===- ParseProcedure.cpp - Procedures and their headings -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure norm(A: [ , ] double; inout n: integer): double;
//     static var calls: integer;
//     begin ... end;
//
//     free prototype f(x: double): double;
//     regionop grow(delta: integer; inout l, h, s, a: integer); begin ... end;
//
// The three are one node. The names of region operators are remembered, because
// `R grow d` on a new line looks like the beginning of a statement otherwise.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace llvm;

namespace zpl {

using namespace ast;

/// After \p word: 'procedure', 'prototype' or `regionop`.
ProcedureDecl *Parser::parseProcedure(Prefix prefix, Token word) {
  procedureColumn = columnOf(word.range);
  suspect.reset();
  doubts.clear();
  Name name = parseName("the procedure's name");
  auto *decl = make<ProcedureDecl>(name, word.range);
  decl->isExtern = prefix.isExtern;
  decl->isFree = prefix.isFree;
  decl->isPrototype = word.kind == TokenKind::Prototype;
  decl->isRegionOp = word.kind == TokenKind::Name;
  if (decl->isRegionOp)
    regionOps.insert(name.text);
  if (prefix.isExtern && !decl->isPrototype) {
    if (auto message = report(word.range, Diag::ExternWithBody, textOf(word)))
      message->fixIt(word.range, "prototype");
    decl->isPrototype = true;
  }
  parseSignature(*decl);
  decl->range = rangeFrom(word.range);
  endConstruct("the heading", word.range);
  if (decl->isPrototype)
    return decl;
  SmallVector<Decl *, 8> locals;
  for (correctDeclarationWord(); parseLocal(locals);)
    correctDeclarationWord();
  parseNestedProcedures(*decl);
  decl->locals = context.keep(locals);
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
  bool isClosed = false;
  if (accept(TokenKind::LParen)) {
    SmallVector<Formal, 8> formals;
    parseFormals(formals);
    decl.formals = context.keep(formals);
    isClosed = is(TokenKind::RParen);
    if (!panic)
      expectClose(TokenKind::RParen, open);
  } else if (isAny(TokenKind::Semicolon, TokenKind::Colon)) {
    SourceRange place = endOfPrevious();
    if (auto message = report(place, Diag::ExpectedToken,
                              "'()' after the procedure's name", ""))
      message->fixIt(place, "()");
  } else {
    missing("'(' after the procedure's name", "()");
  }
  if (panic)
    skipFormals();
  if (!panic && accept(TokenKind::Colon))
    decl.result = parseType();
  if (!isClosed && is(TokenKind::Semicolon) && kind(1) == TokenKind::Name &&
      isOneOf(kind(2), TokenKind::Colon, TokenKind::Comma))
    skipFormals();
}

/// After an error: skips to after the `)` of the formals, whose `;` end no
/// declaration, unless it is missing.
void Parser::skipFormals() {
  constexpr size_t farthest = 500;
  size_t behind = 0;
  unsigned nested = 1;
  for (size_t ahead = 0; ahead < farthest && nested != 0; ++ahead) {
    TokenKind next = kind(ahead);
    if (isOneOf(next, TokenKind::Begin, TokenKind::EndWord, TokenKind::End,
                TokenKind::Procedure, TokenKind::Prototype, TokenKind::Config))
      break;
    if (next == TokenKind::LParen)
      ++nested;
    if (next != TokenKind::RParen)
      continue;
    --nested;
    behind = ahead + 1;
  }
  panic &= behind == 0;
  for (; behind != 0; --behind)
    take();
}

/// [ 'free' ] [ 'const' | 'in' | 'var' | 'inout' | 'out' ]
Formal Parser::parseFormalMode() {
  Formal formal;
  auto acceptMode = [&](TokenKind word) { // if it is not meant as the name
    return !isOneOf(kind(1), TokenKind::Comma, TokenKind::Colon,
                    TokenKind::RParen) &&
           accept(word);
  };
  formal.isFree = acceptMode(TokenKind::Free);
  if (acceptMode(TokenKind::In))
    formal.mode = Formal::In;
  else if (acceptMode(TokenKind::Inout))
    formal.mode = Formal::InOut;
  else if (acceptMode(TokenKind::Var))
    formal.mode = Formal::Var;
  else if (acceptMode(TokenKind::Out))
    formal.mode = Formal::Out;
  else
    acceptMode(TokenKind::Const);
  return formal;
}

void Parser::parseFormals(SmallVectorImpl<Formal> &formals) {
  if (is(TokenKind::RParen))
    return;
  do {
    if (is(TokenKind::Procedure) ||
        (isWord("function") && kind(1) == TokenKind::Name)) {
      parseProcedureType();
      if (panic || !accept(TokenKind::Semicolon))
        return;
      continue;
    }
    Formal formal = parseFormalMode();
    size_t first = formals.size();
    do {
      formal.name = parseName("a parameter's name");
      formals.push_back(formal);
    } while (!panic && accept(TokenKind::Comma));
    if (!panic && !accept(TokenKind::Colon))
      missing("':' and the parameter's type", ":");
    TypeExpr *type = parseType();
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
  openIfs = openRepeats = openModifies = 0;
  correctStatementWord();
  if (isAny(TokenKind::Begin, TokenKind::LBracket)) {
    decl.body = parseStatement();
    return;
  }
  SourceRange place = firstOnLine() ? endOfPrevious() : token().range;
  report(place, Diag::ExpectedBody, decl.name.text, found());
  if (atStatementWord() || is(TokenKind::Name)) {
    (void)parseStatements(); // only to find their errors
    if (!accept(TokenKind::EndWord))
      report(endOfPrevious(), Diag::ExpectedToken,
             ("'end' of '" + decl.name.text + "'").str(), "");
  } else if (!atDeclaration()) {
    panic = true;
  }
}

} // namespace zpl
