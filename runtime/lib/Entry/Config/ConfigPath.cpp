//===- ConfigPath.cpp - Parts of config variables -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `-ssize[W].grid[2, 3]=64` sets one number within
//
//     config var size: array [S..A] of record grid: array [1..4, 1..4] of ...
//
// A path is a name and steps: index W, field grid, index 2, index 3. Each array
// type takes as many indices as it has dimensions, each record and union one
// field name, a complex number `re` or `im`; the steps must end where a scalar
// type is reached. Bounds that depend on other config variables are not known
// before those have their values, so a path is followed twice: at the start for
// its names, and where the variable is declared for its offset.
//
//===----------------------------------------------------------------------===//

#include "Entry/Config/ConfigPath.h"

#include "Entry/Config/ConfigValue.h"
#include "Entry/Config/ConfigWords.h"
#include "Layout/Type.h"

#include <algorithm>

namespace zrt {

namespace {

/// Takes `[2, 3]` at \p at of \p text.
bool takeIndices(const std::string &text, size_t &at,
                 std::vector<PathStep> &steps) {
  size_t end = text.find(']', at);
  if (end == text.npos)
    return false;
  for (++at; at <= end;) {
    size_t stop = std::min(text.find(',', at), end);
    std::string index = trimmed(text.substr(at, stop - at));
    if (index.empty())
      return false;
    steps.push_back({false, index});
    at = stop + 1;
  }
  return true;
}

/// Follows one path; the members say where it is.
class Walk {
public:
  Walk(const ConfigPath &path, PathTime time, ConfigPart &part,
       std::string &error)
      : path(path), time(time), part(part), error(error) {}

  bool run() {
    while (next < path.steps.size())
      if (!(path.steps[next].isField ? takeField() : takeIndices()))
        return false;
    return checkEnd();
  }

private:
  bool fail(const std::string &message) {
    error = message;
    return false;
  }
  /// "config variable 'p.a' has type point"
  std::string subject() const {
    return "config variable '" + where + "' has type " + typeText(*part.type);
  }
  bool takeField();
  bool takeComponent();
  bool takeIndices();
  bool takeIndex(const zrt_type &array, int32_t dim, int64_t &position);
  bool checkEnd();

  const ConfigPath &path;
  PathTime time;
  ConfigPart &part;
  std::string &error;
  size_t next = 0;               ///< step to take
  std::string where = path.name; ///< what the steps so far lead to
};

std::string fieldNames(const zrt_type &type) {
  std::string names;
  for (int32_t k = 0; k < type.count; ++k)
    names += (k == 0 ? "" : ", ") + std::string(type.fields[k].name);
  return names;
}

/// The type of the parts of a complex type, or null.
const zrt_type *componentType(const zrt_type &type) {
  static const auto real = [](zrt_kind kind, int64_t size, const char *name) {
    zrt_type type = {};
    type.kind = kind;
    type.size = size;
    type.name = name;
    return type;
  };
  static const zrt_type single = real(ZRT_F32, sizeof(float), "float");
  static const zrt_type twice = real(ZRT_F64, sizeof(double), "double");
  static const zrt_type quad = real(ZRT_F80, sizeof(long double), "quad");
  switch (type.kind) {
  case ZRT_C32:
    return &single;
  case ZRT_C64:
    return &twice;
  case ZRT_C80:
    return &quad;
  }
  return nullptr;
}

bool Walk::takeComponent() {
  const std::string &name = path.steps[next].text;
  const zrt_type *component = componentType(*part.type);
  if (!component)
    return fail(subject() + ", which has no fields");
  if (name != "re" && name != "im")
    return fail(subject() + ", which has no field '" + name +
                "'; it has: re, im");
  part.offset += name == "im" ? component->size : 0;
  part.type = component;
  return true;
}

bool Walk::takeField() {
  const zrt_type &type = *part.type;
  const std::string &name = path.steps[next].text;
  if (type.kind != ZRT_RECORD && type.kind != ZRT_UNION) {
    if (!takeComponent())
      return false;
  } else {
    const zrt_field *field = findField(type, name);
    if (!field)
      return fail(subject() + ", which has no field '" + name +
                  "'; it has: " + fieldNames(type));
    part.offset += field->offset;
    part.type = field->type;
  }
  where += "." + name;
  ++next;
  return true;
}

/// Takes the indices of one array type, row-major.
bool Walk::takeIndices() {
  const zrt_type &array = *part.type;
  if (array.kind != ZRT_ARRAY)
    return fail(subject() + ", which has no elements");
  int64_t element = 0;
  for (int32_t d = 0; d < array.count; ++d, ++next) {
    if (next == path.steps.size() || path.steps[next].isField)
      return fail(subject() + ", so '" + where + "' needs " +
                  std::to_string(array.count) + " indices");
    int64_t position = 0;
    if (!takeIndex(array, d, position))
      return false;
    if (time == PathTime::Declared)
      element =
          element * (array.bounds[d].hi - array.bounds[d].lo + 1) + position;
  }
  where += "[";
  for (int32_t d = 0; d < array.count; ++d)
    where += (d == 0 ? "" : ", ") + path.steps[next - array.count + d].text;
  where += "]";
  part.offset += element * array.element->size;
  part.type = array.element;
  return true;
}

/// Reads the index of dimension \p dim; \p position counts from its low bound.
bool Walk::takeIndex(const zrt_type &array, int32_t dim, int64_t &position) {
  const zrt_type *enumeration = indexType(array, dim);
  const std::string &text = path.steps[next].text;
  int64_t index = 0;
  if (enumeration) {
    const zrt_enumerator *found = findEnumerator(*enumeration, text);
    if (!found)
      return fail(subject() + ", which has no element '" + text +
                  "'; indices are " + typeDefinition(*enumeration));
    index = found->value;
  } else if (!readIndex(text, index)) {
    return fail(subject() + ": '" + text + "' is not an integer index");
  }
  if (time == PathTime::Start && !boundsKnown(array))
    return true;
  zrt_range bounds = array.bounds[dim];
  if (index < bounds.lo || index > bounds.hi)
    return fail(subject() + ": index " + text + " is outside " +
                indexText(enumeration, bounds.lo) + ".." +
                indexText(enumeration, bounds.hi));
  position = index - bounds.lo;
  return true;
}

/// The indices of an element of \p array, as an example.
std::string firstIndices(const zrt_type &array) {
  std::string text;
  for (int32_t d = 0; d < array.count; ++d) {
    text += d == 0 ? "" : ", ";
    text += boundsKnown(array)
                ? indexText(indexType(array, d), array.bounds[d].lo)
                : "i";
  }
  return text;
}

/// The part reached must be one that has literals.
bool Walk::checkEnd() {
  const zrt_type &type = *part.type;
  if (type.kind == ZRT_RECORD || type.kind == ZRT_UNION)
    return fail(subject() + ": give its fields, " + where + "." +
                (type.count > 0 ? type.fields[0].name : "") + "=...");
  if (type.kind == ZRT_ARRAY)
    return fail(subject() + ": give its elements, " + where + "[" +
                firstIndices(type) + "]=...");
  if (type.kind == ZRT_FILE || type.kind == ZRT_OPAQUE)
    return fail(subject() + ", which has no literals");
  return true;
}

} // namespace

bool splitPath(const std::string &text, ConfigPath &path, std::string &error) {
  path.text = text;
  size_t at = std::min(text.find_first_of(".["), text.size());
  path.name = text.substr(0, at);
  bool good = !path.name.empty();
  while (good && at < text.size()) {
    if (text[at] == '[') {
      good = takeIndices(text, at, path.steps);
    } else if (text[at] == '.') {
      size_t stop = std::min(text.find_first_of(".[", at + 1), text.size());
      path.steps.push_back({true, text.substr(at + 1, stop - at - 1)});
      good = stop > at + 1;
      at = stop;
    } else {
      good = false;
    }
  }
  if (!good)
    error = "'" + text +
            "' is not a config variable, a field v.f or an "
            "element v[i, j]";
  return good;
}

bool findPart(const zrt_type &type, const ConfigPath &path, PathTime time,
              ConfigPart &part, std::string &error) {
  part.type = &type;
  part.offset = 0;
  return Walk(path, time, part, error).run();
}

} // namespace zrt
