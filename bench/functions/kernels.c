/* The peer of kernels.z: -DSIZE=... elements, -DSTEPS=... */
#include <math.h>
#include "../programs/clock.h"

static double X[SIZE], P[SIZE], Y[SIZE], S[SIZE], K[SIZE], T[SIZE];
static const double Rate = 0.02, Volatility = 0.30;

static double step(int i) { return 1 + i * 1e-7; }

static void done(const char *name, double start) {
  double seconds = now() - start, sum = 0;
  for (int k = 0; k < SIZE; k++)
    sum += Y[k];
  printf("%s seconds %.6f result %.12g\n", name, seconds, sum);
}

#define TIMED(name, value)                                                     \
  {                                                                            \
    double start = now();                                                      \
    for (int i = 1; i <= STEPS; i++) {                                         \
      double c = step(i);                                                      \
      for (int k = 0; k < SIZE; k++)                                           \
        Y[k] = value;                                                          \
    }                                                                          \
    done(name, start);                                                         \
  }

static inline double cumulative(double d) {
  double k = 1 / (1 + 0.2316419 * fabs(d));
  double tail =
      0.39894228040143267794 * exp(-0.5 * d * d) *
      (k * (0.31938153 +
            k * (-0.356563782 +
                 k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
  return d >= 0 ? 1 - tail : tail;
}

static inline double price(double s, double k, double t, double rate) {
  double root = Volatility * sqrt(t);
  double d1 = (log(s / k) + (rate + 0.5 * Volatility * Volatility) * t) / root;
  double d2 = d1 - root;
  return s * cumulative(d1) - k * exp(-rate * t) * cumulative(d2);
}

int main(void) {
  for (int k = 0; k < SIZE; k++) {
    X[k] = -10 + 20.0 * k / SIZE;
    P[k] = 0.01 + 10.0 * k / SIZE;
    S[k] = 5 + 25.0 * k / SIZE;
    K[k] = 1 + 99.0 * ((7 * (k + 1)) % SIZE) / SIZE;
    T[k] = 0.25 + 9.75 * ((11 * (k + 1)) % SIZE) / SIZE;
  }
  TIMED("exp", exp(c * X[k]))
  TIMED("sin", sin(c * X[k]))
  TIMED("log", log(c * P[k]))
  TIMED("pow", pow(P[k], 1.5 * c))
  TIMED("black-scholes", price(S[k], K[k], T[k], c * Rate))
  return 0;
}
