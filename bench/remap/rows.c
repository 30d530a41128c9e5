/* The peer of rows.z: whole rows by memcpy; -DN=... -DROUNDS=... */
#include "../programs/clock.h"
#include "mesh.h"
#include <string.h>

static double a[N][N], b[N][N];
static int p[N];

__attribute__((noinline)) static void permute(void) {
  for (int i = 0; i < N; i++)
    memcpy(b[i], a[p[i]], sizeof b[i]);
}

int main(void) {
  for (int i = 0; i < N; i++) {
    p[i] = shuffled(i, N, bits_of(N));
    for (int j = 0; j < N; j++)
      a[i][j] = (i + 1 + 3 * (j + 1)) % 16;
  }
  double begin = 0, sum = 0;
  for (int k = 0; k <= ROUNDS; k++) {
    if (k == 1)
      begin = now();
    permute();
  }
  double seconds = now() - begin;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += b[i][j] * ((i + 1) % 8 + (j + 1) % 4);
  printf("rows seconds %.6f result %.17g\n", seconds, sum);
  return 0;
}
