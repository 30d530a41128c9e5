//===- Costs.cpp - What a statement sends, in editors ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] New := (A@north + A@east) / 2.0;  @ 1 message of m/p2*8 B, ...
//
// Hover has a sentence for each operator of the statement, and a hint at the
// end of the line counts its messages; StatementCosts knows both. Linear in the
// program.
//
//===----------------------------------------------------------------------===//

#include "zpl/Editor/Queries.h"
#include "zpl/StatementCosts/StatementCosts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::editor {

/// All that the document's own statements send, by place.
static std::vector<StatementCost> allCosts(const Analysis &a) {
  if (!a.program)
    return {};
  std::vector<StatementCost> costs = statementCosts(*a.program, a.sources);
  erase_if(costs, [](const StatementCost &cost) { return cost.range.file; });
  return costs;
}

std::string costsAt(const Analysis &a, uint32_t offset) {
  unsigned line = a.lines->position(offset).line;
  std::string text;
  for (const StatementCost &cost : allCosts(a)) {
    SourceRange where = cost.statement.file == 0 ? cost.statement : cost.range;
    if (a.lines->position(where.begin).line <= line &&
        line <= a.lines->position(where.end).line)
      text += "- " + cost.text + "\n";
  }
  if (text.empty())
    return "";
  return "**Communication** (p1, p2 ...: the processor grid, on which it "
         "depends)\n" +
         text;
}

/// "1 message of n*8 B" as 1 and "n*8 B"; 0: it is something else.
static std::pair<unsigned, StringRef> onlyMessages(StringRef messages) {
  unsigned count = 0;
  if (messages.contains(", ") || messages.consumeInteger(10, count) ||
      !(messages.consume_front(" message of ") ||
        messages.consume_front(" messages of ")))
    return {0, ""};
  return {count, messages};
}

/// "@ 2 messages of n/p1*8 B; << 1 reduction of 8 B": equal ones once.
static std::string hintLabel(ArrayRef<StatementCost> costs) {
  struct Counted {
    StringRef mark, size, text;
    unsigned messages, times;
  };
  SmallVector<Counted, 8> counted;
  for (const StatementCost &cost : costs) {
    auto [messages, size] = onlyMessages(cost.messages);
    auto *same = find_if(counted, [&, size = size](const Counted &other) {
      return other.mark == cost.mark &&
             (other.text == cost.messages ||
              (other.messages != 0 && other.size == size));
    });
    if (same == counted.end()) {
      counted.push_back({cost.mark, size, cost.messages, messages, 1});
      continue;
    }
    same->messages += messages;
    ++same->times;
  }
  std::string label;
  for (const Counted &c : counted) {
    label += (label.empty() ? "" : "; ") + c.mark.str() + " ";
    if (c.messages != 0)
      label += std::to_string(c.messages) +
               (c.messages == 1 ? " message of " : " messages of ") +
               c.size.str();
    else
      label +=
          (c.times == 1 ? "" : std::to_string(c.times) + " x ") + c.text.str();
  }
  return label;
}

json::Array inlayHints(const Document &d, const Range &range) {
  const Analysis &a = *d.analysis;
  std::vector<StatementCost> costs = allCosts(a);
  json::Array hints;
  for (size_t at = 0; at < costs.size();) {
    unsigned line = a.lines->position(costs[at].range.begin).line;
    size_t end = at;
    while (end < costs.size() &&
           a.lines->position(costs[end].range.begin).line == line)
      ++end;
    ArrayRef<StatementCost> here = ArrayRef(costs).slice(at, end - at);
    at = end;
    if (line < range.start.line || line > range.end.line)
      continue;
    std::string tooltip;
    for (const StatementCost &cost : here)
      tooltip += "- " + cost.text + "\n";
    Position place{line, utf16Length(a.lines->line(line))};
    hints.push_back(
        json::Object{{"position", toJson(place)},
                     {"label", cleanText(hintLabel(here))},
                     {"paddingLeft", true},
                     {"tooltip", json::Object{{"kind", "markdown"},
                                              {"value", cleanText(tooltip)}}}});
  }
  return hints;
}

} // namespace zpl::editor
