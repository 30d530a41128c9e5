/* The product of two tridiagonal matrices as a C programmer writes it: three and
 * five numbers of each row side by side, one loop over the rows.
 *   -DN=...      rows
 *   -DSWEEPS=... how often
 * Prints its name, the sum of the result, which is exact in any order, and the
 * seconds. */
#include <stdio.h>
#include <time.h>

static double A[N + 2][3], B[N + 2][3], C[N + 1][5];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void product(void) {
  for (int i = 1; i <= N; i++) {
    C[i][0] = A[i][0] * B[i - 1][0];
    C[i][1] = A[i][0] * B[i - 1][1] + A[i][1] * B[i][0];
    C[i][2] = A[i][0] * B[i - 1][2] + A[i][1] * B[i][1] + A[i][2] * B[i + 1][0];
    C[i][3] = A[i][1] * B[i][2] + A[i][2] * B[i + 1][1];
    C[i][4] = A[i][2] * B[i + 1][2];
  }
}

int main(void) {
  for (int i = 1; i <= N; i++)
    for (int d = -1; d <= 1; d++) {
      A[i][d + 1] = (i * 7 + d * 3) % 11;
      B[i][d + 1] = (i * 5 + d * 13) % 17;
    }
  double begin = now();
  for (int s = 0; s < SWEEPS; s++) {
    product();
    __asm__ volatile("" ::: "memory"); /* each sweep is one */
  }
  double seconds = now() - begin, sum = 0;
  for (int i = 1; i <= N; i++)
    for (int d = 0; d < 5; d++)
      sum += C[i][d];
  printf("product %.17g %.6f\n", sum, seconds);
  return 0;
}
