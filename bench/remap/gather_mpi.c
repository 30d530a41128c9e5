/* The same as gather.c in C and MPI, with a saved schedule: -DN=... -DROUNDS=... */
#include "mesh.h"
#include "schedule.h"
#include <stdio.h>

static double weighted(const double *x, const Schedule *s) {
  double sum = 0;
  for (long i = 0; i < s->rows; i++)
    sum += x[i] * ((s->low + i + 1) % 8);
  return total(sum);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long low = block_low(N, rank, size),
       rows = block_low(N, rank + 1, size) - low;
  int *p = malloc(rows * sizeof *p);
  for (long i = 0; i < rows; i++)
    p[i] = shuffled((int)(low + i), N, bits_of(N));
  Schedule s = inspect(N, p, rows);
  double *a = calloc(rows + s.ghosts, sizeof *a), *b = calloc(rows, sizeof *b),
         begin = 0;
  for (long i = 0; i < rows; i++)
    a[i] = (low + i + 1) % 16;

  for (int k = 0; k <= ROUNDS; k++) {
    if (k == 1)
      begin = together();
    fetch(&s, a);
    for (long i = 0; i < rows; i++)
      b[i] = a[p[i]];
  }
  double gathering = together() - begin, gathered = weighted(b, &s);

  for (long i = 0; i < rows; i++)
    b[i] = (low + i + 1) % 16;
  for (int k = 0; k <= ROUNDS; k++) {
    if (k == 1)
      begin = together();
    for (long i = 0; i < rows; i++)
      a[p[i]] = b[i];
    store(&s, a);
  }
  double scattering = together() - begin, scattered = weighted(a, &s);
  if (rank == 0) {
    printf("gather seconds %.6f result %.17g\n", gathering, gathered);
    printf("scatter seconds %.6f result %.17g\n", scattering, scattered);
  }
  MPI_Finalize();
  return 0;
}
