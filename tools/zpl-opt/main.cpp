//===- main.cpp - zpl-opt: array IR in, passes, array IR out --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     zpl-opt --passes=insert-transfers,remove-redundant-transfers x.air
//
// reads the text form of the array IR, verifies it, runs the passes with
// verification after each, and prints the result: the tool with which passes
// are tested one by one. Errors go to standard error as `x.air:12:3: error:
// ...` and end it with status 1; wrong arguments with status 1 as well.
//
//===----------------------------------------------------------------------===//

#include "ExpectErrors.h"
#include "zpl/ArrayIR/Parser.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/Transforms/Pipeline.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;
using namespace zpl;

namespace {

constexpr StringRef Usage =
    R"(usage: zpl-opt [options] file.air | -
  --passes=A,B,...   run these passes in this order ("pipeline": all of them)
  --verify-only      print nothing if the input is good
  --expect-errors    each part of the input (between lines "-- ---") must be
                     rejected as its comment "-- error: TEXT" says
  --remarks[=PASS]   print remarks (of one pass) to standard error
  --counters         print the passes' counters to standard error
  --time             print the passes' times to standard error
  --print-passes     list the passes
)";

struct Options {
  std::string file;
  std::vector<std::string> passes;
  bool verifyOnly = false, expectErrors = false, remarks = false,
       counters = false, time = false;
  std::string remarksOf; ///< empty: all
};

int fail(const Twine &message) {
  errs() << "zpl-opt: error: " << message << '\n';
  return 1;
}

/// Nothing if the run is to go on, else its exit status.
std::optional<int> parseOptions(ArrayRef<const char *> args, Options &options) {
  for (StringRef arg : args) {
    if (arg == "--help" || arg == "-h") {
      outs() << Usage;
      return 0;
    }
    if (arg == "--print-passes") {
      for (const air::PassInfo &pass : air::allPasses())
        outs() << formatv("{0,-28}{1}", pass.name, pass.summary) << '\n';
      return 0;
    }
    if (arg == "--verify-only") {
      options.verifyOnly = true;
    } else if (arg == "--expect-errors") {
      options.expectErrors = true;
    } else if (arg == "--counters") {
      options.counters = true;
    } else if (arg == "--time") {
      options.time = true;
    } else if (arg == "--remarks") {
      options.remarks = true;
    } else if (arg.consume_front("--remarks=")) {
      options.remarks = true;
      options.remarksOf = arg.str();
    } else if (arg.consume_front("--passes=")) {
      for (StringRef name : split(arg, ','))
        options.passes.push_back(name.str());
    } else if (arg.starts_with("-") && arg != "-") {
      return fail("unknown option '" + arg + "'");
    } else if (!options.file.empty()) {
      return fail("more than one input file");
    } else {
      options.file = arg.str();
    }
  }
  if (options.file.empty()) {
    errs() << Usage;
    return 1;
  }
  if (!options.remarksOf.empty() && !air::findPass(options.remarksOf))
    return fail("there is no pass '" + options.remarksOf + "'");
  return std::nullopt;
}

ErrorOr<uint32_t> read(SourceManager &sources, StringRef file) {
  if (file != "-")
    return sources.open(file);
  auto buffer = MemoryBuffer::getSTDIN();
  if (!buffer)
    return buffer.getError();
  return sources.add("<stdin>", (*buffer)->getBuffer());
}

int failAt(const SourceManager &sources, SourceRange where, StringRef message) {
  if (!where.isValid())
    return fail(message);
  LineColumn place = sources.lineColumn(where);
  errs() << sources.name(where.file) << ':' << place.line << ':' << place.column
         << ": error: " << message << '\n';
  return 1;
}

/// Runs what --passes asks for.
bool runPasses(const Options &options, air::Module &module,
               air::PassContext &context) {
  for (StringRef name : options.passes) {
    const air::PassInfo *pass = air::findPass(name);
    if (name == "pipeline") {
      if (!air::runPipeline(module, {}, context))
        return false;
      continue;
    }
    if (!pass) {
      context.error = ("there is no pass '" + name + "'").str();
      return false;
    }
    context.tunes |= name == "keep-ways";
    if (!air::runPass(*pass, module, context))
      return false;
  }
  return true;
}

int run(const Options &options) {
  SourceManager sources;
  ErrorOr<uint32_t> file = read(sources, options.file);
  if (!file)
    return fail("cannot read '" + options.file +
                "': " + file.getError().message());

  if (options.expectErrors)
    return expectErrors(*file, sources) ? 0 : 1;
  std::string error;
  std::unique_ptr<air::Module> module = load(*file, sources, error);
  if (!module) {
    errs() << error << '\n';
    return 1;
  }
  if (options.verifyOnly)
    return 0;

  PhaseTimers timers;
  air::PassContext context;
  context.sources = &sources;
  context.timers = &timers;
  if (options.remarks)
    context.onRemark = [&](const Remark &remark) {
      if (options.remarksOf.empty() || options.remarksOf == remark.pass)
        print(remark, sources, errs());
    };
  bool good = runPasses(options, *module, context);
  if (!good)
    return failAt(sources, context.errorRange, context.error);
  if (options.counters)
    for (const auto &[name, value] : context.counters())
      errs() << value << ' ' << name << '\n';
  if (options.time)
    timers.print(errs());
  air::print(*module, outs());
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (auto status = parseOptions(ArrayRef(argv + 1, argv + argc), options))
    return *status;
  return run(options);
}
