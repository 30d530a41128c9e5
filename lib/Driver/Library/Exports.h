//===- Exports.h - What a library offers, with its types --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The interface of a library, from which all texts are made.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_DRIVER_LIBRARY_EXPORTS_H
#define ZPL_LIB_DRIVER_LIBRARY_EXPORTS_H

#include "Library/Frame.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace zpl::driver {

struct ExportedType;

/// A type as the languages of callers write it. Those that a language has no
/// name for are empty.
struct ForeignType {
  std::string zpl, c, fortran, ctypes, numpy;
  int code;                            ///< enum zpl_type
  bool isScalar;                       ///< may be a parameter by itself
  const ExportedType *named = nullptr; ///< null: a type of the languages' own
};

/// An enumeration or a record of the program that callers have as well.
struct ExportedType {
  std::string name;
  bool isEnum = false;
  std::vector<std::pair<std::string, int64_t>> values;             ///< of it
  std::vector<std::pair<std::string, const ForeignType *>> fields; ///< of it
  ForeignType foreign;
};

/// That of a type that needs no declaration; null: of another one.
const ForeignType *foreignType(sema::Type type);

struct ExportedParam {
  enum Kind { Scalar, String, Array } kind = Scalar;
  std::string name;
  bool isIn = true, isOut = false;
  const ForeignType *type = nullptr; ///< null: String
  unsigned rank = 0;                 ///< Array
  size_t array = 0;                  ///< Array: its number
};

struct ExportedProcedure {
  std::string name;
  std::vector<ExportedParam> params;
  const ForeignType *result = nullptr; ///< null: none, or a string
  bool returnsString = false;
};

struct ExportedArray {
  std::string name;
  const ForeignType *type = nullptr;
  unsigned rank = 0;
};

struct ExportedConfig {
  std::string name, type, defaultText, comment;
};

struct Exports {
  /// What records consist of comes before them.
  std::vector<std::unique_ptr<ExportedType>> types;
  std::string name; ///< of the program
  std::string file; ///< of the library, without folders
  std::vector<ExportedProcedure> procedures;
  std::vector<ExportedArray> arrays; ///< those of parameters come last
  size_t ownArrays = 0;              ///< how many are exported
  std::vector<ExportedConfig> configs;
};

/// Reports types that cannot cross.
Exports collectExports(const ast::Module &syntax, const sema::Program &program,
                       llvm::StringRef name, DiagnosticEngine &diags);

/// "_c.c_double", "spot".
std::string ctypesName(const ForeignType &type);

/// The declarations of its types in C, Fortran and Python.
std::string cTypes(const Exports &exports);
std::string fortranTypes(const Exports &exports);
std::string pythonTypes(const Exports &exports);

std::string glueText(const Exports &exports);
std::string headerText(const Exports &exports);
std::string fortranText(const Exports &exports);
std::string pythonText(const Exports &exports);

} // namespace zpl::driver

#endif // ZPL_LIB_DRIVER_LIBRARY_EXPORTS_H
