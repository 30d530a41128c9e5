//===- HelpText.cpp - What -h prints --------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options, then the config variables in four columns that are as wide as
// what stands in them, within reason, and the types that have names:
//
//     config variables:
//       n        integer             100    size of the grid
//       origin   point               {0, 0}
//       size     array [S..A] of integer  {8, 16, 32}  per class
//
//     types:
//       point = record x, y: double; end
//       class = (S, W, A)
//
// A text that is wider than its column pushes the rest of its line.
//
//===----------------------------------------------------------------------===//

#include "Entry/Config/CommandLine.h"
#include "Layout/Type.h"

#include <algorithm>
#include <array>
#include <vector>

namespace zrt {

static const char *const Options =
    "  -pN            run on N processors\n"
    "  -rN -cN -lN    rows, columns and levels of the processor grid\n"
    "  -gAxB          the whole grid of two dimensions, -gAxBxC of three, ...\n"
    "  --transport=T  how processors talk: self, shm, mpi, put, shmem, "
    "hybrid;\n"
    "                 sim: processors of a machine that is simulated\n"
    "  --sim-machine=M  that machine: a file, or a name such as cm5\n"
    "  --sim-transport=T  which transport of the machine file; else the first\n"
    "  --sim-compute=C  what computing takes there: model, measured,\n"
    "                 measured:FACTOR, none\n"
    "  --sim=skeleton  leave out the work on elements that control does not\n"
    "                 depend on; its time is predicted all the same\n"
    "  --bind=B       core: each processor stays on a core; none: where the\n"
    "                 system puts it (the normal case)\n"
    "  --watchdog=S   end the run when a processor that others wait for has\n"
    "                 used no processor time for S seconds\n"
    "  --profile[=FILE]  print what each operation cost, at the end, on\n"
    "                 standard error or to FILE\n"
    "  --tune=MODE    what to do about loops with several ways: off, as "
    "models\n"
    "                 say; models, what was measured before; run, measure\n"
    "  --tune-file=FILE  what was measured, and with run where to save it\n"
    "  --trace=FILE   write what happened when, for Perfetto\n"
    "  --restart=FILE  go on from a checkpoint that this program has written\n"
    "  --report=FILE  write a page about the run to look at\n"
    "  --check-replication  stop where processors come to different values\n"
    "  -sNAME=VALUE   set a config variable, or a part: -sp.x=1 -sa[2]=3;\n"
    "                 --NAME=VALUE does the same\n"
    "  -fFILE         read NAME=VALUE words from FILE; blanks in a value need\n"
    "                 double quotes around them; # and -- start a comment\n"
    "  -v             say on standard error how the program is run\n"
    "  -q             say nothing of that (the normal case)\n"
    "  -h, --help     print this\n"
    "  -- WORD ...    the program's own arguments\n";

namespace {

/// No column is wider; a rare long default does not move everything else.
constexpr size_t WidestColumn = 28;

/// Source text on one line.
std::string oneLine(const char *text) {
  std::string line;
  for (; *text; ++text) {
    bool blank =
        *text == ' ' || *text == '\n' || *text == '\t' || *text == '\r';
    if (!blank)
      line += *text;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

using Row = std::array<std::string, 4>;

std::string tableText(const std::vector<Row> &rows) {
  std::array<size_t, 3> width = {};
  for (const Row &row : rows)
    for (size_t column = 0; column < width.size(); ++column)
      if (row[column].size() <= WidestColumn)
        width[column] = std::max(width[column], row[column].size());
  std::string text;
  for (const Row &row : rows) {
    std::string line = "  ";
    for (size_t column = 0; column < width.size(); ++column) {
      line += row[column];
      line.append(width[column] - std::min(width[column], row[column].size()),
                  ' ');
      line += "  ";
    }
    line += row.back();
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

/// Adds the types with names that \p type is made of, and it itself, to those
/// to explain.
void collectTypes(const zrt_type &type, std::vector<const zrt_type *> &types) {
  if (type.kind == ZRT_ARRAY) {
    for (int32_t d = 0; d < type.count; ++d)
      if (const zrt_type *index = indexType(type, d))
        collectTypes(*index, types);
    return collectTypes(*type.element, types);
  }
  bool hasFields = type.kind == ZRT_RECORD || type.kind == ZRT_UNION;
  if (!hasFields && type.kind != ZRT_ENUM)
    return;
  std::string text = typeText(type);
  for (const zrt_type *other : types)
    if (typeText(*other) == text)
      return;
  if (text != typeDefinition(type))
    types.push_back(&type);
  for (int32_t k = 0; hasFields && k < type.count; ++k)
    collectTypes(*type.fields[k].type, types);
}

} // namespace

std::string helpText(const std::string &programName,
                     const zrt_program &program) {
  std::string text = "usage: " + programName + " [option ...]\n\n" + Options;
  if (program.config_count == 0)
    return text + "\nThis program has no config variables.\n";
  std::vector<Row> rows;
  std::vector<const zrt_type *> types;
  for (int64_t k = 0; k < program.config_count; ++k) {
    const zrt_config &config = program.configs[k];
    rows.push_back({config.name, typeText(*config.type),
                    oneLine(config.default_text), oneLine(config.comment)});
    collectTypes(*config.type, types);
  }
  text += "\nconfig variables:\n" + tableText(rows);
  if (!types.empty())
    text += "\ntypes:\n";
  for (const zrt_type *type : types)
    text += "  " + typeText(*type) + " = " + typeDefinition(*type) + "\n";
  return text;
}

} // namespace zrt
