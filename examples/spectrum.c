#include "spectrum.h"

#include <complex.h>
#include <fftw3.h>

void fft_rows(zpl_array *array) {
  zpl_view view;
  zpl_own(array, &view);
  if (!view.data)
    return;
  int length = (int)view.extent[1];
  int distance = (int)(view.stride[0] / view.size); /* rows may be padded */
  fftw_plan plan = fftw_plan_many_dft(1, &length, (int)view.extent[0],
                                      view.data, 0, 1, distance, view.data, 0,
                                      1, distance, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}
