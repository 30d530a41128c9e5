/* The loops that a C programmer writes for the kernels of kernels.z. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 2000, M = 1024, ROUNDS = 20, STEPS = 1000000 };

static double A[N][N], B[N][N], sums[N], totals[N];
static double X[M][M], Y[M][M], Z[M][M];
static double small[17][17];
static double started;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void report(const char *name, double result) {
  printf("%s seconds %.6f result %.9g\n", name, now() - started, result);
  started = now();
}

/* Keeps a compiler from dropping rounds whose result nobody reads. */
static void touch(void *memory) { __asm__ volatile("" : : "r"(memory) : "memory"); }

static void floods(void) {
  started = now();
  for (int k = 0; k < ROUNDS; ++k) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        B[i][j] = A[k][j];
    touch(B);
  }
  report("flood-rows", B[N - 1][N - 1]);
  for (int k = 0; k < ROUNDS; ++k) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        B[i][j] = A[i][k];
    touch(B);
  }
  report("flood-columns", B[N - 1][N - 1]);
}

static void reductions(void) {
  double sum = 0;
  started = now();
  for (int k = 0; k < ROUNDS; ++k) {
    for (int i = 0; i < N; ++i) {
      double s = 0;
      for (int j = 0; j < N; ++j)
        s += A[i][j];
      sums[i] = s;
    }
    touch(sums);
  }
  report("row-sums", sums[0]);
  for (int k = 0; k < ROUNDS; ++k) {
    memset(totals, 0, sizeof totals);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        totals[j] += A[i][j];
    touch(totals);
  }
  report("column-sums", totals[0]);
  for (int k = 0; k < ROUNDS; ++k) {
    touch(A);
    sum = 0;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        sum += A[i][j];
    touch(&sum);
  }
  report("full-sum", sum);
}

static void scans(void) {
  started = now();
  for (int k = 0; k < ROUNDS; ++k) {
    double sum = 0;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        B[i][j] = sum;
        sum += A[i][j];
      }
    touch(B);
  }
  report("scan", B[N - 1][N - 1]);
  for (int k = 0; k < ROUNDS; ++k) {
    for (int i = 0; i < N; ++i) {
      double sum = 0;
      for (int j = 0; j < N; ++j) {
        B[i][j] = sum;
        sum += A[i][j];
      }
    }
    touch(B);
  }
  report("scan-rows", B[N - 1][N - 1]);
  for (int k = 0; k < ROUNDS; ++k) {
    memset(totals, 0, sizeof totals);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        B[i][j] = totals[j];
        totals[j] += A[i][j];
      }
    touch(B);
  }
  report("scan-columns", B[N - 1][N - 1]);
}

static int order[N * N], counts[1000];
static double from[N * N], to[N * N];

static void remaps(void) {
  started = now();
  for (int k = 0; k < ROUNDS; ++k) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        B[i][j] = A[j][i];
    touch(B);
  }
  report("transpose", B[N - 1][N - 1]);
  for (int i = 0; i < N * N; ++i) {
    order[i] = (int)((i + 1) * 7919L % (N * N));
    from[i] = (i + 1) % 10 / 8.0;
    to[i] = 0;
  }
  started = now();
  for (int k = 0; k < ROUNDS; ++k) {
    for (int i = 0; i < N * N; ++i)
      to[i] = from[order[i]];
    touch(to);
  }
  report("gather", to[N * N / 2 - 1]);
  for (int i = 0; i < N * N; ++i)
    order[i] = (order[i] + 1) % 1000;
  started = now();
  for (int k = 0; k < ROUNDS; ++k) {
    for (int i = 0; i < N * N; ++i)
      ++counts[order[i]];
    touch(counts);
  }
  report("histogram", counts[499]);
}

/* The triple loop in the orders ikj and kij; the first is faster. */
static void product(void) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j) {
      X[i][j] = (i + 1) % 5 + (j + 1) % 3;
      Y[i][j] = (i + 1) % 7 - (j + 1) % 2;
    }
  started = now();
#ifdef KIJ
  for (int k = 0; k < M; ++k)
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < M; ++j)
        Z[i][j] += X[i][k] * Y[k][j];
#else
  for (int i = 0; i < M; ++i)
    for (int k = 0; k < M; ++k)
      for (int j = 0; j < M; ++j)
        Z[i][j] += X[i][k] * Y[k][j];
#endif
  report("summa", Z[M - 1][M - 1]);
}

static void dynamic(void) {
  started = now();
  for (int s = 1; s <= STEPS / 16; ++s)
    for (int k = 1; k <= 16; ++k) {
      for (int i = k + 1; i <= 16; ++i)
        for (int j = k + 1; j <= 16; ++j)
          small[i][j] += 1;
      touch(small);
    }
  report("dynamic", small[16][16]);
  for (int i = 1; i <= 16; ++i)
    for (int j = 1; j <= 16; ++j)
      small[i][j] = 1;
  started = now();
  for (int s = 1; s <= STEPS / 160; ++s)
    for (int k = 1; k <= 16; ++k) {
      for (int i = k + 1; i <= 16; ++i)
        for (int j = k + 1; j <= 16; ++j)
          small[i][j] = small[i][j] * 0.5 + small[k][j];
      touch(small);
    }
  report("dynamic-flood", small[16][16]);
}

int main(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      A[i][j] = (i + 1) % 10 + (j + 1) % 7 / 8.0;
  /* The first touch of its memory is not timed. */
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      B[i][j] = 1;
  floods();
  reductions();
  scans();
  remaps();
  product();
  dynamic();
}
