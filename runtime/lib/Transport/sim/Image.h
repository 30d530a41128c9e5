//===- Image.h - Each processor's copy of the variables ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SIM_IMAGE_H
#define ZRT_TRANSPORT_SIM_IMAGE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace zrt::sim {

/// A piece of memory that processors share by turns.
struct MemoryRange {
  char *begin = nullptr;
  size_t bytes = 0;
};

/// The writable variables of the executable: of the program, of C that is linked
/// into it and of the runtime; not those of shared libraries.
std::vector<MemoryRange> executableVariables();

/// What one processor has in the places of the variables that differ.
using OwnValues = std::vector<char>;

/// Variables of which each processor has its own values. They have one place;
/// whoever runs has its values there.
class Image {
public:
  /// All processors begin with what is in \p ranges now.
  explicit Image(const std::vector<MemoryRange> &ranges);

  /// Keeps the values that are there as \p values.
  void save(OwnValues &values);
  /// Puts \p values there, or for new ones what all began with.
  void load(OwnValues &values);

  /// Bytes that a processor keeps: those that any has changed so far.
  size_t ownBytes() const { return own; }
  /// Bytes of all variables.
  size_t allBytes() const { return all; }

private:
  /// Values are compared and kept in pieces of this size.
  static constexpr size_t LineBytes = 64;

  /// A part of a range, and where its first values are.
  struct Part {
    char *memory;
    const char *first;
    size_t bytes;
  };
  void findChanges();
  void cut(size_t part);
  void addOwn(const Part &part);

  std::vector<char> initial; ///< what all began with
  std::vector<Part> common;  ///< what nobody has changed
  std::vector<Part> changed; ///< in the order in which values are kept
  size_t own = 0, all = 0;
};

} // namespace zrt::sim

#endif // ZRT_TRANSPORT_SIM_IMAGE_H
