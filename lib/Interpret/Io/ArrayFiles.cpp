//===- ArrayFiles.cpp - Files that hold arrays ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NumPy's files and pictures, in memory as a whole:
//
//     write(open("a.npy", file_write), A)      header and elements, at once
//     write(open("a.png", file_write), R, G, B)
//                                              three arrays are kept; the end
//                                              of the statement paints them
//     read(open("a.png", file_read), R)        the pixels are decoded and kept
//
// Files of Matrix Market are Matrices.cpp's. What the bytes of the files mean is shared with the runtime (runtime/lib/
// Formats); what becomes of the elements is not.
//
//===----------------------------------------------------------------------===//

#include "Io/ArrayFiles.h"
#include "Errors.h"
#include "Formats/Film.h"
#include "Formats/NumpyHeader.h"
#include "Formats/Painter.h"
#include "Formats/PngReader.h"
#include "Io/Matrices.h"
#include "Io/Output.h"
#include "Io/Stored.h"
#include "Io/Tables.h"
#include "Memory.h"
#include <cstdio>

using namespace llvm;
using zrt::Element;

namespace zpl::interpreter {

/// An array of a picture that is being written.
struct PicturePlane {
  Type type;
  std::unique_ptr<ArrayStorage> values;
  Region region;
};

/// A number in an element.
struct PictureNumber {
  int64_t offset;
  Element element;
};

/// What is known of a file that is not plain.
struct ArrayFile {
  std::unique_ptr<StoredFile> stored;
  std::unique_ptr<TableFile> table;
  bool isComplete = false;
  zrt::PictureStyle style;
  std::vector<PicturePlane> planes;
  // Of one that is read.
  bool isDescribed = false;
  zrt::NumpyArray array;
  zrt::PngShape shape;
  std::string start;
  zrt::PngPixels pixels;
  int coloursRead = 0;
};

std::optional<Element> elementOf(Type type) {
  static constexpr std::pair<Type::Kind, Element> Elements[] = {
      {Type::Boolean, Element::Bool}, {Type::Char, Element::U8},
      {Type::Sbyte, Element::I8},     {Type::Ubyte, Element::U8},
      {Type::Shortint, Element::I16}, {Type::Ushortint, Element::U16},
      {Type::Integer, Element::I32},  {Type::Uinteger, Element::U32},
      {Type::Longint, Element::I64},  {Type::Ulongint, Element::U64},
      {Type::Enum, Element::I32},     {Type::Float, Element::F32},
      {Type::Double, Element::F64},   {Type::Quad, Element::F80},
      {Type::Complex, Element::C32},  {Type::Dcomplex, Element::C64},
      {Type::Qcomplex, Element::C80}};
  for (const auto &[kind, element] : Elements)
    if (type == kind)
      return element;
  return std::nullopt;
}

static ArrayFile &known(File &file) {
  if (!file.array)
    file.array = std::make_shared<ArrayFile>();
  return *file.array;
}

static std::vector<int64_t> shapeOf(const Region &region) {
  std::vector<int64_t> shape;
  for (const Dim &dim : region.dims)
    shape.push_back(std::max<int64_t>(dim.count(), 0));
  return shape;
}

static int64_t countOf(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

//===----------------------------------------------------------------------===//
// What a file is like
//===----------------------------------------------------------------------===//

static ArrayFile &describe(Run &run, File &file, SourceRange where) {
  ArrayFile &what = known(file);
  if (what.isDescribed)
    return what;
  what.isDescribed = true;
  const char *reason = nullptr;
  if (file.kind == FileKind::Matrix) {
    zrt::MatrixKind matrix = matrixKind(run, file);
    what.array.shape = {matrix.rows, matrix.columns};
    what.array.element = zrt::elementOf(matrix.field);
  } else if (file.kind == FileKind::Store) {
    what.stored = findStored(run, file);
    what.array = what.stored->found;
  } else if (file.kind == FileKind::Table) {
    what.table = findTable(run, file);
    what.array.shape = {what.table->table.rows(), what.table->table.columns()};
    what.array.element = what.table->table.element();
  } else if (file.kind == FileKind::Numpy) {
    auto source = [&](char *to, size_t count) { return file.take(to, count); };
    reason = zrt::takeNumpyHeader(source, what.array);
  } else {
    what.start.resize(zrt::PngStartBytes);
    what.start.resize(file.take(what.start.data(), zrt::PngStartBytes));
    reason = zrt::readPngStart(what.start, what.shape);
    what.array.shape = {what.shape.height, what.shape.width};
    what.array.element = what.shape.bits == 8 ? Element::U8 : Element::U16;
  }
  if (reason)
    fail(run, where, file.name + " " + reason);
  return what;
}

static ArrayFile &described(Run &run, int64_t number, SourceRange where) {
  File &file = openFile(run, number, /*isRead=*/true, where);
  if (file.kind == FileKind::Plain)
    fail(run, where,
         file.name +
             " has no shape: its name does not end as that of a format with "
             "shapes does, .npy, .csv, .h5, .hdf5, .nc, .vti, .pvd, .png or "
             ".mtx");
  return describe(run, file, where);
}

int64_t fileRank(Run &run, int64_t file, SourceRange where) {
  return int64_t(described(run, file, where).array.shape.size());
}

int64_t fileShape(Run &run, int64_t number, int64_t dim, SourceRange where) {
  ArrayFile &what = described(run, number, where);
  File &file = openFile(run, number, /*isRead=*/true, where);
  std::vector<int64_t> shape = what.array.shape;
  if (file.kind == FileKind::Image)
    shape.push_back(what.shape.colours);
  std::string text = file.name + " has the shape " + zrt::numpyShape(shape);
  if (dim < 1 || dim > int64_t(shape.size()))
    fail(run, where, text + ": there is no dimension " + std::to_string(dim));
  if (shape[dim - 1] > INT32_MAX)
    fail(run, where, text + ": so many indices are no region");
  return shape[dim - 1];
}

std::string fileElement(Run &run, int64_t file, SourceRange where) {
  const zrt::NumpyArray &array = described(run, file, where).array;
  return array.element ? zrt::nameOf(*array.element) : "";
}

//===----------------------------------------------------------------------===//
// NumPy's files
//===----------------------------------------------------------------------===//

void complete(Run &run, File &file) {
  ArrayFile &what = known(file);
  if (what.isComplete)
    fail(run, file.where,
         file.isInput
             ? file.name + " holds one array, which was read before"
             : file.name + " is not empty: files of this kind hold one array");
  what.isComplete = true;
}

static std::string numpyStart(Run &run, File &file, Type type,
                              const std::vector<int64_t> &shape) {
  std::optional<Element> element = elementOf(type);
  if (!element)
    fail(run, file.where,
         "cannot write to " + file.name +
             ": NumPy's format has no elements of type " + sema::text(type));
  bool isFortran = false;
  std::string reason = zrt::numpyOrder(file.fileName.part, isFortran);
  if (!reason.empty())
    fail(run, file.where, file.name + " " + reason);
  return zrt::numpyHeader(*element, shape, isFortran);
}

/// Ends the run if the array in the file is not what is wanted.
static void checkNumpy(Run &run, const File &file, Type type,
                       const zrt::NumpyArray &found, const Region *region) {
  std::optional<Element> to = elementOf(type);
  if (!to || !found.element || !zrt::converts(*found.element, *to))
    fail(run, file.where,
         file.name + " has elements '" + found.descr + "', but those of type " +
             sema::text(type) +
             (to ? " are '" + std::string(zrt::descriptorOf(*to)) + "'"
                 : " have no place in NumPy's format"));
  std::vector<int64_t> wanted;
  if (region)
    wanted = shapeOf(*region);
  if (found.shape != wanted)
    fail(run, file.where,
         file.name + " has the shape " + zrt::numpyShape(found.shape) +
             ", but " +
             (region ? "the region is " + region->bounds() + ", of shape " +
                           zrt::numpyShape(wanted)
                     : std::string("a single value has the shape ()")));
}

/// The number in row-major order of element \p number of the file.
static int64_t numberInRows(const zrt::NumpyArray &found, int64_t number) {
  if (!found.isFortran)
    return number;
  std::vector<int64_t> index(found.shape.size());
  for (size_t d = 0; d != index.size(); ++d) {
    index[d] = number % found.shape[d];
    number /= found.shape[d];
  }
  int64_t result = 0;
  for (size_t d = 0; d != index.size(); ++d)
    result = result * found.shape[d] + index[d];
  return result;
}

/// Elements in row-major order as they stand in a file in Fortran's order.
static std::string turned(const std::string &bytes,
                          const std::vector<int64_t> &shape, int64_t size) {
  zrt::NumpyArray order;
  order.isFortran = true;
  order.shape = shape;
  std::string result;
  for (int64_t k = 0; k != countOf(shape); ++k)
    result.append(bytes, numberInRows(order, k) * size, size);
  return result;
}

std::string elementIndex(const std::vector<int64_t> &shape, int64_t number) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = index.size(); d-- != 0;) {
    index[d] = number % shape[d];
    number /= shape[d];
  }
  return zrt::numpyShape(index);
}

static std::vector<char> readNumpy(Run &run, File &file, Type type,
                                   const Region *region) {
  complete(run, file);
  const zrt::NumpyArray &found = describe(run, file, file.where).array;
  checkNumpy(run, file, type, found, region);
  Element from = *found.element, to = *elementOf(type);
  int64_t count = countOf(found.shape);
  size_t each = zrt::sizeOf(from);
  std::vector<char> bytes(count * each);
  size_t taken = file.take(bytes.data(), bytes.size());
  if (taken != bytes.size())
    fail(run, file.where,
         file.name + " ends after " + std::to_string(taken) + " of " +
             std::to_string(bytes.size()) + " bytes to be read");
  if (found.isSwapped)
    zrt::swapBytes(from, bytes.data(), count);
  std::vector<char> result(count * zrt::sizeOf(to));
  for (int64_t k = 0; k != count; ++k) {
    const char *source = bytes.data() + k * int64_t(each);
    int64_t place = numberInRows(found, k);
    if (zrt::convert(from, source, to, &result[place * zrt::sizeOf(to)]))
      continue;
    char value[40];
    snprintf(value, sizeof value, "%.17g", zrt::realLoader(from)(source));
    fail(run, file.where,
         file.name + " holds " + value + " at " +
             elementIndex(found.shape, place) + ", which does not fit type " +
             sema::text(type));
  }
  if (from != to)
    warn(run, file.where,
         file.name + " has elements of type " + zrt::nameOf(from) +
             ", which become " + sema::text(type));
  return result;
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

int64_t openPicture(Run &run, ArrayRef<Value> args, SourceRange where) {
  zrt::PictureStyle style;
  style.colours = textOf(args[1]);
  style.isFixed = args[2].integer != 0;
  style.low = double(args[3].re);
  style.high = double(args[4].re);
  style.scale = args[5].integer;
  std::string reason = zrt::checkStyle(style);
  if (!reason.empty())
    fail(run, where, reason);
  int64_t number = run.files.open(textOf(args[0]), /*mode=*/1);
  if (number < 0)
    return number;
  File &file = openFile(run, number, /*isRead=*/false, where);
  file.kind = FileKind::Image;
  known(file).style = style;
  return number;
}

/// The numbers of an element: itself, or the three of a record or an indexed
/// array; none if it has others.
static std::vector<PictureNumber> numbersOf(Run &run, Type type) {
  std::vector<PictureNumber> numbers;
  auto add = [&](int64_t offset, Type part) {
    std::optional<Element> element = elementOf(part);
    if (element && !zrt::isComplex(*element))
      numbers.push_back({offset, *element});
  };
  if (type == Type::Record) {
    const sema::TypeInfo &info = *type.info();
    for (unsigned k = 0; k != info.fields.size(); ++k)
      add(offsetOf(run, info, k), info.fields[k].type);
    return info.fields.size() == 3 && numbers.size() == 3
               ? numbers
               : std::vector<PictureNumber>();
  }
  if (type == Type::Array) {
    Type inner = type.info()->element;
    if (elementCount(run, *type.info()) == 3)
      for (int64_t k = 0; k != 3; ++k)
        add(k * sizeOf(run, inner), inner);
    return numbers;
  }
  add(0, type);
  return numbers;
}

/// What is wrong with the arrays of a picture, or "".
static std::string misfitOf(Run &run, const std::vector<PicturePlane> &planes,
                            const zrt::PictureStyle &style, int &numbers,
                            bool &isIntegral) {
  for (const PicturePlane &plane : planes) {
    if (plane.region.rank() != 2)
      return "it needs arrays of rank 2, not " +
             std::to_string(plane.region.rank());
    std::vector<PictureNumber> own = numbersOf(run, plane.type);
    if (own.empty())
      return "it needs elements that are numbers or have three of them, not of "
             "type " +
             sema::text(plane.type);
    numbers += int(own.size());
    for (const PictureNumber &number : own)
      isIntegral &= !zrt::isFloating(number.element);
    if (shapeOf(plane.region) != shapeOf(planes[0].region))
      return "its arrays have different extents: " + planes[0].region.bounds() +
             " and " + plane.region.bounds();
  }
  if (numbers != 1 && numbers != 3)
    return "it is made of one array, or of three for red, green and blue, not "
           "of " +
           std::to_string(planes.size());
  const Region &region = planes[0].region;
  if (region.isEmpty())
    return "there is no element in " + region.bounds();
  std::string reason = zrt::checkPicture(style, numbers, region.dims[0].count(),
                                         region.dims[1].count());
  return reason.empty() ? "" : "it " + reason;
}

/// The numbers of all pixels, in row-major order.
static std::vector<double>
pixelsOf(Run &run, const std::vector<PicturePlane> &planes, int numbers) {
  std::vector<double> pixels(countOf(shapeOf(planes[0].region)) * numbers);
  int first = 0;
  for (const PicturePlane &plane : planes) {
    std::vector<PictureNumber> own = numbersOf(run, plane.type);
    int64_t pixel = 0;
    forEachIndex(plane.region, [&](const Index &index) {
      const char *element = plane.values->at(index);
      for (size_t k = 0; k != own.size(); ++k)
        pixels[pixel * numbers + first + k] =
            zrt::realLoader(own[k].element)(element + own[k].offset);
      ++pixel;
    });
    first += int(own.size());
  }
  return pixels;
}

static void addFrame(Run &run, File &file, const std::string &frame) {
  int rate = zrt::filmRate(file.fileName.part);
  std::string reason =
      rate < 0 ? "has '" + file.fileName.part +
                     "' after the colon, but a film has 1 to 1000 pictures a "
                     "second"
               : zrt::addToFilm(file.descriptor, frame, rate);
  if (!reason.empty())
    fail(run, file.where, file.name + " " + reason);
}

/// Makes a table of the arrays that the statement has named.
static void finishTable(Run &run, File &file) {
  std::vector<TableColumns> arrays;
  for (PicturePlane &plane : known(file).planes)
    arrays.push_back({plane.type, plane.values.get(), &plane.region});
  if (!arrays.empty())
    writeTable(run, file, arrays);
  known(file).planes.clear();
}

void finishPicture(Run &run, File &file) {
  ArrayFile &what = known(file);
  if (file.kind == FileKind::Table)
    return finishTable(run, file);
  if (file.kind != FileKind::Image || what.planes.empty())
    return;
  std::vector<PicturePlane> planes = std::move(what.planes);
  what.planes.clear();
  int numbers = 0;
  bool isIntegral = true;
  std::string reason = misfitOf(run, planes, what.style, numbers, isIntegral);
  if (!reason.empty())
    fail(run, file.where,
         "cannot write a picture to " + file.name + ": " + reason);
  std::vector<double> pixels = pixelsOf(run, planes, numbers);
  zrt::PictureRange range;
  if (std::optional<zrt::PictureRange> fixed =
          zrt::rangeOf(what.style, numbers == 3, isIntegral))
    range = *fixed;
  else
    for (double value : pixels)
      range.include(value);
  const Region &region = planes[0].region;
  zrt::Painter painter(what.style, numbers, range, region.dims[0].count(),
                       region.dims[1].count());
  for (size_t k = 0; k != pixels.size(); k += numbers)
    painter.add(&pixels[k]);
  painter.finish();
  if (!painter.error().empty())
    fail(run, file.where, painter.error());
  if (file.isFilm())
    return addFrame(run, file, painter.takeBytes());
  file.write(painter.takeBytes());
}

/// Ends the run if the picture does not fit.
static void checkPixels(Run &run, const File &file, const ArrayFile &what,
                        Type type, size_t numbers, const Region &region) {
  std::string reason;
  if (numbers == 0)
    reason = "is a picture: it is read into numbers, or into records of three, "
             "not into elements of type " +
             sema::text(type);
  else if (shapeOf(region) != what.array.shape)
    reason = "has the shape " + zrt::numpyShape(what.array.shape) +
             ", rows and columns, but the region is " + region.bounds() +
             ", of shape " + zrt::numpyShape(shapeOf(region));
  else if (what.coloursRead == what.shape.colours)
    reason =
        what.shape.colours == 1
            ? "is a grey picture: it holds one array, which was read before"
            : "holds three colours, which were read before";
  else if (numbers == 3 && what.coloursRead > 0)
    reason = "has been read in part; records take all colours at once";
  if (!reason.empty())
    fail(run, file.where, file.name + " " + reason);
}

static void decode(Run &run, File &file, ArrayFile &what) {
  std::string all = std::move(what.start);
  while (file.peek() != File::End) {
    all += char(file.peek());
    file.skip();
  }
  what.pixels.shape = what.shape;
  std::string error = zrt::decodePng(all, what.pixels);
  if (!error.empty())
    fail(run, file.where, file.name + " " + error);
}

static std::vector<char> readPicture(Run &run, File &file, Type type,
                                     const Region &region) {
  ArrayFile &what = describe(run, file, file.where);
  std::vector<PictureNumber> numbers = numbersOf(run, type);
  checkPixels(run, file, what, type, numbers.size(), region);
  if (what.coloursRead == 0)
    decode(run, file, what);
  int64_t size = sizeOf(run, type), count = countOf(what.array.shape);
  std::vector<char> result(count * size);
  for (int64_t pixel = 0; pixel != count; ++pixel)
    for (size_t k = 0; k != numbers.size(); ++k) {
      int colour = what.shape.colours == 1 ? 0 : what.coloursRead + int(k);
      uint32_t sample = what.pixels.sample(pixel / what.shape.width,
                                           pixel % what.shape.width, colour);
      if (!zrt::storeSample(numbers[k].element,
                            &result[pixel * size + numbers[k].offset], sample,
                            what.pixels.most()))
        fail(run, file.where,
             file.name + " holds " + std::to_string(sample) + " at " +
                 elementIndex(what.array.shape, pixel) +
                 ", which does not fit type " + sema::text(type));
    }
  what.coloursRead += numbers.size() == 3 ? what.shape.colours : 1;
  return result;
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

void writeWhole(Run &run, File &file, Type type,
                std::unique_ptr<ArrayStorage> values, const Region &region) {
  ArrayFile &what = known(file);
  if (what.planes.empty() && !file.isFilm())
    complete(run, file);
  if (file.kind == FileKind::Image || file.kind == FileKind::Table) {
    what.planes.push_back({type, std::move(values), region});
    return;
  }
  if (file.kind == FileKind::Matrix)
    return writeMatrix(run, file, type, *values, region);
  std::string bytes;
  forEachIndex(region, [&](const Index &index) {
    bytes.append(values->at(index), values->elementSize);
  });
  if (file.kind == FileKind::Store)
    return writeStored(run, file, type, &region, bytes);
  file.write(numpyStart(run, file, type, shapeOf(region)));
  if (file.fileName.part == "fortran")
    bytes = turned(bytes, shapeOf(region), values->elementSize);
  file.write(bytes);
}

void writeWholeValue(Run &run, File &file, Type type, const char *address) {
  complete(run, file);
  if (file.kind == FileKind::Store)
    return writeStored(run, file, type, nullptr,
                       std::string(address, sizeOf(run, type)));
  file.write(numpyStart(run, file, type, {}));
  file.write(StringRef(address, sizeOf(run, type)));
}

std::vector<char> readWhole(Run &run, File &file, Type type,
                            const Region *region) {
  if (file.kind == FileKind::Image)
    return readPicture(run, file, type, *region);
  if (file.kind == FileKind::Matrix)
    return readMatrix(run, file, type, *region);
  if (file.kind == FileKind::Table) {
    ArrayFile &what = describe(run, file, file.where);
    return readTable(run, file, *what.table, type, *region);
  }
  if (file.kind == FileKind::Store) {
    refuseAttribute(run, file, region);
    complete(run, file);
    ArrayFile &what = describe(run, file, file.where);
    return readStored(run, file, *what.stored, type, region);
  }
  return readNumpy(run, file, type, region);
}

} // namespace zpl::interpreter
