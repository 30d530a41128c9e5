//===- RemainingCosts.cpp - What is left after the passes -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost model has an object for each operation (docs/Models.md); a report
// has a phrase of it:
//
//     {"kind": "transfer", "place": "heat.z:15", "messages": "2*(r0 - 1)", ...
//     transfer A in 4 directions, 2*(r0 - 1) messages; for step from 1 to 50
//
// Names lose what tells equal ones apart (`n@23`), and formulas that are longer
// than a line are left out: zpl-predict evaluates those. Operations are added
// in the order in which they run, with the loops around them. Linear in the
// model.
//
//===----------------------------------------------------------------------===//

#include "Pages/ReportFacts.h"
#include "zpl/CostModel/CostModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace llvm;

namespace zpl::driver {

namespace {
/// Where we are in the model.
struct Operations {
  Facts &facts;
  std::map<std::string, uint32_t> files; ///< by name
  SmallVector<std::string, 8> around;    ///< the loops, the outermost first
};
} // namespace

/// A formula for people; "" if it is too long for them.
static std::string readable(StringRef formula) {
  constexpr size_t Longest = 72;
  std::string text;
  for (size_t k = 0; k < formula.size(); ++k) {
    bool isMark = formula[k] == '@' && k > 0;
    if (!isMark) {
      text += formula[k];
      continue;
    }
    while (k + 1 < formula.size() && isDigit(formula[k + 1]))
      ++k;
  }
  return text.size() <= Longest ? text : "";
}

static std::string member(const json::Object &operation, StringRef name) {
  if (std::optional<StringRef> text = operation.getString(name))
    return readable(*text);
  if (std::optional<int64_t> number = operation.getInteger(name))
    return std::to_string(*number);
  return "";
}

static void addClause(std::string &text, const Twine &clause) {
  text += (text.empty() ? "" : ", ") + clause.str();
}

/// "A in 4 directions, U around the ends".
static std::string itemsText(const json::Object &operation) {
  const json::Array *items = operation.getArray("items");
  if (!items)
    return "";
  std::map<std::string, unsigned> counts;
  std::vector<std::string> order;
  for (const json::Value &value : *items) {
    const json::Object *item = value.getAsObject();
    std::string name =
        item ? "`" + item->getString("array").value_or("").str() + "`" : "";
    if (counts[name]++ == 0)
      order.push_back(name);
  }
  std::string text;
  for (const std::string &name : order)
    addClause(text, name + " in " + Twine(counts[name]) +
                        (counts[name] == 1 ? " direction" : " directions"));
  return text;
}

static std::string describe(const json::Object &operation) {
  static constexpr std::pair<StringLiteral, StringLiteral> Clauses[] = {
      {"messages", " messages"},
      {"sent", " B"},
      {"points", " indices"},
      {"operations", " operations for each"},
      {"bytes", " B of memory for each"},
      {"working_set", " B worked on"},
      {"members", " processors"},
      {"payload", " B each"},
      {"element", " B an element"},
      {"times", " times"}};
  std::string text = itemsText(operation);
  for (const auto &[name, unit] : Clauses)
    if (std::string value = member(operation, name); !value.empty())
      addClause(text, "`" + value + "`" + unit);
  return text;
}

/// "step from 1 to 50", as what the body stands in.
static std::string loopText(const json::Object &operation) {
  StringRef kind = operation.getString("kind").value_or("");
  if (kind == "for") {
    std::string from = member(operation, "from"), to = member(operation, "to");
    std::string name = member(operation, "for");
    if (from.empty() || to.empty())
      return "for each `" + name + "`";
    return "for `" + name + "` from `" + from + "` to `" + to + "`";
  }
  return kind == "repeat" ? "in a loop" : "";
}

static void addOperations(Operations &state, const json::Array &body);

static void addOperationOf(Operations &state, const json::Object &operation) {
  StringRef kind = operation.getString("kind").value_or("");
  if (const json::Array *body = operation.getArray("body")) {
    std::string loop = loopText(operation);
    if (!loop.empty())
      state.around.push_back(loop);
    addOperations(state, *body);
    if (!loop.empty())
      state.around.pop_back();
    return;
  }
  auto [name, line] = operation.getString("place").value_or("").rsplit(':');
  auto file = state.files.find(name.str());
  unsigned number = 0;
  if (kind == "region" || file == state.files.end() ||
      line.getAsInteger(10, number))
    return;
  std::string text = describe(operation);
  if (!state.around.empty())
    text += (text.empty() ? "" : "; ") + join(state.around, ", ");
  state.facts.remaining.push_back({{file->second, number}, kind.str(), text});
}

static void addOperations(Operations &state, const json::Array &body) {
  for (const json::Value &value : body)
    if (const json::Object *operation = value.getAsObject())
      addOperationOf(state, *operation);
}

/// Procedures are in the model once for each call: what was told is dropped.
static void dropRepetitions(Facts &facts) {
  using Key = std::tuple<uint32_t, uint32_t, std::string, std::string>;
  std::set<Key> told;
  erase_if(facts.remaining, [&](const zrt::report::Remaining &each) {
    return !told.insert(
                    {each.place.file, each.place.line, each.kind, each.text})
                .second;
  });
}

void addRemaining(Facts &facts, const air::Module &module,
                  const SourceManager &sources) {
  std::string text;
  raw_string_ostream os(text);
  printCostModel(module, sources, os);
  Expected<json::Value> model = json::parse(text);
  if (!model) { // Names that are no UTF-8; the page lacks these phrases then.
    consumeError(model.takeError());
    return;
  }
  Operations state{facts, {}, {}};
  for (uint32_t file = 0; file < sources.size(); ++file)
    state.files.emplace(sources.name(file).str(), file);
  const json::Object *root = model->getAsObject();
  if (const json::Array *body = root ? root->getArray("body") : nullptr)
    addOperations(state, *body);
  dropRepetitions(facts);
}

} // namespace zpl::driver
