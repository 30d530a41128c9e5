/* The peers of matmul.z: triple loops, their orders i, k, j or k, i, j (-DKIJ), and
   with -DBLAS the library's product. */
#include <math.h>
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

int main(void) {
  a = aligned_alloc(64, sizeof(double[SIZE][SIZE]));
  b = aligned_alloc(64, sizeof(double[SIZE][SIZE]));
  c = aligned_alloc(64, sizeof(double[SIZE][SIZE]));
  for (long i = 1; i <= SIZE; i++)
    for (long j = 1; j <= SIZE; j++) {
      a[i - 1][j - 1] = (i + 2 * j) % 7;
      b[i - 1][j - 1] = (3 * i + j) % 5;
    }
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
  return 0;
}
