//===- Checkpoint.h - Files of a program's state ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_CHECKPOINT_H
#define ZRT_FORMATS_CHECKPOINT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zrt {

/// The sum of the bytes of an item. Parts may be added in any order, on any
/// processor; the sums of parts add up to that of the whole.
class ImageSum {
public:
  /// Adds \p bytes bytes that lie \p offset bytes after the item's start. Cost:
  /// a multiplication for four bytes.
  void add(const char *data, size_t bytes, int64_t offset);

  uint64_t value = 0;
};

/// A sum that is being made, and where the next bytes belong.
struct ItemSum {
  ImageSum sum;
  int64_t at = 0; ///< bytes from the item's start

  void append(const char *data, size_t bytes) {
    sum.add(data, bytes, at);
    at += static_cast<int64_t>(bytes);
  }
};

/// A variable, array or pattern in a checkpoint.
struct CheckpointItem {
  std::string name;
  std::string type;    ///< of a value or element, records written out
  std::string shape;   ///< "[1..8, 1..8]"; of a variable ""
  int64_t element = 0; ///< bytes of a value or element
  int64_t offset = 0;  ///< in the file
  int64_t bytes = 0;
  uint64_t sum = 0;
};

/// What a checkpoint says of itself.
struct CheckpointDirectory {
  std::string program;        ///< its name
  uint64_t randomNumbers = 0; ///< how often it had called random()
  std::vector<CheckpointItem> items;

  /// The item called \p name; null if there is none.
  const CheckpointItem *find(std::string_view name) const;
};

/// The bytes in front of the first item.
inline constexpr int64_t CheckpointPreamble = 64;
/// Items begin at multiples of this.
inline constexpr int64_t CheckpointAlignment = 64;

/// The directory as text, which stands behind the items.
std::string directoryText(const CheckpointDirectory &directory);

/// The CheckpointPreamble bytes that make a file with the directory \p text at
/// \p offset a checkpoint.
std::string preambleText(const std::string &text, int64_t offset);

/// Where a directory lies.
struct DirectoryPlace {
  int64_t offset = 0, bytes = 0;
  uint64_t sum = 0;
};

/// Takes the first bytes of a file of \p size bytes apart. What is wrong, as
/// the rest of a sentence that begins with the file's name, or "".
std::string readPreamble(std::string_view bytes, int64_t size,
                         DirectoryPlace &place);

/// Takes the text at \p place apart; likewise.
std::string readDirectory(const std::string &text, const DirectoryPlace &place,
                          CheckpointDirectory &directory);

/// Why \p found, of a checkpoint, is not \p wanted, which the program declares,
/// as the rest of a sentence that begins with the file's name; "" if it is. Of
/// \p wanted the name, type, shape and size of an element count.
std::string itemMisfit(const CheckpointItem &found,
                       const CheckpointItem &wanted);

/// What is said of files that lack an item, or have one too many.
std::string missingItem(const std::string &name);
std::string foreignItem(const std::string &name);
/// What is said where the sum of an item is not that in the directory.
std::string damagedItem(const std::string &name);

/// Where the new checkpoint \p path is until it is whole.
std::string unfinishedName(const std::string &path);

/// Gives a checkpoint that is whole and closed its name, for good: forces the
/// folder to the disk, too. errno, or 0.
int publishCheckpoint(const std::string &path);

} // namespace zrt

#endif // ZRT_FORMATS_CHECKPOINT_H
