/* Vectors of lanes, by the extensions that gcc and clang have, for the programs
   beside this file. */
#include "../programs/clock.h"
#include <math.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi"

#define W 8
typedef double doubles __attribute__((vector_size(8 * W)));
typedef long longs __attribute__((vector_size(8 * W)));

static inline doubles all(double x) {
  return x - (doubles){0};
}

static inline int any(longs mask) {
  long sum = 0;
  for (int l = 0; l < W; l++)
    sum |= mask[l];
  return sum != 0;
}

static inline doubles choose(longs mask, doubles a, doubles b) {
  return (doubles)(((longs)a & mask) | ((longs)b & ~mask));
}
