//===- Compiled.cpp - What the compiler did with a line -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     New := (A@north + A@south) / 2.0;
//       - temporaries: `New` is contracted to 2 rows
//       - fused: one loop with lines 42 and 43
//       - vectorized: 4 indices at a time, 4 times in flight
//
// A fused loop stands at its first line: "fused with the loop before (line 41)"
// of lines 42 and 43 makes all three one group, and what is said of one loop of
// a group holds for its other lines. Linear in the decisions.
//
//===----------------------------------------------------------------------===//

#include "zpl/Editor/Compiled.h"
#include "zpl/Editor/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <set>

using namespace llvm;

namespace zpl::editor {

std::optional<Compiled> readCompiled(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value) {
    consumeError(value.takeError());
    return std::nullopt;
  }
  const json::Object *root = value->getAsObject();
  const json::Array *list = root ? root->getArray("decisions") : nullptr;
  if (!list)
    return std::nullopt;
  Compiled result;
  result.machine = root->getString("machine").value_or("").str();
  for (const json::Value &each : *list) {
    const json::Object *object = each.getAsObject();
    if (!object || object->getInteger("file") != 0)
      continue;
    result.decisions.push_back(
        {static_cast<unsigned>(object->getInteger("line").value_or(0)),
         object->getBoolean("missed").value_or(false),
         object->getString("pass").value_or("").str(),
         object->getString("text").value_or("").str()});
  }
  stable_sort(result.decisions,
              [](const auto &x, const auto &y) { return x.line < y.line; });
  return result;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

namespace {
/// Lines from 1, both included.
struct Lines {
  unsigned first, last;
  bool contain(unsigned line) const { return first <= line && line <= last; }
};

/// What is looked for.
struct Finder {
  const Analysis &a;
  unsigned line;
  Lines found;
};
} // namespace

static void findIn(Finder &finder, const ast::Stmt &stmt);

static void findIn(Finder &finder, ast::StmtList list) {
  for (const ast::Stmt *stmt : list)
    findIn(finder, *stmt);
}

/// Goes into what has statements in it; false: a statement of its own.
static bool findInside(Finder &finder, const ast::Stmt &stmt) {
  if (auto *block = dyn_cast<ast::BlockStmt>(&stmt))
    findIn(finder, block->body);
  else if (auto *mixed = dyn_cast<ast::InterleaveStmt>(&stmt))
    findIn(finder, mixed->body);
  else if (auto *scan = dyn_cast<ast::ScanBlockStmt>(&stmt))
    findIn(finder, scan->body);
  else if (auto *loop = dyn_cast<ast::WhileStmt>(&stmt))
    findIn(finder, loop->body);
  else if (auto *loop = dyn_cast<ast::RepeatStmt>(&stmt))
    findIn(finder, loop->body);
  else if (auto *loop = dyn_cast<ast::ForStmt>(&stmt))
    findIn(finder, loop->body);
  else if (auto *modify = dyn_cast<ast::ModifyStmt>(&stmt))
    findIn(finder, modify->body);
  else if (auto *scope = dyn_cast<ast::ScopeStmt>(&stmt))
    findIn(finder, *scope->body);
  else if (auto *branch = dyn_cast<ast::IfStmt>(&stmt)) {
    for (const ast::IfStmt::Arm &arm : branch->arms)
      findIn(finder, arm.body);
    findIn(finder, branch->elseBody);
  } else
    return false;
  return true;
}

static void findIn(Finder &finder, const ast::Stmt &stmt) {
  if (stmt.range.file != 0 || !stmt.range.isValid())
    return;
  Lines lines{finder.a.lines->position(stmt.range.begin).line + 1,
              finder.a.lines->position(stmt.range.end).line + 1};
  if (!lines.contain(finder.line) || findInside(finder, stmt))
    return;
  finder.found = {std::min(finder.found.first, lines.first),
                  std::max(finder.found.last, lines.last)};
}

/// The lines of the simple statements that a line has a part of; of none, the
/// line alone.
static Lines statementLines(const Analysis &a, uint32_t offset) {
  unsigned line = a.lines->position(offset).line + 1;
  Finder finder{a, line, {line, line}};
  if (const ast::ProcedureDecl *procedure = a.symbols.procedureAt(0, offset))
    if (procedure->body)
      findIn(finder, *procedure->body);
  return finder.found;
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// The line that "... (line 41), 1 row behind" names, and what follows; 0: none.
static std::pair<unsigned, StringRef> namedLine(StringRef text) {
  auto [before, rest] = text.split(" (line ");
  unsigned line = 0;
  if (rest.consumeInteger(10, line) || !rest.consume_front(")"))
    return {0, ""};
  return {line, rest};
}

static bool isFusion(const LineDecision &each) {
  return !each.isMissed && each.pass == "fuse-loops" &&
         namedLine(each.text).first != 0;
}

/// Whether it is one of those that have a line of their own in hover.
static bool isOfLoops(const LineDecision &each) {
  return is_contained(
      {"temporaries", "contract-arrays", "fuse-loops", "vectorize"},
      StringRef(each.pass));
}

/// The lines that share loops with \p lines, these among them.
static std::set<unsigned> groupOf(const Compiled &compiled, Lines lines) {
  std::set<unsigned> group;
  for (const LineDecision &each : compiled.decisions)
    if (lines.contain(each.line))
      group.insert(each.line);
  for (size_t before = 0; before != group.size();) {
    before = group.size();
    for (const LineDecision &each : compiled.decisions) {
      if (!isFusion(each))
        continue;
      unsigned other = namedLine(each.text).first;
      if (group.count(each.line) || group.count(other))
        group.insert({each.line, other});
    }
  }
  return group;
}

/// "line 4", "lines 4, 5 and 7".
static std::string linesText(ArrayRef<unsigned> lines) {
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (size_t k = 0; k < lines.size(); ++k)
    text += (k == 0                  ? ""
             : k + 1 == lines.size() ? " and "
                                     : ", ") +
            std::to_string(lines[k]);
  return text;
}

/// The texts of \p pass at lines that \p isHere takes, each once.
static std::vector<std::string> textsOf(const Compiled &compiled,
                                        StringRef pass, bool isMissed,
                                        function_ref<bool(unsigned)> isHere) {
  std::vector<std::string> texts;
  for (const LineDecision &each : compiled.decisions)
    if (each.pass == pass && each.isMissed == isMissed && isHere(each.line) &&
        !is_contained(texts, each.text))
      texts.push_back(each.text);
  return texts;
}

static std::string temporariesText(const Compiled &compiled, Lines lines) {
  auto isHere = [&](unsigned line) { return lines.contain(line); };
  std::vector<std::string> texts =
      textsOf(compiled, "temporaries", false, isHere);
  append_range(texts, textsOf(compiled, "contract-arrays", false, isHere));
  return texts.empty() ? "none" : join(texts, "; ");
}

static std::string fusedText(const Compiled &compiled, Lines lines,
                             const std::set<unsigned> &group) {
  auto isHere = [&](unsigned line) { return lines.contain(line); };
  SmallVector<unsigned, 8> others;
  for (unsigned line : group)
    if (!isHere(line))
      others.push_back(line);
  std::vector<std::string> fused =
      textsOf(compiled, "fuse-loops", false, isHere);
  if (others.empty() && fused.empty()) {
    std::vector<std::string> missed =
        textsOf(compiled, "fuse-loops", true, isHere);
    return missed.empty() ? "no" : "no: " + join(missed, "; ");
  }
  if (others.empty())
    return "the loops of its parts are one";
  std::string text = "one loop with " + linesText(others);
  for (const std::string &each : fused)
    if (StringRef more = namedLine(each).second; !more.empty())
      return text + more.str();
  return text;
}

static std::string vectorizedText(const Compiled &compiled, Lines lines,
                                  const std::set<unsigned> &group) {
  auto isHere = [&](unsigned line) { return lines.contain(line); };
  auto isInGroup = [&](unsigned line) { return group.count(line) != 0; };
  for (bool isMissed : {false, true}) {
    std::vector<std::string> texts =
        textsOf(compiled, "vectorize", isMissed, isHere);
    if (texts.empty())
      texts = textsOf(compiled, "vectorize", isMissed, isInGroup);
    if (texts.empty())
      continue;
    std::string text;
    for (StringRef each : texts) {
      each.consume_front(isMissed ? "not vectorized: " : "vectorized: ");
      text += (text.empty() ? "" : "; ") + each.str();
    }
    return isMissed ? "no: " + text : text;
  }
  return "no loop is left";
}

/// Whether loops over arrays, or what they need, stand at some of \p lines.
static bool hasLoops(const Compiled &compiled,
                     const std::set<unsigned> &lines) {
  return any_of(compiled.decisions, [&](const LineDecision &each) {
    return lines.count(each.line) != 0 && isOfLoops(each);
  });
}

/// What other passes say, at most a few.
static std::string othersText(const Compiled &compiled, Lines lines) {
  constexpr unsigned Most = 6;
  std::vector<std::string> texts;
  for (bool isMissed : {false, true})
    for (const LineDecision &each : compiled.decisions) {
      bool isAdvice = StringRef(each.text).contains("; ");
      if (isOfLoops(each) || !lines.contain(each.line) ||
          each.isMissed != isMissed || (isMissed && !isAdvice) ||
          texts.size() == Most)
        continue;
      std::string text = "- " + std::string(isMissed ? "missed: " : "") +
                         each.text + " *(" + each.pass + ")*\n";
      if (!is_contained(texts, text))
        texts.push_back(text);
    }
  return join(texts, "");
}

std::string compiledAt(const Analysis &a, const Compiled &compiled,
                       uint32_t offset) {
  Lines lines = statementLines(a, offset);
  std::set<unsigned> group = groupOf(compiled, lines);
  std::string text;
  if (hasLoops(compiled, group))
    text = "- temporaries: " + temporariesText(compiled, lines) +
           "\n- fused: " + fusedText(compiled, lines, group) +
           "\n- vectorized: " + vectorizedText(compiled, lines, group) + "\n";
  text += othersText(compiled, lines);
  if (text.empty())
    return "";
  return "**Compiled** (-O2, " + compiled.machine + ")\n" + text;
}

} // namespace zpl::editor
