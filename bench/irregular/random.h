/* What the C programs beside this file share: the random numbers of ZPL's ran(k). */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline double ran(int64_t k) {
  uint64_t b = 0x6A09E667F3BCC909u + (uint64_t)k * 0x9E3779B97F4A7C15u;
  b = (b ^ (b >> 30)) * 0xBF58476D1CE4E5B9u;
  b = (b ^ (b >> 27)) * 0x94D049BB133111EBu;
  b = b ^ (b >> 31);
  return (double)(b >> 11) / 9007199254740992.0;
}

/* Memory for `count` elements of `size` bytes, zero at first. */
static inline void *zeros(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) {
    fprintf(stderr, "not enough memory\n");
    exit(1);
  }
  return memory;
}
