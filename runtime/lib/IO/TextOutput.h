//===- TextOutput.h - Standard output and standard error --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_TEXTOUTPUT_H
#define ZRT_IO_TEXTOUTPUT_H

#include "zrt/Abi.h"

#include <string>
#include <string_view>

namespace zrt {

/// The program's console streams, on the processor that writes them. Standard
/// output is buffered and goes out when the buffer is full, before anything on
/// standard error, at the end of the run and before error messages; if it is a
/// terminal, after each line. A failed write ends the run with status 1.
class TextOutput {
public:
  TextOutput();

  /// Writes \p text to \p stream, an enum zrt_stream.
  void write(int32_t stream, std::string_view text);

  /// Hands everything to the system.
  void flush();

private:
  void writeOut(int descriptor, const char *name, std::string_view text);

  std::string buffer;
  bool lineBuffered;
};

} // namespace zrt

#endif // ZRT_IO_TEXTOUTPUT_H
