//===- Matrices.cpp - Files of Matrix Market ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file that is read is in memory as a whole, and is taken apart each time that
// something in it is asked for:
//
//     read(f, S)         the indices that it lists
//     [S] read(f, A)     the values at these, zero at the others of S
//
// What the lines mean is shared with the runtime (runtime/lib/Formats).
//
//===----------------------------------------------------------------------===//

#include "Io/Matrices.h"
#include "Errors.h"
#include "Io/ArrayFiles.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using zrt::Element;

namespace zpl::interpreter {

/// Begins with the lines before the numbers, which say \p kind.
static zrt::MatrixReader openMatrix(Run &run, File &file,
                                    zrt::MatrixKind &kind) {
  if (!file.contents) {
    file.contents = std::make_shared<std::string>();
    char block[4096];
    while (size_t count = file.take(block, sizeof block))
      file.contents->append(block, count);
  }
  auto source = [text = file.contents, at = size_t(0)](char *to,
                                                       size_t most) mutable {
    size_t count = text->copy(to, most, at);
    at += count;
    return count;
  };
  zrt::MatrixReader reader(source);
  if (!reader.start(kind))
    fail(run, file.where, file.name + " " + reader.error());
  return reader;
}

zrt::MatrixKind matrixKind(Run &run, File &file) {
  zrt::MatrixKind kind;
  openMatrix(run, file, kind);
  return kind;
}

/// Rows and columns of a file of what is in \p region.
static std::vector<int64_t> matrixShape(const Region &region) {
  return {region.dims[0].count(),
          region.rank() == 1 ? 1 : region.dims[1].count()};
}

/// Ends the run unless what is in the file fits \p region and \p type, if any.
static void checkMatrix(Run &run, const File &file, const zrt::MatrixKind &kind,
                        const Region &region, std::optional<Type> type) {
  auto refuse = [&](const std::string &what) {
    fail(run, file.where, file.name + " " + what);
  };
  if (region.rank() > 2)
    refuse("holds a matrix, and is read over a region of rank 1 or 2, not " +
           std::to_string(region.rank()));
  std::vector<int64_t> found = {kind.rows, kind.columns},
                       wanted = matrixShape(region);
  if (found != wanted)
    refuse("has the shape " + zrt::numpyShape(found) +
           ", but the region has the shape " + zrt::numpyShape(wanted));
  if (!type)
    return;
  std::optional<Element> to = elementOf(*type);
  if (!to || !zrt::converts(kind, *to))
    refuse(std::string("has the field ") + zrt::nameOf(kind.field) +
           ", which does not become " + sema::text(*type));
}

/// Calls \p take with each element of the file and its index in \p region.
static void forEachElement(
    Run &run, File &file, zrt::MatrixReader &reader, const Region &region,
    function_ref<void(const zrt::MatrixEntry &, const Index &)> take) {
  zrt::MatrixEntry entry;
  while (reader.next(entry)) {
    Index index{};
    index[0] = region.dims[0].first() + entry.row * region.dims[0].stride;
    if (region.rank() == 2)
      index[1] = region.dims[1].first() + entry.column * region.dims[1].stride;
    take(entry, index);
  }
  if (!reader.error().empty())
    fail(run, file.where, file.name + " " + reader.error());
}

[[noreturn]] static void failAt(Run &run, const File &file,
                                const zrt::MatrixEntry &entry,
                                const Index &index, unsigned rank,
                                const char *what) {
  fail(run, file.where,
       file.name + " is wrong in line " + std::to_string(entry.line) + ": " +
           indexText(index, rank) + " " + what);
}

std::vector<char> readMatrix(Run &run, File &file, Type type,
                             const Region &region) {
  zrt::MatrixKind kind;
  zrt::MatrixReader reader = openMatrix(run, file, kind);
  checkMatrix(run, file, kind, region, type);
  std::map<Index, int64_t> places; // of those that have not come
  forEachIndex(region, [&](const Index &index) {
    int64_t place = int64_t(places.size());
    places[index] = place;
  });
  int64_t size = sizeOf(run, type);
  std::vector<char> result(places.size() * size);
  forEachElement(run, file, reader, region,
                 [&](const zrt::MatrixEntry &entry, const Index &index) {
                   auto place = places.find(index);
                   if (place == places.end())
                     failAt(run, file, entry, index, region.rank(),
                            region.contains(index)
                                ? "is given for the second time"
                                : "is no index of the region");
                   if (!reader.store(entry, *elementOf(type),
                                     &result[place->second * size]))
                     fail(run, file.where, file.name + " " + reader.error());
                   places.erase(place);
                 });
  return result;
}

std::shared_ptr<Pattern> readPattern(Run &run, File &file,
                                     const Region &region) {
  if (file.kind != FileKind::Matrix)
    fail(run, file.where,
         file.name + " holds no pattern: it is not in Matrix Market's format "
                     "(*.mtx)");
  zrt::MatrixKind kind;
  zrt::MatrixReader reader = openMatrix(run, file, kind);
  checkMatrix(run, file, kind, region, std::nullopt);
  auto made = std::make_shared<Pattern>();
  forEachElement(run, file, reader, region,
                 [&](const zrt::MatrixEntry &entry, const Index &index) {
                   if (!made->insert(index).second)
                     failAt(run, file, entry, index, region.rank(),
                            "is given for the second time");
                 });
  return made;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The element at \p index of \p region, as a line of coordinates.
static std::string entryText(const Region &region, const Index &index,
                             Element element, const char *value) {
  std::string text;
  for (unsigned d = 0; d != 2; ++d) {
    int64_t number = 1;
    if (d < region.rank())
      number = (index[d] - region.dims[d].first()) / region.dims[d].stride + 1;
    text += (d == 0 ? "" : " ") + std::to_string(number);
  }
  if (element != Element::Bool) {
    text += ' ';
    zrt::appendNumber(text, element, value);
  }
  return text + '\n';
}

/// An array column by column.
static void writeColumns(File &file, Element element, ArrayStorage &values,
                         const Region &region) {
  std::vector<std::pair<Index, const char *>> elements;
  forEachIndex(region, [&](const Index &index) {
    elements.push_back({index, values.at(index)});
  });
  llvm::stable_sort(elements, [](const auto &a, const auto &b) {
    return a.first[1] < b.first[1];
  });
  for (auto [index, value] : elements) {
    std::string text;
    zrt::appendNumber(text, element, value);
    file.write(text + "\n");
  }
}

void writeMatrix(Run &run, File &file, Type type, ArrayStorage &values,
                 const Region &region) {
  std::optional<Element> element = elementOf(type);
  if (!element || region.rank() > 2)
    fail(run, file.where,
         "cannot write to " + file.name + ": a file of Matrix Market " +
             (element ? "holds an array of rank 1 or 2, not " +
                            std::to_string(region.rank())
                      : "has no elements of type " + sema::text(type)));
  bool isPattern = element == Element::Bool;
  bool isSparse = region.isSparse() || isPattern;
  int64_t count = 0;
  forEachIndex(region, [&](const Index &index) {
    count += !isPattern || *values.at(index);
  });
  std::vector<int64_t> shape = matrixShape(region);
  file.write(zrt::matrixHeader(*element, isSparse, shape[0], shape[1], count));
  if (!isSparse)
    return writeColumns(file, *element, values, region);
  forEachIndex(region, [&](const Index &index) {
    if (!isPattern || *values.at(index))
      file.write(entryText(region, index, *element, values.at(index)));
  });
}

} // namespace zpl::interpreter
