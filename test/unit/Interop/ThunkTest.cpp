//===- ThunkTest.cpp - Thunks call C as C does ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values get through thunks, which Clang compiled, into functions that another
// compiler compiled, and back.
//
//===----------------------------------------------------------------------===//

#include "InteropFixture.h"
#include "llvm/Support/MemoryBuffer.h"
#include <complex>
#include <cstdlib>

using namespace zpl::interop;

namespace {

TEST_F(InteropTest, SmallStructsTravelInRegisters) {
  const char *text = "typedef struct { double x, y; } pair;\n"
                     "struct mixed { int n; float f; };\n"
                     "pair swap(pair p);\n"
                     "struct mixed twice(struct mixed m);\n";
  header(text);
  const ZplType *pair = record("pair", {{"x", real}, {"y", real}});
  const ZplType *mixed = record("mixed", {{"n", integer}, {"f", single}});
  procedure("swap", pair, {{pair}});
  procedure("twice", mixed, {{mixed}});
  struct {
    double x, y;
  } in = {1, 2}, out = {};
  std::string code = std::string(text) +
                     "pair swap(pair p) { return (pair){p.y, p.x}; }\n"
                     "struct mixed twice(struct mixed m) {\n"
                     "  return (struct mixed){2 * m.n, 2 * m.f}; }";
  thunk<void *, void *>("swap", code)(&out, &in);
  EXPECT_EQ(out.x, 2);
  EXPECT_EQ(out.y, 1);
  struct {
    int n;
    float f;
  } mixedIn = {3, 1.5f}, mixedOut = {};
  thunk<void *, void *>("twice")(&mixedOut, &mixedIn);
  EXPECT_EQ(mixedOut.n, 6);
  EXPECT_EQ(mixedOut.f, 3);
}

TEST_F(InteropTest, LargeStructsTravelInMemory) {
  const char *text = "typedef struct { double x, y, z; } vec;\n"
                     "typedef struct { int n; double w[3]; vec v; } large;\n"
                     "vec cross(vec a, vec b);\n"
                     "large step(int before, large l, double after);\n";
  header(text);
  const ZplType *vec = record("vec", {{"x", real}, {"y", real}, {"z", real}});
  const ZplType *large =
      record("large", {{"n", integer}, {"w", array(real, 3)}, {"v", vec}});
  procedure("cross", vec, {{vec}, {vec}});
  procedure("step", large, {{integer}, {large}, {real}});
  std::string code =
      std::string(text) +
      "vec cross(vec a, vec b) { return (vec){a.y * b.z - a.z * b.y,\n"
      "  a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }\n"
      "large step(int before, large l, double after) {\n"
      "  l.n += before; l.w[2] = after; l.v.z = l.w[0]; return l; }";
  double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {};
  thunk<void *, void *, void *>("cross", code)(z, x, y);
  EXPECT_EQ(z[2], 1);
  struct {
    int n;
    double w[3];
    double v[3];
  } in = {5, {7, 0, 0}, {0, 0, 0}}, out = {};
  int before = 10;
  double after = 2.5;
  thunk<void *, void *, void *, void *>("step")(&out, &before, &in, &after);
  EXPECT_EQ(out.n, 15);
  EXPECT_EQ(out.w[2], 2.5);
  EXPECT_EQ(out.v[2], 7);
}

TEST_F(InteropTest, UnionsAndUnsignedTypesCross) {
  const char *text = "union word { double d; unsigned long long bits; };\n"
                     "unsigned long long bits(union word w);\n"
                     "unsigned char low(unsigned short s, unsigned u);\n";
  header(text);
  const ZplType *bits = type(ZplKind::ULongInt, "ulongint");
  const ZplType *word =
      record("word", {{"d", real}, {"bits", bits}}, false, ZplKind::Union);
  procedure("bits", bits, {{word}});
  procedure("low", type(ZplKind::UByte, "ubyte"),
            {{type(ZplKind::UShortInt, "ushortint")},
             {type(ZplKind::UInteger, "uinteger")}});
  std::string code =
      std::string(text) +
      "unsigned long long bits(union word w) { return w.bits; }\n"
      "unsigned char low(unsigned short s, unsigned u) { return s + u; }";
  double one = 1;
  uint64_t result = 0;
  thunk<void *, void *>("bits", code)(&result, &one);
  EXPECT_EQ(result, 0x3ff0000000000000u);
  uint16_t s = 65535;
  uint32_t u = 4294967295u;
  uint8_t sum = 0;
  thunk<void *, void *, void *>("low")(&sum, &s, &u);
  EXPECT_EQ(sum, 254);
}

TEST_F(InteropTest, LongDoubleAndComplexCross) {
  const char *text = "long double half(long double x);\n"
                     "double _Complex turn(double _Complex z);\n"
                     "float _Complex turnf(float _Complex z);\n"
                     "long double _Complex turnl(long double _Complex z);\n";
  header(text);
  const ZplType *complex = type(ZplKind::Complex, "complex");
  const ZplType *dcomplex = type(ZplKind::DComplex, "dcomplex");
  const ZplType *qcomplex = type(ZplKind::QComplex, "qcomplex");
  procedure("half", quad, {{quad}});
  procedure("turn", dcomplex, {{dcomplex}});
  procedure("turnf", complex, {{complex}});
  procedure("turnl", qcomplex, {{qcomplex}});
  std::string code =
      std::string(text) +
      "long double half(long double x) { return x / 2; }\n"
      "double _Complex turn(double _Complex z) { return z * 1i; }\n"
      "float _Complex turnf(float _Complex z) { return z * 1i; }\n"
      "long double _Complex turnl(long double _Complex z) { return z * 1i; }";
  long double x = 3, y = 0;
  thunk<void *, void *>("half", code)(&y, &x);
  EXPECT_EQ(y, 1.5L);
  std::complex<double> z(1, 2), turned;
  thunk<void *, void *>("turn")(&turned, &z);
  EXPECT_EQ(turned, std::complex<double>(-2, 1));
  std::complex<float> zf(1, 2), turnedF;
  thunk<void *, void *>("turnf")(&turnedF, &zf);
  EXPECT_EQ(turnedF, std::complex<float>(-2, 1));
  std::complex<long double> zl(1, 2), turnedL;
  thunk<void *, void *>("turnl")(&turnedL, &zl);
  EXPECT_EQ(turnedL, std::complex<long double>(-2, 1));
}

TEST_F(InteropTest, ReferencesArraysAndStringsArePointers) {
  const char *text = "void fill(double *a, int n, double value);\n"
                     "double corner(double (*m)[3], const void *rest);\n"
                     "void split(long n, int *high, unsigned *low);\n"
                     "const char *skip(const char *s, int n);\n"
                     "char *none(void);\n"
                     "int longest(const char **names, int n);\n";
  header(text);
  const ZplType *reals = array(real);
  procedure("fill", nothing, {{reals, ZplMode::Out}, {integer}, {real}});
  procedure("corner", real, {{reals}, {array(integer)}});
  procedure("split", nothing,
            {{longint},
             {integer, ZplMode::Out},
             {type(ZplKind::UInteger, "uinteger"), ZplMode::InOut}});
  procedure("skip", string, {{string}, {integer}});
  procedure("none", string, {});
  procedure("longest", integer, {{array(string)}, {integer}});
  std::string code =
      std::string("#include <string.h>\n") + text +
      "void fill(double *a, int n, double v) { while (n) a[--n] = v; }\n"
      "double corner(double (*m)[3], const void *rest) {\n"
      "  return m[1][2] + *(const int *)rest; }\n"
      "void split(long n, int *h, unsigned *l) { *h = n >> 32; *l += n; }\n"
      "const char *skip(const char *s, int n) { return s + n; }\n"
      "char *none(void) { return 0; }\n"
      "int longest(const char **names, int n) {\n"
      "  int best = 0; for (int i = 0; i < n; i++)\n"
      "    if (strlen(names[i]) > strlen(names[best])) best = i;\n"
      "  return best; }";
  double a[6] = {};
  int n = 6;
  double value = 2;
  thunk<void *, void *, void *>("fill", code)(a, &n, &value);
  EXPECT_EQ(a[0] + a[5], 4);
  int rest[] = {40};
  thunk<void *, void *, void *>("corner")(&value, a, rest);
  EXPECT_EQ(value, 42);
  long long number = (7LL << 32) + 9;
  int high = 0;
  unsigned low = 1;
  thunk<void *, void *, void *>("split")(&number, &high, &low);
  EXPECT_EQ(high, 7);
  EXPECT_EQ(low, 10u);
  const char *s = "abcdef", *tail = nullptr;
  n = 4;
  thunk<void *, void *, void *>("skip")(&tail, &s, &n);
  EXPECT_STREQ(tail, "ef");
  thunk<void *>("none")(&tail);
  EXPECT_EQ(tail, nullptr);
  const char *names[] = {"a", "ccc", "bb"};
  n = 3;
  int best = -1;
  thunk<void *, void *, void *>("longest")(&best, names, &n);
  EXPECT_EQ(best, 1);
}

TEST_F(InteropTest, BooleansAndEnumerationsConvert) {
  const char *text = "enum color { red, green = 5, blue };\n"
                     "enum color next(enum color c);\n"
                     "int isOdd(int n);\n"
                     "_Bool negate(int truth);\n"
                     "int flags(enum color c);\n";
  header(text);
  const ZplType *color =
      enumeration("color", {{"red", 0}, {"green", 5}, {"blue", 6}});
  procedure("next", color, {{color}});
  procedure("isOdd", boolean, {{integer}});
  procedure("negate", boolean, {{boolean}});
  procedure("flags", integer, {{integer}});
  std::string code =
      std::string(text) +
      "enum color next(enum color c) { return c == green ? blue : red; }\n"
      "int isOdd(int n) { return n & 1 ? 256 : 0; }\n"
      "_Bool negate(int truth) { return !truth; }\n"
      "int flags(enum color c) { return c + 1; }";
  int green = 5, color2 = 0, three = 3;
  thunk<void *, void *>("next", code)(&color2, &green);
  EXPECT_EQ(color2, 6);
  unsigned char truth = 7;
  thunk<void *, void *>("isOdd")(&truth, &three);
  EXPECT_EQ(truth, 1);
  thunk<void *, void *>("negate")(&truth, &truth);
  EXPECT_EQ(truth, 0);
  thunk<void *, void *>("flags")(&three, &green);
  EXPECT_EQ(three, 6);
}

TEST_F(InteropTest, WhatTheHeaderDefinesIsCompiledToo) {
  header("static int calls;\n"
         "int shared;\n"
         "static inline double square(double x) { calls++; return x * x; }\n"
         "int add(int a, int b) { shared++; return a + b; }\n"
         "inline int twice(int n) { return 2 * n; }\n"
         "#define CUBE(x) ((x) * (x) * (x))\n"
         "#define STORE(p, v) (*(p) = (v))\n"
         "#define sum add\n"
         "static int count(void) { return calls; }\n");
  procedure("square", real, {{real}});
  procedure("add", integer, {{integer}, {integer}});
  procedure("sum", integer, {{integer}, {integer}});
  procedure("twice", integer, {{integer}});
  procedure("CUBE", real, {{real}});
  procedure("STORE", nothing, {{single, ZplMode::Out}, {integer}});
  procedure("count", integer, {});
  // Another file may have the same header.
  std::string code = "#include \"api.h\"\nextern inline int twice(int n);";
  double x = 3, y = 0;
  thunk<void *, void *>("square", code)(&y, &x);
  EXPECT_EQ(y, 9);
  thunk<void *, void *>("CUBE")(&y, &x);
  EXPECT_EQ(y, 27);
  int a = 2, b = 40, c = 0;
  thunk<void *, void *, void *>("sum")(&c, &a, &b);
  EXPECT_EQ(c, 42);
  thunk<void *, void *>("twice")(&c, &b);
  EXPECT_EQ(c, 80);
  thunk<void *>("count")(&c);
  EXPECT_EQ(c, 1);
  float f = 0;
  thunk<void *, void *>("STORE")(&f, &b);
  EXPECT_EQ(f, 40);
}

TEST_F(InteropTest, ACallCostsNothingWhenOptimized) {
  if (!llvm::StringRef(options.triple).starts_with("x86_64"))
    GTEST_SKIP() << "names a processor of x86";
  header("typedef struct { double x, y; } point;\n"
         "static double square(double v) { return v * v; }\n"
         "inline double norm(point p) { return square(p.x) + square(p.y); }\n");
  const ZplType *point = record("point", {{"x", real}, {"y", real}});
  procedure("norm", real, {{point}});
  options.cpu = "x86-64-v3";
  options.features = "+bmi2,-sse4a";
  file("caller.ll", R"(
    target triple = ")" +
                        options.triple + R"("
    declare void @zplx_norm(ptr, ptr)
    define double @caller(ptr %p) "target-cpu"="x86-64-v3"
                                  "target-features"="+bmi2,-sse4a" {
      %r = alloca double
      call void @zplx_norm(ptr %r, ptr %p)
      %v = load double, ptr %r
      ret double %v
    })");
  load("norm", "");
  std::string tools = ZPL_LLVM_TOOLS "/";
  std::string command =
      "cd " + folder.str().str() + " && " + tools +
      "llvm-link caller.ll "
      "thunks.bc | " +
      tools +
      "opt -passes='internalize,default<O2>' "
      "-internalize-public-api-list=caller -S -o optimized.ll";
  ASSERT_EQ(std::system(command.c_str()), 0);
  auto text = llvm::MemoryBuffer::getFile(folder + "/optimized.ll");
  ASSERT_TRUE(text);
  EXPECT_FALSE((*text)->getBuffer().contains(" call "))
      << (*text)->getBuffer().str();
  EXPECT_FALSE((*text)->getBuffer().contains("alloca"));
}

TEST_F(InteropTest, VariablesAndConstantsHaveThunks) {
  const char *text = "#include <errno.h>\n"
                     "extern double gravity;\n"
                     "extern int table[4];\n"
                     "extern const int limits[2];\n"
                     "extern int now(void);\n"
                     "#define NOW now()\n"
                     "#define HALF 0.5L\n"
                     "#define NAME \"left \" \"right\"\n";
  header(text);
  external(ExternKind::Variable, "gravity", real);
  external(ExternKind::Variable, "table", array(integer, 4));
  external(ExternKind::Variable, "errno", integer);
  external(ExternKind::Constant, "limits", array(integer, 2));
  external(ExternKind::Constant, "NOW", integer);
  external(ExternKind::Constant, "HALF", single);
  external(ExternKind::Constant, "NAME", string);
  std::string code = std::string(text) +
                     "double gravity = 9.75;\nint table[4] = {1, 2, 3, 4};\n"
                     "const int limits[2] = {5, 6};\n"
                     "int now(void) { return 77; }";
  auto address = [&](const char *name) {
    return reinterpret_cast<void *(*)()>(load(name, code))();
  };
  EXPECT_EQ(*static_cast<double *>(address("gravity")), 9.75);
  EXPECT_EQ(static_cast<int *>(address("table"))[3], 4);
  EXPECT_EQ(address("errno"), &errno);
  int limits[2] = {}, now = 0;
  thunk<void *>("limits")(limits);
  EXPECT_EQ(limits[1], 6);
  thunk<void *>("NOW")(&now);
  EXPECT_EQ(now, 77);
  float half = 0;
  thunk<void *>("HALF")(&half);
  EXPECT_EQ(half, 0.5f);
  const char *name = nullptr;
  thunk<void *>("NAME")(&name);
  EXPECT_STREQ(name, "left right");
}

TEST_F(InteropTest, WithoutAHeaderTheTypesOfZPLAreTheTypesOfC) {
  const ZplType *handle = opaque("handle");
  const ZplType *point = record("point", {{"x", single}, {"y", single}}, true);
  external(ExternKind::Type, "point", point);
  const ZplType *box = record("box", {{"low", point}, {"w", array(real, 2)}});
  procedure("open_it", handle, {{integer}});
  procedure("close_it", nothing, {{handle}, {integer, ZplMode::Out}});
  procedure("mirror", point, {{point}});
  procedure("area", real, {{box}, {real}, {boolean}});
  procedure("sin", real, {{real}});
  external(ExternKind::Variable, "level", integer);
  const char *code = "typedef struct { float x, y; } point;\n"
                     "typedef struct { point low; double w[2]; } box;\n"
                     "static int cell; int level = 3;\n"
                     "void *open_it(int n) { cell = n; return &cell; }\n"
                     "void close_it(void *h, int *n) { *n = *(int *)h; }\n"
                     "point mirror(point p) { return (point){-p.x, -p.y}; }\n"
                     "double area(box b, double s, _Bool on) {\n"
                     "  return on ? b.w[0] * b.w[1] * s + b.low.y : 0; }";
  void *it = nullptr;
  int n = 12, m = 0;
  thunk<void *, void *>("open_it", code)(&it, &n);
  thunk<void *, void *>("close_it")(&it, &m);
  EXPECT_EQ(m, 12);
  float p[2] = {1, 2};
  thunk<void *, void *>("mirror")(p, p);
  EXPECT_EQ(p[1], -2);
  struct {
    float low[2];
    double w[2];
  } b = {{0, 1}, {2, 3}};
  double scale = 10, area = 0;
  bool on = true;
  thunk<void *, void *, void *, void *>("area")(&area, &b, &scale, &on);
  EXPECT_EQ(area, 61);
}

TEST_F(InteropTest, OpaqueTypesKeepTheirSizeAndIdentity) {
  const char *text = "typedef struct { long id; char name[20]; } ticket;\n"
                     "struct plan;\ntypedef struct plan *plan;\n"
                     "ticket issue(long id);\n"
                     "long check(ticket t);\n"
                     "void stamp(ticket *t);\n"
                     "plan make(void *data);\nvoid destroy(const void *p);\n";
  header(text);
  const ZplType *ticket = opaque("ticket");
  const ZplType *plan = opaque("plan");
  procedure("issue", ticket, {{longint}});
  procedure("check", longint, {{ticket}});
  procedure("stamp", nothing, {{ticket, ZplMode::InOut}});
  procedure("make", plan, {{plan}});
  procedure("destroy", nothing, {{plan}});
  std::string code = std::string(text) +
                     "ticket issue(long id) { return (ticket){id, \"x\"}; }\n"
                     "long check(ticket t) { return t.id + t.name[0]; }\n"
                     "void stamp(ticket *t) { t->id++; }\n"
                     "plan make(void *data) { return data; }\n"
                     "void destroy(const void *p) {}";
  char t[32] = {};
  long long id = 5, found = 0;
  thunk<void *, void *>("issue", code)(t, &id);
  thunk<void *>("stamp")(t);
  thunk<void *, void *>("check")(&found, t);
  EXPECT_EQ(found, 6 + 'x');
  EXPECT_EQ(imports->list[0].type->size, 32u);
  EXPECT_EQ(imports->list[0].type->align, 8u);
  EXPECT_EQ(imports->list[1].type->size, 8u);
}

TEST_F(InteropTest, AFunctionWithoutPrototypeTakesPromotedArguments) {
  header("int old();\n");
  procedure("old", integer, {{single}, {type(ZplKind::Char, "char")}});
  float f = 2.5f;
  char c = 4;
  int n = 0;
  thunk<void *, void *, void *>(
      "old", "int old(f, c) double f; int c; { return f * c; }")(&n, &f, &c);
  EXPECT_EQ(n, 10);
}

} // namespace
