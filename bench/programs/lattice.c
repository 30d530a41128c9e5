/* The peer of lattice.z: -DN=... points per side, -DSTEPS=.... One sweep from one
 * set of arrays to another, which exchange their parts. -DSWEEPS: the statements of
 * the text, one sweep each. -DINNER: points at the border, whose neighbours are on
 * the other side, are apart from the others. */
#include "clock.h"
#include <math.h>

typedef double Field[N][N];
static Field first[9], second[9];

static const int di[9] = {0, 0, -1, 0, 1, -1, -1, 1, 1};
static const int dj[9] = {0, -1, 0, 1, 0, -1, 1, 1, -1};
static const double ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const double ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double w[9] = {4 / 9., 1 / 9., 1 / 9., 1 / 9., 1 / 9.,
                            1 / 36., 1 / 36., 1 / 36., 1 / 36.};
static const double tau = 0.8;

static inline int around(int i) { return i < 0 ? N - 1 : i == N ? 0 : i; }

#ifdef SWEEPS
static Field Rho, U, V, Squared;

static void step(Field *restrict G, Field *restrict F) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      Rho[i][j] = U[i][j] = V[i][j] = 0;
  for (int k = 0; k < 9; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double g = F[k][around(i + di[k])][around(j + dj[k])];
        G[k][i][j] = g;
        Rho[i][j] += g;
        U[i][j] += ex[k] * g;
        V[i][j] += ey[k] * g;
      }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      U[i][j] /= Rho[i][j];
      V[i][j] /= Rho[i][j];
      Squared[i][j] = 1.5 * (U[i][j] * U[i][j] + V[i][j] * V[i][j]);
    }
  for (int k = 0; k < 9; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double along = 3 * (ex[k] * U[i][j] + ey[k] * V[i][j]), g = G[k][i][j];
        F[k][i][j] = g - (g - w[k] * Rho[i][j] *
                                  (1 + along + 0.5 * along * along - Squared[i][j])) /
                             tau;
      }
}
#else
static inline __attribute__((always_inline)) void
point(Field *restrict G, Field *restrict F, int i, int j, int inner) {
  double g[9], rho = 0, u = 0, v = 0;
  for (int k = 0; k < 9; k++) {
    int x = i + di[k], y = j + dj[k];
    g[k] = inner ? F[k][x][y] : F[k][around(x)][around(y)];
    rho += g[k];
    u += ex[k] * g[k];
    v += ey[k] * g[k];
  }
  u /= rho;
  v /= rho;
  double squared = 1.5 * (u * u + v * v);
  for (int k = 0; k < 9; k++) {
    double along = 3 * (ex[k] * u + ey[k] * v);
    G[k][i][j] =
        g[k] - (g[k] - w[k] * rho * (1 + along + 0.5 * along * along - squared)) / tau;
  }
}

static void step(Field *restrict G, Field *restrict F) {
#ifdef INNER
  for (int j = 0; j < N; j++)
    point(G, F, 0, j, 0);
  for (int i = 1; i < N - 1; i++) {
    point(G, F, i, 0, 0);
    for (int j = 1; j < N - 1; j++)
      point(G, F, i, j, 1);
    point(G, F, i, N - 1, 0);
  }
  for (int j = 0; j < N; j++)
    point(G, F, N - 1, j, 0);
#else
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      point(G, F, i, j, 0);
#endif
}
#endif

int main(void) {
  Field *F = first, *G = second;
  for (int k = 0; k < 9; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        F[k][i][j] = w[k] * (1 + 0.01 * sin(0.1 * (i + 1)) * cos(0.05 * (j + 1)));
  double start = now();
  for (int t = 0; t < STEPS; t++) {
    step(G, F);
#ifndef SWEEPS
    Field *other = F;
    F = G;
    G = other;
#endif
  }
  double seconds = now() - start, result = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      result += F[1][i][j] * F[1][i][j] + F[5][i][j];
  printf("lattice seconds %.6f result %.12e\n", seconds, result);
  return 0;
}
