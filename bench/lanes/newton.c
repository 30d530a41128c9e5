/* The peer of newton.z: -DN=... points per side, -DLIMIT=... most steps; -DLANES: on
   vectors of eight points. */
#include "lanes.h"

static int Steps[N][N];

#ifdef LANES
static void row(int i) {
  double start[W];
  for (int j = 0; j < N; j += W) {
    for (int l = 0; l < W; l++)
      start[l] = -1.5 + 3.0 * (j + l) / N + 0.0001;
    doubles x, y;
    memcpy(&x, start, sizeof x);
    y = all(-1.5 + 3.0 * i / N + 0.0001);
    longs steps = {0}, live = steps == 0;
    for (int k = 0; k < LIMIT && any(live); k++) {
      doubles a = x * x - y * y, b = 2.0 * x * y;
      doubles d = 1.0 / (3.0 * (a * a + b * b));
      doubles next = 2.0 * x / 3.0 + a * d;
      y = choose(live, 2.0 * y / 3.0 - b * d, y);
      doubles residue = (next - x) * (next - x);
      x = choose(live, next, x);
      steps -= live;
      live &= residue > 1e-12;
    }
    for (int l = 0; l < W && j + l < N; l++)
      Steps[i][j + l] = steps[l];
  }
}
#else
static void row(int i) {
  for (int j = 0; j < N; j++) {
    double x = -1.5 + 3.0 * j / N + 0.0001, y = -1.5 + 3.0 * i / N + 0.0001;
    double residue = 1;
    int steps = 0;
    while (steps < LIMIT && residue > 1e-12) {
      double a = x * x - y * y, b = 2.0 * x * y;
      double d = 1.0 / (3.0 * (a * a + b * b));
      double next = 2.0 * x / 3.0 + a * d;
      y = 2.0 * y / 3.0 - b * d;
      residue = (next - x) * (next - x);
      x = next;
      steps++;
    }
    Steps[i][j] = steps;
  }
}
#endif

int main(void) {
  double start = now();
  for (int i = 0; i < N; i++)
    row(i);
  double seconds = now() - start;
  int sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += Steps[i][j];
  printf("newton seconds %.6f result %d\n", seconds, sum);
  return 0;
}
