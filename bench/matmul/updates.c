/* The peers of updates.z: plain loops, and with -DBLOCKED the loops that go through
   a matrix in blocks of 64 rows and columns (not those with pivots and of Gauss
   and Jordan, which are the plain ones). */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long n = 1280;
static double *a;
static bool *e;
static int *d;
#define A(i, j) a[(i) * n + (j)]
#define E(i, j) e[(i) * n + (j)]
#define D(i, j) d[(i) * n + (j)]
#define BLOCK 64

static double start;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void report(const char *name, double result) {
  printf("%s seconds %.6f result %.9g\n", name, now() - start, result);
}

static long least(long x, long y) { return x < y ? x : y; }

static void fill(void) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= n; j++)
      A(i - 1, j - 1) = (int)((int)(i * i) + 2 * (int)(j * j) + (int)(i * j)) % 11 + 1;
}

static void eliminate(long k, long rows, long from, long to) {
  for (long i = k + 1; i < rows; i++)
    for (long j = from; j < to; j++)
      A(i, j) -= A(i, k) * A(k, j);
}

static void lu(void) {
  fill();
  for (long i = 0; i < n; i++)
    A(i, i) += 10.0 * n;
  start = now();
#ifdef BLOCKED
  for (long b = 0; b < n; b += BLOCK) {
    long end = least(b + BLOCK, n);
    for (long k = b; k < end; k++) {
      for (long i = k + 1; i < n; i++)
        A(i, k) /= A(k, k);
      eliminate(k, n, k + 1, end);
    }
    for (long k = b; k < end; k++)
      for (long i = k + 1; i < end; i++)
        for (long j = end; j < n; j++)
          A(i, j) -= A(i, k) * A(k, j);
    for (long i = end; i < n; i++)
      for (long k = b; k < end; k++)
        for (long j = end; j < n; j++)
          A(i, j) -= A(i, k) * A(k, j);
  }
#else
  for (long k = 0; k + 1 < n; k++) {
    for (long i = k + 1; i < n; i++)
      A(i, k) /= A(k, k);
    eliminate(k, n, k + 1, n);
  }
#endif
  report("lu", A(n - 1, n - 1));
}

static void pivots(void) {
  fill();
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= n; j++)
      A(i - 1, j - 1) += ((i * 7919 + j * 104729) % 10007) * 0.001;
  start = now();
  for (long k = 0; k + 1 < n; k++) {
    long pivot = k;
    for (long i = k + 1; i < n; i++)
      if (fabs(A(i, k)) > fabs(A(pivot, k)))
        pivot = i;
    for (long j = 0; pivot != k && j < n; j++) {
      double kept = A(k, j);
      A(k, j) = A(pivot, j);
      A(pivot, j) = kept;
    }
    for (long i = k + 1; i < n; i++)
      A(i, k) /= A(k, k);
    eliminate(k, n, k + 1, n);
  }
  double most = 0;
  for (long i = 0; i < n; i++)
    most = fmax(most, fabs(A(0, i)));
  report("pivots", most);
}

static void jordan(void) {
  fill();
  for (long i = 0; i < n; i++)
    A(i, i) += 10.0 * n;
  start = now();
  for (long k = 0; k < n; k++) {
    double by = A(k, k);
    for (long j = 0; j < n; j++)
      A(k, j) /= by;
    for (long i = 0; i < n; i++) {
      if (i == k)
        continue;
      double factor = A(i, k);
      for (long j = 0; j < n; j++)
        A(i, j) -= factor * A(k, j);
    }
  }
  report("jordan", A(n - 1, n - 1));
}

static void reach(long k, long i0, long i1, long j0, long j1) {
  for (long i = i0; i < i1; i++)
    if (E(i, k))
      for (long j = j0; j < j1; j++)
        E(i, j) |= E(k, j);
}

static void warshall(void) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= n; j++)
      E(i - 1, j - 1) = j == 2 * i || (i % 4 == 0 && j == i - 3);
  start = now();
  for (long k = 0; k < n; k++)
    reach(k, 0, n, 0, n);
  long sum = 0;
  for (long i = 0; i < n * n; i++)
    sum += e[i];
  report("warshall", sum);
}

static void shorten(long k0, long k1, long i0, long i1, long j0, long j1) {
  for (long k = k0; k < k1; k++)
    for (long i = i0; i < i1; i++) {
      int way = D(i, k);
      for (long j = j0; j < j1; j++) {
        int sum = way + D(k, j);
        D(i, j) = sum < D(i, j) ? sum : D(i, j);
      }
    }
}

static void floyd(void) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= n; j++)
      D(i - 1, j - 1) = (int)((int)i * 7 + (int)(j * j) * 5) % 1009 + 1;
  start = now();
#ifdef BLOCKED
  for (long b = 0; b < n; b += BLOCK) {
    long end = least(b + BLOCK, n);
    shorten(b, end, b, end, b, end);
    for (long o = 0; o < n; o += BLOCK)
      if (o != b) {
        shorten(b, end, b, end, o, least(o + BLOCK, n));
        shorten(b, end, o, least(o + BLOCK, n), b, end);
      }
    for (long i = 0; i < n; i += BLOCK)
      for (long j = 0; j < n; j += BLOCK)
        if (i != b && j != b)
          shorten(b, end, i, least(i + BLOCK, n), j, least(j + BLOCK, n));
  }
#else
  shorten(0, n, 0, n, 0, n);
#endif
  double sum = 0;
  for (long i = 0; i < n * n; i++)
    sum += d[i];
  report("floyd", sum);
}

int main(int count, char **words) {
  if (count > 1)
    n = atol(words[1]);
  a = malloc(n * n * sizeof *a);
  e = malloc(n * n * sizeof *e);
  d = malloc(n * n * sizeof *d);
  lu();
  pivots();
  jordan();
  warshall();
  floyd();
  return 0;
}
