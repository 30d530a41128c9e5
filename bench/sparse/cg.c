/* The peer of examples/nas/cg.z: compressed sparse rows. -DCLASS=0..3 is S, W, A or B,
   -DROUNDS=... how many iterations; with -DMPI rows are divided among the processors, and a product begins by an
   allgather of the vector. */
#include "../programs/clock.h"
#include <math.h>
#include <stdint.h>
#include <string.h>
#ifdef MPI
#include <mpi.h>
#endif

static const int sizes[] = {1400, 7000, 14000, 75000};
static const int nonzeros[] = {7, 8, 11, 13};
static const double shifts[] = {10, 12, 20, 60};
enum { Most = 14 };

static int n, first, end, rank, size = 1; /* own rows: first .. end-1 */
static int32_t *start, *column;
static double *value, *whole;
static uint64_t state;

typedef struct {
  int count;
  int32_t place[Most];
  double value[Most];
} Vector;

static double next_number(void) {
  state = state * 1220703125u & ((uint64_t)1 << 46) - 1;
  return (double)state / (double)((uint64_t)1 << 46);
}

static void restart(void) {
  state = 314159265;
  next_number();
}

static void next_vector(int i, Vector *v) {
  int power = 1, want = nonzeros[CLASS];
  while (power < n)
    power *= 2;
  v->count = 0;
  while (v->count < want) {
    double x = next_number();
    int place = (int)(power * next_number()), is_new = place < n;
    for (int k = 0; k < v->count; k++)
      is_new &= v->place[k] != place;
    if (is_new) {
      v->place[v->count] = place;
      v->value[v->count++] = x;
    }
  }
  for (int k = 0; k < v->count; k++)
    if (v->place[k] == i) {
      v->value[k] = 0.5;
      return;
    }
  v->place[v->count] = i;
  v->value[v->count++] = 0.5;
}

static int compare(const void *a, const void *b) {
  return *(const int32_t *)a - *(const int32_t *)b;
}

/* Columns first, with repetitions, which are dropped row by row; then values, each
   found by bisection. */
static void make(void) {
  Vector v;
  int own = end - first;
  int64_t *from = calloc(own + 1, sizeof *from);
  restart();
  for (int i = 0; i < n; i++) {
    next_vector(i, &v);
    for (int k = 0; k < v.count; k++)
      if (v.place[k] >= first && v.place[k] < end)
        from[v.place[k] - first + 1] += v.count;
  }
  for (int r = 0; r < own; r++)
    from[r + 1] += from[r];
  column = malloc(from[own] * sizeof *column);
  restart();
  for (int i = 0; i < n; i++) {
    next_vector(i, &v);
    for (int k = 0; k < v.count; k++)
      if (v.place[k] >= first && v.place[k] < end)
        for (int l = 0; l < v.count; l++)
          column[from[v.place[k] - first]++] = v.place[l];
  }
  start = malloc((own + 1) * sizeof *start);
  int32_t count = 0;
  int64_t begin = 0;
  for (int r = 0; r < own; r++) {
    start[r] = count;
    qsort(column + begin, from[r] - begin, sizeof *column, compare);
    for (int64_t k = begin; k < from[r]; k++)
      if (count == start[r] || column[count - 1] != column[k])
        column[count++] = column[k];
    begin = from[r];
  }
  start[own] = count;
  free(from);
  column = realloc(column, count * sizeof *column);
  value = calloc(count, sizeof *value);
  restart();
  double scale = 1, ratio = pow(0.1, 1.0 / n);
  for (int i = 0; i < n; i++, scale *= ratio) {
    next_vector(i, &v);
    for (int k = 0; k < v.count; k++) {
      int r = v.place[k] - first;
      if (r < 0 || r >= own)
        continue;
      for (int l = 0; l < v.count; l++) {
        int32_t lo = start[r], hi = start[r + 1];
        while (hi - lo > 1) {
          int32_t middle = lo + (hi - lo) / 2;
          if (column[middle] <= v.place[l])
            lo = middle;
          else
            hi = middle;
        }
        value[lo] += v.value[l] * (scale * v.value[k]);
        if (v.place[k] == i && v.place[l] == i)
          value[lo] += 0.1 - shifts[CLASS];
      }
    }
  }
}

/* Functions that others see the memory of. */
__attribute__((noinline)) static void
rows_times(int own, const int32_t *restrict start,
           const int32_t *restrict column, const double *restrict value,
           const double *restrict from, double *restrict to) {
  for (int r = 0; r < own; r++) {
    double sum = 0;
    for (int32_t k = start[r]; k < start[r + 1]; k++)
      sum += value[k] * from[column[k]];
    to[r] = sum;
  }
}

static void multiply(const double *from, double *to) {
#ifdef MPI
  static int counts[64], places[64];
  for (int p = 0; p < size; p++) {
    places[p] = (int)((int64_t)n * p / size);
    counts[p] = (int)((int64_t)n * (p + 1) / size) - places[p];
  }
  MPI_Allgatherv(from, end - first, MPI_DOUBLE, whole, counts, places,
                 MPI_DOUBLE, MPI_COMM_WORLD);
  from = whole;
#endif
  rows_times(end - first, start, column, value, from, to);
}

static double total(double x) {
#ifdef MPI
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#endif
  return x;
}

__attribute__((noinline)) static double dot(const double *restrict a,
                                            const double *restrict b) {
  double sum = 0;
  for (int i = 0; i < end - first; i++)
    sum += a[i] * b[i];
  return total(sum);
}

static double *x, *z, *p, *q, *r;

__attribute__((noinline)) static double
step(int own, double alpha, const double *restrict p, const double *restrict q,
     double *restrict z, double *restrict r) {
  double sum = 0;
  for (int i = 0; i < own; i++) {
    z[i] += alpha * p[i];
    r[i] -= alpha * q[i];
    sum += r[i] * r[i];
  }
  return total(sum);
}

__attribute__((noinline)) static void
direction(int own, double beta, const double *restrict r, double *restrict p) {
  for (int i = 0; i < own; i++)
    p[i] = r[i] + beta * p[i];
}

static double solve(void) {
  int own = end - first;
  for (int i = 0; i < own; i++) {
    z[i] = 0;
    r[i] = p[i] = x[i];
  }
  double rho = dot(r, r);
  for (int k = 0; k < 25; k++) {
    multiply(p, q);
    double before = rho, alpha = rho / dot(p, q);
    rho = step(own, alpha, p, q, z, r);
    direction(own, rho / before, r, p);
  }
  multiply(z, r);
  double sum = 0;
  for (int i = 0; i < own; i++)
    sum += (x[i] - r[i]) * (x[i] - r[i]);
  return sqrt(total(sum));
}

int main(int argc, char **argv) {
#ifdef MPI
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#else
  (void)argc, (void)argv;
#endif
  n = sizes[CLASS];
  first = (int)((int64_t)n * rank / size);
  end = (int)((int64_t)n * (rank + 1) / size);
  make();
  whole = malloc(n * sizeof(double));
  double **all[] = {&x, &z, &p, &q, &r};
  for (int k = 0; k < 5; k++)
    *all[k] = calloc(end - first, sizeof(double));
  for (int i = 0; i < end - first; i++)
    x[i] = 1;
  solve();
  double begin = now(), zeta = 0;
  for (int it = 0; it < ROUNDS; it++) {
    solve();
    zeta = shifts[CLASS] + 1 / dot(x, z);
    double norm = 1 / sqrt(dot(z, z));
    for (int i = 0; i < end - first; i++)
      x[i] = norm * z[i];
  }
  if (rank == 0)
    printf("cg seconds %.6f result %.10f\n", now() - begin, zeta);
#ifdef MPI
  MPI_Finalize();
#endif
}
