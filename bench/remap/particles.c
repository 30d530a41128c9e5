/* The peer of particles.z: -DCOUNT=... particles, -DPOINTS=... -DSTEPS=...
 *   -DSTORED  cells and parts are stored by the first loop for the second */
#include "../programs/clock.h"
#include "mesh.h"
#include <math.h>

static double x[COUNT], v[COUNT], charge[POINTS], field[POINTS];
#ifdef STORED
static int cell[COUNT];
static double right[COUNT];
#endif

static void deposit(void) {
  for (int j = 0; j < POINTS; j++)
    charge[j] = -(double)COUNT / POINTS;
  for (int i = 0; i < COUNT; i++) {
    int c = (int)x[i];
    double r = x[i] - c;
    charge[c] += 1 - r;
    charge[c + 1 < POINTS ? c + 1 : 0] += r;
#ifdef STORED
    cell[i] = c;
    right[i] = r;
#endif
  }
}

static void solve(void) {
  double sum = 0, mean = 0;
  for (int j = 0; j < POINTS; j++) {
    sum += charge[j];
    field[j] = sum;
    mean += sum;
  }
  mean /= POINTS;
  for (int j = 0; j < POINTS; j++)
    field[j] -= mean;
}

static void move(double dt) {
  for (int i = 0; i < COUNT; i++) {
#ifdef STORED
    int c = cell[i];
    double r = right[i];
#else
    int c = (int)x[i];
    double r = x[i] - c;
#endif
    v[i] += dt / COUNT *
            ((1 - r) * field[c] + r * field[c + 1 < POINTS ? c + 1 : 0]);
    x[i] += dt * v[i];
    x[i] -= POINTS * floor(x[i] / POINTS);
  }
}

int main(int argc, char **argv) {
  double dt = argc > 1 ? atof(argv[1]) : 0.1, begin = 0, sum = 0;
  for (int i = 0; i < COUNT; i++) {
    x[i] = (shuffled(i, COUNT, bits_of(COUNT)) + 0.5) * POINTS / COUNT;
    v[i] = sin(2 * M_PI * x[i] / POINTS);
  }
  for (int k = 0; k <= STEPS; k++) {
    if (k == 1)
      begin = now();
    deposit();
    solve();
    move(dt);
  }
  double seconds = now() - begin;
  for (int i = 0; i < COUNT; i++)
    sum += v[i] * v[i];
  printf("particles seconds %.6f result %.12e\n", seconds, sum);
  return 0;
}
