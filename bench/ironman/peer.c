/*===- peer.c - The same transfers and reductions with MPI ----------------===*\
|*
|* Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*     peer WAY WHAT...
|*
|* WAY is sendrecv, persistent or fence (MPI_Put between two fences); WHAT as in
|* ours.cpp. A column goes as a vector datatype.
|*
\*===----------------------------------------------------------------------===*/

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SendReceive, Persistent, Fence } way;
static int rank, size;

/* `count` items of `type` from `source` to the other's `target`. */
typedef struct {
  char *source, *target;
  int count;
  int fresh; /* written before and read after, each time */
  MPI_Datatype type;
  MPI_Request requests[2];
  MPI_Win window;
  MPI_Aint offset;
} Exchange;

static void once(Exchange *x) {
  int other = 1 - rank;
  if (way == SendReceive) {
    MPI_Sendrecv(x->source, x->count, x->type, other, 0, x->target, x->count,
                 x->type, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (way == Persistent) {
    MPI_Startall(2, x->requests);
    MPI_Waitall(2, x->requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Win_fence(0, x->window);
    MPI_Put(x->source, x->count, x->type, other, x->offset, x->count, x->type,
            x->window);
    MPI_Win_fence(0, x->window);
  }
}

static void once_fresh(Exchange *x) {
  static uint64_t sum;
  uint64_t *sent = (uint64_t *)x->source, *got = (uint64_t *)x->target;
  for (int i = 0; i < x->count; ++i)
    sent[i] = sum;
  once(x);
  for (int i = 0; i < x->count; ++i)
    sum += got[i];
}

static double time_of(Exchange *x) {
  for (long count = 16;; count *= 4) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (long i = 0; i < count; ++i) {
      if (x) {
        if (rank < 2)
          x->fresh ? once_fresh(x) : once(x);
      } else {
        double value = 1, sum;
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (seconds > 0.2)
      return seconds / count;
  }
}

static double time_exchange(size_t bytes, size_t source, size_t target,
                            int count, MPI_Datatype type, int fresh) {
  Exchange x;
  char *memory;
  if (way == Fence) {
    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &x.window);
  } else {
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  }
  memset(memory, 0, bytes);
  x.source = memory + source;
  x.target = memory + target;
  x.offset = target;
  x.count = count;
  x.type = type;
  x.fresh = fresh;
  if (way == Persistent) {
    MPI_Recv_init(x.target, count, type, 1 - rank, 0, MPI_COMM_WORLD,
                  &x.requests[0]);
    MPI_Send_init(x.source, count, type, 1 - rank, 0, MPI_COMM_WORLD,
                  &x.requests[1]);
  }
  double seconds = time_of(&x);
  if (way == Fence) {
    MPI_Win_free(&x.window);
  } else {
    for (int i = 0; way == Persistent && i < 2; ++i)
      MPI_Request_free(&x.requests[i]);
    free(memory);
  }
  return seconds;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  way = argv[1][0] == 's'   ? SendReceive
        : argv[1][0] == 'p' ? Persistent
                            : Fence;
  for (int i = 2; i < argc; ++i) {
    char *colon = strchr(argv[i], ':');
    size_t n = colon ? (size_t)atoll(colon + 1) : 0;
    double seconds;
    if (argv[i][0] == 'h' || argv[i][0] == 'f') {
      seconds = time_exchange(2 * n + 4096, 0, n + 2048, (int)(n / 8),
                              MPI_DOUBLE, argv[i][0] == 'f');
    } else if (argv[i][0] == 'c') {
      MPI_Datatype column;
      MPI_Type_vector((int)n, 1, (int)n + 8, MPI_DOUBLE, &column);
      MPI_Type_commit(&column);
      seconds = time_exchange(n * (n + 8) * 8, 8, n * 8, 1, column, 0);
      MPI_Type_free(&column);
    } else {
      seconds = time_of(NULL);
    }
    if (rank == 0) {
      printf("%s %.9e\n", argv[i], seconds);
      fflush(stdout);
    }
  }
  MPI_Finalize();
  return 0;
}
