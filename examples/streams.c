#include "streams.h"

#include <stdlib.h>

void fill_rows(zpl_array *array, int seed) {
  zpl_view view;
  zpl_own(array, &view);
  for (int64_t i = 0; i < view.extent[0]; ++i) {
    int64_t row = view.first[0] + i;
    unsigned short state[3] = {(unsigned short)seed, (unsigned short)row,
                               (unsigned short)(row >> 16)};
    for (int skipped = 0; skipped < 8; ++skipped)
      erand48(state); /* neighbours begin alike */
    for (int64_t j = 0; j < view.offset[1]; ++j)
      erand48(state); /* those of processors with columns before ours */
    double *first = (double *)((char *)view.data + i * view.stride[0]);
    for (int64_t j = 0; j < view.extent[1]; ++j)
      first[j] = erand48(state);
  }
}
