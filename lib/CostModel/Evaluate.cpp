//===- Evaluate.cpp - What scalar expressions come to ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `n / 2 + k` is quotient(n, 2) + k if n is a config variable and k the index
// of a loop: both stay names. A variable that was read from a file, or that a
// loop changes, is an input of the model, named after itself and the line where
// it became unknown: `count@31`. Who predicts says what it is; else the default
// is taken.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "zpl/ArrayIR/RegionDefinitions.h"
#include "zpl/ArrayIR/Walk.h"
#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace zpl::costmodel {

unsigned lineOf(const State &s, SourceRange range) {
  return range.isValid() ? s.sources.lineColumn(range).line : 0;
}

std::string placeOf(const State &s, SourceRange range) {
  if (!range.isValid())
    return "-";
  return (s.sources.name(range.file) + ":" + Twine(lineOf(s, range))).str();
}

Formula unknown(State &s, StringRef text, SourceRange range, StringRef value,
                StringRef about) {
  std::string base;
  for (char c : text)
    base += isAlnum(c) || c == '_' ? c : '_';
  if (base.empty() || !isAlpha(base.front()))
    base = "x" + base;
  base += "@" + std::to_string(lineOf(s, range));
  std::string name = base;
  std::string told = about.empty() ? "the value of " + text.str() : about.str();
  for (unsigned k = 2; s.inputs.count(name) || s.loopNames.count(name); ++k) {
    auto same = s.inputs.find(name);
    if (same != s.inputs.end() && same->second.about == told &&
        same->second.value == value)
      return Formula::name(name);
    name = base + "." + std::to_string(k);
  }
  s.inputs[name] = {value.str(), told};
  return Formula::name(name);
}

bool isKnown(const State &s, const Formula &f) {
  bool known = true;
  f.forEachName([&](StringRef name) {
    auto input = s.inputs.find(name.str());
    known &= input == s.inputs.end() || input->second.isDerived;
  });
  return known;
}

Formula shortened(State &s, const Formula &value, StringRef text,
                  SourceRange range) {
  constexpr size_t Long = 8;
  bool isAlike = isKnown(s, value);
  value.forEachName(
      [&](StringRef name) { isAlike &= !s.loopNames.count(name.str()); });
  if (value.size() < Long || !isAlike)
    return value;
  Formula name = unknown(s, text, range, value.text());
  s.inputs[name.asName().str()].isDerived = true;
  return name;
}

Place placeOf(State &s, const air::Expr &e) {
  if (auto *variable = dyn_cast<air::VarExpr>(&e)) {
    auto reference = s.references.find(variable->variable);
    return reference != s.references.end() ? reference->second
                                           : Place{variable->variable, {}};
  }
  Place place;
  if (auto *field = dyn_cast<air::FieldExpr>(&e)) {
    place = placeOf(s, *field->base);
    place.path.push_back(double(field->field));
  } else if (auto *subscript = dyn_cast<air::SubscriptExpr>(&e)) {
    place = placeOf(s, *subscript->base);
    for (const air::Expr *index : subscript->subscripts)
      place.path.push_back(evaluate(s, *index));
  }
  return place;
}

static Formula valueAt(State &s, const air::Expr &e) {
  Place place = placeOf(s, e);
  if (place.variable)
    if (std::optional<Formula> value = s.values.find(place))
      return *value;
  air::Variable *root = air::rootVariable(&e);
  StringRef text = !root                ? "value"
                   : root->text.empty() ? root->name
                                        : root->text;
  return unknown(s, text, e.range);
}

/// What a power comes to that can be told by products.
static std::optional<Formula> power(const Formula &base,
                                    const Formula &exponent) {
  if (base.number() && *base.number() == 2)
    return Formula::apply("pow2", {exponent});
  constexpr double MostFactors = 8;
  std::optional<double> times = exponent.number();
  if (!times || *times < 0 || *times > MostFactors || *times != int(*times))
    return std::nullopt;
  Formula product = 1;
  for (int k = 0; k < int(*times); ++k)
    product = product * base;
  return product;
}

static std::optional<Formula> binary(const air::BinaryExpr &e, const Formula &a,
                                     const Formula &b) {
  using Op = air::BinaryOp;
  bool isInteger = !e.type.isFloat();
  switch (e.op) {
  case Op::Add:
    return a + b;
  case Op::Sub:
    return a - b;
  case Op::Mul:
  case Op::And:
    return a * b;
  case Op::Div:
    return isInteger ? quotient(a, b) : a / b;
  case Op::Rem:
    return a - b * quotient(a, b);
  case Op::Pow:
    return power(a, b);
  case Op::Min:
  case Op::MinNaN:
    return Formula::apply("min", {a, b});
  case Op::Max:
  case Op::MaxNaN:
  case Op::Or:
    return Formula::apply("max", {a, b});
  case Op::ShiftL:
    return a * Formula::apply("pow2", {b});
  case Op::ShiftR:
    return Formula::apply("floor", {a / Formula::apply("pow2", {b})});
  case Op::BitAnd: {
    std::optional<double> bits = b.number();
    if (bits && *bits == 1)
      return a - 2 * quotient(a, 2);
    return std::nullopt;
  }
  case Op::BitOr:
  case Op::BitXor:
    return std::nullopt;
  }
  llvm_unreachable("a binary operator outside its enumeration");
}

static Formula comparison(air::CompareOp op, const Formula &a,
                          const Formula &b) {
  switch (op) {
  case air::CompareOp::Lt:
    return Formula::apply("<", {a, b});
  case air::CompareOp::Le:
    return Formula::apply("<=", {a, b});
  case air::CompareOp::Gt:
    return Formula::apply("<", {b, a});
  case air::CompareOp::Ge:
    return Formula::apply("<=", {b, a});
  case air::CompareOp::Eq:
    return Formula::apply("==", {a, b});
  case air::CompareOp::Ne:
    return negation(Formula::apply("==", {a, b}));
  }
  llvm_unreachable("a comparison outside its enumeration");
}

static std::optional<Formula> unary(const air::UnaryExpr &e, const Formula &x) {
  switch (e.op) {
  case air::UnaryOp::Neg:
    return 0 - x;
  case air::UnaryOp::Not:
    return Formula::apply("==", {x, 0});
  case air::UnaryOp::Abs:
    return Formula::apply("max", {x, 0 - x});
  case air::UnaryOp::BitNot:
    return -1 - x;
  }
  llvm_unreachable("a unary operator outside its enumeration");
}

static std::optional<Formula> math(State &s, const air::MathExpr &e) {
  if (e.args.empty())
    return std::nullopt;
  auto argument = [&] { return evaluate(s, *e.args[0]); };
  auto of = [&](StringRef f) { return Formula::apply(f, {argument()}); };
  switch (e.fn) {
  case air::MathFn::Log2Floor:
    return Formula::apply("floor", {of("log2")});
  case air::MathFn::Log2:
    return of("log2");
  case air::MathFn::Floor:
  case air::MathFn::Trunc:
    return of("floor");
  case air::MathFn::Ceil:
    return of("ceil");
  case air::MathFn::Round:
    return Formula::apply("floor", {argument() + 0.5});
  case air::MathFn::Sqrt:
    return Formula::apply("pow2", {of("log2") * 0.5});
  default: // numbers that no bound is made of
    return std::nullopt;
  }
}

static Formula bound(State &s, const air::BoundExpr &e) {
  const RegionValue &region = regionOf(s, *e.region);
  const Dimension &dim = region[std::min<size_t>(e.dim, region.size() - 1)];
  switch (e.which) {
  case air::BoundExpr::Lo:
    return dim.lo;
  case air::BoundExpr::Hi:
    return dim.hi;
  case air::BoundExpr::Stride:
    return dim.stride;
  case air::BoundExpr::Align:
    return dim.align;
  case air::BoundExpr::Parts:
    return air::isPerProcessor(dim.kind) ? Formula(1)
                                         : gridExtent(e.region->rank(), e.dim);
  case air::BoundExpr::OwnLo:
  case air::BoundExpr::OwnHi:
  case air::BoundExpr::Level:
  case air::BoundExpr::Patterned:
  case air::BoundExpr::Complete:
    return unknown(s, e.region->text, e.range, "0", "what a region is");
  }
  llvm_unreachable("a bound outside its enumeration");
}

Formula evaluate(State &s, const air::Expr &e) {
  std::optional<Formula> value;
  if (auto *constant = dyn_cast<air::ConstExpr>(&e)) {
    if (e.type.isFloat())
      return constant->number;
    if (e.type != air::Type::Str)
      return double(constant->integer);
  } else if (isa<air::VarExpr, air::FieldExpr, air::SubscriptExpr>(e)) {
    return valueAt(s, e);
  } else if (auto *bounds = dyn_cast<air::BoundExpr>(&e)) {
    return bound(s, *bounds);
  } else if (auto *one = dyn_cast<air::UnaryExpr>(&e)) {
    value = unary(*one, evaluate(s, *one->operand));
  } else if (auto *two = dyn_cast<air::BinaryExpr>(&e)) {
    if (e.type != air::Type::Str && !e.type.isComplex())
      value = binary(*two, evaluate(s, *two->left), evaluate(s, *two->right));
  } else if (auto *compare = dyn_cast<air::CompareExpr>(&e)) {
    if (compare->left->type != air::Type::Str)
      value = comparison(compare->op, evaluate(s, *compare->left),
                         evaluate(s, *compare->right));
  } else if (auto *fma = dyn_cast<air::FmaExpr>(&e)) {
    value = evaluate(s, *fma->a) * evaluate(s, *fma->b) + evaluate(s, *fma->c);
  } else if (auto *cast = dyn_cast<air::CastExpr>(&e)) {
    Formula x = evaluate(s, *cast->operand);
    bool cuts = cast->operand->type.isFloat() && !e.type.isFloat();
    value = cuts ? Formula::apply("floor", {x}) : x;
  } else if (auto *function = dyn_cast<air::MathExpr>(&e)) {
    value = math(s, *function);
  }
  constexpr size_t MostSize = 200;
  return value && value->size() <= MostSize ? *value
                                            : unknown(s, "value", e.range);
}

} // namespace zpl::costmodel
