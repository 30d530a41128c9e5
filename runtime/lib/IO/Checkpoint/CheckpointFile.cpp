//===- CheckpointFile.cpp - Writing and reading a program's state ---------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program that Sema makes of `checkpoint("run.ck")` opens a file, says the
// name of each item and writes its values and arrays as `bwrite` does:
//
//     f := opencheckpoint("run.ck");             run.ck.new
//     checkpointitem(f, "n"); bwrite(f, n);
//     checkpointitem(f, "T"); [region(T)] bwrite(f, T);
//     close(f);                                  run.ck
//
// So each processor writes its own part of an array, in place (BinaryArray.cpp).
// Each sums what it writes; the sums of an item are added when the next one
// begins. At the end processor 0 writes the directory and the first bytes, all
// force what they wrote to the disk, and the file gets its name. A run that ends
// before that leaves the old file as it was.
//
// Reading goes by names; who owned what does not matter.
//
// Of values with strings, the pointers in their images are lengths, and the
// texts stand behind the image. Arrays of these go through processor 0.
//
// Cost: that of bwrite, a pass over the bytes in the cache, and two numbers
// combined for each item.
//
//===----------------------------------------------------------------------===//

#include "IO/Checkpoint/CheckpointFile.h"

#include "Collective/Collective.h"
#include "IO/Binary/BinaryArray.h"
#include "IO/Checkpoint/Texts.h"
#include "IO/Descriptor.h"
#include "IO/OrderedOutput.h"
#include "IO/Sparse/SparseFile.h"
#include "IO/Text/ValueReader.h"
#include "Support/Error.h"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace zrt {

[[noreturn]] static void failFile(const File &file, const std::string &what) {
  fatal(file.loc(), ErrorScope::Replicated, "%s %s", file.name().c_str(),
        what.c_str());
}

static CheckpointState &stateOf(const File &file) {
  ZRT_CHECK(file.checkpoint != nullptr);
  return *file.checkpoint;
}

const CheckpointDirectory &directoryOf(const File &file) {
  return stateOf(file).directory;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

zrt_file createCheckpoint(Transport &transport, FileTable &files,
                          const std::string &path, const zrt_loc *loc,
                          CheckpointDirectory head) {
  zrt_file number = files.open(transport, unfinishedName(path).c_str(),
                               ZRT_FILE_WRITE, path.c_str());
  File &file = files.writing(number, loc);
  file.becomeCheckpoint();
  file.checkpoint = std::make_shared<CheckpointState>();
  CheckpointState &state = *file.checkpoint;
  state.path = path;
  state.directory = std::move(head);
  if (transport.rank() == 0) {
    if (!file.isRegular())
      failFile(file, "is no regular file: no checkpoint can be written there");
    file.setPosition(CheckpointPreamble);
  }
  return number;
}

/// On processor 0: the directory of \p file as \p text, and where it is. What
/// is wrong, or "".
static std::string takeDirectory(const File &file, std::string &text,
                                 DirectoryPlace &place) {
  struct stat status;
  if (fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode))
    return "is no checkpoint";
  auto read = [&](int64_t bytes, int64_t offset) -> std::string {
    text.resize(static_cast<size_t>(bytes));
    int error =
        readFullyAt(file.descriptor(), text.data(), text.size(), offset);
    return error == 0  ? ""
           : error < 0 ? "was cut off meanwhile"
                       : std::string("cannot be read: ") + std::strerror(error);
  };
  std::string error =
      read(std::min<int64_t>(status.st_size, CheckpointPreamble), 0);
  if (error.empty())
    error = readPreamble(text, status.st_size, place);
  return error.empty() ? read(place.bytes, place.offset) : error;
}

zrt_file openCheckpoint(Transport &transport, FileTable &files,
                        const std::string &path, const zrt_loc *loc) {
  zrt_file number =
      files.open(transport, path.c_str(), ZRT_FILE_READ, path.c_str());
  File &file = files.reading(number, loc);
  file.becomeCheckpoint();
  file.checkpoint = std::make_shared<CheckpointState>();
  DirectoryPlace place;
  std::vector<std::string> found(2); // the error and the text
  if (transport.rank() == 0)
    found[0] = takeDirectory(file, found[1], place);
  broadcastStrings(transport, found);
  broadcast(transport, &place, sizeof place);
  if (found[0].empty())
    found[0] = readDirectory(found[1], place, file.checkpoint->directory);
  if (!found[0].empty())
    failFile(file, found[0]);
  return number;
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

/// Ends the item at hand, if there is one: its sum is known then.
static void endItem(Transport &transport, File &file) {
  CheckpointState &state = stateOf(file);
  if (state.item.name.empty())
    return;
  file.itemSum = nullptr;
  uint64_t sum = state.sum.sum.value;
  reduce(transport, &sum, ZRT_U64, ZRT_SUM);
  int64_t bytes = state.sum.at;
  broadcast(transport, &bytes, sizeof bytes);
  if (file.access() == File::Access::Write) {
    state.item.sum = sum;
    state.item.bytes = bytes;
    state.directory.items.push_back(state.item);
  } else if (state.isDescribed &&
             (sum != state.found->sum || bytes != state.found->bytes)) {
    failFile(file, damagedItem(state.item.name));
  }
  state.item = {};
}

void beginItem(Transport &transport, File &file, const std::string &name) {
  endItem(transport, file);
  CheckpointState &state = stateOf(file);
  state.item.name = name;
  state.isDescribed = false;
  state.sum = {};
  if (file.access() == File::Access::Read) {
    state.found = state.directory.find(name);
    if (!state.found)
      failFile(file, missingItem(name));
    state.taken.insert(name);
  }
  if (transport.rank() == 0) {
    int64_t position = file.access() == File::Access::Read
                           ? state.found->offset
                           : file.position() + CheckpointAlignment - 1;
    if (file.access() == File::Access::Write)
      position -= position % CheckpointAlignment;
    file.setPosition(position);
    state.item.offset = position;
  }
  file.itemSum = &state.sum;
}

void noteTaken(File &file, const std::string &name) {
  stateOf(file).taken.insert(name);
}

/// Says what the item at hand consists of; other parts may have said it before.
static void describeItem(File &file, const zrt_type &type,
                         const std::string &shape) {
  CheckpointState &state = stateOf(file);
  if (state.isDescribed)
    return;
  state.isDescribed = true;
  state.item.type = imageTypeText(type);
  state.item.shape = shape;
  state.item.element = type.size;
  if (file.access() != File::Access::Read)
    return;
  std::string misfit = itemMisfit(*state.found, state.item);
  if (!misfit.empty())
    failFile(file, misfit);
}

void writeItemValue(Transport &transport, File &file, const zrt_type &type,
                    const void *value) {
  describeItem(file, type, "");
  if (!hasStrings(type))
    return writeImage(transport, file, type, value);
  if (transport.rank() == 0)
    file.write(imagesWithTexts(type, static_cast<const char *>(value), 1));
}

void readItemValue(Transport &transport, StringArena &arena, File &file,
                   const zrt_type &type, void *value) {
  describeItem(file, type, "");
  if (!hasStrings(type))
    return readImage(transport, file, type, value);
  readImagesWithTexts(transport, arena, file, type, static_cast<char *>(value),
                      1);
  if (type.size > 0)
    broadcast(transport, value, static_cast<size_t>(type.size));
}

void writeItemArray(ArrayIO &io, File &file, const std::string &shape) {
  describeItem(file, *io.array.type, shape);
  if (hasStrings(*io.array.type))
    return writeTexts(io, file);
  writeImages(io, file);
}

void readItemArray(ArrayIO &io, StringArena &arena, File &file,
                   const std::string &shape) {
  describeItem(file, *io.array.type, shape);
  if (hasStrings(*io.array.type))
    return readTexts(io, arena, file);
  readImages(io, file);
}

void writeItemSparse(Transport &transport, const zrt_array &array, File &file) {
  describeItem(file, *array.type, shapeText(array.region));
  if (hasStrings(*array.type))
    return writeSparseTexts(transport, array, file);
  writeSparseImages(transport, array, file);
}

void readItemSparse(Transport &transport, StringArena &arena,
                    const zrt_array &array, File &file) {
  describeItem(file, *array.type, shapeText(array.region));
  if (hasStrings(*array.type))
    return readSparseTexts(transport, array, arena, file);
  readSparseImages(transport, array, file);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Reads what belongs to the indices \p from to \p to of \p count, \p rank
/// numbers each. errno of a failure, or -1.
static int readIndexPart(File &file, int64_t offset, int64_t count,
                         int64_t from, int64_t to, int rank,
                         std::vector<std::vector<int32_t>> &lists) {
  int error = 0;
  for (int d = 0; d < rank; ++d) {
    std::vector<int32_t> &list = lists[static_cast<size_t>(d)];
    list.resize(static_cast<size_t>(to - from));
    int64_t start = (d * count + from) * static_cast<int64_t>(sizeof(int32_t));
    char *bytes = reinterpret_cast<char *>(list.data());
    size_t length = list.size() * sizeof(int32_t);
    int result = readFullyAt(file.descriptor(), bytes, length, offset + start);
    error = error ? error : result;
    file.itemSum->sum.add(bytes, length, start);
  }
  return error;
}

/// Some of \p count things that a processor takes.
struct Portion {
  int64_t from, to;
};

/// All processors take a part each, if they can; else the first one does.
static Portion portionOf(Transport &transport, File &file, int64_t count) {
  if (!file.isShared(transport))
    return {0, transport.rank() == 0 ? count : 0};
  int64_t parts = transport.size(), part = transport.rank();
  int64_t from = count / parts * part + std::min(part, count % parts);
  return {from, from + count / parts + (part < count % parts)};
}

int64_t readItemIndices(Transport &transport, File &file,
                        const zrt_region &region,
                        const std::function<bool(const int64_t *index)> &add) {
  constexpr int64_t Most = 1 << 18; // indices at a time
  constexpr int32_t Damage = INT32_MAX;
  zrt_type number = {};
  number.kind = ZRT_I32;
  number.size = sizeof(int32_t);
  number.name = "integer";
  describeItem(file, number, shapeText(region));
  const CheckpointItem &found = *stateOf(file).found;
  auto rank = static_cast<size_t>(region.rank);
  int64_t count = found.bytes / static_cast<int64_t>(rank * sizeof(int32_t));
  Portion own = portionOf(transport, file, count);
  std::vector<std::vector<int32_t>> lists(rank);
  int32_t error = 0;
  for (int64_t from = own.from; from < own.to && error == 0; from += Most) {
    error = readIndexPart(file, found.offset, count, from,
                          std::min(own.to, from + Most), region.rank, lists);
    int64_t index[ZRT_MAX_RANK];
    for (size_t k = 0; k < lists[0].size() && error == 0; ++k) {
      for (size_t d = 0; d < rank; ++d)
        index[d] = lists[d][k];
      error = add(index) ? 0 : Damage;
    }
  }
  error = error < 0 ? Damage : error;
  reduce(transport, &error, ZRT_I32, ZRT_MAX);
  if (error == Damage)
    failFile(file, damagedItem(found.name));
  if (error != 0)
    failFile(file, std::string("cannot be read: ") + std::strerror(error));
  stateOf(file).sum.at = found.bytes;
  return count;
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// Writes what stands behind and in front of the items. On processor 0.
static void writeDirectory(File &file) {
  CheckpointState &state = stateOf(file);
  std::string text = directoryText(state.directory);
  int64_t position = file.position();
  file.write(text);
  file.flush();
  std::string preamble = preambleText(text, position);
  if (int error =
          writeFullyAt(file.descriptor(), preamble.data(), preamble.size(), 0))
    file.failWrite(error);
}

static void finishWriting(Transport &transport, File &file) {
  if (transport.rank() == 0)
    writeDirectory(file);
  barrier(transport); // all is written
  int32_t error = 0;
  if (file.descriptor() >= 0 && fsync(file.descriptor()) != 0)
    error = errno;
  checkWritten(transport, file, error);
  if (transport.rank() == 0)
    error = publishCheckpoint(stateOf(file).path);
  checkWritten(transport, file, error);
  file.isUnfinished = false;
}

void finishCheckpoint(Transport &transport, File &file) {
  endItem(transport, file);
  if (file.access() == File::Access::Write)
    return finishWriting(transport, file);
  CheckpointState &state = stateOf(file);
  for (const CheckpointItem &item : state.directory.items)
    if (!state.taken.contains(item.name))
      failFile(file, foreignItem(item.name));
}

std::string shapeText(const zrt_region &region) {
  Box box = boxOf(region);
  std::string text = "[";
  for (int d = 0; d < region.rank; ++d) {
    const Seq &seq = box.dim[d];
    text += d == 0 ? "" : ", ";
    if (region.floods >> d & 1) {
      text += "*";
      continue;
    }
    if (isEmpty(seq)) {
      text += "none";
      continue;
    }
    text += std::to_string(seq.lo) + ".." + std::to_string(seq.hi);
    if (seq.stride != 1 && seq.lo != seq.hi)
      text += " by " + std::to_string(seq.stride);
  }
  return text + "]";
}

} // namespace zrt
