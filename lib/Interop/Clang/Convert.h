//===- Convert.h - Clang's types as ours ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Types of C, as Clang has them, to those that Interop.h describes. Nothing is
/// reported here: a type that ZPL cannot use says why.
///
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
  /// Adds to \p types, in which they stay where they are. All must outlive it.
  TypeConverter(clang::ASTContext &context, Places &places,
                std::deque<CType> &types)
      : context(context), places(places), types(types) {}

  /// What ZPL needs to know of \p type, the same object for the same type.
  /// Never null: of a type that ZPL cannot use the kind is Unsupported, and
  /// says why.
  const CType *convert(clang::QualType type);

  /// The function's type with the places of its parameters.
  const CType *convertFunction(const clang::FunctionDecl &function);

  /// The place of the token at \p location in the files of the headers.
  SourceRange range(clang::SourceLocation location) {
    return places.range(location, context.getSourceManager(),
                        context.getLangOpts());
  }

private:
  /// Sets the kind of \p result, and what goes with it, by the sort of \p type,
  /// which is canonical and without const.
  void fill(CType &result, clang::QualType type);

  /// A number, `char`, `bool` or `void`; others, as `__int128`, are refused.
  void fillBuiltin(CType &result, const clang::BuiltinType &type);

  /// `_Complex` of \p element: float, double or long double; others are
  /// refused.
  void fillComplex(CType &result, clang::QualType element);

  /// A struct or union, with its place; its fields only if it is defined.
  void fillRecord(CType &result, const clang::RecordDecl &record);

  /// The fields with their offsets in bits and what bit fields there are.
  void fillFields(CType &result, const clang::RecordDecl &definition);

  /// The enumerators and their integer type, if it is defined.
  void fillEnum(CType &result, const clang::EnumDecl &declared);

  /// The result and the parameters, if the type has them.
  void fillFunction(CType &result, const clang::FunctionType &type);

  /// The element type, and the count if it is a constant; an array whose size
  /// is known at run time only is refused.
  void fillArray(CType &result, const clang::ArrayType &type);

  /// Makes \p result a type that ZPL cannot use; \p why ends a message.
  void refuse(CType &result, llvm::StringRef why);

  clang::ASTContext &context;
  Places &places;
  std::deque<CType> &types;
  llvm::DenseMap<void *, const CType *> known; ///< by QualType, as written
};

} // namespace zpl::interop

#endif // ZPL_LIB_INTEROP_CLANG_CONVERT_H
