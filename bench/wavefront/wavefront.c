/* Wavefronts as a C programmer writes them: one loop nest over static arrays.
 *   -DN=...      points per side
 *   -DSWEEPS=... how often
 * Prints per kernel its name, a value of the result and the seconds of its
 * sweeps. */
#include <stdio.h>
#include <time.h>

static double A[N + 2][N + 2], B[N + 2][N + 2];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void start(void) {
  for (int i = 0; i <= N + 1; i++)
    for (int j = 0; j <= N + 1; j++) {
      A[i][j] = (i * 7 + j * 3) % 11;
      B[i][j] = (i * 5 + j * 13) % 17;
    }
}

static void sum(void) {
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      A[i][j] = A[i - 1][j] + A[i][j - 1] - A[i - 1][j - 1];
}

static void corner(void) {
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      A[i][j] = (A[i - 1][j] + A[i][j - 1] + B[i][j]) * 0.25;
}

static double max(double a, double b) { return a > b ? a : b; }

static void align(void) {
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      A[i][j] = max(A[i][j - 1] - 4,
                    max(A[i - 1][j - 1] + B[i][j], A[i - 1][j] - 4));
}

static void relax(void) {
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) * 0.25;
}

static void down(void) {
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      A[i][j] = A[i - 1][j] * 0.5 + B[i][j];
}

static void measure(const char *name, void (*kernel)(void)) {
  start();
  double begin = now();
  for (int s = 0; s < SWEEPS; s++)
    kernel();
  printf("%s %.17g %.6f\n", name, A[N][N], now() - begin);
}

int main(void) {
  measure("sum", sum);
  measure("corner", corner);
  measure("align", align);
  measure("relax", relax);
  measure("down", down);
  return 0;
}
