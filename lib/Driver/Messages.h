//===- Messages.h - In which form messages are shown ---------- -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_DRIVER_MESSAGES_H
#define ZPL_DRIVER_MESSAGES_H

#include "Options.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"

namespace zpl::driver {

/// Decides on colours for everything that is written to standard error, from
/// the last of -f[no-]color-diagnostics among \p args and from NO_COLOR. To be
/// called before any message.
void chooseColours(llvm::ArrayRef<const char *> args);

/// Writes what \p diags has collected to \p os in the form that \p options ask
/// for.
void showMessages(const DiagnosticEngine &diags, const Options &options,
                  llvm::raw_ostream &os);

/// The messages as one JSON array of the objects that GCC writes with
/// -fdiagnostics-format=json, and a newline.
void writeJson(const DiagnosticEngine &diags, llvm::raw_ostream &os);

/// The messages as a log of SARIF 2.1.0 with one run, and a newline.
void writeSarif(const DiagnosticEngine &diags, const Options &options,
                llvm::raw_ostream &os);

/// \p text in UTF-8: what is none of it is replaced.
std::string inUtf8(llvm::StringRef text);

/// The place of byte \p offset of a file as people count: line and column from
/// 1, columns in characters of UTF-8 (a byte that belongs to none counts as
/// one).
LineColumn characterPlace(const SourceManager &sources, uint32_t file,
                          uint32_t offset);

} // namespace zpl::driver

#endif // ZPL_DRIVER_MESSAGES_H
