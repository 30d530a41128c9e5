//===- OrderedOutput.h - Pieces of one file from all processors -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_ORDEREDOUTPUT_H
#define ZRT_IO_ORDEREDOUTPUT_H

#include "IO/File.h"

namespace zrt {

/// Puts pieces that processors make in parallel into a file, one behind the
/// other. Collective.
class OrderedOutput {
public:
  /// \p small: there will be one piece, not worth opening the file everywhere.
  OrderedOutput(Transport &transport, File &file, bool small);

  /// One round: the pieces of the processors 0 to \p count - 1, in that order;
  /// \p text is this one's.
  void write(int count, std::string_view text);

  /// Moves the file's position after all pieces and reports failed writes.
  void finish();

private:
  void writeAtOffset(std::string_view text);
  void writeThroughFirst(int count, std::string_view text);

  Transport &transport;
  File &file;
  bool atOffsets;
  int64_t position = 0; ///< of the next round
  int32_t error = 0;    ///< errno of this processor's first failed write
};

/// Ends the run if a processor passes an errno other than 0. Collective.
void checkWritten(Transport &transport, File &file, int32_t error);

} // namespace zrt

#endif // ZRT_IO_ORDEREDOUTPUT_H
