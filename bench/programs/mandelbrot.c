/* The peer of mandelbrot.z: -DN=... points per side, -DLIMIT=... most steps. */
#include "clock.h"

static int Steps[N][N];

int main(void) {
  double start = now();
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double re = -2.1 + 2.8 * j / (N - 1), im = -1.2 + 2.4 * i / (N - 1);
      double x = 0, y = 0;
      int steps = 0;
      while (steps < LIMIT && x * x + y * y <= 4) {
        double next = x * x - y * y + re;
        y = 2 * x * y + im;
        x = next;
        steps++;
      }
      Steps[i][j] = steps;
    }
  double seconds = now() - start;
  int sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += Steps[i][j];
  printf("mandelbrot seconds %.6f result %d\n", seconds, sum);
  return 0;
}
