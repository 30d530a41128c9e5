//===- CheckTest.cpp - What is said of headers that disagree --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//
// The whole text of every message, with its note in the header.
//
//===----------------------------------------------------------------------===//

#include "InteropFixture.h"

using namespace zpl::interop;

namespace {

TEST_F(InteropTest, AParameterThatDisagreesIsShownInTheHeader) {
  header("typedef struct { double x; } box;\n"
         "double area(box b,\n            long n);\n");
  const ZplType *box = record("box", {{"x", real}});
  procedure("area", real, {{box}, {integer}});
  import();
  EXPECT_EQ(messages(),
            R"(area.z:1:9: error: parameter 'b' of 'area' disagrees with C: )"
            R"('long' of C is 'longint' in ZPL, not 'integer' [extern-parameter]
area(a, b, )
        ^
api.h:3:18: note: this is what C says
            long n);
                 ^
1 error generated.
)");
}

TEST_F(InteropTest, AResultThatDisagreesIsShownInTheHeader) {
  header("float f(void);\n");
  procedure("f", real, {});
  import();
  EXPECT_EQ(
      messages(),
      R"(f.z:1:1: error: the result of 'f' disagrees with C: 'float' of C )"
      R"(is 'float' in ZPL, not 'double' [extern-result]
f()
^
api.h:1:7: note: 'f' is declared here in C
float f(void);
      ^
1 error generated.
)");
}

TEST_F(InteropTest, ADroppedResultIsNoDisagreement) {
  header("int f(void);\nstruct s { int a[100]; } g(void);\n");
  procedure("f", nothing, {});
  procedure("g", nothing, {});
  import();
  EXPECT_EQ(messages(), "");
}

TEST_F(InteropTest, FieldsAreComparedOneByOne) {
  header("typedef struct {\n  double x;\n  float y;\n} point;\n"
         "void f(point p);\n");
  const ZplType *point = record("point", {{"x", real}, {"y", real}});
  procedure("f", nothing, {{point}});
  import();
  EXPECT_EQ(
      messages(),
      R"(f.z:1:3: error: parameter 'a' of 'f' disagrees with C: field 'y': )"
      R"('float' of C is 'float' in ZPL, not 'double' [extern-parameter]
f(a, )
  ^
api.h:5:14: note: this is what C says
void f(point p);
             ^
api.h:3:9: note: this is what C says
  float y;
        ^
1 error generated.
)");
}

/// The first line of what is reported, without place and id.
#define EXPECT_REASON(text)                                                    \
  EXPECT_EQ(reason(), text) << "all of it:\n" << messages()

class CheckTest : public InteropTest {
protected:
  std::string reason() {
    import();
    return diags.messages().empty() ? "" : diags.messages()[0]->text;
  }
  /// What is wrong with a record of two doubles x, y as this struct.
  std::string wrongRecord(const std::string &text) {
    header(text + "\n");
    external(ExternKind::Type, "point",
             record("point", {{"x", real}, {"y", real}}, true));
    return reason();
  }
  /// What is wrong with a value of \p type as a parameter of C's type.
  std::string wrongParameter(const ZplType *type, const std::string &c,
                             ZplMode mode = ZplMode::Const) {
    header("struct s { int n; };\nvoid f(" + c + " a);\n");
    procedure("f", nothing, {{type, mode}});
    std::string text = reason();
    std::string prefix = "parameter 'a' of 'f' disagrees with C: ";
    return text.find(prefix) == 0 ? text.substr(prefix.size()) : text;
  }
};

TEST_F(CheckTest, TheOrderOfFieldsCounts) {
  EXPECT_EQ(wrongRecord("typedef struct { double y, x; } point;"),
            "'point' disagrees with C: field 1 is 'y' in C and 'x' in ZPL");
}

TEST_F(CheckTest, TheNumberOfFieldsCounts) {
  EXPECT_EQ(wrongRecord("typedef struct { double x, y, z; } point;"),
            "'point' disagrees with C: 'point' has 3 fields in C and 2 in ZPL");
}

TEST_F(CheckTest, AFieldWithANameThatZPLCannotHaveMayHaveAnother) {
  EXPECT_EQ(wrongRecord("typedef struct { double x, end; } point;"), "");
}

TEST_F(CheckTest, BitFieldsAreRefused) {
  header("struct bits { int n : 3; };\n");
  external(ExternKind::Type, "bits", record("bits", {{"n", integer}}, true));
  EXPECT_REASON("'bits' disagrees with C: 'n' is a bit-field");
}

TEST_F(CheckTest, PackedStructsAreRefused) {
  header("struct __attribute__((packed)) p { char c; double d; };\n");
  external(
      ExternKind::Type, "p",
      record("p", {{"c", type(ZplKind::Char, "char")}, {"d", real}}, true));
  EXPECT_REASON("'p' disagrees with C: 'd' is at byte 1 in C, not 8: the "
                "layout of 'struct p' is not the natural one");
}

TEST_F(CheckTest, OverAlignedStructsAreRefused) {
  EXPECT_EQ(wrongRecord("typedef struct { double x, y; } "
                        "__attribute__((aligned(64))) point;"),
            "'point' disagrees with C: 'point' must stand at multiples of 64 "
            "bytes in C");
}

TEST_F(CheckTest, AnIncompleteStructHasNoFields) {
  EXPECT_EQ(wrongRecord("struct point;"),
            "'point' disagrees with C: 'struct point' has no fields in the "
            "header");
}

TEST_F(CheckTest, IntegersAgreeInWidthAndSign) {
  EXPECT_EQ(wrongParameter(integer, "unsigned"),
            "'unsigned int' of C is 'uinteger' in ZPL, not 'integer'");
}

TEST_F(CheckTest, PlainCharIsAnyByte) {
  header("void f(char a, signed char b, unsigned char c, char d);\n");
  const ZplType *sbyte = type(ZplKind::SByte, "sbyte");
  const ZplType *ubyte = type(ZplKind::UByte, "ubyte");
  procedure("f", nothing,
            {{sbyte}, {sbyte}, {type(ZplKind::Char, "char")}, {ubyte}});
  EXPECT_REASON("");
}

TEST_F(CheckTest, LongAndLongLongAreLongint) {
  header("#include <stdint.h>\n#include <stddef.h>\n"
         "void f(long a, long long b, int64_t c, size_t d, ptrdiff_t e);\n");
  procedure("f", nothing,
            {{longint},
             {longint},
             {longint},
             {type(ZplKind::ULongInt, "ulongint")},
             {longint}});
  EXPECT_REASON("");
}

TEST_F(CheckTest, AReferenceConvertsNothing) {
  EXPECT_EQ(wrongParameter(boolean, "int *", ZplMode::InOut),
            "'int' of C is 'integer' in ZPL, not 'boolean'");
}

TEST_F(CheckTest, AReferenceIsAPointer) {
  EXPECT_EQ(wrongParameter(integer, "int", ZplMode::Out),
            "C takes 'int' by value: 'integer' goes by reference");
}

TEST_F(CheckTest, APointerIsNoValue) {
  EXPECT_EQ(wrongParameter(real, "const double *"),
            "C takes 'const double *': a pointer is 'inout', 'out' or an "
            "indexed array in ZPL");
}

TEST_F(CheckTest, AnArrayIsNoPointerToPointers) {
  EXPECT_EQ(wrongParameter(array(real), "double **"),
            "'double *' of C is not 'double'");
}

TEST_F(CheckTest, AStringIsNeverWritten) {
  EXPECT_EQ(wrongParameter(string, "char *"),
            "through 'char *' C could write into a 'string', which never "
            "changes: it needs 'const char *'");
}

TEST_F(CheckTest, AStringIsNotPassedByReference) {
  EXPECT_EQ(wrongParameter(string, "const char **", ZplMode::InOut),
            "C could store a pointer of its own in a 'string'");
}

TEST_F(CheckTest, AFileIsNoFileOfC) {
  EXPECT_EQ(wrongParameter(type(ZplKind::File, "file"), "void *"),
            "a file of ZPL is a number that all processors share, not a "
            "'FILE *'");
}

TEST_F(CheckTest, FunctionPointersAreRefused) {
  EXPECT_EQ(wrongParameter(integer, "int (*g)(int),"
                                    " int"),
            "'f' takes 2 arguments in C and 1 here");
}

TEST_F(CheckTest, NumbersThatZPLHasNotAreRefused) {
  EXPECT_EQ(wrongParameter(longint, "__int128"),
            "'__int128' of C cannot cross: ZPL has no such number");
}

TEST_F(CheckTest, AStructIsNoNumber) {
  EXPECT_EQ(wrongParameter(real, "struct s"),
            "'struct s' of C is not 'double'");
}

TEST_F(CheckTest, OpaqueTypesAreNotMixed) {
  header("typedef struct a *a; typedef struct b *b; void f(a x);\n");
  opaque("a");
  procedure("f", nothing, {{opaque("b")}});
  EXPECT_REASON("parameter 'a' of 'f' disagrees with C: 'a' of C is not 'b', "
                "which is 'struct b *'");
}

TEST_F(CheckTest, EnumeratorsHaveCsValues) {
  header("enum color { red = 1, green };\n");
  external(ExternKind::Type, "color",
           enumeration("color", {{"red", 0}, {"green", 1}}, true));
  EXPECT_REASON("'color' disagrees with C: 'red' is 1 in C and 0 in ZPL");
}

TEST_F(CheckTest, EnumeratorsOfAnExternTypeAreThere) {
  header("enum color { red, green };\n");
  external(ExternKind::Type, "color",
           enumeration("color", {{"red", 0}, {"blue", 1}}, true));
  EXPECT_REASON("'color' disagrees with C: 'enum color' has no 'blue'");
}

TEST_F(CheckTest, ConstantsFit) {
  header("#define LIMIT 100000\n");
  external(ExternKind::Constant, "LIMIT", type(ZplKind::ShortInt, "shortint"));
  EXPECT_REASON("'LIMIT' disagrees with C: 100000 does not fit in 'shortint'");
}

TEST_F(CheckTest, ConstantsAreOfTheRightSort) {
  header("#define LIMIT 0.5\n#define NEGATIVE -1\n");
  external(ExternKind::Constant, "NEGATIVE", longint);
  external(ExternKind::Constant, "LIMIT", integer);
  EXPECT_REASON("'LIMIT' disagrees with C: it is a floating-point number in C, "
                "not 'integer'");
}

TEST_F(CheckTest, VariablesAreExactlyOfTheirType) {
  header("extern double a[2][3];\n");
  external(ExternKind::Variable, "a", array(real, 5));
  EXPECT_REASON("'a' disagrees with C: 'double[2][3]' has 6 elements, not 5");
  EXPECT_NE(messages().find("[extern-type]"), std::string::npos);
}

TEST_F(CheckTest, AMissingNameIsGuessed) {
  header("double compute_area(void);\n");
  procedure("compute_aera", real, {});
  import();
  EXPECT_EQ(
      messages(),
      R"(compute_aera.z:1:1: error: no C header declares 'compute_aera'; )"
      R"(did you mean 'compute_area'? [extern-not-found]
compute_aera()
^~~~~~~~~~~~
compute_area
1 error generated.
)");
}

TEST_F(CheckTest, AnotherKindIsNamed) {
  header("typedef int f;\n");
  procedure("f", real, {});
  import();
  EXPECT_EQ(messages(),
            R"(f.z:1:1: error: 'f' is a type in C, not a function [extern-kind]
f()
^
api.h:1:13: note: 'f' is declared here in C
typedef int f;
            ^
1 error generated.
)");
}

TEST_F(CheckTest, TheNumberOfArgumentsCounts) {
  header("int f(int, int);\n");
  procedure("f", integer, {{integer}});
  import();
  EXPECT_EQ(messages(),
            R"(f.z:1:1: error: 'f' takes 2 arguments in C and 1 here )"
            R"([extern-arguments]
f(a, )
^
api.h:1:5: note: 'f' is declared here in C
int f(int, int);
    ^
1 error generated.
)");
}

TEST_F(CheckTest, VariadicFunctionsAreRefused) {
  header("int say(const char *format, ...);\n");
  procedure("say", integer, {{string}});
  import();
  EXPECT_EQ(messages(),
            R"(say.z:1:1: error: 'say' cannot be used from ZPL: it takes a )"
            R"(variable number of arguments (a C function of your own with )"
            R"(fixed ones may call it) [extern-unsupported]
say(a, )
^~~
api.h:1:5: note: 'say' is declared here in C
int say(const char *format, ...);
    ^~~
1 error generated.
)");
}

TEST_F(CheckTest, IncompleteTypesHaveNoValues) {
  header("struct secret;\n");
  opaque("secret");
  EXPECT_REASON("'secret' cannot be used from ZPL: 'struct secret' has no "
                "size; a pointer to it may be an extern type (typedef ... "
                "*secret_pointer;)");
}

TEST_F(CheckTest, MacrosThatAreNoExpressionsAreRefused) {
  header("#define BEGIN {\n");
  external(ExternKind::Constant, "BEGIN", integer);
  EXPECT_REASON(
      "'BEGIN' cannot be used from ZPL: this macro is not an expression");
}

TEST_F(CheckTest, AMacroShowsInItsThunkWhetherItTakesTheArguments) {
  header("#define FIRST(a) ((a)[0])\n");
  procedure("FIRST", real, {{real}});
  importAll();
  EXPECT_EQ(messages(), "");
  EXPECT_FALSE(interop->thunks(externs, *imports, diags));
  EXPECT_EQ(
      messages(),
      R"(FIRST.z:1:1: error: the macro 'FIRST' does not take these )"
      R"(arguments: subscripted value is not an array, pointer, or vector )"
      R"([extern-macro]
FIRST(a, )
^~~~~
1 error generated.
)");
}

TEST_F(CheckTest, WithoutAHeaderCsWordsAreNoNames) {
  procedure("switch", real, {});
  import();
  EXPECT_EQ(messages(),
            R"(switch.z:1:1: error: Clang refuses this declaration: expected )"
            R"(identifier or '(' [extern-declaration]
switch()
^~~~~~
1 error generated.
)");
}

TEST_F(CheckTest, WithoutAHeaderSomeTypesAreNothingInC) {
  procedure("f", real, {{type(ZplKind::File, "file")}});
  EXPECT_REASON("'f' cannot be used from ZPL: C has nothing like 'file'");
}

TEST_F(CheckTest, AMissingHeaderIsReported) {
  externs.headers.push_back({"absent.h", "", {}});
  procedure("f", real, {});
  import();
  EXPECT_EQ(messages(),
            "error: in the C header 'absent.h': 'absent.h' file not "
            "found [extern-header]\n1 error generated.\n");
}

TEST_F(CheckTest, AnErrorInAHeaderIsShownThere) {
  file("inner.h", "int first;\ndouble f(int n;\n");
  header("#include \"inner.h\"\n");
  importAll();
  EXPECT_EQ(messages(),
            R"(header.z:1:1: error: in the C header 'api.h': expected ')' )"
            R"([extern-header]
header
^~~~~~
inner.h:2:15: note: expected ')'
double f(int n;
              ^
1 error generated.
)");
}

TEST_F(CheckTest, WhatAHeaderLeavesOpenIsItsError) {
  for (const char *text : {"struct s {\n  int n;\n", "int f(int n",
                           "static void g(void) {\n", "int x"}) {
    zpl::DiagnosticEngine fresh(sources);
    externs.headers.clear();
    header(text);
    if (externs.list.empty())
      procedure("h", real, {});
    interop.emplace(ZPL_INTEROP_LIBRARY, options, sources);
    interop->import(externs, fresh);
    ASSERT_TRUE(fresh.hasErrors()) << text;
    for (const auto &message : fresh.messages())
      EXPECT_EQ(zpl::diagName(message->id), "extern-header") << message->text;
  }
}

TEST_F(CheckTest, ATargetThatClangDoesNotHaveIsReported) {
  options.triple = "nonsense";
  procedure("f", real, {});
  import();
  EXPECT_EQ(messages(),
            R"(f.z:1:1: error: Clang cannot read C: unknown target )"
            R"(triple 'nonsense' [extern-clang]
f()
^
1 error generated.
)");
}

TEST_F(CheckTest, AMissingLibraryIsReported) {
  procedure("f", real, {});
  interop.emplace("/absent/libzplInterop.so", options, sources);
  EXPECT_FALSE(interop->import(externs, diags));
  EXPECT_EQ(messages(),
            R"(f.z:1:1: error: cannot load Clang, which reads C declarations: )"
            R"(/absent/libzplInterop.so: No such file or directory )"
            R"([extern-library]
f()
^
1 error generated.
)");
}

} // namespace
