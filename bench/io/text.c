/* Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The peer of text output: n rows of n doubles, as a C programmer writes them.
 *
 *     text N FILE        prints the seconds from fopen to fclose
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  long n = atol(argv[1]);
  double *a = malloc(sizeof(double) * n * n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      a[i * n + j] = fma((i * 37 + j * 101) % 10007, 0.37, -1000);
  double start = now();
  FILE *f = fopen(argv[2], "w");
  if (!f)
    return 1;
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j)
      fprintf(f, "%9.4f ", a[i * n + j]);
    fputc('\n', f);
  }
  if (fclose(f) != 0)
    return 1;
  printf("write %.4f\n", now() - start);
  free(a);
  return 0;
}
