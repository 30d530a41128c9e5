/* The peers of sparse.z: -DN=... rows, -DREACH=... -DROUNDS=...
 *   -DSLICES  the first elements of all rows, the second ones ...; else row by row
 *   -DMPI     in C and MPI, with a saved schedule */
#include "mesh.h"
#include <stdio.h>
#ifdef MPI
#include "schedule.h"
#define START MPI_Init(&argc, &argv)
#else
#include "../programs/clock.h"
#define together now
#define START
#endif

enum { WIDTH = 8 };

static int column(long i, long j) {
  unsigned x = (unsigned)(i * WIDTH + j) * 2654435761u;
  x = (x ^ x >> 15) * 2246822507u;
  return (int)((i + (x ^ x >> 13) % (2 * REACH + 1) - REACH + N) % N);
}

/* Where the j-th element of row i is kept. */
static long at(long i, int j, long rows) {
#ifdef SLICES
  return j * rows + i;
#else
  (void)rows;
  return i * WIDTH + j;
#endif
}

__attribute__((noinline)) static void
coo(double *restrict y, const double *restrict x, const double *restrict value,
    const int *restrict row, const int *restrict column, long rows) {
  for (long i = 0; i < rows; i++)
    y[i] = 0;
  for (long e = 0; e < rows * WIDTH; e++)
    y[row[e]] += value[e] * x[column[e]];
}

__attribute__((noinline)) static void
ell(double *restrict y, const double *restrict x, const double *restrict value,
    const int *restrict column, long rows) {
#ifdef SLICES
  for (long i = 0; i < rows; i++)
    y[i] = 0;
  for (int j = 0; j < WIDTH; j++)
    for (long i = 0; i < rows; i++)
      y[i] += value[j * rows + i] * x[column[j * rows + i]];
#else
  for (long i = 0; i < rows; i++) {
    double sum = 0;
    for (int j = 0; j < WIDTH; j++)
      sum += value[i * WIDTH + j] * x[column[i * WIDTH + j]];
    y[i] = sum;
  }
#endif
}

static long low, rows;
static double *x, *y, *value;
static int *row, *columns;
#ifdef MPI
static Schedule schedule;
#endif

static void start(int rowwise) {
  for (long i = 0; i < rows; i++)
    for (int j = 0; j < WIDTH; j++) {
      long e = rowwise ? i * WIDTH + j : at(i, j, rows);
      row[e] = (int)i;
      columns[e] = column(low + i, j);
      value[e] = (low + i + 3 * j) % 16;
    }
#ifdef MPI
  schedule = inspect(N, columns, rows * WIDTH);
  x = calloc(rows + schedule.ghosts, sizeof *x);
#else
  x = calloc(rows, sizeof *x);
#endif
  for (long i = 0; i < rows; i++)
    x[i] = (low + i) % 16;
}

static void measure(const char *name, int rowwise) {
  double begin = 0, sum = 0;
  start(rowwise);
  for (int k = 0; k <= ROUNDS; k++) {
    if (k == 1)
      begin = together();
#ifdef MPI
    fetch(&schedule, x);
#endif
    if (rowwise)
      coo(y, x, value, row, columns, rows);
    else
      ell(y, x, value, columns, rows);
    if (k >= low && k < low + rows)
      x[k - low] += 1;
  }
  double seconds = together() - begin;
  for (long i = 0; i < rows; i++)
    sum += y[i] * ((low + i) % 8);
#ifdef MPI
  sum = total(sum);
  if (schedule.rank != 0)
    return;
#endif
  printf("%s seconds %.6f result %.17g\n", name, seconds, sum);
}

int main(int argc, char **argv) {
  START;
  (void)argc, (void)argv;
#ifdef MPI
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  low = block_low(N, rank, size);
  rows = block_low(N, rank + 1, size) - low;
#else
  rows = N;
#endif
  y = calloc(rows, sizeof *y);
  value = malloc(rows * WIDTH * sizeof *value);
  row = malloc(rows * WIDTH * sizeof *row);
  columns = malloc(rows * WIDTH * sizeof *columns);
  measure("coo", 1);
  measure("ell", 0);
#ifdef MPI
  MPI_Finalize();
#endif
  return 0;
}
