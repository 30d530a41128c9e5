/* The peer of examples/irregular/eigen.z: -DN=... rows, an even number. A pair of rows,
 * and of columns, is rotated in place. */
#include "random.h"

#ifndef N
#define N 8
#endif
#define EPSILON 1e-9

static double A[N][N], c[N], s[N];
static int other[N];

static int partner(int i, int round) {
  if (i == N)
    return round * (N / 2) % (N - 1) + 1;
  int j = (round - i + N) % (N - 1) + 1;
  return j == i ? N : j;
}

static double tangent(double d, double e, double next) {
  if (e == 0.0)
    return 0.0;
  double ratio = (next - d) / (2.0 * e), root = sqrt(1.0 + ratio * ratio);
  return ratio < 0.0 ? 1.0 / (ratio - root) : 1.0 / (ratio + root);
}

/* All rotations of a round, one after the other: they have no coordinate in common. */
static void rotate(int round) {
  for (int p = 0; p < N; p++) {
    int q = other[p] = partner(p + 1, round) - 1;
    if (q < p)
      continue;
    double t = tangent(A[p][p], A[p][q], A[q][q]);
    c[p] = 1.0 / sqrt(1.0 + t * t);
    s[p] = t * c[p];
  }
  for (int p = 0; p < N; p++) {
    int q = other[p];
    if (q < p)
      continue;
    for (int j = 0; j < N; j++) {
      double x = A[p][j], y = A[q][j];
      A[p][j] = c[p] * x - s[p] * y;
      A[q][j] = c[p] * y + s[p] * x;
    }
  }
  for (int i = 0; i < N; i++)
    for (int p = 0; p < N; p++) {
      int q = other[p];
      if (q < p)
        continue;
      double x = A[i][p], y = A[i][q];
      A[i][p] = c[p] * x - s[p] * y;
      A[i][q] = c[p] * y + s[p] * x;
    }
}

static int descending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      A[i][j] = (i < j ? i : j) + 1;

  double off = 1.0;
  for (int sweep = 1; off >= EPSILON; sweep++) {
    for (int round = 1; round < N; round++)
      rotate(round);
    off = 0.0;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        if (i != j && fabs(A[i][j]) > off)
          off = fabs(A[i][j]);
    printf("sweep %d: at most %.6f off the diagonal\n", sweep, off);
  }

  double sorted[N], error = 0.0;
  for (int i = 0; i < N; i++)
    sorted[i] = A[i][i];
  qsort(sorted, N, sizeof(double), descending);
  for (int k = 0; k < N; k++) {
    double sine = 2.0 * sin((k + 0.5) * M_PI / (2 * N + 1));
    error = fmax(error, fabs(sorted[k] - 1.0 / (sine * sine)));
    if (N <= 20)
      printf("%10.6f", sorted[k]);
  }
  printf("%serror below 1e-8: %s\n", N <= 20 ? "\n" : "",
         error < 1e-8 ? "true" : "false");
  return 0;
}
