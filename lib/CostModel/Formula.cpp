//===- Formula.cpp - Formulas that are put together -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region [k+1..n] has n - (k+1) + 1 indices: the sum of n with factor 1 and k
// with factor -1, for the numbers cancel. Sums are kept as such lists, so what
// is equal by adding up has one text; products, quotients and functions are
// atoms in them, told apart by their texts:
//
//     2*(n - k)*m   one atom, "(n - k)*m", with the factor 2
//     min(n, 64)    one atom
//
// Numbers are computed at once. Cost: of a sum, linear in its parts.
//
//===----------------------------------------------------------------------===//

#include "Formula.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace zpl::costmodel {

static std::string textOfNumber(double number) {
  std::string text;
  raw_string_ostream os(text);
  if (number == std::floor(number) && std::abs(number) < 1e15)
    os << int64_t(number);
  else
    os << format("%.12g", number);
  return text;
}

/// As an operand of a product.
static std::string factorText(const Formula &f) {
  bool isPlain = !f.asName().empty() || (f.number() && *f.number() >= 0);
  std::string text = f.text();
  bool isCall = isAlpha(text.front()) &&
                StringRef(text).find_first_of("+-*/ ") == StringRef::npos;
  return isPlain || isCall ? text : "(" + text + ")";
}

static bool isComparison(StringRef function) {
  return StringRef("<>=!").contains(function.front());
}

static std::string textOf(const Atom &atom) {
  if (atom.function.empty())
    return atom.name;
  if (atom.function == "div")
    return "floor(" + factorText(atom.args[0]) + "/" +
           factorText(atom.args[1]) + ")";
  auto list = [&](StringRef between, bool areFactors) {
    std::string text;
    for (const Formula &arg : atom.args)
      text += (text.empty() ? "" : between.str()) +
              (areFactors ? factorText(arg) : arg.text());
    return text;
  };
  if (atom.function == "*" || atom.function == "/")
    return list(atom.function, true);
  if (isComparison(atom.function))
    return "(" + list(" " + atom.function + " ", false) + ")";
  return atom.function + "(" + list(", ", false) + ")";
}

Formula Formula::of(Atom atom) {
  atom.text = textOf(atom);
  for (const Formula &arg : atom.args)
    atom.size += arg.size();
  Formula result;
  result.parts.push_back({std::make_shared<const Atom>(std::move(atom)), 1});
  return result;
}

Formula Formula::name(StringRef name) {
  return of({"", name.str(), {}, "", 1});
}

void Formula::add(const Formula &other, double factor) {
  constant += factor * other.constant;
  for (const Part &part : other.parts) {
    auto same = find_if(parts, [&](const Part &mine) {
      return mine.atom->text == part.atom->text;
    });
    if (same == parts.end())
      parts.push_back({part.atom, factor * part.factor});
    else if ((same->factor += factor * part.factor) == 0)
      parts.erase(same);
  }
}

Formula operator+(const Formula &a, const Formula &b) {
  Formula sum = a;
  sum.add(b, 1);
  return sum;
}

Formula operator-(const Formula &a, const Formula &b) {
  Formula sum = a;
  sum.add(b, -1);
  return sum;
}

Formula operator*(const Formula &a, const Formula &b) {
  if (b.number() && !a.number())
    return b * a;
  Formula result;
  if (a.number()) {
    if (*a.number() != 0)
      result.add(b, *a.number());
    return result;
  }
  // Numbers go to the front, products become one.
  double factor = 1;
  Atom product{"*", "", {}, "", 1};
  for (Formula side : {a, b}) {
    if (side.parts.size() == 1 && side.constant == 0) {
      factor *= std::exchange(side.parts[0].factor, 1);
      if (side.parts[0].atom->function == "*") {
        append_range(product.args, side.parts[0].atom->args);
        continue;
      }
    }
    product.args.push_back(side);
  }
  sort(product.args,
       [](const Formula &x, const Formula &y) { return x.text() < y.text(); });
  result.add(Formula::of(std::move(product)), factor);
  return result;
}

Formula operator/(const Formula &a, const Formula &b) {
  if (b.number() && *b.number() != 0) {
    Formula result;
    result.add(a, 1 / *b.number());
    return result;
  }
  if (a == b)
    return 1;
  return Formula::of({"/", "", {a, b}, "", 1});
}

Formula quotient(const Formula &a, const Formula &b) {
  return Formula::apply("div", {a, b});
}

/// The value of a function of numbers.
static std::optional<double> valueOf(StringRef f, ArrayRef<double> x) {
  if (f == "floor")
    return std::floor(x[0]);
  if (f == "ceil")
    return std::ceil(x[0]);
  if (f == "pow2")
    return std::exp2(x[0]);
  if (f == "log2")
    return x[0] > 0 ? std::optional(std::log2(x[0])) : std::nullopt;
  if (f == "min")
    return *min_element(x);
  if (f == "max")
    return *max_element(x);
  if (f == "div")
    return x[1] != 0 ? std::optional(std::trunc(x[0] / x[1])) : std::nullopt;
  if (f == "/")
    return x[1] != 0 ? std::optional(x[0] / x[1]) : std::nullopt;
  if (f == "<")
    return x[0] < x[1];
  if (f == "<=")
    return x[0] <= x[1];
  if (f == "==")
    return x[0] == x[1];
  return x[0] != x[1];
}

Formula Formula::apply(StringRef function, ArrayRef<Formula> args) {
  SmallVector<double, 2> numbers;
  for (const Formula &arg : args)
    if (arg.number())
      numbers.push_back(*arg.number());
  if (numbers.size() == args.size())
    if (std::optional<double> value = valueOf(function, numbers))
      return *value;
  bool divides = function == "div" || function == "/";
  if (divides && args[1].number() && *args[1].number() == 1)
    return args[0];
  if ((function == "min" || function == "max") && all_equal(args))
    return args[0];
  return of({function.str(), "", args.vec(), "", 1});
}

std::optional<double> Formula::number() const {
  return parts.empty() ? std::optional(constant) : std::nullopt;
}

StringRef Formula::asName() const {
  bool isOne = parts.size() == 1 && constant == 0 && parts[0].factor == 1;
  return isOne ? StringRef(parts[0].atom->name) : StringRef();
}

/// \p factor times an atom behind others, or first.
static std::string termText(double factor, const Atom &atom, bool isFirst) {
  std::string sign =
      factor < 0 ? (isFirst ? "-" : " - ") : (isFirst ? "" : " + ");
  double size = std::abs(factor);
  return sign + (size == 1 ? "" : textOfNumber(size) + "*") + atom.text;
}

std::string Formula::text() const {
  std::string text;
  // What is added comes before what is subtracted.
  for (bool isNegative : {false, true})
    for (const Part &part : parts)
      if ((part.factor < 0) == isNegative)
        text += termText(part.factor, *part.atom, text.empty());
  if (text.empty())
    return textOfNumber(constant);
  if (constant != 0)
    text += (constant < 0 ? " - " : " + ") + textOfNumber(std::abs(constant));
  return text;
}

void Formula::forEachName(function_ref<void(StringRef)> visit) const {
  for (const Part &part : parts) {
    if (part.atom->function.empty())
      visit(part.atom->name);
    for (const Formula &arg : part.atom->args)
      arg.forEachName(visit);
  }
}

bool Formula::mentions(StringRef name) const {
  bool does = false;
  forEachName([&](StringRef other) { does |= other == name; });
  return does;
}

static Formula rebuilt(const Atom &atom, ArrayRef<Formula> args) {
  if (atom.function != "*")
    return Formula::apply(atom.function, args);
  Formula product = 1;
  for (const Formula &arg : args)
    product = product * arg;
  return product;
}

Formula Formula::replace(StringRef name, const Formula &value) const {
  if (!mentions(name))
    return *this;
  Formula result = constant;
  for (const Part &part : parts) {
    if (part.atom->name == name) {
      result.add(value, part.factor);
      continue;
    }
    if (part.atom->args.empty()) {
      result.parts.push_back(part);
      continue;
    }
    std::vector<Formula> args;
    for (const Formula &arg : part.atom->args)
      args.push_back(arg.replace(name, value));
    result.add(rebuilt(*part.atom, args), part.factor);
  }
  return result;
}

/// Whether an atom is above 0 whatever its names are.
static bool isPositive(const Atom &atom) {
  if (atom.function == "pow2")
    return true;
  return atom.function == "*" &&
         all_of(atom.args, [](const Formula &arg) { return arg.sign() == 1; });
}

int Formula::sign() const {
  if (parts.empty())
    return constant > 0 ? 1 : constant < 0 ? -1 : 0;
  for (int sign : {1, -1})
    if (constant * sign >= 0 && all_of(parts, [&](const Part &part) {
          return part.factor * sign > 0 && isPositive(*part.atom);
        }))
      return sign;
  return 0;
}

size_t Formula::size() const {
  size_t sum = 1;
  for (const Part &part : parts)
    sum += part.atom->size;
  return sum;
}

} // namespace zpl::costmodel
