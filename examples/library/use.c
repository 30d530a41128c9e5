/* Calls the library of kernel.z with the options of its command line.

     zplc --library kernel.z -o libkernel.so
     cc use.c -I. -L. -lkernel -Wl,-rpath,. -o use && ./use -p2

   zrt/Block.h is installed with zplc; `zplc --print-config` says where. */
#include "kernel.h"

#include <stdio.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void printError(const char *what) {
  printf("%s: %d %s\n", what, kernel_status(), kernel_error());
}

/* On one processor: what a call costs. */
static void measure(const zpl_view *x) {
  enum { Calls = 200000 };
  long long calls = 0;
  double least, start = seconds();
  for (int i = 0; i < Calls; ++i)
    kernel_nothing(i);
  double middle = seconds();
  for (int i = 0; i < Calls; ++i)
    kernel_smooth(x, 1, &calls, &least);
  fprintf(stderr, "%.3f us a call, %.3f with a small array\n",
          (middle - start) / Calls * 1e6, (seconds() - middle) / Calls * 1e6);
}

int main(int argc, char **argv) {
  if (kernel_init(argc - 1, (const char *const *)argv + 1)) {
    printError("init");
    return 1;
  }
  zpl_view view;
  kernel_view("A", &view); /* this process's block, no copy */
  printf("%d: %d rows of %d\n", kernel_processors(),
         view.extent[0] < view.whole[0], (int)view.whole[0]);
  printf("change %.6f\n", kernel_step(5));

  double x[4][6], least;
  for (int i = 0; i < 24; ++i)
    x[i / 6][i % 6] = i;
  zpl_view mine = {x, 2, ZPL_DOUBLE, sizeof(double), {4, 6}, {48, 8}};
  long long calls = 0;
  kernel_smooth(&mine, 2, &calls, &least);
  printf("%lld %g %g %g\n", calls, least, x[0][0], x[3][5]);
  printf("%s\n", kernel_greet("C"));
  mine.extent[0] = 3;
  kernel_smooth(&mine, 2, &calls, &least);
  printError("shape");
  mine.extent[0] = 4;
  mine.type = ZPL_FLOAT;
  kernel_smooth(&mine, 2, &calls, &least);
  printError("type");
  kernel_smooth(0, 2, &calls, &least);
  printError("nothing");
  mine.type = ZPL_DOUBLE;
  if (kernel_get("A", x, sizeof x))
    printError("get");
  if (kernel_processors() == 1)
    measure(&mine);
  kernel_check(7);
  printError("check");
  kernel_step(1);
  printError("step");
  return kernel_finish();
}
