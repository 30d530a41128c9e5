/* The peer of julia.z: -DN=... points per side, -DLIMIT=... most steps; -DLANES: on
   vectors of eight points. */
#include "lanes.h"

static int Steps[N][N];

#ifdef LANES
static void row(int i) {
  double start[W];
  for (int j = 0; j < N; j += W) {
    for (int l = 0; l < W; l++)
      start[l] = -1.6 + 3.2 * (j + l) / N;
    doubles a, b = all(-1.2 + 2.4 * i / N);
    memcpy(&a, start, sizeof a);
    longs steps = {0}, live = a * a + b * b <= 4.0;
    for (int k = 0; k < LIMIT && any(live); k++) {
      doubles next = a * a - b * b - 0.8;
      b = 2.0 * a * b + 0.156;
      a = next;
      steps -= live;
      live &= a * a + b * b <= 4.0;
    }
    for (int l = 0; l < W && j + l < N; l++)
      Steps[i][j + l] = steps[l];
  }
}
#else
static int stepsFrom(double a, double b) {
  int steps = 0;
  while (steps < LIMIT && a * a + b * b <= 4.0) {
    double next = a * a - b * b - 0.8;
    b = 2.0 * a * b + 0.156;
    a = next;
    steps++;
  }
  return steps;
}

static void row(int i) {
  for (int j = 0; j < N; j++)
    Steps[i][j] = stepsFrom(-1.6 + 3.2 * j / N, -1.2 + 2.4 * i / N);
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
  printf("julia seconds %.6f result %d\n", seconds, sum);
  return 0;
}
