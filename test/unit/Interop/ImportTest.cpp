//===- ImportTest.cpp - What is found in headers --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kinds, types, layouts, values and places of imported names, before they are
// compared with what the program says.
//
//===----------------------------------------------------------------------===//

#include "InteropFixture.h"
#include "llvm/Support/FileSystem.h"

using namespace zpl::interop;

namespace {

TEST_F(InteropTest, FunctionsHaveTypesAndPlaces) {
  header("/* comment */\ndouble f(int n, const char *s, float a[3]);\n");
  procedure("f", real, {{integer}, {string}, {array(single)}});
  const Import &f = import();
  ASSERT_EQ(f.kind, ImportKind::Function);
  EXPECT_EQ(sources.text(f.range), "f");
  EXPECT_EQ(sources.lineColumn(f.range).line, 2u);
  EXPECT_EQ(f.type->element->kind, CKind::Double);
  ASSERT_EQ(f.type->params.size(), 3u);
  EXPECT_EQ(f.type->params[0]->kind, CKind::Int);
  EXPECT_EQ(f.type->params[1]->spelling, "const char *");
  EXPECT_TRUE(f.type->params[1]->element->isConst);
  EXPECT_EQ(f.type->params[2]->kind, CKind::Pointer);
  EXPECT_EQ(sources.text(f.type->paramRanges[1]), "s");
  EXPECT_FALSE(f.type->isVariadic);
}

TEST_F(InteropTest, StructsHaveTheLayoutOfTheTarget) {
  header("struct list { char tag; struct list *next; double w[2][3]; };\n");
  const ZplType *list = opaque("list");
  const Import &import = this->import();
  ASSERT_EQ(import.kind, ImportKind::Type);
  const CType &type = *import.type;
  EXPECT_EQ(list->name, "list");
  EXPECT_EQ(type.kind, CKind::Struct);
  EXPECT_EQ(type.size, 64u);
  ASSERT_EQ(type.fields.size(), 3u);
  EXPECT_EQ(type.fields[1].offset, 64u);
  EXPECT_EQ(type.fields[1].type->element->canonical, type.canonical);
  EXPECT_EQ(type.fields[2].type->element->count, 3u);
  EXPECT_EQ(sources.text(type.fields[1].range), "next");
}

TEST_F(InteropTest, ATypeMayBeAMacro) {
  header("#define real double\n#define nothing_at_all )\n");
  opaque("real");
  EXPECT_EQ(import().type->kind, CKind::Double);
}

TEST_F(InteropTest, EnumeratorsAndMacrosAreConstants) {
  header("enum color { red = 3, green };\n#define SIZE (1 << 4)\n"
         "#define BIG 0xffffffffffffffff\n#define PI 3.25L\n"
         "#define NAME \"a\" \"b\"\n#define I (2.0 * 1.0i)\n"
         "static const int depth = 7;\n#define YES ((_Bool)1)\n");
  for (const char *name :
       {"green", "SIZE", "BIG", "PI", "NAME", "I", "depth", "YES"})
    external(ExternKind::Constant, name, real);
  importAll();
  for (const Import &import : imports->list)
    ASSERT_EQ(import.kind, ImportKind::Constant);
  auto integer = [&](size_t i) {
    return std::get<llvm::APSInt>(*imports->list[i].value);
  };
  EXPECT_EQ(integer(0), 4);
  EXPECT_EQ(integer(1), 16);
  EXPECT_EQ(integer(2).getZExtValue(), ~0ull);
  EXPECT_EQ(std::get<llvm::APFloat>(*imports->list[3].value).convertToDouble(),
            3.25)
      << "of 64 bits";
  EXPECT_EQ(std::get<std::string>(*imports->list[4].value), "ab");
  EXPECT_EQ(std::get<CComplex>(*imports->list[5].value).imag.convertToDouble(),
            2);
  EXPECT_EQ(integer(6), 7);
  EXPECT_EQ(integer(7), 1);
  EXPECT_EQ(sources.text(imports->list[1].range), "SIZE");
}

TEST_F(InteropTest, SomeMacrosHaveNoValueBeforeTheRun) {
  header("extern int level(void);\n#define LEVEL (level() + 1)\n"
         "#define BEGIN {\n#define FILES extern\n#define EMPTY\n"
         "#define MORE(x) (x)\n");
  for (const char *name : {"LEVEL", "BEGIN", "FILES", "EMPTY", "MORE"})
    external(ExternKind::Constant, name, integer);
  importAll();
  EXPECT_EQ(imports->list[0].kind, ImportKind::Expression);
  EXPECT_EQ(imports->list[0].type->kind, CKind::Int);
  EXPECT_EQ(imports->list[1].kind, ImportKind::Unusable);
  EXPECT_EQ(imports->list[2].kind, ImportKind::Unusable);
  EXPECT_EQ(imports->list[3].kind, ImportKind::Unusable);
  EXPECT_EQ(imports->list[4].kind, ImportKind::Macro);
  EXPECT_EQ(imports->list[4].macroParams, 1u);
}

TEST_F(InteropTest, HeadersAreFoundBesideTheProgramThenByOptions) {
  header("#include \"inner.h\"\n#include <stdint.h>\n"
         "static int64_t size = WIDTH;\n");
  llvm::SmallString<64> other = folder;
  other += "/inc";
  ASSERT_FALSE(llvm::sys::fs::create_directory(other));
  file("inc/inner.h", "int inner(void);\n");
  file("inc/api.h", "#error the wrong one\n");
  options.includeDirs = {other.str().str()};
  options.defines = {"WIDTH=8"};
  procedure("inner", integer, {});
  EXPECT_EQ(import().kind, ImportKind::Function);
  EXPECT_EQ(messages(), "");
}

TEST_F(InteropTest, HeadersOfTheSystemAreFound) {
  externs.headers.push_back({"math.h", folder.str().str(), {}});
  externs.headers.push_back({"stdio.h", "", {}});
  external(ExternKind::Constant, "M_PI", real);
  external(ExternKind::Constant, "BUFSIZ", integer);
  procedure("hypot", real, {{real}, {real}});
  procedure("puts", integer, {{string}});
  EXPECT_EQ(import().kind, ImportKind::Function);
  EXPECT_EQ(messages(), "");
}

} // namespace
