//===- Expression.h - Small formulas over named inputs ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What terms of cost models are made of: `keys * ceil(width / bits)`.
///
///     or := and { 'or' and }          and := compare { 'and' compare }
///     compare := sum [ ('<' | '<=' | '>' | '>=' | '==' | '!=') sum ]
///     sum := product { ('+' | '-') product }
///     product := factor { ('*' | '/') factor }
///     factor := '-' factor | number | name | name '(' or { ',' or } ')'
///             | '(' or ')'
///
/// Names are letters, digits, `_`, `.` and `@`, after a letter.
/// Functions: `min`, `max` (of two or more), `ceil`, `floor`, `log2`, `pow2`.
/// Any other name in front of a parenthesis is a model. What is true is 1, what
/// is false 0; operands of `and` and `or` are true unless they are 0.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_COST_EXPRESSION_H
#define ZPL_COST_EXPRESSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zpl {

/// How another model is evaluated: its name and arguments to its value. What it
/// cannot evaluate is not a number, and a sentence in \p problem, if not null.
using CallModel = llvm::function_ref<double(llvm::StringRef model,
                                            llvm::ArrayRef<double> arguments,
                                            std::string *problem)>;

/// A parsed formula. Its value depends on nothing but its inputs.
class Expression {
public:
  /// Parses \p text, which may use \p inputs. Nothing if it is no formula; then
  /// \p error says what is wrong and where: "column 7: ...".
  static std::optional<Expression> parse(llvm::StringRef text,
                                         llvm::ArrayRef<std::string> inputs,
                                         std::string &error);

  /// The value for \p inputs, in the order of parse's. Not a number where a
  /// part is undefined (a division by zero, the logarithm of what is not
  /// positive, a model that \p call does not know); then \p problem, if not
  /// null, says which part.
  double evaluate(llvm::ArrayRef<double> inputs, CallModel call,
                  std::string *problem = nullptr) const;

  /// The same where no models are called.
  double evaluate(llvm::ArrayRef<double> inputs,
                  std::string *problem = nullptr) const;

  /// As it was written.
  llvm::StringRef text() const { return source; }

  /// The models that it calls, with the number of their arguments, in the order
  /// of the text.
  std::vector<std::pair<llvm::StringRef, unsigned>> calls() const;

  /// Whether the input of this number occurs in it.
  bool uses(unsigned input) const;

  /// What a node does with its operands.
  enum class Op : uint8_t {
    Number,
    Input,
    Call,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Min,
    Max,
    Ceil,
    Floor,
    Log2,
    Pow2
  };

  /// A node after its operands, as in reverse Polish notation.
  struct Node {
    Op op;
    unsigned operands = 0;  ///< how many values it takes
    unsigned input = 0;     ///< Input: its number
    unsigned begin = 0;     ///< its place in the text, for messages
    unsigned end = 0;       ///< behind it
    double number = 0;      ///< Number
    std::string model = {}; ///< Call
  };

private:
  std::string source;
  std::vector<Node> nodes;
};

} // namespace zpl

#endif // ZPL_COST_EXPRESSION_H
