/* The peer of examples/irregular/sieve.z: -DN=... the greatest number. */
#include "random.h"

#ifndef N
#define N 64000
#endif

int main(void) {
  char *prime = zeros((size_t)N + 1, 1);
  for (int64_t k = 2; k <= N; k++)
    prime[k] = 1;
  for (int64_t p = 2; p <= N / p; p++)
    if (prime[p])
      for (int64_t k = p * p; k <= N; k += p)
        prime[k] = 0;
  int count = 0, last = 0, twins = 0;
  for (int64_t k = 2; k <= N; k++)
    if (prime[k]) {
      count++;
      last = (int)k;
      twins += k <= N - 2 && prime[k + 2];
    }
  printf("%d primes up to %d\nthe last is %d\n%d pairs of twins\n", count, N,
         last, twins);
  return 0;
}
