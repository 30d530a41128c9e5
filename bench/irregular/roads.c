/* The peer of examples/irregular/roads.z: -DROWS=... -DCOLUMNS=... points, -DMOST=...
 * the greatest distance. It keeps a list of the points at the front. */
#include "random.h"

#ifndef ROWS
#define ROWS 16
#define COLUMNS 32
#define MOST 5
#endif

static int map[ROWS][COLUMNS];

int main(void) {
  int *front = zeros((size_t)ROWS * COLUMNS, sizeof(int)), first = 0, last = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      int road =
          i == ROWS / 2 || j == COLUMNS / 2 || i == j || i == ROWS - 1 - j;
      map[i][j] = road ? 0 : MOST + 1;
      if (road)
        front[last++] = i * COLUMNS + j;
    }

  static const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  while (first < last) {
    int i = front[first] / COLUMNS, j = front[first] % COLUMNS;
    first++;
    if (map[i][j] == MOST)
      break;
    for (int d = 0; d < 4; d++) {
      int k = i + step[d][0], l = j + step[d][1];
      if (k >= 0 && k < ROWS && l >= 0 && l < COLUMNS &&
          map[k][l] > map[i][j] + 1) {
        map[k][l] = map[i][j] + 1;
        front[last++] = k * COLUMNS + l;
      }
    }
  }

  int count[MOST + 2] = {0};
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j < COLUMNS; j++) {
      count[map[i][j]]++;
      if (ROWS * COLUMNS <= 1000)
        printf("%d", map[i][j]);
    }
    if (ROWS * COLUMNS <= 1000)
      printf("\n");
  }
  for (int k = 0; k <= MOST; k++)
    printf("%d points at %d\n", count[k], k);
  return 0;
}
