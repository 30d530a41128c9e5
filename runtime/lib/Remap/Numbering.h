//===- Numbering.h - Elements in the order of their places ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_NUMBERING_H
#define ZRT_REMAP_NUMBERING_H

#include "Memory/ElementView.h"
#include "Remap/Messages.h"

namespace zrt {

/// The elements of a view in row-major order, as loops over element numbers
/// want them: in place where they lie side by side, else where the numbers can
/// be translated, else through a copy.
class Numbering {
public:
  /// Of elements of \p size bytes.
  Numbering(const ElementView &view, size_t size);

  /// Numbers are their own translation.
  bool isPlain() const { return way != Way::Spaced; }
  /// Whether \p other translates numbers as this one does.
  bool agreesWith(const Numbering &other) const;
  /// \p numbers for the elements at `elements`, in place; negative ones stay.
  void translate(std::vector<int32_t> &numbers) const;

  /// What numbers count from. A copy is made first if there must be one; what
  /// was stored there is copied back by `finish`.
  char *elements();
  void finish();

private:
  enum class Way { Dense, Spaced, Copied };
  int64_t translated(int64_t number) const;
  template <typename F> void forEachElement(F &&f);

  ElementView view;
  size_t size;
  Way way;
  int64_t step[ZRT_MAX_RANK] = {}; ///< in elements
  Bytes copy;
};

/// The translation of numbers for the array they were last used with.
class Translation {
public:
  /// \p numbers, always the same until `reset`, for elements that are numbered
  /// so; until the next call.
  const int32_t *of(const std::vector<int32_t> &numbers,
                    const Numbering &numbering);
  void reset() { translatedFor.reset(); }

private:
  std::vector<int32_t> translation;
  std::unique_ptr<Numbering> translatedFor;
};

/// Lists of numbers with their translations.
class NumberList {
public:
  void push(int64_t number) { numbers.push_back(static_cast<int32_t>(number)); }
  int64_t size() const { return static_cast<int64_t>(numbers.size()); }
  /// For elements that are numbered so; until the next call.
  const int32_t *in(const Numbering &numbering) {
    return translation.of(numbers, numbering);
  }

  std::vector<int32_t> numbers;

private:
  Translation translation;
};

} // namespace zrt

#endif // ZRT_REMAP_NUMBERING_H
