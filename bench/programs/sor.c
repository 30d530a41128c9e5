/* The peer of sor.z: -DN=... points per side, -DSWEEPS=... */
#include "clock.h"

static double A[N + 2][N + 2];

static void relax(double omega, int colour) {
  for (int i = 1; i <= N; i++)
    for (int j = 1 + (i + 1 + colour) % 2; j <= N; j += 2)
      A[i][j] +=
          omega * ((A[i - 1][j] + A[i + 1][j] + A[i][j + 1] + A[i][j - 1]) / 4 -
                   A[i][j]);
}

int main(int argc, char **argv) {
  double omega = argc > 1 ? atof(argv[1]) : 1.45;
  for (int j = 1; j <= N; j++)
    A[N + 1][j] = 1;
  double start = now();
  for (int t = 0; t < SWEEPS; t++) {
    relax(omega, 0);
    relax(omega, 1);
  }
  double seconds = now() - start, sum = 0;
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      sum += A[i][j];
  printf("sor seconds %.6f result %.9e\n", seconds, sum);
  return 0;
}
