/* The peer of gather.z: -DN=... -DROUNDS=... */
#include "../programs/clock.h"
#include "mesh.h"

static double a[N], b[N];
static int p[N];

/* Other functions may see the arrays, so that no round is left out. */
__attribute__((noinline)) static void gather(void) {
  for (int i = 0; i < N; i++)
    b[i] = a[p[i]];
}

__attribute__((noinline)) static void scatter(void) {
  for (int i = 0; i < N; i++)
    a[p[i]] = b[i];
}

static void measure(const char *name, void (*work)(void),
                    const double *target) {
  double begin = 0, sum = 0;
  for (int k = 0; k <= ROUNDS; k++) {
    if (k == 1)
      begin = now();
    work();
  }
  double seconds = now() - begin;
  for (int i = 0; i < N; i++)
    sum += target[i] * ((i + 1) % 8);
  printf("%s seconds %.6f result %.17g\n", name, seconds, sum);
}

int main(void) {
  for (int i = 0; i < N; i++) {
    p[i] = shuffled(i, N, bits_of(N));
    a[i] = (i + 1) % 16;
    b[i] = 0;
  }
  measure("gather", gather, b);
  for (int i = 0; i < N; i++)
    b[i] = (i + 1) % 16;
  measure("scatter", scatter, a);
  return 0;
}
