/* The peer of pairs.z: one loop over all pairs, its sums in order, or in lanes
   (-DLANES, with -fopenmp-simd). */
#include <math.h>
#include <stdio.h>
#include "clock.h"
#ifndef N
#define N 3000
#endif
#ifndef STEPS
#define STEPS 4
#endif

static double xa[N], ya[N], u[N], v[N], xd[N], yd[N], m[N];

int main(void) {
  for (int i = 0; i < N; i++) {
    xa[i] = xd[i] = (i + 1) * 37 % 1009 / 100.0;
    ya[i] = yd[i] = (i + 1) * 73 % 997 / 100.0;
    m[i] = 1.0 + (i + 1) % 3;
  }
  double from = now();
  for (int k = 0; k < STEPS; k++) {
    for (int i = 0; i < N; i++) {
      double x = xa[i], y = ya[i], su = 0, sv = 0;
#ifdef LANES
#pragma omp simd reduction(+ : su, sv)
#endif
      for (int j = 0; j < N; j++) {
        double dx = xd[j] - x, dy = yd[j] - y;
        double f = dx * dx + dy * dy + 0.01;
        f = m[j] / (f * sqrt(f));
        su += f * dx;
        sv += f * dy;
      }
      u[i] += 0.01 * su;
      v[i] += 0.01 * sv;
    }
    for (int i = 0; i < N; i++) {
      xa[i] += 0.01 * u[i];
      ya[i] += 0.01 * v[i];
    }
  }
  double seconds = now() - from, sum = 0;
  for (int i = 0; i < N; i++)
    sum += xa[i] * xa[i] + ya[i] * ya[i];
  printf("pairs seconds %.6f result %.10f\n", seconds, sum);
}
