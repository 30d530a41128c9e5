/* The peer of collatz.z: -DN=... numbers; -DLANES: on vectors of eight numbers. */
#include "lanes.h"

static int Steps[N + W];

#ifdef LANES
static void all_steps(void) {
  for (int i = 0; i < N; i += W) {
    longs m, steps = {0};
    for (int l = 0; l < W; l++)
      m[l] = i + l + 1;
    longs live = m != 1;
    while (any(live)) {
      longs isOdd = -(m & 1);
      longs next = ((3 * m + 1) & isOdd) | ((m >> 1) & ~isOdd);
      m = (next & live) | (m & ~live);
      steps -= live;
      live &= m != 1;
    }
    for (int l = 0; l < W; l++)
      Steps[i + l] = steps[l];
  }
}
#else
static void all_steps(void) {
  for (int i = 0; i < N; i++) {
    long m = i + 1;
    int steps = 0;
    while (m != 1) {
      m = m % 2 == 0 ? m / 2 : 3 * m + 1;
      steps++;
    }
    Steps[i] = steps;
  }
}
#endif

int main(void) {
  double start = now();
  all_steps();
  double seconds = now() - start;
  int sum = 0;
  for (int i = 0; i < N; i++)
    sum += Steps[i];
  printf("collatz seconds %.6f result %d\n", seconds, sum);
  return 0;
}
