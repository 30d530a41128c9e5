//===- ParseExpressions.cpp - Text to array IR: expressions ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An expression begins with a name (`%x`, `%A@(-1,0)`: what the name is decides
// between variable and element) or with a word: a type makes a constant (`f64
// 0.5`, `@Class 2`) or a conversion (`f64(%n)`), an operator takes operands in
// parentheses. Fields and subscripts may follow, `%t.pos[%i].x`. Nothing needs
// more than one token of look-ahead.
//
// Names may contain points, so `%t.pos` is one token: what of it is a name and
// what fields is decided by what is declared.
//
//===----------------------------------------------------------------------===//

#include "Text/ParserImpl.h"
#include "Text/PrinterImpl.h"
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
  case Token::Word: {
    Token first = peek();
    const Expr *result = parseWordExpr();
    // A part of a complex value that is computed: `sub(@Z, %W).re`.
    return result && result->type.isComplex() ? parsePostfix(result, first)
                                              : result;
  }
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
  Token first = next();
  StringRef fields;
  const Named *named = lookupPointed(first, fields);
  if (!named)
    return nullptr;
  if (named->type && fields.empty())
    return parseTyped(named->type, first);
  const Expr *result = nullptr;
  if (named->variable)
    result = module.make<VarExpr>(named->variable, range(first));
  else if (named->array && fields.empty())
    result = parseElement(named->array, first);
  else if (named->array)
    result = module.make<ElementExpr>(
        named->array, Offset(named->array->rank(), 0), range(first));
  else
    fail(first, "'" + first.text + "' is neither a variable nor an array");
  while (result && !fields.empty()) {
    auto [field, rest] = fields.split('.');
    result = parseField(result, field, first);
    fields = rest;
  }
  return result ? parsePostfix(result, first) : nullptr;
}

/// A subscript stands on the line of its array: a bracket that starts a line
/// starts a statement.
const Expr *Parser::parsePostfix(const Expr *base, const Token &first) {
  while (base) {
    if (at_("[") && !peek().startsLine) {
      base = parseSubscripts(base, first);
    } else if (accept(".")) {
      std::string name;
      base = parseFieldName(name) ? parseField(base, name, first) : nullptr;
    } else {
      break;
    }
  }
  return base;
}

const Expr *Parser::parseField(const Expr *base, StringRef name,
                               const Token &first) {
  Type type = base->type;
  if (type.isComplex() && (name == "re" || name == "im"))
    return module.make<FieldExpr>(base, name == "im", type.component(),
                                  rangeFrom(first));
  if (type == Type::Record || type == Type::Union)
    for (auto [i, field] : enumerate(type.info()->fields))
      if (field.name == name)
        return module.make<FieldExpr>(base, i, field.type, rangeFrom(first));
  fail(first, "there is no field '" + name + "' in " + text(type));
  return nullptr;
}

/// `[%i, %j]`, `[%i : "a as written"]`.
const Expr *Parser::parseSubscripts(const Expr *base, const Token &first) {
  Token bracket = next();
  SmallVector<const Expr *, 2> subscripts;
  do {
    const Expr *subscript = parseExpr();
    if (!subscript)
      return nullptr;
    subscripts.push_back(subscript);
  } while (accept(","));
  std::string text = plainName(base).str();
  if (accept(":") && !parseString(text))
    return nullptr;
  bool isChecked = accept("checked");
  if (!expect("]"))
    return nullptr;
  if (base->type != Type::Array) {
    fail(bracket, "only arrays have subscripts");
    return nullptr;
  }
  auto *made =
      module.make<SubscriptExpr>(base, subscripts, module.copy(text),
                                 base->type.info()->element, rangeFrom(first));
  made->isChecked = isChecked;
  return made;
}

/// What a name starts and can be assigned.
const Expr *Parser::parsePlace() {
  Token first = peek();
  if (first.kind != Token::Local && first.kind != Token::Global) {
    fail(first, "expected a variable or an array");
    return nullptr;
  }
  const Expr *place = parseNameExpr();
  if (!place || rootVariable(place) || rootElement(place))
    return place;
  fail(first, "expected a variable or an array");
  return nullptr;
}

/// After the array's name.
const Expr *Parser::parseElement(Array *array, const Token &first) {
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
  if (first.text == "call") {
    const CallExpr *call = parseCall();
    return call ? parsePostfix(call, first) : nullptr;
  }
  next();
  if (auto type = typeFromText(first.text))
    return parseTyped(*type, first);
  if (first.text == "index") {
    unsigned dim = 0;
    if (!expect("(") || !parseUnsigned(dim, 64) || !expect(")"))
      return nullptr;
    return module.make<IndexExpr>(dim, rangeFrom(first));
  }
  for (unsigned which = BoundExpr::Lo; which <= BoundExpr::Level; ++which)
    if (first.text == text(BoundExpr::Which(which)))
      return parseBoundExpr(BoundExpr::Which(which), first);
  if (first.text == "complex")
    return parseComplex(first);
  return parseOperation(first);
}

const Expr *Parser::parseBoundExpr(BoundExpr::Which which, const Token &first) {
  unsigned dim = 0;
  Region *region = nullptr;
  bool hasDim = which != BoundExpr::Level;
  if (!expect("(") || !(region = parseRegion()) ||
      (hasDim && (!expect(",") || !parseUnsigned(dim, 64))) || !expect(")"))
    return nullptr;
  return module.make<BoundExpr>(region, dim, which, rangeFrom(first));
}

const Expr *Parser::parseComplex(const Token &first) {
  ExprVector parts;
  if (!parseOperands(parts))
    return nullptr;
  if (parts.size() != 2 || !parts[0]->type.isFloat()) {
    fail(first, "'complex' has two floating-point operands");
    return nullptr;
  }
  Type type = Type::Kind(Type::C32 + (parts[0]->type - Type::F32));
  return module.make<ComplexExpr>(parts[0], parts[1], type, rangeFrom(first));
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
  case Type::Char:
  case Type::I8:
  case Type::U8:
  case Type::I16:
  case Type::U16:
  case Type::I32:
  case Type::U32:
  case Type::I64:
  case Type::File:
  case Type::Enum:
    if (!parseInteger(result->integer))
      return nullptr;
    break;
  case Type::U64: {
    uint64_t value = 0;
    if (peek().kind != Token::Number || peek().text.getAsInteger(10, value)) {
      fail(peek(), "expected an integer without sign of 64 bits");
      return nullptr;
    }
    next();
    result->integer = int64_t(value);
    break;
  }
  case Type::F32:
  case Type::F64:
  case Type::F80:
    return parseFloat(result);
  case Type::Str:
    if (!parseString(string))
      return nullptr;
    result->text = module.copy(string);
    break;
  case Type::Void:
  case Type::C32:
  case Type::C64:
  case Type::C80:
  case Type::Timer:
  case Type::Opaque:
  case Type::Record:
  case Type::Union:
  case Type::Array:
  case Type::Handle:
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

static Type resultOf(MathFn fn, ArrayRef<const Expr *> args) {
  if (fn == MathFn::Ran)
    return Type::F64;
  if (fn == MathFn::Locale)
    return Type::I32;
  return fn == MathFn::SameFile ? Type(Type::Bool) : args[0]->type;
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
    return module.make<MathExpr>(MathFn(op), args, resultOf(MathFn(op), args),
                                 where);
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
  return (argument.place = parsePlace()) != nullptr;
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
