//===- Walk.cpp - Going through a program without its data ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for k := 1 to n do                {"for": "k@7", "from": "1", "to": "n",
//       if k < m then [k, ] ... end;      "body": [{"if": "(k@7 < m)", ...}]}
//     end;
//
// Statements are gone through in the order of the text, calls with the values
// of their arguments, so a call stands for its operations. What a branch or
// loop writes is unknown when it begins, unless all that it holds is known:
//
//  - a `for` is gone through once, with a name for its index;
//  - of a `repeat` or `while` nobody knows how often it is executed: that is an
//    input, `iterations@LINE`;
//  - of an `if` on something unknown, how often its branch is taken is one,
//    `taken@LINE`. A branch that ends the run is not taken.
//
// Loops and calls in which nothing is computed or sent leave nothing.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Walk.h"
#include "State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace llvm;

namespace zpl::costmodel {

/// Calls within calls, and nodes in all: then a model ends.
static constexpr size_t MostCalls = 24, MostNodes = 20000;

/// Executes \p inside with another list for nodes; gives that.
static std::vector<Node> collect(State &s, function_ref<void()> inside) {
  std::vector<Node> nodes, *before = s.out;
  s.out = &nodes;
  inside();
  s.out = before;
  return nodes;
}

static void add(State &s, Node node, std::vector<Node> body) {
  if (body.empty())
    return;
  node.body = std::move(body);
  s.out->push_back(std::move(node));
}

static StringRef nameOf(const air::Variable &variable) {
  return variable.text.empty() ? variable.name : variable.text;
}

static void forgetVariable(State &s, const air::Variable &variable,
                           SourceRange range) {
  auto reference = s.references.find(&variable);
  Place place = reference != s.references.end() ? reference->second
                                                : Place{&variable, {}};
  if (variable.type.isAggregate())
    s.values.forget(place);
  else
    s.values.set(place, unknown(s, nameOf(variable), range));
}

/// In an order that does not depend on addresses.
static std::vector<const air::Variable *> sorted(const VariableSet &set) {
  std::vector<const air::Variable *> list(set.begin(), set.end());
  sort(list, [](auto *a, auto *b) { return a->name < b->name; });
  return list;
}

void forgetWritten(State &s, ArrayRef<const air::Stmt *> list,
                   SourceRange range) {
  VariableSet written;
  addWritten(s, list, written);
  for (const air::Variable *variable : sorted(written))
    forgetVariable(s, *variable, range);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

static bool endsRun(const air::StmtList &list) {
  return any_of(list, [](const air::Stmt *stmt) {
    return stmt->kind == air::StmtKind::Halt ||
           stmt->kind == air::StmtKind::MissingReturn;
  });
}

/// What is 1 where the `then` branch is taken.
static Formula shareOf(State &s, const air::IfStmt &branch) {
  Formula condition = evaluate(s, *branch.condition);
  if (isKnown(s, condition))
    return condition;
  StringRef usual = endsRun(branch.thenBody)   ? "0"
                    : endsRun(branch.elseBody) ? "1"
                    : branch.elseBody.empty()  ? "1"
                                               : "0.5";
  return unknown(s, "taken", branch.range, usual,
                 "how often the branch is taken, from 0 to 1");
}

/// What both branches leave of what they write.
static void mergeValues(State &s, const Formula &share,
                        const Values &thenValues, const air::IfStmt &branch) {
  VariableSet written;
  addWritten(s, branch.thenBody, written);
  addWritten(s, branch.elseBody, written);
  for (const air::Variable *variable : sorted(written)) {
    auto reference = s.references.find(variable);
    Place place = reference != s.references.end() ? reference->second
                                                  : Place{variable, {}};
    std::optional<Formula> a = thenValues.find(place), b = s.values.find(place);
    if (variable->type.isAggregate() || !a || !b || !isKnown(s, share))
      forgetVariable(s, *variable, branch.range);
    else
      s.values.set(place, share * *a + negation(share) * *b);
  }
}

static void walkIf(State &s, const air::IfStmt &branch) {
  Formula share = shareOf(s, branch);
  if (share.number()) {
    if (*share.number() != 0 && *share.number() != 1)
      share = 1;
    return walk(s, *share.number() != 0 ? branch.thenBody : branch.elseBody);
  }
  Values before = s.values;
  auto regions = s.regions;
  auto one = [&](const air::StmtList &list, const Formula &taken) {
    std::vector<Node> body = collect(s, [&] { walk(s, list); });
    Node node{"if", placeOf(s, branch.range)};
    node.add("if", taken);
    add(s, std::move(node), std::move(body));
  };
  bool hadResult = s.result.has_value();
  one(branch.thenBody, share);
  Values afterThen = std::exchange(s.values, std::move(before));
  s.regions = std::move(regions);
  one(branch.elseBody, negation(share));
  mergeValues(s, share, std::move(afterThen), branch);
  if (s.result && !hadResult)
    s.result = unknown(s, "result", branch.range);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Whether a loop may be left before its end.
static bool isLeft(const air::StmtList &body) {
  bool does = false;
  for (const air::Stmt *stmt : body) {
    does |= isa<air::ExitStmt, air::ReturnStmt>(stmt);
    if (!isa<air::ForStmt, air::WhileStmt, air::RepeatStmt>(stmt))
      air::forEachList(
          *stmt, [&](const air::StmtList &inside) { does |= isLeft(inside); });
    else
      air::forEachList(*stmt, [&](const air::StmtList &inside) {
        air::forEachStmt(inside, [&](const air::Stmt &nested) {
          does |= isa<air::ReturnStmt>(nested);
        });
      });
  }
  return does;
}

/// A name for the index of a loop, as variable@line.
static Formula indexName(State &s, StringRef text, SourceRange range) {
  Formula name = unknown(s, text, range, "1", "an index");
  s.inputs.erase(name.asName().str());
  s.loopNames.insert(name.asName().str());
  return name;
}

static void walkFor(State &s, const air::ForStmt &loop) {
  Formula from = evaluate(s, *loop.from), to = evaluate(s, *loop.bound);
  Formula step = evaluate(s, *loop.step);
  air::Variable *variable = air::rootVariable(loop.variable);
  Place place = placeOf(s, *loop.variable);
  forgetWritten(s, loop.body, loop.range);
  Formula index =
      indexName(s, variable ? nameOf(*variable) : "index", loop.range);
  if (place.variable)
    s.values.set(place, index);
  std::vector<Node> body = collect(s, [&] { walk(s, loop.body); });
  s.values.endLoop(index.asName());
  if (place.variable)
    s.values.set(place, loop.down ? to - step : to + step);
  Node node{"for", placeOf(s, loop.range)};
  node.add("for", index);
  node.add("from", from);
  node.add("to", to);
  node.add("step", loop.down ? 0 - step : step);
  if (isLeft(loop.body))
    node.add("share", unknown(s, "share", loop.range, "1",
                              "which part of the loop is executed before it "
                              "is left, from 0 to 1"));
  add(s, std::move(node), std::move(body));
}

/// A `repeat` or `while`: \p inside goes through what is executed each time.
static void walkUnknownLoop(State &s, SourceRange range,
                            ArrayRef<const air::StmtList *> lists,
                            StringRef text, function_ref<void()> inside) {
  for (const air::StmtList *list : lists)
    forgetWritten(s, *list, range);
  std::vector<Node> body = collect(s, inside);
  for (const air::StmtList *list : lists)
    forgetWritten(s, *list, range);
  if (body.empty())
    return;
  Node node{"repeat", placeOf(s, range)};
  node.add("repeat",
           unknown(s, "iterations", range, "10",
                   "how often the " + text.str() + " loop is executed"));
  add(s, std::move(node), std::move(body));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static void bindRegionsAndArrays(State &s, const air::Procedure &callee,
                                 const air::CallExpr &call) {
  std::vector<std::pair<const air::Array *, ArrayValue>> arrays;
  std::vector<std::pair<const air::Region *, RegionValue>> regions;
  for (auto [parameter, argument] : zip(callee.params, call.args)) {
    if (parameter.array && argument.array)
      arrays.emplace_back(parameter.array, arrayOf(s, *argument.array));
    if (parameter.array && argument.place)
      if (const air::ElementExpr *e = air::rootElement(argument.place))
        arrays.emplace_back(parameter.array, arrayOf(s, *e->array));
    if (parameter.region && argument.region)
      regions.emplace_back(parameter.region, regionOf(s, *argument.region));
  }
  for (auto &[array, value] : arrays)
    s.arrays[array] = std::move(value);
  for (auto &[region, value] : regions)
    s.regions[region] = std::move(value);
}

static void bindScalars(State &s, const air::Procedure &callee,
                        const air::CallExpr &call) {
  for (auto [parameter, argument] : zip(callee.params, call.args)) {
    const air::Variable *variable = parameter.variable;
    if (!variable)
      continue;
    const air::Expr *given = argument.value ? argument.value : argument.place;
    Place place = given ? placeOf(s, *given) : Place();
    s.references.erase(variable);
    if (place.variable &&
        (variable->byReference || variable->type.isAggregate()))
      s.references[variable] = place;
    else if (given && argument.value && !variable->type.isAggregate())
      s.values.set({variable, {}}, evaluate(s, *given));
    else
      s.values.forget({variable, {}});
  }
  for (const air::Variable *local : callee.variables) {
    s.values.clear(local);
    if (!local->type.isAggregate())
      s.values.set({local, {}}, 0);
  }
}

static void forgetEffects(State &s, const air::CallStmt &stmt) {
  forgetWritten(s, &stmt, stmt.range);
}

static void walkCall(State &s, const air::CallStmt &stmt) {
  const air::Procedure &callee = *stmt.call->callee;
  bool goesOn = callee.thunk.empty() && s.active.size() < MostCalls &&
                !is_contained(s.active, &callee);
  if (!goesOn) {
    if (callee.thunk.empty())
      s.notes.insert("what " + callee.sourceName +
                     " does when it calls itself is left out");
    forgetEffects(s, stmt);
  }
  std::optional<Formula> before = std::exchange(s.result, std::nullopt);
  if (goesOn) {
    bindRegionsAndArrays(s, callee, *stmt.call);
    bindScalars(s, callee, *stmt.call);
    s.active.push_back(&callee);
    std::vector<Node> body = collect(s, [&] { walk(s, callee.body); });
    s.active.pop_back();
    Node node{"call", placeOf(s, stmt.range)};
    node.set("call", callee.sourceName);
    add(s, std::move(node), std::move(body));
  }
  std::optional<Formula> result = std::exchange(s.result, before);
  if (stmt.result && stmt.result->type.isAggregate())
    s.values.forget({stmt.result, {}});
  else if (stmt.result)
    s.values.set({stmt.result, {}},
                 result ? *result
                        : unknown(s, callee.sourceName, stmt.range, "1",
                                  "the result of " + callee.sourceName));
}

//===----------------------------------------------------------------------===//
// Scalar statements
//===----------------------------------------------------------------------===//

static void walkSet(State &s, const air::SetStmt &set) {
  Place to = placeOf(s, *set.target);
  if (!to.variable)
    return;
  if (!set.value->type.isAggregate())
    return s.values.set(to, shortened(s, evaluate(s, *set.value),
                                      nameOf(*to.variable), set.range));
  Place from = placeOf(s, *set.value);
  if (from.variable)
    s.values.copy(to, from);
  else
    s.values.forget(to);
}

static void walkConfig(State &s, const air::ConfigStmt &config) {
  const air::Variable &variable = *config.variable;
  if (variable.type.isAggregate() || variable.type == air::Type::Str)
    return walk(s, config.defaults);
  s.values.set({&variable, {}}, Formula::name(nameOf(variable)));
}

/// The distribution of a rank is made of all that are declared.
static void declareRegion(State &s, const air::Region &region) {
  if (region.domain)
    s.notes.insert("distributions of the program count as blocks");
  s.ranks.insert(region.rank());
  Node node{"region", placeOf(s, region.range)};
  node.set("rank", int64_t(region.rank()));
  node.set("region", toJson(regionOf(s, region)));
  s.out->push_back(std::move(node));
}

/// A view names a member of a family; what that is declared over is known from
/// where the members were allocated, for all of them alike.
static void bindView(State &s, const air::BindArrayStmt &bind) {
  s.arrays.erase(bind.array);
  Place place = placeOf(s, *bind.place);
  s.bound[bind.array] = place;
  auto family = s.families.find(place.variable);
  if (bind.array->declared || family == s.families.end())
    return (void)arrayOf(s, *bind.array);
  auto [path, value] = family->second;
  for (auto [general, asked] : zip(path, place.path))
    for (Dimension &dim : value.declared)
      for (Formula *f : {&dim.lo, &dim.hi, &dim.stride, &dim.align})
        if (!general.asName().empty())
          *f = f->replace(general.asName(), asked);
  s.arrays[bind.array] = value;
}

static void allocate(State &s, const air::Array &array) {
  s.arrays.erase(&array);
  const ArrayValue &value = arrayOf(s, array);
  auto bound = s.bound.find(&array);
  if (array.family && bound != s.bound.end())
    s.families[bound->second.variable] = {bound->second.path, value};
}

/// Statements that leave operations, and those that only change variables.
static void walkOther(State &s, const air::Stmt &stmt) {
  if (auto *set = dyn_cast<air::SetRegionStmt>(&stmt)) {
    RegionValue value = evaluate(s, set->value, *set->target);
    s.regions[set->target] = std::move(value);
  } else if (auto *declare = dyn_cast<air::DeclareRegionStmt>(&stmt)) {
    declareRegion(s, *declare->region);
  } else if (auto *alloc = dyn_cast<air::AllocArrayStmt>(&stmt)) {
    allocate(s, *alloc->array);
  } else if (auto *bind = dyn_cast<air::BindArrayStmt>(&stmt)) {
    bindView(s, *bind);
  } else {
    addOperation(s, stmt);
    forgetWritten(s, &stmt, stmt.range);
  }
}

static void walkStmt(State &s, const air::Stmt &stmt) {
  if (auto *set = dyn_cast<air::SetStmt>(&stmt))
    return walkSet(s, *set);
  if (auto *config = dyn_cast<air::ConfigStmt>(&stmt))
    return walkConfig(s, *config);
  if (auto *branch = dyn_cast<air::IfStmt>(&stmt))
    return walkIf(s, *branch);
  if (auto *loop = dyn_cast<air::ForStmt>(&stmt))
    return walkFor(s, *loop);
  if (auto *loop = dyn_cast<air::WhileStmt>(&stmt))
    return walkUnknownLoop(s, stmt.range, {&loop->prelude, &loop->body},
                           "while", [&] {
                             walk(s, loop->prelude);
                             walk(s, loop->body);
                           });
  if (auto *loop = dyn_cast<air::RepeatStmt>(&stmt))
    return walkUnknownLoop(s, stmt.range, {&loop->body, &loop->prelude},
                           "repeat", [&] {
                             walk(s, loop->body);
                             walk(s, loop->prelude);
                           });
  if (auto *call = dyn_cast<air::CallStmt>(&stmt))
    return walkCall(s, *call);
  if (auto *end = dyn_cast<air::ReturnStmt>(&stmt)) {
    if (end->value && !end->value->type.isAggregate() && !s.result)
      s.result = evaluate(s, *end->value);
    return;
  }
  walkOther(s, stmt);
}

void walk(State &s, const air::StmtList &list) {
  for (const air::Stmt *stmt : list) {
    if (s.nodes > MostNodes) {
      s.notes.insert("the model ends after 20000 operations");
      return;
    }
    walkStmt(s, *stmt);
  }
}

} // namespace zpl::costmodel
