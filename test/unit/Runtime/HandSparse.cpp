//===- HandSparse.cpp - Sparse regions and arrays -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over zrt/Abi.h as the compiler would write it: random regions and
// patterns, which are set, combined, moved and added to, with arrays that follow
// them; values are fetched and stored at other indices, gathered, scattered,
// written and read. Beside them it keeps a model on every processor: the set of
// indices of each pattern, the number of each element. After each step all that
// a processor owns is compared. It prints the arrays, and the number of mistakes,
// which has to be 0.
//
//===----------------------------------------------------------------------===//

#include "SparseModel.h"

#include <cstdio>

namespace {

Indices combined(const Indices &old, int operation, const Indices &value) {
  Indices result;
  if (operation == ZRT_PATTERN_SET)
    return value;
  if (operation == ZRT_PATTERN_OR) {
    result = old;
    result.insert(value.begin(), value.end());
    return result;
  }
  for (const Index &index : old)
    if (value.contains(index))
      result.insert(index);
  return result;
}

/// Sets \p sparse by a dense mask.
void setDense(Sparse &sparse, int operation, int64_t per) {
  zrt_region base = sparse.region;
  base.is_sparse = 0;
  base.pattern = nullptr;
  Flags flags;
  makeFlags(flags, base, per);
  zrtA_pattern_set(sparse.at(), &sparse.region, operation, &base, &flags.mask,
                   &here);
  sparse.indices = combined(sparse.indices, operation, flags.chosen);
  zrtA_array_free(&flags.array, &here);
}

/// Sets it by a sparse array of flags over another pattern with its bounds.
void setSparse(Sparse &sparse, int operation) {
  Sparse other = {sparse.region, {}};
  other.region.pattern = nullptr;
  setDense(other, ZRT_PATTERN_SET, 2);
  Values flags = {};
  zrtA_sparse_new(&flags.array, nullptr, &other.region, &hand::Boolean, "F",
                  &here);
  zrt_mask mask = {&flags.array, int32_t(random_(0, 1))};
  bool elsewhere = random_(0, 3) == 0;
  Indices chosen;
  std::map<Index, bool> flag;
  for (const Index &index : other.indices)
    flag[index] = random_(0, 1);
  int64_t k = 0;
  for (const Index &index : other.own())
    flags.array.origin[k++] = char(flag[index]);
  *flags.elsewhereAddress() = char(elsewhere);
  bool ofSparse = random_(0, 1);
  zrt_region value = sparse.region;
  if (!ofSparse) {
    value.is_sparse = 0;
    value.pattern = nullptr;
  }
  forAll(value, [&](const int64_t *i) {
    Index index = indexOf(value.rank, i);
    if (ofSparse && !sparse.indices.contains(index))
      return;
    auto found = flag.find(index);
    bool is = found == flag.end() ? elsewhere : found->second;
    if (is == (mask.value != 0))
      chosen.insert(index);
  });
  zrtA_pattern_set(sparse.at(), &sparse.region, operation, &value, &mask,
                   &here);
  sparse.indices = combined(sparse.indices, operation, chosen);
  zrtA_array_free(&flags.array, &here);
  zrtA_pattern_drop(other.at());
}

/// Adds indices: some on one processor, some on several, some on all.
void modify(Sparse &sparse) {
  std::vector<Index> all;
  forAll(sparse.region, [&](const int64_t *i) {
    all.push_back(indexOf(sparse.region.rank, i));
  });
  zrtA_modify_begin(sparse.at(), &sparse.region, &here);
  int64_t count = random_(0, 40), processors = zrtA_processors();
  for (int64_t k = 0; k < count && !all.empty(); ++k) {
    const Index &index = all[size_t(random_(0, int64_t(all.size()) - 1))];
    int64_t how = random_(0, 2), who = random_(0, 1000);
    sparse.indices.insert(index);
    if (how == 0)
      zrtA_modify_add(sparse.at(), index.data(), 1, &here);
    else if (how == 1 || who % processors == zrtA_locale())
      zrtA_modify_add(sparse.at(), index.data(), 0, &here);
  }
  zrtA_modify_end(sparse.at(), &here);
}

/// A direction whose parts are multiples of the strides now and then.
void randomDirection(const zrt_region &region, int64_t *direction) {
  for (int d = 0; d < region.rank; ++d)
    direction[d] = random_(0, 2) ? random_(-2, 2) * region.dim[d].stride : 0;
}

void take(Sparse &result, const Sparse &source) {
  int64_t direction[ZRT_MAX_RANK];
  randomDirection(source.region, direction);
  bool moves = random_(0, 1);
  result.region = source.region;
  for (int d = 0; d < source.region.rank; ++d) {
    zrt_dim &dim = result.region.dim[d];
    int64_t distance = moves ? direction[d] : 0;
    dim = hand::strided(dim.lo + distance, dim.hi + distance, dim.stride,
                        dim.align + distance);
    if (random_(0, 2) == 0)
      dim.lo += random_(0, 2);
    if (random_(0, 2) == 0)
      dim.hi -= random_(0, 2);
  }
  result.region.pattern = nullptr;
  zrtA_pattern_take(result.at(), &result.region, &source.region,
                    moves ? direction : nullptr, &here);
  result.indices.clear();
  for (Index index : source.indices) {
    for (int d = 0; moves && d < source.region.rank; ++d)
      index[size_t(d)] += direction[d];
    if (hand::holds(result.region, index.data()))
      result.indices.insert(index);
  }
}

/// What \p index names.
Index named(const Index &index, const zrt_region &region,
            const int64_t *direction, bool wraps) {
  Index result = index;
  for (int d = 0; d < region.rank; ++d) {
    int64_t &i = result[size_t(d)];
    i += direction[d];
    const zrt_dim &dim = region.dim[d];
    int64_t first = dim.lo, last = dim.hi;
    while (first <= last && !hand::holds(dim, first))
      ++first;
    while (first <= last && !hand::holds(dim, last))
      --last;
    if (!wraps || first > last)
      continue;
    int64_t period = last - first + dim.stride;
    i = first + ((i - first) % period + period) % period;
  }
  return result;
}

/// Into a dense array over a region nearby.
void fetchDense(const Values &values) {
  zrt_region region = values.array.region;
  region.is_sparse = 0;
  region.pattern = nullptr;
  int64_t direction[ZRT_MAX_RANK];
  randomDirection(region, direction);
  for (int d = 0; d < region.rank; ++d) {
    region.dim[d].lo -= random_(-1, 1) * region.dim[d].stride;
    region.dim[d].hi += random_(-1, 1) * region.dim[d].stride;
  }
  bool wraps = random_(0, 1);
  zrt_array target;
  zrtA_array_new(&target, &region, values.array.type, nullptr, nullptr, 0, "B",
                 &here);
  for (int time = 0; time < 2; ++time)
    zrtA_fetch(&target, &values.array, &region, direction, wraps, &here);
  forOwn(region, [&](const int64_t *i) {
    ++compared;
    Index from =
        named(indexOf(region.rank, i), values.array.region, direction, wraps);
    mistakes += !isElement(target.type, addressOf(target, i), values.at(from));
  });
  zrtA_array_free(&target, &here);
}

void fetchSparse(const Values &values, Sparse &over) {
  int64_t direction[ZRT_MAX_RANK];
  randomDirection(over.region, direction);
  bool wraps = random_(0, 1);
  Values target = {};
  zrtA_sparse_new(&target.array, over.at(), &over.region, values.array.type,
                  "B", &here);
  put(values.array.type, target.elsewhereAddress(), 0);
  zrtA_fetch(&target.array, &values.array, &over.region, direction, wraps,
             &here);
  for (const Index &index : over.indices)
    target.numbers[index] =
        values.at(named(index, values.array.region, direction, wraps));
  compare(target, over);
  zrtA_array_free(&target.array, &here);
}

/// Stores at those indices of \p over, or of the bounds, that name an element.
void store(Values &values, Sparse &over) {
  bool isDense = random_(0, 1), wraps = random_(0, 1);
  zrt_region region = over.region;
  int64_t direction[ZRT_MAX_RANK];
  randomDirection(region, direction);
  if (isDense) {
    region.is_sparse = 0;
    region.pattern = nullptr;
  }
  zrt_region bounds = region;
  bounds.is_sparse = 0;
  bounds.pattern = nullptr;
  zrt_array source, flags;
  zrtA_array_new(&source, &bounds, values.array.type, nullptr, nullptr, 0, "B",
                 &here);
  zrtA_array_new(&flags, &bounds, &hand::Boolean, nullptr, nullptr, 0, "M",
                 &here);
  zrt_mask mask = {&flags, int32_t(random_(0, 1))};
  bool needsMask = false;
  std::map<Index, int64_t> next = values.numbers;
  forAll(bounds, [&](const int64_t *i) {
    Index index = indexOf(region.rank, i);
    Index to = named(index, values.array.region, direction, wraps);
    int64_t number = hand::numberAt(9, region, i);
    bool isThere = isDense || over.indices.contains(index);
    bool isNamed = next.contains(to);
    bool isChosen = isNamed && random_(0, 3) != 0;
    needsMask |= isThere && !isChosen;
    if (isThere && isChosen)
      next[to] = number;
    if (!isOwn(region, index))
      return;
    put(source.type, addressOf(source, i), number);
    *addressOf(flags, i) = char(isChosen == (mask.value != 0));
  });
  zrtA_store(&values.array, direction, wraps, &source, &region,
             needsMask ? &mask : nullptr, "A", &here);
  values.numbers = next;
  zrtA_array_free(&source, &here);
  zrtA_array_free(&flags, &here);
}

void ask(const Sparse &sparse) {
  mistakes += zrtA_pattern_size(&sparse.region, &here) !=
              int64_t(sparse.indices.size());
  Index index = {};
  for (int d = 0; d < sparse.region.rank; ++d)
    index[size_t(d)] = random_(-3, 8);
  if (!sparse.indices.empty() && random_(0, 1))
    index = *sparse.indices.begin();
  mistakes += zrtA_pattern_inside(&sparse.region, index.data(), &here) !=
              int32_t(sparse.indices.contains(index));
}

/// Gathers from a dense array and scatters back, by maps over \p sparse: an
/// array, and the index of the last dimension.
void remap(const Sparse &sparse) {
  const zrt_region &region = sparse.region;
  int last = region.rank - 1;
  zrt_region flat = {};
  flat.rank = 2;
  flat.name = "F";
  flat.dim[0] = hand::range(1, 9);
  flat.dim[1] = hand::range(region.dim[last].lo, region.dim[last].hi);
  zrt_array dense, target;
  zrtA_array_new(&dense, &flat, &hand::LongInt, nullptr, nullptr, 0, "D",
                 &here);
  zrtA_array_new(&target, &flat, &hand::LongInt, nullptr, nullptr, 0, "T",
                 &here);
  auto number = [&](int64_t i, int64_t j) { return 100 * i + j; };
  forOwn(flat, [&](const int64_t *i) {
    *reinterpret_cast<int64_t *>(addressOf(dense, i)) = number(i[0], i[1]);
  });
  Values map = {}, values = {}, flags = {};
  zrtA_sparse_new(&map.array, nullptr, &region, &hand::Integer, "I", &here);
  zrtA_sparse_new(&values.array, nullptr, &region, &hand::LongInt, "V", &here);
  zrtA_sparse_new(&flags.array, nullptr, &region, &hand::Boolean, "M", &here);
  std::map<Index, int64_t> rows, marks;
  for (const Index &index : sparse.indices) {
    rows[index] = random_(1, 9);
    marks[index] = random_(0, 3) != 0;
  }
  int64_t k = 0;
  for (const Index &index : sparse.own()) {
    reinterpret_cast<int32_t *>(map.array.origin)[k] = int32_t(rows[index]);
    reinterpret_cast<int64_t *>(values.array.origin)[k] = -1;
    flags.array.origin[k++] = char(marks[index]);
  }
  zrt_map maps[2] = {{ZRT_MAP_ARRAY, 0, 0, &map.array, 0, 0, 0},
                     {ZRT_MAP_INDEX, last, 0, nullptr, 0, 0, 0}};
  zrt_mask mask = {&flags.array, 1};
  for (int time = 0; time < 3; ++time) {
    zrtA_check_maps(&dense, &region, maps, &mask, 0, "D#[I, ]", &here);
    zrtA_array_gather(&values.array, &dense, &region, maps, &mask, &here);
  }
  k = 0;
  int64_t count = 0;
  std::map<Index, int64_t> expected;
  for (const Index &index : sparse.indices) {
    int64_t column = index[size_t(last)];
    if (marks[index])
      expected[{rows[index], column}] = ++count;
  }
  for (const Index &index : sparse.own()) {
    int64_t found = reinterpret_cast<int64_t *>(values.array.origin)[k++];
    ++compared;
    mistakes +=
        found != (marks[index] ? number(rows[index], index[size_t(last)]) : -1);
  }
  // The last one in row-major order wins.
  std::map<Index, int64_t> ordinal;
  count = 0;
  for (const Index &index : sparse.indices)
    if (marks[index])
      ordinal[index] = ++count;
  k = 0;
  for (const Index &index : sparse.own())
    reinterpret_cast<int64_t *>(values.array.origin)[k++] = ordinal[index];
  for (int time = 0; time < 3; ++time) {
    zrtA_check_maps(&target, &region, maps, &mask, 0, "T#[I, ]", &here);
    zrtA_array_scatter(&target, &values.array, &region, maps, nullptr, -1,
                       &mask, "T", &here);
  }
  forOwn(flat, [&](const int64_t *i) {
    ++compared;
    auto found = expected.find(indexOf(2, i));
    mistakes += *reinterpret_cast<int64_t *>(addressOf(target, i)) !=
                (found == expected.end() ? 0 : found->second);
  });
  for (zrt_array *array :
       {&dense, &target, &map.array, &values.array, &flags.array})
    zrtA_array_free(array, &here);
}

void addTo(void *target, const void *value) {
  *static_cast<int64_t *>(target) += *static_cast<const int64_t *>(value);
}

/// Gathers from a sparse array, also what it does not store, and adds to its
/// elements, by maps over its own region that change the last dimension.
void remapStored(const Sparse &sparse) {
  const zrt_region &region = sparse.region;
  if (sparse.indices.empty())
    return;
  auto last = size_t(region.rank - 1);
  Values map = {}, values = {}, result = {}, flags = {};
  zrtA_sparse_new(&map.array, nullptr, &region, &hand::Integer, "I", &here);
  zrtA_sparse_new(&values.array, nullptr, &region, &hand::LongInt, "V", &here);
  zrtA_sparse_new(&result.array, nullptr, &region, &hand::LongInt, "W", &here);
  zrtA_sparse_new(&flags.array, nullptr, &region, &hand::Boolean, "M", &here);
  std::vector<Index> all(sparse.indices.begin(), sparse.indices.end());
  std::map<Index, Index> named;
  std::map<Index, int64_t> expected;
  *reinterpret_cast<int64_t *>(values.elsewhereAddress()) = values.elsewhere =
      -7;
  for (const Index &index : all) {
    Index other = index;
    other[last] = all[size_t(random_(0, int64_t(all.size()) - 1))][last];
    named[index] = other;
    expected[index] = values.numbers[index] = random_(0, 1000);
  }
  int64_t k = 0;
  for (const Index &index : sparse.own()) {
    reinterpret_cast<int32_t *>(map.array.origin)[k] =
        int32_t(named[index][last]);
    reinterpret_cast<int64_t *>(values.array.origin)[k] = values.numbers[index];
    flags.array.origin[k++] = char(sparse.indices.count(named[index]));
  }
  zrt_map maps[ZRT_MAX_RANK];
  for (size_t d = 0; d < last; ++d)
    maps[d] = {ZRT_MAP_INDEX, int32_t(d), 0, nullptr};
  maps[last] = {ZRT_MAP_ARRAY, 0, 0, &map.array};
  zrt_mask mask = {&flags.array, 1};
  for (int time = 0; time < 3; ++time) {
    zrtA_check_maps(&values.array, &region, maps, nullptr, 0, "V#[I]", &here);
    zrtA_array_gather(&result.array, &values.array, &region, maps, nullptr,
                      &here);
    k = 0;
    for (const Index &index : sparse.own())
      mistakes += reinterpret_cast<int64_t *>(result.array.origin)[k++] !=
                  values.at(named[index]);
  }
  for (int time = 0; time < 3; ++time) {
    zrtA_check_maps(&values.array, &region, maps, &mask, 0, "V#[I]", &here);
    zrtA_array_scatter(&values.array, &result.array, &region, maps, addTo,
                       time == 1 ? -1 : ZRT_SUM, &mask, "V", &here);
    for (const Index &index : all)
      if (sparse.indices.count(named[index]))
        expected[named[index]] += values.at(named[index]);
  }
  k = 0;
  for (const Index &index : sparse.own()) {
    ++compared;
    mistakes += reinterpret_cast<int64_t *>(values.array.origin)[k++] !=
                expected[index];
  }
  for (Values *one : {&map, &values, &result, &flags})
    zrtA_array_free(&one->array, &here);
}

std::string fileName(const char *ending) {
  return "sparse." + std::to_string(seed) + "." + ending;
}

/// Reads the elements from the file \p name, as they were written.
void readBack(const Values &values, const Sparse &sparse, const char *name,
              bool asText) {
  Values copy = {};
  zrtA_sparse_new(&copy.array, nullptr, &sparse.region, values.array.type, "C",
                  &here);
  copy.numbers = values.numbers;
  put(values.array.type, copy.elsewhereAddress(), 0);
  zrt_file file = zrtA_open(name, ZRT_FILE_READ, &here);
  if (asText)
    zrtA_read_array(file, nullptr, &copy.array, &sparse.region, &here);
  else
    zrtA_bread_array(file, &copy.array, &sparse.region, &here);
  mistakes += zrtA_eof(file, &here) == 0;
  zrtA_close(file, &here);
  compare(copy, sparse);
  zrtA_array_free(&copy.array, &here);
}

/// Shows one element more than its number, on all processors.
void showNext(zrt_file *file, void *element) {
  auto *number = static_cast<int32_t *>(element);
  *number += 1;
  zrtA_write(*file, "<%d>", number, &hand::Integer, &here);
}

/// Text that can be read, and what a procedure makes of the elements.
void writeNumbers(Values &values, const Sparse &sparse) {
  std::string name = fileName("text");
  zrt_file file = zrtA_open(name.c_str(), ZRT_FILE_WRITE, &here);
  zrtA_write_array(file, nullptr, &values.array, &sparse.region, &here);
  zrtA_close(file, &here);
  readBack(values, sparse, name.c_str(), true);
  zrtA_bind_write(&values.array, showNext);
  zrtA_write_array(ZRT_ZOUT, nullptr, &values.array, &sparse.region, &here);
  zrtA_bind_write(&values.array, nullptr);
}

/// Writes the elements as text, and as images, which are read back.
void write(Values &values, const Sparse &sparse) {
  const zrt_type *type = values.array.type;
  if (type != &hand::Bytes)
    zrtA_write_array(ZRT_ZOUT, nullptr, &values.array, &sparse.region, &here);
  if (type == &hand::String)
    return;
  std::string name = fileName("image");
  zrt_file file = zrtA_open(name.c_str(), ZRT_FILE_WRITE, &here);
  zrtA_bwrite_array(file, &values.array, &sparse.region, &here);
  zrtA_close(file, &here);
  readBack(values, sparse, name.c_str(), false);
  if (type == &hand::Integer)
    writeNumbers(values, sparse);
}

/// Gives the domain of \p region the other distribution, or the first one.
void distribute(const zrt_region &region, bool isOther) {
  int32_t rank = region.rank;
  places[rank].clear();
  zrtA_distribution_assign(rank, (isOther ? 2 : 1) * ZRT_MAX_RANK + rank, 1,
                           &here);
}

void step(Sparse &sparse, Sparse &other, Values &values) {
  switch (random_(0, isScattered ? 10 : 9)) {
  case 0:
    setDense(sparse, int(random_(0, 2)), random_(0, 4));
    break;
  case 1:
    setSparse(sparse, int(random_(0, 2)));
    break;
  case 2:
    modify(sparse);
    break;
  case 3:
    take(other, sparse);
    other.compare();
    break;
  case 4:
    fetchDense(values);
    break;
  case 5:
    fetchSparse(values, random_(0, 2) ? other : sparse);
    break;
  case 6:
    store(values, random_(0, 2) ? other : sparse);
    break;
  case 7:
    remap(sparse);
    remapStored(sparse);
    break;
  case 10:
    distribute(sparse.region, random_(0, 1));
    other.compare();
    break;
  case 8:
    write(values, sparse);
    break;
  default:
    ask(sparse);
  }
  values.follow(sparse.indices);
  sparse.compare();
  compare(values, sparse);
}

void runRound() {
  int64_t ranks[] = {1, 1, 2, 2, 2, 3, 3, 4, 5, 6};
  int rank = int(ranks[random_(0, 9)]);
  Sparse sparse = {randomRegion(rank, "S"), {}}, other = {};
  sparse.region.is_sparse = 1;
  Values values = {};
  bool isEarly = random_(0, 1); // before the region is set
  if (!isEarly)
    setDense(sparse, ZRT_PATTERN_SET, random_(0, 3));
  zrtA_sparse_new(&values.array, sparse.at(), &sparse.region, randomType(), "A",
                  &here);
  if (isEarly)
    setDense(sparse, ZRT_PATTERN_OR, random_(0, 3));
  sparse.compare();
  fill(values, sparse, 1);
  other.region = sparse.region;
  other.region.pattern = nullptr;
  take(other, sparse);
  for (int k = 0; k < 12; ++k)
    step(sparse, other, values);
  zrtA_array_free(&values.array, &here);
  zrtA_pattern_drop(sparse.at());
  zrtA_pattern_drop(other.at());
}

constexpr zrt_enumerator Wrongs[] = {
    {"nothing", 0}, {"store", 1},   {"added", 2}, {"unset", 3},
    {"nested", 4},  {"outside", 5}, {"mapped", 6}};
constexpr zrt_type Wrong = hand::enumeration("wrong", Wrongs);
int32_t wrong = 0;

constexpr zrt_grid_info Grids[] = {{"G1", 1, 0}, {"G2", 2, 0}, {"G3", 3, 0},
                                   {"G4", 4, 0}, {"G5", 5, 0}, {"G6", 6, 0}};
/// The variables, then their two values.
constexpr zrt_distribution_info Distributions[] = {
    {"D1", 1, 1}, {"D2", 2, 2}, {"D3", 3, 3}, {"D4", 4, 4}, {"D5", 5, 5},
    {"D6", 6, 6}, {"C1", 1, 1}, {"C2", 2, 2}, {"C3", 3, 3}, {"C4", 4, 4},
    {"C5", 5, 5}, {"C6", 6, 6}, {"B1", 1, 1}, {"B2", 2, 2}, {"B3", 3, 3},
    {"B4", 4, 4}, {"B5", 5, 5}, {"B6", 6, 6}};
constexpr zrt_domain_info Domains[] = {{"E1", 1, 1}, {"E2", 2, 1},
                                       {"E3", 3, 1}, {"E4", 4, 1},
                                       {"E5", 5, 1}, {"E6", 6, 1}};

/// Cyclic distributions, and some in which that is mixed with others.
void makeDomains() {
  for (int32_t rank = 1; rank <= ZRT_MAX_RANK; ++rank) {
    const int64_t any[ZRT_MAX_RANK] = {};
    zrtA_grid_set(rank, any, &here);
    zrt_rule cyclic[ZRT_MAX_RANK] = {}, mixed[ZRT_MAX_RANK] = {};
    for (int d = 0; d < ZRT_MAX_RANK; ++d) {
      cyclic[d].kind = ZRT_CYCLIC;
      mixed[d].kind = d % 2 == 0 ? ZRT_BLOCK_CYCLIC : ZRT_BLOCK;
      mixed[d].lo = 2;
    }
    zrtA_distribution_set(rank, cyclic, &here);
    zrtA_distribution_set(ZRT_MAX_RANK + rank, cyclic, &here);
    zrtA_distribution_set(2 * ZRT_MAX_RANK + rank, mixed, &here);
  }
}

/// Does what ends the run, with the diagonal of [1..6, 1..6].
void doWrong() {
  zrt_region base = hand::region({hand::range(1, 6), hand::range(1, 6)}, "S");
  Sparse sparse = {base, {}};
  sparse.region.is_sparse = 1;
  if (wrong == 3)
    zrtA_pattern_size(&sparse.region, &here);
  int64_t direction[] = {0, 1};
  zrtA_modify_begin(sparse.at(), &sparse.region, &here);
  for (int64_t k = 1; k <= 6; ++k) {
    int64_t index[] = {k, wrong == 2 ? k + 1 : k};
    zrtA_modify_add(sparse.at(), index, 1, &here);
  }
  if (wrong == 4)
    zrtA_modify_begin(sparse.at(), &sparse.region, &here);
  zrtA_modify_end(sparse.at(), &here);
  zrt_array dense, values;
  base.name = "R";
  zrtA_array_new(&dense, &base, &hand::Double, nullptr, nullptr, 0, "D", &here);
  if (wrong == 5)
    zrtA_check_read(&dense, &sparse.region, direction, "D@east", &here);
  zrtA_sparse_new(&values, sparse.at(), &sparse.region, &hand::Integer, "A",
                  &here);
  zrt_map maps[2] = {{ZRT_MAP_INDEX, 0, 0, nullptr, 0, 0, 0},
                     {ZRT_MAP_ARRAY, 0, 0, &values, 0, 0, 0}};
  if (wrong == 6)
    zrtA_check_maps(&dense, &sparse.region, maps, nullptr, 0, "D#[, A]", &here);
  zrt_region part = hand::region({hand::range(3, 4), hand::range(2, 3)}, "P");
  zrtA_store(&values, nullptr, 0, &dense, &part, nullptr, "A", &here);
}

void initialize() {
  zrtA_config_given(0, &seed);
  zrtA_config_given(1, &rounds);
  zrtA_config_given(2, &wrong);
  uint8_t scattered = 0;
  zrtA_config_given(3, &scattered);
  isScattered = scattered;
  makeDomains();
  random_ = Random(unsigned(seed));
  hand::makeWords();
  for (int rank = 1; rank <= ZRT_MAX_RANK; ++rank) {
    zrt_region region = {};
    region.rank = int16_t(rank);
    int64_t most = rank <= 2 ? 11 : rank == 3 ? 6 : 2;
    for (int d = 0; d < rank; ++d)
      region.dim[d] = hand::range(-1, 1 + most);
    zrtA_region_declare(&region);
    region.domain = int16_t(rank);
    zrtA_region_declare(&region);
  }
}

void entry() {
  if (wrong != 0)
    doWrong();
  for (int32_t round = 0; round < rounds; ++round)
    runRound();
  hand::reportCompared(compared, here);
  hand::reportMistakes(mistakes, here);
  if (zrtA_locale() == 0)
    for (const char *ending : {"image", "text"})
      std::remove(fileName(ending).c_str());
}

} // namespace

int main(int argc, char **argv) {
  const zrt_config configs[] = {
      {"seed", &hand::Integer, "1", "of the random numbers"},
      {"rounds", &hand::Integer, "60", ""},
      {"wrong", &Wrong, "nothing", "how the run ends"},
      {"scattered", &hand::Boolean, "false", ""}};
  zrt_program program = {};
  program.revision = ZRT_ABI_REVISION;
  program.name = "sparse";
  program.plugin_dir = ZRT_TEST_PLUGIN_DIR;
  program.cpu_features = "";
  program.figures = "";
  program.configs = configs;
  program.config_count = std::size(configs);
  program.initialize = initialize;
  program.entry = entry;
  program.grids = Grids;
  program.distributions = Distributions;
  program.domains = Domains;
  program.grid_count = std::size(Grids);
  program.distribution_count = std::size(Distributions);
  program.domain_count = std::size(Domains);
  return zrtA_main(argc, argv, &program);
}
