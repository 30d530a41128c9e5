//===- Formula.h - Formulas that are put together ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_COSTMODEL_FORMULA_H
#define ZPL_LIB_COSTMODEL_FORMULA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace zpl::costmodel {

struct Atom;

/// A sum of atoms, each times a number, and a number: 2*n + k + 1. An atom is a
/// name, a product of formulas, or a function of some. Equal sums have equal
/// texts, so n - (k + 1) + 1 is n - k. A value: small, never changed in place.
class Formula {
public:
  Formula(double number = 0) : constant(number) {}
  /// An input of the model.
  static Formula name(llvm::StringRef name);
  /// "min", "max", "floor", "ceil", "log2", "pow2" or a sign of comparison, as
  /// Expression.h has them, or "div", the quotient rounded down. What is known is computed.
  static Formula apply(llvm::StringRef function, llvm::ArrayRef<Formula> args);

  friend Formula operator+(const Formula &a, const Formula &b);
  friend Formula operator-(const Formula &a, const Formula &b);
  friend Formula operator*(const Formula &a, const Formula &b);
  /// Not rounded.
  friend Formula operator/(const Formula &a, const Formula &b);
  friend bool operator==(const Formula &a, const Formula &b) {
    return a.text() == b.text();
  }

  /// The number, if it is one.
  std::optional<double> number() const;
  /// Its name, if it is nothing but one.
  llvm::StringRef asName() const;
  /// As Expression::parse reads it.
  std::string text() const;
  /// The names in it, each once or more.
  void forEachName(llvm::function_ref<void(llvm::StringRef)> visit) const;
  /// Whether it is one of the names in it.
  bool mentions(llvm::StringRef name) const;
  /// With \p value in the place of \p name.
  Formula replace(llvm::StringRef name, const Formula &value) const;
  /// 1 or -1 if it is above or below 0 whatever the names are, else 0.
  int sign() const;
  /// How many names, numbers and functions it is made of.
  size_t size() const;

private:
  struct Part {
    std::shared_ptr<const Atom> atom;
    double factor;
  };
  /// The sum of one atom, whose text is made here.
  static Formula of(Atom atom);
  /// Adds another one, \p factor times.
  void add(const Formula &other, double factor);
  double constant;
  std::vector<Part> parts; ///< of different texts, no factor is 0
};

/// An atom: a name without arguments, or a function, product or quotient.
struct Atom {
  std::string function; ///< "": a name; "*", "/": of all, of two arguments
  std::string name;
  std::vector<Formula> args;
  std::string text;
  size_t size = 1;
};

/// The integer quotient of numbers that are not negative.
Formula quotient(const Formula &a, const Formula &b);
/// 1 if \p condition is 0, else 0; it is 0 or 1.
inline Formula negation(const Formula &condition) { return 1 - condition; }

} // namespace zpl::costmodel

#endif // ZPL_LIB_COSTMODEL_FORMULA_H
