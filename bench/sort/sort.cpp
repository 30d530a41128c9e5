// The peers of sort.z: what a C++ programmer calls (std::sort, and std::stable_sort
// of pairs), or with -r a radix sort by eight bits as one writes it in C.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

static double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static const int n = 10000000;

static int32_t key(int i) {
  uint64_t x = uint64_t(i) * 2654435769u + 12345;
  x = (x ^ x / 65536) * 2246822519u;
  return int32_t(x / 4096 & 2147483647);
}

struct Pair {
  int32_t key, place;
};

static uint32_t codeOf(int32_t x) { return uint32_t(x) ^ 0x80000000u; }
static uint32_t codeOf(const Pair &x) { return codeOf(x.key); }
static uint64_t codeOf(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits >> 63 ? ~bits : bits ^ uint64_t(1) << 63;
}

// By the last digit first, each pass from one array to the other.
template <typename T> static void radix(std::vector<T> &items) {
  using Code = decltype(codeOf(items[0]));
  std::vector<T> other(items.size());
  for (int shift = 0; shift < int(sizeof(Code)) * 8; shift += 8) {
    size_t next[257] = {};
    for (const T &item : items)
      ++next[(codeOf(item) >> shift & 255) + 1];
    for (int digit = 0; digit < 256; ++digit)
      next[digit + 1] += next[digit];
    for (const T &item : items)
      other[next[codeOf(item) >> shift & 255]++] = item;
    items.swap(other);
  }
}

static bool less(int32_t a, int32_t b) { return a < b; }
static bool less(double a, double b) { return a < b; }
static bool less(const Pair &a, const Pair &b) { return a.key < b.key; }

template <typename T, typename Value>
static void report(const char *what, std::vector<T> &items, bool byRadix,
                   bool isStable, Value value) {
  double start = now();
  auto before = [](const T &a, const T &b) { return less(a, b); };
  if (byRadix)
    radix(items);
  else if (isStable)
    std::stable_sort(items.begin(), items.end(), before);
  else
    std::sort(items.begin(), items.end(), before);
  int64_t sum = 0;
  for (int i = 0; i < n; ++i)
    sum += int64_t(value(items[i]) * (i % 1000));
  printf("%s seconds %.6f result %lld\n", what, now() - start, (long long)sum);
}

int main(int argc, char **argv) {
  bool byRadix = argc > 1 && !strcmp(argv[1], "-r");
  {
    std::vector<int32_t> a(n);
    for (int i = 0; i < n; ++i)
      a[i] = key(i);
    report("integers", a, byRadix, false, [](int32_t x) { return int64_t(x); });
  }
  {
    std::vector<double> d(n);
    for (int i = 0; i < n; ++i)
      d[i] = key(i) / 4.0 - 1e8;
    report("doubles", d, byRadix, false, [](double x) { return x; });
  }
  std::vector<Pair> p(n);
  for (int i = 0; i < n; ++i)
    p[i] = {key(i), i};
  report("places", p, byRadix, true,
         [](const Pair &x) { return int64_t(x.place); });
}
