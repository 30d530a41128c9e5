//===- InteropFixture.cpp - Externs without a ZPL program -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thunks are compiled by clang, what they call by the system's C compiler: the
// two must agree on the ABI. A place of the program is a text of its own:
// extern `area` with two parameters is in `area.z`, "area(a, b)".
//
//===----------------------------------------------------------------------===//

#include "InteropFixture.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include <cstdlib>

using namespace llvm;

namespace zpl::interop {

InteropTest::InteropTest() {
  if (sys::fs::createUniqueDirectory("interop", folder))
    report_fatal_error("no temporary folder");
  options.triple = sys::getProcessTriple();
  options.cpu = sys::getHostCPUName().str();
}

InteropTest::~InteropTest() {
  EXPECT_FALSE(sys::fs::remove_directories(folder));
}

void InteropTest::file(StringRef name, StringRef text) {
  std::error_code error;
  raw_fd_ostream stream((folder + "/" + name).str(), error);
  stream << text;
}

SourceRange InteropTest::place(StringRef text) {
  std::string name = text.take_until([](char c) { return c == '('; }).str();
  uint32_t index = sources.add(name + ".z", text);
  return {index, 0, static_cast<uint32_t>(name.size())};
}

void InteropTest::header(StringRef text) {
  file("api.h", text);
  externs.headers.push_back({"api.h", folder.str().str(), place("header")});
}

const ZplType *InteropTest::type(ZplKind kind, StringRef name) {
  ZplType &made = externs.types.emplace_back();
  made.kind = kind;
  made.name = name.str();
  return &made;
}

const ZplType *InteropTest::record(
    StringRef name,
    const std::vector<std::pair<std::string, const ZplType *>> &fields,
    bool isExtern, ZplKind kind) {
  ZplType &made = externs.types.emplace_back();
  made.kind = kind;
  made.name = name.str();
  made.isExtern = isExtern;
  for (auto &[field, type] : fields)
    made.fields.push_back({field, type, {}});
  return &made;
}

const ZplType *InteropTest::enumeration(
    StringRef name, const std::vector<std::pair<std::string, int64_t>> &values,
    bool isExtern) {
  ZplType &made = externs.types.emplace_back();
  made.kind = ZplKind::Enumeration;
  made.name = name.str();
  made.isExtern = isExtern;
  for (auto &[enumerator, value] : values)
    made.enumerators.push_back({enumerator, value, {}});
  return &made;
}

const ZplType *InteropTest::array(const ZplType *element,
                                  std::optional<uint64_t> count) {
  ZplType &made = externs.types.emplace_back();
  made.kind = ZplKind::Array;
  made.name = "array of " + element->name;
  made.element = element;
  made.count = count;
  return &made;
}

void InteropTest::external(ExternKind kind, StringRef name,
                           const ZplType *type) {
  Extern made;
  made.kind = kind;
  made.name = name.str();
  made.range = place(name);
  made.type = type;
  made.fromHeader = !externs.headers.empty();
  made.thunk = "zplx_" + name.str();
  externs.list.push_back(std::move(made));
}

const ZplType *InteropTest::opaque(StringRef name) {
  ZplType &made = externs.types.emplace_back();
  made.kind = ZplKind::Opaque;
  made.name = name.str();
  made.isExtern = true;
  external(ExternKind::Type, name, &made);
  return &made;
}

void InteropTest::procedure(StringRef name, const ZplType *result,
                            std::vector<Param> params) {
  external(ExternKind::Procedure, name, result);
  Extern &made = externs.list.back();
  std::string text = name.str() + "(";
  uint32_t index = sources.size();
  for (size_t i = 0; i < params.size(); ++i) {
    auto begin = static_cast<uint32_t>(text.size());
    std::string letter(1, static_cast<char>('a' + i));
    text += letter + ", ";
    made.params.push_back(
        {letter, params[i].mode, params[i].type, {index, begin, begin + 1}});
  }
  made.range = place(text + ")");
}

void InteropTest::importAll() {
  interop.emplace(ZPL_INTEROP_LIBRARY, options, sources);
  imports = interop->import(externs, diags);
}

const Import &InteropTest::import() {
  importAll();
  return imports->list.back();
}

std::string InteropTest::messages() {
  std::string text;
  raw_string_ostream stream(text);
  diags.print(stream);
  std::string prefix = (folder + "/").str();
  for (size_t at; (at = text.find(prefix)) != std::string::npos;)
    text.erase(at, prefix.size());
  return text;
}

void InteropTest::loadLibrary(StringRef implementation) {
  importAll();
  ASSERT_EQ(messages(), "");
  std::optional<std::string> thunks = interop->thunks(externs, *imports, diags);
  ASSERT_EQ(messages(), "");
  ASSERT_TRUE(thunks);
  bitcode = *thunks;
  file("thunks.bc", bitcode);
  file("implementation.c", implementation);
  std::string command = ("cd " + folder +
                         " && " ZPL_C_COMPILER " -w -O1 -fPIC -c "
                         "implementation.c && " ZPL_CLANG
                         " -w -O2 -fPIC -shared -Wl,-Bsymbolic thunks.bc "
                         "implementation.o -o thunks.so -lm")
                            .str();
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::string error;
  library = sys::DynamicLibrary::getLibrary(
      (folder + "/thunks.so").str().c_str(), &error);
  ASSERT_EQ(error, "");
}

void *InteropTest::load(StringRef name, StringRef implementation) {
  if (!library.isValid())
    loadLibrary(implementation);
  return library.isValid()
             ? library.getAddressOfSymbol(("zplx_" + name).str().c_str())
             : nullptr;
}

} // namespace zpl::interop
