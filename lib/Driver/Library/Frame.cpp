//===- Frame.cpp - ZPL text around what is exported -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A library is a ZPL program whose last statement is a loop that calls what the
/// caller asks for:
///
///     export var A: [R] double;
///     export procedure step(var X: [R] double; k: integer): double;
///
/// gets, as a second text that is parsed like the first one,
///
///     var step__X: [R] double;
///     extern var step__k: integer;
///     extern var step__result: double;
///     extern prototype zplL_next(inout a1, a2: ...): integer;
///     procedure zplL_frame();
///     var call: integer;
///     begin
///       kernel();
///       call := zplL_next(A, step__X);
///       while call != 0 do
///         if call = 1 then step__result := step(step__X, step__k); end;
///         call := zplL_next(A, step__X);
///       end;
///     end;
///
/// and begins with zplL_frame. Scalars pass in variables of C. Arrays are named
/// in zplL_next, a function of C that may read and write them, so every phase
/// knows that they do not stay what they were. Nothing else in the compiler
/// knows of libraries.
///
//===----------------------------------------------------------------------===//

#include "Library/Frame.h"
#include "Library/Library.h"
#include "zpl/Lex/Lex.h"
#include "zpl/Parse/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace zpl::driver {

bool isLibraryName(StringRef name) {
  return is_contained({"init", "init_mpi", "finish", "error", "processors",
                       "get", "set", "view", "status", "python", "first"},
                      name);
}

const ast::TypeExpr *plainType(const ast::Module &syntax,
                               const ast::TypeExpr *type) {
  for (unsigned links = 0; links < 100; ++links) {
    auto *named = dyn_cast_or_null<ast::NamedType>(type);
    const ast::TypeExpr *found = nullptr;
    for (const ast::Decl *decl : syntax.decls)
      if (auto *d = dyn_cast<ast::TypeDecl>(decl);
          named && d && d->name.text == named->name.text)
        found = d->type;
    if (!found)
      break;
    type = found;
  }
  return type;
}

bool isString(const ast::Module &syntax, const ast::TypeExpr *type) {
  auto *named = dyn_cast_or_null<ast::NamedType>(plainType(syntax, type));
  return named && named->name.text == "string";
}

ExportedSyntax exportsOf(const ast::Module &syntax) {
  ExportedSyntax result;
  auto add = [&](std::string name, const ast::TypeExpr *type,
                 SourceRange range) {
    if (auto *parallel =
            dyn_cast_or_null<ast::ParallelType>(plainType(syntax, type)))
      result.arrays.push_back({std::move(name), parallel, range});
  };
  for (const ast::Decl *decl : syntax.decls) {
    auto *variable = dyn_cast<ast::VariableDecl>(decl);
    if (variable && variable->isExported && !variable->isExtern)
      for (const ast::DefinedName &name : variable->names)
        add(name.text.str(), variable->type, name.range);
    auto *procedure = dyn_cast<ast::ProcedureDecl>(decl);
    if (procedure && procedure->isExported && !procedure->isExtern &&
        procedure->body)
      result.procedures.push_back(procedure);
  }
  result.exportedArrays = result.arrays.size();
  for (const ast::ProcedureDecl *procedure : result.procedures)
    for (const ast::Formal &formal : procedure->formals)
      add(placeName(procedure->name.text, formal.name.text), formal.type,
          formal.name.range);
  return result;
}

namespace {

/// Writes the text.
class FrameWriter {
public:
  FrameWriter(const ast::Module &syntax, SourceManager &sources,
              DiagnosticEngine &diags)
      : syntax(syntax), sources(sources), diags(diags),
        exports(exportsOf(syntax)) {}

  std::string write();

private:
  void refuse(StringRef name, SourceRange range, StringRef why) {
    diags.report(range, Diag::ExportUnsupported, name, why).done();
  }
  void checkVariables();
  void checkNames();
  void declare(const ast::ProcedureDecl &procedure);
  void declareParam(StringRef procedure, const ast::Formal &formal);
  void declareNext();
  std::string callOf(const ast::ProcedureDecl &procedure);
  std::string textOf(const ast::TypeExpr &type) {
    return sources.text(type.range).str();
  }

  const ast::Module &syntax;
  SourceManager &sources;
  DiagnosticEngine &diags;
  ExportedSyntax exports;
  std::string text;
  std::string next; ///< the call of zplL_next
};

} // namespace

/// Exported variables are parallel arrays.
void FrameWriter::checkVariables() {
  for (const ast::Decl *decl : syntax.decls)
    if (auto *d = dyn_cast<ast::VariableDecl>(decl);
        d && d->isExported &&
        !isa_and_nonnull<ast::ParallelType>(plainType(syntax, d->type)))
      refuse(d->names.front().text, d->names.front().range,
             "only parallel arrays are seen from outside; let procedures give "
             "and take other variables");
}

/// C knows a procedure by its name alone, and the library has some of its own.
void FrameWriter::checkNames() {
  StringSet<> names;
  auto check = [&](StringRef name, SourceRange range) {
    if (isLibraryName(name) || !names.insert(name).second)
      refuse(name, range,
             "the library has another function of this name for its callers");
  };
  for (size_t k = 0; k < exports.exportedArrays; ++k)
    check(exports.arrays[k].name, exports.arrays[k].range);
  for (const ast::ProcedureDecl *procedure : exports.procedures)
    check(procedure->name.text, procedure->name.range);
}

/// Whether values of a type, \p plain behind its names, are passed as such.
static bool isValueType(const ast::TypeExpr *type, const ast::TypeExpr *plain) {
  return isa<ast::NamedType>(plain) ||
         (isa<ast::NamedType>(type) &&
          isa<ast::RecordType, ast::EnumType>(plain));
}

/// The field of a record, or of one in it, that callers have no type for; empty:
/// none.
static std::string foreignField(const ast::Module &syntax,
                                const ast::TypeExpr *type) {
  auto *record = dyn_cast_or_null<ast::RecordType>(type);
  if (!record)
    return "";
  for (const ast::RecordType::Field &field : record->fields) {
    const ast::TypeExpr *plain = plainType(syntax, field.type);
    if (!plain || isString(syntax, plain) || !isValueType(field.type, plain))
      return field.name.text.str();
    if (std::string inner = foreignField(syntax, plain); !inner.empty())
      return inner;
  }
  return "";
}

void FrameWriter::declareParam(StringRef procedure, const ast::Formal &formal) {
  const ast::TypeExpr *type = plainType(syntax, formal.type);
  std::string place = placeName(procedure, formal.name.text);
  if (auto *parallel = dyn_cast_or_null<ast::ParallelType>(type)) {
    StringRef region = sources.text(parallel->dims->range);
    if (region.find_first_not_of("[], \t\n") == StringRef::npos)
      refuse(procedure, formal.name.range,
             formatv("its array '{0}' needs a region, which says how large "
                     "the caller's is",
                     formal.name.text)
                 .str());
    else
      text += formatv("var {0} : {1};\n", place, textOf(*parallel));
    return;
  }
  if (!type)
    return;
  if (isString(syntax, type) && formal.mode > ast::Formal::In)
    refuse(procedure, formal.name.range, "a string goes in one direction");
  else if (isString(syntax, type))
    text += formatv("extern prototype {0}() : string;\n", place);
  else if (std::string field = foreignField(syntax, type); !field.empty())
    refuse(procedure, formal.name.range,
           formatv("'{0}' has the field '{1}', which is neither a scalar nor a "
                   "record of these",
                   formal.name.text, field)
               .str());
  else if (isValueType(formal.type, type))
    text += formatv("extern var {0} : {1};\n", place, textOf(*formal.type));
  else if (isa<ast::RecordType, ast::EnumType>(type))
    refuse(procedure, formal.name.range,
           formatv("the type of '{0}' needs a name for its callers: declare it "
                   "as a type",
                   formal.name.text)
               .str());
  else
    refuse(procedure, formal.name.range,
           "its parameters are scalars, records of these, strings and parallel "
           "arrays");
}

void FrameWriter::declare(const ast::ProcedureDecl &procedure) {
  StringRef name = procedure.name.text;
  for (const ast::Formal &formal : procedure.formals)
    declareParam(name, formal);
  const ast::TypeExpr *result = plainType(syntax, procedure.result);
  if (!result)
    return;
  if (!isValueType(procedure.result, result))
    refuse(name, procedure.name.range,
           "its result is a scalar, a record of these that has a name, or a "
           "string");
  else if (isString(syntax, result))
    text += formatv("extern prototype {0}(text : string);\n", keepName(name));
  else
    text += formatv("extern var {0} : {1};\n", placeName(name, "result"),
                    textOf(*procedure.result));
}

void FrameWriter::declareNext() {
  std::string params, args;
  for (auto [k, array] : enumerate(exports.arrays)) {
    params +=
        formatv("{0}inout a{1} : {2}", k ? "; " : "", k, textOf(*array.type));
    args += formatv("{0}{1}", k ? ", " : "", array.name);
  }
  text += formatv("extern prototype {0}({1}) : integer;\n", NextName, params);
  next = formatv("call := {0}({1});\n", NextName, args);
}

std::string FrameWriter::callOf(const ast::ProcedureDecl &procedure) {
  StringRef name = procedure.name.text;
  std::string args;
  for (const ast::Formal &formal : procedure.formals) {
    args += (args.empty() ? "" : ", ") + placeName(name, formal.name.text);
    if (isString(syntax, formal.type))
      args += "()";
  }
  std::string call = formatv("{0}({1})", name, args);
  if (!procedure.result)
    return call;
  if (isString(syntax, procedure.result))
    return formatv("{0}({1})", keepName(name), call);
  return placeName(name, "result") + " := " + call;
}

std::string FrameWriter::write() {
  checkVariables();
  checkNames();
  text = formatv("program {0};\n", FrameName);
  for (const ast::ProcedureDecl *procedure : exports.procedures)
    declare(*procedure);
  declareNext();
  bool hasMain = any_of(syntax.decls, [&](const ast::Decl *decl) {
    auto *d = dyn_cast<ast::ProcedureDecl>(decl);
    return d && d->body && d->name.text == syntax.name.text;
  });
  text += formatv("procedure {0}();\nvar call : integer;\nbegin\n", FrameName);
  if (hasMain)
    text += formatv("{0}();\n", syntax.name.text);
  text += next + "while call != 0 do\n";
  for (auto [k, procedure] : enumerate(exports.procedures))
    text +=
        formatv("if call = {0} then {1}; end;\n", k + 1, callOf(*procedure));
  return text + next + "end;\nend;\n";
}

void addFrame(ast::Module &syntax, ast::Context &context,
              SourceManager &sources, DiagnosticEngine &diags) {
  std::string text = FrameWriter(syntax, sources, diags).write();
  if (diags.hasErrors())
    return;
  uint32_t file = sources.add("<library>", text);
  TokenBuffer tokens = lex(file, sources, diags, {}, "");
  ast::Module frame = parse(tokens, context, diags);
  // What is extern here is in the glue, not in headers of the program.
  for (ast::Decl *decl : frame.decls) {
    if (auto *variable = dyn_cast<ast::VariableDecl>(decl))
      variable->isExported = variable->isExtern;
    if (auto *procedure = dyn_cast<ast::ProcedureDecl>(decl))
      procedure->isExported = procedure->isExtern;
  }
  syntax.name = frame.name;
  syntax.decls.insert(syntax.decls.end(), frame.decls.begin(),
                      frame.decls.end());
}

} // namespace zpl::driver
