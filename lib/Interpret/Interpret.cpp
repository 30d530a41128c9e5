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
// The files follow the language: Values and Arithmetic (3), Regions and
// RegionExpressions (5 to 7), Expressions, ArrayExpressions, Operators and
// Folds (8), Statements and Calls (4), Declarations (2), Output, Input, Formats
// and Files (14, 15).
//
// An array expression is evaluated in two steps. What happens once for the
// whole region is prepared: scalars in it, directions, and whole arrays that
// floods, scans, gathers and the like make; then comes the rest, index by
// index.
//
//===----------------------------------------------------------------------===//

#include "zpl/Interpret/Interpret.h"
#include "Interpreter.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include <csignal>
#include <cstdlib>
#include <cstring>

using namespace llvm;

namespace zpl {

namespace interpreter {

Interpreter::Interpreter(const sema::Program &program,
                         const SourceManager &sources,
                         const InterpretOptions &options)
    : program(program), sources(sources), options(options),
      arithmetic(options.fusesMultiplyAdd),
      files([this](const File &file, int error) {
        fail(file.where,
             "cannot write to " + file.name + ": " + std::strerror(error));
      }) {}

void Interpreter::run() {
  std::string error;
  if (!configuration.read(options.arguments, program, error)) {
    errs() << program.name << ": error: " << error << '\n';
    throw EndOfRun{2};
  }
  declareGlobals();
  invoke(program.entry->procedure, {}, program.entry->procedure->range);
  flush();
}

void Interpreter::report(SourceRange where, const std::string &message) {
  flush();
  if (where.isValid()) {
    LineColumn place = sources.lineColumn(where);
    errs() << sources.name(where.file) << ':' << place.line << ':'
           << place.column << ": ";
  }
  errs() << "error: " << message << '\n';
}

void Interpreter::fail(SourceRange where, const std::string &message) {
  report(where, message);
  throw EndOfRun{1};
}

void Interpreter::setStack(size_t bytes) {
  stackEnd = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - bytes;
}

/// Stacks grow downward, wherever LLVM runs.
void Interpreter::checkStack(const sema::Procedure *procedure) {
  if (reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) >= stackEnd)
    return;
  LineColumn place = sources.lineColumn(procedure->range);
  report(SourceRange(), "the stack is exhausted at " +
                            sources.name(procedure->range.file).str() + ":" +
                            std::to_string(place.line) + ":" +
                            std::to_string(place.column) + ", in procedure '" +
                            procedure->name + "'");
  // Half a million calls would take seconds to be left one by one.
  outs().flush();
  std::_Exit(1);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int64_t Interpreter::boundOf(const sema::TypeBound &bound) {
  if (!bound.variable)
    return bound.value;
  return loadScalar(bound.variable->type, addressOf(bound.variable)).integer;
}

int64_t Interpreter::elementCount(const sema::TypeInfo &array) {
  int64_t count = 1;
  for (auto [lo, hi] : zip(array.lo, array.hi))
    count *= std::max<int64_t>(boundOf(hi) - boundOf(lo) + 1, 0);
  return count;
}

int64_t Interpreter::alignmentOf(Type type) {
  type = storageOf(type);
  if (type == Type::Array)
    return alignmentOf(type.info()->element);
  if (type == Type::Opaque)
    return type.info()->alignment;
  if (type == Type::Timer)
    return alignof(double);
  if (!type.isAggregate())
    return scalarAlignment(type);
  int64_t most = 1;
  for (const sema::TypeField &field : type.info()->fields)
    most = std::max(most, alignmentOf(field.type));
  return most;
}

/// As C lays out a struct. The offset after the last field is its size but for
/// the padding at the end.
int64_t Interpreter::offsetOf(const sema::TypeInfo &record, unsigned field) {
  int64_t offset = 0;
  if (record.kind == Type::Union)
    return offset;
  for (unsigned k = 0; k != field; ++k) {
    offset = alignTo(offset, alignmentOf(record.fields[k].type));
    offset += sizeOf(record.fields[k].type);
  }
  return alignTo(offset, alignmentOf(record.fields[field].type));
}

int64_t Interpreter::sizeOf(Type type) {
  type = storageOf(type);
  if (!type.isAggregate())
    return scalarSize(type);
  const sema::TypeInfo &info = *type.info();
  if (type == Type::Array)
    return elementCount(info) * sizeOf(info.element);
  // In one pass: each field is asked once, so records of records take no longer
  // than they are large.
  int64_t size = 0;
  for (const sema::TypeField &field : info.fields) {
    bool isUnion = type == Type::Union;
    int64_t offset = isUnion ? 0 : alignTo(size, alignmentOf(field.type));
    size = std::max<int64_t>(size, offset + sizeOf(field.type));
  }
  return alignTo(size, alignmentOf(type));
}

Value Interpreter::load(Type type, const char *address) {
  if (!type.isAggregate())
    return loadScalar(type, address);
  Value value;
  value.bytes.assign(address, address + sizeOf(type));
  return value;
}

void Interpreter::store(Type type, char *address, const Value &value) {
  if (!type.isAggregate())
    return storeScalar(type, address, value);
  std::memcpy(address, value.bytes.data(), value.bytes.size());
}

/// Zeroed memory that lives as long as \p owner.
char *Interpreter::allocate(Frame &owner, int64_t size) {
  owner.memory.push_back(std::make_unique<char[]>(size));
  return owner.memory.back().get();
}

/// The one copy of a text.
const std::string *Interpreter::intern(std::string text) {
  return &*strings.insert(std::move(text)).first;
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
    interpreter::Interpreter interpreter(program, sources, options);
    interpreter.setStack(StackBytes - StatementBytes);
    try {
      interpreter.run();
    } catch (const interpreter::EndOfRun &end) {
      status = end.status;
    }
  });
  thread.join();
  return status;
}

} // namespace zpl
