//===- StandardText.cpp - Predeclared names in words ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sema says which names are predeclared and how many arguments they take,
// Standard.def what they are for. Functions on floats, `sinf`, are those on
// doubles with another type, `to_double` and `double` convert.
//
//===----------------------------------------------------------------------===//

#include "StandardText.h"
#include "zpl/Sema/Standard.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zpl::editor {

namespace {
struct Words {
  StringRef parameters, what;
};
} // namespace

static Words wordsOf(StringRef name) {
  return StringSwitch<Words>(name)
#define STANDARD(name, parameters, what) .Case(#name, {parameters, what})
#include "Standard.def"
      .Default({"", ""});
}

std::optional<StandardText> standardText(StringRef name) {
  for (const sema::StandardName &row : sema::standardNames()) {
    if (row.name != name)
      continue;
    Words words = wordsOf(name);
    if (words.what.empty() && row.isFunction && name.ends_with("f"))
      words = wordsOf(name.drop_back());
    if (words.what.empty() && row.isFunction)
      words = {"x", "the value converted to this type"};
    return StandardText{row.isFunction, words.parameters, words.what};
  }
  return std::nullopt;
}

} // namespace zpl::editor
