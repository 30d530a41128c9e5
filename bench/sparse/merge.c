/*===- merge.c - The patterns of merge.z, merged in C -----------------------===
 *
 * Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Compressed sparse rows, columns sorted. Memory for the result is that of both,
 * given back behind the last column. SIDE and WAY as in merge.z.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = SIDE * SIDE, ROUNDS = 10 };

typedef struct {
  int *start, *column;
} Pattern;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Pattern allocate(long columns) {
  Pattern p = {malloc(sizeof(int) * (N + 1)),
               malloc(sizeof(int) * (size_t)columns)};
  p.start[0] = 0;
  return p;
}

static void release(Pattern p) {
  free(p.start);
  free(p.column);
}

__attribute__((noinline)) static Pattern unite(const Pattern *a,
                                               const Pattern *b) {
  Pattern r = allocate((long)a->start[N] + b->start[N]);
  int k = 0;
  for (int i = 0; i < N; ++i) {
    int p = a->start[i], pEnd = a->start[i + 1];
    int q = b->start[i], qEnd = b->start[i + 1];
    while (p < pEnd && q < qEnd) {
      int x = a->column[p], y = b->column[q];
      r.column[k++] = x < y ? x : y;
      p += x <= y;
      q += y <= x;
    }
    while (p < pEnd)
      r.column[k++] = a->column[p++];
    while (q < qEnd)
      r.column[k++] = b->column[q++];
    r.start[i + 1] = k;
  }
  r.column = realloc(r.column, sizeof(int) * (size_t)(k ? k : 1));
  return r;
}

__attribute__((noinline)) static Pattern intersect(const Pattern *a,
                                                   const Pattern *b) {
  long most = a->start[N] < b->start[N] ? a->start[N] : b->start[N];
  Pattern r = allocate(most);
  int k = 0;
  for (int i = 0; i < N; ++i) {
    int p = a->start[i], pEnd = a->start[i + 1];
    int q = b->start[i], qEnd = b->start[i + 1];
    while (p < pEnd && q < qEnd) {
      int x = a->column[p], y = b->column[q];
      if (x == y)
        r.column[k++] = x;
      p += x <= y;
      q += y <= x;
    }
    r.start[i + 1] = k;
  }
  r.column = realloc(r.column, sizeof(int) * (size_t)(k ? k : 1));
  return r;
}

static int compare(const void *x, const void *y) {
  return *(const int *)x - *(const int *)y;
}

static Pattern star(int side, int near) {
  Pattern p = allocate(5l * N);
  int k = 0, distance[] = {-side, -near, 0, near, side};
  for (int i = 1; i <= N; ++i) {
    for (int d = 0; d < 5; ++d)
      if (i + distance[d] >= 1 && i + distance[d] <= N)
        p.column[k++] = i + distance[d];
    p.start[i] = k;
  }
  return p;
}

static Pattern random5(long long *state) {
  Pattern p = allocate(5l * N);
  int k = 0;
  for (int i = 1; i <= N; ++i) {
    int first = k;
    for (int d = 0; d < 5; ++d) {
      *state = (*state * 1103515245 + 12345) % 2147483648;
      p.column[k++] = (int)(*state / 8 % N) + 1;
    }
    qsort(p.column + first, 5, sizeof(int), compare);
    k = first + 1;
    for (int d = first + 1; d < first + 5; ++d)
      if (p.column[d] != p.column[k - 1])
        p.column[k++] = p.column[d];
    p.start[i] = k;
  }
  return p;
}

static void run(const char *name, Pattern (*merge)(const Pattern *,
                                                   const Pattern *),
                const Pattern *a, const Pattern *b) {
  double seconds = 0;
  long sum = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    double start = now();
    Pattern r = merge(a, b);
    seconds += now() - start;
    for (int k = 0; round == 0 && k < r.start[N]; ++k)
      sum += r.column[k] % 8;
    release(r);
  }
  printf("%s seconds %.6f result %ld\n", name, seconds / ROUNDS, sum);
}

int main(void) {
  long long state = 1;
  Pattern a = WAY == 1 ? star(SIDE, 1) : random5(&state);
  Pattern b = WAY == 1 ? star(SIDE - 1, 2) : random5(&state);
  run("union", unite, &a, &b);
  run("intersection", intersect, &a, &b);
}
