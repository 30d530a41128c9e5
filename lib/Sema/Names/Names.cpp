//===- Names.cpp - Scopes and look-up -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var n: integer;                  -- the program's n
//     procedure f(n: integer);         -- hides it
//     var max: integer;                -- hides the predeclared max
//
// A name must be declared before it is used. The names of all declarations of
// the program are announced at the start, so that a use above the declaration
// is told apart from a misspelling. An unknown name is compared with all that
// are visible; one at a small edit distance (a third of the length) is
// suggested. A name of one letter is similar to all others, so to none.
//
// Cost: hashing; an unknown name costs a comparison with every known one.
//
//===----------------------------------------------------------------------===//

#include "Names/Names.h"

#include "Names/ForeignNames.h"
#include "Names/Predeclared.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

namespace zpl::sema {

llvm::StringRef describe(const Symbol &symbol) {
  switch (symbol.kind) {
  case SymbolKind::Variable: {
    auto &variable = llvm::cast<Variable>(symbol);
    if (variable.isConfig)
      return "a config variable";
    if (variable.type == Type::Region)
      return "a region variable";
    if (variable.type == Type::Direction)
      return "a direction variable";
    return variable.isConst ? "a constant" : "a variable";
  }
  case SymbolKind::Array:
    return "a parallel array";
  case SymbolKind::Region:
    return "a region";
  case SymbolKind::Direction:
    return "a direction";
  case SymbolKind::Grid:
    return llvm::cast<Grid>(symbol).init ? "a grid variable" : "a grid";
  case SymbolKind::Distribution:
    return llvm::cast<Distribution>(symbol).values.empty()
               ? "a distribution"
               : "a distribution variable";
  case SymbolKind::Domain:
    return "a domain";
  case SymbolKind::Procedure:
    return "a procedure";
  case SymbolKind::Type:
    return "a type";
  }
  llvm_unreachable("symbol");
}

void Names::enterProcedure() {
  inProcedure = true;
  reported.clear();
}

void Names::leaveProcedure() {
  inProcedure = false;
  locals.clear();
  reported.clear();
}

void Names::declare(Symbol *symbol) {
  auto &known = (inProcedure ? locals : globals)[symbol->name];
  bool isOverload = !known.empty() && llvm::isa<Procedure>(symbol) &&
                    llvm::isa<Procedure>(known.front());
  if (known.empty() || isOverload)
    known.push_back(symbol);
  else
    diags.report(symbol->range, Diag::Redeclared, symbol->name)
        .note(known.front()->range, Diag::DeclaredHere, symbol->name);
}

void Names::declareAs(llvm::StringRef name, SourceRange range, Symbol *symbol) {
  auto &known = (inProcedure ? locals : globals)[name];
  if (known.empty())
    known.push_back(symbol);
  else
    diags.report(range, Diag::Redeclared, name)
        .note(known.front()->range, Diag::DeclaredHere, name);
}

void Names::announce(llvm::StringRef name, SourceRange range) {
  announced.try_emplace(name, range);
}

llvm::ArrayRef<Symbol *> Names::declared(llvm::StringRef name) const {
  const Scope &scope = inProcedure ? locals : globals;
  auto known = scope.find(name);
  if (known == scope.end())
    return {};
  return known->second;
}

llvm::ArrayRef<Symbol *> Names::overloads(llvm::StringRef name) const {
  if (inProcedure)
    if (auto known = locals.find(name); known != locals.end())
      return known->second;
  auto known = globals.find(name);
  if (known == globals.end())
    return {};
  return known->second;
}

Symbol *Names::find(llvm::StringRef name) const {
  llvm::ArrayRef<Symbol *> known = overloads(name);
  if (known.empty())
    return nullptr;
  markUsed(*known.front());
  return known.front();
}

std::string Names::similarName(llvm::StringRef name, bool isType) const {
  std::string best;
  unsigned bestDistance = static_cast<unsigned>(name.size() + 2) / 3 + 1;
  auto consider = [&](llvm::StringRef candidate, bool isOwn) {
    // Upper case for lower case is one slip, of however many letters; any other
    // name of one letter is as good as this one.
    bool isOtherCase = candidate.equals_insensitive(name);
    if (name.size() == 1 && !isOtherCase)
      return;
    unsigned distance =
        isOtherCase ? 1 : name.edit_distance(candidate, true, bestDistance);
    bool isBetter = distance < bestDistance ||
                    (distance == bestDistance && isOwn && !best.empty() &&
                     candidate < llvm::StringRef(best));
    if (!isBetter)
      return;
    best = candidate.str();
    bestDistance = distance;
  };
  for (const Scope *scope : {&locals, &globals})
    for (const auto &entry : *scope)
      if (!isType || llvm::isa<TypeName>(entry.second.front()))
        consider(entry.first(), /*isOwn=*/true);
  if (isType)
    return best;
  // One of the many predeclared names is always a little similar.
  bestDistance =
      std::min(bestDistance, static_cast<unsigned>(name.size()) / 3 + 1);
  for (const Predeclared &row : predeclaredNames())
    consider(row.name, /*isOwn=*/false);
  return best;
}

void Names::reportUnknown(llvm::StringRef name, SourceRange range) {
  if (!reported.insert(name).second)
    return;
  auto later = announced.find(name);
  if (later != announced.end()) {
    diags.report(range, Diag::UsedBeforeDeclaration, name)
        .note(later->second, Diag::DeclaredHere, name);
    return;
  }
  if (llvm::StringRef instead = insteadOfName(name); !instead.empty()) {
    diags.report(range, Diag::UnknownName, name, "; " + instead.str()).done();
    return;
  }
  std::string similar = renamed(name).str();
  if (similar.empty())
    similar = similarName(name);
  if (similar.empty()) {
    diags.report(range, Diag::UnknownName, name, "").done();
    return;
  }
  diags
      .report(range, Diag::UnknownName, name,
              "; did you mean '" + similar + "'?")
      .fixIt(range, similar);
}

} // namespace zpl::sema
