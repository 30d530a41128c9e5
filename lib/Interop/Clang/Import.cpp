//===- Import.cpp - What the headers say of each extern -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A name is looked up among the declarations of the headers; if there is none,
/// among the macros. `#define LIMIT (2 * SIZE)` has no type and no value of its
/// own, so it becomes the initializer of a variable in a function that nobody
/// calls,
///
///     static void zplx_probe_3(void) { __auto_type value = (LIMIT); }
///
/// whose type and value, if the compiler can know it, Clang then tells. What is
/// an error there is no expression. A macro that should be a type is tried as
/// `typedef __typeof__(LIMIT) zplx_probe_3;`.
///
/// Cost: the parse of the headers, and for a name that is not found a
/// comparison with all that are there, to say what was meant.
///
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Declare.h"
#include "Phase.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace clang;

namespace zpl::interop {

static std::string probeName(size_t external) {
  return "zplx_probe_" + std::to_string(external);
}

/// Does each bracket among the tokens of a macro have its other one? What has
/// not would break the text after it.
static bool isBalanced(const MacroInfo &macro) {
  SmallVector<tok::TokenKind, 8> open;
  for (const Token &token : macro.tokens()) {
    if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
      open.push_back(token.getKind());
    tok::TokenKind partner = token.is(tok::r_paren)    ? tok::l_paren
                             : token.is(tok::r_square) ? tok::l_square
                             : token.is(tok::r_brace)  ? tok::l_brace
                                                       : tok::unknown;
    if (partner == tok::unknown)
      continue;
    if (open.empty() || open.pop_back_val() != partner)
      return false;
  }
  return open.empty();
}

/// A macro without parameters that no declaration hides.
static bool needsProbe(const Extern &external, CompilerInstance &compiler) {
  Preprocessor &preprocessor = compiler.getPreprocessor();
  const MacroInfo *macro =
      preprocessor.getMacroInfo(preprocessor.getIdentifierInfo(external.name));
  return macro && macro->isObjectLike() && isBalanced(*macro) &&
         !findDeclaration(external.name, external.kind == ExternKind::Type,
                          compiler);
}

static void generateProbes(const Externs &externs, CompilerInstance &compiler,
                           GeneratedText &text) {
  CWriter writer(externs, compiler);
  declareUnknown(externs, compiler, writer, text);
  for (size_t i = 0; i < externs.list.size(); ++i) {
    const Extern &external = externs.list[i];
    if (!needsProbe(external, compiler))
      continue;
    const char *form =
        external.kind == ExternKind::Type
            ? "typedef __typeof__({0}) {1};"
            : "static void {1}(void) {{ __auto_type value = ({0}); }";
    text.add(i, formatv(form, external.name, probeName(i)));
  }
}

namespace {

/// Fills the list of Imports when Clang has the whole translation unit.
class Collector : public ASTConsumer {
public:
  Collector(const Externs &externs, CompilerInstance &compiler, Places &places,
            Imports &imports)
      : externs(externs), compiler(compiler),
        converter(compiler.getASTContext(), places, imports.types),
        imports(imports) {}
  void HandleTranslationUnit(ASTContext &) override;

private:
  void collectHeaders();
  void look(size_t index, Import &import);
  void useDeclaration(const Extern &external, const NamedDecl &declaration,
                      Import &import);
  void useVariable(const Extern &external, const VarDecl &variable,
                   Import &import);
  void useMacro(size_t index, const MacroInfo &macro, Import &import);
  void useProbe(const Extern &external, const NamedDecl *probe, Import &import);
  void useExpression(const Extern &external, const Expr &value, Import &import);
  std::optional<CValue> evaluate(const Expr &value);
  std::string nearest(StringRef name);

  const Externs &externs;
  CompilerInstance &compiler;
  TypeConverter converter;
  Imports &imports;
};

} // namespace

void Collector::HandleTranslationUnit(ASTContext &) {
  collectHeaders();
  imports.list.resize(externs.list.size());
  for (size_t i = 0; i < externs.list.size(); ++i)
    look(i, imports.list[i]);
}

/// Fills imports.headers from the files that Clang's source manager knows.
void Collector::collectHeaders() {
  const clang::SourceManager &manager = compiler.getSourceManager();
  StringSet<> seen;
  for (unsigned i = 0; i < manager.local_sloc_entry_size(); ++i) {
    const SrcMgr::SLocEntry &entry = manager.getLocalSLocEntry(i);
    OptionalFileEntryRef file =
        entry.isFile() ? entry.getFile().getContentCache().OrigEntry
                       : OptionalFileEntryRef();
    if (file && seen.insert(file->getName()).second)
      imports.headers.push_back(
          {file->getName().str(),
           SrcMgr::isSystem(entry.getFile().getFileCharacteristic())});
  }
}

void Collector::look(size_t index, Import &import) {
  const Extern &external = externs.list[index];
  if (const NamedDecl *found =
          findDeclaration(external.name, /*wantsType=*/true, compiler))
    return useDeclaration(external, *found, import);
  Preprocessor &preprocessor = compiler.getPreprocessor();
  if (const MacroInfo *macro = preprocessor.getMacroInfo(
          preprocessor.getIdentifierInfo(external.name)))
    return useMacro(index, *macro, import);
  import.nearest = nearest(external.name);
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void Collector::useDeclaration(const Extern &external,
                               const NamedDecl &declaration, Import &import) {
  if (declaration.isInvalidDecl())
    return;
  import.range = converter.range(declaration.getLocation());
  if (const auto *function = dyn_cast<FunctionDecl>(&declaration)) {
    import.kind = ImportKind::Function;
    import.type = converter.convertFunction(*function);
  } else if (const auto *variable = dyn_cast<VarDecl>(&declaration)) {
    useVariable(external, *variable, import);
  } else if (const auto *enumerator =
                 dyn_cast<EnumConstantDecl>(&declaration)) {
    import.kind = ImportKind::Constant;
    import.type = converter.convert(enumerator->getType());
    import.value = enumerator->getInitVal();
  } else if (const auto *type = dyn_cast<TypeDecl>(&declaration)) {
    import.kind = ImportKind::Type;
    import.type =
        converter.convert(compiler.getASTContext().getTypeDeclType(type));
  }
}

/// `static const int size = 5;` is a constant whose value is known, if a
/// constant is what the program wants.
void Collector::useVariable(const Extern &external, const VarDecl &variable,
                            Import &import) {
  import.kind = ImportKind::Variable;
  import.type = converter.convert(variable.getType());
  const Expr *init = variable.getAnyInitializer();
  if (external.kind != ExternKind::Constant || !init ||
      !variable.getType().isConstQualified())
    return;
  import.value = evaluate(*init);
  if (import.value)
    import.kind = ImportKind::Constant;
}

//===----------------------------------------------------------------------===//
// Macros
//===----------------------------------------------------------------------===//

void Collector::useMacro(size_t index, const MacroInfo &macro, Import &import) {
  import.range = converter.range(macro.getDefinitionLoc());
  if (macro.isObjectLike())
    return useProbe(
        externs.list[index],
        findDeclaration(probeName(index), /*wantsType=*/true, compiler),
        import);
  import.kind = ImportKind::Macro;
  import.macroParams = macro.getNumParams();
  import.isVariadicMacro = macro.isVariadic();
}

void Collector::useProbe(const Extern &external, const NamedDecl *probe,
                         Import &import) {
  import.kind = ImportKind::Unusable;
  if (!probe || probe->isInvalidDecl())
    return;
  if (const auto *type = dyn_cast<TypeDecl>(probe)) {
    import.kind = ImportKind::Type;
    import.type =
        converter.convert(compiler.getASTContext().getTypeDeclType(type));
    return;
  }
  for (const Decl *local : cast<FunctionDecl>(probe)->decls()) {
    const auto *variable = dyn_cast<VarDecl>(local);
    if (variable && !variable->isInvalidDecl() && variable->getInit())
      useExpression(external, *variable->getInit(), import);
  }
}

void Collector::useExpression(const Extern &external, const Expr &value,
                              Import &import) {
  QualType type = value.getType();
  const Expr *inner = value.IgnoreParenImpCasts();
  import.type = converter.convert(type);
  if (external.kind == ExternKind::Variable && inner->isLValue()) {
    import.kind = ImportKind::Variable;
    import.type = converter.convert(inner->getType());
    return;
  }
  if (type->isFunctionPointerType()) {
    import.kind = ImportKind::Function;
    import.type = converter.convert(type->getPointeeType());
    return;
  }
  import.value = evaluate(value);
  import.kind = import.value ? ImportKind::Constant : ImportKind::Expression;
}

std::optional<CValue> Collector::evaluate(const Expr &value) {
  const auto *literal =
      dyn_cast<clang::StringLiteral>(value.IgnoreParenImpCasts());
  if (literal && (literal->isOrdinary() || literal->isUTF8()))
    return literal->getString().str();
  Expr::EvalResult result;
  if (value.isValueDependent() ||
      !value.EvaluateAsRValue(result, compiler.getASTContext()) ||
      result.HasSideEffects)
    return std::nullopt;
  if (result.Val.isInt())
    return result.Val.getInt();
  if (result.Val.isFloat())
    return result.Val.getFloat();
  if (result.Val.isComplexFloat())
    return CComplex{result.Val.getComplexFloatReal(),
                    result.Val.getComplexFloatImag()};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Names that are not there
//===----------------------------------------------------------------------===//

std::string Collector::nearest(StringRef name) {
  unsigned limit = (name.size() + 2) / 3 + 1;
  StringRef best;
  auto consider = [&](StringRef other) {
    if (other.starts_with("__") || other.starts_with("zplx_"))
      return;
    unsigned distance = name.edit_distance(other, true, limit - 1);
    if (distance >= limit)
      return;
    limit = distance;
    best = other;
  };
  for (const Decl *declaration :
       compiler.getASTContext().getTranslationUnitDecl()->decls()) {
    const auto *named = dyn_cast<NamedDecl>(declaration);
    if (named && named->getIdentifier() && !named->isImplicit())
      consider(named->getName());
  }
  for (const auto &macro : compiler.getPreprocessor().macros())
    consider(macro.first->getName());
  return best.str();
}

Imports importDeclarations(const Externs &externs,
                           const ClangOptions &options) {
  Imports imports;
  Places places(imports.files);
  Reading reading;
  reading.generate = [&](CompilerInstance &compiler, GeneratedText &text) {
    generateProbes(externs, compiler, text);
  };
  reading.consumer = [&](CompilerInstance &compiler) {
    return std::make_unique<Collector>(externs, compiler, places, imports);
  };
  imports.messages = readHeaders(externs, options, places, reading);
  imports.list.resize(externs.list.size());
  // What is wrong in a probe shows in the Import.
  erase_if(imports.messages, [&](const ClangMessage &message) {
    return message.external >= 0 &&
           imports.list[message.external].kind == ImportKind::Unusable;
  });
  return imports;
}

} // namespace zpl::interop
