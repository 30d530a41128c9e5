//===- Parser.h - Tokens, names and small pieces of array IR ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What all the parsing functions are made of: the tokens ahead, errors, and
/// names with what they stand for. Functions that parse leave the first error
/// in the Parsing and give false or null; their callers return at once.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_PARSER_H
#define ZPL_LIB_ARRAYIR_TEXT_PARSER_H

#include "Text/Parsing.h"

namespace zpl::air {

/// The type that \p text names, if it is one of those that are one word.
std::optional<Type> typeFromText(llvm::StringRef text);

/// The token \p ahead of the current one; the last one, the end, from there on.
inline const Token &peek(const Parsing &p, size_t ahead = 0) {
  return p.tokens[std::min(p.at + ahead, p.tokens.size() - 1)];
}

/// Whether the current token is \p text.
inline bool isAt(const Parsing &p, llvm::StringRef text) {
  return peek(p).is(text);
}

/// Where it stands.
inline SourceRange range(const Parsing &p, const Token &token) {
  return {p.file, token.begin, token.end};
}

/// Where names of that storage are declared.
inline Scope &scopeOf(Parsing &p, Storage storage) {
  return storage == Storage::Global ? p.globals : p.locals;
}

/// After a DepthGuard: is the nesting deeper than MaxDepth? That is an error.
bool tooDeep(Parsing &p);

/// The current token; goes past it. The End token stays under the cursor.
Token next(Parsing &p);

/// Goes past the current token if it is \p text and says whether.
bool accept(Parsing &p, llvm::StringRef text);

/// Goes past the current token if it is \p text; anything else is an error.
bool expect(Parsing &p, llvm::StringRef text);

/// Keeps \p message at \p token as the error, or what the lexer said of an
/// Error token, if it is the first one. Always false.
bool fail(Parsing &p, const Token &token, const llvm::Twine &message);

/// From \p first to the token read last.
SourceRange rangeFrom(const Parsing &p, const Token &first);

/// `item, item ...` up to \p close, which is taken too; none at all is fine.
/// \p item parses one and is false after an error.
template <typename Fn>
bool parseList(Parsing &p, llvm::StringRef close, Fn item) {
  if (accept(p, close))
    return true;
  do {
    if (!item())
      return false;
  } while (accept(p, ","));
  return expect(p, close);
}

/// What is named: the text of a Local or Global token without its sigil and
/// quotes.
std::string nameOf(const Token &token);

/// `"text"`; \p text gets what it means. Anything else is an error.
bool parseString(Parsing &p, std::string &text);

/// `"text"`, or nothing: then \p text stays as it is.
bool parseOptionalString(Parsing &p, std::string &text);

/// `-3`, which must fit 64 bits.
bool parseInteger(Parsing &p, int64_t &value);

/// `3`, at most \p limit.
/// `(0, 2)`: bits 0 and 2 of \p set.
bool parseDimensions(Parsing &p, uint32_t &set);
bool parseUnsigned(Parsing &p, unsigned &value, unsigned limit);

/// `(-1,0)`: a number per dimension.
bool parseOffset(Parsing &p, Offset &offset);

/// `sum`, `max` ...: one of the built-in operators, into \p op.
bool parseReduction(Parsing &p, Reduction &op);

/// `sum`, or `with @f`, a procedure that \p with gets; it may be declared
/// later.
bool parseReduction(Parsing &p, Reduction &op, Procedure *&with);

/// A name of \p kind that \p scope does not have yet, for a declaration, into
/// \p token. One that it has is an error.
bool parseNewName(Parsing &p, Token::Kind kind, Scope &scope, Token &token);

/// What the name stands for, in the scope that its sigil tells; null, and an
/// error, if it is not declared.
const Named *lookup(Parsing &p, const Token &token);

/// `%t.a.b` names the variable `t.a.b`, or the field b of `t.a`, or ...: the
/// longest name that is declared, which \p token gets; \p fields gets the rest,
/// without its point.
const Named *lookupPointed(Parsing &p, Token &token, llvm::StringRef &fields);

/// A name that is declared; null after an error.
const Named *parseNamed(Parsing &p);

/// The name of a variable that is declared; null after an error, which another
/// sort of name is.
Variable *parseVariable(Parsing &p);

/// The same for a region.
Region *parseRegion(Parsing &p);

/// The same for an array.
Array *parseArray(Parsing &p);

/// The same for a transfer.
Transfer *parseTransfer(Parsing &p);

/// The name of a procedure, perhaps one that is declared later; null after an
/// error.
Procedure *parseProcedureName(Parsing &p);

/// `{@A: (0,1) (0,-1), @B: (1,0)}`, what a transfer brings, added to \p items.
bool parseItems(Parsing &p, ItemVector &items);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_PARSER_H
