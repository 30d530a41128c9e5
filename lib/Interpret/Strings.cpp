//===- Strings.cpp - Strings that the program makes -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of strings by C++'s own: `find(s, t)` is std::string::find,
// numbers are read by from_chars and written by to_chars. Each text is kept
// once, until the run ends.
//
//===----------------------------------------------------------------------===//

#include "Strings.h"
#include "Errors.h"
#include "Expressions.h"
#include "Memory.h"
#include "Values/Formats.h"
#include <charconv>
#include <cmath>

using namespace llvm;
using zpl::sema::MathFn;

namespace zpl::interpreter {

Value stringValue(Run &run, std::string text) {
  Value value;
  value.text = intern(run.memory, text.substr(0, text.find('\0')));
  return value;
}

bool isOfStrings(const sema::MathExpr &math) {
  return math.type == Type::String ||
         any_of(math.args, [](const sema::Expr *arg) {
           return arg->type == Type::String;
         });
}

/// As few digits as give the number of \p type back.
static std::string shortest(Type type, long double number) {
  char digits[64];
  if (std::isnan(number))
    return "nan";
  char *end = type == Type::Float
                  ? std::to_chars(digits, std::end(digits), float(number)).ptr
              : type == Type::Double
                  ? std::to_chars(digits, std::end(digits), double(number)).ptr
                  : std::to_chars(digits, std::end(digits), number).ptr;
  return std::string(digits, end);
}

/// What `to_string` makes of a value.
static std::string plainText(Type type, const Value &value) {
  if (type.isFloating())
    return shortest(type, value.re);
  if (type.isComplex()) {
    std::string im = shortest(componentOf(type), value.im);
    return shortest(componentOf(type), value.re) +
           (im.front() == '-' ? "" : "+") + im + "i";
  }
  std::string out, error;
  appendScalar(out, type, value,
               *parseFormat(type.isInteger()     ? "%d"
                            : type == Type::Char ? "%c"
                                                 : "%s",
                            type, error));
  return out;
}

static std::string formatted(Run &run, const sema::MathExpr &math,
                             ArrayRef<Value> args) {
  std::string out, error;
  Type type = math.args[1]->type;
  std::optional<Format> format = parseFormat(textOf(args[0]), type, error);
  if (!format)
    fail(run, math.range, error);
  appendScalar(out, type, args[1], *format);
  return out;
}

static std::string substring(Run &run, const sema::MathExpr &math,
                             ArrayRef<Value> args) {
  const std::string &text = textOf(args[0]);
  int64_t first = args[1].integer, count = args[2].integer;
  auto length = int64_t(text.size());
  if (count < 0)
    fail(run, math.range, "substring of length " + std::to_string(count));
  if (first < 1 || first > length + 1 || count > length + 1 - first)
    fail(run, math.range,
         "substring of " + std::to_string(count) + " from position " +
             std::to_string(first) + " on of a string of length " +
             std::to_string(length));
  return text.substr(first - 1, count);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

enum class Parsed { Good, NotANumber, TooLarge };

template <typename T> static Parsed parse(StringRef text, T &number) {
  text = text.trim(" \t\n\v\f\r");
  if (text.size() > 1 && text[0] == '+' && text[1] != '-')
    text = text.drop_front();
  auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  if (error == std::errc::result_out_of_range)
    return Parsed::TooLarge;
  return error == std::errc() && end == text.end() ? Parsed::Good
                                                   : Parsed::NotANumber;
}

/// Reads a number of \p type: Integer, Longint or Double.
static Parsed parse(Type type, StringRef text, Value &value) {
  if (type == Type::Double) {
    double number = 0;
    Parsed result = parse(text, number);
    value = floatingValue(number);
    return result;
  }
  int64_t number = 0;
  Parsed result = parse(text, number);
  value = integerValue(number);
  bool fits = type != Type::Integer || number == int32_t(number);
  return result == Parsed::Good && !fits ? Parsed::TooLarge : result;
}

/// As messages show it.
static std::string quoted(StringRef text) {
  constexpr size_t Most = 40;
  std::string shown = text.take_front(Most).str();
  for (char &c : shown)
    if ((unsigned char)c < ' ')
      c = ' ';
  return '"' + shown + (text.size() > Most ? "...\"" : "\"");
}

static Value parsedValue(Run &run, const sema::MathExpr &math,
                         const Value &text) {
  Value value;
  switch (parse(math.type, textOf(text), value)) {
  case Parsed::Good:
    return value;
  case Parsed::TooLarge:
    fail(run, math.range,
         quoted(textOf(text)) + " does not fit " + sema::text(math.type));
  case Parsed::NotANumber:
    fail(run, math.range,
         quoted(textOf(text)) + (math.type == Type::Double
                                     ? " is not a number"
                                     : " is not an integer"));
  }
  llvm_unreachable("a result outside its enumeration");
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value stringFunction(Run &run, const sema::MathExpr &math,
                     ArrayRef<Value> args) {
  if (math.fn == MathFn::Text)
    return stringValue(run, plainText(math.args[0]->type, args[0]));
  if (math.fn == MathFn::Format)
    return stringValue(run, formatted(run, math, args));
  StringRef text = textOf(args[0]);
  Value value;
  if (math.fn == MathFn::Length)
    return integerValue(int64_t(text.size()));
  if (math.fn == MathFn::Substring)
    return stringValue(run, substring(run, math, args));
  if (math.fn == MathFn::Find)
    return integerValue(int64_t(text.find(textOf(args[1])) + 1));
  if (math.fn == MathFn::Upper)
    return stringValue(run, text.upper());
  if (math.fn == MathFn::Lower)
    return stringValue(run, text.lower());
  if (math.fn == MathFn::Trim)
    return stringValue(run, text.trim(" \t\n\v\f\r").str());
  if (math.fn == MathFn::IsInteger)
    return integerValue(parse(Type::Integer, text, value) == Parsed::Good);
  if (math.fn == MathFn::IsDouble)
    return integerValue(parse(Type::Double, text, value) == Parsed::Good);
  return parsedValue(run, math, args[0]);
}

Value splitString(Run &run, const sema::BuiltinExpr &split,
                  ArrayRef<Value> args) {
  StringRef text = textOf(args[0]), by = textOf(args[1]);
  if (by.empty())
    fail(run, split.range, "split by an empty separator");
  SmallVector<StringRef, 16> pieces;
  text.split(pieces, by);
  Type type = split.place->type;
  int64_t room = elementCount(run, *type.info());
  if (int64_t(pieces.size()) > room)
    fail(run, split.range,
         "split gives " + std::to_string(pieces.size()) +
             " pieces for an array of " + std::to_string(room) + " elements");
  char *address = place(run, split.place).address;
  Value count = integerValue(int64_t(pieces.size()));
  pieces.resize(room);
  for (auto [k, piece] : enumerate(pieces))
    storeScalar(Type::String, address + k * scalarSize(Type::String),
                stringValue(run, piece.str()));
  return count;
}

} // namespace zpl::interpreter
