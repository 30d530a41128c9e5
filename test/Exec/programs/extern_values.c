#include "extern_values.h"
#include <complex.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

double level = 1.5;
pair home = {3, 4.5};
int table[4] = {10, 20, 30, 40};

pair swapped(pair p) { return (pair){(int)p.weight, p.id}; }
small halve(small s) { return (small){s.a / 2, s.b / 2}; }
large scale(large l, double by) {
  for (int i = 0; i < 6; i++)
    l.v[i] *= by;
  l.name = l.name + 1;
  return l;
}
double total(const large *l) {
  double sum = 0;
  for (int i = 0; i < 6; i++)
    sum += l->v[i];
  return sum;
}
void split(double x, long *whole, double *rest) {
  *whole = (long)x;
  *rest = x - (double)*whole;
}
void bump(int *counts, int n, int by) {
  for (int i = 0; i < n; i++)
    counts[i] += by;
}
int trace(int m[][3], int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += m[i][i];
  return sum;
}
const char *suit_name(enum suit s) {
  return s == clubs ? "clubs" : s == hearts ? "hearts" : 0;
}
enum suit other(enum suit s) { return s == clubs ? hearts : clubs; }
const char *nothing(void) { return 0; }
size_t text_length(const char *text) { return strlen(text); }
char *shout(const char *text) {
  static char result[32];
  strncpy(result, text, sizeof result - 1);
  for (char *c = result; *c; c++)
    *c = *c >= 'a' && *c <= 'z' ? *c - 32 : *c;
  return result;
}
long double third(long double x) { return x / 3.0L; }
double _Complex turn(double _Complex z) { return z * I; }
float _Complex turnf(float _Complex z) { return z * I; }
long double _Complex turnl(long double _Complex z) { return z * I; }
void conjugate(double _Complex *z) { *z = conj(*z); }
_Bool both(_Bool a, _Bool b) { return a && b; }
signed char negated(signed char c) { return -c; }
unsigned char next_byte(unsigned char c) { return c + 1; }
char next_letter(char c) { return c + 1; }
unsigned short low16(unsigned x) { return x; }
unsigned long long mix(unsigned long long x) { return x * 0x9E3779B97F4A7C15u; }
float quarter(float x) { return x / 4; }
int fail_with(int code) {
  errno = code;
  return -1;
}

struct bag {
  int size;
  double item[16];
};
struct bag *bag_new(void) { return calloc(1, sizeof(struct bag)); }
void bag_put(struct bag *b, double x) { b->item[b->size++] = x; }
double bag_sum(const struct bag *b) {
  double sum = 0;
  for (int i = 0; i < b->size; i++)
    sum += b->item[i];
  return sum;
}
void bag_open(struct bag **b) { *b = bag_new(); }
span span_of(int first, int last) { return (span){first, last}; }
int span_length(span s) { return s.last - s.first + 1; }
void span_grow(span *s) { s->last++; }
int bits_of(number n) { return n.whole; }
