//===- FileTable.h - The program's files ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_FILETABLE_H
#define ZRT_IO_FILETABLE_H

#include "IO/File.h"

#include <memory>
#include <set>
#include <vector>

namespace zrt {

/// All files of the program, by the numbers that its file variables hold.
/// Equal on all processors. Failed opens are numbered below 0.
class FileTable {
public:
  FileTable();
  /// Where plug-ins for formats of files are.
  std::string plugins;

  /// Collective. \p mode is an enum zrt_open_mode. Messages call it \p shown;
  /// null: by its path.
  zrt_file open(Transport &transport, const char *path, int32_t mode,
                const char *shown = nullptr);
  void close(Transport &transport, zrt_file file, const zrt_loc *loc);

  /// The file behind a number, which must be open in that way: else the run
  /// ends with the reason. Replicated.
  File &reading(zrt_file file, const zrt_loc *loc);
  File &writing(zrt_file file, const zrt_loc *loc);
  /// The file behind a number, null if it is not open.
  File *openFile(zrt_file file) {
    return file > ZRT_ZNULL ? files[static_cast<size_t>(file)].get() : nullptr;
  }

  static bool isNull(zrt_file file) { return file <= ZRT_ZNULL; }

  /// Writes to a standard file, for the runtime's own texts. On processor 0.
  void write(zrt_file file, std::string_view text);

  /// Hands what was written to \p file to the system, and to those for which
  /// that was deferred. On processor 0.
  void handOver(zrt_file file);
  /// Has that done by the next handOver.
  void deferHandOver(zrt_file file);

  /// Whether this is the first warning of the statement at \p loc.
  bool isNewWarning(const zrt_loc *loc) { return warned.insert(loc).second; }

  /// Hands everything written so far to the system: before an end of the run.
  void flush();

private:
  File &find(zrt_file file, const zrt_loc *loc);

  std::vector<std::unique_ptr<File>> files; ///< null: closed, or ZRT_ZNULL
  std::vector<zrt_file> deferred;           ///< for handOver
  std::vector<std::string> closedNames;
  std::vector<std::string> failures; ///< the reason of number -1 - k
  std::set<const zrt_loc *> warned;
};

} // namespace zrt

#endif // ZRT_IO_FILETABLE_H
