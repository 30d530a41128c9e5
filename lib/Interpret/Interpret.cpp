//===- Interpret.cpp - Executes a checked program directly ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language, written as a program that walks over the checked tree. It knows
// nothing of processors, array IR or speed: an array is one piece of memory, a
// statement is executed index by index, and everything that the language
// forbids is looked at when it happens. So it is a second opinion on what a
// program means, to which the tests hold the compiler.
//
//     [R] A := B@east * k;      for each index i of R: store (B at i + east)
//                               times k into a temporary
//                               for each index i of R: A at i = temporary at i
//
// The files follow the language: Values/ (3), Regions/ (5 to 7), Expressions
// and Arrays/ (8), Statements and Calls (4), Declarations (2), Io/ (14, 15).
// What their functions share is a Run: the program, its memory and its scopes.
//
// An array expression is evaluated in two steps. What happens once for the
// whole region is prepared: scalars in it, directions, and whole arrays that
// floods, scans, gathers and the like make; then comes the rest, index by
// index.
//
//===----------------------------------------------------------------------===//

#include "zpl/Interpret/Interpret.h"
#include "Calls.h"
#include "Declarations.h"
#include "Errors.h"
#include "Run.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include <csignal>
#include <cstdlib>
#include <cstring>

using namespace llvm;

namespace zpl {

namespace interpreter {

Run::Run(const sema::Program &program, const SourceManager &sources,
         const InterpretOptions &options)
    : program(program), sources(sources), options(options),
      arithmetic(options.fusesMultiplyAdd, options.usesVectorMath),
      files([this](const File &file, int error) {
        fail(*this, file.where,
             "cannot write to " + file.name + ": " + std::strerror(error));
      }) {}

/// Throws EndOfRun where the run ends early.
static void execute(Run &run) {
  std::string error;
  if (!run.configuration.read(run.options.arguments, run.program, error)) {
    errs() << run.program.name << ": error: " << error << '\n';
    throw EndOfRun{2};
  }
  declareGlobals(run);
  invoke(run, run.program.entry->procedure, {},
         run.program.entry->procedure->range);
  flush(run);
}

static void report(Run &run, SourceRange where, const std::string &message,
                   const char *severity = "error") {
  flush(run);
  if (where.isValid()) {
    LineColumn place = run.sources.lineColumn(where);
    errs() << run.sources.name(where.file) << ':' << place.line << ':'
           << place.column << ": ";
  }
  errs() << severity << ": " << message << '\n';
}

void warn(Run &run, SourceRange where, const std::string &message) {
  if (run.files.isNewWarning(where))
    report(run, where, message, "warning");
}

void fail(Run &run, SourceRange where, const std::string &message) {
  report(run, where, message);
  throw EndOfRun{1};
}

/// Calls of the program may use so many bytes of stack from here on; more is
/// an error of the program.
static void setStack(Memory &memory, size_t bytes) {
  memory.stackEnd =
      reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - bytes;
}

/// Stacks grow downward, wherever LLVM runs.
void checkStack(Run &run, const sema::Procedure *procedure) {
  if (reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) >=
      run.memory.stackEnd)
    return;
  LineColumn place = run.sources.lineColumn(procedure->range);
  report(run, SourceRange(),
         "the stack is exhausted at " +
             run.sources.name(procedure->range.file).str() + ":" +
             std::to_string(place.line) + ":" + std::to_string(place.column) +
             ", in procedure '" + procedure->name + "'");
  // Half a million calls would take seconds to be left one by one.
  outs().flush();
  std::_Exit(1);
}

} // namespace interpreter

/// A recursion of the program is one of the interpreter, with larger frames.
static constexpr unsigned StackBytes = 1u << 30;
/// What a statement may need that calls nothing.
static constexpr unsigned StatementBytes = 1u << 24;

int interpret(const sema::Program &program, const SourceManager &sources,
              const InterpretOptions &options) {
  // Failed writes are errors of statements, not signals.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  int status = 0;
  llvm::thread thread(std::optional<unsigned>(StackBytes), [&] {
    interpreter::Run run(program, sources, options);
    setStack(run.memory, StackBytes - StatementBytes);
    try {
      execute(run);
    } catch (const interpreter::EndOfRun &end) {
      status = end.status;
    }
  });
  thread.join();
  return status;
}

} // namespace zpl
