//===- Skeleton.cpp - What a run leaves out -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With --sim=skeleton the program itself leaves M-loops out, and output that
// needs them; it has a table of them. -v says, places in the order of the table,
// each once:
//
//     heat: loops left out: heat.z:15 18 20
//     heat: loops computed: heat.z:17 for heat.z:21
//     heat: output left out: heat.z:22
//
// What a loop is computed for is a statement that decides about the way of
// control, or about messages. A loop that is computed for itself does more than
// store elements.
//
//===----------------------------------------------------------------------===//

#include "Entry/Simulation/Skeleton.h"

#include <set>
#include <string_view>

namespace zrt {

/// "heat.z:15", or "15" if \p file is that of the place before.
static std::string placeText(const zrt_loc &loc, std::string_view &file) {
  bool isSame = file == loc.file;
  file = loc.file;
  return (isSame ? "" : std::string(file) + ":") + std::to_string(loc.line);
}

/// The places that the program treats so, after \p what; "" if there are none.
static std::string line(const zrt_program &program, zrt_leaving leaving,
                        const std::string &what) {
  std::string text;
  std::string_view file;
  std::set<std::string> told;
  for (int64_t k = 0; k < program.left_out_count; ++k) {
    const zrt_left_out &row = program.left_out[k];
    std::string key =
        std::string(row.loc->file) + ":" + std::to_string(row.loc->line);
    if (row.leaving != leaving || !told.insert(key).second)
      continue;
    text += " " + placeText(*row.loc, file);
    if (row.needed_by)
      text += " for " + placeText(*row.needed_by, file) + ",";
  }
  if (!text.empty() && text.back() == ',')
    text.pop_back();
  return text.empty() ? "" : what + text + "\n";
}

std::string skeletonText(const zrt_program &program, const std::string &name) {
  return line(program, ZRT_LOOP_LEFT_OUT, name + ": loops left out:") +
         line(program, ZRT_LOOP_COMPUTED, name + ": loops computed:") +
         line(program, ZRT_OUTPUT_LEFT_OUT, name + ": output left out:");
}

std::string skeletonSummary(const zrt_program &program) {
  int counts[3] = {};
  for (int64_t k = 0; k < program.left_out_count; ++k)
    ++counts[program.left_out[k].leaving];
  return "skeleton            " + std::to_string(counts[ZRT_LOOP_LEFT_OUT]) +
         " loops left out, " + std::to_string(counts[ZRT_LOOP_COMPUTED]) +
         " computed, " + std::to_string(counts[ZRT_OUTPUT_LEFT_OUT]) +
         " statements of output left out\n";
}

} // namespace zrt
