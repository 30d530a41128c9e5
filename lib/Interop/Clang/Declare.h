//===- Declare.h - ZPL types as C text --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// C declarations for externs: what a prototype in ZPL stands for, and what a
/// header has under the name of an extern.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTEROP_CLANG_DECLARE_H
#define ZPL_LIB_INTEROP_CLANG_DECLARE_H

#include "Reader.h"
#include "llvm/ADT/DenseMap.h"

namespace zpl::interop {

/// Writes C for types and declarations of ZPL, into the line of one extern.
class CWriter {
public:
  /// \p compiler has parsed the headers.
  CWriter(const Externs &externs, clang::CompilerInstance &compiler);

  /// Begins the line of an extern.
  void begin() { line.clear(); }

  /// What has been written for it.
  llvm::StringRef text() const { return line; }

  /// Adds to the line of the extern.
  void write(const llvm::Twine &text) { line += text.str(); }

  /// The name of the type that holds a value, "const char *" or "struct
  /// zplx_type_3"; empty if C has none. Structs that are not known yet are
  /// defined in the line.
  std::string name(const ZplType &type);

  /// The declaration that an extern without a header stands for. False if C has
  /// no such types; the line may then hold half of it.
  bool declare(const Extern &external);

  /// There is no C type for an extern type.
  void forget(llvm::StringRef externType) { externTypes.erase(externType); }

private:
  /// The name of a struct for the record or union \p type, which is defined in
  /// the line at its first use; empty if C has none.
  std::string structName(const ZplType &type);

  /// `double x[3]; `: a field in C; empty if C has no such type.
  std::string fieldText(const ZplField &field);

  /// `double f(double, int *);` in the line. False if C lacks one of its types;
  /// the line then holds half of it.
  bool declareFunction(const Extern &external);

  /// The type of a parameter, with a star if it is passed by reference; empty
  /// if C has none.
  std::string paramText(const ZplParam &param);

  /// The type of a pointer to a function that a procedure's heading stands for.
  std::string pointerText(const ZplType &procedure);

  llvm::StringMap<std::string> externTypes; ///< ZPL's name to C's
  llvm::DenseMap<const ZplType *, std::string> structs;
  std::string line;
};

/// Writes declarations of the externs that have no header and that C does not
/// know yet, by what \p compiler has parsed.
void declareUnknown(const Externs &externs, clang::CompilerInstance &compiler,
                    CWriter &writer, GeneratedText &text);

/// The declaration of a name at file scope: null if there is none. If a tag and
/// a type have the same name it is the type's.
const clang::NamedDecl *findDeclaration(llvm::StringRef name, bool wantsType,
                                        clang::CompilerInstance &compiler);

} // namespace zpl::interop

#endif // ZPL_LIB_INTEROP_CLANG_DECLARE_H
