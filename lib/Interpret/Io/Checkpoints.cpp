//===- Checkpoints.cpp - The state of a run in a file ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     zplc --interpret heat.z -- --restart=run.ck
//
// The files are those of compiled programs (runtime/lib/Formats/Checkpoint.h),
// which may go on from them, and the other way round. What is in them is said by
// the procedures that Sema makes of `checkpoint` and `restart`. A file that is
// read is in memory as a whole; items are taken from it by name.
//
//===----------------------------------------------------------------------===//

#include "Io/Checkpoints.h"
#include "Declarations.h"
#include "Errors.h"
#include "Expressions.h"
#include "Formats/Checkpoint.h"
#include "Io/Output.h"
#include "Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace zpl::interpreter {

struct Checkpoint {
  zrt::CheckpointDirectory directory;
  zrt::CheckpointItem item; ///< the one at hand; no name: none
  bool isDescribed = false; ///< its type and shape are known
  zrt::ItemSum sum;
  const zrt::CheckpointItem *found = nullptr; ///< read: what the file has
  std::set<std::string> taken; ///< read: the names that were asked for
  std::string path;            ///< written: what it will be called
  int64_t position = 0;        ///< written: so many bytes
  std::unique_ptr<MemoryBuffer> contents; ///< read
};

[[noreturn]] static void failFile(Run &run, const File &file,
                                  const std::string &what) {
  fail(run, file.where, file.name + " " + what);
}

//===----------------------------------------------------------------------===//
// Types and shapes, as texts
//===----------------------------------------------------------------------===//

static std::string imageTypeText(Run &run, Type type) {
  type = storageOf(type);
  if (type == Type::Record || type == Type::Union) {
    std::string text = type == Type::Record ? "record " : "union ";
    for (const sema::TypeField &field : type.info()->fields)
      text += field.name + ": " + imageTypeText(run, field.type) + "; ";
    return text + "end";
  }
  if (type == Type::Enum) {
    std::string text = "(";
    for (auto [k, one] : enumerate(type.info()->enumerators))
      text +=
          (k == 0 ? "" : ", ") + one.name + " = " + std::to_string(one.value);
    return text + ")";
  }
  if (type != Type::Array)
    return sema::text(type);
  std::string text = "array [";
  for (auto [d, bounds] : enumerate(zip(type.info()->lo, type.info()->hi))) {
    auto [lo, hi] = bounds;
    text += (d == 0 ? "" : ", ") + std::to_string(boundOf(run, lo)) + ".." +
            std::to_string(boundOf(run, hi));
  }
  return text + "] of " + imageTypeText(run, type.info()->element);
}

static std::string shapeText(const Region &region) {
  std::string text = "[";
  for (auto [d, dim] : enumerate(region.dims)) {
    text += d == 0 ? "" : ", ";
    // A grid dimension has the index of the one processor.
    if (dim.kind == DimKind::Grid)
      text += "0..0";
    else if (dim.isFlood())
      text += "*";
    else if (dim.count() == 0)
      text += "none";
    else
      text += std::to_string(dim.first()) + ".." + std::to_string(dim.last());
    if (!dim.isFlood() && dim.stride != 1 && dim.count() > 1)
      text += " by " + std::to_string(dim.stride);
  }
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static File &checkpointOf(Run &run, int64_t number, SourceRange where) {
  std::string error;
  File *file = run.files.find(number, error);
  if (!file)
    fail(run, where, error);
  file->where = where;
  return *file;
}

int64_t openCheckpoint(Run &run, const std::string &name, SourceRange where) {
  if (!run.configuration.restartFile().empty() && !run.restart.isDone)
    fail(run, where,
         "this run was started with --restart, but has not called restart() "
         "yet: what it would write is not the state that it was to go on from");
  int64_t number = run.files.open(zrt::unfinishedName(name), 1, &name);
  File &file = checkpointOf(run, number, where);
  file.checkpoint = std::make_shared<Checkpoint>();
  Checkpoint &state = *file.checkpoint;
  struct stat status;
  if (fstat(file.descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    failFile(run, file,
             "is no regular file: no checkpoint can be written there");
  state.path = name;
  state.directory.program = run.program.name;
  state.directory.randomNumbers = run.randomNumbers;
  state.position = zrt::CheckpointPreamble;
  file.write(std::string(zrt::CheckpointPreamble, '\0'));
  return number;
}

/// Opens the checkpoint that the command line names; the first call does.
static File &restartFile(Run &run, SourceRange where) {
  const std::string &name = run.configuration.restartFile();
  bool isNew = run.restart.file == 0;
  if (isNew)
    run.restart.file = run.files.open(name, 0, &name);
  File &file = checkpointOf(run, run.restart.file, where);
  if (!isNew)
    return file;
  file.checkpoint = std::make_shared<Checkpoint>();
  Checkpoint &state = *file.checkpoint;
  auto buffer = MemoryBuffer::getFile(name, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    failFile(run, file, "cannot be read: " + buffer.getError().message());
  state.contents = std::move(*buffer);
  StringRef bytes = state.contents->getBuffer();
  zrt::DirectoryPlace place;
  std::string error = zrt::readPreamble(
      bytes.take_front(zrt::CheckpointPreamble), int64_t(bytes.size()), place);
  if (error.empty())
    error = zrt::readDirectory(bytes.substr(place.offset, place.bytes).str(),
                               place, state.directory);
  if (!error.empty())
    failFile(run, file, error);
  for (const sema::Symbol *symbol : run.program.globals)
    if (auto *variable = dyn_cast<sema::Variable>(symbol);
        variable && variable->isConfig)
      state.taken.insert(variable->name);
  return file;
}

int64_t openRestart(Run &run, SourceRange where) {
  if (run.configuration.restartFile().empty() || run.restart.isDone)
    return 0;
  File &file = restartFile(run, where);
  run.randomNumbers = file.checkpoint->directory.randomNumbers;
  run.restart.isDone = true;
  return run.restart.file;
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

static void endItem(Run &run, File &file) {
  Checkpoint &state = *file.checkpoint;
  if (state.item.name.empty())
    return;
  if (!file.isInput) {
    state.item.sum = state.sum.sum.value;
    state.item.bytes = state.sum.at;
    state.directory.items.push_back(state.item);
  } else if (state.isDescribed && (state.sum.sum.value != state.found->sum ||
                                   state.sum.at != state.found->bytes)) {
    failFile(run, file, zrt::damagedItem(state.item.name));
  }
  state.item = {};
}

static void begin(Run &run, File &file, const std::string &name) {
  endItem(run, file);
  Checkpoint &state = *file.checkpoint;
  state.item.name = name;
  state.isDescribed = false;
  state.sum = {};
  if (file.isInput) {
    state.found = state.directory.find(name);
    if (!state.found)
      failFile(run, file, zrt::missingItem(name));
    state.taken.insert(name);
    return;
  }
  int64_t start = state.position + zrt::CheckpointAlignment - 1;
  start -= start % zrt::CheckpointAlignment;
  file.write(std::string(start - state.position, '\0'));
  state.position = state.item.offset = start;
}

void beginItem(Run &run, int64_t number, const std::string &name,
               int64_t member, SourceRange where) {
  File &file = checkpointOf(run, number, where);
  begin(run, file,
        member < 0 ? name : name + " (member " + std::to_string(member) + ")");
}

static void describe(Run &run, File &file, Type type,
                     const std::string &shape) {
  Checkpoint &state = *file.checkpoint;
  if (state.isDescribed)
    return;
  state.isDescribed = true;
  state.item.type = imageTypeText(run, type);
  state.item.shape = shape;
  state.item.element = sizeOf(run, type);
  if (!file.isInput)
    return;
  std::string misfit = zrt::itemMisfit(*state.found, state.item);
  if (!misfit.empty())
    failFile(run, file, misfit);
}

static void append(File &file, StringRef bytes) {
  Checkpoint &state = *file.checkpoint;
  state.sum.append(bytes.data(), bytes.size());
  state.position += int64_t(bytes.size());
  file.write(bytes);
}

static void takeBytes(Run &run, File &file, char *to, int64_t count) {
  Checkpoint &state = *file.checkpoint;
  StringRef bytes = state.contents->getBuffer();
  int64_t from = state.found->offset + state.sum.at;
  if (count < 0 || count > state.found->bytes - state.sum.at ||
      from + count > int64_t(bytes.size()))
    failFile(run, file, zrt::damagedItem(state.item.name));
  std::memcpy(to, bytes.data() + from, count);
  state.sum.append(to, count);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Calls \p visit with the place of each string in a value.
static void forEachString(Run &run, Type type, char *address,
                          function_ref<void(char *)> visit) {
  if (type == Type::String)
    return visit(address);
  if (type == Type::Record)
    for (auto [k, field] : enumerate(type.info()->fields))
      forEachString(run, field.type, address + offsetOf(run, *type.info(), k),
                    visit);
  if (type != Type::Array)
    return;
  Type inner = type.info()->element;
  int64_t size = sizeOf(run, inner);
  for (int64_t k = 0, count = elementCount(run, *type.info()); k != count; ++k)
    forEachString(run, inner, address + k * size, visit);
}

/// Appends the image of a value, in which lengths stand for strings, and these.
static void appendImage(Run &run, File &file, Type type, const char *address) {
  std::string image(address, sizeOf(run, type)), texts;
  forEachString(run, type, image.data(), [&](char *place) {
    const std::string &text = textOf(loadScalar(Type::String, place));
    int64_t length = int64_t(text.size());
    std::memcpy(place, &length, sizeof length);
    texts += text;
  });
  append(file, image + texts);
}

static void takeImage(Run &run, File &file, Type type, char *address) {
  takeBytes(run, file, address, sizeOf(run, type));
  forEachString(run, type, address, [&](char *place) {
    int64_t length;
    std::memcpy(&length, place, sizeof length);
    const Checkpoint &state = *file.checkpoint;
    if (length < 0 || length > state.found->bytes - state.sum.at)
      failFile(run, file, zrt::damagedItem(state.item.name));
    std::string text(length, '\0');
    takeBytes(run, file, text.data(), length);
    Value value;
    value.text = intern(run.memory, std::move(text));
    storeScalar(Type::String, place, value);
  });
}

void writeState(Run &run, File &file, Type type, const char *address) {
  describe(run, file, type, "");
  appendImage(run, file, type, address);
}

void readState(Run &run, File &file, Type type, char *address) {
  describe(run, file, type, "");
  takeImage(run, file, type, address);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static std::vector<const Region *> partsOf(const ArrayStorage &array,
                                           const Region &region) {
  std::vector<const Region *> parts = {&region};
  if (!region.isSparse() && haveSameIndices(region, array.declared))
    for (const Region &border : array.borders)
      parts.push_back(&border);
  return parts;
}

static std::string shapeOf(const std::vector<const Region *> &parts) {
  std::string text;
  for (const Region *part : parts)
    text += (text.empty() ? "" : " and ") + shapeText(*part);
  return text;
}

void writeState(Run &run, File &file, ArrayStorage &array,
                const Region &region) {
  std::vector<const Region *> parts = partsOf(array, region);
  describe(run, file, array.element, shapeOf(parts));
  for (const Region *part : parts)
    forEachIndex(*part, [&](const Index &index) {
      appendImage(run, file, array.element, array.at(index));
    });
}

void readState(Run &run, File &file, ArrayStorage &array,
               const Region &region) {
  std::vector<const Region *> parts = partsOf(array, region);
  describe(run, file, array.element, shapeOf(parts));
  for (const Region *part : parts)
    forEachIndex(*part, [&](const Index &index) {
      takeImage(run, file, array.element, array.at(index));
    });
}

std::shared_ptr<Pattern> readStatePattern(Run &run, File &file,
                                          const Region &region) {
  describe(run, file, Type::Integer, shapeText(region));
  const Checkpoint &state = *file.checkpoint;
  int64_t count = state.found->bytes / int64_t(region.rank() * sizeof(int32_t));
  std::vector<Index> indices(count);
  for (unsigned d = 0; d != region.rank(); ++d)
    for (Index &index : indices) {
      int32_t number;
      takeBytes(run, file, reinterpret_cast<char *>(&number), sizeof number);
      index[d] = number;
    }
  auto made = std::make_shared<Pattern>();
  for (const Index &index : indices) {
    if (!region.bound(index))
      failFile(run, file, zrt::damagedItem(state.item.name));
    made->insert(index);
  }
  return made;
}

bool restoreConfig(Run &run, const sema::Variable *variable) {
  if (run.configuration.restartFile().empty())
    return false;
  File &file = restartFile(run, SourceRange());
  begin(run, file, variable->name);
  readState(run, file, variable->type, addressOf(run, variable));
  return true;
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

static void publish(Run &run, File &file) {
  Checkpoint &state = *file.checkpoint;
  std::string text = zrt::directoryText(state.directory);
  file.write(text);
  file.flush();
  std::string preamble = zrt::preambleText(text, state.position);
  int error = 0;
  if (pwrite(file.descriptor, preamble.data(), preamble.size(), 0) !=
          ssize_t(preamble.size()) ||
      fsync(file.descriptor) != 0)
    error = errno;
  if (error == 0)
    error = zrt::publishCheckpoint(state.path);
  if (error != 0) {
    unlink(zrt::unfinishedName(state.path).c_str());
    fail(run, file.where,
         "cannot write to " + file.name + ": " + std::strerror(error));
  }
}

void finishCheckpoint(Run &run, File &file, SourceRange where) {
  file.where = where;
  endItem(run, file);
  Checkpoint &state = *file.checkpoint;
  if (!file.isInput)
    return publish(run, file);
  for (const zrt::CheckpointItem &item : state.directory.items)
    if (!state.taken.count(item.name))
      failFile(run, file, zrt::foreignItem(item.name));
}

} // namespace zpl::interpreter
