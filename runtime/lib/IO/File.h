//===- File.h - An open file ------------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_FILE_H
#define ZRT_IO_FILE_H

#include "Formats/Checkpoint.h"
#include "Formats/FileName.h"
#include "IO/InputBuffer.h"
#include "Transport/Transport.h"

#include <memory>
#include <string>
#include <string_view>

namespace zrt {

struct ArrayFile;
struct CheckpointState;

/// One file that the program has open. Every processor has the object; the
/// system's file is open on processor 0, and on the others once an array is
/// read or written in parts, if they can.
class File {
public:
  enum class Access { Read, Write };
  using Kind = FileKind;

  /// \p path has no path for standard files. \p descriptor is -1 on processors
  /// other than 0 unless they inherited it. Owns it if there is a path.
  File(std::string name, FileName path, Access access, int descriptor,
       std::function<void()> beforeWait);
  ~File();
  File(const File &) = delete;
  File &operator=(const File &) = delete;

  /// "standard output", or the path in quotes.
  const std::string &name() const { return shownName; }
  const std::string &path() const { return ownName.path; }
  /// The path taken apart.
  const FileName &fileName() const { return ownName; }
  Access access() const { return mode; }
  Kind kind() const { return ownName.kind; }
  /// A picture to which others may be added: *.apng.
  bool isFilm() const {
    return kind() == Kind::Image && ownName.ending == ".apng";
  }
  bool isRegular() const { return regular; }
  int descriptor() const { return number; }

  // On processor 0. A failed write ends the run with status 1.
  void write(std::string_view text);
  /// Hands everything to the system.
  void flush();
  /// Closes the system's file; its error, or 0. On every processor.
  int close();
  /// Where the next byte is read or written; moves there.
  int64_t position();
  void setPosition(int64_t position);

  /// Collective: whether all processors can reach the file's bytes at offsets.
  bool isShared(Transport &transport);

  /// Ends the run: \p error is what errno said of a write.
  [[noreturn]] void failWrite(int error) const;

  /// The statement at work, for messages; null between statements.
  void setLocation(const zrt_loc *loc) { location = input.loc = loc; }
  const zrt_loc *loc() const { return location; }

  InputBuffer input;
  /// The array that a file of its own format holds was written or read.
  bool isComplete = false;
  bool isNew = false;  ///< it was opened as a new file
  std::string plugins; ///< the folder with those for formats of files
  /// What is known of that array.
  ArrayFile &arrayFile();
  /// From now on it is a picture, whatever its name.
  void becomePicture() { ownName.kind = Kind::Image; }
  /// From now on it is a checkpoint; a new one is removed if writing it fails.
  void becomeCheckpoint() {
    ownName.kind = Kind::Checkpoint;
    isUnfinished = mode == Access::Write;
  }
  bool isUnfinished = false;
  std::shared_ptr<CheckpointState> checkpoint; ///< of one; else null
  /// Takes in all that is written, and the images that are read; null: none.
  ItemSum *itemSum = nullptr;
  /// Goes on with another file, of which the position is 0. On every
  /// processor; errno of a failure on processor 0, or 0.
  int moveTo(const std::string &path, bool isFirst);

private:
  bool openAlso();
  bool findShared(Transport &transport);

  std::string shownName;
  FileName ownName;
  Access mode;
  int number;
  const zrt_loc *location = nullptr;
  std::string pending; ///< written, but not yet handed to the system
  bool regular = false;
  bool lineBuffered = false;
  enum class Shared { Unknown, Yes, No } shared = Shared::Unknown;
  std::unique_ptr<ArrayFile> ownArray;
};

} // namespace zrt

#endif // ZRT_IO_FILE_H
