/* The peer of examples/irregular/gauss.z: -DN=... unknowns. */
#include "random.h"

#ifndef N
#define N 8
#endif

static double A[N][N + 1];
static char left[N];
static int pivot[N];

static void eliminate(int k) {
  int row = -1;
  for (int i = 0; i < N; i++)
    if (left[i] && (row < 0 || fabs(A[i][k]) > fabs(A[row][k])))
      row = i;
  pivot[k] = row;
  left[row] = 0;
  const double *restrict from = A[row];
  for (int i = 0; i < N; i++) {
    if (!left[i])
      continue;
    double *restrict to = A[i];
    double factor = to[k] /= from[k];
    for (int j = k + 1; j <= N; j++)
      to[j] -= factor * from[j];
  }
}

static void substitute(int k) {
  int row = pivot[k];
  A[row][N] /= A[row][k];
  left[row] = 0;
  for (int i = 0; i < N; i++)
    if (left[i])
      A[i][N] -= A[i][k] * A[row][N];
}

int main(void) {
  for (int i = 0; i < N; i++) {
    double sum = 0.0;
    for (int j = 0; j < N; j++) {
      A[i][j] = ran((int64_t)N * (i + 1) + j + 1) - 0.5;
      sum += A[i][j] * (j + 1);
    }
    A[i][N] = sum;
    left[i] = 1;
  }
  for (int k = 0; k < N; k++)
    eliminate(k);
  for (int i = 0; i < N; i++)
    left[i] = 1;
  for (int k = N - 1; k >= 0; k--)
    substitute(k);

  double error = 0.0;
  for (int k = 0; k < N; k++)
    error = fmax(error, fabs(A[pivot[k]][N] - (k + 1)));
  if (N <= 20) {
    printf("pivots in the rows ");
    for (int k = 0; k < N; k++)
      printf("%d ", pivot[k] + 1);
    printf("\n");
    for (int k = 0; k < N; k++)
      printf("%10.6f", A[pivot[k]][N]);
    printf("\n");
  }
  printf("error below 1e-6: %s\n", error < 1e-6 ? "true" : "false");
  return 0;
}
