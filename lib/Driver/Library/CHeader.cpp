//===- CHeader.cpp - The C header of a library ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `kernel.h`: a function for each exported procedure, and those that every
/// library has. It needs zrt/Block.h, which is installed with zplc, for views.
///
//===----------------------------------------------------------------------===//

#include "Library/Exports.h"
#include "Library/Signature.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::driver {

static std::string paramText(const ExportedParam &param) {
  switch (param.kind) {
  case ExportedParam::Scalar:
    return param.type->c + (param.isOut ? " *" : " ") + param.name;
  case ExportedParam::String:
    return "const char *" + param.name;
  case ExportedParam::Array:
    return "const zpl_view *" + param.name;
  }
  llvm_unreachable("all kinds are listed");
}

std::string signature(const Exports &exports,
                      const ExportedProcedure &procedure) {
  std::string text = procedure.returnsString ? "const char *"
                     : procedure.result      ? procedure.result->c + " "
                                             : "void ";
  text += exports.name + "_" + procedure.name + "(";
  for (const ExportedParam &param : procedure.params)
    text += (text.back() == '(' ? "" : ", ") + paramText(param);
  return text + (procedure.params.empty() ? "void)" : ")");
}

static constexpr const char *HeaderFunctions = R"(
/* What the last call has come to: 0 well; 1 a run-time error, after which the
   library is of no use any more; 2 an argument was wrong and nothing was done;
   3 it is not initialized, has failed, or is in a call of another thread. */
int {0}_status(void);
/* The message of the last call that did not go well. */
const char *{0}_error(void);

/* Starts it with options as on a command line: "-p4", "-sn=100". This process
   is processor 0; the others are its children. Gives the status. */
int {0}_init(int count, const char *const *options);
/* The same on all processes of a communicator (MPI_Comm_c2f), which then make
   the same calls. */
int {0}_init_mpi(int communicator, int count, const char *const *options);
int {0}_finish(void);
/* How many processors there are; 0 before and after. */
int {0}_processors(void);

/* Exported arrays by their names: this process's block, without a copy; a copy
   of all elements, in row-major order, to and from memory of that size (over a
   communicator called by all). */
int {0}_view(const char *array, zpl_view *view);
int {0}_get(const char *array, void *to, int64_t bytes);
int {0}_set(const char *array, const void *from, int64_t bytes);
)";

std::string headerText(const Exports &exports) {
  std::string text;
  raw_string_ostream os(text);
  std::string guard = "ZPL_LIBRARY_" + StringRef(exports.name).upper() + "_H";
  os << formatv("/* {0}.h - made by zplc --library of the program {0}. */\n"
                "#ifndef {1}\n#define {1}\n\n#include <zrt/Block.h>\n\n"
                "#ifdef __cplusplus\n#define _Bool bool\n"
                "extern \"C\" {{\n#endif\n",
                exports.name, guard)
     << formatv(HeaderFunctions, exports.name) << '\n';
  os << cTypes(exports);
  for (const ExportedConfig &config : exports.configs)
    os << formatv("/* config {0}: {1} = {2}  {3} */\n", config.name,
                  config.type, config.defaultText, config.comment);
  for (size_t k = 0; k < exports.ownArrays; ++k)
    os << formatv("/* array {0}: {1}, {2} dimensions */\n",
                  exports.arrays[k].name, exports.arrays[k].type->zpl,
                  exports.arrays[k].rank);
  os << '\n';
  for (const ExportedProcedure &procedure : exports.procedures)
    os << signature(exports, procedure) << ";\n";
  os << "\n#ifdef __cplusplus\n}\n#undef _Bool\n#endif\n\n#endif\n";
  return os.str();
}

} // namespace zpl::driver
