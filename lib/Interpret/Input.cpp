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

#include "Interpreter.h"
#include "Values/ValueReader.h"

using namespace llvm;

namespace zpl::interpreter {

void Interpreter::read(const sema::ReadStmt *stmt) {
  int64_t file = eval(stmt->file).integer;
  for (const sema::ReadItem &item : stmt->items)
    readItem(item, file, stmt->binary);
}

void Interpreter::readItem(const sema::ReadItem &item, int64_t number,
                           bool binary) {
  Type type = item.place->type;
  std::optional<Format> format;
  if (binary)
    checkImage(type, item.range);
  else
    format = formatOf(item.format, item.formatExpr, type, item.range);
  File &file = openFile(number, /*isRead=*/true, item.range);
  int64_t done = 0; // bytes of the item
  auto readInto = [&](char *address) {
    if (binary)
      readBytes(file, type, address, done, item.range);
    else
      readValue(file, type, address, format ? &*format : nullptr, item.range);
  };
  if (!item.place->isArray())
    return readInto(place(item.place).address);
  Prepared prepared; // without the mask
  prepared.over.region = cover(item.place->rank, item.range).region;
  prepareTarget(item.place, prepared);
  if (!binary)
    checkPlain(file, item.range);
  auto *whole = dyn_cast<sema::ArrayExpr>(item.place);
  const sema::Procedure *reader =
      whole && !binary ? find(whole).reader : nullptr;
  forEachAdmitted(prepared, [&](const At &at) {
    char *address = place(item.place, &at).address;
    if (!reader)
      return readInto(address);
    Argument args[2];
    args[0].place.address = reinterpret_cast<char *>(&number);
    args[1].place.address = address;
    invoke(reader, args, item.range);
  });
}

/// \p done: of the item, in bytes.
void Interpreter::readBytes(File &file, Type type, char *address, int64_t &done,
                            SourceRange where) {
  size_t wanted = sizeOf(type), found = file.take(address, wanted);
  if (found != wanted)
    fail(where, file.name + " ends after " + std::to_string(found) + " of " +
                    std::to_string(wanted) + " bytes to be read");
  adopt(file, type, address, done, where);
  done += int64_t(wanted);
}

/// Makes a value of what was read, \p offset bytes after the start of the
/// item. Which field of a union it is the program knows.
void Interpreter::adopt(const File &file, Type type, char *address,
                        int64_t offset, SourceRange where) {
  if (type == Type::Boolean) {
    *address = *address != 0;
  } else if (type == Type::Enum) {
    int64_t value = loadScalar(type, address).integer;
    if (none_of(type.info()->enumerators,
                [&](const auto &one) { return one.value == value; }))
      fail(where, file.name + " holds " + std::to_string(value) + " at byte " +
                      std::to_string(offset) +
                      " of what is read, which is no value of type " +
                      sema::text(type));
  } else if (type == Type::Array) {
    Type inner = type.info()->element;
    int64_t count = elementCount(*type.info()), size = sizeOf(inner);
    for (int64_t k = 0; k != count; ++k)
      adopt(file, inner, address + k * size, offset + k * size, where);
  } else if (type == Type::Record) {
    const sema::TypeInfo &info = *type.info();
    for (auto [k, field] : enumerate(info.fields))
      adopt(file, field.type, address + offsetOf(info, k),
            offset + offsetOf(info, k), where);
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

void Interpreter::readValue(File &file, Type type, char *address,
                            const Format *format, SourceRange where) {
  ValueReader reader(
      file, [&](const std::string &message) { fail(where, message); },
      [&](std::string text) { return intern(std::move(text)); });
  RecordReader records{reader,
                       [&](const sema::TypeInfo &info, unsigned field) {
                         return offsetOf(info, field);
                       },
                       {}};
  records.readPart = [&](Type type, char *address, const Format *format) {
    if (type == Type::Record || type == Type::Union) {
      records.read(type, address);
    } else if (type == Type::Array) {
      Type inner = type.info()->element;
      int64_t count = elementCount(*type.info()), size = sizeOf(inner);
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
