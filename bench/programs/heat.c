/* The peer of heat.z: -DN=... points per edge, -DSTEPS=...
 *   -DCOPY  copies the new values back; else two arrays exchange their parts */
#include "clock.h"
#include <string.h>

typedef double Plane[N + 2][N + 2];
static Plane first[N + 2], second[N + 2];

static void step(Plane *restrict New, Plane *restrict T, double k) {
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      for (int l = 1; l <= N; l++)
        New[i][j][l] =
            T[i][j][l] + k * (T[i - 1][j][l] + T[i + 1][j][l] + T[i][j - 1][l] +
                              T[i][j + 1][l] + T[i][j][l - 1] + T[i][j][l + 1] -
                              6 * T[i][j][l]);
}

#ifdef COPY
static void copy(Plane *restrict T, Plane *restrict New) {
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      for (int l = 1; l <= N; l++)
        T[i][j][l] = New[i][j][l];
}
#endif

int main(int argc, char **argv) {
  double k = argc > 1 ? atof(argv[1]) : 0.125;
  Plane *T = first, *New = second;
  for (int j = 1; j <= N; j++)
    for (int l = 1; l <= N; l++)
      T[0][j][l] = New[0][j][l] = 100;
  double start = now();
  for (int s = 0; s < STEPS; s++) {
    step(New, T, k);
#ifdef COPY
    copy(T, New);
#else
    Plane *other = T;
    T = New;
    New = other;
#endif
  }
  double seconds = now() - start, sum = 0;
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      for (int l = 1; l <= N; l++)
        sum += T[i][j][l];
  printf("heat seconds %.6f result %.9e\n", seconds, sum);
  return 0;
}
