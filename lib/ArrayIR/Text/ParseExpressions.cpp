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

#include "Text/ParseExpressions.h"
#include "Text/ParseTypes.h"
#include "Text/Parser.h"
#include "Text/Parsing.h"
#include "Text/PrinterImpl.h"
#include <bit>
#include <charconv>
#include <limits>

using namespace llvm;

namespace zpl::air {

static const Expr *parseNameExpr(Parsing &p);
static const Expr *parsePostfix(Parsing &p, const Expr *base,
                                const Token &first);
static const Expr *parseField(Parsing &p, const Expr *base,
                              llvm::StringRef name, const Token &first);
static const Expr *parseSubscripts(Parsing &p, const Expr *base,
                                   const Token &first);
static const Expr *parseElement(Parsing &p, Array *array, const Token &first);
static const Expr *parseWordExpr(Parsing &p);
static const Expr *parseBoundExpr(Parsing &p, BoundExpr::Which which,
                                  const Token &first);
static const Expr *parseComplex(Parsing &p, const Token &first);
static const Expr *parseTyped(Parsing &p, Type type, const Token &first);
static const Expr *parseConst(Parsing &p, Type type, const Token &first);
static const Expr *parseFloat(Parsing &p, ConstExpr *result);
static const Expr *parseOperation(Parsing &p, const Token &first);

const Expr *parseExpr(Parsing &p) {
  DepthGuard guard(p.depth);
  if (tooDeep(p))
    return nullptr;
  switch (peek(p).kind) {
  case Token::Local:
  case Token::Global:
    return parseNameExpr(p);
  case Token::Word: {
    Token first = peek(p);
    const Expr *result = parseWordExpr(p);
    // A part of a complex value that is computed: `sub(@Z, %W).re`.
    return result && result->type.isComplex() ? parsePostfix(p, result, first)
                                              : result;
  }
  case Token::End:
  case Token::Error:
  case Token::Number:
  case Token::String:
  case Token::Punct:
    break;
  }
  fail(p, peek(p), "expected an expression");
  return nullptr;
}

static const Expr *parseNameExpr(Parsing &p) {
  Token first = next(p);
  StringRef fields;
  const Named *named = lookupPointed(p, first, fields);
  if (!named)
    return nullptr;
  if (named->type && fields.empty())
    return parseTyped(p, named->type, first);
  const Expr *result = nullptr;
  if (named->variable)
    result = p.module.make<VarExpr>(named->variable, range(p, first));
  else if (named->array && fields.empty())
    result = parseElement(p, named->array, first);
  else if (named->array)
    result = p.module.make<ElementExpr>(
        named->array, Offset(named->array->rank(), 0), range(p, first));
  else
    fail(p, first, "'" + first.text + "' is neither a variable nor an array");
  while (result && !fields.empty()) {
    auto [field, rest] = fields.split('.');
    result = parseField(p, result, field, first);
    fields = rest;
  }
  return result ? parsePostfix(p, result, first) : nullptr;
}

/// A subscript stands on the line of its array: a bracket that starts a line
/// starts a statement.
static const Expr *parsePostfix(Parsing &p, const Expr *base,
                                const Token &first) {
  while (base) {
    if (isAt(p, "[") && !peek(p).startsLine) {
      base = parseSubscripts(p, base, first);
    } else if (accept(p, ".")) {
      std::string name;
      base =
          parseFieldName(p, name) ? parseField(p, base, name, first) : nullptr;
    } else {
      break;
    }
  }
  return base;
}

static const Expr *parseField(Parsing &p, const Expr *base, StringRef name,
                              const Token &first) {
  Type type = base->type;
  if (type.isComplex() && (name == "re" || name == "im"))
    return p.module.make<FieldExpr>(base, name == "im", type.component(),
                                    rangeFrom(p, first));
  if (type == Type::Record || type == Type::Union)
    for (auto [i, field] : enumerate(type.info()->fields))
      if (field.name == name)
        return p.module.make<FieldExpr>(base, i, field.type,
                                        rangeFrom(p, first));
  fail(p, first, "there is no field '" + name + "' in " + text(type));
  return nullptr;
}

/// `[%i, %j]`, `[%i : "a as written"]`.
static const Expr *parseSubscripts(Parsing &p, const Expr *base,
                                   const Token &first) {
  Token bracket = next(p);
  SmallVector<const Expr *, 2> subscripts;
  do {
    const Expr *subscript = parseExpr(p);
    if (!subscript)
      return nullptr;
    subscripts.push_back(subscript);
  } while (accept(p, ","));
  std::string text = plainName(base).str();
  if (accept(p, ":") && !parseString(p, text))
    return nullptr;
  bool isChecked = accept(p, "checked");
  if (!expect(p, "]"))
    return nullptr;
  if (base->type != Type::Array) {
    fail(p, bracket, "only arrays have subscripts");
    return nullptr;
  }
  auto *made = p.module.make<SubscriptExpr>(
      base, subscripts, p.module.copy(text), base->type.info()->element,
      rangeFrom(p, first));
  made->isChecked = isChecked;
  return made;
}

const Expr *parsePlace(Parsing &p) {
  Token first = peek(p);
  if (first.kind != Token::Local && first.kind != Token::Global) {
    fail(p, first, "expected a variable or an array");
    return nullptr;
  }
  const Expr *place = parseNameExpr(p);
  if (!place || rootVariable(place) || rootElement(place) ||
      isa<RemapExpr>(rootOf(place)))
    return place;
  fail(p, first, "expected a variable or an array");
  return nullptr;
}

/// `(%P, index(0))`, `(%P checked (0) "A#[P]")`, after `%A#`.
static const Expr *parseRemap(Parsing &p, Array *array, const Token &first) {
  SmallVector<const Expr *, 4> maps;
  expect(p, "(");
  do {
    const Expr *map = parseExpr(p);
    if (!map)
      return nullptr;
    maps.push_back(map);
  } while (accept(p, ","));
  std::string text;
  uint32_t checked = 0;
  bool isLater = false;
  if (accept(p, "checked")) {
    isLater = accept(p, "later");
    if (!expect(p, "("))
      return nullptr;
    do {
      unsigned dim = 0;
      if (!parseUnsigned(p, dim, 31))
        return nullptr;
      checked |= 1u << dim;
    } while (accept(p, ","));
    if (!expect(p, ")") || !parseString(p, text))
      return nullptr;
  }
  if (!expect(p, ")"))
    return nullptr;
  auto *made = p.module.make<RemapExpr>(array, maps, rangeFrom(p, first));
  made->checked = checked;
  made->checksLater = isLater;
  made->text = p.module.copy(text);
  return made;
}

/// After the array's name.
static const Expr *parseElement(Parsing &p, Array *array, const Token &first) {
  unsigned walker = 0;
  bool hasWalker = accept(p, "#");
  if (hasWalker && isAt(p, "("))
    return parseRemap(p, array, first);
  if (hasWalker && !parseUnsigned(p, walker, 1u << 20))
    return nullptr;
  Offset offset;
  if (!accept(p, "@"))
    offset.assign(array->rank(), 0);
  else if (!parseOffset(p, offset))
    return nullptr;
  auto *result =
      p.module.make<ElementExpr>(array, std::move(offset), rangeFrom(p, first));
  result->walker = hasWalker ? int(walker) : -1;
  return result;
}

static const Expr *parseWordExpr(Parsing &p) {
  Token first = peek(p);
  if (first.text == "call") {
    const CallExpr *call = parseCall(p);
    return call ? parsePostfix(p, call, first) : nullptr;
  }
  next(p);
  if (auto type = typeFromText(first.text))
    return parseTyped(p, *type, first);
  if (first.text == "index") {
    unsigned dim = 0;
    if (!expect(p, "(") || !parseUnsigned(p, dim, 64) || !expect(p, ")"))
      return nullptr;
    return p.module.make<IndexExpr>(dim, rangeFrom(p, first));
  }
  for (unsigned which = BoundExpr::Lo; which <= BoundExpr::Complete; ++which)
    if (first.text == text(BoundExpr::Which(which)))
      return parseBoundExpr(p, BoundExpr::Which(which), first);
  if (first.text == "complex")
    return parseComplex(p, first);
  return parseOperation(p, first);
}

static const Expr *parseBoundExpr(Parsing &p, BoundExpr::Which which,
                                  const Token &first) {
  unsigned dim = 0;
  Region *region = nullptr;
  if (!expect(p, "(") || !(region = parseRegion(p)) ||
      (BoundExpr::hasDim(which) &&
       (!expect(p, ",") || !parseUnsigned(p, dim, 64))) ||
      !expect(p, ")"))
    return nullptr;
  return p.module.make<BoundExpr>(region, dim, which, rangeFrom(p, first));
}

static const Expr *parseComplex(Parsing &p, const Token &first) {
  ExprVector parts;
  if (!parseOperands(p, parts))
    return nullptr;
  if (parts.size() != 2 || !parts[0]->type.isFloat()) {
    fail(p, first, "'complex' has two floating-point operands");
    return nullptr;
  }
  Type type = Type::Kind(Type::C32 + (parts[0]->type - Type::F32));
  return p.module.make<ComplexExpr>(parts[0], parts[1], type,
                                    rangeFrom(p, first));
}

/// After a type: `f64(e)` or `f64 0.5`.
static const Expr *parseTyped(Parsing &p, Type type, const Token &first) {
  if (!isAt(p, "("))
    return parseConst(p, type, first);
  ExprVector operand;
  if (!parseOperands(p, operand))
    return nullptr;
  if (operand.size() == 1)
    return p.module.make<CastExpr>(type, operand[0], rangeFrom(p, first));
  fail(p, first, "a conversion has one operand");
  return nullptr;
}

/// `true` or `false`.
static bool parseBool(Parsing &p, int64_t &value) {
  value = isAt(p, "true");
  return accept(p, "true") || accept(p, "false") ||
         fail(p, peek(p), "expected 'true' or 'false'");
}

/// A number below 2^64, as its bits.
static bool parseUnsigned64(Parsing &p, int64_t &bits) {
  uint64_t value = 0;
  if (peek(p).kind != Token::Number || peek(p).text.getAsInteger(10, value))
    return fail(p, peek(p), "expected an integer without sign of 64 bits");
  next(p);
  bits = int64_t(value);
  return true;
}

static bool parseText(Parsing &p, StringRef &text) {
  std::string string;
  if (!parseString(p, string))
    return false;
  text = p.module.copy(string);
  return true;
}

static const Expr *parseConst(Parsing &p, Type type, const Token &first) {
  auto *result = p.module.make<ConstExpr>(type, range(p, first));
  if (type.isFloat())
    return parseFloat(p, result);
  bool good = false;
  if (type == Type::Bool)
    good = parseBool(p, result->integer);
  else if (type == Type::U64)
    good = parseUnsigned64(p, result->integer);
  else if (type.isInteger() || type == Type::File)
    good = parseInteger(p, result->integer);
  else if (type == Type::Str)
    good = parseText(p, result->text);
  else
    fail(p, first, "there are no constants of this type");
  if (!good)
    return nullptr;
  result->range = rangeFrom(p, first);
  return result;
}

static const Expr *parseFloat(Parsing &p, ConstExpr *result) {
  Token token = next(p);
  result->range = result->range.to(range(p, token));
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
    fail(p, token, "expected a floating-point number");
    return nullptr;
  }
  if (result->type == Type::F32)
    result->number = single;
  return result;
}

bool parseOperands(Parsing &p, ExprVector &operands) {
  return expect(p, "(") && parseList(p, ")", [&] {
           operands.push_back(parseExpr(p));
           return operands.back() != nullptr;
         });
}

static Type resultOf(MathFn fn, ArrayRef<const Expr *> args) {
  if (fn == MathFn::Ran || fn == MathFn::Uniform || fn == MathFn::Uniform2)
    return Type::F64;
  bool isI32 = fn == MathFn::Locale || fn == MathFn::Length ||
               fn == MathFn::Find || fn == MathFn::ParseInteger;
  if (isI32)
    return Type::I32;
  if (fn == MathFn::ParseLong)
    return Type::I64;
  if (fn == MathFn::ParseDouble)
    return Type::F64;
  if (fn == MathFn::Text)
    return Type::Str;
  bool isBool = fn == MathFn::SameFile || fn == MathFn::IsInteger ||
                fn == MathFn::IsDouble;
  return isBool ? Type(Type::Bool) : args[0]->type;
}

namespace {
/// An operator: its kind, its number in the enumeration of that kind, and how
/// many operands it has.
struct Operation {
  ExprKind kind;
  unsigned op, count;
};
} // namespace

/// The operator or function of a name, if there is one.
static std::optional<Operation> operationNamed(StringRef name) {
#define AIR_OPERATION(Kind, Enum, Id, word, count)                             \
  if (name == word)                                                            \
    return Operation{ExprKind::Kind, unsigned(Enum::Id), count};
#define AIR_UNARY(Id, text) AIR_OPERATION(Unary, UnaryOp, Id, text, 1)
#define AIR_BINARY(Id, text) AIR_OPERATION(Binary, BinaryOp, Id, text, 2)
#define AIR_COMPARE(Id, text) AIR_OPERATION(Compare, CompareOp, Id, text, 2)
#define AIR_MATH(Id, text, arity) AIR_OPERATION(Math, MathFn, Id, text, arity)
#include "zpl/ArrayIR/Ops.def"
#undef AIR_OPERATION
  if (name == "fma")
    return Operation{ExprKind::Fma, 0, 3};
  return std::nullopt;
}

static const Expr *parseOperation(Parsing &p, const Token &first) {
  std::optional<Operation> found = operationNamed(first.text);
  if (!found)
    return fail(p, first, "expected an expression"), nullptr;
  ExprVector args;
  if (!parseOperands(p, args))
    return nullptr;
  if (args.size() != found->count)
    return fail(p, first,
                "'" + first.text + "' has " + Twine(found->count) +
                    " operands, not " + Twine(args.size())),
           nullptr;
  SourceRange where = rangeFrom(p, first);
  unsigned op = found->op;
  if (found->kind == ExprKind::Unary)
    return p.module.make<UnaryExpr>(UnaryOp(op), args[0], where);
  if (found->kind == ExprKind::Binary)
    return p.module.make<BinaryExpr>(BinaryOp(op), args[0], args[1], where);
  if (found->kind == ExprKind::Compare)
    return p.module.make<CompareExpr>(CompareOp(op), args[0], args[1], where);
  if (found->kind == ExprKind::Fma)
    return p.module.make<FmaExpr>(args[0], args[1], args[2], where);
  return p.module.make<MathExpr>(MathFn(op), args, resultOf(MathFn(op), args),
                                 where);
}

static bool parseArgument(Parsing &p, Argument &argument) {
  if (accept(p, "array"))
    return (argument.array = parseArray(p)) != nullptr;
  if (accept(p, "region"))
    return (argument.region = parseRegion(p)) != nullptr;
  if (!accept(p, "ref"))
    return (argument.value = parseExpr(p)) != nullptr;
  return (argument.place = parsePlace(p)) != nullptr;
}

const CallExpr *parseCall(Parsing &p) {
  Token first = next(p);
  Procedure *callee = parseProcedureName(p);
  SmallVector<Argument, 4> args;
  if (!callee || !expect(p, "(") ||
      !parseList(p, ")", [&] { return parseArgument(p, args.emplace_back()); }))
    return nullptr;
  return p.module.make<CallExpr>(callee, callee->result, args,
                                 rangeFrom(p, first));
}

} // namespace zpl::air
