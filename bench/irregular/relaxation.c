/* The peer of examples/irregular/relaxation.z: -DM=... nodes per side, -DSWEEPS=...,
 * -DEVERY=... sweeps between two changes of the mesh. A node has its four neighbours and
 * their weights side by side, as one writes it in C. */
#include "random.h"

#ifndef M
#define M 12
#define SWEEPS 60
#define EVERY 20
#endif

enum { Nodes = M * M, North = 0, South, West, East };

typedef struct {
  int adj[4];
  double coef[4];
} Node;

static Node *nodes, *moved;
static double *value, *old;
static char *inside;

static int shuffled(int node) {
  int row = node / M, column = node % M;
  for (int round = 1; round <= 4; round++) {
    int turned = (row + (int)(M * ran(round * M + column))) % M;
    row = column;
    column = turned;
  }
  return M * row + column;
}

static void start(void) {
  for (int i = 0; i < Nodes; i++) {
    inside[i] = i >= M && i < Nodes - M && i % M > 0 && i % M < M - 1;
    for (int j = 0; j < 4; j++) {
      nodes[i].adj[j] = i;
      nodes[i].coef[j] = 0.25;
    }
    if (inside[i]) {
      nodes[i].adj[North] = i - M;
      nodes[i].adj[South] = i + M;
      nodes[i].adj[West] = i - 1;
      nodes[i].adj[East] = i + 1;
    }
    value[i] = i < M ? 1.0 : 0.0;
  }
}

/* Gives node i of the mesh the number number[i]. */
static void renumber(const int *number) {
  char *was_inside = zeros(Nodes, 1);
  for (int i = 0; i < Nodes; i++) {
    Node node = nodes[i];
    for (int j = 0; j < 4; j++)
      node.adj[j] = number[node.adj[j]];
    moved[number[i]] = node;
    old[number[i]] = value[i];
    was_inside[number[i]] = inside[i];
  }
  for (int i = 0; i < Nodes; i++) {
    nodes[i] = moved[i];
    value[i] = old[i];
    inside[i] = was_inside[i];
  }
  free(was_inside);
}

static void slide(void) {
  for (int i = 0; i < Nodes; i++) {
    moved[i].adj[South] = nodes[nodes[i].adj[South]].adj[East];
    moved[i].adj[North] = nodes[nodes[i].adj[North]].adj[West];
  }
  for (int i = 0; i < Nodes; i++) {
    nodes[i].adj[South] = moved[i].adj[South];
    nodes[i].adj[North] = moved[i].adj[North];
  }
}

static void show(int sweep) {
  double change = 0.0, sum = 0.0;
  for (int i = 0; i < Nodes; i++) {
    change = fmax(change, fabs(value[i] - old[i]));
    sum += value[i];
  }
  printf("%5d%12.6f%12.4f\n", sweep, change, sum);
}

static void relax(void) {
  for (int s = 1; s <= SWEEPS; s++) {
    double *last = value;
    value = old;
    old = last;
    for (int i = 0; i < Nodes; i++) {
      const Node *node = &nodes[i];
      double sum = 0.0;
      for (int j = 0; j < 4; j++)
        sum += node->coef[j] * old[node->adj[j]];
      value[i] = inside[i] ? sum : old[i];
    }
    if (s % EVERY == 0) {
      show(s);
      slide();
    }
  }
}

int main(void) {
  nodes = zeros(Nodes, sizeof *nodes);
  moved = zeros(Nodes, sizeof *moved);
  value = zeros(Nodes, sizeof *value);
  old = zeros(Nodes, sizeof *old);
  inside = zeros(Nodes, 1);
  double *regular = zeros(Nodes, sizeof *regular);
  int *number = zeros(Nodes, sizeof *number);

  puts("sweeps      change         sum");
  start();
  relax();
  for (int i = 0; i < Nodes; i++)
    regular[i] = value[i];

  puts("nodes at random");
  start();
  for (int i = 0; i < Nodes; i++)
    number[i] = shuffled(i);
  renumber(number);
  relax();
  double difference = 0.0;
  for (int i = 0; i < Nodes; i++)
    difference = fmax(difference, fabs(regular[i] - value[number[i]]));
  printf("greatest difference: %g\n", difference);
  return 0;
}
