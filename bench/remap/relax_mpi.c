/* The peer of relax.z in C and MPI: ghosts and lists of what to send, made once by
 * hand. -DSIDE=... -DGROUP=... -DSWEEPS=...
 *   -DLISTS  a list of first, second ... neighbours; else the neighbours of a node
 *            stand together */
#include "mesh.h"
#include "schedule.h"
#include <stdio.h>

enum { N = SIDE * SIDE };

static int number(int place) {
  return place / GROUP * GROUP + shuffled(place % GROUP, GROUP, bits_of(GROUP));
}

static int beside(int place, int rows, int columns) {
  return (place / SIDE + rows + SIDE) % SIDE * SIDE +
         (place % SIDE + columns + SIDE) % SIDE;
}

static void sweep(double *restrict new, const double *restrict old,
                  const int *restrict next, long rows) {
#ifdef LISTS
  const int *first = next, *second = first + rows, *third = second + rows,
            *fourth = third + rows;
  for (long i = 0; i < rows; i++)
    new[i] = 0.25 *
             (old[first[i]] + old[second[i]] + old[third[i]] + old[fourth[i]]);
#else
  for (long i = 0; i < rows; i++)
    new[i] = 0.25 * (old[next[4 * i]] + old[next[4 * i + 1]] +
                     old[next[4 * i + 2]] + old[next[4 * i + 3]]);
#endif
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long low = block_low(N, rank, size),
       rows = block_low(N, rank + 1, size) - low;
  int *place = malloc(N * sizeof *place),
      *next = malloc(4 * rows * sizeof *next);
  for (int p = 0; p < N; p++)
    place[number(p)] = p;
  static const int ways[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
  for (long i = 0; i < rows; i++)
    for (int j = 0; j < 4; j++) {
      int other = number(beside(place[low + i], ways[j][0], ways[j][1]));
#ifdef LISTS
      next[j * rows + i] = other;
#else
      next[4 * i + j] = other;
#endif
    }
  double begin = together();
  Schedule s = inspect(N, next, 4 * rows);
  double inspection = together() - begin;
  double *a = calloc(rows + s.ghosts, sizeof *a),
         *b = calloc(rows + s.ghosts, sizeof *b);
  for (long i = 0; i < rows; i++)
    a[i] = place[low + i] % 17 / 16.0;
  begin = together();
  for (int k = 0; k < SWEEPS; k += 2) {
    fetch(&s, a);
    sweep(b, a, next, rows);
    fetch(&s, b);
    sweep(a, b, next, rows);
  }
  double seconds = together() - begin, sum = 0;
  for (long i = 0; i < rows; i++)
    sum += a[i] * (place[low + i] % 8 + 1);
  sum = total(sum);
  if (rank == 0) {
    printf("relax seconds %.6f result %.10e\n", seconds * 100 / SWEEPS, sum);
    printf("inspector seconds %.6f result 0\n", inspection);
  }
  MPI_Finalize();
  return 0;
}
