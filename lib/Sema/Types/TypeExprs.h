//===- TypeExprs.h - Types as written ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Types where the program writes them; those of regions and directions are in
/// ValueTypes.h.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_TYPES_TYPEEXPRS_H
#define ZPL_LIB_SEMA_TYPES_TYPEEXPRS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// The type that \p type stands for, of a variable, field or element; Error
/// after a report, also of a parallel array.
Type valueType(Checking &c, const ast::TypeExpr &type);

/// The parallel array type that \p type is or names, or null.
const ast::ParallelType *parallelType(Checking &c, const ast::TypeExpr &type);

/// A new enumeration called \p name, empty for none, whose constants it
/// declares. Reports values out of the range of integer.
Type enumType(Checking &c, const ast::EnumType &type, llvm::StringRef name);

/// A new record or union called \p name, empty for none. Error after a report:
/// a wrong field, none, or too large; a second field of a name is left out.
Type recordType(Checking &c, const ast::RecordType &type, llvm::StringRef name);

/// The type of the elements of \p type; Error after a report.
Type indexedElementType(Checking &c, const ast::IndexedArrayType &type);

/// Reports that \p type, at \p range, has bounds that are computed when a
/// procedure is entered, which \p what cannot have: "a field"; false: it has
/// none.
bool reportEntryBounds(Checking &c, Type type, SourceRange range,
                       llvm::StringRef what);

/// The bounds of one dimension of the indexed array type at \p whole: `1..n`,
/// `n`, `red..blue`, or blank in a heading. Appends them as written to \p text.
/// None after a report: bounds that are not known at load time, of different
/// types, blank elsewhere.
std::optional<DimType> dimType(Checking &c,
                               const ast::IndexedArrayType::Bound &bound,
                               SourceRange whole, std::string &text);

/// `type name = ...`, of a value, parallel array or family. The name is
/// declared even after a report, and its type is Error then.
void checkTypeDecl(Checking &c, const ast::TypeDecl &d);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_TYPES_TYPEEXPRS_H
