//===- HandSplit.cpp - Collectives in two phases --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Begins several reductions, floods and scans at once, of random sizes,
// operators and slices, with whole collectives in between, and ends them in
// random order. Each must give the bits of its whole form. Prints the number
// of mistakes; the same on every transport and grid.
//
//===----------------------------------------------------------------------===//

#include "HandProgram.h"
#include "HandRegions.h"
#include "Random.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

namespace {

int32_t seed = 1;
int32_t rounds = 40;
int64_t mistakes = 0;
const zrt_loc here = {"split.z", 7, 3};
zrt_region whole, rowsFlooded, columnsFlooded;
zrt_array A;

void initialize() {
  zrtA_config_given(0, &seed);
  zrtA_config_given(1, &rounds);
  whole = hand::region({hand::range(1, 13), hand::range(1, 9)}, "R");
  rowsFlooded = hand::region({hand::Flood, hand::range(1, 9)});
  columnsFlooded = hand::region({hand::range(1, 13), hand::Flood});
  zrtA_region_declare(&whole);
}

double &at(const zrt_array &array, const int64_t *i) {
  return *reinterpret_cast<double *>(array.origin + i[0] * array.pitch[0] +
                                     i[1] * array.pitch[1]);
}

/// A collective with the result of its whole form.
class Pending {
public:
  virtual ~Pending() = default;
  virtual void end() = 0;

protected:
  zrt_split split = {};
};

class Reduction final : public Pending {
public:
  explicit Reduction(Random &random) {
    static const int32_t kinds[] = {ZRT_F64, ZRT_I64};
    static const int32_t operators[] = {ZRT_SUM, ZRT_PRODUCT, ZRT_MAX, ZRT_MIN};
    int32_t kind = kinds[random(0, 1)], reduction = operators[random(0, 3)];
    const zrt_region *overs[] = {nullptr, &whole, &rowsFlooded,
                                 &columnsFlooded};
    const zrt_region *over = overs[random(0, 3)];
    int64_t bits = random(1, 1000000) * (zrtA_locale() + 3);
    double real = std::sin(static_cast<double>(bits));
    if (kind == ZRT_F64)
      std::memcpy(&bits, &real, sizeof bits);
    zrtA_reduce_begin(&split, &bits, kind, reduction, over, &here);
    zrtA_reduce(&bits, kind, reduction, over, &here);
    expected = bits;
  }
  void end() override {
    int64_t value = 0;
    zrtA_reduce_end(&split, &value, &here);
    mistakes += value != expected || split.state != nullptr;
  }

private:
  int64_t expected;
};

/// States of some bytes and of more than go through an exchange.
constexpr int LongState = 500;
struct State {
  unsigned char bytes[LongState];
};

/// Not commutative, and it destroys the first operand.
template <int Size> void combine(void *before, void *state) {
  auto *a = static_cast<unsigned char *>(before);
  auto *b = static_cast<unsigned char *>(state);
  for (int k = 0; k < Size; k += 2) {
    // Maps x -> b0 * (a0 * x + a1) + b1.
    b[k + 1] = static_cast<unsigned char>(b[k] * a[k + 1] + b[k + 1]);
    b[k] = static_cast<unsigned char>(b[k] * a[k]);
    a[k] = a[k + 1] = 99;
  }
}

class StateReduction final : public Pending {
public:
  explicit StateReduction(Random &random) {
    bool isLong = random(0, 1) != 0;
    bytes = isLong ? LongState : 24;
    zrt_state_combine with = isLong ? combine<LongState> : combine<24>;
    int64_t factor = random(1, 1000);
    for (int k = 0; k < bytes; ++k)
      expected.bytes[k] =
          static_cast<unsigned char>(factor * (zrtA_locale() + 1) + k);
    zrtA_reduce_states_begin(&split, &expected, bytes, with, nullptr, &here);
    zrtA_reduce_states(&expected, bytes, with, nullptr, &here);
  }
  void end() override {
    State state;
    zrtA_reduce_end(&split, &state, &here);
    mistakes += std::memcmp(&state, &expected, static_cast<size_t>(bytes)) != 0;
  }

private:
  int64_t bytes;
  State expected;
};

/// Several values in one message, each as it would be alone.
class Several final : public Pending {
public:
  explicit Several(Random &random) : count(random(1, 6)) {
    static const int32_t operators[] = {ZRT_SUM, ZRT_PRODUCT, ZRT_MAX, ZRT_MIN};
    const zrt_region *overs[] = {nullptr, &whole, &rowsFlooded,
                                 &columnsFlooded};
    const zrt_region *over = overs[random(0, 3)];
    for (int64_t k = 0; k < count; ++k)
      describe(k, random, operators[random(0, 3)]);
    if (random(0, 1) == 0)
      zrtA_reduce_several_begin(&split, values, count, over, &here);
    else
      zrtA_reduce_several(values, count, over, &here);
    for (int64_t k = 0; k < count; ++k)
      if (values[k].combine)
        zrtA_reduce_states(&expected[k], values[k].bytes, values[k].combine,
                           over, &here);
      else
        zrtA_reduce(&expected[k], values[k].kind, values[k].reduction, over,
                    &here);
  }
  void end() override {
    if (split.state)
      zrtA_reduce_several_end(&split, values, count, &here);
    for (int64_t k = 0; k < count; ++k)
      mistakes += std::memcmp(&given[k], &expected[k],
                              static_cast<size_t>(values[k].bytes)) != 0;
  }

private:
  /// Value \p k: an f64, an i32 or, of an operator of its own, bytes.
  void describe(int64_t k, Random &random, int32_t reduction) {
    int64_t number = random(1, 1000000) * (zrtA_locale() + 3);
    double real = std::sin(static_cast<double>(number));
    int32_t small = static_cast<int32_t>(number % 1000);
    switch (random(0, 2)) {
    case 0:
      std::memcpy(&given[k], &real, sizeof real);
      values[k] = {&given[k], nullptr, sizeof real, ZRT_F64, reduction};
      break;
    case 1:
      std::memcpy(&given[k], &small, sizeof small);
      values[k] = {&given[k], nullptr, sizeof small, ZRT_I32, reduction};
      break;
    case 2:
      for (int b = 0; b < 24; ++b)
        given[k].bytes[b] = static_cast<unsigned char>(number + b);
      values[k] = {&given[k], combine<24>, 24, 0, 0};
      break;
    }
    expected[k] = given[k];
  }

  int64_t count;
  zrt_combined values[6];
  struct alignas(16) Cell {
    unsigned char bytes[32];
  } given[6], expected[6];
};

/// Compares what this processor has of two arrays over \p region.
void compare(const zrt_array &a, const zrt_array &b, const zrt_region &region) {
  hand::forOwn(region, [&](const int64_t *i) {
    mistakes += std::memcmp(&at(a, i), &at(b, i), sizeof(double)) != 0;
  });
}

class Flood final : public Pending {
public:
  explicit Flood(Random &random) {
    from = whole;
    int d = static_cast<int>(random(0, 1));
    from.dim[d].lo = from.dim[d].hi = random(1, 9);
    from.singletons = 1 << d;
    zrtA_array_flood_begin(&split, &result, &A, &from, &here);
    zrtA_array_flood(&expected, &A, &from, &here);
  }
  void end() override {
    zrtA_array_flood_end(&split, &here);
    compare(result, expected, result.region);
    zrtA_array_free(&result, &here);
    zrtA_array_free(&expected, &here);
  }

private:
  zrt_region from;
  zrt_array result, expected;
};

class Scan final : public Pending {
public:
  explicit Scan(Random &random) {
    zrt_scan scan = {};
    scan.reduction = ZRT_SUM;
    scan.count = static_cast<int32_t>(random(1, 2));
    int32_t first = static_cast<int32_t>(random(1, 2));
    scan.dims[0] = random(0, 1) ? first : -first;
    scan.dims[1] = 3 - first;
    scan.inclusive = static_cast<int32_t>(random(0, 1));
    scan.reproducible = random(0, 3) == 0;
    for (zrt_array *array : {&result, &expected})
      zrtA_array_new(array, &whole, &hand::Double, nullptr, nullptr, 0, "T",
                     &here);
    zrtA_array_scan_begin(&split, &result, &A, &whole, &scan, nullptr, nullptr,
                          &here);
    zrtA_array_scan(&expected, &A, &whole, &scan, nullptr, nullptr, &here);
  }
  void end() override {
    zrtA_array_scan_end(&split, &here);
    compare(result, expected, whole);
    zrtA_array_free(&result, &here);
    zrtA_array_free(&expected, &here);
  }

private:
  zrt_array result, expected;
};

std::unique_ptr<Pending> begin(Random &random) {
  switch (random(0, 5)) {
  case 0:
    return std::make_unique<StateReduction>(random);
  case 1:
    return std::make_unique<Flood>(random);
  case 2:
    return std::make_unique<Scan>(random);
  case 3:
    return std::make_unique<Several>(random);
  }
  return std::make_unique<Reduction>(random);
}

void entry() {
  zrtA_array_new(&A, &whole, &hand::Double, nullptr, nullptr, 0, "A", &here);
  hand::forOwn(whole, [](const int64_t *i) {
    at(A, i) = std::sin(static_cast<double>(i[0] * 17 + i[1]));
  });
  Random random(static_cast<unsigned>(seed));
  for (int32_t round = 0; round < rounds; ++round) {
    std::vector<std::unique_ptr<Pending>> pending;
    for (int64_t count = random(1, 6); count > 0; --count) {
      pending.push_back(begin(random));
      if (random(0, 2) == 0) {
        size_t k = static_cast<size_t>(
            random(0, static_cast<int64_t>(pending.size()) - 1));
        pending[k]->end();
        pending.erase(pending.begin() + static_cast<ptrdiff_t>(k));
      }
    }
    for (; !pending.empty(); pending.pop_back()) {
      size_t k = static_cast<size_t>(
          random(0, static_cast<int64_t>(pending.size()) - 1));
      std::swap(pending[k], pending.back());
      pending.back()->end();
    }
  }
  zrtA_array_free(&A, &here);
  hand::reportMistakes(mistakes, here);
}

} // namespace

int main(int argc, char **argv) {
  return hand::runRandomProgram(argc, argv, "split", "40", initialize, entry);
}
