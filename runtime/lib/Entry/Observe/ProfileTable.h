//===- ProfileTable.h - All processors' costs, a table ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_OBSERVE_PROFILETABLE_H
#define ZRT_ENTRY_OBSERVE_PROFILETABLE_H

#include "Entry/Observe/Profile.h"
#include "Report/Run.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace zrt {

/// The rows of one processor as bytes, for ProfileTable::add on another one.
std::string packProfile(const std::vector<ProfileRow> &rows);

/// Adds up what several processors have counted, by line, operation and
/// domain: statements of one line that do the same are one row.
class ProfileTable {
public:
  /// Adds one processor, of which packProfile has made \p packed.
  void add(std::string_view packed);

  /// The table that --profile prints, below the line \p title.
  std::string text(const std::string &title) const;
  /// Has the rows and the sums in \p run.
  void fill(report::Run &run) const;

private:
  struct Row {
    uint64_t calls = 0;    ///< of the processor with the most
    uint64_t messages = 0; ///< of all
    uint64_t bytes = 0;
    double computing = 0; ///< sum over processors
    double most = 0;      ///< of one processor
    double inside[OperationParts] = {};

    double waiting() const;
    double seconds() const { return computing + waiting(); }
  };
  /// File, line, operation, domain.
  using Key = std::tuple<std::string, int32_t, OperationKind, std::string>;
  using Entry = std::pair<const Key, Row>;

  std::vector<const Entry *> sorted() const;
  Row total() const;
  std::string shares() const;
  std::string transferParts() const;

  int processors = 0;
  std::map<Key, Row> rows;
  double mostComputing = 0; ///< of one processor in all rows
};

} // namespace zrt

#endif // ZRT_ENTRY_OBSERVE_PROFILETABLE_H
