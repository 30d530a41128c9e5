/* The finalizer of SplitMix64 makes a random number of any number. */
#include "darts.h"

static uint64_t mixed(uint64_t z) {
  z *= 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* 0 <= unit < 1 */
static double unit(uint64_t number) {
  return (double)(mixed(number) >> 11) / 9007199254740992.0;
}

dart dart_throw(int64_t number) {
  uint64_t n = 2 * (uint64_t)(number + DARTS_SEED);
  dart d = {unit(n), unit(n + 1)};
  return d;
}
