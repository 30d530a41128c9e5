#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double x, y;
} vec;
typedef union {
  float f;
  unsigned bits;
} word;
enum color { red, green = 4 };

const int planes = 12;
const vec origin = {0.5, 1.5};
const double table[3] = {0.25, 0.5, 1.0};
long counter = 1;
int cells[2][3] = {{1, 2, 3}, {4, 5, 6}};

vec vec_add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y}; }
void vec_scale(vec *v, double by) { *v = (vec){v->x * by, v->y * by}; }
vec vec_sum(const vec *v, int n) {
  vec sum = {0, 0};
  for (int i = 0; i < n; i++)
    sum = vec_add(sum, v[i]);
  return sum;
}
unsigned bits_of(word w) { return w.bits; }
enum color next(enum color c) { return c == red ? green : red; }
void *make(int n) {
  int *made = malloc(sizeof *made);
  *made = n + 30;
  return made;
}
int value(void *h) { return *(int *)h; }
const char *label(int n) {
  static char text[16];
  snprintf(text, sizeof text, "#%d", n);
  return n < 0 ? NULL : text;
}
int measure(const char *text) { return (int)strlen(text); }
void count_up(void) { counter++; }
