//===- ConstantElements.cpp - Constant indexed arrays ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     const d: array [0..2] of direction<,> = {[0, 0], [0, 1], [1, 0]};
//
//     @d[0] := direction(0, 0)       -- the setup of the variable
//     @d[1] := direction(0, 1)
//     @d[2] := direction(1, 0)
//
// Nothing else writes a constant, and nothing reads it before its declaration
// is reached. So each element is known, if all of the setup has this form.
//
// Cost: the setup, once per constant that is asked about.
//
//===----------------------------------------------------------------------===//

#include "zpl/Sema/ConstantElements.h"
#include "zpl/Sema/Program.h"
#include "llvm/ADT/STLExtras.h"

namespace zpl::sema {

/// Whether \p value has no parts that a run computes.
static bool isConstantValue(const Expr *value) {
  if (auto *direction = llvm::dyn_cast<DirectionValueExpr>(value))
    return llvm::all_of(direction->components, [](const Expr *component) {
      return llvm::isa<LiteralExpr>(component);
    });
  return llvm::isa<LiteralExpr>(value);
}

/// The subscripts of \p place, of all levels, if all are Literals and the place
/// is an element of \p variable.
static std::optional<std::vector<int64_t>>
literalSubscripts(const Expr *place, const Variable &variable) {
  std::vector<int64_t> result;
  while (auto *level = llvm::dyn_cast<SubscriptExpr>(place)) {
    for (const Expr *subscript : llvm::reverse(level->subscripts)) {
      auto *literal = llvm::dyn_cast<LiteralExpr>(subscript);
      if (!literal)
        return std::nullopt;
      result.insert(result.begin(), literal->integer);
    }
    place = level->base;
  }
  auto *root = llvm::dyn_cast<VariableExpr>(place);
  if (!root || root->variable != &variable || result.empty())
    return std::nullopt;
  return result;
}

const ConstantElements::Elements &
ConstantElements::of(const Variable &variable) {
  auto [found, isNew] = known.try_emplace(&variable);
  Elements &elements = found->second;
  bool isConstant = variable.isConst && !variable.isConfig &&
                    variable.storage != Storage::Param;
  if (!isNew || !isConstant || variable.init)
    return elements;
  for (const Stmt *stmt : variable.setup) {
    auto *assign = llvm::dyn_cast<AssignStmt>(stmt);
    auto subscripts =
        assign ? literalSubscripts(assign->target, variable) : std::nullopt;
    if (!subscripts || !isConstantValue(assign->value)) {
      elements.clear();
      break;
    }
    elements[*subscripts] = assign->value;
  }
  return elements;
}

const Expr *ConstantElements::find(const Variable &variable,
                                   llvm::ArrayRef<int64_t> subscripts) {
  const Elements &elements = of(variable);
  auto found = elements.find(subscripts.vec());
  return found == elements.end() ? nullptr : found->second;
}

void ConstantElements::forEach(const Variable &variable,
                               llvm::function_ref<void(const Expr &)> visit) {
  for (const auto &[subscripts, value] : of(variable))
    visit(*value);
}

} // namespace zpl::sema
