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
//     procedure sum(procedure f(k: integer): double; n: integer = 10): double;
//     free prototype f(x: double): double;
//     regionop grow(delta: integer; inout l, h, s, a: integer); begin ... end;
//
// The three are one node. The names of region operators are remembered, because
// `R grow d` on a new line looks like the beginning of a statement otherwise.
//
//===----------------------------------------------------------------------===//

#include "ParseProcedure.h"
#include "Cursor.h"
#include "Habits/ForeignDecls.h"
#include "Habits/Spelling.h"
#include "ParseDecl.h"
#include "ParseExpr.h"
#include "ParseRegion.h"
#include "ParseStmt.h"
#include "ParseType.h"
#include "Parsing.h"
#include "Recovery.h"

using namespace llvm;

namespace zpl {

using namespace ast;

static void parseSignature(Parsing &p, ast::ProcedureDecl &decl);
static void skipFormals(Parsing &p);
static void parseFormals(Parsing &p,
                         llvm::SmallVectorImpl<ast::Formal> &formals);
static void parseBody(Parsing &p, ast::ProcedureDecl &decl);

ProcedureDecl *parseProcedure(Parsing &p, Prefix prefix, Token word) {
  p.procedureColumn = columnOf(p, word.range);
  p.suspect.reset();
  p.doubts.clear();
  Name name = parseName(p, "the procedure's name");
  auto *decl = make<ProcedureDecl>(p, name, word.range);
  decl->isExtern = prefix.isExtern;
  decl->isExported = prefix.isExported;
  decl->isFree = prefix.isFree;
  decl->isPrototype = word.kind == TokenKind::Prototype;
  decl->isRegionOp = word.kind == TokenKind::Name;
  if (decl->isRegionOp)
    p.regionOps.insert(name.text);
  if (prefix.isExtern && !decl->isPrototype) {
    if (auto message =
            report(p, word.range, Diag::ExternWithBody, textOf(p, word)))
      message->fixIt(word.range, "prototype");
    decl->isPrototype = true;
  }
  parseSignature(p, *decl);
  decl->range = rangeFrom(p, word.range);
  endConstruct(p, "the heading", word.range);
  if (decl->isPrototype)
    return decl;
  SmallVector<Decl *, 8> locals;
  for (correctDeclarationWord(p); parseLocal(p, locals);)
    correctDeclarationWord(p);
  parseNestedProcedures(p, *decl);
  decl->locals = p.context.keep(locals);
  parseBody(p, *decl);
  decl->range = rangeFrom(p, word.range);
  endConstruct(p, "the procedure", word.range);
  return decl;
}

/// '(' [ Formal { ';' Formal } ] ')' [ ':' Type ]
static void parseSignature(Parsing &p, ProcedureDecl &decl) {
  if (p.panic)
    return;
  Token open = token(p);
  bool isClosed = false;
  if (accept(p, TokenKind::LParen)) {
    SmallVector<Formal, 8> formals;
    parseFormals(p, formals);
    decl.formals = p.context.keep(formals);
    isClosed = is(p, TokenKind::RParen);
    if (!p.panic)
      expectClose(p, TokenKind::RParen, open);
  } else if (isAny(p, TokenKind::Semicolon, TokenKind::Colon)) {
    SourceRange place = endOfPrevious(p);
    if (auto message = report(p, place, Diag::ExpectedToken,
                              "'()' after the procedure's name", ""))
      message->fixIt(place, "()");
  } else {
    missing(p, "'(' after the procedure's name", "()");
  }
  if (p.panic)
    skipFormals(p);
  if (!p.panic && accept(p, TokenKind::Colon))
    decl.result = parseType(p);
  if (!isClosed && is(p, TokenKind::Semicolon) &&
      kind(p, 1) == TokenKind::Name &&
      isOneOf(kind(p, 2), TokenKind::Colon, TokenKind::Comma))
    skipFormals(p);
}

/// After an error: skips to after the `)` of the formals, whose `;` end no
/// declaration, unless it is missing.
static void skipFormals(Parsing &p) {
  constexpr size_t farthest = 500;
  size_t behind = 0;
  unsigned nested = 1;
  for (size_t ahead = 0; ahead < farthest && nested != 0; ++ahead) {
    TokenKind next = kind(p, ahead);
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
  p.panic &= behind == 0;
  for (; behind != 0; --behind)
    take(p);
}

/// [ 'free' ] [ 'const' | 'in' | 'var' | 'inout' | 'out' ]
static Formal parseFormalMode(Parsing &p) {
  Formal formal;
  auto acceptMode = [&](TokenKind word) { // if it is not meant as the name
    return !isOneOf(kind(p, 1), TokenKind::Comma, TokenKind::Colon,
                    TokenKind::RParen) &&
           accept(p, word);
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

/// '(' [ Formals ] ')' [ ':' Type ] of a parameter that is a procedure, which
/// began at \p begin.
static TypeExpr *parseHeading(Parsing &p, SourceRange begin) {
  Nesting nesting(p);
  SmallVector<Formal, 4> formals;
  Token open = token(p);
  if (!p.panic && accept(p, TokenKind::LParen)) {
    parseFormals(p, formals);
    expectClose(p, TokenKind::RParen, open);
  } else if (!p.panic) {
    missing(p, "'()' after the procedure's name", "()");
  }
  TypeExpr *result =
      !p.panic && accept(p, TokenKind::Colon) ? parseType(p) : nullptr;
  return make<ProcedureType>(p, p.context.keep(formals), result,
                             rangeFrom(p, begin));
}

/// `f: procedure(x: double): double`: reported, and read as what was meant.
static TypeExpr *parseTurnedHeading(Parsing &p, const Formal &formal) {
  Token word = take(p);
  if (auto message = report(p, word.range, Diag::ProcedureValue))
    message->fixIt(formal.name.range.to(word.range),
                   ("procedure " + formal.name.text).str());
  accept(p, TokenKind::Name);
  return parseHeading(p, formal.name.range);
}

/// NAME { ',' NAME } ':' Type, or 'procedure' NAME and its heading.
static void parseFormalType(Parsing &p, SmallVectorImpl<Formal> &formals) {
  size_t first = formals.size();
  Formal formal = parseFormalMode(p);
  if (is(p, TokenKind::Name) && atForeignProcedure(p))
    correctDeclarationWord(p);
  if (is(p, TokenKind::Procedure)) {
    SourceRange begin = take(p).range;
    formal.name = parseName(p, "a parameter's name");
    formal.type = parseHeading(p, begin);
    formals.push_back(formal);
    return;
  }
  do {
    formal.name = parseName(p, "a parameter's name");
    formals.push_back(formal);
  } while (!p.panic && accept(p, TokenKind::Comma));
  if (!p.panic && !accept(p, TokenKind::Colon))
    missing(p, "':' and the parameter's type", ":");
  bool isTurned = !p.panic && is(p, TokenKind::Procedure);
  TypeExpr *type = isTurned ? parseTurnedHeading(p, formal) : parseType(p);
  for (size_t index = first; index < formals.size(); ++index)
    formals[index].type = type;
}

static void parseFormals(Parsing &p, SmallVectorImpl<Formal> &formals) {
  if (is(p, TokenKind::RParen))
    return;
  do {
    size_t first = formals.size();
    parseFormalType(p, formals);
    if (!p.panic && isAny(p, TokenKind::Equal, TokenKind::Assign)) {
      take(p);
      Expr *init = parseArgument(p);
      for (size_t index = first; index < formals.size(); ++index)
        formals[index].init = init;
    }
    if (!p.panic && is(p, TokenKind::Comma)) {
      if (auto message = report(p, token(p).range, Diag::ExpectedToken,
                                "';' between parameters of different types",
                                ", found ','"))
        message->fixIt(token(p).range, ";");
      take(p);
      continue;
    }
    if (p.panic || !accept(p, TokenKind::Semicolon))
      return;
  } while (true);
}

/// 'begin' ... 'end' or a region scope. Without 'begin', statements are read to
/// their `end` all the same.
static void parseBody(Parsing &p, ProcedureDecl &decl) {
  p.openIfs = p.openRepeats = p.openModifies = 0;
  correctStatementWord(p);
  if (isAny(p, TokenKind::Begin, TokenKind::LBracket)) {
    decl.body = parseStatement(p);
    return;
  }
  SourceRange place = firstOnLine(p) ? endOfPrevious(p) : token(p).range;
  report(p, place, Diag::ExpectedBody, decl.name.text, found(p));
  if (atStatementWord(p) || is(p, TokenKind::Name)) {
    (void)parseStatements(p); // only to find their errors
    if (!accept(p, TokenKind::EndWord))
      report(p, endOfPrevious(p), Diag::ExpectedToken,
             ("'end' of '" + decl.name.text + "'").str(), "");
  } else if (!atDeclaration(p)) {
    p.panic = true;
  }
}

} // namespace zpl
