//===- ParseExpression.cpp - Formulas from their text ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent over the text to nodes in reverse Polish notation:
//
//     keys * ceil(width / bits)    keys width bits / ceil *
//
// `a > b` becomes `b < a` by order of evaluation, not of nodes: operands have
// no side effects, so its nodes are those of b, then those of a.
//
//===----------------------------------------------------------------------===//

#include "ParseExpression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace zpl {

namespace {

using Op = Expression::Op;
using Node = Expression::Node;

/// The text, how far it is read, and what came of it.
struct FormulaText {
  StringRef text;
  ArrayRef<std::string> inputs;
  std::vector<Node> &nodes;
  std::string &error;
  size_t at = 0;
  unsigned depth = 0;
  static constexpr unsigned MostDepth = 200;

  bool fail(size_t where, const Twine &what) {
    error = ("column " + Twine(where + 1) + ": " + what).str();
    return false;
  }
  void skipBlanks() {
    while (at < text.size() && isSpace(text[at]))
      ++at;
  }
  /// Takes \p token if it is next.
  bool take(StringRef token) {
    skipBlanks();
    if (!text.substr(at).starts_with(token))
      return false;
    at += token.size();
    return true;
  }
  /// Takes a word if it is next, and no longer word.
  bool takeWord(StringRef word) {
    skipBlanks();
    StringRef rest = text.substr(at);
    if (!rest.starts_with(word) ||
        (rest.size() > word.size() &&
         (isAlnum(rest[word.size()]) || rest[word.size()] == '_')))
      return false;
    at += word.size();
    return true;
  }
  void add(Op op, unsigned operands, size_t begin) {
    nodes.push_back({op, operands, 0, unsigned(begin), unsigned(at)});
  }
};

} // namespace

static bool parseOr(FormulaText &t);

/// Operands of a function or model and the closing parenthesis.
static bool parseOperands(FormulaText &t, unsigned &count) {
  for (count = 0;;) {
    if (!parseOr(t))
      return false;
    ++count;
    if (t.take(")"))
      return true;
    size_t where = t.at;
    if (!t.take(","))
      return t.fail(where, "expected ',' or ')'");
  }
}

static bool parseCall(FormulaText &t, StringRef name, size_t begin) {
  unsigned count = 0;
  if (!parseOperands(t, count))
    return false;
  if (name == "min" || name == "max") {
    if (count < 2)
      return t.fail(begin, "'" + name + "' needs two operands or more");
    t.add(name == "min" ? Op::Min : Op::Max, count, begin);
    return true;
  }
  auto op = StringSwitch<std::optional<Op>>(name)
                .Case("ceil", Op::Ceil)
                .Case("floor", Op::Floor)
                .Case("log2", Op::Log2)
                .Case("pow2", Op::Pow2)
                .Default(std::nullopt);
  if (op && count != 1)
    return t.fail(begin, "'" + name + "' has one operand");
  t.add(op.value_or(Op::Call), count, begin);
  if (!op)
    t.nodes.back().model = name.str();
  return true;
}

static bool parseNumber(FormulaText &t) {
  size_t begin = t.at;
  auto digits = [&] {
    while (t.at < t.text.size() && isDigit(t.text[t.at]))
      ++t.at;
  };
  digits();
  if (t.at < t.text.size() && t.text[t.at] == '.') {
    ++t.at;
    digits();
  }
  if (t.at < t.text.size() && (t.text[t.at] | 0x20) == 'e') {
    ++t.at;
    if (t.at < t.text.size() && (t.text[t.at] == '+' || t.text[t.at] == '-'))
      ++t.at;
    digits();
  }
  StringRef token = t.text.slice(begin, t.at);
  double value = 0;
  // LLVM takes "1e" for a number.
  if (!isDigit(token.back()) || token.getAsDouble(value) ||
      !std::isfinite(value))
    return t.fail(begin, "'" + token + "' is not a number");
  t.add(Op::Number, 0, begin);
  t.nodes.back().number = value;
  return true;
}

static bool parseName(FormulaText &t) {
  size_t begin = t.at;
  while (t.at < t.text.size() &&
         (isAlnum(t.text[t.at]) || StringRef("_.@").contains(t.text[t.at])))
    ++t.at;
  StringRef name = t.text.slice(begin, t.at);
  if (t.take("("))
    return parseCall(t, name, begin);
  const auto *found = find(t.inputs, name);
  if (found == t.inputs.end())
    return t.fail(begin, "there is no input '" + name + "'");
  t.add(Op::Input, 0, begin);
  t.nodes.back().input = unsigned(found - t.inputs.begin());
  return true;
}

static bool parseFactorInside(FormulaText &t) {
  size_t begin = t.at;
  if (t.at == t.text.size())
    return t.fail(t.at, "expected a number, a name or '('");
  if (t.take("(")) {
    if (!parseOr(t))
      return false;
    size_t where = t.at;
    return t.take(")") || t.fail(where, "expected ')'");
  }
  char next = t.text[t.at];
  if (isDigit(next) || next == '.')
    return parseNumber(t);
  if (isAlpha(next))
    return parseName(t);
  return t.fail(begin, "expected a number, a name or '('");
}

static bool parseFactor(FormulaText &t) {
  t.skipBlanks();
  size_t begin = t.at;
  if (++t.depth > FormulaText::MostDepth)
    return t.fail(begin, "too many parentheses and signs within each other");
  bool isNegative = t.take("-");
  bool done = isNegative ? parseFactor(t) : parseFactorInside(t);
  if (done && isNegative)
    t.add(Op::Negate, 1, begin);
  --t.depth;
  return done;
}

static bool parseProduct(FormulaText &t) {
  t.skipBlanks();
  size_t begin = t.at;
  if (!parseFactor(t))
    return false;
  while (true) {
    bool isProduct = t.take("*");
    if (!isProduct && !t.take("/"))
      return true;
    if (!parseFactor(t))
      return false;
    t.add(isProduct ? Op::Multiply : Op::Divide, 2, begin);
  }
}

static bool parseSum(FormulaText &t) {
  t.skipBlanks();
  size_t begin = t.at;
  if (!parseProduct(t))
    return false;
  while (true) {
    bool isSum = t.take("+");
    if (!isSum && !t.take("-"))
      return true;
    if (!parseProduct(t))
      return false;
    t.add(isSum ? Op::Add : Op::Subtract, 2, begin);
  }
}

static bool parseCompare(FormulaText &t) {
  t.skipBlanks();
  size_t begin = t.at, first = t.nodes.size();
  if (!parseSum(t))
    return false;
  struct Sign {
    StringRef text;
    Op op;
    bool isSwapped;
  };
  // Longer ones come first.
  static constexpr Sign Signs[] = {
      {"<=", Op::LessEqual, false}, {">=", Op::LessEqual, true},
      {"==", Op::Equal, false},     {"!=", Op::NotEqual, false},
      {"<", Op::Less, false},       {">", Op::Less, true}};
  for (const Sign &sign : Signs) {
    if (!t.take(sign.text))
      continue;
    size_t second = t.nodes.size();
    if (!parseSum(t))
      return false;
    if (sign.isSwapped)
      std::rotate(t.nodes.begin() + ptrdiff_t(first),
                  t.nodes.begin() + ptrdiff_t(second), t.nodes.end());
    t.add(sign.op, 2, begin);
    return true;
  }
  return true;
}

static bool parseAnd(FormulaText &t) {
  t.skipBlanks();
  size_t begin = t.at;
  if (!parseCompare(t))
    return false;
  while (t.takeWord("and")) {
    if (!parseCompare(t))
      return false;
    t.add(Op::And, 2, begin);
  }
  return true;
}

static bool parseOr(FormulaText &t) {
  t.skipBlanks();
  size_t begin = t.at;
  if (!parseAnd(t))
    return false;
  while (t.takeWord("or")) {
    if (!parseAnd(t))
      return false;
    t.add(Op::Or, 2, begin);
  }
  return true;
}

bool parseFormula(StringRef text, ArrayRef<std::string> inputs,
                  std::vector<Expression::Node> &nodes, std::string &error) {
  FormulaText t = {text, inputs, nodes, error};
  if (!parseOr(t))
    return false;
  t.skipBlanks();
  return t.at == text.size() ||
         t.fail(t.at, "expected an operator or the end, not '" +
                          text.substr(t.at, 1) + "'");
}

} // namespace zpl
