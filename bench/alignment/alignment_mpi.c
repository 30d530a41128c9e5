/* The kernels of alignment.h in C+MPI, pipelined by hand: rows are distributed
 * in blocks; a process works on its rows of WIDTH columns as soon as the one
 * above has sent its last row of them.
 *   -DWIDTH=... of a tile; the others as of alignment.h */
#include "alignment.h"
#include <mpi.h>

static int rank, size, lo, hi;

/* Columns from to to of row i of the kernel's arrays. */
static void pass(int k, int i, int from, int to, int to_below) {
  for (int a = 0; a < 2 && kernels[k].rows[a]; a++) {
    char *row = (char *)kernels[k].rows[a] +
                ((long)i * (N + 1) + from) * kernels[k].bytes;
    int bytes = (to - from + 1) * kernels[k].bytes;
    if (to_below)
      MPI_Send(row, bytes, MPI_BYTE, rank + 1, a, MPI_COMM_WORLD);
    else
      MPI_Recv(row, bytes, MPI_BYTE, rank - 1, a, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  }
}

static void sweep(int k) {
  for (int from = 1; from <= N; from += WIDTH) {
    int to = from + WIDTH - 1 < N ? from + WIDTH - 1 : N;
    if (rank > 0)
      pass(k, lo - 1, from, to, 0);
    kernels[k].kernel(lo, hi, from, to);
    if (rank < size - 1)
      pass(k, hi, from, to, 1);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  lo = (int)((long)N * rank / size) + 1;
  hi = (int)((long)N * (rank + 1) / size);
  for (int k = 0; k < KERNELS; k++) {
    start(lo - 1, hi);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int s = 0; s < SWEEPS; s++)
      sweep(k);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
      printf("%s seconds %.6f result %.17g\n", kernels[k].name,
             MPI_Wtime() - begin, result());
  }
  MPI_Finalize();
  return 0;
}
