//===- Declare.cpp - ZPL types as C text ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An extern without a header is in C what its ZPL declaration says:
///
///     type point = record x, y: double; end;
///     extern prototype move(p: point; inout q: point; w: array [1..3] of
///                           integer): point;
///
///     struct zplx_type_0 {double x; double y;};
///     struct zplx_type_0 move(struct zplx_type_0, struct zplx_type_0 *, int
///     *);
///
/// From there on it is treated like one of a header, so that its calls follow
/// the ABI of C too. An opaque extern type without a header is `void *`.
///
//===----------------------------------------------------------------------===//

#include "Declare.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace clang;

namespace zpl::interop {

static StringRef scalarName(ZplKind kind) {
  switch (kind) {
  case ZplKind::Void:
    return "void";
  case ZplKind::Boolean:
    return "_Bool";
  case ZplKind::Char:
  case ZplKind::UByte:
    return "unsigned char";
  case ZplKind::SByte:
    return "signed char";
  case ZplKind::ShortInt:
    return "short";
  case ZplKind::UShortInt:
    return "unsigned short";
  case ZplKind::Integer:
  case ZplKind::Enumeration:
    return "int";
  case ZplKind::UInteger:
    return "unsigned";
  case ZplKind::LongInt:
    return "long long";
  case ZplKind::ULongInt:
    return "unsigned long long";
  case ZplKind::Float:
    return "float";
  case ZplKind::Double:
    return "double";
  case ZplKind::Quad:
    return "long double";
  case ZplKind::Complex:
    return "float _Complex";
  case ZplKind::DComplex:
    return "double _Complex";
  case ZplKind::QComplex:
    return "long double _Complex";
  case ZplKind::String:
    return "const char *";
  case ZplKind::Record:
  case ZplKind::Union:
  case ZplKind::Opaque:
  case ZplKind::Array:
  case ZplKind::File:
  case ZplKind::Block:
  case ZplKind::Procedure:
  case ZplKind::Other:
    return "";
  }
  llvm_unreachable("all kinds are listed");
}

/// `color` is `enum color` if C knows nothing but the tag.
CWriter::CWriter(const Externs &externs, CompilerInstance &compiler) {
  for (const Extern &external : externs.list) {
    if (external.kind != ExternKind::Type)
      continue;
    const auto *tag = dyn_cast_or_null<TagDecl>(
        findDeclaration(external.name, /*wantsType=*/true, compiler));
    externTypes[external.name] =
        tag ? (tag->getKindName() + " " + external.name).str() : external.name;
  }
}

std::string CWriter::name(const ZplType &type) {
  if (type.isExtern && externTypes.contains(type.name))
    return externTypes[type.name];
  if (type.kind == ZplKind::Record || type.kind == ZplKind::Union)
    return structName(type);
  return scalarName(type.kind).str();
}

std::string CWriter::fieldText(const ZplField &field) {
  bool isArray = field.type->kind == ZplKind::Array;
  const ZplType &type = isArray ? *field.type->element : *field.type;
  std::string typeName = name(type);
  if (typeName.empty() || (isArray && !field.type->count))
    return "";
  std::string text = typeName + " " + field.name;
  return isArray ? formatv("{0}[{1}]; ", text, *field.type->count).str()
                 : text + "; ";
}

std::string CWriter::structName(const ZplType &type) {
  auto found = structs.find(&type);
  if (found != structs.end())
    return found->second;
  std::string fields;
  for (const ZplField &field : type.fields) {
    std::string text = fieldText(field);
    if (text.empty())
      return "";
    fields += text;
  }
  std::string name =
      formatv("{0} zplx_type_{1}",
              type.kind == ZplKind::Union ? "union" : "struct", structs.size());
  write(name + " {" + fields + "}; ");
  structs[&type] = name;
  return name;
}

/// `double (*)(double, int)`
std::string CWriter::pointerText(const ZplType &procedure) {
  std::string text = name(*procedure.element) + " (*)(";
  for (const ZplType *param : procedure.params)
    text += (text.back() == '(' ? "" : ", ") + name(*param);
  return text + (procedure.params.empty() ? "void)" : ")");
}

std::string CWriter::paramText(const ZplParam &param) {
  if (param.type->kind == ZplKind::Procedure)
    return pointerText(*param.type);
  if (param.type->kind == ZplKind::Block)
    return param.mode >= ZplMode::InOut ? "struct zrt_array *"
                                        : "const struct zrt_array *";
  bool isArray = param.type->kind == ZplKind::Array;
  std::string typeName = name(isArray ? *param.type->element : *param.type);
  if (!typeName.empty() && isPassedByReference(*param.type, param.mode))
    typeName += " *";
  return typeName;
}

bool CWriter::declareFunction(const Extern &external) {
  std::string result = name(*external.type);
  bool isKnown = !result.empty();
  std::string params;
  for (const ZplParam &param : external.params) {
    std::string text = paramText(param);
    isKnown &= !text.empty();
    params += (params.empty() ? "" : ", ") + text;
  }
  write(result + " " + external.name + "(" +
        (params.empty() ? "void" : params) + ");");
  return isKnown;
}

bool CWriter::declare(const Extern &external) {
  const ZplType &type = *external.type;
  if (external.kind == ExternKind::Procedure)
    return declareFunction(external);
  std::string typeName;
  if (external.kind == ExternKind::Type) {
    // What is being declared is not the name of its own type.
    typeName = type.kind == ZplKind::Opaque ? "void *"
               : type.kind == ZplKind::Record || type.kind == ZplKind::Union
                   ? structName(type)
                   : scalarName(type.kind).str();
    write("typedef " + typeName + " " + external.name + ";");
    return !typeName.empty();
  }
  bool isArray = type.kind == ZplKind::Array;
  typeName = name(isArray ? *type.element : type);
  std::string bounds;
  if (isArray)
    bounds = type.count ? formatv("[{0}]", *type.count).str() : "[]";
  write(StringRef("extern ") +
        (external.kind == ExternKind::Constant ? "const " : "") + typeName +
        " " + external.name + bounds + ";");
  return !typeName.empty();
}

const NamedDecl *findDeclaration(StringRef name, bool wantsType,
                                 CompilerInstance &compiler) {
  IdentifierInfo *identifier =
      compiler.getPreprocessor().getIdentifierInfo(name);
  const NamedDecl *tag = nullptr;
  for (const NamedDecl *found :
       compiler.getASTContext().getTranslationUnitDecl()->lookup(
           DeclarationName(identifier))) {
    if (!isa<TagDecl>(found))
      return found;
    tag = found;
  }
  return wantsType ? tag : nullptr;
}

void declareUnknown(const Externs &externs, CompilerInstance &compiler,
                    CWriter &writer, GeneratedText &text) {
  if (!externs.list.empty()) // what parallel arrays are
    text.add(0, "struct zrt_array;");
  for (size_t i = 0; i < externs.list.size(); ++i) {
    const Extern &external = externs.list[i];
    bool isType = external.kind == ExternKind::Type;
    if (external.fromHeader || external.isInstance ||
        findDeclaration(external.name, isType, compiler) ||
        compiler.getPreprocessor().isMacroDefined(external.name))
      continue;
    writer.begin();
    if (writer.declare(external))
      text.add(i, writer.text());
    else if (isType)
      writer.forget(external.name);
  }
}

} // namespace zpl::interop
