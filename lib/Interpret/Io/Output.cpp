//===- Output.cpp - write, writeln and bwrite -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Items are evaluated and written one after the other. What is made of scalars
// is walked through (language 15):
//
//     a[]               1 2 3              the elements, each as a scalar
//     a record          {x: 1.5, k: 3}     default formats, trimmed
//     a parallel array  its elements over the covering region, masked or not, a
//                       newline after each run of the innermost dimension that
//                       has more than one index
//
// A binary file gets the bytes of the elements as they lie in memory.
//
//===----------------------------------------------------------------------===//

#include "Io/Output.h"
#include "Arrays/ArrayExpressions.h"
#include "Arrays/Families.h"
#include "Calls.h"
#include "Errors.h"
#include "Expressions.h"
#include "Io/ArrayFiles.h"
#include "Io/Checkpoints.h"
#include "Io/Stored.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Run.h"

using namespace llvm;

namespace zpl::interpreter {

static void writeArray(Run &run, const sema::WriteItem &item, int64_t file,
                       bool binary);
static void appendValue(Run &run, std::string &out, Type type,
                        const char *address, const Format *format,
                        bool isElement);
static void appendRecord(Run &run, std::string &out, Type type,
                         const char *address);
static void appendMember(Run &run, std::string &out, Type type,
                         const char *address);

void write(Run &run, const sema::WriteStmt *stmt) {
  int64_t file = eval(run, stmt->file).integer;
  for (const sema::WriteItem &item : stmt->items)
    writeItem(run, item, file, stmt->binary);
  std::string ignored;
  File *open = run.files.find(file, ignored);
  if (open && !stmt->binary)
    finishPicture(run, *open);
  run.files.handOver(file);
}

File &openFile(Run &run, int64_t number, bool isRead, SourceRange where) {
  std::string error;
  File *file = run.files.find(number, error);
  if (!file)
    fail(run, where, error);
  if (file->isInput != isRead)
    fail(run, where,
         isRead ? "cannot read from " + file->name + ": it is open for writing"
                : "cannot write to " + file->name + ": it is open for reading");
  file->where = where;
  return *file;
}

File *checkpointFile(Run &run, int64_t number) {
  std::string ignored;
  File *file = run.files.find(number, ignored);
  return file && file->checkpoint ? file : nullptr;
}

std::optional<Format> formatOf(Run &run, const std::optional<std::string> &text,
                               const sema::Expr *expr, Type type,
                               SourceRange where) {
  if (!text && !expr)
    return std::nullopt;
  std::string error;
  std::optional<Format> format =
      parseFormat(text ? *text : textOf(eval(run, expr)), type, error);
  if (!format)
    fail(run, where, error);
  return format;
}

void checkPlain(Run &run, const File &file, SourceRange where) {
  // Lines of a table may be written and read as text.
  if (file.kind != FileKind::Plain && file.kind != FileKind::Table)
    fail(run, where,
         file.name +
             (file.kind == FileKind::Image
                  ? " is a picture: it holds parallel arrays"
              : file.kind == FileKind::Numpy
                  ? " is in NumPy's format: it holds one array"
              : file.kind == FileKind::Table
                  ? " is a table: it holds parallel arrays"
              : file.kind == FileKind::Store
                  ? " is a file of arrays with names: this one is an array"
                  : " is in Matrix Market's format: it holds one parallel "
                    "array") +
             " and nothing else");
}

/// Strings, files and values of C have no place in a binary file.
void checkImage(Run &run, Type type, SourceRange where) {
  type = leafOf(type);
  if (type == Type::Record || type == Type::Union)
    for (const sema::TypeField &field : type.info()->fields)
      checkImage(run, field.type, where);
  if (type == Type::String || type == Type::File || type == Type::Opaque)
    fail(run, where,
         "values of type " + sema::text(type) + " cannot be stored in binary");
}

/// Writes a scalar, or its \p text, to a file whose format is not that of ZPL's
/// texts.
static void writeWholeItem(Run &run, File &target, const sema::WriteItem &item,
                           const std::string &text) {
  if (!item.value && text == "\n" && target.array)
    return; // writeln of a whole array
  if (target.kind == FileKind::Table)
    return target.write(text);
  if (target.kind == FileKind::Store && isAttribute(run, target)) {
    if (!item.value)
      return writeStoredText(run, target, text);
  } else if (!item.value || (target.kind != FileKind::Numpy &&
                             target.kind != FileKind::Store)) {
    checkPlain(run, target, item.range);
  }
  if (target.kind == FileKind::Store && item.value->type == Type::String)
    return writeStoredText(run, target, textOf(eval(run, item.value)));
  return writeWholeValue(run, target, item.value->type,
                         place(run, item.value).address);
}

void writeItem(Run &run, const sema::WriteItem &item, int64_t file,
               bool binary) {
  constexpr int64_t StandardOutput = 2, StandardError = 3;
  std::string text = item.text;
  if (item.value && item.value->isArray())
    return writeArray(run, item, file, binary);
  if (item.value) {
    Type type = item.value->type;
    std::optional<Format> format;
    if (File *state = binary ? checkpointFile(run, file) : nullptr)
      return writeState(run, *state, type, place(run, item.value).address);
    if (binary)
      checkImage(run, type, item.range);
    else
      format = formatOf(run, item.format, item.formatExpr, type, item.range);
    Place value = place(run, item.value);
    if (binary)
      text.assign(value.address, sizeOf(run, type));
    else
      appendValue(run, text, type, value.address, format ? &*format : nullptr,
                  /*isElement=*/false);
  }
  File &target = openFile(run, file, /*isRead=*/false, item.range);
  if (!binary && target.kind != FileKind::Plain)
    return writeWholeItem(run, target, item, text);
  if (file == StandardError)
    openFile(run, StandardOutput, /*isRead=*/false, item.range).flush();
  target.write(text);
  if (file == StandardError)
    target.flush();
}

//===----------------------------------------------------------------------===//
// Parallel arrays
//===----------------------------------------------------------------------===//

namespace {

/// Where lines end: behind the indices that differ in the innermost dimension
/// with more than one index only, or in dimensions with one index.
class Lines {
public:
  explicit Lines(const Region &region) {
    for (auto [d, dim] : enumerate(region.dims))
      if (dim.count() > 1)
        innermost = unsigned(d);
  }

  /// Whether \p index, which comes next, begins another line than the last one.
  bool endsBefore(const Index &index) {
    bool ends = last && !std::equal(index.begin(), index.begin() + innermost,
                                    last->begin());
    last = index;
    return ends;
  }
  /// Whether anything was written.
  bool isOpen() const { return last.has_value(); }

private:
  unsigned innermost = 0;
  std::optional<Index> last;
};

} // namespace

/// Has the procedure that is bound to an array write an element of it.
static void writeBy(Run &run, const sema::Procedure *writer, int64_t &file,
                    char *element, SourceRange range) {
  Argument args[2];
  args[0].place.address = reinterpret_cast<char *>(&file);
  args[1].place.address = element;
  invoke(run, writer, args, range);
}

/// Writes an array, over a region, to a checkpoint.
static void writeArrayState(Run &run, File &state, const sema::Expr *value,
                            const Cover &over) {
  if (auto *whole = dyn_cast<sema::ArrayExpr>(value))
    return writeState(run, state, find(run, whole), *over.region);
  writeState(run, state, *materialize(run, value, over), *over.region);
}

/// Writes the values of an array to a file whose format is not that of ZPL's
/// texts.
static void writeWholeArray(Run &run, File &target, const sema::WriteItem &item,
                            std::unique_ptr<ArrayStorage> values,
                            const Region &region) {
  if (target.kind != FileKind::Matrix && region.isSparse())
    fail(run, item.range,
         "cannot write to " + target.name +
             " in a sparse scope: its indices are not those of an array");
  writeWhole(run, target, item.value->type, std::move(values), region);
}

static void writeArray(Run &run, const sema::WriteItem &item, int64_t file,
                       bool binary) {
  Type type = item.value->type;
  Cover over; // without the mask
  over.region = cover(run, item.value->rank, item.range).region;
  auto *whole = dyn_cast<sema::ArrayExpr>(item.value);
  std::optional<Format> format;
  if (File *state = binary ? checkpointFile(run, file) : nullptr)
    return writeArrayState(run, *state, item.value, over);
  if (binary)
    checkImage(run, type, item.range);
  else
    format = formatOf(run, item.format, item.formatExpr, type, item.range);
  std::unique_ptr<ArrayStorage> values = materialize(run, item.value, over);
  const sema::Procedure *writer = nullptr;
  if (whole && whole->direction.empty() && !binary)
    writer = find(run, whole).writer;
  File &target = openFile(run, file, /*isRead=*/false, item.range);
  if (!binary && target.kind != FileKind::Plain)
    return writeWholeArray(run, target, item, std::move(values), *over.region);
  Lines lines(*over.region);
  forEachIndex(*over.region, [&](const Index &index) {
    std::string text;
    if (!binary && lines.endsBefore(index))
      text += '\n';
    if (binary) {
      text.assign(values->at(index), values->elementSize);
    } else if (writer) {
      target.write(text);
      text.clear();
      writeBy(run, writer, file, values->at(index), item.range);
    } else {
      appendValue(run, text, type, values->at(index),
                  format ? &*format : nullptr,
                  /*isElement=*/true);
    }
    target.write(text);
  });
  if (!binary && lines.isOpen())
    target.write("\n");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static void appendValue(Run &run, std::string &out, Type type,
                        const char *address, const Format *format,
                        bool isElement) {
  if (type == Type::Record || type == Type::Union) {
    appendRecord(run, out, type, address);
    out += isElement ? " " : "";
  } else if (type == Type::Array) {
    Type inner = type.info()->element;
    bool isRecord = inner == Type::Record || inner == Type::Union;
    int64_t count = elementCount(run, *type.info()), size = sizeOf(run, inner);
    for (int64_t k = 0; k != count; ++k)
      appendValue(run, out, inner, address + k * size, format, isRecord);
  } else {
    appendScalar(out, type, loadScalar(type, address),
                 format ? *format : defaultFormat(type, isElement));
  }
}

static void appendRecord(Run &run, std::string &out, Type type,
                         const char *address) {
  const sema::TypeInfo &info = *type.info();
  out += '{';
  for (unsigned k = 0; k != info.fields.size(); ++k) {
    out += (k == 0 ? "" : ", ") + info.fields[k].name + ": ";
    appendMember(run, out, info.fields[k].type,
                 address + offsetOf(run, info, k));
  }
  out += '}';
}

/// A number without blanks around it and zeros at its end.
static std::string trimmed(StringRef text) {
  text = text.trim(' ');
  if (text.contains('.'))
    text = text.rtrim('0').rtrim('.');
  return text.str();
}

/// A value within a record.
static void appendMember(Run &run, std::string &out, Type type,
                         const char *address) {
  if (type == Type::Record || type == Type::Union)
    return appendRecord(run, out, type, address);
  if (type == Type::Array) {
    Type inner = type.info()->element;
    int64_t count = elementCount(run, *type.info()), size = sizeOf(run, inner);
    for (int64_t k = 0; k != count; ++k) {
      out += k == 0 ? "" : " ";
      appendMember(run, out, inner, address + k * size);
    }
    return;
  }
  Value value = loadScalar(type, address);
  if (type == Type::String) {
    out += textOf(value);
  } else if (type.isComplex()) {
    Format part = defaultFormat(componentOf(type), false);
    std::string re, im;
    appendScalar(re, componentOf(type), floatingValue(value.re), part);
    appendScalar(im, componentOf(type), floatingValue(value.im), part);
    out += trimmed(re) + " + " + trimmed(im) + "i";
  } else {
    std::string text;
    appendScalar(text, type, value, defaultFormat(type, false));
    out += type == Type::Char ? text : trimmed(text);
  }
}

} // namespace zpl::interpreter
