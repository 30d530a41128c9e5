/* The peer of star.z, with arrays of a constant size.
 *   -DN=... -DSTEPS=...  points per side, steps
 *   -DFUSED  new rows wait in a few lines until the old ones are used up; A is
 *            updated in the stencil's own sweep
 *   -DSWAP   two arrays that exchange their parts
 *   else     two loops: the stencil, and the copy back */
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef double Row[N + 4];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void row(double *restrict out, Row *A, int i) {
  for (int j = 2; j < N + 2; j++)
    out[j] = 0.5 * A[i][j] +
             0.1 * (A[i - 1][j] + A[i + 1][j] + A[i][j + 1] + A[i][j - 1]) +
             0.025 * (A[i - 2][j] + A[i + 2][j] + A[i][j + 2] + A[i][j - 2]);
}

#ifdef FUSED
static Row storage[N + 4];
static Row lines[3];

static Row *step(Row *A) {
  for (int i = 2; i < N + 4; i++) {
    if (i < N + 2)
      row(lines[i % 3], A, i);
    if (i >= 4)
      memcpy(&A[i - 2][2], &lines[(i - 2) % 3][2], N * sizeof(double));
  }
  return A;
}
#elif defined(SWAP)
static Row storage[N + 4];
static Row other[N + 4];

static Row *step(Row *A) {
  Row *B = A == storage ? other : storage;
  for (int i = 2; i < N + 2; i++)
    row(B[i], A, i);
  return B;
}
#else
static Row storage[N + 4];
static Row other[N + 4];

static Row *step(Row *A) {
  for (int i = 2; i < N + 2; i++)
    row(other[i], A, i);
  for (int i = 2; i < N + 2; i++)
    for (int j = 2; j < N + 2; j++)
      A[i][j] = other[i][j];
  return A;
}
#endif

int main(void) {
  Row *A = storage;
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      A[i + 1][j + 1] = (i * 7 + j * 13) % 101 / 101.0;
  double start = now();
  for (int t = 0; t < STEPS; t++)
    A = step(A);
  double seconds = now() - start, greatest = 0;
  for (int i = 2; i < N + 2; i++)
    for (int j = 2; j < N + 2; j++)
      greatest = A[i][j] > greatest ? A[i][j] : greatest;
  printf("star seconds %.6f result %.11e\n", seconds, greatest);
  return 0;
}
