//===- Error.h - How the runtime reports errors -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_ERROR_H
#define ZRT_SUPPORT_ERROR_H

#include "zrt/Abi.h"

#include <string_view>

namespace zrt {

/// Who sees an error.
enum class ErrorScope {
  Replicated, ///< all processors find it at the same point (a bounds check)
  Local       ///< this processor alone (out of memory, a broken pipe)
};

/// Reports an error of the user's program or its surroundings and ends the
/// whole run with status 1:
///
///     prog: file.z:12:7: error: <message> [rank 3 of 8]
///
/// Written to standard error exactly once for the run, after pending output
/// has been flushed. \p loc may be null: then `prog: error: ...`. The rank is
/// left out for replicated errors and on one processor.
[[noreturn]] void fatal(const zrt_loc *loc, ErrorScope scope,
                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// The same for an error that all processors see, with the whole message; takes
/// no memory, so that a signal handler may call it.
[[noreturn]] void fatalText(std::string_view message);

/// Reports a mistake on the command line or in the way the program was started,
/// which all processors see: `prog: error: <message>`, and ends the run with
/// status 2.
[[noreturn]] void usageError(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/// In a library of ZPL errors are the caller's to hear of. \p taker gets each
/// message, its newline included, that ends the run: if it takes that, it does
/// not return. \p replicated: all processors see the error. Null: none.
using ErrorTaker = void(std::string_view message, bool replicated, int status);
void setErrorTaker(ErrorTaker *taker);
/// Gives \p message to the taker, if there is one; then returns if that leaves
/// it to the caller.
void offerError(std::string_view message, bool replicated, int status);

/// Writes `prog: error: <message>` and returns: for callers that end the run in
/// their own way and know that nobody else reports.
void printError(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Writes `prog: file.z:12:7: warning: <message>` and returns. To be called on
/// one processor, after pending output has been flushed.
void printWarning(const zrt_loc *loc, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Writes \p text to standard error, as far as that takes it. Takes no memory.
void writeError(std::string_view text);

/// Ends the run for a mistake of ours, never of the user's.
[[noreturn]] void internalError(const char *file, int line,
                                const char *condition);

#define ZRT_CHECK(condition)                                                   \
  ((condition) ? (void)0 : ::zrt::internalError(__FILE__, __LINE__, #condition))

/// What `fatal` needs to know of the run; installed by Entry (before that,
/// errors print without rank and exit this process).
struct ErrorContext {
  const char *programName = "zpl";
  int rank = 0;
  int size = 1;
  void (*flushOutput)() = nullptr; ///< writes out what is pending
  bool (*claimReport)(bool replicated) = nullptr;
  void (*afterReport)() = nullptr; ///< once an error is told, where it is told
  void (*abortRun)(int status) = nullptr; ///< does not return
};
void setErrorContext(const ErrorContext &context);
/// The name of the program in messages.
const char *errorProgramName();

} // namespace zrt

#endif // ZRT_SUPPORT_ERROR_H
