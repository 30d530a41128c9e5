/* Darts thrown at the unit square: the library of examples/darts.z. */
#ifndef DARTS_H
#define DARTS_H
#include <stdint.h>

typedef struct {
  double x, y;
} dart;

#define DARTS_SEED 2024

/* The dart number `number`: always the same one, so that the processors of a
   parallel program need not share a generator. */
dart dart_throw(int64_t number);

/* Within the quarter of a circle? */
static inline int dart_hits(dart d) { return d.x * d.x + d.y * d.y < 1.0; }

#endif
