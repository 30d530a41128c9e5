//===- ParseExpressions.cpp - Text to array IR: expressions ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An expression begins with a name (`%x`, `%A@(-1,0)`: what the name is decides
// between variable and element) or with a word: a type makes a constant (`f64
// 0.5`) or a conversion (`f64(%n)`), an operator takes operands in parentheses.
// Nothing needs more than one token of look-ahead.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include <bit>
#include <charconv>
#include <limits>

using namespace llvm;

namespace zpl::air {

const Expr *Parser::parseExpr() {
  DepthGuard guard(depth);
  if (tooDeep())
    return nullptr;
  switch (peek().kind) {
  case Token::Local:
  case Token::Global:
    return parseNameExpr();
  case Token::Word:
    return parseWordExpr();
  case Token::End:
  case Token::Error:
  case Token::Number:
  case Token::String:
  case Token::Punct:
    break;
  }
  fail(peek(), "expected an expression");
  return nullptr;
}

const Expr *Parser::parseNameExpr() {
  const Named *named = lookup(peek());
  if (!named)
    return nullptr;
  if (named->array)
    return parseElement();
  Token name = next();
  if (named->variable)
    return module.make<VarExpr>(named->variable, range(name));
  fail(name, "'" + name.text + "' is neither a variable nor an array");
  return nullptr;
}

const ElementExpr *Parser::parseElement() {
  Token first = peek();
  Array *array = parseArray();
  if (!array)
    return nullptr;
  unsigned walker = 0;
  bool hasWalker = accept("#");
  if (hasWalker && !parseUnsigned(walker, 1u << 20))
    return nullptr;
  Offset offset;
  if (!accept("@"))
    offset.assign(array->rank(), 0);
  else if (!parseOffset(offset))
    return nullptr;
  auto *result =
      module.make<ElementExpr>(array, std::move(offset), rangeFrom(first));
  result->walker = hasWalker ? int(walker) : -1;
  return result;
}

const Expr *Parser::parseWordExpr() {
  Token first = peek();
  if (first.text == "call")
    return parseCall();
  next();
  if (auto type = typeFromText(first.text))
    return parseTyped(*type, first);
  if (first.text == "index") {
    unsigned dim = 0;
    if (!expect("(") || !parseUnsigned(dim, 64) || !expect(")"))
      return nullptr;
    return module.make<IndexExpr>(dim, rangeFrom(first));
  }
  if (first.text == "lo" || first.text == "hi") {
    unsigned dim = 0;
    Region *region = nullptr;
    if (!expect("(") || !(region = parseRegion()) || !expect(",") ||
        !parseUnsigned(dim, 64) || !expect(")"))
      return nullptr;
    return module.make<BoundExpr>(region, dim, first.text == "hi",
                                  rangeFrom(first));
  }
  if (first.text == "given") {
    Variable *variable = nullptr;
    if (!expect("(") || !(variable = parseVariable()) || !expect(")"))
      return nullptr;
    return module.make<GivenExpr>(variable, rangeFrom(first));
  }
  return parseOperation(first);
}

/// After a type: `f64(e)` or `f64 0.5`.
const Expr *Parser::parseTyped(Type type, const Token &first) {
  if (!at_("("))
    return parseConst(type, first);
  ExprVector operand;
  if (!parseOperands(operand))
    return nullptr;
  if (operand.size() == 1)
    return module.make<CastExpr>(type, operand[0], rangeFrom(first));
  fail(first, "a conversion has one operand");
  return nullptr;
}

const Expr *Parser::parseConst(Type type, const Token &first) {
  auto *result = module.make<ConstExpr>(type, range(first));
  std::string string;
  switch (type) {
  case Type::Bool:
    result->integer = at_("true");
    if (!accept("true") && !accept("false")) {
      fail(peek(), "expected 'true' or 'false'");
      return nullptr;
    }
    break;
  case Type::I32:
  case Type::I64:
    if (!parseInteger(result->integer))
      return nullptr;
    break;
  case Type::F32:
  case Type::F64:
    return parseFloat(result);
  case Type::Str:
    if (!parseString(string))
      return nullptr;
    result->text = module.copy(string);
    break;
  case Type::Void:
  case Type::Timer:
    fail(first, "there are no constants of this type");
    return nullptr;
  }
  result->range = rangeFrom(first);
  return result;
}

const Expr *Parser::parseFloat(ConstExpr *result) {
  Token token = next();
  result->range = result->range.to(range(token));
  StringRef digits = token.text;
  uint64_t bits = 0;
  if (token.is("nan")) {
    result->number = std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  if (token.is("inf") || token.text == "-inf") {
    double infinity = std::numeric_limits<double>::infinity();
    result->number = token.text == "inf" ? infinity : -infinity;
    return result;
  }
  if (token.kind == Token::Number && digits.consume_front("0x") &&
      digits.size() == 16 && !digits.getAsInteger(16, bits)) {
    result->number = std::bit_cast<double>(bits);
    return result;
  }
  float single = 0;
  auto status =
      result->type == Type::F32
          ? std::from_chars(digits.begin(), digits.end(), single)
          : std::from_chars(digits.begin(), digits.end(), result->number);
  if (token.kind != Token::Number || status.ec != std::errc() ||
      status.ptr != digits.end()) {
    fail(token, "expected a floating-point number");
    return nullptr;
  }
  if (result->type == Type::F32)
    result->number = single;
  return result;
}

bool Parser::parseOperands(ExprVector &operands) {
  return expect("(") && parseList(")", [&] {
           operands.push_back(parseExpr());
           return operands.back() != nullptr;
         });
}

const Expr *Parser::parseOperation(const Token &first) {
  // Which operator, how many operands, how to make it.
  enum { None, Unary, Binary, Compare, Math, Fma } sort = None;
  unsigned wanted = 0, op = 0;
#define AIR_OPERATION(Sort, Enum, Id, word, count)                             \
  if (first.text == word) {                                                    \
    sort = Sort;                                                               \
    op = unsigned(Enum::Id);                                                   \
    wanted = count;                                                            \
  }
#define AIR_UNARY(Id, text) AIR_OPERATION(Unary, UnaryOp, Id, text, 1)
#define AIR_BINARY(Id, text) AIR_OPERATION(Binary, BinaryOp, Id, text, 2)
#define AIR_COMPARE(Id, text) AIR_OPERATION(Compare, CompareOp, Id, text, 2)
#define AIR_MATH(Id, text, arity) AIR_OPERATION(Math, MathFn, Id, text, arity)
#include "zpl/ArrayIR/Ops.def"
#undef AIR_OPERATION
  if (first.text == "fma")
    sort = Fma, wanted = 3;
  ExprVector args;
  if (sort == None)
    return fail(first, "expected an expression"), nullptr;
  if (!parseOperands(args))
    return nullptr;
  if (args.size() != wanted)
    return fail(first, "'" + first.text + "' has " + Twine(wanted) +
                           " operands, not " + Twine(args.size())),
           nullptr;
  SourceRange where = rangeFrom(first);
  switch (sort) {
  case Unary:
    return module.make<UnaryExpr>(UnaryOp(op), args[0], where);
  case Binary:
    return module.make<BinaryExpr>(BinaryOp(op), args[0], args[1], where);
  case Compare:
    return module.make<CompareExpr>(CompareOp(op), args[0], args[1], where);
  case Math:
    return module.make<MathExpr>(MathFn(op), args, where);
  case Fma:
    return module.make<FmaExpr>(args[0], args[1], args[2], where);
  case None:
    break;
  }
  return nullptr;
}

bool Parser::parseArgument(Argument &argument) {
  if (accept("array"))
    return (argument.array = parseArray()) != nullptr;
  if (accept("region"))
    return (argument.region = parseRegion()) != nullptr;
  if (!accept("ref"))
    return (argument.value = parseExpr()) != nullptr;
  if (peek().kind != Token::Local && peek().kind != Token::Global)
    return fail(peek(), "expected a variable or an array after 'ref'");
  const Named *named = lookup(peek());
  if (!named)
    return false;
  if (named->array)
    return (argument.element = parseElement()) != nullptr;
  return (argument.variable = parseVariable()) != nullptr;
}

const CallExpr *Parser::parseCall() {
  Token first = next();
  Procedure *callee = parseProcedureName();
  SmallVector<Argument, 4> args;
  if (!callee || !expect("(") ||
      !parseList(")", [&] { return parseArgument(args.emplace_back()); }))
    return nullptr;
  return module.make<CallExpr>(callee, callee->result, args, rangeFrom(first));
}

} // namespace zpl::air
