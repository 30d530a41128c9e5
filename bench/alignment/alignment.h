/* The kernels of alignment.z as a C programmer writes them: loops over static
 * arrays, of the rows and columns that are given.
 *   -DN=...      letters of each sequence
 *   -DSWEEPS=... how often */
#include <stdio.h>

static int H[N + 1][N + 1], G1[N + 1][N + 1], G2[N + 1][N + 1];
static float F[N + 1][N + 1], F1[N + 1][N + 1], F2[N + 1][N + 1];
static double D[N + 1][N + 1], D1[N + 1][N + 1], D2[N + 1][N + 1];
static _Bool Keep[N + 1][N + 1];
static int S[N + 1], T[N + 1];

/* Rows lo to hi, columns from to to. */
typedef void Kernel(int lo, int hi, int from, int to);

static int letter(int k) {
  int x = (k * 1103 + 12345) % 32749;
  return x * x / 64 % 4;
}

static void start(int lo, int hi) {
  for (int k = 1; k <= N; k++) {
    S[k] = letter(k);
    T[k] = letter(k + N);
  }
  for (int i = lo; i <= hi; i++)
    for (int j = 0; j <= N; j++) {
      H[i][j] = F[i][j] = D[i][j] = 0;
      G1[i][j] = G2[i][j] = -1000;
      F1[i][j] = F2[i][j] = D1[i][j] = D2[i][j] = -1000;
      Keep[i][j] = letter(i + j) != 0;
    }
}

static double result(void) {
  double sum = 0;
  for (int j = 1; j <= N; j++)
    sum += H[N][j] + F[N][j] + D[N][j];
  return sum;
}

static inline int max(int a, int b) { return a > b ? a : b; }
static inline float maxf(float a, float b) { return a > b ? a : b; }
static inline double maxd(double a, double b) { return a > b ? a : b; }

#define EACH                                                                   \
  for (int i = lo; i <= hi; i++)                                               \
    for (int j = from; j <= to; j++)

static void sw(int lo, int hi, int from, int to) {
  EACH H[i][j] = max(max(0, H[i - 1][j - 1] + (S[i] == T[j] ? 2 : -1)),
                     max(H[i - 1][j], H[i][j - 1]) - 2);
}

static void sw_expression(int lo, int hi, int from, int to) {
  EACH H[i][j] = max(max(0, H[i - 1][j - 1] + 3 * (S[i] == T[j]) - 1),
                     max(H[i - 1][j], H[i][j - 1]) - 2);
}

static void sw_masked(int lo, int hi, int from, int to) {
  EACH if (Keep[i][j]) H[i][j] =
      max(max(0, H[i - 1][j - 1] + (S[i] == T[j] ? 2 : -1)),
          max(H[i - 1][j], H[i][j - 1]) - 2);
}

static void lcs(int lo, int hi, int from, int to) {
  EACH H[i][j] =
      S[i] == T[j] ? H[i - 1][j - 1] + 1 : max(H[i - 1][j], H[i][j - 1]);
}

static void lcs_expression(int lo, int hi, int from, int to) {
  EACH H[i][j] =
      max(max(H[i - 1][j], H[i][j - 1]), H[i - 1][j - 1] + (S[i] == T[j]));
}

static void nw(int lo, int hi, int from, int to) {
  EACH {
    G1[i][j] = max(G1[i][j - 1] - 1, H[i][j - 1] - 4);
    G2[i][j] = max(G2[i - 1][j] - 1, H[i - 1][j] - 4);
    H[i][j] =
        max(max(G1[i][j], G2[i][j]), H[i - 1][j - 1] + (S[i] == T[j] ? 2 : -1));
  }
}

static void nw_float(int lo, int hi, int from, int to) {
  EACH {
    F1[i][j] = maxf(F1[i][j - 1] - 1, F[i][j - 1] - 4);
    F2[i][j] = maxf(F2[i - 1][j] - 1, F[i - 1][j] - 4);
    F[i][j] = maxf(maxf(F1[i][j], F2[i][j]),
                   F[i - 1][j - 1] + (S[i] == T[j] ? 2 : -1));
  }
}

static void nw_double(int lo, int hi, int from, int to) {
  EACH {
    D1[i][j] = maxd(D1[i][j - 1] - 1, D[i][j - 1] - 4);
    D2[i][j] = maxd(D2[i - 1][j] - 1, D[i - 1][j] - 4);
    D[i][j] = maxd(maxd(D1[i][j], D2[i][j]),
                   D[i - 1][j - 1] + (S[i] == T[j] ? 2 : -1));
  }
}

/* With what a process gets of the row above: up to two arrays. */
static const struct {
  const char *name;
  Kernel *kernel;
  void *rows[2];
  int bytes;
} kernels[] = {
    {"sw", sw, {H}, 4},
    {"sw-expression", sw_expression, {H}, 4},
    {"sw-masked", sw_masked, {H}, 4},
    {"lcs", lcs, {H}, 4},
    {"lcs-expression", lcs_expression, {H}, 4},
    {"nw", nw, {H, G2}, 4},
    {"nw-float", nw_float, {F, F2}, 4},
    {"nw-double", nw_double, {D, D2}, 8},
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };
