//===- Output.h - Files that appear only when they are whole ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_DRIVER_OUTPUT_H
#define ZPL_DRIVER_OUTPUT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <system_error>

namespace zpl::driver {

/// Can writeOutput(\p path, ...) begin? What stands there is left alone.
std::error_code checkOutputPlace(llvm::StringRef path);

/// Makes \p bytes the contents of \p path, or writes them to standard output
/// for "-". A regular file is replaced when all of the new one is on the disk,
/// also at the end of symbolic links; devices and FIFOs are written to. A new
/// file has the permissions \p mode, less the process' umask. False after an
/// error, which is reported with the name; then a regular file is as it was.
bool writeOutput(llvm::StringRef path, llvm::StringRef bytes,
                 unsigned mode = 0666);

/// Writes \p bytes into the file \p path that the caller has made and removes.
/// False after an error, which is reported with the name.
bool fillTemporary(llvm::StringRef path, llvm::StringRef bytes);

/// Writes out what is left of standard output. False if any of it was lost,
/// which is reported.
bool finishStandardOutput();

/// Calls \p make, which makes a file and says its name to
/// llvm::sys::RemoveFileOnSignal, so that no signal comes between the two.
/// Hangup, interrupt and termination remove it, also when two come at once. A
/// file that grows beyond the process' limit is an error like others
/// afterwards, not a signal.
void makeRemovable(llvm::function_ref<void()> make);

} // namespace zpl::driver

#endif // ZPL_DRIVER_OUTPUT_H
