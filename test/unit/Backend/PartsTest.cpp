//===- PartsTest.cpp - What each part of a program has --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "zpl/Backend/Parts.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <map>

using namespace llvm;

namespace {

/// Adds to the variable `counter` as often as that.
std::string function(StringRef head, int stores) {
  std::string text = ("define " + head + " {\n").str();
  for (int i = 0; i < stores; ++i)
    text += "  store volatile i64 " + std::to_string(i) + ", ptr @counter\n";
  return text + "  ret void\n}\n";
}

const std::string &program() {
  static const std::string text =
      "@counter = internal global i64 0\n"
      "@text = private unnamed_addr constant [2 x i8] c\"a\\00\"\n"
      "declare void @puts(ptr)\n" +
      function("internal void @small()", 5) +
      function("internal void @zpl.middle()", 200) +
      function("internal void @zpl.large()", 300) +
      "define internal void @calls() {\n"
      "  call void @small()\n  call void @zpl.middle()\n"
      "  call void @zpl.large()\n  call void @puts(ptr @text)\n"
      "  ret void\n}\n"
      "define void @main() {\n  call void @calls()\n  ret void\n}\n";
  return text;
}

/// The symbols of each object: their names, and whether others see them.
using Symbols = std::map<std::string, char>;

Symbols symbolsOf(StringRef object) {
  Symbols result;
  auto file = cantFail(
      object::ObjectFile::createObjectFile(MemoryBufferRef(object, "object")));
  for (const object::SymbolRef &symbol : file->symbols()) {
    uint32_t flags = cantFail(symbol.getFlags());
    if (flags & object::SymbolRef::SF_FormatSpecific)
      continue;
    result[cantFail(symbol.getName()).str()] =
        flags & object::SymbolRef::SF_Undefined ? 'U'
        : flags & object::SymbolRef::SF_Hidden  ? 'H'
        : flags & object::SymbolRef::SF_Global  ? 'G'
                                                : 'L';
  }
  return result;
}

class PartsTest : public testing::Test {
protected:
  void SetUp() override {
    SMDiagnostic diagnostic;
    module = parseAssemblyString(program(), diagnostic, context);
    ASSERT_TRUE(module) << diagnostic.getMessage().str();
    zpl::BackendOptions options;
    options.optLevel = 0; // All stays as it is.
    std::string error;
    backend = zpl::Backend::create(options, error);
    ASSERT_TRUE(backend) << error;
    module->setTargetTriple(backend->facts().triple);
    module->setDataLayout(backend->facts().dataLayout);
  }

  std::vector<Symbols> symbolsOfParts(unsigned count) {
    zpl::Parts parts(*module, *backend, count);
    parts.optimize();
    std::vector<SmallString<0>> objects;
    std::string error;
    EXPECT_TRUE(parts.emit(objects, error)) << error;
    std::vector<Symbols> result;
    for (StringRef object : objects)
      result.push_back(symbolsOf(object));
    return result;
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
  std::unique_ptr<zpl::Backend> backend;
};

// Large functions are dealt out, the largest first, and others call them by
// hidden symbols.
TEST_F(PartsTest, LargeFunctionsAreDealtOut) {
  std::vector<Symbols> parts = symbolsOfParts(2);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0]["zpl.large"], 'H');
  EXPECT_EQ(parts[1]["zpl.large"], 'U');
  EXPECT_EQ(parts[1]["zpl.middle"], 'H');
  EXPECT_EQ(parts[0].count("zpl.middle") + parts[1].count("zpl.middle"), 2U);
}

// Variables are in the first part alone; those that C made get a name that no
// C source has.
TEST_F(PartsTest, VariablesAreInTheFirst) {
  std::vector<Symbols> parts = symbolsOfParts(2);
  EXPECT_EQ(parts[0]["zpl.counter"], 'H');
  EXPECT_EQ(parts[1]["zpl.counter"], 'U');
  EXPECT_EQ(parts[0].count("counter"), 0U);
}

// Small functions are there wherever they are called, as copies that no other
// part sees.
TEST_F(PartsTest, SmallFunctionsAreCopied) {
  for (Symbols &part : symbolsOfParts(2)) {
    EXPECT_EQ(part["small"], 'L');
    EXPECT_EQ(part["calls"], 'L');
  }
}

// What the program shows to other objects stays as it was, and is there once.
TEST_F(PartsTest, MainIsThereOnce) {
  std::vector<Symbols> parts = symbolsOfParts(4);
  ASSERT_EQ(parts.size(), 4U);
  int count = 0;
  for (Symbols &part : parts)
    count += part.count("main") && part["main"] == 'G';
  EXPECT_EQ(count, 1);
}

// The number of parts depends on the code's length, and has a bound.
TEST_F(PartsTest, ShortCodeIsOnePart) {
  EXPECT_EQ(zpl::numberOfParts(*module), 1U);
  std::string text = "@counter = global i64 0\n";
  for (int i = 0; i < 10; ++i)
    text += function("void @f" + std::to_string(i) + "()", 1000);
  SMDiagnostic diagnostic;
  EXPECT_EQ(zpl::numberOfParts(*parseAssemblyString(text, diagnostic, context)),
            3U);
  for (int i = 10; i < 90; ++i)
    text += function("void @f" + std::to_string(i) + "()", 1000);
  EXPECT_EQ(zpl::numberOfParts(*parseAssemblyString(text, diagnostic, context)),
            4U);
}

} // namespace
