/* Prefix sums as a C programmer writes them.
 *   -DN=...      elements per side
 *   -DSWEEPS=... how often
 *   -DFUSED      scan and use in one sweep, written by hand; else each
 *                statement is a loop of its own, over an array in between
 * Prints per kernel its name, a value of the result and the seconds of its
 * sweeps. */
#include <stdio.h>
#include <time.h>

static double A[N][N], B[N][N], S[N][N], T[N][N];
static int K[N][N], L[N][N];
static unsigned char M[N][N];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void start(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = ((i + 1) * 7 + (j + 1) * 3) % 11;
      K[i][j] = ((i + 1) * 5 + (j + 1) * 13) % 17;
      M[i][j] = ((i + 1) * 3 + (j + 1) * 5) % 23 == 0;
      B[i][j] = S[i][j] = T[i][j] = 0;
      L[i][j] = 0;
    }
}

static void rows(void) {
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) {
      B[i][j] = sum;
      sum += A[i][j];
    }
  }
}

static void columns(void) {
  for (int j = 0; j < N; j++)
    B[0][j] = 0;
  for (int i = 1; i < N; i++)
    for (int j = 0; j < N; j++)
      B[i][j] = B[i - 1][j] + A[i - 1][j];
}

static void all(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      B[i][j] = sum;
      sum += A[i][j];
    }
}

static void integers(void) {
  for (int i = 0; i < N; i++) {
    int sum = 0;
    for (int j = 0; j < N; j++) {
      L[i][j] = sum;
      sum += K[i][j];
    }
  }
}

static void highest(void) {
  for (int i = 0; i < N; i++) {
    double most = -__builtin_inf();
    for (int j = 0; j < N; j++) {
      most = A[i][j] > most ? A[i][j] : most;
      B[i][j] = most;
    }
  }
}

#ifdef FUSED

static void rows_used(void) {
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) {
      B[i][j] = sum * 0.5 + A[i][j];
      sum += A[i][j];
    }
  }
}

static void columns_used(void) {
  static double sum[N];
  for (int j = 0; j < N; j++)
    sum[j] = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      B[i][j] = sum[j] * 0.5 + A[i][j];
      sum[j] += A[i][j];
    }
}

static void all_used(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      B[i][j] = sum * 0.5 + A[i][j];
      sum += A[i][j];
    }
}

static void segments(void) {
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) {
      sum = M[i][j] ? A[i][j] : sum + A[i][j];
      B[i][j] = A[i][j] - sum;
    }
  }
}

static void squares(void) {
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) {
      sum += A[i][j] * A[i][j] + 1;
      B[i][j] = sum - A[i][j];
    }
  }
}

static void totals(void) {
  static double above[N];
  for (int j = 0; j < N; j++)
    above[j] = 0;
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) {
      B[i][j] = A[i][j] + 0.5 * sum + 0.25 * above[j];
      sum += A[i][j];
      above[j] += A[i][j];
    }
  }
}

#else

static void scan_rows(double (*to)[N], double (*from)[N]) {
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) {
      to[i][j] = sum;
      sum += from[i][j];
    }
  }
}

static void scan_columns(double (*to)[N], double (*from)[N]) {
  for (int j = 0; j < N; j++)
    to[0][j] = 0;
  for (int i = 1; i < N; i++)
    for (int j = 0; j < N; j++)
      to[i][j] = to[i - 1][j] + from[i - 1][j];
}

static void use(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      B[i][j] = S[i][j] * 0.5 + A[i][j];
}

static void rows_used(void) {
  scan_rows(S, A);
  use();
}

static void columns_used(void) {
  scan_columns(S, A);
  use();
}

static void all_used(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      S[i][j] = sum;
      sum += A[i][j];
    }
  use();
}

static void segments(void) {
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) {
      sum = M[i][j] ? A[i][j] : sum + A[i][j];
      S[i][j] = sum;
    }
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      B[i][j] = A[i][j] - S[i][j];
}

static void squares(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      T[i][j] = A[i][j] * A[i][j] + 1;
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) {
      sum += T[i][j];
      S[i][j] = sum;
    }
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      B[i][j] = S[i][j] - A[i][j];
}

static void totals(void) {
  scan_rows(S, A);
  scan_columns(T, A);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      B[i][j] = A[i][j] + 0.5 * S[i][j] + 0.25 * T[i][j];
}

#endif

static void measure(const char *name, void (*kernel)(void)) {
  start();
  kernel();
  double begin = now();
  for (int s = 0; s < SWEEPS; s++) {
    kernel();
    __asm__ volatile("" ::: "memory");
  }
  double seconds = now() - begin;
  printf("%s %.17g %.6f\n", name, B[N - 1][N - 1] + L[N - 1][N - 1], seconds);
}

int main(void) {
  measure("rows", rows);
  measure("columns", columns);
  measure("all", all);
  measure("integers", integers);
  measure("highest", highest);
  measure("rows-used", rows_used);
  measure("columns-used", columns_used);
  measure("all-used", all_used);
  measure("segments", segments);
  measure("squares", squares);
  measure("totals", totals);
  return 0;
}
