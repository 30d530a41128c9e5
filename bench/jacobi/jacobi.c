/* The Jacobi benchmark as a C programmer writes it, in the style of the
 * dissertation's listing A.1: static arrays, one loop nest per step.
 *   -DN=...       points per side
 *   -DEPSILON=... greatest change to stop at
 *   -DFUSED       the change is found in the stencil's own sweep
 *   -DSWAP        that, and the arrays exchange their parts: nothing is copied
 *   -fopenmp      the loops run on all threads
 * Prints iterations, the last change and the seconds of the loop. */
#include <float.h>
#include <stdio.h>
#include <time.h>

typedef double Row[N + 2];
static Row A[N + 2];
static Row B[N + 2];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

#ifdef FUSED
static double stencil(Row *restrict A, Row *restrict B) {
  double delta = -DBL_MAX;
#pragma omp parallel for reduction(max : delta)
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++) {
      B[i][j] = (A[i][j + 1] + A[i][j - 1] + A[i - 1][j] + A[i + 1][j]) / 4;
      double diff = A[i][j] - B[i][j];
      diff = diff >= 0 ? diff : -diff;
      delta = diff > delta ? diff : delta;
    }
  return delta;
}
#endif

static double sweep(void) {
#ifdef SWAP
  static int odd;
  odd = !odd;
  return odd ? stencil(A, B) : stencil(B, A);
#elif defined(FUSED)
  double delta = stencil(A, B);
#pragma omp parallel for
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      A[i][j] = B[i][j];
  return delta;
#else
  double delta = -DBL_MAX;
#pragma omp parallel for
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      B[i][j] = (A[i][j + 1] + A[i][j - 1] + A[i - 1][j] + A[i + 1][j]) / 4;
#pragma omp parallel for reduction(max : delta)
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++) {
      double diff = A[i][j] - B[i][j];
      diff = diff >= 0 ? diff : -diff;
      delta = diff > delta ? diff : delta;
      A[i][j] = B[i][j];
    }
  return delta;
#endif
}

int main(void) {
  for (int i = 1; i <= N; i++) {
    A[i][N + 1] = B[i][N + 1] = 0.5;
    A[i][0] = B[i][0] = 0.75;
    A[0][i] = B[0][i] = 0.0;
    A[N + 1][i] = B[N + 1][i] = 0.5;
    for (int j = 1; j <= N; j++) {
      A[i][j] = 1.0;
      B[i][j] = 0.0;
    }
  }
  double start = now(), delta;
  int iterations = 0;
  do {
    iterations++;
    delta = sweep();
  } while (delta >= EPSILON);
  printf("iterations %d delta %.17g seconds %.6f\n", iterations, delta,
         now() - start);
  return 0;
}
