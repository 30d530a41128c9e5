/* Gathers in C and MPI by a schedule that is made once: which elements of a vector in
 * blocks each process needs of the others, where it keeps them (behind its own, in the
 * order of their indices), and what it sends. */
#include <mpi.h>
#include <stdlib.h>

typedef struct {
  int rank, size, ghosts, sent;
  long low, rows;     /* the own block */
  int *send, *sendAt; /* numbers of elements and their offsets, by process */
  int *receive, *receiveAt;
  int *elements; /* what is sent, as positions in the own block */
  double *buffer;
} Schedule;

static long block_low(long n, int process, int size) {
  return n * process / size;
}

/* For the vector of n elements: `needed` has the `count` indices that are wanted; they
 * become positions in an array of the own elements and the ghosts. */
static Schedule inspect(long n, int *needed, long count) {
  Schedule s;
  MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s.size);
  s.low = block_low(n, s.rank, s.size);
  s.rows = block_low(n, s.rank + 1, s.size) - s.low;
  s.send = calloc(4 * s.size, sizeof(int));
  s.sendAt = s.send + s.size;
  s.receive = s.sendAt + s.size;
  s.receiveAt = s.receive + s.size;

  int *place = calloc(n, sizeof(int));
  for (long k = 0; k < count; k++)
    place[needed[k]] = 1;
  int *wanted = malloc(n * sizeof(int));
  s.ghosts = 0;
  for (int p = 0; p < s.size; p++) {
    s.receiveAt[p] = s.ghosts;
    for (long i = block_low(n, p, s.size); i < block_low(n, p + 1, s.size); i++)
      if (place[i] && p != s.rank) {
        wanted[s.ghosts] = (int)i;
        place[i] = (int)(s.rows + s.ghosts++);
      }
    s.receive[p] = s.ghosts - s.receiveAt[p];
  }
  for (long k = 0; k < count; k++) {
    long i = needed[k] - s.low;
    needed[k] = i >= 0 && i < s.rows ? (int)i : place[needed[k]];
  }

  MPI_Alltoall(s.receive, 1, MPI_INT, s.send, 1, MPI_INT, MPI_COMM_WORLD);
  s.sent = 0;
  for (int p = 0; p < s.size; p++) {
    s.sendAt[p] = s.sent;
    s.sent += s.send[p];
  }
  s.elements = malloc((s.sent + 1) * sizeof(int));
  s.buffer = malloc((s.sent + 1) * sizeof(double));
  MPI_Alltoallv(wanted, s.receive, s.receiveAt, MPI_INT, s.elements, s.send,
                s.sendAt, MPI_INT, MPI_COMM_WORLD);
  for (int k = 0; k < s.sent; k++)
    s.elements[k] -= (int)s.low;
  free(place);
  free(wanted);
  return s;
}

/* Messages of one direction to and from all that take part. */
static void exchange(const Schedule *s, double *from, const int *counts,
                     const int *at, double *to, const int *toCounts,
                     const int *toAt) {
  MPI_Request requests[2 * s->size];
  int pending = 0;
  for (int p = 0; p < s->size; p++)
    if (toCounts[p])
      MPI_Irecv(to + toAt[p], toCounts[p], MPI_DOUBLE, p, 0, MPI_COMM_WORLD,
                &requests[pending++]);
  for (int p = 0; p < s->size; p++)
    if (counts[p])
      MPI_Isend(from + at[p], counts[p], MPI_DOUBLE, p, 0, MPI_COMM_WORLD,
                &requests[pending++]);
  MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
}

/* Fetches the ghosts of x. */
static inline void fetch(const Schedule *s, double *x) {
  for (int k = 0; k < s->sent; k++)
    s->buffer[k] = x[s->elements[k]];
  exchange(s, s->buffer, s->send, s->sendAt, x + s->rows, s->receive,
           s->receiveAt);
}

/* Stores the ghosts of x where their owners keep them. */
static inline void store(const Schedule *s, double *x) {
  exchange(s, x + s->rows, s->receive, s->receiveAt, s->buffer, s->send,
           s->sendAt);
  for (int k = 0; k < s->sent; k++)
    x[s->elements[k]] = s->buffer[k];
}

/* Seconds, the same beginning for all. */
static inline double together(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

/* The sum over all processes. */
static inline double total(double mine) {
  double sum;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}
