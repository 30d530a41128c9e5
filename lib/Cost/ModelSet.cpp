//===- ModelSet.cpp - Building models, and whether they fit ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models from their parts, and the check that all models that are called are
// there: a depth-first walk over calls that finds circles,
//
//     sample -> radix              fine
//     sample -> radix -> sample    "models call each other in a circle: ..."
//
// Linear in the number of calls.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace zpl {

ModelBuilder::ModelBuilder(StringRef name, std::vector<std::string> inputs) {
  model.name = name.str();
  model.inputs = std::move(inputs);
}

std::optional<Expression> ModelBuilder::parse(StringRef what,
                                              StringRef expression) {
  std::string problem;
  auto parsed = Expression::parse(expression, model.names(), problem);
  if (!parsed && error.empty())
    error = ("model '" + model.name + "', " + what + " '" + expression +
             "': " + problem)
                .str();
  return parsed;
}

ModelBuilder &ModelBuilder::derive(StringRef name, StringRef expression) {
  if (is_contained(model.names(), name) && error.empty())
    error = ("model '" + model.name + "': '" + name + "' is derived twice, " +
             "or an input")
                .str();
  if (auto parsed = parse("derived", expression))
    model.derived.emplace_back(name.str(), std::move(*parsed));
  return *this;
}

ModelBuilder &ModelBuilder::term(StringRef expression, double coefficient,
                                 double halfWidth) {
  if (auto parsed = parse("term", expression))
    model.terms.push_back({std::move(*parsed), coefficient, halfWidth});
  return *this;
}

ModelBuilder &ModelBuilder::where(StringRef expression) {
  model.where = parse("where", expression);
  return *this;
}

ModelBuilder &ModelBuilder::least(StringRef expression) {
  model.least = parse("least", expression);
  return *this;
}

std::optional<Model> ModelBuilder::take(std::string &why) {
  if (error.empty())
    return std::move(model);
  why = error;
  return std::nullopt;
}

/// All expressions of a model.
static std::vector<const Expression *> expressionsOf(const Model &model) {
  std::vector<const Expression *> all;
  for (const auto &[name, expression] : model.derived)
    all.push_back(&expression);
  for (const Term &term : model.terms)
    all.push_back(&term.expression);
  for (const auto *part : {&model.where, &model.least})
    if (*part)
      all.push_back(&**part);
  return all;
}

namespace {

/// A walk over models that call each other.
struct CallWalk {
  const ModelSet &models;
  std::string &error;
  StringMap<bool> isDone = {}; ///< false: it is being visited
  std::vector<StringRef> path = {};

  bool visit(const Model &model) {
    auto [at, isNew] = isDone.try_emplace(model.name, false);
    if (!isNew && at->second)
      return true;
    path.push_back(model.name);
    if (!isNew) {
      error = "models call each other in a circle: " + join(path, " -> ");
      return false;
    }
    for (const Expression *expression : expressionsOf(model))
      for (auto [name, arguments] : expression->calls())
        if (!visitCall(model, name, arguments))
          return false;
    path.pop_back();
    isDone[model.name] = true;
    return true;
  }

  bool visitCall(const Model &from, StringRef name, unsigned arguments) {
    const Model *called = models.find(name);
    std::string start = "model '" + from.name + "' calls '" + name.str() + "'";
    if (!called) {
      error = start + ", which is not there";
      return false;
    }
    if (called->inputs.size() != arguments) {
      error = (start + " with " + Twine(arguments) + " arguments; it has " +
               Twine(called->inputs.size()) + " inputs")
                  .str();
      return false;
    }
    return visit(*called);
  }
};

} // namespace

bool ModelSet::check(std::string &error) const {
  CallWalk walk = {*this, error};
  return all_of(names(),
                [&](StringRef name) { return walk.visit(*find(name)); });
}

} // namespace zpl
