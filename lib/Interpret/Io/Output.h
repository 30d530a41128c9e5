//===- Output.h - write, writeln and bwrite ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Output, and what input shares with it: open files and formats. Errors end
/// the run with a message at \p where. See Output.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_IO_OUTPUT_H
#define ZPL_LIB_INTERPRET_IO_OUTPUT_H

#include "Run.h"

namespace zpl::interpreter {

/// Executes write, writeln or bwrite: one item after the other.
void write(Run &run, const sema::WriteStmt *stmt);

/// Evaluates an item and writes it to file number \p file, as text or as the
/// bytes in memory.
void writeItem(Run &run, const sema::WriteItem &item, int64_t file,
               bool binary);

/// The format of an item, \p text or the value of \p expr, for values of
/// \p type; none if it has neither.
std::optional<Format> formatOf(Run &run, const std::optional<std::string> &text,
                               const sema::Expr *expr, Type type,
                               SourceRange where);

/// The open file of this number, to be read or to be written.
File &openFile(Run &run, int64_t number, bool isRead, SourceRange where);

/// The open file of this number, if it is a checkpoint; else null.
File *checkpointFile(Run &run, int64_t number);

/// Ends the run if values of \p type have no place in a binary file: strings,
/// files and values of C.
void checkImage(Run &run, Type type, SourceRange where);

/// Ends the run if the name says that the file is a picture or one of NumPy's,
/// which hold only arrays.
void checkPlain(Run &run, const File &file, SourceRange where);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_IO_OUTPUT_H
