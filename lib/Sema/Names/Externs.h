//===- Externs.h - What is declared extern ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions, variables, constants and types of C. They become symbols as
/// others do, and rows of a table, from which Interop asks the C compiler what
/// they are.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_NAMES_EXTERNS_H
#define ZPL_LIB_SEMA_NAMES_EXTERNS_H

#include "zpl/AST/AST.h"
#include "zpl/Interop/Interop.h"
#include "zpl/Sema/Program.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace zpl::sema {

struct Checking;
struct FormalBinding;

/// The extern declarations of a program, in the terms of Interop.
class Externs {
public:
  interop::Externs table;
  std::map<size_t, TypeInfo *> opaques;   ///< by their row
  llvm::StringMap<interop::Import> found; ///< what C says of constants
  llvm::DenseSet<const TypeInfo *> fromC; ///< declared `extern type`
  /// The rows of functions that are given procedures.
  llvm::DenseMap<const Procedure *, size_t> patterns;

  /// \p type as the table has it, its elements and fields included; each once.
  interop::ZplType *type(Type type);
  /// Procedures of \p heading as the table has them.
  interop::ZplType *callback(const Procedure &heading);
  /// Adds a type to the table.
  interop::ZplType &add(interop::ZplKind kind, llvm::StringRef name);
  /// Adds a row for \p symbol, whose type (of a procedure: its result's) is
  /// \p type. It is looked for in a header if there has been one.
  interop::Extern &add(interop::ExternKind kind, const Symbol &symbol,
                       const interop::ZplType *type);

private:
  std::map<std::pair<Type::Kind, const TypeInfo *>, interop::ZplType *> types;
};

/// `extern "math.h"`: what comes after it may be declared there.
void externHeader(Checking &c, const ast::ExternHeaderDecl &d);

/// `extern type`: an opaque type, whose size C says, or one whose fields or
/// values C's must equal.
void externType(Checking &c, const ast::TypeDecl &d);

/// `extern var`, `extern constant`: constants get the value that
/// lookUpConstants has found. Reports initializers and parallel arrays.
void externVariables(Checking &c, const ast::VariableDecl &d);

/// Asks C for the values of all extern constants of \p module, before any
/// declaration is checked, as types may depend on them (Externs::found).
void lookUpConstants(Checking &c, const ast::Module &module);

/// Makes \p procedure, whose signature has been checked, one of C. Reports
/// parallel arrays in its signature \p d.
void externProcedure(Checking &c, Procedure &procedure,
                     const ast::ProcedureDecl &d);

/// Makes \p instance, of the pattern of C \p pattern, call C with the procedures
/// of \p bindings, which the call at \p range gives.
void externInstance(Checking &c, Procedure &instance, const Procedure &pattern,
                    llvm::ArrayRef<FormalBinding> bindings, SourceRange range);

/// Has C compared with the externs, which reports what differs, and takes the
/// sizes of opaque types from it. After all declarations; takes the table.
void importExterns(Checking &c);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_NAMES_EXTERNS_H
