//===- ConfigWords.h - NAME=VALUE words of a file ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_CONFIG_CONFIGWORDS_H
#define ZRT_ENTRY_CONFIG_CONFIGWORDS_H

#include <string>
#include <string_view>
#include <vector>

namespace zrt {

/// A word of a file, without its quotes, and the line it starts on, from 1.
struct ConfigWord {
  std::string text;
  int line = 0;
};

/// Splits the contents of a file of -f into words. False if a quoted part does
/// not end on its line or holds an escape that C does not have, with a sentence
/// in \p error and the line in \p line.
bool splitWords(std::string_view contents, std::vector<ConfigWord> &words,
                std::string &error, int &line);

/// \p text without the blanks around it.
std::string trimmed(const std::string &text);

/// Takes the C escape that \p text starts with, such as \n, \101 or \x42, from
/// its front. False if it is none; then nothing is taken.
bool takeEscape(std::string_view &text, char &value);

} // namespace zrt

#endif // ZRT_ENTRY_CONFIG_CONFIGWORDS_H
