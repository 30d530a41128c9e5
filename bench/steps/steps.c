/* Time steps of stencils as a C programmer writes them.
 *   -DN=... -DSTEPS=...   indices per side, how many steps
 *   -DKERNEL=0..4         jacobi, nine, life, shallow, heat
 *   -DFUSED               in place, what is new waiting in two rows for the
 *                         one behind; else from one array into the other
 *   -DTILED=k             that, k steps in one sweep, each a row behind the
 *                         one before (time skewing)
 * Prints the kernel's name, the seconds of the steps and a sum. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define W ((long)N + 2)
#if KERNEL == 4
#define ROW (W * W)
#else
#define ROW W
#endif
#if KERNEL == 2
typedef int T;
#else
typedef double T;
#endif
#if KERNEL == 3
#define FIELDS 3
#else
#define FIELDS 1
#endif

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* A row of the result, from those around it. */
static inline void row(T *const *d, T *const *s) {
#if KERNEL == 0
  T *restrict o = d[0];
  const T *restrict a = s[0];
  for (long j = 1; j <= N; j++)
    o[j] = (a[j - W] + a[j + W] + a[j + 1] + a[j - 1]) * 0.25;
#elif KERNEL == 1
  T *restrict o = d[0];
  const T *restrict a = s[0];
  for (long j = 1; j <= N; j++)
    o[j] = a[j] * 0.5 + (a[j - W] + a[j + W] + a[j + 1] + a[j - 1]) * 0.0625 +
           (a[j - W - 1] + a[j - W + 1] + a[j + W - 1] + a[j + W + 1]) * 0.0625;
#elif KERNEL == 2
  T *restrict o = d[0];
  const T *restrict a = s[0];
  for (long j = 1; j <= N; j++) {
    T n = a[j - W - 1] + a[j - W] + a[j - W + 1] + a[j - 1] + a[j + 1] +
          a[j + W - 1] + a[j + W] + a[j + W + 1];
    o[j] = (n == 3) | ((n == 2) & (a[j] == 1));
  }
#elif KERNEL == 3
  T *restrict ho = d[0], *restrict uo = d[1], *restrict vo = d[2];
  const T *restrict h = s[0], *restrict u = s[1], *restrict v = s[2];
  for (long j = 1; j <= N; j++) {
    ho[j] = h[j] - 0.125 * (u[j + 1] - u[j - 1] + v[j + W] - v[j - W]);
    uo[j] = u[j] - 0.125 * (h[j + 1] - h[j - 1]);
    vo[j] = v[j] - 0.125 * (h[j + W] - h[j - W]);
  }
#else
  for (long i = 1; i <= N; i++) {
    T *restrict o = d[0] + i * W;
    const T *restrict a = s[0] + i * W;
    for (long j = 1; j <= N; j++)
      o[j] = a[j] + 0.125 * (a[j - ROW] + a[j + ROW] + a[j - W] + a[j + W] +
                             a[j - 1] + a[j + 1] - 6.0 * a[j]);
  }
#endif
}

static T *fields[2][FIELDS];

static void rowOf(int to, long i) {
  T *d[FIELDS], *s[FIELDS];
  for (int f = 0; f < FIELDS; f++) {
    d[f] = fields[to][f] + i * ROW;
    s[f] = fields[!to][f] + i * ROW;
  }
  row(d, s);
}

#ifdef FUSED
static void copyBack(T *from, T *to) {
#if KERNEL == 4
  for (long j = 1; j <= N; j++)
    memcpy(to + j * W + 1, from + j * W + 1, N * sizeof(T));
#else
  memcpy(to + 1, from + 1, N * sizeof(T));
#endif
}

static int steps(void) {
  static T *rows[2][FIELDS];
  for (int f = 0; f < FIELDS; f++)
    for (int k = 0; k < 2; k++)
      rows[k][f] = malloc(ROW * sizeof(T));
  for (int t = 0; t < STEPS; t++)
    for (long i = 1; i <= N + 1; i++) {
      T *s[FIELDS];
      for (int f = 0; f < FIELDS; f++)
        s[f] = fields[0][f] + i * ROW;
      if (i <= N)
        row(rows[i & 1], s);
      if (i > 1)
        for (int f = 0; f < FIELDS; f++)
          copyBack(rows[(i - 1) & 1][f], fields[0][f] + (i - 1) * ROW);
    }
  return 0;
}
#elif defined(TILED)
static int steps(void) {
  int to = 1;
  for (int t = 0; t < STEPS; t += TILED) {
    int k = STEPS - t < TILED ? STEPS - t : TILED;
    for (long i = 1; i < N + k; i++)
      for (int q = 0; q < k; q++)
        if (i - q >= 1 && i - q <= N)
          rowOf(to ^ (q & 1), i - q);
    to ^= k & 1;
  }
  return !to;
}
#else
static int steps(void) {
  int to = 1;
  for (int t = 0; t < STEPS; t++, to = !to)
    for (long i = 1; i <= N; i++)
      rowOf(to, i);
  return !to;
}
#endif

int main(void) {
  static const char *names[] = {"jacobi", "nine", "life", "shallow", "heat"};
  for (int f = 0; f < FIELDS; f++)
    for (int k = 0; k < 2; k++) {
      T *a = fields[k][f] = malloc(W * ROW * sizeof(T));
      for (long i = 0; i < W; i++)
        for (long j = 0; j < ROW; j++) {
          long y = KERNEL == 4 ? j / W : 0, x = j % W;
          a[i * ROW + j] = f            ? 0
                           : KERNEL == 2 ? (i * i + 3 * x + i * x) % 5 < 2
                                         : (i * 7 + y * 5 + x * 3) % 11;
        }
    }
  double start = now();
  int last = steps();
  double seconds = now() - start, sum = 0;
  for (int f = 0; f < FIELDS; f++)
    for (long i = 0; i < W * ROW; i++)
      sum += fields[last][f][i] * (1 + i % 3);
  printf("%s seconds %.6f result %.12g\n", names[KERNEL], seconds, sum);
}
