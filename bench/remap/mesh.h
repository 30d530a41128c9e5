/* What the programs in C beside this file share with those in ZPL: pseudo-random
 * permutations. */
#include <stdlib.h>

/* A number from 0 to n - 1, another one for each x from 0 to n - 1. It walks a
 * permutation of the 2^bits >= n numbers until it meets one of the first n. */
static inline int shuffled(int x, int n, int bits) {
  unsigned mask = (1u << bits) - 1, y = x;
  do {
    y = (y * 2654435761u + 12345) & mask;
    y ^= y >> (bits / 2 + 1);
    y = (y * 2246822507u) & mask;
    y ^= y >> (bits / 2);
  } while (y >= (unsigned)n);
  return (int)y;
}

/* The least number of bits with 2^bits >= n. */
static inline int bits_of(int n) {
  int bits = 1;
  while ((1 << bits) < n)
    bits++;
  return bits;
}
