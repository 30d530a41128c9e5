//===- CostModel.cpp - The model of a program -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     { "format": "zpl-cost-model", "version": 1, "program": "jacobi",
//       "configs": [{"name": "n", "value": "10", ...}],
//       "inputs":  [{"name": "iterations@39", "value": "10", ...}],
//       "ranks":   [{"rank": 2, "waves": []}],
//       "body":    [ ... ] }
//
// One object a line, members in the order in which one reads them. Only those
// inputs are listed that formulas name.
//
//===----------------------------------------------------------------------===//

#include "zpl/CostModel/CostModel.h"

#include "State.h"
#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl {

using namespace costmodel;

static void quote(raw_ostream &os, StringRef text) { os << json::Value(text); }

/// Collects the names in formulas, from the texts themselves.
static void addNames(StringRef text, std::set<std::string> &names) {
  auto isPart = [](char c) {
    return isAlnum(c) || c == '_' || c == '.' || c == '@';
  };
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && isPart(text[end]))
      ++end;
    if (end > at)
      names.insert(text.slice(at, end).str());
    at = std::max(end, at + 1);
  }
}

static void addNames(const json::Value &value, std::set<std::string> &names) {
  if (auto text = value.getAsString())
    addNames(*text, names);
  if (const json::Array *list = value.getAsArray())
    for (const json::Value &item : *list)
      addNames(item, names);
  if (const json::Object *object = value.getAsObject())
    for (const auto &member : *object)
      addNames(member.second, names);
}

static void addNames(const std::vector<Node> &nodes,
                     std::set<std::string> &names) {
  for (const Node &node : nodes) {
    for (const auto &member : node.members)
      addNames(member.second, names);
    addNames(node.body, names);
  }
}

/// An operation or loop, in one line but for its body.
static void print(raw_ostream &os, const Node &node, unsigned indent) {
  os.indent(indent) << "{\"kind\": ";
  quote(os, node.kind);
  os << ", \"place\": ";
  quote(os, node.place);
  for (const auto &[name, value] : node.members) {
    os << ", ";
    quote(os, name);
    os << ": " << value;
  }
  if (!node.body.empty()) {
    os << ", \"body\": [\n";
    for (const Node &inside : node.body) {
      print(os, inside, indent + 2);
      os << (&inside == &node.body.back() ? "\n" : ",\n");
    }
    os.indent(indent) << "]";
  }
  os << "}";
}

static void printList(raw_ostream &os, StringRef name,
                      ArrayRef<json::Value> items) {
  os << "  ";
  quote(os, name);
  os << ": [";
  for (const json::Value &item : items)
    os << (&item == items.begin() ? "\n    " : ",\n    ") << item;
  os << (items.empty() ? "],\n" : "\n  ],\n");
}

/// The default of a config variable, if it is a number, or a formula of one.
static std::string defaultOf(const air::Variable &variable) {
  StringRef text = StringRef(variable.configDefault).trim();
  if (text == "true" || text == "false")
    return text == "true" ? "1" : "0";
  return text.str();
}

namespace {
/// What is asked of a value while config variables are being set.
struct ConfigValue {
  const air::Variable *variable;
  std::string value;
};
} // namespace

/// The statement that sets a config variable in its defaults, as a formula.
static std::vector<ConfigValue> configsOf(State &s) {
  std::vector<ConfigValue> result;
  for (const air::Stmt *stmt : s.module.initialize->body) {
    auto *config = dyn_cast<air::ConfigStmt>(stmt);
    if (!config || config->variable->type.isAggregate() ||
        config->variable->type == air::Type::Str)
      continue;
    std::string value = defaultOf(*config->variable);
    for (const air::Stmt *inside : config->defaults)
      if (auto *set = dyn_cast<air::SetStmt>(inside))
        value = evaluate(s, *set->value).text();
    result.push_back({config->variable, value});
    const air::Variable &v = *config->variable;
    s.values.set({&v, {}}, Formula::name(v.text.empty() ? v.name : v.text));
  }
  return result;
}

static std::vector<json::Value> toJson(ArrayRef<ConfigValue> configs) {
  std::vector<json::Value> result;
  for (const ConfigValue &config : configs) {
    const air::Variable &v = *config.variable;
    json::Object object{{"name", v.text.empty() ? v.name : v.text},
                        {"value", config.value},
                        {"about", v.configComment}};
    if (v.type == air::Type::Enum) {
      json::Object words;
      for (const air::Enumerator &word : v.type.info()->enumerators)
        words[word.name] = word.value;
      object["words"] = std::move(words);
    }
    result.push_back(std::move(object));
  }
  return result;
}

static std::vector<json::Value> ranksOf(const State &s) {
  std::vector<json::Value> result;
  for (unsigned rank : s.ranks) {
    json::Array waves;
    for (unsigned d = 0; d < rank; ++d)
      if (s.waves.count(rank * 8 + d))
        waves.push_back(int64_t(d));
    result.push_back(
        json::Object{{"rank", int64_t(rank)}, {"waves", std::move(waves)}});
  }
  return result;
}

/// Inputs, or names for formulas, that are named.
static std::vector<json::Value> inputsOf(const State &s, bool areDerived,
                                         const std::set<std::string> &names) {
  std::vector<json::Value> result;
  for (const auto &[name, input] : s.inputs)
    if (input.isDerived == areDerived && names.count(name))
      result.push_back(json::Object{
          {"name", name}, {"value", input.value}, {"about", input.about}});
  return result;
}

/// Adds the names in formulas that have been given names.
static void addDerivedNames(const State &s, std::set<std::string> &names) {
  size_t before;
  do {
    before = names.size();
    for (const auto &[name, input] : s.inputs)
      if (names.count(name))
        addNames(StringRef(input.value), names);
  } while (names.size() != before);
}

static void printModel(State &s, const std::vector<Node> &nodes,
                       ArrayRef<ConfigValue> configs, raw_ostream &os) {
  std::set<std::string> names;
  addNames(nodes, names);
  std::vector<json::Value> ranks = ranksOf(s), notes;
  for (const json::Value &rank : ranks)
    addNames(rank, names);
  for (const std::string &note : s.notes)
    notes.push_back(note);
  addDerivedNames(s, names);
  os << "{\n  \"format\": \"zpl-cost-model\", \"version\": 1, \"program\": ";
  quote(os, s.module.name);
  os << ",\n";
  printList(os, "configs", ::zpl::toJson(configs));
  printList(os, "inputs", inputsOf(s, false, names));
  printList(os, "derived", inputsOf(s, true, names));
  printList(os, "ranks", ranks);
  printList(os, "notes", notes);
  os << "  \"body\": [\n";
  for (const Node &node : nodes) {
    print(os, node, 4);
    os << (&node == &nodes.back() ? "\n" : ",\n");
  }
  os << "  ]\n}\n";
}

void printCostModel(const air::Module &module, const SourceManager &sources,
                    raw_ostream &os) {
  State s(module, sources);
  std::vector<Node> nodes;
  s.out = &nodes;
  for (const air::Variable *global : module.variables)
    if (!global->type.isAggregate())
      s.values.set({global, {}}, 0);
    else
      s.values.clear(global);
  std::vector<ConfigValue> configs;
  for (const air::Procedure *procedure : {module.initialize, module.entry}) {
    if (!procedure)
      continue;
    s.active = {procedure};
    for (const air::Variable *local : procedure->variables)
      if (!local->type.isAggregate())
        s.values.set({local, {}}, 0);
    if (procedure == module.initialize)
      configs = configsOf(s);
    walk(s, procedure->body);
  }
  printModel(s, nodes, configs, os);
}

} // namespace zpl
