/* The peer of kernels.z: compressed sparse rows, -DN=... -DWIDTH=... -DROUNDS=... The
   tridiagonal matrix is stored by its diagonals. */
#include "../programs/clock.h"
#include <stdint.h>

typedef struct {
  int32_t *start, *column;
  double *value;
  long count;
} Rows;

static double x[N], y[N];

static Rows make(long most) {
  Rows rows = {malloc((N + 1) * sizeof(int32_t)),
               malloc(most * sizeof(int32_t)), NULL, 0};
  rows.start[0] = 0;
  return rows;
}

static double entry(long i, long j) { return (i + 3 * j) % 16; }

static void set_values(Rows *rows) {
  rows->value = malloc(rows->count * sizeof(double));
  for (long i = 0; i < N; i++)
    for (long k = rows->start[i]; k < rows->start[i + 1]; k++)
      rows->value[k] = entry(i + 1, rows->column[k] + 1);
}

static Rows star(void) {
  Rows rows = make(5L * N);
  long side = 1;
  while (side * side < N)
    side++;
  for (long i = 0; i < N; i++) {
    long row = i / side, column = i % side;
    if (row > 0)
      rows.column[rows.count++] = i - side;
    if (column > 0)
      rows.column[rows.count++] = i - 1;
    rows.column[rows.count++] = i;
    if (column < side - 1 && i < N - 1)
      rows.column[rows.count++] = i + 1;
    if (i + side < N)
      rows.column[rows.count++] = i + side;
    rows.start[i + 1] = rows.count;
  }
  set_values(&rows);
  return rows;
}

static int32_t scattered(long i, long j) {
  uint64_t x = ((uint64_t)i * WIDTH + j) * 2654435761u & 0xffffffffu;
  x = (x ^ x >> 15) * 2246822507u & 0xffffffffu;
  return (x ^ x >> 13) % N;
}

static int compare(const void *a, const void *b) {
  return *(const int32_t *)a - *(const int32_t *)b;
}

static Rows some(void) {
  Rows rows = make((long)WIDTH * N);
  int32_t columns[WIDTH];
  for (long i = 0; i < N; i++) {
    for (long j = 0; j < WIDTH; j++)
      columns[j] = scattered(i + 1, j + 1);
    qsort(columns, WIDTH, sizeof *columns, compare);
    for (long j = 0; j < WIDTH; j++)
      if (j == 0 || columns[j] != columns[j - 1])
        rows.column[rows.count++] = columns[j];
    rows.start[i + 1] = rows.count;
  }
  set_values(&rows);
  return rows;
}

static void report(const char *name, double seconds) {
  double sum = 0;
  for (long i = 0; i < N; i++)
    sum += y[i] * ((i + 1) % 8);
  printf("%s seconds %.6f result %.17g\n", name, seconds, sum);
}

/* Functions that others see the memory of, so that no round is left out. */
__attribute__((noinline)) static void multiply(const int32_t *restrict start,
                                               const int32_t *restrict column,
                                               const double *restrict value,
                                               const double *restrict from,
                                               double *restrict to) {
  for (long i = 0; i < N; i++) {
    double sum = 0;
    for (int32_t k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * from[column[k]];
    to[i] = sum;
  }
}

__attribute__((noinline)) static void
multiply_band(const double *restrict low, const double *restrict middle,
              const double *restrict high, const double *restrict from,
              double *restrict to) {
  to[0] = middle[0] * from[0] + high[0] * from[1];
  for (long i = 1; i < N - 1; i++)
    to[i] = low[i] * from[i - 1] + middle[i] * from[i] + high[i] * from[i + 1];
  to[N - 1] = low[N - 1] * from[N - 2] + middle[N - 1] * from[N - 1];
}

__attribute__((noinline)) static void combine(long count,
                                              const double *restrict a,
                                              const double *restrict b,
                                              double *restrict c) {
  for (long k = 0; k < count; k++)
    c[k] = a[k] * b[k] + 0.5 * c[k];
}

static void product(const char *name, Rows rows) {
  double begin = 0;
  for (int k = 0; k <= ROUNDS; k++) {
    if (k == 1)
      begin = now();
    multiply(rows.start, rows.column, rows.value, x, y);
  }
  report(name, now() - begin);
}

static void band(void) {
  double *diagonals[3], begin = 0;
  for (int d = 0; d < 3; d++) {
    diagonals[d] = malloc(N * sizeof(double));
    for (long i = 0; i < N; i++)
      diagonals[d][i] = entry(i + 1, i + d);
  }
  for (int k = 0; k <= ROUNDS; k++) {
    if (k == 1)
      begin = now();
    multiply_band(diagonals[0], diagonals[1], diagonals[2], x, y);
  }
  report("tridiagonal", now() - begin);
}

static void shared(Rows a) {
  double *b = malloc(a.count * sizeof *b), *c = calloc(a.count, sizeof *c),
         begin = 0;
  for (long k = 0; k < a.count; k++) {
    b[k] = (a.column[k] + 1) % 4;
    c[k] = 0;
  }
  for (int k = 0; k <= ROUNDS; k++) {
    if (k == 1)
      begin = now();
    combine(a.count, a.value, b, c);
  }
  double seconds = now() - begin;
  for (long i = 0; i < N; i++) {
    y[i] = 0;
    for (long k = a.start[i]; k < a.start[i + 1]; k++)
      y[i] += c[k];
  }
  report("shared", seconds);
}

/* The rows that the sum of two matrices has. */
static Rows unite(const Rows *a, const Rows *b) {
  Rows both = make(a->count + b->count);
  for (long r = 0; r < N; r++) {
    int32_t i = a->start[r], j = b->start[r];
    while (i < a->start[r + 1] || j < b->start[r + 1]) {
      int32_t own = i < a->start[r + 1] ? a->column[i] : N;
      int32_t other = j < b->start[r + 1] ? b->column[j] : N;
      both.column[both.count++] = own < other ? own : other;
      i += own <= other;
      j += other <= own;
    }
    both.start[r + 1] = both.count;
  }
  both.value = malloc(both.count * sizeof(double));
  return both;
}

/* The values of the sum. */
__attribute__((noinline)) static void add_rows(const Rows *a, const Rows *b,
                                               double *restrict values) {
  for (long r = 0; r < N; r++) {
    int32_t i = a->start[r], j = b->start[r];
    int32_t endA = a->start[r + 1], endB = b->start[r + 1];
    while (i < endA && j < endB) {
      int32_t own = a->column[i], other = b->column[j];
      if (own == other)
        *values++ = a->value[i++] + b->value[j++];
      else if (own < other)
        *values++ = a->value[i++];
      else
        *values++ = b->value[j++];
    }
    while (i < endA)
      *values++ = a->value[i++];
    while (j < endB)
      *values++ = b->value[j++];
  }
}

static void merged(Rows a, Rows b) {
  Rows both = unite(&a, &b);
  double begin = 0;
  for (int k = 0; k <= ROUNDS; k++) {
    if (k == 1)
      begin = now();
    add_rows(&a, &b, both.value);
  }
  double seconds = now() - begin;
  for (long i = 0; i < N; i++) {
    y[i] = 0;
    for (long k = both.start[i]; k < both.start[i + 1]; k++)
      y[i] += both.value[k];
  }
  report("merged", seconds);
}

int main(void) {
  for (long i = 0; i < N; i++)
    x[i] = (i + 1) % 16;
  Rows five = star();
  product("five-point", five);
  Rows anywhere = some();
  product("random", anywhere);
  band();
  shared(five);
  merged(five, anywhere);
  return 0;
}
