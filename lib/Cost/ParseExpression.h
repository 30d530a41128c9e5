//===- ParseExpression.h - Formulas from their text -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_COST_PARSEEXPRESSION_H
#define ZPL_LIB_COST_PARSEEXPRESSION_H

#include "zpl/Cost/Expression.h"

namespace zpl {

/// Appends the nodes of \p text to \p nodes, operands before what uses them.
/// False if it is no formula over \p inputs; then \p error says why and where.
bool parseFormula(llvm::StringRef text, llvm::ArrayRef<std::string> inputs,
                  std::vector<Expression::Node> &nodes, std::string &error);

} // namespace zpl

#endif // ZPL_LIB_COST_PARSEEXPRESSION_H
