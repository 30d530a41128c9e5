/* The kernels of alignment.h on one processor; see there. */
#include "alignment.h"
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(void) {
  for (int k = 0; k < KERNELS; k++) {
    start(0, N);
    double begin = now();
    for (int s = 0; s < SWEEPS; s++)
      kernels[k].kernel(1, N, 1, N);
    printf("%s seconds %.6f result %.17g\n", kernels[k].name, now() - begin,
           result());
  }
  return 0;
}
