/* The transpose of doubles in C and MPI, blocks of rows: each block of columns is
 * transposed into a buffer, the buffers are exchanged, and added.
 *   -DN=... -DROUNDS=...  N is divided by the number of processes
 *   -DOVERLAP             the own block is added without a buffer while others travel;
 *                         else one MPI_Alltoall */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16 };

static int rank, size;
static long rows;
static double *a, *b, *out, *in;

/* target[j][i] = or += source[i][j] for a block of rows x rows, in tiles. */
static void block(double *restrict target, long across,
                  const double *restrict source, int add) {
  for (long i = 0; i < rows; i += TILE)
    for (long j = 0; j < rows; j += TILE)
      for (long y = j; y < j + TILE && y < rows; y++)
        for (long x = i; x < i + TILE && x < rows; x++)
          if (add)
            target[y * across + x] += source[x * N + y];
          else
            target[y * across + x] = source[x * N + y];
}

static void add(int from, const double *buffer) {
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < rows; j++)
      b[i * N + from * rows + j] += buffer[i * rows + j];
}

static void transpose(void) {
#ifdef OVERLAP
  MPI_Request requests[2 * size];
  int count = 0;
  for (int d = 1; d < size; d++) {
    int from = (rank + size - d) % size;
    MPI_Irecv(in + from * rows * rows, (int)(rows * rows), MPI_DOUBLE, from, 0,
              MPI_COMM_WORLD, &requests[count++]);
  }
  for (int d = 1; d < size; d++) {
    int to = (rank + d) % size;
    block(out + to * rows * rows, rows, a + to * rows, 0);
    MPI_Isend(out + to * rows * rows, (int)(rows * rows), MPI_DOUBLE, to, 0,
              MPI_COMM_WORLD, &requests[count++]);
  }
  block(b + rank * rows, N, a + rank * rows, 1);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int d = 1; d < size; d++) {
    int from = (rank + size - d) % size;
    add(from, in + from * rows * rows);
  }
#else
  for (int to = 0; to < size; to++)
    block(out + to * rows * rows, rows, a + to * rows, 0);
  MPI_Alltoall(out, (int)(rows * rows), MPI_DOUBLE, in, (int)(rows * rows),
               MPI_DOUBLE, MPI_COMM_WORLD);
  for (int from = 0; from < size; from++)
    add(from, in + from * rows * rows);
#endif
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rows = N / size;
  a = malloc(rows * N * sizeof *a);
  b = calloc(rows * N, sizeof *b);
  out = malloc(rows * N * sizeof *out);
  in = malloc(rows * N * sizeof *in);
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < N; j++)
      a[i * N + j] = (3 * (rank * rows + i + 1) + j + 1) % 16;
  double start = 0;
  for (int k = 0; k <= ROUNDS; k++) {
    if (k == 1) {
      MPI_Barrier(MPI_COMM_WORLD);
      start = MPI_Wtime();
    }
    transpose();
    for (long i = 0; i < rows * N; i++)
      a[i] += 1;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = MPI_Wtime() - start, sum = 0, total;
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < N; j++)
      sum += b[i * N + j] * ((rank * rows + i + 1 + 5 * (j + 1)) % 8);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("transpose-doubles seconds %.6f result %.17g\n", seconds, total);
  MPI_Finalize();
  return 0;
}
