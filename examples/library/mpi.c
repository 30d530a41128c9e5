/* Calls the library of kernel.z on the processes of a communicator.

     zplc --library kernel.z -o libkernel.so
     mpicc mpi.c -I. -L. -lkernel -Wl,-rpath,. -o mpi && mpiexec -n 2 ./mpi

   Where MPI is the one that zplc's plug-in was built with, MPICH. */
#include "kernel.h"

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (kernel_init_mpi(MPI_Comm_c2f(MPI_COMM_WORLD), argc - 1,
                      (const char *const *)argv + 1)) {
    printf("%s\n", kernel_error());
    return 1;
  }
  double change = kernel_step(5), all[6][8], sum = 0, mine[24], least;
  kernel_get("A", all, sizeof all); /* on all of them */
  for (int i = 0; i < 48; ++i)
    sum += all[0][i];
  zpl_view view; /* the block of this process, of the shape of marks */
  kernel_view("marks", &view);
  long long calls = 0;
  int64_t columns = view.extent[1];
  zpl_view block = {
      mine, 2, ZPL_DOUBLE, 8, {view.extent[0], columns}, {columns * 8, 8}};
  for (int64_t i = 0; i < view.extent[0] * columns; ++i)
    mine[i] = 10 * rank;
  kernel_smooth(&block, 1, &calls, &least);
  for (int turn = 0; turn < kernel_processors(); ++turn) {
    if (turn == rank)
      printf("%d: change %.6f, sum %.6f, from row %d, %g %g, %s\n", rank,
             change, sum, (int)view.first[0], mine[0], least,
             kernel_greet("MPI"));
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  kernel_finish();
  kernel_nothing(1);
  printf("%d: %s\n", kernel_status(), kernel_error());
  MPI_Finalize();
  return 0;
}
