/* Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The peer of binary input and output: n * n doubles in calls of 1 MiB.
 *
 *     binary N FILE      prints the seconds of writing and of reading
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { Piece = 1024 * 1024 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  long n = atol(argv[1]);
  size_t bytes = sizeof(double) * n * n;
  double *a = malloc(bytes);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      a[i * n + j] = fma((i * 37 + j * 101) % 10007, 0.37, -1000);
  char *all = (char *)a;
  double start = now();
  FILE *f = fopen(argv[2], "w");
  if (!f)
    return 1;
  for (size_t at = 0; at < bytes; at += Piece) {
    size_t piece = bytes - at < Piece ? bytes - at : Piece;
    if (fwrite(all + at, 1, piece, f) != piece)
      return 1;
  }
  if (fclose(f) != 0)
    return 1;
  double middle = now();
  f = fopen(argv[2], "r");
  if (!f)
    return 1;
  for (size_t at = 0; at < bytes; at += Piece) {
    size_t piece = bytes - at < Piece ? bytes - at : Piece;
    if (fread(all + at, 1, piece, f) != piece)
      return 1;
  }
  fclose(f);
  printf("write %.4f\nread %.4f\n", middle - start, now() - middle);
  free(a);
  return 0;
}
