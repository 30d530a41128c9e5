//===- Convert.h - Clang's types as ours ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTEROP_CLANG_CONVERT_H
#define ZPL_LIB_INTEROP_CLANG_CONVERT_H

#include "Reader.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"

namespace zpl::interop {

/// Makes CTypes of one translation unit.
class TypeConverter {
public:
  TypeConverter(clang::ASTContext &context, Places &places,
                std::deque<CType> &types)
      : context(context), places(places), types(types) {}

  const CType *convert(clang::QualType type);
  /// The function's type with the places of its parameters.
  const CType *convertFunction(const clang::FunctionDecl &function);
  SourceRange range(clang::SourceLocation location) {
    return places.range(location, context.getSourceManager(),
                        context.getLangOpts());
  }

private:
  void fill(CType &result, clang::QualType type);
  void fillBuiltin(CType &result, const clang::BuiltinType &type);
  void fillComplex(CType &result, clang::QualType element);
  void fillRecord(CType &result, const clang::RecordDecl &record);
  void fillFields(CType &result, const clang::RecordDecl &definition);
  void fillEnum(CType &result, const clang::EnumDecl &declared);
  void fillFunction(CType &result, const clang::FunctionType &type);
  void fillArray(CType &result, const clang::ArrayType &type);
  void refuse(CType &result, llvm::StringRef why);

  clang::ASTContext &context;
  Places &places;
  std::deque<CType> &types;
  llvm::DenseMap<void *, const CType *> known; ///< by QualType, as written
};

} // namespace zpl::interop

#endif // ZPL_LIB_INTEROP_CLANG_CONVERT_H
