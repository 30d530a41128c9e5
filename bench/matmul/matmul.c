/* The peers of matmul.z, and with -DSPELLINGS of spellings.z: triple loops, their
   orders i, k, j or k, i, j (-DKIJ), and with -DBLAS the library's product. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef BLAS
#include <cblas.h>
#endif
#ifndef SIZE
#define SIZE 1280
#endif

static double (*a)[SIZE], (*b)[SIZE], (*c)[SIZE];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void report(const char *name, double from) {
  printf("%s seconds %.6f result %.9g\n", name, now() - from, c[SIZE - 1][SIZE - 1]);
}

static void fill(double value) {
  for (long i = 0; i < SIZE; i++)
    for (long j = 0; j < SIZE; j++)
      c[i][j] = value;
}

#ifdef KIJ
#define OUTER k
#define INNER i
#else
#define OUTER i
#define INNER k
#endif

static void product(void) {
#ifdef BLAS
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIZE, SIZE, SIZE, 1.0, &a[0][0], SIZE,
              &b[0][0], SIZE, 1.0, &c[0][0], SIZE);
#else
  for (long OUTER = 0; OUTER < SIZE; OUTER++)
    for (long INNER = 0; INNER < SIZE; INNER++)
      for (long j = 0; j < SIZE; j++)
        c[i][j] += a[i][k] * b[k][j];
#endif
}

static void paths(void) {
  for (long OUTER = 0; OUTER < SIZE; OUTER++)
    for (long INNER = 0; INNER < SIZE; INNER++)
      for (long j = 0; j < SIZE; j++) {
        double way = a[i][k] + b[k][j];
        c[i][j] = way < c[i][j] ? way : c[i][j];
      }
}

#ifdef SPELLINGS
static int x[SIZE][SIZE], y[SIZE][SIZE], z[SIZE][SIZE];
static bool m[SIZE][SIZE], e[SIZE][SIZE], f[SIZE][SIZE], g[SIZE][SIZE];

static void masked(void) {
  for (long OUTER = 0; OUTER < SIZE; OUTER++)
    for (long INNER = 0; INNER < SIZE; INNER++)
      for (long j = 0; j < SIZE; j++)
        if (m[i][j])
          c[i][j] += a[i][k] * b[k][j];
}

static void integers(void) {
  for (long OUTER = 0; OUTER < SIZE; OUTER++)
    for (long INNER = 0; INNER < SIZE; INNER++)
      for (long j = 0; j < SIZE; j++)
        z[i][j] += x[i][k] * y[k][j];
}

static void booleans(void) {
  for (long OUTER = 0; OUTER < SIZE; OUTER++)
    for (long INNER = 0; INNER < SIZE; INNER++)
      for (long j = 0; j < SIZE; j++)
        g[i][j] |= e[i][k] & f[k][j];
}

static void spellings(void) {
  for (long i = 1; i <= SIZE; i++)
    for (long j = 1; j <= SIZE; j++) {
      m[i - 1][j - 1] = (i * j) % 3 != 1;
      x[i - 1][j - 1] = (i + 2 * j) % 7;
      y[i - 1][j - 1] = (3 * i + j) % 5;
      e[i - 1][j - 1] = (i + 2 * j) % 7 == 3;
      f[i - 1][j - 1] = (3 * i + j) % 5 == 2;
    }
  fill(0.0);
  double from = now();
  masked();
  report("masked", from);
  from = now();
  integers();
  c[SIZE - 1][SIZE - 1] = z[SIZE - 1][SIZE - 1];
  report("integers", from);
  from = now();
  booleans();
  c[SIZE - 1][SIZE - 1] = g[SIZE - 1][SIZE - 1];
  report("booleans", from);
  fill(0.0);
  from = now();
  product(); /* what Cannon's algorithm computes */
  report("cannon", from);
}
#endif

int main(void) {
  a = aligned_alloc(64, sizeof(double[SIZE][SIZE]));
  b = aligned_alloc(64, sizeof(double[SIZE][SIZE]));
  c = aligned_alloc(64, sizeof(double[SIZE][SIZE]));
  for (long i = 1; i <= SIZE; i++)
    for (long j = 1; j <= SIZE; j++) {
      a[i - 1][j - 1] = (i + 2 * j) % 7;
      b[i - 1][j - 1] = (3 * i + j) % 5;
    }
#ifdef SPELLINGS
  spellings();
#else
  fill(0.0);
  double from = now();
  product();
  report("summa", from);
  fill(0.0);
  from = now();
  product();
  report("psp", from);
  fill(0.0);
  from = now();
  product();
  report("arrays", from);
  fill(1e30);
  from = now();
  paths();
  report("paths", from);
#endif
  return 0;
}
