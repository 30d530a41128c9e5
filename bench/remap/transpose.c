/* The peer of transpose.z: B += A transposed, A += 1; -DNAME=... the kind's name,
 * -DROWS=... -DCOLUMNS=... of B, -DTYPE=... of elements, -DROUNDS=...
 *   -DCOMPLEX       elements are pairs of doubles
 *   -DCUBE          three dimensions: B[i][j][k] += A[k][i][j]
 *   -DTILE=...      in tiles of so many rows and columns; else plain loops
 *   -DBY_COLUMNS    the plain loops in the other order */
#include "../programs/clock.h"
#include <complex.h>

#ifdef COMPLEX
typedef double complex Element;
#else
typedef TYPE Element;
#endif

static long value(long i, long j) { return (3 * i + j) % 16; }
static long weight(long i, long j) { return (i + 5 * j) % 8; }

#ifdef CUBE
enum { N = ROWS, COUNT = N * N * N };
#else
enum { COUNT = ROWS * COLUMNS };
#endif

/* b[i][j] += a[j][i] for a part of a matrix; the rows of b have `across` elements
 * from one to the next, those of a `down`. */
static inline void part(Element *restrict b, const Element *restrict a,
                        long lowRow, long highRow, long lowColumn,
                        long highColumn, long across, long down) {
#ifdef BY_COLUMNS
  for (long j = lowColumn; j < highColumn; j++)
    for (long i = lowRow; i < highRow; i++)
#else
  for (long i = lowRow; i < highRow; i++)
    for (long j = lowColumn; j < highColumn; j++)
#endif
      b[i * across + j] += a[j * down + i];
}

static void matrix(Element *restrict b, const Element *restrict a, long rows,
                   long columns, long across, long down) {
#ifdef TILE
  for (long i = 0; i < rows; i += TILE)
    for (long j = 0; j < columns; j += TILE)
      part(b, a, i, i + TILE < rows ? i + TILE : rows, j,
           j + TILE < columns ? j + TILE : columns, across, down);
#else
  part(b, a, 0, rows, 0, columns, across, down);
#endif
}

static void transpose(Element *restrict b, const Element *restrict a) {
#ifdef CUBE
  for (long i = 0; i < N; i++)
    matrix(b + i * N * N, a + i * N, N, N, N, N * N);
#else
  matrix(b, a, ROWS, COLUMNS, COLUMNS, ROWS);
#endif
}

static void increment(Element *a) {
  for (long i = 0; i < COUNT; i++)
    a[i] += 1;
}

/* Those of A, and the result, with indices from 1 as in ZPL. */
static void start(Element *a) {
#ifdef CUBE
  for (long i = 1; i <= N; i++)
    for (long j = 1; j <= N; j++)
      for (long k = 1; k <= N; k++)
        *a++ = value(i, j) + value(j, k);
#else
  for (long i = 1; i <= COLUMNS; i++)
    for (long j = 1; j <= ROWS; j++) {
#ifdef COMPLEX
      *a++ = value(i, j) + I * value(j, i);
#else
      *a++ = value(i, j);
#endif
    }
#endif
}

static double result(const Element *b) {
  double sum = 0;
#ifdef CUBE
  for (long i = 1; i <= N; i++)
    for (long j = 1; j <= N; j++)
      for (long k = 1; k <= N; k++)
        sum += *b++ * weight(i, j + k);
#else
  for (long i = 1; i <= ROWS; i++)
    for (long j = 1; j <= COLUMNS; j++, b++) {
#ifdef COMPLEX
      sum += creal(*b) * weight(i, j) + cimag(*b);
#else
      sum += (double)*b * weight(i, j);
#endif
    }
#endif
  return sum;
}

int main(void) {
  Element *a = malloc(COUNT * sizeof *a), *b = calloc(COUNT, sizeof *b);
  double begin = 0;
  start(a);
  for (int k = 0; k <= ROUNDS; k++) {
    if (k == 1)
      begin = now();
    transpose(b, a);
    increment(a);
  }
  double seconds = now() - begin;
  printf("transpose-" NAME " seconds %.6f result %.17g\n", seconds, result(b));
  return 0;
}
