//===- Interop.h - C declarations for ZPL programs --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The phase behind `extern` (language 4). Clang's own libraries read the C
/// headers and compile, for every extern procedure, a *thunk*: a C function
/// with nothing but pointers in its signature,
///
///     extern header "geometry.h";
///     extern prototype norm(p: point; inout n: integer): double;
///
///     void zplx_norm(void *result, void *p, void *n) {
///       *(double *)result = norm(*(point *)p, n);
///     }
///
/// so that how a struct travels in registers is Clang's business. The thunks
/// come as LLVM bitcode and are always inlined: a call costs what it costs in
/// C, and functions that the header defines are inlined into the ZPL program.
///
/// Who calls what, and when:
///
///  1. Before Sema checks declarations it asks lookUp() for the values of
///     extern constants. It collects the program's externs in an Externs; if
///     there is any, or a header, it asks for import(), which reports what is
///     wrong with headers and declarations. From these Imports it takes the
///     sizes of opaque types.
///  2. CodeGen declares and calls the thunks:
///       procedure  void T(result *, argument *...)   see Extern::thunk
///       variable   void *T(void)                     its address
///       constant   void T(result *)                  its value
///  3. Driver asks for thunks() and hands the bitcode to Backend, which links
///     it into the program's module before optimization and makes the thunks
///     internal: see Thunks.
///
/// Clang is a shared library of some 60 MB. It is in libzplInterop.so, which is
/// loaded by the first import() or thunks(); a program without externs never
/// pays for it.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_INTEROP_INTEROP_H
#define ZPL_INTEROP_INTEROP_H

#include "zpl/Interop/Types.h"
#include "zpl/Support/Diagnostic.h"
#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/StringRef.h"
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace zpl::interop {

//===----------------------------------------------------------------------===//
// What the program says
//===----------------------------------------------------------------------===//

/// `extern header "geometry.h";`
struct Header {
  std::string name;
  std::string directory; ///< of the .z file: searched first; may be ""
  SourceRange range;     ///< of the string
};

struct ZplParam {
  std::string name;
  ZplMode mode = ZplMode::Const;
  const ZplType *type = nullptr;
  SourceRange range;
  /// Of a Procedure: the symbol of the program's function that C calls through
  /// a pointer, `void callback(void *result, void *a1, ...)`: as a thunk, in the
  /// other direction. Empty: not known here.
  std::string callback;
};

enum class ExternKind : uint8_t { Procedure, Type, Variable, Constant };

/// One name of an extern declaration.
struct Extern {
  ExternKind kind = ExternKind::Procedure;
  std::string name; ///< in ZPL and in C
  SourceRange range;
  /// An `extern header` stands before it: C must declare it there. Otherwise it
  /// is taken to be in C what its ZPL type says (an opaque type: `void *`),
  /// unless a later header declares it.
  bool fromHeader = false;
  /// Procedure: the result (kind Void: none). Else the declared type; Opaque
  /// for `extern type T;`.
  const ZplType *type = nullptr;
  std::vector<ZplParam> params; ///< Procedure
  /// With other callbacks an earlier row, which says whether C agrees; this one
  /// is not compared.
  bool isInstance = false;
  /// The symbol of the thunk, unique among the externs; "" for a Type.
  ///
  /// Procedure: `void thunk(void *result, void *a1, ...)`. `result` points to
  /// room for the result and is left out if there is none. An argument that
  /// isPassedByReference() is given as its address (for an array that of the
  /// first element), any other as the address of a value of the formal's type.
  /// Values have ZPL's sizes: 1 byte for boolean (0 or 1) and char, 4 for
  /// enumerations, a `const char *` for string. A string as a result is C's
  /// pointer, perhaps null: it needs zrtA_string().
  std::string thunk;
};

struct Externs {
  std::vector<Header> headers;
  std::vector<Extern> list;
  std::deque<ZplType> types; ///< room for the types above; addresses stay
};

/// How Clang is to see C: as the rest of the program is compiled.
struct ClangOptions {
  std::string triple;   ///< Backend's TargetFacts
  std::string cpu;      ///< likewise
  std::string features; ///< likewise: "+avx2,-sse4a"
  unsigned optLevel = 2;
  std::vector<std::string> includeDirs; ///< -I
  std::vector<std::string> defines;     ///< "NAME" or "NAME=VALUE"
};

//===----------------------------------------------------------------------===//
// What C says
//===----------------------------------------------------------------------===//

enum class ImportKind : uint8_t {
  NotFound,
  Function,   ///< `type` is a Function
  Macro,      ///< function-like, with `macroParams` parameters
  Type,       ///< `type`; a typedef, or the tag of a struct, union or enum
  Variable,   ///< `type` is that of the object
  Constant,   ///< `value`: an enumerator or a macro; `type` is the value's
  Expression, ///< a macro whose value only a run knows; `type` is the value's
  Unusable    ///< a macro that is no expression
};

/// What C knows under the name of one extern.
struct Import {
  ImportKind kind = ImportKind::NotFound;
  SourceRange range; ///< of the declaration or #define, in the header
  const CType *type = nullptr;
  std::optional<CValue> value;
  unsigned macroParams = 0;
  bool isVariadicMacro = false;
  std::string nearest; ///< NotFound: a name of the headers that is close; ""
};

/// One complaint of Clang.
struct ClangMessage {
  Severity severity = Severity::Error;
  std::string text;
  SourceRange range; ///< in a header; invalid: the `extern header` itself
  int header = -1;   ///< index of the `extern header` it came through
  int external = -1; ///< index of the extern whose thunk it is about
};

/// A file that Clang has read.
struct HeaderFile {
  std::string path;
  bool isSystem; ///< found where the system keeps its headers
};

struct Imports {
  std::vector<Import> list;        ///< one for each of Externs::list
  std::vector<HeaderFile> headers; ///< each once, in the order of reading
  std::vector<ClangMessage> messages;
  std::vector<std::string> files; ///< of the ranges, before they are resolved
  std::deque<CType> types;        ///< owner of all CTypes
};

/// LLVM bitcode of one module, of the options' triple, processor and features,
/// without module flags. Its functions with external linkage are the thunks of
/// Extern::thunk, all alwaysinline; whoever links it makes them internal. What
/// headers define is internal (static), or linkonce and weak (the rest), so
/// that a C file with the same header may define it again.
struct Thunks {
  std::string bitcode;
  std::vector<ClangMessage> messages;
  std::vector<std::string> files; ///< as in Imports
};

//===----------------------------------------------------------------------===//
// The phase
//===----------------------------------------------------------------------===//

struct ClangPhase;

/// Imports C declarations into one compilation.
class Interop {
public:
  /// \p library is the path of libzplInterop.so. Opens nothing yet. Headers
  /// that messages or types point into are added to \p sources.
  Interop(llvm::StringRef library, ClangOptions options, SourceManager &sources)
      : library(library), options(std::move(options)), sources(sources) {}

  /// Looks up every extern in the headers (without one: as the C declaration
  /// that its ZPL type stands for) and reports to \p diags what is missing,
  /// what disagrees and what C has that ZPL cannot call. One Import per extern,
  /// also after errors, unless Clang could not be loaded.
  std::optional<Imports> import(const Externs &externs,
                                DiagnosticEngine &diags);

  /// What the headers say of externs whose ZPL types need not be known: kinds,
  /// C types and values. Reports nothing; no answer if Clang cannot be loaded
  /// or read the headers, which import() reports.
  std::optional<Imports> lookUp(const Externs &externs);

  /// Compiles the thunks of externs that import() found nothing wrong with.
  /// Reports what only then appears: macros that do not take the arguments.
  /// Nothing after an error.
  std::optional<std::string> thunks(const Externs &externs,
                                    const Imports &imports,
                                    DiagnosticEngine &diags);

private:
  /// Loads the library with Clang once; false and why if it cannot be. The second
  /// one reports it, at the first extern that needs it.
  bool load(std::string &error);
  bool load(const Externs &externs, DiagnosticEngine &diags);

  std::string library;
  ClangOptions options;
  SourceManager &sources;
  const ClangPhase *phase = nullptr;
};

} // namespace zpl::interop

#endif // ZPL_INTEROP_INTEROP_H
