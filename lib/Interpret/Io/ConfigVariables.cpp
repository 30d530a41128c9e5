//===- ConfigVariables.cpp - Values from the command line -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A config variable gets its default, unless all of it is given, and then what
// the command line sets:
//
//     -sn=10              the variable n
//     -sorigin.x=1        the field x of a record
//     -ssize[W]=64        an element, by number or enumeration name
//
// A path is followed to its place step by step, as the language would.
//
//===----------------------------------------------------------------------===//

#include "Io/ConfigVariables.h"
#include "Declarations.h"
#include "Errors.h"
#include "Io/Checkpoints.h"
#include "Memory.h"
#include "Run.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace zpl::interpreter {

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

static std::optional<Value> readInteger(Type type, StringRef text) {
  bool isNegative = text.consume_front("-");
  if (!isNegative)
    text.consume_front("+");
  unsigned base = text.consume_front_insensitive("0x") ? 16 : 10;
  uint64_t magnitude = 0;
  if (text.getAsInteger(base, magnitude))
    return std::nullopt;
  uint64_t greatest = ~uint64_t(0) >> (64 - scalarBits(type));
  if (!isUnsigned(type))
    greatest = greatest / 2 + isNegative;
  else if (isNegative)
    greatest = 0;
  if (magnitude > greatest)
    return std::nullopt;
  return integerValue(wrapTo(type, isNegative ? 0 - magnitude : magnitude));
}

/// In the type itself, so that the number is rounded once.
static std::optional<Value> readFloating(Type type, const std::string &text) {
  char *end = nullptr;
  long double number = type == Type::Float ? std::strtof(text.c_str(), &end)
                       : type == Type::Double
                           ? std::strtod(text.c_str(), &end)
                           : std::strtold(text.c_str(), &end);
  if (text.empty() || *end != 0)
    return std::nullopt;
  return floatingValue(number);
}

/// A boolean, char or enumeration.
static std::optional<Value> readWord(Type type, StringRef text) {
  if (type == Type::Boolean) {
    if (text != "true" && text != "false")
      return std::nullopt;
    return integerValue(text == "true");
  }
  if (type == Type::Char) {
    if (text.size() == 3 && text.front() == '\'' && text.back() == '\'')
      text = text.slice(1, 2);
    if (text.size() != 1)
      return std::nullopt;
    return integerValue(uint8_t(text[0]));
  }
  for (const sema::TypeEnumerator &named : type.info()->enumerators)
    if (named.name == text)
      return integerValue(named.value);
  return std::nullopt;
}

[[noreturn]] static void rejectSetting(Run &run, const std::string &name,
                                       const std::string &why);
static bool followPath(Run &run, llvm::StringRef &path, Type &type,
                       char *&address);

/// Complex values, records and arrays are set part by part.
static std::optional<Value> literal(Memory &memory, Type type, StringRef text) {
  if (type == Type::String) {
    Value value;
    value.text = intern(memory, text.str());
    return value;
  }
  if (type.isInteger())
    return readInteger(type, text);
  if (type.isFloating())
    return readFloating(type, text.str());
  if (type == Type::Boolean || type == Type::Char || type == Type::Enum)
    return readWord(type, text);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

void configure(Run &run, const sema::Variable *variable) {
  std::vector<ConfigSetting> settings = run.configuration.settingsOf(variable);
  bool isGiven = any_of(settings, [](const ConfigSetting &setting) {
    return setting.path.empty();
  });
  if (!isGiven) {
    initialize(run, variable);
    restoreConfig(run, variable);
  }
  for (const ConfigSetting &setting : settings) {
    Type type = variable->type;
    char *address = addressOf(run, variable);
    std::string name = setting.variable + setting.path;
    StringRef path = setting.path;
    while (!path.empty())
      if (!followPath(run, path, type, address))
        rejectSetting(run, name, "has no such part");
    std::optional<Value> value = literal(run.memory, type, setting.value);
    if (!value)
      rejectSetting(run, name,
                    "has type " + sema::text(type) + ": '" + setting.value +
                        "' is no value of it");
    storeScalar(type, address, *value);
  }
}

[[noreturn]] static void rejectSetting(Run &run, const std::string &name,
                                       const std::string &why) {
  flush(run);
  errs() << run.program.name << ": error: config variable '" << name << "' "
         << why << '\n';
  throw EndOfRun{2};
}

/// Takes one step, `.x` or `[i, j]`, of \p path; false if there is no such
/// part.
static bool followPath(Run &run, StringRef &path, Type &type, char *&address) {
  bool isField = path.consume_front(".");
  if (!type.isAggregate() || isField == (type == Type::Array))
    return false;
  const sema::TypeInfo &info = *type.info();
  if (isField) {
    StringRef name =
        path.take_while([](char c) { return c != '.' && c != '['; });
    path = path.drop_front(name.size());
    for (auto [k, field] : enumerate(info.fields))
      if (field.name == name) {
        address += offsetOf(run, info, k);
        type = field.type;
        return true;
      }
    return false;
  }
  path.consume_front("[");
  auto [list, rest] = path.split(']');
  path = rest;
  SmallVector<StringRef, 4> subscripts;
  list.split(subscripts, ',');
  if (subscripts.size() != info.lo.size())
    return false;
  int64_t position = 0;
  for (auto [d, text] : enumerate(subscripts)) {
    bool isEnum = info.index[d] == Type::Enum;
    std::optional<Value> index = literal(
        run.memory, isEnum ? info.index[d] : Type(Type::Longint), text.trim());
    int64_t lo = boundOf(run, info.lo[d]), hi = boundOf(run, info.hi[d]);
    if (!index || index->integer < lo || index->integer > hi)
      return false;
    position = position * (hi - lo + 1) + index->integer - lo;
  }
  address += position * sizeOf(run, info.element);
  type = info.element;
  return true;
}

} // namespace zpl::interpreter
