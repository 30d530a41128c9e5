//===- Procedures.cpp - Checks procedures ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     prototype odd(n: integer): boolean;
//     procedure even(n: integer): boolean; ...  -- may call odd
//     procedure odd(n: integer): boolean; ...   -- the same Procedure
//
// A prototype and its procedure share one symbol, so that calls through either
// mean the same; the procedure's own parameters replace the prototype's.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Types.h"
#include "Walk.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

namespace {

Mode modeOf(ast::Formal::Mode mode) {
  switch (mode) {
  case ast::Formal::Const:
    return Mode::Const;
  case ast::Formal::In:
    return Mode::In;
  case ast::Formal::InOut:
  case ast::Formal::Var:
    return Mode::InOut;
  case ast::Formal::Out:
    return Mode::Out;
  }
  llvm_unreachable("mode");
}

} // namespace

void Checker::procedureDecl(const ast::ProcedureDecl &d) {
  Procedure *procedure = declareProcedure(d);
  if (d.body)
    procedureBody(d, *procedure);
}

ScalarType Checker::resultType(const ast::ProcedureDecl &d) {
  if (!d.result)
    return ScalarType::Void;
  ScalarType type = elementType(*d.result);
  if (d.result->dims || type == ScalarType::Timer) {
    diags
        .report(d.result->range, Diag::NotSupported,
                d.result->dims ? "a result that is a parallel array"
                               : "a result of type timer")
        .done();
    return ScalarType::Error;
  }
  return type;
}

/// Gives a formal array its rank, and its region if the dimensions are not
/// blank. Its rank stays 0 after a report.
void Checker::formalDims(const ast::Formal &f, Array &array) {
  const ast::RegionLit &dims = *f.type.dims;
  auto isBlank = [](const ast::Dim &dim) {
    return dim.kind == ast::Dim::Blank;
  };
  if (llvm::none_of(dims.dims, isBlank)) {
    array.declared = region(dims, 0);
    array.rank = array.declared ? array.declared->rank : 0;
  } else if (!llvm::all_of(dims.dims, isBlank)) {
    diags
        .report(f.type.range, Diag::NotSupported,
                "a parameter with some blank dimensions and some not")
        .done();
  } else if (dims.dims.size() > MaxRank) {
    diags.report(f.type.range, Diag::RankTooHigh, dims.dims.size(), MaxRank)
        .done();
  } else {
    array.rank = dims.dims.size();
  }
}

Symbol *Checker::formal(const ast::Formal &f) {
  if (f.mode == ast::Formal::Var)
    diags.report(f.name.range, Diag::VarParameter, f.name.text).done();
  ScalarType type = elementType(f.type);
  bool isLater =
      type == ScalarType::Timer || (f.type.dims && type == ScalarType::String);
  if (isLater) {
    diags
        .report(f.type.range, Diag::NotSupported,
                llvm::formatv("a parameter of {0}type {1}",
                              f.type.dims ? "element " : "", text(type))
                    .str())
        .done();
    type = ScalarType::Error;
  }
  if (!f.type.dims) {
    auto *variable = program.make<Variable>(f.name.text, f.name.range);
    variable->type = type;
    variable->storage = Storage::Param;
    variable->mode = modeOf(f.mode);
    return variable;
  }
  auto *array = program.make<Array>(f.name.text, f.name.range);
  array->storage = Storage::Param;
  array->mode = modeOf(f.mode);
  formalDims(f, *array);
  array->element = array->rank == 0 ? ScalarType::Error : type;
  return array;
}

bool Checker::sameSignature(const Procedure &a, const Procedure &b) const {
  if (a.params.size() != b.params.size() || a.result != b.result)
    return false;
  for (size_t i = 0; i != a.params.size(); ++i) {
    const Symbol *left = a.params[i], *right = b.params[i];
    if (left->kind != right->kind)
      return false;
    if (auto *array = llvm::dyn_cast<Array>(left)) {
      auto *other = llvm::cast<Array>(right);
      if (array->element != other->element || array->rank != other->rank ||
          array->mode != other->mode ||
          (array->declared == nullptr) != (other->declared == nullptr))
        return false;
      continue;
    }
    auto *variable = llvm::cast<Variable>(left);
    auto *other = llvm::cast<Variable>(right);
    if (variable->type != other->type || variable->mode != other->mode)
      return false;
  }
  return true;
}

/// The symbol of \p d, which may be that of its prototype.
Procedure *Checker::declareProcedure(const ast::ProcedureDecl &d) {
  auto *procedure = program.make<Procedure>(d.name.text, d.name.range);
  procedure->result = resultType(d);
  for (const ast::Formal &f : d.formals)
    procedure->params.push_back(formal(f));
  auto *earlier = llvm::dyn_cast_or_null<Procedure>(names.find(d.name.text));
  if (!earlier) {
    names.declare(procedure); // reports if the name is something else's
    program.procedures.push_back(procedure);
    return procedure;
  }
  bool isSame = sameSignature(*earlier, *procedure);
  if (isSame && !(earlier->body && d.body)) {
    if (!d.body)
      return earlier;
    earlier->params = procedure->params;
    earlier->range = procedure->range;
    return earlier;
  }
  if (isSame)
    names.declare(procedure); // reports
  else if (earlier->body && d.body)
    diags.report(d.name.range, Diag::NotSupported, "overloading of procedures")
        .note(earlier->range, Diag::DeclaredHere, d.name.text);
  else
    diags.report(d.name.range, Diag::PrototypeMismatch, d.name.text)
        .note(earlier->range, Diag::DeclaredHere, d.name.text);
  // Calls mean the earlier one; it counts as complete.
  earlier->body = empty(d.range);
  return procedure;
}

void Checker::procedureBody(const ast::ProcedureDecl &d, Procedure &procedure) {
  names.enterProcedure();
  current = &procedure;
  mayInherit = true;
  for (Symbol *param : procedure.params)
    names.declare(param);
  for (const ast::Decl *local : d.locals)
    declaration(*local);
  procedure.body = stmt(*d.body);
  procedure.bodyRange = d.body->range;
  mayInherit = false;
  current = nullptr;
  names.leaveProcedure();
}

void Checker::checkPrototypes() {
  for (const Procedure *procedure : program.procedures) {
    auto call = firstCalls.find(procedure);
    if (!procedure->body && call != firstCalls.end())
      diags.report(procedure->range, Diag::NoProcedure, procedure->name)
          .note(call->second, Diag::CalledFromHere, procedure->name);
  }
  llvm::erase_if(program.procedures,
                 [](const Procedure *p) { return p->body == nullptr; });
}

void Checker::checkEntry(const ast::Module &module) {
  Symbol *symbol = names.find(module.name.text);
  auto *entry = llvm::dyn_cast_or_null<Procedure>(symbol);
  if (!entry || !entry->body) {
    auto report =
        diags.report(module.name.range, Diag::NoEntry, module.name.text);
    if (symbol)
      report.note(symbol->range, Diag::DeclaredHere, symbol->name);
    return;
  }
  if (!entry->params.empty())
    diags.report(entry->range, Diag::EntrySignature, entry->name, "parameters")
        .done();
  else if (entry->result != ScalarType::Void)
    diags.report(entry->range, Diag::EntrySignature, entry->name, "a result")
        .done();
}

} // namespace zpl::sema
