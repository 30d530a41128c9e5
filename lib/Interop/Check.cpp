//===- Check.cpp - Does C say what ZPL says? ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every extern against what the header has under its name:
///
///     extern prototype area(s: shape; n: integer): double;
///     double area(struct shape s, long n);
///
///     a.z:4:36: error: parameter 'n' of 'area' disagrees with C: 'long' of C
///     is 'longint' in ZPL, not 'integer' [extern-parameter]
///     shapes.h:7:34: note: this is what C says
///
/// One message for each parameter and result that disagrees. Types are compared
/// by Match.cpp; a macro with parameters has no types, so its thunk must show
/// whether it takes the arguments.
///
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace zpl::interop {

namespace {

class Checker {
public:
  Checker(const Externs &externs, const Imports &imports,
          DiagnosticEngine &diags);

  void checkAll();

private:
  void checkOne(const Extern &external, const Import &import);
  void checkProcedure(const Extern &external, const Import &import);
  void checkFunction(const Extern &external, const Import &import);
  void checkMacro(const Extern &external, const Import &import);
  bool checkCount(const Extern &external, const Import &import, size_t found);
  void checkParameters(const Extern &external, const CType &function);
  void checkType(const Extern &external, const Import &import);
  void checkVariable(const Extern &external, const Import &import);
  void checkConstant(const Extern &external, const Import &import);
  void reportNotFound(const Extern &external, const Import &import);
  void reportKind(const Extern &external, const Import &import, StringRef what);
  void refuse(const Extern &external, const Import &import, StringRef why);
  /// Reports that the extern as a whole is not what C has; nothing if it is.
  void disagree(const Extern &external, const Import &import,
                const std::optional<Mismatch> &wrong);

  const Externs &externs;
  const Imports &imports;
  DiagnosticEngine &diags;
  ExternTypes types;
};

} // namespace

Checker::Checker(const Externs &externs, const Imports &imports,
                 DiagnosticEngine &diags)
    : externs(externs), imports(imports), diags(diags) {
  for (const auto &[external, import] : zip(externs.list, imports.list))
    if (external.kind == ExternKind::Type && import.kind == ImportKind::Type)
      types[external.name] = import.type;
}

void Checker::checkAll() {
  for (const auto &[external, import] : zip(externs.list, imports.list))
    if (!external.isInstance)
      checkOne(external, import);
}

void Checker::checkOne(const Extern &external, const Import &import) {
  if (import.kind == ImportKind::NotFound)
    return reportNotFound(external, import);
  if (import.kind == ImportKind::Unusable)
    return refuse(external, import,
                  external.kind == ExternKind::Type
                      ? "this macro is not a type"
                      : "this macro is not an expression");
  switch (external.kind) {
  case ExternKind::Procedure:
    return checkProcedure(external, import);
  case ExternKind::Type:
    return checkType(external, import);
  case ExternKind::Variable:
    return checkVariable(external, import);
  case ExternKind::Constant:
    return checkConstant(external, import);
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static StringRef describe(ImportKind kind) {
  switch (kind) {
  case ImportKind::Function:
    return "a function";
  case ImportKind::Macro:
    return "a macro with parameters";
  case ImportKind::Type:
    return "a type";
  case ImportKind::Variable:
    return "a variable";
  case ImportKind::Constant:
    return "a constant";
  case ImportKind::Expression:
    return "a macro for an expression";
  case ImportKind::NotFound:
  case ImportKind::Unusable:
    return "nothing usable";
  }
  llvm_unreachable("all kinds are listed");
}

/// The part of a type that C has nothing like, or null.
static const ZplType *notForC(const ZplType *type) {
  if (!type || type->kind == ZplKind::File || type->kind == ZplKind::Other)
    return type;
  for (const ZplField &field : type->fields)
    if (const ZplType *found = notForC(field.type))
      return found;
  return notForC(type->element);
}

/// The same of all types of a declaration.
static const ZplType *notForC(const Extern &external) {
  if (const ZplType *found = notForC(external.type))
    return found;
  for (const ZplParam &param : external.params)
    if (const ZplType *found = notForC(param.type))
      return found;
  return nullptr;
}

void Checker::reportNotFound(const Extern &external, const Import &import) {
  if (!external.fromHeader) {
    // Clang could make nothing of the C declaration that ZPL's stands for.
    const ZplType *type = notForC(external);
    return refuse(external, import,
                  type ? formatv("C has nothing like '{0}'", type->name).str()
                       : "its types have no counterpart in C");
  }
  std::string hint;
  if (!import.nearest.empty())
    hint = formatv("; did you mean '{0}'?", import.nearest);
  DiagnosticBuilder message =
      diags.report(external.range, Diag::ExternNotFound, external.name, hint);
  if (!import.nearest.empty())
    message.fixIt(external.range, import.nearest);
  else if (!externs.headers.empty())
    message.note(externs.headers.front().range, Diag::ExternPlainFirst);
}

void Checker::reportKind(const Extern &external, const Import &import,
                         StringRef what) {
  diags
      .report(external.range, Diag::ExternKindDiffers, external.name,
              describe(import.kind), what)
      .note(import.range, Diag::ExternInC, external.name);
}

void Checker::refuse(const Extern &external, const Import &import,
                     StringRef why) {
  DiagnosticBuilder message =
      diags.report(external.range, Diag::ExternUnsupported, external.name, why);
  if (import.range.isValid())
    message.note(import.range, Diag::ExternInC, external.name);
}

void Checker::disagree(const Extern &external, const Import &import,
                       const std::optional<Mismatch> &wrong) {
  if (!wrong)
    return;
  DiagnosticBuilder message = diags.report(external.range, Diag::ExternType,
                                           external.name, wrong->reason);
  SourceRange place = wrong->range.isValid() ? wrong->range : import.range;
  if (place.isValid())
    message.note(place, Diag::ExternPlace);
}

//===----------------------------------------------------------------------===//
// Kinds of externs
//===----------------------------------------------------------------------===//

static std::string countOf(size_t count) {
  return formatv("{0} {1}", count, count == 1 ? "argument" : "arguments");
}

bool Checker::checkCount(const Extern &external, const Import &import,
                         size_t found) {
  if (found == external.params.size())
    return true;
  DiagnosticBuilder message =
      diags.report(external.range, Diag::ExternArguments, external.name,
                   countOf(found), external.params.size());
  if (import.range.isValid())
    message.note(import.range, Diag::ExternInC, external.name);
  return false;
}

void Checker::checkProcedure(const Extern &external, const Import &import) {
  if (import.kind == ImportKind::Function)
    return checkFunction(external, import);
  if (import.kind == ImportKind::Macro)
    return checkMacro(external, import);
  reportKind(external, import, "a function");
}

void Checker::checkFunction(const Extern &external, const Import &import) {
  const CType &function = *import.type;
  if (function.isVariadic)
    return refuse(external, import,
                  "it takes a variable number of arguments (a C function of "
                  "your own with fixed ones may call it)");
  if (function.hasPrototype) {
    if (!checkCount(external, import, function.params.size()))
      return;
    checkParameters(external, function);
  }
  std::optional<Mismatch> wrong =
      matches(*external.type, *function.element, Passing::Result, types);
  if (!wrong || external.type->kind == ZplKind::Void)
    return; // A result may be dropped.
  DiagnosticBuilder message = diags.report(external.range, Diag::ExternResult,
                                           external.name, wrong->reason);
  if (import.range.isValid())
    message.note(import.range, Diag::ExternInC, external.name);
}

void Checker::checkParameters(const Extern &external, const CType &function) {
  for (size_t i = 0; i < external.params.size(); ++i) {
    const ZplParam &param = external.params[i];
    std::optional<Mismatch> wrong =
        matchesParameter(*param.type, param.mode, *function.params[i], types);
    if (!wrong)
      continue;
    DiagnosticBuilder message =
        diags.report(param.range, Diag::ExternParameter, param.name,
                     external.name, wrong->reason);
    if (function.paramRanges[i].isValid())
      message.note(function.paramRanges[i], Diag::ExternPlace);
    if (wrong->range.isValid())
      message.note(wrong->range, Diag::ExternPlace);
  }
}

void Checker::checkMacro(const Extern &external, const Import &import) {
  if (import.isVariadicMacro)
    return refuse(external, import,
                  "this macro takes a variable number of arguments");
  checkCount(external, import, import.macroParams);
}

void Checker::checkType(const Extern &external, const Import &import) {
  if (import.kind != ImportKind::Type)
    return reportKind(external, import, "a type");
  const CType &type = *import.type;
  if (external.type->kind != ZplKind::Opaque)
    return disagree(external, import,
                    matches(*external.type, type, Passing::Declaration, types));
  if (type.kind == CKind::Function)
    return refuse(external, import, "a function type has no values");
  if (!type.isComplete || type.kind == CKind::Void)
    return refuse(external, import,
                  formatv("'{0}' has no size; a pointer to it may be an extern "
                          "type (typedef ... *{1}_pointer;)",
                          type.canonical, external.name)
                      .str());
}

void Checker::checkVariable(const Extern &external, const Import &import) {
  if (import.kind != ImportKind::Variable)
    return reportKind(external, import, "a variable");
  disagree(external, import,
           matches(*external.type, *import.type, Passing::Reference, types));
}

void Checker::checkConstant(const Extern &external, const Import &import) {
  bool isOpaque = external.type->kind == ZplKind::Opaque;
  if (import.kind == ImportKind::Constant && !isOpaque)
    return disagree(external, import,
                    matchesConstant(*external.type, *import.value));
  if (import.kind != ImportKind::Variable &&
      import.kind != ImportKind::Constant &&
      import.kind != ImportKind::Expression)
    return reportKind(external, import, "a constant");
  Passing passing =
      external.type->kind == ZplKind::Array ? Passing::Value : Passing::Result;
  disagree(external, import,
           matches(*external.type, *import.type, passing, types));
}

void check(const Externs &externs, const Imports &imports,
           DiagnosticEngine &diags) {
  Checker(externs, imports, diags).checkAll();
}

//===----------------------------------------------------------------------===//
// Clang's own messages
//===----------------------------------------------------------------------===//

SourceRange firstPlace(const Externs &externs) {
  return !externs.headers.empty() ? externs.headers.front().range
         : !externs.list.empty()  ? externs.list.front().range
                                  : SourceRange();
}

static DiagnosticBuilder reportOne(const ClangMessage &message,
                                   const Externs &externs,
                                   DiagnosticEngine &diags) {
  if (message.external >= 0) {
    const Extern &external = externs.list[message.external];
    if (external.fromHeader)
      return diags.report(external.range, Diag::ExternMacro, external.name,
                          message.text);
    return diags.report(external.range, Diag::ExternDeclaration, message.text);
  }
  if (message.header < 0)
    return diags.report(firstPlace(externs), Diag::ExternClang, message.text);
  const Header &header = externs.headers[message.header];
  return diags.report(header.range, Diag::ExternHeader, header.name,
                      message.text);
}

void report(const std::vector<ClangMessage> &messages, const Externs &externs,
            DiagnosticEngine &diags) {
  for (const ClangMessage &message : messages) {
    DiagnosticBuilder report = reportOne(message, externs, diags);
    if (message.range.isValid())
      report.note(message.range, Diag::ClangSays, message.text);
  }
}

} // namespace zpl::interop
