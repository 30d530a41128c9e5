/* The Jacobi benchmark in C and MPI: blocks of rows, one exchange of border
 * rows and one reduction a sweep. Same arithmetic as jacobi.c.
 *   -DN=... -DEPSILON=... -DFUSED as there */
#include <float.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef double Row[N + 2];

static double sweep(Row *restrict A, Row *restrict B, int rows) {
  double delta = -DBL_MAX;
#ifdef FUSED
  for (int i = 1; i <= rows; i++)
    for (int j = 1; j <= N; j++) {
      B[i][j] = (A[i][j + 1] + A[i][j - 1] + A[i - 1][j] + A[i + 1][j]) / 4;
      double diff = A[i][j] - B[i][j];
      diff = diff >= 0 ? diff : -diff;
      delta = diff > delta ? diff : delta;
    }
  for (int i = 1; i <= rows; i++)
    for (int j = 1; j <= N; j++)
      A[i][j] = B[i][j];
#else
  for (int i = 1; i <= rows; i++)
    for (int j = 1; j <= N; j++)
      B[i][j] = (A[i][j + 1] + A[i][j - 1] + A[i - 1][j] + A[i + 1][j]) / 4;
  for (int i = 1; i <= rows; i++)
    for (int j = 1; j <= N; j++) {
      double diff = A[i][j] - B[i][j];
      diff = diff >= 0 ? diff : -diff;
      delta = diff > delta ? diff : delta;
      A[i][j] = B[i][j];
    }
#endif
  return delta;
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int first = (int)((long)N * rank / size),
      last = (int)((long)N * (rank + 1) / size);
  int rows = last - first;
  Row *A = calloc(rows + 2, sizeof(Row)), *B = calloc(rows + 2, sizeof(Row));
  int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  int down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  for (int i = 1; i <= rows; i++) {
    A[i][N + 1] = 0.5;
    A[i][0] = 0.75;
    for (int j = 1; j <= N; j++) {
      A[i][j] = 1.0;
      B[i][j] = 0.0;
    }
  }
  for (int j = 1; j <= N && rank == size - 1; j++)
    A[rows + 1][j] = 0.5;

  MPI_Request requests[4];
  MPI_Recv_init(&A[0][1], N, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&A[rows + 1][1], N, MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
                &requests[1]);
  MPI_Send_init(&A[rows][1], N, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                &requests[2]);
  MPI_Send_init(&A[1][1], N, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime(), delta;
  int iterations = 0;
  do {
    iterations++;
    MPI_Startall(4, requests);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    double mine = sweep(A, B, rows);
    MPI_Allreduce(&mine, &delta, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  } while (delta >= EPSILON);
  if (rank == 0)
    printf("iterations %d delta %.17g seconds %.6f\n", iterations, delta,
           MPI_Wtime() - start);
  for (int i = 0; i < 4; i++)
    MPI_Request_free(&requests[i]);
  MPI_Finalize();
  return 0;
}
