/* The peer of examples/irregular/julia.z: -DN=... points per side, -DSTEPS=... */
#include "random.h"

#ifndef N
#define N 32
#define STEPS 100
#endif

static int stays(double x, double y) {
  for (int k = 0; k < STEPS; k++) {
    double next = x * x - y * y + 0.23;
    y = 2.0 * x * y + 0.13;
    x = next;
    if (x * x + y * y > 5.0)
      return 0;
  }
  return 1;
}

int main(void) {
  int count = 0;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      int inside = stays(-2.0 + 4.0 * i / N, -2.0 + 4.0 * j / N);
      count += inside;
      if (N <= 64)
        printf("%d", inside);
    }
    if (N <= 64)
      printf("\n");
  }
  printf("%d of %d points are inside\n", count, N * N);
  return 0;
}
