/* Steps of several sweeps as a C programmer writes them, one loop nest after the
 * other.
 *   -DN=... -DSTEPS=...   indices per side, how many steps
 *   -DKERNEL=0..5         staggered, curls (the same), redblack, chain,
 *                         borders, euler
 * Prints the kernel's name, the seconds of the steps and a sum. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define W ((long)N + 2)
#define AT(a, i, j) a[(i) * W + (j)]
#define EACH(i0, i1, j0, j1)                                                   \
  for (long i = (i0); i <= (i1); i++)                                          \
    for (long j = (j0); j <= (j1); j++)

static double *array(void) { return calloc(W * W, sizeof(double)); }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double start;

#define START(a)                                                               \
  EACH(0, N + 1, 0, N + 1) AT(a, i, j) = 1.0 / (1.0 + i + 2.0 * j)

#if KERNEL < 2
static double *steps(void) {
  double *restrict hx = array(), *restrict hy = array(), *restrict ez = array();
  START(ez);
  start = now();
  for (int t = 1; t <= STEPS; t++) {
    EACH(1, N, 0, N) AT(hx, i, j) -= 0.5 * (AT(ez, i, j + 1) - AT(ez, i, j));
    EACH(0, N, 1, N) AT(hy, i, j) += 0.5 * (AT(ez, i + 1, j) - AT(ez, i, j));
    EACH(1, N, 1, N)
    AT(ez, i, j) += 0.5 * (AT(hy, i, j) - AT(hy, i - 1, j) - AT(hx, i, j) +
                           AT(hx, i, j - 1));
  }
  return ez;
}
#elif KERNEL == 2
static double *steps(void) {
  double *u = array(), *f = array();
  START(u);
  EACH(0, N + 1, 0, N + 1) AT(f, i, j) = 0.001;
  start = now();
  for (int t = 1; t <= STEPS; t++)
    for (int colour = 0; colour < 2; colour++)
      for (long i = 1; i <= N; i++)
        for (long j = 1 + (i + 1 + colour) % 2; j <= N; j += 2)
          AT(u, i, j) = 0.25 * (AT(u, i - 1, j) + AT(u, i + 1, j) +
                                AT(u, i, j + 1) + AT(u, i, j - 1) - AT(f, i, j));
  return u;
}
#elif KERNEL == 3
static double *steps(void) {
  double *restrict a = array(), *restrict l = array();
  START(a);
  start = now();
  for (int t = 1; t <= STEPS; t++) {
    EACH(1, N, 1, N)
    AT(l, i, j) = AT(a, i - 1, j) + AT(a, i + 1, j) + AT(a, i, j + 1) +
                  AT(a, i, j - 1) - 4.0 * AT(a, i, j);
    EACH(2, N - 1, 2, N - 1)
    AT(a, i, j) -= 0.01 * (AT(l, i - 1, j) + AT(l, i + 1, j) + AT(l, i, j + 1) +
                           AT(l, i, j - 1) - 4.0 * AT(l, i, j));
  }
  return a;
}
#elif KERNEL == 4
static double *steps(void) {
  double *restrict a = array(), *restrict b = array();
  START(a);
  start = now();
  for (int t = 1; t <= STEPS; t++) {
    EACH(1, N, 1, N)
    AT(b, i, j) = 0.25 * (AT(a, i - 1, j) + AT(a, i + 1, j) + AT(a, i, j + 1) +
                          AT(a, i, j - 1));
    for (long k = 1; k <= N; k++) {
      AT(b, 0, k) = 1.0 / t;
      AT(b, N + 1, k) = AT(b, N, k);
      AT(b, k, 0) = AT(b, k, 1);
      AT(b, k, N + 1) = AT(b, k, N);
    }
    AT(b, 0, 0) = AT(a, 0, 0), AT(b, 0, N + 1) = AT(a, 0, N + 1);
    AT(b, N + 1, 0) = AT(a, N + 1, 0), AT(b, N + 1, N + 1) = AT(a, N + 1, N + 1);
    double *x = a;
    a = b, b = x;
  }
  return a;
}
#else
static double *steps(void) {
  double *restrict r = array(), *restrict u = array(), *restrict v = array(),
         *restrict e = array(), *restrict p = array();
  double *restrict fr = array(), *restrict fu = array(), *restrict fv = array(),
         *restrict fe = array(), *restrict gr = array(), *restrict gu = array(),
         *restrict gv = array(), *restrict ge = array();
  const double g = 1.4, lambda = 0.1, speed = 2.0;
  EACH(0, N + 1, 0, N + 1) {
    AT(r, i, j) = 1.0 + 0.5 / (1.0 + i + j);
    AT(u, i, j) = 0.1, AT(v, i, j) = 0.2, AT(e, i, j) = 2.5;
  }
  start = now();
  for (int t = 1; t <= STEPS; t++) {
    EACH(0, N + 1, 0, N + 1)
    AT(p, i, j) = (g - 1.0) * (AT(e, i, j) - 0.5 *
                                                 (AT(u, i, j) * AT(u, i, j) +
                                                  AT(v, i, j) * AT(v, i, j)) /
                                                 AT(r, i, j));
    EACH(1, N, 0, N) {
      double r0 = AT(r, i, j), u0 = AT(u, i, j), v0 = AT(v, i, j),
             e0 = AT(e, i, j), p0 = AT(p, i, j), r1 = AT(r, i, j + 1),
             u1 = AT(u, i, j + 1), v1 = AT(v, i, j + 1), e1 = AT(e, i, j + 1),
             p1 = AT(p, i, j + 1);
      AT(fr, i, j) = 0.5 * (u0 + u1) - speed * (r1 - r0);
      AT(fu, i, j) =
          0.5 * (u0 * u0 / r0 + p0 + u1 * u1 / r1 + p1) - speed * (u1 - u0);
      AT(fv, i, j) = 0.5 * (u0 * v0 / r0 + u1 * v1 / r1) - speed * (v1 - v0);
      AT(fe, i, j) = 0.5 * ((e0 + p0) * u0 / r0 + (e1 + p1) * u1 / r1) -
                     speed * (e1 - e0);
    }
    EACH(0, N, 1, N) {
      double r0 = AT(r, i, j), u0 = AT(u, i, j), v0 = AT(v, i, j),
             e0 = AT(e, i, j), p0 = AT(p, i, j), r1 = AT(r, i + 1, j),
             u1 = AT(u, i + 1, j), v1 = AT(v, i + 1, j), e1 = AT(e, i + 1, j),
             p1 = AT(p, i + 1, j);
      AT(gr, i, j) = 0.5 * (v0 + v1) - speed * (r1 - r0);
      AT(gu, i, j) = 0.5 * (v0 * u0 / r0 + v1 * u1 / r1) - speed * (u1 - u0);
      AT(gv, i, j) =
          0.5 * (v0 * v0 / r0 + p0 + v1 * v1 / r1 + p1) - speed * (v1 - v0);
      AT(ge, i, j) = 0.5 * ((e0 + p0) * v0 / r0 + (e1 + p1) * v1 / r1) -
                     speed * (e1 - e0);
    }
    EACH(1, N, 1, N) {
      AT(r, i, j) -= lambda * (AT(fr, i, j) - AT(fr, i, j - 1) + AT(gr, i, j) -
                               AT(gr, i - 1, j));
      AT(u, i, j) -= lambda * (AT(fu, i, j) - AT(fu, i, j - 1) + AT(gu, i, j) -
                               AT(gu, i - 1, j));
      AT(v, i, j) -= lambda * (AT(fv, i, j) - AT(fv, i, j - 1) + AT(gv, i, j) -
                               AT(gv, i - 1, j));
      AT(e, i, j) -= lambda * (AT(fe, i, j) - AT(fe, i, j - 1) + AT(ge, i, j) -
                               AT(ge, i - 1, j));
    }
  }
  EACH(0, N + 1, 0, N + 1) AT(r, i, j) = AT(r, i, j) * AT(r, i, j) + AT(e, i, j);
  return r;
}
#endif

int main(void) {
  static const char *names[] = {"staggered", "curls",   "redblack",
                                "chain",     "borders", "euler"};
  double *result = steps();
  double seconds = now() - start, sum = 0;
  for (long k = 0; k < W * W; k++)
    sum += KERNEL == 5 ? result[k] : result[k] * result[k];
  printf("%s seconds %.6f result %.12g\n", names[KERNEL], seconds, sum);
}
