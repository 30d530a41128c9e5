/* The memory that this process has touched, in MB. */
#include <stdio.h>

double residentMegabytes(void) {
  char line[256];
  double shared = 0, own = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file)) {
    sscanf(line, "RssShmem: %lf", &shared);
    sscanf(line, "RssAnon: %lf", &own);
  }
  if (file)
    fclose(file);
  return (shared + own) / 1024;
}
