#include "systems.h"

#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>

void solve(zpl_array *A, zpl_array *b) {
  zpl_view matrices, vectors;
  zpl_own(A, &matrices);
  zpl_own(b, &vectors);
  lapack_int n = (lapack_int)vectors.extent[1];
  lapack_int rows = (lapack_int)(matrices.stride[1] / matrices.size);
  lapack_int *pivots = malloc(sizeof *pivots * (size_t)n);
  for (int64_t i = 0; i < vectors.extent[0]; ++i) {
    double *a = (double *)((char *)matrices.data + i * matrices.stride[0]);
    double *x = (double *)((char *)vectors.data + i * vectors.stride[0]);
    if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, a, rows, pivots, x, 1))
      fprintf(stderr, "system %lld is singular\n",
              (long long)(vectors.first[0] + i));
  }
  free(pivots);
}
