//===- RunProfile.cpp - What --profile has written ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     place      operation   calls  messages  bytes  computing   waiting  ...
//     heat.z:15  transfer       10        20   1280   0.000099  0.005102  ...
//     heat.z:16  reduction      10        20    160   0.000001  0.000815  ...
//
// A row's waiting is that of its own line. Its computing is what came before
// the operation, so it belongs to the lines from the operation above it down to
// its own: to each of them, for which of them took how long the run does not
// know.
//
// Rows are read by their words, so that the columns may be of any width; all
// others of the file (totals, points of transfers) are not of that form.
//
//===----------------------------------------------------------------------===//

#include "RunProfile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace zpl::driver {

bool RunProfile::readRow(StringRef row) {
  SmallVector<StringRef, 10> words;
  row.split(words, ' ', -1, /*KeepEmpty=*/false);
  constexpr size_t Columns = 8;
  if (words.size() < Columns)
    return false;
  auto [file, number] = words[0].rsplit(':');
  unsigned line;
  Seconds seconds;
  ArrayRef<StringRef> ends = ArrayRef(words).take_back(3);
  if (number.getAsInteger(10, line) || ends[0].getAsDouble(seconds.computing) ||
      ends[1].getAsDouble(seconds.waiting))
    return false;
  Seconds &sum = lines[{file.str(), line}];
  sum.computing += seconds.computing;
  sum.waiting += seconds.waiting;
  return true;
}

std::optional<RunProfile> RunProfile::read(const std::string &path,
                                           std::string &error) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> text =
      MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!text) {
    error = "cannot read '" + path + "': " + text.getError().message();
    return std::nullopt;
  }
  RunProfile result;
  SmallVector<StringRef> rows;
  (*text)->getBuffer().split(rows, '\n');
  for (StringRef row : rows)
    result.readRow(row);
  if (!result.lines.empty())
    return result;
  error = "'" + path + "' is no table of --profile";
  return std::nullopt;
}

double RunProfile::secondsAt(StringRef file, unsigned line) const {
  auto at = lines.lower_bound({file.str(), line});
  if (at == lines.end() || at->first.first != file)
    return 0;
  bool isHere = at->first.second == line;
  return at->second.computing + (isHere ? at->second.waiting : 0);
}

} // namespace zpl::driver
