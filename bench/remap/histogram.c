/* The peer of histogram.z: -DN=... -DBINS=... -DROUNDS=...
 *   -DMPI  in C and MPI: each process counts by itself, and the counts are added
 *          where they belong */
#include <stdio.h>
#include <stdlib.h>
#ifdef MPI
#include <mpi.h>
#else
#include "../programs/clock.h"
#endif

static int key(int i) {
  unsigned x = (unsigned)i * 2654435761u;
  x = (x ^ x >> 15) * 2246822507u;
  return (int)((x ^ x >> 13) % BINS);
}

__attribute__((noinline)) static void count(int *restrict h,
                                            const int *restrict k, long n) {
  for (long i = 0; i < n; i++)
    h[k[i]]++;
}

static double result(const int *h, long low, long bins) {
  double sum = 0;
  for (long i = 0; i < bins; i++)
    sum += (double)h[i] * ((low + i) % 8 + 1);
  return sum;
}

#ifdef MPI
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long low = (long)N * rank / size, n = (long)N * (rank + 1) / size - low;
  int own = BINS / size;
  int *k = malloc(n * sizeof *k), *mine = malloc(BINS * sizeof *mine),
      *sums = malloc(own * sizeof *sums), *h = calloc(own, sizeof *h);
  for (long i = 0; i < n; i++)
    k[i] = key((int)(low + i));
  double begin = 0;
  for (int r = 0; r <= ROUNDS; r++) {
    if (r == 1) {
      MPI_Barrier(MPI_COMM_WORLD);
      begin = MPI_Wtime();
    }
    for (int i = 0; i < BINS; i++)
      mine[i] = 0;
    count(mine, k, n);
    MPI_Reduce_scatter_block(mine, sums, own, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < own; i++)
      h[i] += sums[i];
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = MPI_Wtime() - begin, part = result(h, (long)rank * own, own),
         sum;
  MPI_Reduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("histogram-%d seconds %.6f result %.17g\n", BINS, seconds, sum);
  MPI_Finalize();
  return 0;
}
#else
int main(void) {
  int *k = malloc((long)N * sizeof *k), *h = calloc(BINS, sizeof *h);
  for (int i = 0; i < N; i++)
    k[i] = key(i);
  double begin = 0;
  for (int r = 0; r <= ROUNDS; r++) {
    if (r == 1)
      begin = now();
    count(h, k, N);
  }
  double seconds = now() - begin;
  printf("histogram-%d seconds %.6f result %.17g\n", BINS, seconds,
         result(h, 0, BINS));
  return 0;
}
#endif
