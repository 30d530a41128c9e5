//===- Glue.cpp - C between a library and its callers ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For `export procedure step(var X: [R] double; k: integer): double`:
///
///     const zpl_view *step__X;      // where the frame and the runtime
///     int step__k;                  // find the arguments
///     double step__result;
///     static const zrtL_parameter step_params[] = {...};
///
///     double kernel_step(const zpl_view *X, int k) {
///       double result = 0;
///       kernel_last_status = zrtL_begin();
///       if (kernel_last_status)
///         return result;
///       step__X_view = X;
///       step__k = k;
///       kernel_last_status = zrtL_call(0);
///       if (!kernel_last_status)
///         result = step__result;
///       zrtL_end();
///       return result;
///     }
///
/// It is compiled as other C of the command line, and all but the functions of
/// the header is hidden.
///
//===----------------------------------------------------------------------===//

#include "Library/Exports.h"
#include "Library/Signature.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::driver {

namespace {

class GlueWriter {
public:
  explicit GlueWriter(const Exports &exports) : exports(exports), os(text) {}
  std::string write();

private:
  void checks();
  void checkValue(const ForeignType &type, const std::string &place,
                  StringRef param, StringRef procedure);
  void places(const ExportedProcedure &procedure);
  void table(const ExportedProcedure &procedure);
  void function(const ExportedProcedure &procedure, size_t number);
  void next();
  void library();
  void ownFunctions();

  const Exports &exports;
  std::string text;
  raw_string_ostream os;
};

} // namespace

static std::string viewName(StringRef procedure, StringRef param) {
  return placeName(procedure, param) + "_view";
}

static std::string textName(StringRef procedure, StringRef param) {
  return placeName(procedure, param) + "_text";
}

void GlueWriter::places(const ExportedProcedure &procedure) {
  StringRef name = procedure.name;
  for (const ExportedParam &param : procedure.params)
    switch (param.kind) {
    case ExportedParam::Scalar:
      os << param.type->c << ' ' << placeName(name, param.name) << ";\n";
      break;
    case ExportedParam::String:
      os << formatv("static const char *{0};\n"
                    "const char *{1}(void) {{ return {0}; }\n",
                    textName(name, param.name), placeName(name, param.name));
      break;
    case ExportedParam::Array:
      os << formatv("static const zpl_view *{0};\n",
                    viewName(name, param.name));
    }
  if (procedure.result)
    os << procedure.result->c << ' ' << placeName(name, "result") << ";\n";
  if (procedure.returnsString)
    os << formatv("static char *{0}_text;\n"
                  "void {1}(const char *text) {{\n"
                  "  size_t bytes = strlen(text) + 1;\n"
                  "  {0}_text = realloc({0}_text, bytes);\n"
                  "  memcpy({0}_text, text, bytes);\n}\n",
                  placeName(name, "result"), keepName(name));
}

void GlueWriter::table(const ExportedProcedure &procedure) {
  StringRef name = procedure.name;
  os << formatv("static const zrtL_parameter {0}__params[] = {{\n", name);
  for (const ExportedParam &param : procedure.params) {
    int mode = param.isIn + 2 * param.isOut;
    std::string place = placeName(name, param.name);
    if (param.kind == ExportedParam::Array)
      os << formatv("  {{\"{0}\", ZRTL_ARRAY, {1}, {2}, {3}, {4}, 0, &{5}},\n",
                    param.name, mode, param.array, param.type->code, param.rank,
                    viewName(name, param.name));
    else if (param.kind == ExportedParam::String)
      os << formatv("  {{\"{0}\", ZRTL_STRING, {1}, 0, 0, 0, 0, &{2}},\n",
                    param.name, mode, textName(name, param.name));
    else
      os << formatv(
          "  {{\"{0}\", ZRTL_SCALAR, {1}, 0, {2}, 0, sizeof {3}, &{3}},\n",
          param.name, mode, param.type->code, place);
  }
  os << "  {0}};\n";
  std::string place = placeName(name, "result");
  if (procedure.returnsString)
    os << formatv("static const zrtL_parameter {0}__given = {{\n"
                  "  \"\", ZRTL_STRING, 2, 0, 0, 0, 0, &{1}_text};\n",
                  name, place);
  else if (procedure.result)
    os << formatv("static const zrtL_parameter {0}__given = {{\n"
                  "  \"\", ZRTL_SCALAR, 2, 0, {1}, 0, sizeof {2}, &{2}};\n",
                  name, procedure.result->code, place);
}

/// Of each enumeration whether a number is a value of it.
void GlueWriter::checks() {
  for (const auto &type : exports.types) {
    if (!type->isEnum)
      continue;
    os << formatv("static int is_{0}(int value) {{\n  switch (value) {{\n",
                  type->foreign.c);
    for (const auto &[name, value] : type->values)
      os << formatv("  case {0}:\n", value);
    os << "    return 1;\n  }\n  return 0;\n}\n";
  }
}

/// Refuses a call whose argument has at \p place what its type has not.
void GlueWriter::checkValue(const ForeignType &type, const std::string &place,
                            StringRef param, StringRef procedure) {
  if (!type.named)
    return;
  for (const auto &[name, field] : type.named->fields)
    checkValue(*field, place + "." + name, param, procedure);
  if (type.named->isEnum)
    os << formatv("  if (!{0}_last_status && !is_{1}((int){2}))\n"
                  "    {0}_last_status = zrtL_misuse(\"'{3}' of '{4}' has no "
                  "value of '{5}'\");\n",
                  exports.name, type.c, place, param, procedure, type.zpl);
}

void GlueWriter::function(const ExportedProcedure &procedure, size_t number) {
  StringRef name = procedure.name;
  std::string result = placeName(name, "result");
  bool gives = procedure.result || procedure.returnsString;
  const char *value = gives ? " result" : "";
  os << "API " << signature(exports, procedure) << " {\n";
  if (procedure.returnsString)
    os << "  const char *result = 0;\n";
  else if (gives)
    os << formatv("  {0} result = {{0};\n", procedure.result->c);
  os << formatv("  {0}_last_status = zrtL_begin();\n"
                "  if ({0}_last_status)\n    return{1};\n",
                exports.name, value);
  for (const ExportedParam &param : procedure.params) {
    std::string place =
        param.kind == ExportedParam::Array    ? viewName(name, param.name)
        : param.kind == ExportedParam::String ? textName(name, param.name)
                                              : placeName(name, param.name);
    bool isPointer = param.kind == ExportedParam::Scalar && param.isOut;
    if (!isPointer || param.isIn)
      os << formatv("  {0} = {1}{2};\n", place, isPointer ? "*" : "",
                    param.name);
  }
  for (const ExportedParam &param : procedure.params)
    if (param.kind == ExportedParam::Scalar && param.isIn)
      checkValue(*param.type, placeName(name, param.name), param.name, name);
  os << formatv("  if (!{0}_last_status)\n"
                "    {0}_last_status = zrtL_call({1});\n"
                "  if (!{0}_last_status) {{\n",
                exports.name, number);
  for (const ExportedParam &param : procedure.params)
    if (param.kind == ExportedParam::Scalar && param.isOut)
      os << formatv("    *{0} = {1};\n", param.name,
                    placeName(name, param.name));
  if (gives)
    os << formatv("    result = {0}{1};\n", result,
                  procedure.returnsString ? "_text" : "");
  os << formatv("  }\n  zrtL_end();\n  return{0};\n}\n", value);
}

/// What the frame calls.
void GlueWriter::next() {
  os << formatv("static zpl_array *arrays[{0}];\nint {1}(",
                exports.arrays.size() + 1, NextName);
  for (size_t k = 0; k < exports.arrays.size(); ++k)
    os << (k ? ", " : "") << "zpl_array *a" << k;
  os << (exports.arrays.empty() ? "void) {\n" : ") {\n");
  for (size_t k = 0; k < exports.arrays.size(); ++k)
    os << formatv("  arrays[{0}] = a{0};\n", k);
  os << "  return zrtL_next();\n}\n";
}

void GlueWriter::library() {
  os << "static const zrtL_procedure procedures[] = {\n";
  for (const ExportedProcedure &procedure : exports.procedures)
    os << formatv("  {{\"{0}\", {0}__params, {1}, {2}},\n", procedure.name,
                  procedure.params.size(),
                  procedure.result || procedure.returnsString
                      ? "&" + procedure.name + "__given"
                      : "0");
  os << "  {0}};\nstatic const char *const names[] = {";
  for (const ExportedArray &array : exports.arrays)
    os << '"' << array.name << "\", ";
  os << "0};\n"
     << formatv("int zplL_main(int, char **);\n"
                "static const zrtL_library library = {{\n"
                "  \"{0}\", zplL_main, procedures, {1}, names, arrays, {2},\n"
                "  &{0}_last_status};\n",
                exports.name, exports.procedures.size(), exports.arrays.size());
}

void GlueWriter::ownFunctions() {
  StringRef name = exports.name;
  os << formatv(R"(
API int {0}_init(int count, const char *const *options) {{
  return {0}_last_status = zrtL_init(&library, count, options, 0);
}
API int {0}_init_mpi(int communicator, int count, const char *const *options) {{
  return {0}_last_status = zrtL_init(&library, count, options, &communicator);
}
API int {0}_finish(void) {{ return {0}_last_status = zrtL_finish(); }
API int {0}_status(void) {{ return {0}_last_status; }
API const char *{0}_error(void) {{ return zrtL_error(); }
API int {0}_processors(void) {{ return zrtL_processors(); }
API void *{0}_python(void *others, void *raise, void *ndarray) {{
  return zrtL_python(&library, others, raise, ndarray);
}
static int find(const char *array) {{
  for (int k = 0; k < {1}; ++k)
    if (!strcmp(names[k], array))
      return k;
  return -1;
}
API int {0}_view(const char *array, zpl_view *view) {{
  int k = find(array);
  return {0}_last_status = k < 0 ? ZRTL_MISUSED : zrtL_view(k, view);
}
API int {0}_get(const char *array, void *to, int64_t bytes) {{
  int k = find(array);
  return {0}_last_status = k < 0 ? ZRTL_MISUSED : zrtL_get(k, to, bytes);
}
API int {0}_set(const char *array, const void *from, int64_t bytes) {{
  int k = find(array);
  return {0}_last_status = k < 0 ? ZRTL_MISUSED : zrtL_set(k, from, bytes);
}
)",
                name, exports.ownArrays);
}

std::string GlueWriter::write() {
  os << "#include <stdlib.h>\n#include <string.h>\n#include <zrt/Library.h>\n"
        "#define API __attribute__((visibility(\"default\")))\n"
     << formatv("API int {0}_last_status;\n", exports.name);
  os << cTypes(exports);
  checks();
  for (const ExportedProcedure &procedure : exports.procedures)
    places(procedure);
  for (const ExportedProcedure &procedure : exports.procedures)
    table(procedure);
  next();
  library();
  for (const auto &[number, procedure] : enumerate(exports.procedures))
    function(procedure, number);
  ownFunctions();
  return os.str();
}

std::string glueText(const Exports &exports) {
  return GlueWriter(exports).write();
}

} // namespace zpl::driver
