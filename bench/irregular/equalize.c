/* The peer of examples/irregular/equalize.z: -DROWS=... -DCOLUMNS=... pixels. */
#include "random.h"

#ifndef ROWS
#define ROWS 48
#define COLUMNS 64
#endif

enum { Pixels = ROWS * COLUMNS };

static unsigned char image[Pixels];

static void show(const char *what) {
  int eighth[8] = {0};
  for (int i = 0; i < Pixels; i++)
    eighth[image[i] / 32]++;
  printf("%-7s", what);
  for (int k = 0; k < 8; k++)
    printf("%7d", eighth[k]);
  printf("\n");
}

int main(void) {
  for (int i = 0; i < Pixels; i++) {
    double r = ran(i + 1);
    image[i] = (unsigned char)(25 + 200 * (r * r));
  }
  show("before");

  int count[256] = {0}, brightest = 0, darker = 0;
  unsigned char level[256];
  for (int i = 0; i < Pixels; i++) {
    count[image[i]]++;
    brightest = image[i] > brightest ? image[i] : brightest;
  }
  for (int k = 0; k <= brightest; k++) {
    level[k] = (unsigned char)(256 * (darker + count[k] / 2.0) / Pixels);
    darker += count[k];
  }
  for (int i = 0; i < Pixels; i++)
    image[i] = level[image[i]];

  show("after");
  int least = 255, most = 0;
  int64_t sum = 0;
  for (int i = 0; i < Pixels; i++) {
    least = image[i] < least ? image[i] : least;
    most = image[i] > most ? image[i] : most;
    sum += image[i];
  }
  printf("levels from %d to %d, sum %lld\n", least, most, (long long)sum);
  return 0;
}
