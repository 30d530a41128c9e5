/* The kernels of wavefront.c in C+MPI, pipelined by hand: rows are distributed
 * in blocks; a process works on its rows of WIDTH columns as soon as the one
 * above has sent its last row of them.
 *   -DN=...      points per side
 *   -DSWEEPS=... how often
 *   -DWIDTH=...  of a tile
 * Each process touches its own rows of the arrays and one more on each side. */
#include <mpi.h>
#include <stdio.h>

static double A[N + 2][N + 2], B[N + 2][N + 2];
static int rank, size, lo, hi;

static void start(void) {
  for (int i = lo - 1; i <= hi + 1; i++)
    for (int j = 0; j <= N + 1; j++) {
      A[i][j] = (i * 7 + j * 3) % 11;
      B[i][j] = (i * 5 + j * 13) % 17;
    }
}

static void sum(int from, int to) {
  for (int i = lo; i <= hi; i++)
    for (int j = from; j <= to; j++)
      A[i][j] = A[i - 1][j] + A[i][j - 1] - A[i - 1][j - 1];
}

static void corner(int from, int to) {
  for (int i = lo; i <= hi; i++)
    for (int j = from; j <= to; j++)
      A[i][j] = (A[i - 1][j] + A[i][j - 1] + B[i][j]) * 0.25;
}

static double max(double a, double b) { return a > b ? a : b; }

static void align(int from, int to) {
  for (int i = lo; i <= hi; i++)
    for (int j = from; j <= to; j++)
      A[i][j] = max(A[i][j - 1] - 4,
                    max(A[i - 1][j - 1] + B[i][j], A[i - 1][j] - 4));
}

static void relax(int from, int to) {
  for (int i = lo; i <= hi; i++)
    for (int j = from; j <= to; j++)
      A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) * 0.25;
}

static void down(int from, int to) {
  for (int i = lo; i <= hi; i++)
    for (int j = from; j <= to; j++)
      A[i][j] = A[i - 1][j] * 0.5 + B[i][j];
}

/* The first row of the process below, as it is before the sweep. */
static void bring_below(void) {
  int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(A[lo], N + 2, MPI_DOUBLE, up, 1, A[hi + 1], N + 2, MPI_DOUBLE,
               below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sweep(void (*kernel)(int, int), int reads_below) {
  if (reads_below)
    bring_below();
  for (int from = 1; from <= N; from += WIDTH) {
    int to = from + WIDTH - 1 < N ? from + WIDTH - 1 : N;
    if (rank > 0)
      MPI_Recv(&A[lo - 1][from], to - from + 1, MPI_DOUBLE, rank - 1, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    kernel(from, to);
    if (rank < size - 1)
      MPI_Send(&A[hi][from], to - from + 1, MPI_DOUBLE, rank + 1, 0,
               MPI_COMM_WORLD);
  }
}

static void measure(const char *name, void (*kernel)(int, int),
                    int reads_below) {
  start();
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  for (int s = 0; s < SWEEPS; s++)
    sweep(kernel, reads_below);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == size - 1) {
    printf("%s %.17g %.6f\n", name, A[N][N], MPI_Wtime() - begin);
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  lo = (int)((long)N * rank / size) + 1;
  hi = (int)((long)N * (rank + 1) / size);
  measure("sum", sum, 0);
  measure("corner", corner, 0);
  measure("align", align, 0);
  measure("relax", relax, 1);
  measure("down", down, 0);
  MPI_Finalize();
  return 0;
}
