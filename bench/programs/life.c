/* The peer of life.z: -DN=... cells per side, -DGENERATIONS=...; a layer of
 * cells around the board stands for the other side. Two boards exchange their
 * parts. */
#include "clock.h"
#include <string.h>

typedef unsigned char Row[N + 2];
static Row first[N + 2], second[N + 2];

static void wrap(Row *A) {
  for (int i = 1; i <= N; i++) {
    A[i][0] = A[i][N];
    A[i][N + 1] = A[i][1];
  }
  memcpy(A[0], A[N], sizeof(Row));
  memcpy(A[N + 1], A[1], sizeof(Row));
}

static void generation(Row *restrict New, Row *restrict A) {
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++) {
      unsigned char around = A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] +
                             A[i][j - 1] + A[i][j + 1] + A[i + 1][j - 1] +
                             A[i + 1][j] + A[i + 1][j + 1];
      New[i][j] = (around == 3) | ((around == 2) & A[i][j]);
    }
}

int main(void) {
  Row *A = first, *New = second;
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      A[i][j] = (i * i * 17 + j * j * 31 + i * j * 7) % 13 < 5;
  double start = now();
  for (int g = 0; g < GENERATIONS; g++) {
    wrap(A);
    generation(New, A);
    Row *other = A;
    A = New;
    New = other;
  }
  double seconds = now() - start;
  int alive = 0;
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      alive += A[i][j];
  printf("life seconds %.6f result %d\n", seconds, alive);
  return 0;
}
