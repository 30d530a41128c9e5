//===- ProcedureArguments.cpp - Procedures as arguments -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure zero(procedure f(x: double): double; a, b: double): double;
//
//     procedure cubic(x: double): double;
//     procedure cubic(k: integer): integer;
//     procedure twice(x: generic): generic;
//
//     zero(cubic, 0, 1)    the first cubic, whose heading is that of f
//     zero(twice, 0, 1)    twice for double
//     zero(sin, 0, 1)      a procedure that is made: it returns sin(x)
//
// A heading fits if number, types, ranks and ways of passing of the parameters
// and the result are the same; nothing is converted, for the callee's calls are
// those of the procedure itself. Names of parameters, `const` or `in`, and the
// region of a parallel parameter may differ.
//
//===----------------------------------------------------------------------===//

#include "Check/ProcedureArguments.h"
#include "Check/Calls.h"
#include "Names/Predeclared.h"
#include "Statements/Patterns.h"
#include "Statements/Procedures.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace zpl::sema {

std::optional<ProcedureName> procedureNamed(const Checking &c,
                                            const ast::Expr &e) {
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  if (!name)
    return std::nullopt;
  ProcedureName found{name->name, e.range, {}, nullptr};
  llvm::ArrayRef<Symbol *> symbols = c.names.overloads(name->name);
  for (Symbol *symbol : symbols)
    if (auto *procedure = llvm::dyn_cast<Procedure>(symbol))
      found.procedures.push_back(procedure);
  if (symbols.empty()) {
    const Predeclared *standard = findPredeclared(name->name);
    found.standard = standard && standard->isFunction() ? standard : nullptr;
  }
  if (found.procedures.empty() && !found.standard)
    return std::nullopt;
  return found;
}

//===----------------------------------------------------------------------===//
// Headings
//===----------------------------------------------------------------------===//

std::string resultMisfit(Type found, Type wanted) {
  if (found == Type::Void)
    return "it has no result";
  if (wanted == Type::Void)
    return "it has a result";
  return llvm::formatv("its result is of type {0}, not {1}", text(found),
                       text(wanted));
}

static std::string describeParam(const Symbol &param) {
  auto *array = llvm::dyn_cast<Array>(&param);
  if (array && array->family == Type::Error)
    return arrayText(array->rank, array->element);
  return llvm::isa<Procedure>(param) ? "procedure" : text(typeOf(param));
}

static llvm::StringRef describeMode(Mode mode) {
  switch (mode) {
  case Mode::Const:
  case Mode::In:
    return "by value";
  case Mode::InOut:
    return "by 'inout'";
  case Mode::Out:
    return "by 'out'";
  }
  llvm_unreachable("mode");
}

/// Why \p procedure is not of \p heading; empty: it is.
static std::string misfit(const Procedure &heading,
                          const Procedure &procedure) {
  llvm::ArrayRef<Symbol *> wanted = formalsOf(heading);
  llvm::ArrayRef<Symbol *> found = formalsOf(procedure);
  if (wanted.size() != found.size())
    return llvm::formatv("it takes {0} arguments, not {1}", found.size(),
                         wanted.size());
  for (auto [mine, theirs] : llvm::zip(wanted, found)) {
    llvm::StringRef name = theirs->name;
    if (!isSameParam(*mine, *theirs)) {
      std::string types[] = {describeParam(*theirs), describeParam(*mine)};
      if (types[0] == types[1])
        return llvm::formatv("its parameter '{0}' has another heading", name);
      return llvm::formatv("its parameter '{0}' is of type {1}, not {2}", name,
                           types[0], types[1]);
    }
    llvm::StringRef modes[] = {describeMode(modeOf(*theirs)),
                               describeMode(modeOf(*mine))};
    if (modes[0] != modes[1])
      return llvm::formatv("its parameter '{0}' is passed {1}, not {2}", name,
                           modes[0], modes[1]);
  }
  if (heading.resultRank != procedure.resultRank)
    return heading.resultRank == 0 ? "its result is a parallel array"
                                   : "its result is of another rank";
  if (heading.result != procedure.result)
    return resultMisfit(procedure.result, heading.result);
  return "";
}

/// Whether \p procedure is generic, and all else would fit.
static bool isGenericOf(const Procedure &heading, const Procedure &procedure) {
  llvm::ArrayRef<Symbol *> wanted = formalsOf(heading);
  llvm::ArrayRef<Symbol *> found = formalsOf(procedure);
  return wanted.size() == found.size() &&
         llvm::any_of(found, [](auto *param) { return isGeneric(*param); }) &&
         llvm::none_of(found, llvm::IsaPred<Procedure>) &&
         llvm::all_of(wanted, llvm::IsaPred<Variable>);
}

static bool hasGeneric(const Procedure &heading) {
  return llvm::any_of(formalsOf(heading),
                      [](auto *param) { return isGeneric(*param); }) ||
         heading.result == Type::Generic;
}

bool mayHaveHeading(const Procedure &heading, const ProcedureName &name) {
  size_t count = formalsOf(heading).size();
  if (name.standard)
    return name.standard->least <= count && count <= name.standard->most;
  return llvm::any_of(name.procedures, [&](const Procedure *procedure) {
    return misfit(heading, *procedure).empty() ||
           isGenericOf(heading, *procedure) ||
           (hasGeneric(heading) && formalsOf(*procedure).size() == count);
  });
}

//===----------------------------------------------------------------------===//
// What a name means
//===----------------------------------------------------------------------===//

/// A procedure of \p heading that returns the value of a standard function.
static Procedure *standardProcedure(Checking &c, const Procedure &heading,
                                    const ProcedureName &name) {
  const Predeclared &standard = *name.standard;
  size_t count = formalsOf(heading).size();
  std::string why;
  if (heading.result == Type::Void || heading.resultRank != 0)
    why = "it gives one value";
  else if (count < standard.least || count > standard.most)
    why =
        llvm::formatv("it takes {0} arguments, not {1}", standard.least, count);
  StandardKey key{&standard, {{heading.result.kind(), heading.result.info()}}};
  for (const Symbol *param : formalsOf(heading)) {
    auto *variable = llvm::dyn_cast<Variable>(param);
    if (!variable || isByReference(variable->mode))
      why = "it takes values";
    key.second.push_back({typeOf(*param).kind(), typeOf(*param).info()});
  }
  if (!why.empty() || standard.isInquiry() || standard.isStmt()) {
    c.diags
        .report(name.range, Diag::ProcedureHeading, name.text, heading.name,
                why.empty() ? "it is no function of values" : why)
        .note(heading.range, Diag::DeclaredHere, heading.name);
    return nullptr;
  }
  Procedure *&known = c.patterns.standard[key];
  if (known)
    return known;
  known = c.program.make<Procedure>(standard.name, name.range);
  known->result = heading.result;
  for (const Symbol *param : formalsOf(heading))
    known->params.push_back(
        c.program.make<Variable>(llvm::cast<Variable>(*param)));
  c.program.procedures.push_back(known);
  c.patterns.pending.push_back(
      {known, c.program.make<Procedure>(heading), {}, &standard});
  return known;
}

/// The instance of a generic procedure that has the types of \p heading.
static Procedure *genericProcedure(Checking &c, const Procedure &heading,
                                   Procedure &pattern, SourceRange range) {
  llvm::SmallVector<GivenArgument, 4> given;
  for (const Symbol *param : formalsOf(heading)) {
    Type type = typeOf(*param);
    if (type.isAggregate() && type != Type::Array)
      return nullptr;
    given.push_back({type, nullptr});
  }
  return instantiate(c, pattern, given, range);
}

static void reportHeading(Checking &c, const Procedure &heading,
                          const ProcedureName &name, const Procedure *last) {
  bool isOnly = name.procedures.size() == 1;
  auto report =
      isOnly ? c.diags.report(name.range, Diag::ProcedureHeading, name.text,
                              heading.name, misfit(heading, *last))
             : c.diags.report(name.range, Diag::ProcedureHeadings, name.text,
                              heading.name);
  constexpr size_t MostNotes = 8;
  for (const Procedure *candidate :
       llvm::ArrayRef(name.procedures).take_front(MostNotes))
    report.note(candidate->range, Diag::DeclaredHere, candidate->name);
  report.note(heading.range, Diag::DeclaredHere, heading.name);
}

Procedure *procedureFor(Checking &c, const Procedure &heading,
                        const ProcedureName &name) {
  if (name.standard)
    return standardProcedure(c, heading, name);
  Procedure *found = nullptr;
  const Procedure *last = name.procedures.back();
  for (Procedure *candidate : name.procedures)
    if (misfit(heading, *candidate).empty())
      found = candidate;
  for (Procedure *candidate : name.procedures) {
    if (found || !isGenericOf(heading, *candidate))
      continue;
    Procedure *made = genericProcedure(c, heading, *candidate, name.range);
    if (!made)
      continue;
    c.names.markUsed(*candidate);
    last = made;
    found = misfit(heading, *made).empty() ? made : nullptr;
  }
  if (!found) {
    reportHeading(c, heading, name, last);
    return nullptr;
  }
  c.names.markUsed(*found);
  c.firstCalls.try_emplace(found, name.range);
  return found;
}

} // namespace zpl::sema
