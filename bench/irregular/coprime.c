/* The peer of examples/irregular/coprime.z: -DN=... numbers. */
#include "random.h"

#ifndef N
#define N 128
#endif

static int gcd(int a, int b) {
  while (b != 0) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int main(void) {
  int count = 0;
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      count += gcd(i, j) == 1;
  printf("%d of %d pairs, %.5f by %.5f\n", count, N * N, 1.0 * count / (N * N),
         6.0 / (M_PI * M_PI));
  return 0;
}
