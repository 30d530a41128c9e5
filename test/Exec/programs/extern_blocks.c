#include "extern_blocks.h"

static double *element(const zpl_view *view, int64_t i, int64_t j) {
  return (double *)((char *)view->data + i * view->stride[0] +
                    j * view->stride[1]);
}

void fill(zpl_array *array, double scale) {
  zpl_view view;
  zpl_own(array, &view);
  for (int64_t i = 0; i < view.extent[0]; ++i)
    for (int64_t j = 0; j < view.extent[1]; ++j)
      *element(&view, i, j) = scale * (10 * (view.first[0] + i * view.step[0]) +
                                       view.first[1] + j * view.step[1]);
}

double own_sum(const zpl_array *array) {
  zpl_view view;
  zpl_own(array, &view);
  double sum = 0;
  for (int64_t i = 0; i < view.extent[0]; ++i)
    for (int64_t j = 0; j < view.extent[1]; ++j)
      sum += *element(&view, i, j);
  return sum;
}
