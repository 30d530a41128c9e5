//===- ReportFile.h - A file that a run writes about itself -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_OBSERVE_REPORTFILE_H
#define ZRT_ENTRY_OBSERVE_REPORTFILE_H

#include <string>
#include <string_view>

namespace zrt {

/// Opened when the run starts, so that a path that is no good is found before
/// anything is computed, and written when it ends.
class ReportFile {
public:
  ReportFile() = default;
  ~ReportFile();
  ReportFile(const ReportFile &) = delete;
  ReportFile &operator=(const ReportFile &) = delete;

  /// Makes the file if there is none; what it holds stays until the first
  /// write. False, with the reason in \p error, if it cannot be written.
  bool open(const std::string &path, std::string &error);
  bool isOpen() const { return file >= 0; }
  /// Whether `open` has made it.
  bool isMade() const { return isNew; }
  /// Whether both are open and the same file.
  bool isSame(const ReportFile &other) const;

  /// Appends to what was written before. After a failure nothing more is
  /// written.
  void write(std::string_view text);
  /// Whether all could be written; if not, why.
  bool close(std::string &error);
  /// Closes the file, and removes it if `open` has made it.
  void discard();

private:
  std::string path;
  int file = -1;
  bool isNew = false, isWritten = false;
  int failure = 0; ///< errno of the first failure
};

} // namespace zrt

#endif // ZRT_ENTRY_OBSERVE_REPORTFILE_H
