/* The peer of examples/irregular/shallow.z: -DM=... -DN=... points, -DSTEPS=... Rows and
 * columns beside the grid stand for those of the other side. */
#include "random.h"

#ifndef M
#define M 64
#define N 64
#define STEPS 100
#endif

static const double dt = 90.0, dx = 1e5, dy = 1e5, a = 1e6, alpha = 0.001;

typedef double Row[N + 2];
static Row P[M + 2], U[M + 2], V[M + 2], POld[M + 2], UOld[M + 2], VOld[M + 2];
static Row PNew[M + 2], UNew[M + 2], VNew[M + 2], CU[M + 2], CV[M + 2],
    Z[M + 2];
static Row H[M + 2], Psi[M + 2];

#define GRID                                                                   \
  for (int i = 1; i <= M; i++)                                                 \
    for (int j = 1; j <= N; j++)

static void wrap(Row *A) {
  for (int i = 1; i <= M; i++) {
    A[i][0] = A[i][N];
    A[i][N + 1] = A[i][1];
  }
  for (int j = 0; j <= N + 1; j++) {
    A[0][j] = A[M][j];
    A[M + 1][j] = A[1][j];
  }
}

static void start(void) {
  double di = 2.0 * M_PI / M, dj = 2.0 * M_PI / N;
  double pcf = (M_PI * a / (N * dx)) * (M_PI * a / (N * dx));
  GRID {
    Psi[i][j] = a * sin((i - 0.5) * di) * sin((j - 0.5) * dj);
    P[i][j] =
        pcf * (cos(2.0 * (i - 1) * di) + cos(2.0 * (j - 1) * dj)) + 50000.0;
  }
  wrap(Psi);
  GRID {
    U[i][j] = (Psi[i][j] - Psi[i][j + 1]) / dy;
    V[i][j] = (Psi[i + 1][j] - Psi[i][j]) / dx;
    POld[i][j] = P[i][j];
    UOld[i][j] = U[i][j];
    VOld[i][j] = V[i][j];
  }
}

static void leap(double t) {
  wrap(P);
  wrap(U);
  wrap(V);
  GRID {
    CU[i][j] = 0.5 * (P[i][j] + P[i - 1][j]) * U[i][j];
    CV[i][j] = 0.5 * (P[i][j] + P[i][j - 1]) * V[i][j];
    Z[i][j] = (4.0 / dx * (V[i][j] - V[i - 1][j]) -
               4.0 / dy * (U[i][j] - U[i][j - 1])) /
              (P[i - 1][j - 1] + P[i][j - 1] + P[i][j] + P[i - 1][j]);
    H[i][j] = P[i][j] + 0.25 * (U[i + 1][j] * U[i + 1][j] + U[i][j] * U[i][j] +
                                V[i][j + 1] * V[i][j + 1] + V[i][j] * V[i][j]);
  }
  wrap(CU);
  wrap(CV);
  wrap(Z);
  wrap(H);
  GRID {
    UNew[i][j] =
        UOld[i][j] +
        t / 8.0 * (Z[i][j + 1] + Z[i][j]) *
            (CV[i][j + 1] + CV[i - 1][j + 1] + CV[i - 1][j] + CV[i][j]) -
        t / dx * (H[i][j] - H[i - 1][j]);
    VNew[i][j] =
        VOld[i][j] -
        t / 8.0 * (Z[i + 1][j] + Z[i][j]) *
            (CU[i + 1][j] + CU[i][j] + CU[i][j - 1] + CU[i + 1][j - 1]) -
        t / dy * (H[i][j] - H[i][j - 1]);
    PNew[i][j] = POld[i][j] - t / dx * (CU[i + 1][j] - CU[i][j]) -
                 t / dy * (CV[i][j + 1] - CV[i][j]);
  }
}

static void next(Row *Old, Row *Now, Row *New, int smooth) {
  GRID {
    Old[i][j] =
        Now[i][j] +
        (smooth ? alpha * (New[i][j] - 2.0 * Now[i][j] + Old[i][j]) : 0.0);
    Now[i][j] = New[i][j];
  }
}

static void show(int step) {
  double least = 1e300, most = 0.0, u = 0.0, v = 0.0, sum = 0.0;
  GRID {
    least = fmin(least, P[i][j]);
    most = fmax(most, P[i][j]);
    u = fmax(u, U[i][j]);
    v = fmax(v, V[i][j]);
    sum += P[i][j];
  }
  printf("%5d%14.6f%14.6f%12.9f%12.9f%14.5f\n", step, least, most, u, v,
         sum / (M * N));
}

int main(void) {
  puts(" step pressure from            to  greatest U  greatest V mean "
       "pressure");
  start();
  show(0);
  for (int step = 1; step <= STEPS; step++) {
    leap(step == 1 ? dt : 2.0 * dt);
    next(POld, P, PNew, step > 1);
    next(UOld, U, UNew, step > 1);
    next(VOld, V, VNew, step > 1);
  }
  show(STEPS);
  return 0;
}
