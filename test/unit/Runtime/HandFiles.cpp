//===- HandFiles.cpp - File statements as the compiler would call them ----===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each task is a small program with files. FilesTest runs them on every
// transport and several processor counts and compares what they print and leave
// behind:
//
//     HandFiles --task=round --path=x -p3
//
// writes arrays of all types to x in text and in binary, mixed with scalars,
// reads them back, and prints the number of mistakes.
//
//===----------------------------------------------------------------------===//

#include "HandProgram.h"
#include "HandRegions.h"

#include <complex>
#include <cstring>
#include <functional>
#include <limits>
#include <string>

using hand::Flood;
using hand::range;
using hand::region;
using hand::strided;

namespace {

const char *task = "", *path = "HandFiles.tmp";
int32_t n = 7;
int64_t mistakes = 0;
const zrt_loc here = {"files.z", 20, 3};

const zrt_enumerator Seasons[] = {{"winter", 0}, {"spring", 5}, {"fall", 6}};
const zrt_type Season = hand::enumeration("season", Seasons);
const zrt_range Pair[] = {{0, 1}};
const zrt_type Flags = hand::array(hand::Integer, 8, Pair);

struct Point {
  double x;
  int32_t k;
  int32_t season;
  int32_t v[2];
};
const zrt_field PointFields[] = {{"x", offsetof(Point, x), &hand::Double},
                                 {"k", offsetof(Point, k), &hand::Integer},
                                 {"s", offsetof(Point, season), &Season},
                                 {"v", offsetof(Point, v), &Flags}};
const zrt_type PointType = hand::record("point", sizeof(Point), PointFields);

/// Calls \p body with the place in row-major order and the address of each
/// element of \p array at \p where that is here.
template <typename T>
void forOwn(const zrt_array &array, const zrt_region &where,
            const std::function<void(int64_t, T &)> &body) {
  const zrt_range *own = zrtA_domain(where.rank)->own;
  int64_t place = 0;
  hand::forAll(where, [&](const int64_t *at) {
    bool isHere = true;
    for (int d = 0; d < where.rank; ++d)
      isHere = isHere && ((where.floods >> d & 1) ||
                          (own[d].lo <= at[d] && at[d] <= own[d].hi));
    if (isHere)
      body(place, *reinterpret_cast<T *>(hand::addressOf(array, at)));
    ++place;
  });
}

/// An array over a region, and what its elements should be.
template <typename T> class Field {
public:
  Field(const zrt_type &type, const zrt_region &where,
        std::function<T(int64_t)> value)
      : where(where), value(std::move(value)) {
    zrtA_region_declare(&where); // the first one of a rank distributes it
    zrtA_array_new(&array, &where, &type, nullptr, nullptr, 0, "A", &here);
    fill();
  }
  ~Field() { zrtA_array_free(&array, &here); }

  void fill() {
    forOwn<T>(array, where, [&](int64_t k, T &e) { e = value(k); });
  }
  void clear() {
    forOwn<T>(array, where, [&](int64_t, T &e) { e = T(); });
  }
  void compare() {
    forOwn<T>(array, where, [&](int64_t k, T &e) {
      T wanted = value(k);
      mistakes += std::memcmp(&e, &wanted, sizeof(T)) != 0;
    });
  }

  zrt_region where;
  zrt_array array;

private:
  std::function<T(int64_t)> value;
};

void writeLine(zrt_file file, const char *text) {
  zrtA_write_text(file, text, static_cast<int64_t>(std::strlen(text)), &here);
}

/// Writes \p field as text and in binary, with scalars between, and reads it.
template <typename T> void roundTrip(Field<T> &field, const char *format) {
  int32_t before = 77, after = 0;
  zrt_file file = zrtA_open(path, ZRT_FILE_APPEND, &here);
  zrtA_write(file, "n = %d\n", &before, &hand::Integer, &here);
  zrtA_write_array(file, format, &field.array, &field.where, &here);
  writeLine(file, "|\n");
  zrtA_bwrite(file, &before, &hand::Integer, &here);
  zrtA_bwrite_array(file, &field.array, &field.where, &here);
  zrtA_bwrite_array(file, &field.array, &field.where, &here);
  zrtA_write(file, nullptr, &before, &hand::Integer, &here);
  zrtA_close(file, &here);
  zrtA_write_array(ZRT_ZOUT, format, &field.array, &field.where, &here);

  file = zrtA_open((std::string(path) + ".one").c_str(), ZRT_FILE_WRITE, &here);
  zrtA_write(file, "n = %d\n", &before, &hand::Integer, &here);
  zrtA_write_array(file, format, &field.array, &field.where, &here);
  writeLine(file, " |");
  zrtA_bwrite(file, &before, &hand::Integer, &here);
  zrtA_bwrite_array(file, &field.array, &field.where, &here);
  zrtA_write(file, nullptr, &before, &hand::Integer, &here);
  zrtA_close(file, &here);

  file = zrtA_open((std::string(path) + ".one").c_str(), ZRT_FILE_READ, &here);
  field.clear();
  zrtA_read(file, "n = %d", &after, &hand::Integer, &here);
  mistakes += after != 77;
  zrtA_read_array(file, format, &field.array, &field.where, &here);
  field.compare();
  char bar = 0;
  zrtA_read(file, " %c", &bar, &hand::Char, &here);
  zrtA_bread(file, &after, &hand::Integer, &here);
  mistakes += bar != '|' || after != 77;
  field.clear();
  zrtA_bread_array(file, &field.array, &field.where, &here);
  field.compare();
  zrtA_read(file, nullptr, &after, &hand::Integer, &here);
  mistakes += after != 77 || !zrtA_eof(file, &here);
  zrtA_close(file, &here);
}

void roundTrips() {
  zrtA_close(zrtA_open(path, ZRT_FILE_WRITE, &here), &here);
  Field<double> doubles(hand::Double, region({range(1, n), range(0, n)}),
                        [](int64_t k) { return double(k) * 0.25 - 3; });
  roundTrip(doubles, nullptr);
  roundTrip(doubles, "<%.17g>");
  Field<int32_t> integers(hand::Integer,
                          region({range(1, 2), range(-n, n), range(3, 5)}),
                          [](int64_t k) { return int32_t(k * 7 - 40); });
  roundTrip(integers, nullptr);
  Field<int8_t> bytes(hand::SByte, region({range(1, 3 * n)}),
                      [](int64_t k) { return int8_t(k * 5); });
  roundTrip(bytes, "%4d");
  Field<uint64_t> longs(hand::ULongInt, region({range(1, n), range(4, 4)}),
                        [](int64_t k) { return ~uint64_t(k); });
  roundTrip(longs, "%x ");
  Field<uint8_t> booleans(hand::Boolean, region({range(1, n), range(1, 3)}),
                          [](int64_t k) { return uint8_t(k % 3 == 0); });
  roundTrip(booleans, nullptr);
  Field<int32_t> seasons(Season, region({range(1, n)}), [](int64_t k) {
    return int32_t(Seasons[k % 3].value);
  });
  roundTrip(seasons, nullptr);
  Field<std::complex<double>> complexes(
      hand::DComplex, region({range(1, n), range(1, 2)}), [](int64_t k) {
        return std::complex<double>(double(k), -0.5 * double(k));
      });
  roundTrip(complexes, "%g + %gi ");
  Field<Point> points(
      PointType, region({range(1, n), range(1, 2)}), [](int64_t k) {
        int32_t i = int32_t(k);
        return Point{0.5 * i, -i, int32_t(Seasons[i % 3].value), {i, i + 1}};
      });
  roundTrip(points, nullptr);
  Field<long double> quads(hand::Quad, region({range(1, n)}), [](int64_t k) {
    long double value;
    std::memset(&value, 0, sizeof value); // its padding is written, too
    value = static_cast<long double>(k) / 8;
    return value;
  });
  zrtA_write_array(ZRT_ZOUT, nullptr, &quads.array, &quads.where, &here);
  const char *even = zrtA_string("even"), *odd = zrtA_string("odd");
  Field<const char *> strings(hand::String, region({range(1, n), range(1, 2)}),
                              [=](int64_t k) { return k % 2 ? odd : even; });
  zrtA_write_array(ZRT_ZOUT, nullptr, &strings.array, &strings.where, &here);
}

/// Strides and floods, by themselves and mixed; in memory in their own order.
void shapes() {
  zrtA_close(zrtA_open(path, ZRT_FILE_WRITE, &here), &here);
  zrt_region square = region({range(1, 3 * n), range(1, 3 * n)});
  zrtA_region_declare(&square);
  auto value = [](int64_t k) { return double(k) - 3; };
  for (const zrt_region &shape :
       {region({strided(1, 2 * n, 2, 1), range(1, n)}),
        region({range(1, n), strided(2, 3 * n, 3, 2)}),
        region({strided(1, 3 * n, 3, 2), strided(1, 2 * n, 2, 0)}),
        region({range(1, 2 * n), Flood}), region({Flood, range(1, 2 * n)}),
        region({Flood, Flood}), region({strided(2, 3 * n, 3, 2), Flood}),
        region({strided(1, n, 50, 5), range(1, n)})}) {
    Field<double> field(hand::Double, shape, value);
    roundTrip(field, nullptr);
  }
}

/// A region with a stride over an array without one, and a normal region over
/// an array with a flooded dimension; slabs of several kinds.
void parts() {
  zrt_region all = region({range(1, 60 * n), range(0, 30 * n)});
  zrt_region odd = region({strided(1, 60 * n, 2, 1), strided(0, 30 * n, 3, 1)});
  zrt_region column = region({range(1, 60 * n), Flood});
  Field<double> field(hand::Double, all, [](int64_t k) { return double(k); });
  Field<double> flooded(hand::Double, column,
                        [](int64_t k) { return 0.5 * double(k); });
  zrt_file file = zrtA_open(path, ZRT_FILE_WRITE, &here);
  zrtA_write_array(file, "%.0f ", &field.array, &odd, &here);
  zrtA_write_array(file, "%.1f ", &flooded.array, &odd, &here);
  zrtA_bwrite_array(file, &field.array, &odd, &here);
  zrtA_bwrite_array(file, &flooded.array, &odd, &here);
  zrtA_close(file, &here);
  Field<double> copy(hand::Double, odd, [](int64_t k) {
    int64_t columns = 10 * n;
    int64_t row = k / columns, column = k % columns;
    return double(2 * row * (30 * n + 1) + 3 * column + 1);
  });
  file = zrtA_open(path, ZRT_FILE_READ, &here);
  copy.clear();
  zrtA_read_array(file, nullptr, &copy.array, &odd, &here);
  copy.compare();
  zrtA_read_array(file, nullptr, &copy.array, &odd, &here);
  forOwn<double>(copy.array, odd, [](int64_t k, double &e) {
    int64_t row = k / (10 * n);
    mistakes += e != double(row);
  });
  zrtA_close(file, &here);
}

/// Large enough that every processor formats, reads and writes many pieces.
void large() {
  Field<double> doubles(hand::Double,
                        region({range(1, 50 * n), range(0, 40 * n)}),
                        [](int64_t k) { return double(k) * 0.25 - 3000; });
  zrtA_close(zrtA_open(path, ZRT_FILE_WRITE, &here), &here);
  roundTrip(doubles, nullptr);
}

/// Strings that are read are equal pointers everywhere.
void words() {
  zrt_file file = zrtA_open(path, ZRT_FILE_READ, &here);
  Field<const char *> strings(hand::String, region({range(1, n)}),
                              [](int64_t) { return ""; });
  zrtA_read_array(file, nullptr, &strings.array, &strings.where, &here);
  const char *again = "";
  while (!zrtA_eof(file, &here)) {
    zrtA_read(file, nullptr, &again, &hand::String, &here);
    zrtA_write(ZRT_ZOUT, nullptr, &again, &hand::String, &here);
  }
  zrtA_write_array(ZRT_ZOUT, "<%s>", &strings.array, &strings.where, &here);
}

void numpy() {
  Field<double> doubles(hand::Double, region({range(1, n), range(0, n)}),
                        [](int64_t k) { return double(k) / 4; });
  zrt_file file = zrtA_open(path, ZRT_FILE_WRITE, &here);
  zrtA_write_array(file, nullptr, &doubles.array, &doubles.where, &here);
  writeLine(file, "\n");
  zrtA_close(file, &here);
  doubles.clear();
  file = zrtA_open(path, ZRT_FILE_READ, &here);
  zrtA_read_array(file, nullptr, &doubles.array, &doubles.where, &here);
  doubles.compare();
}

void numpyWrong() {
  Field<int32_t> integers(hand::Integer, region({range(1, n)}),
                          [](int64_t) { return 1; });
  zrt_file file = zrtA_open(path, ZRT_FILE_READ, &here);
  zrtA_read_array(file, nullptr, &integers.array, &integers.where, &here);
}

void picture() {
  Field<double> doubles(
      hand::Double, region({range(1, n), range(0, n)}), [](int64_t k) {
        return k == 3 ? std::numeric_limits<double>::quiet_NaN() : double(k);
      });
  zrt_file file = zrtA_open(path, ZRT_FILE_WRITE, &here);
  zrtA_write_array(file, nullptr, &doubles.array, &doubles.where, &here);
  zrtA_written(file);
  zrtA_close(file, &here);
}

void writeSquare(zrt_file *file, void *element) {
  int32_t value = *static_cast<int32_t *>(element);
  value *= value;
  zrtA_write(*file, "[%d]", &value, &hand::Integer, &here);
}

void readNegated(zrt_file *file, void *element) {
  int32_t value = 0;
  zrtA_read(*file, "[%d]", &value, &hand::Integer, &here);
  *static_cast<int32_t *>(element) += -value;
}

void procedures() {
  Field<int32_t> field(hand::Integer, region({range(1, n), range(1, 3)}),
                       [](int64_t k) { return int32_t(k); });
  zrtA_bind_write(&field.array, writeSquare);
  zrtA_bind_read(&field.array, readNegated);
  zrt_file file = zrtA_open(path, ZRT_FILE_WRITE, &here);
  zrtA_write_array(file, nullptr, &field.array, &field.where, &here);
  zrtA_close(file, &here);
  file = zrtA_open(path, ZRT_FILE_READ, &here);
  zrtA_read_array(file, nullptr, &field.array, &field.where, &here);
  zrtA_write_array(ZRT_ZOUT, nullptr, &field.array, &field.where, &here);
  zrtA_bind_write(&field.array, nullptr);
  zrtA_write_array(ZRT_ZOUT, nullptr, &field.array, &field.where, &here);
}

/// Adds what comes from standard input.
void sum() {
  int32_t value = 0, total = 0;
  writeLine(ZRT_ZOUT, "numbers? ");
  while (!zrtA_eof(ZRT_ZIN, &here)) {
    zrtA_read(ZRT_ZIN, nullptr, &value, &hand::Integer, &here);
    total += value;
    zrtA_write(ZRT_ZOUT, "so far %d\n", &total, &hand::Integer, &here);
  }
}

/// A binary array from standard input to standard output.
void filter() {
  Field<double> field(hand::Double,
                      region({range(1, 50 * n), range(0, 40 * n)}),
                      [](int64_t) { return 0.0; });
  zrtA_bread_array(ZRT_ZIN, &field.array, &field.where, &here);
  zrtA_bwrite_array(ZRT_ZOUT, &field.array, &field.where, &here);
}

void manyNumbers() {
  Field<double> field(hand::Double,
                      region({range(1, 400 * n), range(1, 100 * n)}),
                      [](int64_t k) { return double(k); });
  zrt_file file = zrtA_open(path, ZRT_FILE_WRITE, &here);
  zrtA_write_array(file, nullptr, &field.array, &field.where, &here);
  zrtA_close(file, &here);
}

void manyBytes() {
  Field<double> field(hand::Double,
                      region({range(1, 400 * n), range(1, 100 * n)}),
                      [](int64_t k) { return double(k); });
  zrt_file file = zrtA_open(path, ZRT_FILE_WRITE, &here);
  zrtA_bwrite_array(file, &field.array, &field.where, &here);
  zrtA_close(file, &here);
}

void shortRead() {
  Field<double> field(hand::Double, region({range(1, n), range(1, n)}),
                      [](int64_t) { return 0.0; });
  zrt_file file = zrtA_open(path, ZRT_FILE_READ, &here);
  zrtA_bread_array(file, &field.array, &field.where, &here);
}

void readIntegers() {
  Field<int32_t> field(hand::Integer, region({range(1, n)}),
                       [](int64_t) { return 0; });
  zrt_file file = zrtA_open(path, ZRT_FILE_READ, &here);
  zrtA_read_array(file, nullptr, &field.array, &field.where, &here);
  zrtA_write_array(ZRT_ZOUT, nullptr, &field.array, &field.where, &here);
}

void useMissing() {
  zrt_file file = zrtA_open(path, ZRT_FILE_READ, &here);
  if (zrtA_same_file(file, ZRT_ZNULL))
    writeLine(ZRT_ZOUT, "null\n");
  int32_t value = 0;
  zrtA_read(file, nullptr, &value, &hand::Integer, &here);
}

void useClosed() {
  zrt_file file = zrtA_open(path, ZRT_FILE_WRITE, &here);
  zrtA_close(file, &here);
  writeLine(file, "late");
}

void writeWhatIsRead() {
  zrtA_close(zrtA_open(path, ZRT_FILE_WRITE, &here), &here);
  writeLine(zrtA_open(path, ZRT_FILE_READ, &here), "no");
}

const std::pair<const char *, void (*)()> Tasks[] = {
    {"round", roundTrips},
    {"shapes", shapes},
    {"parts", parts},
    {"large", large},
    {"words", words},
    {"numpy", numpy},
    {"numpy-wrong", numpyWrong},
    {"picture", picture},
    {"procedures", procedures},
    {"sum", sum},
    {"filter", filter},
    {"many-numbers", manyNumbers},
    {"many-bytes", manyBytes},
    {"short", shortRead},
    {"integers", readIntegers},
    {"missing", useMissing},
    {"closed", useClosed},
    {"reversed", writeWhatIsRead}};

void initialize() {
  zrtA_config_given(0, &task);
  zrtA_config_given(1, &path);
  zrtA_config_given(2, &n);
}

void entry() {
  for (const auto &[name, body] : Tasks)
    if (std::strcmp(name, task) == 0)
      body();
  bool checks =
      std::strcmp(task, "round") == 0 || std::strcmp(task, "large") == 0 ||
      std::strcmp(task, "shapes") == 0 || std::strcmp(task, "parts") == 0 ||
      std::strcmp(task, "numpy") == 0;
  if (checks)
    hand::reportMistakes(mistakes, here);
}

} // namespace

int main(int argc, char **argv) {
  const zrt_config configs[] = {
      {"task", &hand::String, "", "which program"},
      {"path", &hand::String, "HandFiles.tmp", "the file"},
      {"n", &hand::Integer, "7", "size"}};
  return hand::runProgram(argc, argv, "files", configs, initialize, entry);
}
