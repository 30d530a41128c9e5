/* The peer of march.z: -DN=... points per side, -DLIMIT=... most steps. */
#include "lanes.h"

static double Depth[N][N];

static double distance(double x, double y, double z) {
  double ring = sqrt(x * x + z * z) - 1.0;
  double torus = sqrt(ring * ring + y * y) - 0.35;
  return torus < y + 0.8 ? torus : y + 0.8;
}

static double depth(double u, double v) {
  double t = 0, length = sqrt(u * u + v * v + 1.0);
  for (int i = 1; i <= LIMIT; i++) {
    double d = distance(t * u / length, 1.2 + t * (v - 0.45) / length,
                        -3.0 + t / length);
    if (d < 0.0001)
      return t;
    t += d;
    if (t > 20.0)
      return 20.0;
  }
  return t;
}

int main(void) {
  double start = now();
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      Depth[i - 1][j - 1] = depth((j - 0.5 * N) / N, (0.5 * N - i) / N);
  double seconds = now() - start;
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += Depth[i][j];
  printf("march seconds %.6f result %.6f\n", seconds, sum);
  return 0;
}
