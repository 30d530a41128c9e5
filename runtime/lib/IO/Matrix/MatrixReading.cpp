//===- MatrixReading.cpp - Files of Matrix Market that are read -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     read(f, S)       each processor adds the indices that it owns to the new
//                      pattern of S, as `modify` does
//     [S] read(f, A)   each stores the elements for which it has a place in A
//
// An element that nobody has a place for, or that came before, ends the run;
// which it was all find out together after each part of the file. That an index
// came twice is seen of a pattern by its size, when it is made: then the file is
// looked at once more.
//
// Memory: a bit per element here, for those that have come.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"
#include "IO/Matrix/MatrixElements.h"
#include "IO/Matrix/MatrixFile.h"
#include "Layout/Type.h"
#include "Sparse/SparseArray.h"
#include "Support/Error.h"
#include "Transport/Blocks.h"

namespace zrt {

namespace {

/// Where the elements of this processor are.
class MatrixPlaces {
public:
  virtual ~MatrixPlaces() = default;
  /// The number of the element at \p index, or -1: it is none of this
  /// processor's.
  virtual int64_t find(std::span<const int64_t> index) = 0;
  /// Its memory; null: only indices are looked at.
  virtual char *memory(int64_t number) = 0;
};

class SparsePlaces final : public MatrixPlaces {
public:
  /// \p array: null: without memory.
  SparsePlaces(const zrt_region &region, const zrt_array *array)
      : finder(*patternOf(region.pattern)), rank(region.rank), array(array) {}
  int64_t find(std::span<const int64_t> index) override {
    int32_t at[ZRT_MAX_RANK];
    for (size_t d = 0; d < index.size(); ++d)
      at[d] = static_cast<int32_t>(index[d]);
    return finder.find(at, at[rank - 1]);
  }
  char *memory(int64_t number) override {
    return array ? array->origin + number * stepOf(*array) : nullptr;
  }

private:
  PatternFinder finder;
  int rank;
  const zrt_array *array;
};

/// Of a dense array: what this processor holds of a region.
class DensePlaces final : public MatrixPlaces {
public:
  explicit DensePlaces(ArrayIO &io)
      : box(io.held(io.region, io.transport.rank())) {
    if (isEmpty(box))
      return;
    Box first = box;
    for (int d = 0; d < box.rank; ++d)
      first.dim[d] = {box.dim[d].lo, box.dim[d].lo, 1};
    base = blockOf(io.array, first).base;
    for (int d = 0; d < box.rank; ++d) {
      if (zrt::size(box.dim[d]) < 2)
        continue;
      Box second = first;
      int64_t at = box.dim[d].lo + box.dim[d].stride;
      second.dim[d] = {at, at, 1};
      step[d] = blockOf(io.array, second).base - base;
    }
  }
  int64_t find(std::span<const int64_t> index) override {
    int64_t number = 0;
    for (int d = 0; d < box.rank; ++d) {
      const Seq &dim = box.dim[d];
      int64_t i = index[static_cast<size_t>(d)];
      if (i < dim.lo || i > dim.hi)
        return -1;
      number = number * zrt::size(dim) + (i - dim.lo) / dim.stride;
    }
    return number;
  }
  char *memory(int64_t number) override {
    char *place = base;
    for (int d = box.rank - 1; d >= 0; --d) {
      int64_t extent = zrt::size(box.dim[d]);
      place += number % extent * step[d];
      number /= extent;
    }
    return place;
  }
  int64_t count() const { return zrt::size(box); }

private:
  Box box;
  char *base = nullptr;
  int64_t step[ZRT_MAX_RANK] = {};
};

} // namespace

/// Stores the elements of the file at \p places, \p count of them here.
static void storeElements(Transport &transport, MatrixElements &elements,
                          MatrixPlaces &places, int64_t count, int64_t bytes) {
  ElementCopier copy(bytes);
  std::vector<bool> hasCome(static_cast<size_t>(count));
  std::vector<uint8_t> isPlaced;
  while (elements.next()) {
    int64_t again = INT64_MAX;
    isPlaced.assign(static_cast<size_t>(elements.count()), 0);
    for (int64_t k = 0; k < elements.count(); ++k) {
      int64_t number = places.find(elements.index(k));
      if (number < 0)
        continue;
      isPlaced[static_cast<size_t>(k)] = 1;
      if (hasCome[static_cast<size_t>(number)])
        again = std::min(again, k);
      hasCome[static_cast<size_t>(number)] = true;
      if (char *memory = places.memory(number))
        copy(memory, elements.value(k));
    }
    reduce(transport, &again, ZRT_I64, ZRT_MIN);
    reduce(transport, everybody(transport), isPlaced.data(), elements.count(),
           ZRT_BOOL, ZRT_OR);
    auto lost = std::find(isPlaced.begin(), isPlaced.end(), 0);
    int64_t missing =
        lost == isPlaced.end() ? INT64_MAX : lost - isPlaced.begin();
    if (missing < again)
      elements.fail(missing, "is no index of the region");
    if (again != INT64_MAX)
      elements.fail(again, "is given for the second time");
  }
}

/// Sets \p count elements to zero.
static void clearElements(MatrixPlaces &places, int64_t count, int64_t bytes) {
  for (int64_t k = 0; k < count; ++k)
    std::memset(places.memory(k), 0, static_cast<size_t>(bytes));
}

void readMatrix(ArrayIO &io, File &file) {
  const zrt_type &type = *io.array.type;
  MatrixElements elements(io.transport, file, io.region, &type);
  DensePlaces places(io);
  clearElements(places, places.count(), type.size);
  storeElements(io.transport, elements, places, places.count(), type.size);
}

void readSparseMatrix(Transport &transport, const zrt_array &array,
                      File &file) {
  const zrt_type &type = *array.type;
  MatrixElements elements(transport, file, boxOf(array.region), &type);
  SparsePlaces places(array.region, &array);
  int64_t count = array.region.pattern->count;
  clearElements(places, count, type.size);
  storeElements(transport, elements, places, count, type.size);
}

int64_t readIndices(Transport &transport, File &file, Addition &addition) {
  MatrixElements elements(transport, file, boxOf(addition.region), nullptr);
  int64_t count = 0;
  for (; elements.next(); count += elements.count())
    for (int64_t k = 0; k < elements.count(); ++k)
      addition.add(elements.index(k).data(), /*isReplicated=*/true);
  return count;
}

void failTwice(Transport &transport, File &file, const zrt_region &region) {
  MatrixElements elements(transport, file, boxOf(region), nullptr);
  SparsePlaces places(region, nullptr);
  storeElements(transport, elements, places, region.pattern->count, 0);
  internalError(__FILE__, __LINE__, "indices that come twice");
}

} // namespace zrt
