//===- Positions.h - Bytes of a text, and what editors count ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_EDITOR_POSITIONS_H
#define ZPL_EDITOR_POSITIONS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace zpl::editor {

/// A place as the protocol counts: lines, and in them UTF-16 code units, both
/// from 0.
struct Position {
  unsigned line = 0;
  unsigned character = 0;
  bool operator==(const Position &other) const = default;
};

struct Range {
  Position start, end; ///< the end is exclusive
};

/// Where the lines of a text begin. A line ends after "\n".
class LineTable {
public:
  /// \p text must outlive the table.
  explicit LineTable(llvm::StringRef text);

  /// The byte at a place; beyond the end of a line or of the text, that end. A
  /// place within a surrogate pair is its beginning.
  uint32_t offset(Position position) const;
  /// The place of a byte; one beyond the end is the end. A byte that is no
  /// UTF-8 counts as one unit.
  Position position(uint32_t offset) const;
  /// The places of both ends.
  Range range(uint32_t begin, uint32_t end) const {
    return {position(begin), position(end)};
  }
  /// The number of lines, at least 1; a text that ends in "\n" has an empty
  /// last one.
  unsigned lines() const { return static_cast<unsigned>(starts.size()); }
  /// A line without its end, "\r\n" as well.
  llvm::StringRef line(unsigned number) const;

private:
  llvm::StringRef text;
  std::vector<uint32_t> starts;
};

/// Replaces what stands between two places; if they are in the wrong order, what
/// stands between them in the right one.
void replaceRange(std::string &text, const Range &range,
                  llvm::StringRef replacement);

/// How many UTF-16 units \p text has.
unsigned utf16Length(llvm::StringRef text);

/// "file:///a%20b.z" as a path; what is no such URI as it is.
std::string pathOfUri(llvm::StringRef uri);
/// A path, made absolute, as a URI.
std::string uriOfPath(llvm::StringRef path);

} // namespace zpl::editor

#endif // ZPL_EDITOR_POSITIONS_H
