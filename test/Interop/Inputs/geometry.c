#include "geometry.h"
#include <stdlib.h>

double gravity = 9.75;

point add(point a, point b) { return (point){a.x + b.x, a.y + b.y}; }

box grow(box b, double by) {
  point more = {by, by}, less = {-by, -by};
  return (box){add(b.low, less), add(b.high, more), b.id + 1};
}

bool is_inside(point p, const box *b) {
  return p.x >= b->low.x && p.x <= b->high.x && p.y >= b->low.y &&
         p.y <= b->high.y;
}

enum color next_color(enum color c) {
  return c == red ? green : c == green ? blue : red;
}

double mean(const double *values, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i];
  return sum / count;
}

void minmax(const double *values, int count, double *least, double *greatest) {
  *least = *greatest = values[0];
  for (int i = 1; i < count; i++) {
    if (values[i] < *least)
      *least = values[i];
    if (values[i] > *greatest)
      *greatest = values[i];
  }
}

const char *color_name(enum color c) {
  return c == red ? "red" : c == green ? "green" : c == blue ? "blue" : 0;
}

struct stack {
  int size;
  long values[10];
};

stack new_stack(void) { return calloc(1, sizeof(struct stack)); }
void push(stack s, long value) { s->values[s->size++] = value; }
long pop(stack s) { return s->values[--s->size]; }
