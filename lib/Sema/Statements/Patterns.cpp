//===- Patterns.cpp - Procedures that are made for their calls ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure sum(procedure f(k: integer): double; n: integer): double;
//
//     sum(square, 10) + sum(cube, 10)
//
// The declaration of a pattern is checked anew for each combination of types
// and procedures that it is called with, as if the types were written there; a
// formal that is a procedure is no parameter of the instance, but another name
// of the argument. So every call in the program says what it calls, and all
// that follows (which procedures are parallel, what they write, what inlines)
// knows nothing of patterns. The calls above are of two procedures sum(n).
//
// This is done after all other declarations, one instance after the other, for
// an instance may ask for further ones. There are finitely many: arguments are
// names of procedures, types are written in the program, and an instance that
// calls itself with what it was given is asked for once.
//
// A formal that is a grid or a distribution is another name of the program's one,
// as a procedure is: what regions are bound to is the same in all code.
//
// A pattern that takes procedures and is never called is checked as well, with
// its headings standing for the arguments. What is made then is forgotten.
//
//===----------------------------------------------------------------------===//

#include "Statements/Patterns.h"
#include "Check/Calls.h"
#include "Check/Functions.h"
#include "Check/ProcedureArguments.h"
#include "Distributions/Distributions.h"
#include "Names/Externs.h"
#include "Names/Predeclared.h"
#include "Statements/Procedures.h"
#include "Statements/Statements.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <deque>

namespace zpl::sema {

/// The heading of formal \p i of \p pattern, in which `generic` is \p generic.
static Procedure *headingOf(Checking &c, const Procedure &pattern, size_t i,
                            std::optional<Type> generic) {
  auto *heading = llvm::cast<Procedure>(formalsOf(pattern)[i]);
  if (!generic)
    return heading;
  const ast::Formal &formal = c.patterns.declared[&pattern]->formals[i];
  llvm::SaveAndRestore outer(c.writtenType.generic, generic);
  return checkHeading(c, formal.name,
                      llvm::cast<ast::ProcedureType>(*formal.type));
}

/// Makes the instance of \p bindings, if there is none yet.
static Procedure *instanceOf(Checking &c, Procedure &pattern,
                             const FormalBindings &bindings,
                             SourceRange range) {
  InstanceKey key{&pattern, {}};
  for (const FormalBinding &binding : bindings)
    key.second.push_back({binding.generic.kind(), binding.generic.info(),
                          binding.place
                              ? binding.place
                              : static_cast<const Symbol *>(binding.actual)});
  Procedure *&known = c.patterns.instances[key];
  if (known)
    return known;
  known = c.program.make<Procedure>(pattern.name, pattern.range);
  const ast::ProcedureDecl &d = *c.patterns.declared[&pattern];
  checkSignature(c, d, *known, bindings);
  c.program.procedures.push_back(known);
  if (d.isExtern)
    externInstance(c, *known, pattern, bindings, range);
  else
    c.patterns.pending.push_back({known, &pattern, bindings});
  return known;
}

Procedure *instantiate(Checking &c, Procedure &pattern,
                       llvm::ArrayRef<GivenArgument> given, SourceRange range) {
  FormalBindings bindings(given.size());
  llvm::ArrayRef<Symbol *> formals = formalsOf(pattern);
  for (size_t i = 0; i != given.size(); ++i)
    if (isGeneric(*formals[i]) || isGridOrDistribution(*formals[i]))
      bindings[i].generic = innermostElement(given[i].type);
  std::optional<Type> generic =
      firstGeneric(*c.patterns.declared[&pattern], bindings);
  for (size_t i = 0; i != given.size(); ++i) {
    if (given[i].distributing) {
      bindings[i].formal = formals[i];
      bindings[i].place = given[i].distributing;
    }
    if (!given[i].procedure)
      continue;
    bindings[i].heading = headingOf(c, pattern, i, generic);
    bindings[i].actual =
        procedureFor(c, *bindings[i].heading, *given[i].procedure);
    if (!bindings[i].actual)
      return nullptr;
  }
  return instanceOf(c, pattern, bindings, range);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// `begin return sin(x); end;`
static void checkStandardBody(Checking &c, Procedure &procedure,
                              const Procedure &heading,
                              const Predeclared &standard) {
  c.names.enterProcedure();
  c.current = &procedure;
  std::deque<ast::NameRef> names;
  llvm::SmallVector<ast::Expr *, 2> args;
  for (Symbol *param : procedure.params) {
    c.names.declare(param);
    args.push_back(&names.emplace_back(param->name, procedure.range));
  }
  ast::Call call(ast::Name{standard.name, procedure.range}, args,
                 procedure.range);
  const Expr *value = checkStandardCall(c, call, standard);
  if (value->type != procedure.result && !isError(value))
    c.diags
        .report(procedure.range, Diag::ProcedureHeading, standard.name,
                heading.name, resultMisfit(value->type, procedure.result))
        .note(heading.range, Diag::DeclaredHere, heading.name);
  procedure.body = c.program.make<ReturnStmt>(value, 0, procedure.range);
  procedure.bodyRange = procedure.range;
  c.current = nullptr;
  c.names.leaveProcedure();
}

/// Checks what is pending from \p next on.
static void checkPending(Checking &c, size_t next,
                         llvm::DenseSet<const Procedure *> &failed) {
  for (; next != c.patterns.pending.size(); ++next) {
    auto [procedure, pattern, formals, standard] = c.patterns.pending[next];
    if (standard) {
      checkStandardBody(c, *procedure, *pattern, *standard);
      continue;
    }
    const ast::ProcedureDecl &d = *c.patterns.declared[pattern];
    if (!d.body || failed.contains(pattern)) {
      if (d.body || !d.isPrototype)
        procedure->body = emptyStmt(c, d.range);
      continue;
    }
    unsigned errors = c.diags.errors();
    checkSignature(c, d, *procedure, formals); // that of a later declaration
    checkProcedureBody(c, d, *procedure, formals);
    // The same again for other arguments would be no news.
    if (c.diags.errors() != errors)
      failed.insert(pattern);
  }
}

/// The pattern's own headings as arguments; none: it is generic or was called.
static std::optional<FormalBindings> ownHeadings(const Checking &c,
                                                 const Procedure &pattern) {
  auto next = c.patterns.instances.lower_bound({&pattern, {}});
  bool isCalled =
      next != c.patterns.instances.end() && next->first.first == &pattern;
  const ast::ProcedureDecl &d = *c.patterns.declared.find(&pattern)->second;
  if (isCalled || d.isExtern || !d.body)
    return std::nullopt;
  FormalBindings bindings;
  for (Symbol *formal : formalsOf(pattern)) {
    if (isGeneric(*formal) || isGridOrDistribution(*formal))
      return std::nullopt;
    auto *heading = llvm::dyn_cast<Procedure>(formal);
    bindings.push_back({Type::Void, heading, heading});
  }
  return bindings;
}

void instantiateAll(Checking &c) {
  llvm::DenseSet<const Procedure *> failed;
  checkPending(c, 0, failed);
  size_t procedures = c.program.procedures.size();
  size_t globals = c.program.globals.size();
  size_t externs = c.externs.table.list.size();
  for (Procedure *pattern : c.patterns.inOrder)
    if (std::optional<FormalBindings> bindings = ownHeadings(c, *pattern)) {
      size_t next = c.patterns.pending.size();
      instanceOf(c, *pattern, *bindings, pattern->range);
      checkPending(c, next, failed);
    }
  c.program.procedures.resize(procedures);
  c.program.globals.resize(globals);
  c.externs.table.list.resize(externs);
}

} // namespace zpl::sema
