/* NAS IS in the style of NPB's sequential version, written for this comparison: in
   each iteration the keys are put into buckets by their high bits, then counted
   bucket by bucket, so that the counters stay in the caches. The ranks are checked
   as NPB checks them. Prints the time of ten iterations and how many ranks are
   right. With -d without buckets: one table of counters. */
#include "../programs/clock.h"
#include <stdint.h>
#include <string.h>

enum { iterations = 10, tests = 5 };

struct size {
  char name;
  int log_keys, log_most, log_buckets;
  int place[tests], known[tests], sign[tests], late[tests];
};

static const struct size sizes[] = {
    {'S', 16, 11, 9, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463},
     {1, 1, 1, -1, -1}, {0}},
    {'W', 20, 16, 10, {357773, 934767, 875723, 898999, 404505},
     {1249, 11698, 1039987, 1043896, 1048018}, {1, 1, -1, -1, -1}, {2, 2, 0, 0, 0}},
    {'A', 23, 19, 10, {2112377, 662041, 5336171, 3642833, 4250760},
     {104, 17523, 123928, 8288932, 8388264}, {1, 1, 1, -1, -1}, {1, 1, 1, 1, 1}},
    {'B', 25, 21, 10, {41869, 812306, 5102857, 18232239, 26860214},
     {33422937, 10244, 59149, 33135281, 99}, {-1, 1, 1, -1, 1}, {0}}};

static const struct size *size;
static int keys, most, use_buckets = 1;
static int *key, *sorted, *up_to, *bucket_end;

/* The numbers of the sequence, modulo 2^46. */
static int64_t state = 314159265;
static int64_t number(void) {
  state = (int64_t)((uint64_t)state * 1220703125u & ((UINT64_C(1) << 46) - 1));
  return state;
}

static void make(void) {
  for (int i = 0; i < keys; i++) {
    int64_t sum = number();
    sum += number();
    sum += number();
    sum += number();
    key[i] = (int)(sum >> (48 - size->log_most));
  }
}

static void count_in_buckets(void) {
  int shift = size->log_most - size->log_buckets, buckets = 1 << size->log_buckets;
  memset(bucket_end, 0, sizeof(int) * buckets);
  for (int i = 0; i < keys; i++)
    bucket_end[key[i] >> shift]++;
  for (int b = 0, before = 0; b < buckets; b++) {
    int count = bucket_end[b];
    bucket_end[b] = before;
    before += count;
  }
  for (int i = 0; i < keys; i++)
    sorted[bucket_end[key[i] >> shift]++] = key[i];
  for (int b = 0; b < buckets; b++) {
    int first = b == 0 ? 0 : bucket_end[b - 1], low = b << shift;
    memset(up_to + low, 0, sizeof(int) << shift);
    for (int i = first; i < bucket_end[b]; i++)
      up_to[sorted[i]]++;
    up_to[low] += first;
    for (int k = low + 1; k < low + (1 << shift); k++)
      up_to[k] += up_to[k - 1];
  }
}

static void count_at_once(void) {
  memset(up_to, 0, sizeof(int) * most);
  for (int i = 0; i < keys; i++)
    up_to[key[i]]++;
  for (int k = 1; k < most; k++)
    up_to[k] += up_to[k - 1];
}

static int rank(int iteration) {
  int wanted[tests], right = 0;
  key[iteration] = iteration;
  key[iteration + iterations] = most - iteration;
  for (int t = 0; t < tests; t++)
    wanted[t] = key[size->place[t]];
  if (use_buckets)
    count_in_buckets();
  else
    count_at_once();
  for (int t = 0; t < tests; t++)
    if (wanted[t] > 0 && wanted[t] < keys)
      right += up_to[wanted[t] - 1] ==
               size->known[t] + size->sign[t] * (iteration - size->late[t]);
  return right;
}

int main(int argc, char **argv) {
  char name = 'A';
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "-d"))
      use_buckets = 0;
    else
      name = argv[i][0];
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (sizes[i].name == name)
      size = &sizes[i];
  if (!size)
    return 2;
  keys = 1 << size->log_keys;
  most = 1 << size->log_most;
  key = malloc(sizeof(int) * keys);
  sorted = malloc(sizeof(int) * keys);
  up_to = malloc(sizeof(int) * most);
  bucket_end = malloc(sizeof(int) << size->log_buckets);
  make();
  rank(1);
  double start = now();
  int right = 0;
  for (int iteration = 1; iteration <= iterations; iteration++)
    right += rank(iteration);
  printf("is%c seconds %.6f result %d\n", name, now() - start, right);
  return 0;
}
