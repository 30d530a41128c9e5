//===- ReportFacts.cpp - What a report shows of a compilation -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings what the phases know into the form that runtime/lib/Report makes pages
// of:
//
//     StatementCosts   the operators of the source, with formulas
//     remarks          decisions, by line and pass
//     the cost model   what is left after the passes (RemainingCosts.cpp)
//
// A number of a file stays what it is in the SourceManager. Linear.
//
//===----------------------------------------------------------------------===//

#include "Pages/ReportFacts.h"
#include "RemarkReport.h"
#include "zpl/Sema/Program.h"
#include "zpl/StatementCosts/StatementCosts.h"
#include "zpl/Transforms/Pipeline.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <tuple>

using namespace llvm;

namespace zpl::driver {

namespace report = zrt::report;

static report::Place placeOf(SourceRange range, const SourceManager &sources) {
  if (!range.isValid())
    return {};
  return {range.file, sources.lineColumn(range).line};
}

void addSources(Facts &facts, const SourceManager &sources, uint32_t count) {
  for (uint32_t file = 0; file < count; ++file)
    facts.sources.push_back(
        {sources.name(file).str(), sources.text(file).str(), ""});
}

static report::Partners partnersOf(const StatementCost &cost) {
  switch (cost.partners) {
  case StatementCost::Neighbours:
    return report::Partners::Neighbours;
  case StatementCost::Wave:
    return report::Partners::Wave;
  case StatementCost::Border:
    return report::Partners::Border;
  case StatementCost::Lines:
    return report::Partners::Lines;
  case StatementCost::All:
    return report::Partners::All;
  case StatementCost::Pairs:
    return report::Partners::Pairs;
  }
  llvm_unreachable("partners");
}

void addProgram(Facts &facts, const sema::Program &program,
                const SourceManager &sources) {
  facts.program = program.name;
  for (const sema::Procedure *procedure : program.procedures)
    if (procedure->body && procedure->range.isValid())
      facts.procedures.push_back(
          {placeOf(procedure->range, sources), procedure->name});
  for (const StatementCost &cost : statementCosts(program, sources)) {
    report::Place place = placeOf(cost.range, sources);
    report::Place statement = placeOf(cost.statement, sources);
    bool isHere = statement.file == place.file && statement.line != 0;
    facts.communications.push_back({place, cost.mark.str(), cost.messages,
                                    cost.text, partnersOf(cost), cost.sides,
                                    isHere ? statement.line : place.line, 0});
  }
}

/// The passes of the array IR, and the others that remarks are of.
static void addPasses(Facts &facts) {
  facts.passes = {
      {"instances", "compile a procedure for each shape of its arguments"},
      {"unroll-loops", "unroll loops over the members of families of arrays"}};
  for (const air::PassInfo &pass : air::allPasses())
    facts.passes.push_back({pass.name.str(), pass.summary.str()});
  facts.passes.push_back(
      {"temporaries", "what statements keep beside the program's arrays"});
  facts.passes.push_back(
      {"fetch-ahead", "ask for memory before loops read it"});
  facts.passes.push_back(
      {"vectorize", "execute loops on several indices at a time"});
}

void addDecisions(Facts &facts, ArrayRef<Remark> remarks,
                  const air::LoopDepths *depths, const SourceManager &sources) {
  addPasses(facts);
  for (report::Communication &each : facts.communications)
    if (depths)
      each.depth = depths->of(each.place.file, each.place.line);
  // Four operators of a line may have the same story: it is told once.
  std::set<std::tuple<uint32_t, uint32_t, std::string, std::string>> told;
  RemarkReport order(sources, depths, nullptr);
  for (const Remark *remark : order.ordered(remarks)) {
    report::Decision decision;
    decision.place = placeOf(remark->range, sources);
    if (remark->range.isValid())
      decision.column = sources.lineColumn(remark->range).column;
    decision.isMissed = remark->kind == Remark::Missed;
    decision.pass = StringRef(remark->pass).split(':').first.str();
    decision.text = remark->text;
    if (!told.insert({decision.place.file, decision.place.line, decision.pass,
                      decision.text})
             .second)
      continue;
    decision.depth = depths ? depths->of(remark->range) : 0;
    if (none_of(facts.passes, [&](const report::Pass &pass) {
          return pass.name == decision.pass;
        }))
      facts.passes.push_back({decision.pass, ""});
    facts.decisions.push_back(std::move(decision));
  }
}

} // namespace zpl::driver
