//===- Dependencies.cpp - What an output was made of ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// -MD and its like: a rule for make or Ninja with every file that a compilation
/// read, so that they know when to compile again. `zplc -MD heat.z -o heat`
/// with `#include "borders.z"`, `extern header "flux.h"` and an input flux.c
/// writes heat.d:
///
///     heat: heat.z borders.z flux.h flux.c flux.h
///
/// (each name once). What Clang reads for C inputs comes from a rule that it
/// writes. Names are escaped as Clang and GCC do it: blanks and # by a backslash,
/// whose backslashes before are doubled, and $ by another one.
///
/// The file appears when the output has been made. Cost: linear in the names.
///
//===----------------------------------------------------------------------===//

#include "Dependencies.h"
#include "OptionTable.h"
#include "Output.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace path = llvm::sys::path;

namespace zpl::driver {

/// As a name of a file stands in a rule.
static std::string escape(StringRef name) {
  std::string result;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == ' ' || name[i] == '#') {
      for (size_t j = i; j > 0 && name[j - 1] == '\\'; --j)
        result += '\\';
      result += '\\';
    } else if (name[i] == '$') {
      result += '$';
    }
    result += name[i];
  }
  return result;
}

/// Beside the output if that is a file, else beside nothing: p.d.
static std::string defaultFile(const Options &options) {
  sys::fs::file_status status;
  bool isFile =
      options.output != "-" && (sys::fs::status(options.output, status) ||
                                sys::fs::is_regular_file(status));
  SmallString<128> result(isFile ? options.output : options.source);
  if (!isFile)
    result = options.source.empty() || options.source == "-"
                 ? "a"
                 : path::filename(options.source);
  path::replace_extension(result, "d");
  return result.str().str();
}

/// What the rule is about without -MT: what would be made.
static std::string defaultTarget(const Options &options) {
  if (!options.dependencies.isAlone)
    return options.output;
  return (options.source == "-" ? "-"
                                : path::stem(options.source).str() + ".o");
}

static bool checkFile(const Options &options, const opt::InputArgList &args) {
  StringRef file = options.dependencies.file;
  auto fail = [&](const Twine &message) {
    reportError(message);
    return false;
  };
  if (file.empty())
    return fail("no file name after '-MF'");
  if (file == "-")
    return options.dependencies.isAlone ||
           fail("the rule of -MD cannot be written to standard output");
  StringRef suffix = path::extension(file);
  if (suffix == ".z" || suffix == ".air" || suffix == ".c")
    return fail("'" + file + "', for dependencies, has the name of a source");
  if (file == options.output && !options.dependencies.isAlone)
    return fail("'" + file + "' is the output and the file of dependencies");
  for (const opt::Arg *arg : args.filtered(OPT_INPUT))
    if (sys::fs::equivalent(arg->getValue(), file))
      return fail("'" + file + "', for dependencies, would replace an input");
  if (std::error_code error = checkOutputPlace(file))
    return fail("cannot write '" + file + "': " + error.message());
  return true;
}

bool readDependencyOptions(const opt::InputArgList &args, Options &options) {
  DependencyOptions &result = options.dependencies;
  result.isWanted = args.hasArg(OPT_M, OPT_MM, OPT_MD, OPT_MMD);
  result.isAlone = args.hasArg(OPT_M, OPT_MM);
  result.hasSystem = !args.hasArg(OPT_MM, OPT_MMD);
  result.hasPhonies = args.hasArg(OPT_MP);
  if (const opt::Arg *arg = args.getLastArg(OPT_MF, OPT_MT, OPT_MQ, OPT_MP);
      arg && !result.isWanted) {
    reportError("'" + arg->getSpelling() +
                "' is about a rule that none of -M, -MM, -MD, -MMD asks for");
    return false;
  }
  if (!result.isWanted)
    return true;
  if (options.interpret) {
    reportError("--interpret makes nothing that a rule could be about");
    return false;
  }
  for (const opt::Arg *arg : args.filtered(OPT_MT, OPT_MQ))
    result.targets.push_back(arg->getOption().matches(OPT_MQ)
                                 ? escape(arg->getValue())
                                 : arg->getValue());
  if (result.targets.empty())
    result.targets.push_back(escape(defaultTarget(options)));
  if (const opt::Arg *arg = args.getLastArg(OPT_MF))
    result.file = arg->getValue();
  else if (result.isAlone)
    result.file = args.getLastArgValue(OPT_o, "-");
  else
    result.file = defaultFile(options);
  return checkFile(options, args);
}

void Dependencies::add(StringRef path) {
  // make has no two names for one file.
  StringRef clean = path;
  while (clean.consume_front("./"))
    clean = clean.ltrim('/');
  if (path != "<stdin>" && known.insert(clean).second)
    files.push_back(clean.str());
}

void Dependencies::addRule(StringRef rule) {
  std::string name;
  auto finish = [&] {
    if (!name.empty())
      add(name);
    name.clear();
  };
  StringRef rest = rule.split(": ").second;
  for (; !rest.empty(); rest = rest.drop_front()) {
    if (rest.starts_with("\\ ") || rest.starts_with("\\#") ||
        rest.starts_with("$$"))
      rest = rest.drop_front();
    else if (rest.starts_with("\\\n") || isSpace(rest.front())) {
      finish();
      continue;
    }
    name += rest.front();
  }
  finish();
}

std::string dependencyRule(const Options &options,
                           const Dependencies &dependencies) {
  constexpr size_t lineLength = 78;
  const DependencyOptions &how = options.dependencies;
  std::string result = join(how.targets, " ") + ":";
  size_t column = result.size();
  for (const std::string &file : dependencies.files) {
    std::string name = " " + escape(file);
    if (column + name.size() > lineLength) {
      result += " \\\n ";
      column = 1;
    }
    result += name;
    column += name.size();
  }
  result += '\n';
  if (how.hasPhonies)
    for (const std::string &file : dependencies.files)
      if (file != options.source)
        result += "\n" + escape(file) + ":\n";
  return result;
}

bool writeDependencies(const Options &options,
                       const Dependencies &dependencies) {
  const DependencyOptions &how = options.dependencies;
  if (!how.isWanted || options.dryRun)
    return true;
  for (const std::string &file : dependencies.files)
    if (sys::fs::equivalent(file, how.file)) {
      reportError("'" + how.file +
                  "', for dependencies, would replace an input");
      return false;
    }
  return writeOutput(how.file, dependencyRule(options, dependencies));
}

} // namespace zpl::driver
