/* The peer of examples/irregular/uneven.z: -DN=... points per side, -DLIMIT=... steps. */
#include "random.h"

#ifndef N
#define N 96
#define LIMIT 200
#endif
#define COARSE 4
#define PARTS 6

static int64_t work[N], weight[N];
static int points, cut[PARTS + 1];

static int iterate(int i, int j) {
  double c_re = -2.1 + 2.8 * j / (N - 1), c_im = -0.2 + 1.4 * i / (N - 1);
  double x = 0.0, y = 0.0;
  int steps = 0;
  while (steps < LIMIT && x * x + y * y <= 4.0) {
    double next = x * x - y * y + c_re;
    y = 2.0 * x * y + c_im;
    x = next;
    steps++;
  }
  return steps;
}

static int64_t sum(const int64_t *rows, int from, int to) {
  int64_t s = 0;
  for (int i = from; i < to; i++)
    s += rows[i];
  return s;
}

static void show(const char *what) {
  int64_t greatest = 0;
  for (int q = 0; q < PARTS; q++) {
    int64_t part = sum(work, cut[q], cut[q + 1]);
    greatest = part > greatest ? part : greatest;
  }
  printf("%-14s%.3f, rows to", what, 1.0 * greatest * PARTS / sum(work, 0, N));
  for (int q = 0; q <= PARTS; q++)
    printf(" %d", cut[q]);
  printf("\n");
}

int main(void) {
  for (int i = 0; i < N; i += COARSE)
    for (int j = 0; j < N; j += COARSE)
      weight[i] += iterate(i, j);
  for (int i = 0; i < N; i++)
    weight[i] = weight[i / COARSE * COARSE];

  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int steps = iterate(i, j);
      work[i] += steps;
      points += steps == LIMIT;
    }
  printf("%d points are in the set, %.3f steps per point\n", points,
         (double)sum(work, 0, N) / N / N);

  for (int q = 0; q <= PARTS; q++)
    cut[q] = q * N / PARTS;
  show("equal rows");
  int64_t all = sum(weight, 0, N), before = 0;
  for (int q = 0, i = 0; q <= PARTS; q++) {
    for (; i < N && (before + weight[i]) * PARTS <= q * all; i++)
      before += weight[i];
    cut[q] = i;
  }
  show("equal weights");
  return 0;
}
