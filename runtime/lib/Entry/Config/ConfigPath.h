//===- ConfigPath.h - Parts of config variables -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_CONFIG_CONFIGPATH_H
#define ZRT_ENTRY_CONFIG_CONFIGPATH_H

#include "zrt/Abi.h"

#include <string>
#include <vector>

namespace zrt {

/// One step from a value to a part of it: a field, or an index of one
/// dimension.
struct PathStep {
  bool isField = false;
  std::string text; ///< the field's name, or the index as it was written
};

/// `size[W, 2].x`: a config variable or a part of one.
struct ConfigPath {
  std::string text; ///< all of it, as it was written
  std::string name; ///< the variable
  std::vector<PathStep> steps;
};

/// Splits \p text. `a[i][j]` and `a[i, j]` have the same steps. False, with a
/// sentence in \p error, if it is no path.
bool splitPath(const std::string &text, ConfigPath &path, std::string &error);

/// When a path is followed.
enum class PathTime {
  Start,   ///< offsets and some bounds are not known: the types are checked
  Declared ///< the program has filled them in
};

/// The scalar part of a value that a path leads to.
struct ConfigPart {
  const zrt_type *type = nullptr;
  int64_t offset = 0; ///< from the value's start; meaningful when Declared
};

/// Follows \p path from a value of \p type. False, with a sentence in \p error
/// that says what there is, if it leads out of the type or an array's bounds,
/// or does not end at a scalar.
bool findPart(const zrt_type &type, const ConfigPath &path, PathTime time,
              ConfigPart &part, std::string &error);

} // namespace zrt

#endif // ZRT_ENTRY_CONFIG_CONFIGPATH_H
