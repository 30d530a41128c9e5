//===- Defaults.cpp - Defaults from the command line ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     config var n: integer = 100;  name: string = "plate";  c: class = S;
//
//     zplc -D n=1000 -D name=disk -D c=W plate.z
//
// A value is a literal of the variable's type as a run's command line has it
// (language 11): strings and enumerators without quotes. It takes the place of
// the initializer, which is checked all the same.
//
//===----------------------------------------------------------------------===//

#include "Statements/Defaults.h"
#include "Check/Checking.h"
#include "Types/Types.h"
#include "llvm/ADT/StringExtras.h"

namespace zpl::sema {

namespace {

/// A character as on the command line: `c` or `'c'`.
std::optional<int64_t> characterOf(llvm::StringRef text) {
  if (text.size() == 3 && text.front() == '\'' && text.back() == '\'')
    text = text.substr(1, 1);
  if (text.size() != 1)
    return std::nullopt;
  return static_cast<unsigned char>(text.front());
}

/// An integer of \p type; none if it is malformed or out of range.
std::optional<int64_t> integerOf(llvm::StringRef text, Type type) {
  if (type == Type::Char)
    return characterOf(text);
  unsigned width = widthOf(type);
  uint64_t magnitude = 0;
  bool isNegative = text.consume_front("-");
  bool isHex = text.starts_with_insensitive("0x");
  if (text.empty() || !llvm::isDigit(text.front()) ||
      (isHex ? text.substr(2) : text).getAsInteger(isHex ? 16 : 10, magnitude))
    return std::nullopt;
  uint64_t most = isSigned(type) ? (uint64_t(1) << (width - 1)) - 1
                                 : ~uint64_t(0) >> (64 - width);
  if (isNegative && !isSigned(type) && magnitude != 0)
    return std::nullopt;
  if (magnitude > most + (isNegative && isSigned(type)))
    return std::nullopt;
  return static_cast<int64_t>(isNegative ? 0 - magnitude : magnitude);
}

} // namespace

/// The literal of \p type that \p text is, or null.
static const Expr *literalOf(Checking &c, llvm::StringRef text, Type type,
                             SourceRange range) {
  if (type == Type::String)
    return c.build.string(text, range);
  if (type == Type::Boolean) {
    if (text == "true" || text == "false")
      return c.build.integer(text == "true", type, range);
    return nullptr;
  }
  if (type == Type::Enum) {
    for (const TypeEnumerator &value : type.info()->enumerators)
      if (value.name == text)
        return c.build.integer(value.value, type, range);
    return nullptr;
  }
  if (type == Type::Char || type.isInteger()) {
    std::optional<int64_t> value = integerOf(text, type);
    return value ? c.build.integer(*value, type, range) : nullptr;
  }
  double number = 0;
  if (!type.isFloating() || text.getAsDouble(number))
    return nullptr;
  return c.build.cast(c.build.number(number, Type::Double, range), type);
}

void overrideDefault(Checking &c, Variable &variable) {
  for (size_t i = 0; i != c.options.defaults.size(); ++i) {
    auto &[name, text] = c.options.defaults[i];
    if (name != variable.name)
      continue;
    c.handled.defaults.insert(i);
    const Expr *value = literalOf(c, text, variable.type, variable.range);
    if (!value && variable.type != Type::Error) {
      c.diags
          .report(variable.range, Diag::DefaultValue, name, text,
                  sema::text(variable.type))
          .done();
      continue;
    }
    variable.init = value;
    variable.setup.clear();
    variable.configDefault = text;
  }
}

void checkDefaults(Checking &c) {
  for (size_t i = 0; i != c.options.defaults.size(); ++i) {
    if (c.handled.defaults.contains(i))
      continue;
    llvm::StringRef name = c.options.defaults[i].first;
    std::string known;
    for (const Symbol *global : c.program.globals)
      if (auto *variable = llvm::dyn_cast<Variable>(global);
          variable && variable->isConfig)
        known += (known.empty() ? "" : ", ") + variable->name;
    c.diags
        .report(SourceRange(), Diag::UnknownDefault, name,
                known.empty() ? "the program has none"
                              : "the program has " + known)
        .done();
  }
}

} // namespace zpl::sema
