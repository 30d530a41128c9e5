//===- InteropFixture.h - Externs without a ZPL program ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes Externs by hand, imports them from a header that the test writes, and
// calls thunks: their bitcode is compiled with a C implementation to a shared
// library, which is loaded.
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_TEST_UNIT_INTEROP_INTEROPFIXTURE_H
#define ZPL_TEST_UNIT_INTEROP_INTEROPFIXTURE_H

#include "zpl/Interop/Interop.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/DynamicLibrary.h"
#include <gtest/gtest.h>

namespace zpl::interop {

class InteropTest : public ::testing::Test {
protected:
  InteropTest();
  ~InteropTest() override;

  /// Writes `name` into the test's folder.
  void file(llvm::StringRef name, llvm::StringRef text);
  /// Writes api.h and names it in the program.
  void header(llvm::StringRef text);

  const ZplType *type(ZplKind kind, llvm::StringRef name = "");
  const ZplType *
  record(llvm::StringRef name,
         const std::vector<std::pair<std::string, const ZplType *>> &,
         bool isExtern = false, ZplKind kind = ZplKind::Record);
  const ZplType *
  enumeration(llvm::StringRef name,
              const std::vector<std::pair<std::string, int64_t>> &,
              bool isExtern = false);
  const ZplType *array(const ZplType *element,
                       std::optional<uint64_t> count = std::nullopt);

  struct Param {
    const ZplType *type;
    ZplMode mode = ZplMode::Const;
  };
  /// Parameters are called a, b, c ...
  void procedure(llvm::StringRef name, const ZplType *result,
                 std::vector<Param> params);
  void external(ExternKind kind, llvm::StringRef name, const ZplType *type);
  /// `extern type name;`
  const ZplType *opaque(llvm::StringRef name);

  /// The Import of the last extern.
  const Import &import();
  /// All Imports; then `messages()` says what was wrong.
  void importAll();
  /// What was reported, as a user sees it, without the test's folder.
  std::string messages();

  /// Compiles all thunks together with a C text, and gives one of them.
  template <typename... Args>
  auto thunk(llvm::StringRef name, llvm::StringRef implementation = "") {
    return reinterpret_cast<void (*)(Args...)>(load(name, implementation));
  }
  void *load(llvm::StringRef name, llvm::StringRef implementation);

  llvm::SmallString<64> folder;
  ClangOptions options;
  SourceManager sources;
  DiagnosticEngine diags{sources};
  Externs externs;
  std::optional<Interop> interop;
  std::optional<Imports> imports;
  std::string bitcode;

  const ZplType *nothing = type(ZplKind::Void, "");
  const ZplType *boolean = type(ZplKind::Boolean, "boolean");
  const ZplType *integer = type(ZplKind::Integer, "integer");
  const ZplType *longint = type(ZplKind::LongInt, "longint");
  const ZplType *single = type(ZplKind::Float, "float");
  const ZplType *real = type(ZplKind::Double, "double");
  const ZplType *quad = type(ZplKind::Quad, "quad");
  const ZplType *string = type(ZplKind::String, "string");

private:
  void loadLibrary(llvm::StringRef implementation);
  SourceRange place(llvm::StringRef text);
  llvm::sys::DynamicLibrary library;
};

} // namespace zpl::interop

#endif // ZPL_TEST_UNIT_INTEROP_INTEROPFIXTURE_H
