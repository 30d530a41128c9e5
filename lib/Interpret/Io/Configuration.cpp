//===- Configuration.cpp - Config variables from the command line ---------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments of language section 11. Among `-p4 -sn=10 --name=x -ffile` only
// those that set config variables mean something here: there is one processor.
// Names are looked up at once, so that a mistake ends the run before it starts;
// values are read where the variable is declared.
//
//===----------------------------------------------------------------------===//

#include "Io/Configuration.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace zpl::interpreter {

bool Configuration::readWord(const std::string &word,
                             const sema::Program &program, std::string &error) {
  auto [place, value] = StringRef(word).split('=');
  ConfigSetting setting;
  setting.variable =
      place.take_until([](char c) { return c == '.' || c == '['; });
  setting.path = place.drop_front(setting.variable.size());
  setting.value = value;
  bool isKnown = any_of(program.globals, [&](const sema::Symbol *symbol) {
    auto *variable = dyn_cast<sema::Variable>(symbol);
    return variable && variable->isConfig && variable->name == setting.variable;
  });
  if (!isKnown)
    error = "no config variable is called '" + setting.variable + "'";
  else if (word.find('=') == word.npos)
    error = "'" + word + "' has no value";
  else
    settings.push_back(std::move(setting));
  return error.empty();
}

bool Configuration::readFile(const std::string &name,
                             const sema::Program &program, std::string &error) {
  auto buffer = MemoryBuffer::getFile(name);
  if (!buffer) {
    error = "cannot read '" + name + "': " + buffer.getError().message();
    return false;
  }
  SmallVector<StringRef, 8> words;
  SplitString((*buffer)->getBuffer(), words);
  return all_of(words, [&](StringRef word) {
    return readWord(word.str(), program, error);
  });
}

bool Configuration::read(ArrayRef<std::string> arguments,
                         const sema::Program &program, std::string &error) {
  for (size_t k = 0; k != arguments.size(); ++k) {
    StringRef argument = arguments[k];
    if (argument == "--") {
      words.assign(arguments.begin() + k + 1, arguments.end());
      return true;
    }
    if (argument.starts_with("--transport="))
      continue;
    if (argument.consume_front("--restart=")) {
      restart = argument.str();
      continue;
    }
    if (argument.consume_front("--")) {
      if (!readWord(argument.str(), program, error))
        return false;
      continue;
    }
    bool isOption = argument.consume_front("-") && !argument.empty();
    char letter = isOption ? argument[0] : '\0';
    if (letter == 'q' || letter == 'v')
      continue;
    if (!isOption || !StringRef("prclgsf").contains(letter)) {
      error = "unknown option '" + arguments[k] + "'";
      return false;
    }
    StringRef value = argument.drop_front();
    if (value.empty() && k + 1 != arguments.size())
      value = arguments[++k];
    if (letter == 's' && !readWord(value.str(), program, error))
      return false;
    if (letter == 'f' && !readFile(value.str(), program, error))
      return false;
  }
  return true;
}

std::vector<ConfigSetting>
Configuration::settingsOf(const sema::Variable *variable) const {
  std::vector<ConfigSetting> found;
  for (const ConfigSetting &setting : settings)
    if (setting.variable == variable->name)
      found.push_back(setting);
  return found;
}

} // namespace zpl::interpreter
