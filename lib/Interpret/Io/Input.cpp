//===- Input.cpp - read and bread -----------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Items are read one after the other; where the next one goes may depend on
// those before: `read(n, a[n])`. A parallel array is read over the covering
// region, masked or not, in row-major order; records and indexed arrays part by
// part. ValueReader reads the scalars. In a binary file a byte of a boolean
// that is not 0 is 1, and a number that is no value of its enumeration an
// error.
//
//===----------------------------------------------------------------------===//

#include "Io/Input.h"
#include "Arrays/ArrayExpressions.h"
#include "Arrays/Families.h"
#include "Calls.h"
#include "Errors.h"
#include "Expressions.h"
#include "Io/ArrayFiles.h"
#include "Io/Checkpoints.h"
#include "Io/Output.h"
#include "Io/Stored.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Run.h"
#include "Values/ValueReader.h"

using namespace llvm;

namespace zpl::interpreter {

static void readItem(Run &run, const sema::ReadItem &item, int64_t file,
                     bool binary);
static void readBytes(Run &run, File &file, Type type, char *address,
                      int64_t &done, SourceRange where);
static void adopt(Run &run, const File &file, Type type, char *address,
                  int64_t offset, SourceRange where);
static void readValue(Run &run, File &file, Type type, char *address,
                      const Format *format, SourceRange where);

/// Reads an array from a file that holds nothing else.
static void readWholeArray(Run &run, File &file, const sema::ReadItem &item,
                           const Prepared &prepared) {
  if (file.kind != FileKind::Matrix && prepared.over.region->isSparse())
    fail(run, item.range,
         "cannot read from " + file.name +
             " in a sparse scope: its indices are not those of an array");
  Type type = item.place->type;
  std::vector<char> images = readWhole(run, file, type, &*prepared.over.region);
  int64_t size = sizeOf(run, type), done = 0;
  forEachAdmitted(prepared, [&](const At &at) {
    char *address = place(run, item.place, &at).address;
    std::copy_n(images.data() + done, size, address);
    adopt(run, file, type, address, done, item.range);
    done += size;
  });
}

void read(Run &run, const sema::ReadStmt *stmt) {
  int64_t file = eval(run, stmt->file).integer;
  for (const sema::ReadItem &item : stmt->items)
    readItem(run, item, file, stmt->binary);
}

/// Of a checkpoint.
static void readStateItem(Run &run, File &file, const sema::ReadItem &item) {
  auto *whole = dyn_cast<sema::ArrayExpr>(item.place);
  if (!whole)
    return readState(run, file, item.place->type,
                     place(run, item.place).address);
  readState(run, file, find(run, whole),
            *cover(run, item.place->rank, item.range).region);
}

/// Reads a scalar from a file whose format is not that of ZPL's texts.
static void readWholeScalar(Run &run, File &file, const sema::ReadItem &item,
                            char *address) {
  Type type = item.place->type;
  if (file.kind == FileKind::Store && type == Type::String) {
    Value value;
    value.text = intern(run.memory, readStoredText(run, file));
    return storeScalar(type, address, value);
  }
  if (file.kind == FileKind::Store && isAttribute(run, file))
    return readStoredNumber(run, file, type, address);
  if (file.kind != FileKind::Numpy && file.kind != FileKind::Store)
    checkPlain(run, file, item.range);
  std::vector<char> value = readWhole(run, file, type, nullptr);
  llvm::copy(value, address);
  int64_t offset = 0;
  return adopt(run, file, type, address, offset, item.range);
}

/// Has the procedure that is bound to an array read an element of it.
static void readBy(Run &run, const sema::Procedure *reader, int64_t &number,
                   char *address, SourceRange range) {
  Argument args[2];
  args[0].place.address = reinterpret_cast<char *>(&number);
  args[1].place.address = address;
  invoke(run, reader, args, range);
}

static void readItem(Run &run, const sema::ReadItem &item, int64_t number,
                     bool binary) {
  Type type = item.place->type;
  std::optional<Format> format;
  if (File *state = binary ? checkpointFile(run, number) : nullptr)
    return readStateItem(run, *state, item);
  if (binary)
    checkImage(run, type, item.range);
  else
    format = formatOf(run, item.format, item.formatExpr, type, item.range);
  File &file = openFile(run, number, /*isRead=*/true, item.range);
  int64_t done = 0; // bytes of the item
  auto readInto = [&](char *address) {
    if (binary)
      readBytes(run, file, type, address, done, item.range);
    else
      readValue(run, file, type, address, format ? &*format : nullptr,
                item.range);
  };
  bool isWhole = !binary && file.kind != FileKind::Plain;
  if (!item.place->isArray()) {
    char *address = place(run, item.place).address;
    if (!isWhole || file.kind == FileKind::Table)
      return readInto(address);
    return readWholeScalar(run, file, item, address);
  }
  Prepared prepared; // without the mask
  prepared.over.region = cover(run, item.place->rank, item.range).region;
  prepareTarget(run, item.place, prepared);
  if (isWhole)
    return readWholeArray(run, file, item, prepared);
  auto *whole = dyn_cast<sema::ArrayExpr>(item.place);
  const sema::Procedure *reader =
      whole && !binary ? find(run, whole).reader : nullptr;
  forEachAdmitted(prepared, [&](const At &at) {
    char *address = place(run, item.place, &at).address;
    if (reader)
      readBy(run, reader, number, address, item.range);
    else
      readInto(address);
  });
}

/// \p done: of the item, in bytes.
static void readBytes(Run &run, File &file, Type type, char *address,
                      int64_t &done, SourceRange where) {
  size_t wanted = sizeOf(run, type), found = file.take(address, wanted);
  if (found != wanted)
    fail(run, where,
         file.name + " ends after " + std::to_string(found) + " of " +
             std::to_string(wanted) + " bytes to be read");
  adopt(run, file, type, address, done, where);
  done += int64_t(wanted);
}

/// Makes a value of what was read, \p offset bytes after the start of the
/// item. Which field of a union it is the program knows.
static void adopt(Run &run, const File &file, Type type, char *address,
                  int64_t offset, SourceRange where) {
  if (type == Type::Boolean) {
    *address = *address != 0;
  } else if (type == Type::Enum) {
    int64_t value = loadScalar(type, address).integer;
    if (none_of(type.info()->enumerators,
                [&](const auto &one) { return one.value == value; }))
      fail(run, where,
           file.name + " holds " + std::to_string(value) + " at byte " +
               std::to_string(offset) +
               " of what is read, which is no value of type " +
               sema::text(type));
  } else if (type == Type::Array) {
    Type inner = type.info()->element;
    int64_t count = elementCount(run, *type.info()), size = sizeOf(run, inner);
    for (int64_t k = 0; k != count; ++k)
      adopt(run, file, inner, address + k * size, offset + k * size, where);
  } else if (type == Type::Record) {
    const sema::TypeInfo &info = *type.info();
    for (auto [k, field] : enumerate(info.fields))
      adopt(run, file, field.type, address + offsetOf(run, info, k),
            offset + offsetOf(run, info, k), where);
  }
}

namespace {

/// Reads `{x: 1, k: 3}`; of a union one field is enough.
struct RecordReader {
  ValueReader &reader;
  std::function<int64_t(const sema::TypeInfo &, unsigned)> offsetOf;
  std::function<void(Type, char *, const Format *)> readPart;

  void read(Type type, char *address) {
    const sema::TypeInfo &info = *type.info();
    bool outer = reader.inRecord;
    reader.inRecord = true;
    reader.match(" {");
    for (unsigned k = 0; k != info.fields.size(); ++k) {
      reader.match(k == 0 ? " " : " , ");
      unsigned field = find(info, k);
      reader.take(info.fields[field].name.size());
      reader.match(" :");
      Type part = info.fields[field].type;
      if (part == Type::Char)
        reader.skipOne(' '); // it was written before the byte
      readPart(part, address + offsetOf(info, field), nullptr);
      reader.skipBlanks();
      if (info.kind == Type::Union && reader.isAhead('}'))
        break;
    }
    reader.match(" }");
    reader.inRecord = outer;
  }

  /// The field whose name is ahead: of a record the next one.
  unsigned find(const sema::TypeInfo &info, unsigned next) {
    std::string name = reader.name();
    if (info.kind == Type::Record) {
      if (info.fields[next].name != name)
        reader.fail(info.fields[next].name);
      return next;
    }
    for (unsigned k = 0; k != info.fields.size(); ++k)
      if (info.fields[k].name == name)
        return k;
    reader.fail("a field of " + sema::text(&info));
  }
};

} // namespace

static void readValue(Run &run, File &file, Type type, char *address,
                      const Format *format, SourceRange where) {
  ValueReader reader(
      file, [&](const std::string &message) { fail(run, where, message); },
      [&](std::string text) { return intern(run.memory, std::move(text)); });
  RecordReader records{reader,
                       [&](const sema::TypeInfo &info, unsigned field) {
                         return offsetOf(run, info, field);
                       },
                       {}};
  records.readPart = [&](Type type, char *address, const Format *format) {
    if (type == Type::Record || type == Type::Union) {
      records.read(type, address);
    } else if (type == Type::Array) {
      Type inner = type.info()->element;
      int64_t count = elementCount(run, *type.info()),
              size = sizeOf(run, inner);
      for (int64_t k = 0; k != count; ++k)
        records.readPart(inner, address + k * size, format);
    } else {
      Format chosen = format ? *format : defaultFormat(type, false);
      storeScalar(type, address, reader.read(type, chosen, format != nullptr));
    }
  };
  records.readPart(type, address, format);
}

} // namespace zpl::interpreter
